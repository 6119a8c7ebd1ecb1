package compile

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestHostParts(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		want       []string
	}{
		{"kernel alone", `extern "C" __global__ void k(float* out) { if (out) { out[0] = 1; } }`, nil},
		{"main", "__global__ void k() {}\nint main() { k<<<1, 2>>>(); for (;;) { } }\n__device__ int f() { return 1; }",
			[]string{"int main() { k<<<1, 2>>>(); for (;;) { } }"}},
		{"comments and strings", "// int a() {\n/* } */ int b() { return '}' + \"}\\\"\"[0]; } __device__ int c;",
			[]string{`int b() { return '}' + "}\""[0]; }`}},
		{"marked by a macro", "#define KERNEL extern \"C\" \\\n  __global__ void\nKERNEL k() { }\nvoid f() { }",
			[]string{"void f() { }"}},
		{"types and constants", "struct A { int a; }; enum { X }; constexpr int n = 3; typedef int T; constexpr int f() { return 1; }", nil},
		{"of a host's library", "std::vector<int> v = {1, 2}; cudaStream_t s; class Timer { cudaEvent_t a; void f() { } }; using namespace std;",
			[]string{"std::vector<int> v = {1, 2};", "cudaStream_t s;", "class Timer { cudaEvent_t a; void f() { } };", "using namespace std;"}},
		{"namespaces", "namespace a { namespace { void f() { } } __device__ int g() { return 1; } } extern \"C\" { int h() { return 2; } __global__ void k() { } }",
			[]string{"void f() { }", "int h() { return 2; }"}},
		{"templates", "template <class T, int N> void f(T a) { } template <typename T> struct S { T t; }; template <class T> __global__ void k(T* p) { }",
			[]string{"template <class T, int N> void f(T a) { }"}},
		{"in a directive", "#define F(x) int x() { }\nF(y)\n__global__ void k() { }", nil},
		{"not closed", "int f() { ", []string{"int f() {"}},
		{"closed too often", "} } int f() { } )", []string{"int f() { }"}},
		{"nothing", "", nil},
	}
	for _, test := range tests {
		var got []string
		for _, p := range hostParts(test.text) {
			got = append(got, test.text[p.start:p.end])
		}
		if diff := cmp.Diff(test.want, got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", test.name, diff)
		}
	}
}
