package compile

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

var column = regexp.MustCompile(`^(:\d+):\d+:`)

var clangVersion = regexp.MustCompile(`clang version (\d+)`)

// clangs are the commands on PATH that are a clang of 14 or newer for PTX, one a version;
// for a short test the first.
func clangs(t *testing.T) []string {
	t.Helper()
	var all []string
	seen := map[string]bool{}
	for _, name := range []string{"clang", "clang-14", "clang-15", "clang-16", "clang-17", "clang-18", "clang-19", "clang-20", "clang-21", "clang-22"} {
		said, _ := exec.Command(name, "--version").Output()
		targets, _ := exec.Command(name, "--print-targets").Output()
		m := clangVersion.FindSubmatch(said)
		if m == nil || bytes.Contains(said, []byte("Apple")) || !bytes.Contains(targets, []byte("nvptx64")) {
			continue
		}
		if n, _ := strconv.Atoi(string(m[1])); n >= 14 && !seen[string(m[1])] {
			seen[string(m[1])] = true
			all = append(all, name)
		}
	}
	if testing.Short() && len(all) > 1 {
		return all[:1]
	}
	if len(all) == 0 {
		t.Skip("no clang, 14 or newer, on PATH")
	}
	return all
}

// source writes a kernel's text into a folder of its own.
func source(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "transpose.cu")
	if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

// ptxOf compiles a file.
func ptxOf(clang, file string) (ptx []byte, warnings string, err error) {
	src, err := Read(file)
	if err != nil {
		return nil, "", err
	}
	return PTX(clang, src)
}

// body is a kernel around statements.
func body(statements string) string {
	return `extern "C" __global__ void k(float* out, const float* in, int n) { int i = threadIdx.x; ` + statements + " }\n"
}

// What people write compiles, and the PTX has the instruction that nvcc makes of it
// and asks for no more than that needs.
func TestAccepted(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		ptx        string // a regular expression
		target     string
	}{
		{"plain", body(`out[i] = in[i];`), `ld\.global(\.nc)?\.[fb]32`, "sm_50"},
		{"endless loop", body(`while (i < 32) { if (n == i) out[0] = 1; } out[1] = 2;`), `bra`, "sm_50"},
		{"threadIdx copied", body(`auto t = threadIdx; out[t.x] = t.y; dim3 b = blockDim; out[b.x] = 1; uint3 g = blockIdx; out[g.y] = 2;`), `%tid\.y`, "sm_50"},
		{"uint, __mul24", body(`uint x = __mul24(blockIdx.x, 32) + __umul24(i, 3); out[x] = 1;`), `mul24\.lo\.s32`, "sm_50"},
		{"narrowing in braces", body(`int2 v = {threadIdx.x, threadIdx.y}; out[v.x] = v.y;`), `st\.global`, "sm_50"},
		{"float4 from fewer", body(`float4 a = {}, b = {1}; float4 c[2] = {{1, 2}, {3}}; *(float4*)out = a; ((float4*)out)[1] = b; ((float4*)out)[2] = c[n & 1];`), `st\.global\.v4\.(f|b)32`, "sm_50"},
		{"float4 copied", body(`((float4*)out)[i] = ((const float4*)in)[i];`), `ld\.global(\.nc)?\.v4\.(f|b)32`, "sm_50"},
		{"union", body(`union { float4 v; float f[4]; } u; u.v = ((const float4*)in)[i]; for (int k = 0; k < 4; k++) out[8 * k + i] = u.f[k];`), `ld\.global(\.nc)?\.v4\.(f|b)32`, "sm_50"},
		{"shared union", body(`__shared__ union { float4 v; float f[4]; } u[32]; u[i].v = ((const float4*)in)[i]; __syncthreads(); out[i] = u[i ^ 1].f[n];`), `st\.shared\.v4\.(f|b)32`, "sm_50"},
		{"union copied", "union U { float4 v; float f[4]; };\n" + `extern "C" __global__ void k(U* o, const U* a) { U u = a[3]; u.f[1] = 2; o[1] = u; }`, `st\.global`, "sm_50"},
		{"memcpy", body(`memcpy(&out[i], &in[i], sizeof(float)); memset(&out[32], 0, 64);`), `st\.global`, "sm_50"},
		{"fences", body(`out[i] = 1; __threadfence_block(); __threadfence(); __threadfence_system(); out[i] = 2;`), `membar\.cta;[\s\S]*membar\.gl;[\s\S]*membar\.sys;`, "sm_50"},
		{"cache hints", body(`out[i] = __ldcg(&in[i]) + __ldca(in) + __ldcs(in) + __ldlu(in) + __ldcv(in); __stcg(out, 1.f); __stwt(out, 2.f); __stwb(out, 1.f); __stcs((int2*)out, make_int2(1, 2));`), `ld\.global\.cg\.u32`, "sm_50"},
		{"cache hint, wide", body(`((float4*)out)[i] = __ldcg((const float4*)in + i); __stcg((double*)out, 1.0);`), `ld\.global\.cg\.v4\.u32`, "sm_50"},
		{"__ldg of small types", body(`out[i] = __ldg((const char*)in) + __ldg((const short2*)in).x + __ldg((const uchar4*)in).w;`), `ld\.global\.nc\.u8`, "sm_50"},
		{"printf", "#include <cstdio>\n" + body(`if (n == 3) printf("%d %f\n", n, out[0]);`), `vprintf`, "sm_50"},
		{"printf without a header", body(`if (n == 3) printf("hello\n");`), `vprintf`, "sm_50"},
		{"assert", "#include <assert.h>\n" + body(`assert(n > 3); out[i] = 1;`), `__assertfail`, "sm_50"},
		{"NDEBUG", "#define NDEBUG\n#include <cassert>\n" + body(`assert(n > 3); out[i] = 1;`), `st\.global`, "sm_50"},
		{"trap", body(`if (n < 0) __trap(); out[i] = 1;`), `trap;[\s\S]*st\.global`, "sm_50"},
		{"atomics", body(`atomicAdd(&out[0], 1.f); atomicExch(&out[1], in[i]); atomicMin((int*)out, 3); atomicInc((unsigned*)out, 7); atomicCAS((unsigned long long*)out, 1ull, 2ull);`), `atom\.global\.cas\.b64`, "sm_50"},
		{"shared atomics", body(`__shared__ unsigned s[32]; s[i] = 0; __syncthreads(); atomicOr(&s[n & 31], 1u); atomicSub(&s[0], 1u); __syncthreads(); out[i] = s[i];`), `atom\.shared\.or\.b32`, "sm_50"},
		{"atomicAdd of double", body(`atomicAdd((double*)out, 1.0);`), `atom\.add\.f64`, "sm_60"},
		{"atomicCAS of 16 bits", body(`atomicCAS((unsigned short*)out, 1, 2);`), `atom\.cas\.b16`, "sm_70"},
		{"votes", body(`out[i] = __any_sync(~0u, n) + __all_sync(~0u, n) + __popc(__ballot_sync(~0u, i < n));`), `vote\.sync\.ballot\.b32`, "sm_50"},
		{"activemask", body(`unsigned m = __activemask(); __syncwarp(m); out[i] = m;`), `activemask\.b32[\s\S]*bar\.warp\.sync`, "sm_50"},
		{"match", body(`int all; out[i] = __match_any_sync(~0u, n) + __match_all_sync(~0u, in[i], &all);`), `match\.any\.sync\.b32`, "sm_70"},
		{"reduce", body(`out[i] = __reduce_add_sync(~0u, n);`), `redux\.sync\.add\.s32`, "sm_80"},
		{"barriers that count", body(`out[i] = __syncthreads_count(n) + __syncthreads_or(i) + __syncthreads_and(i);`), `bar\.red\.popc\.u32`, "sm_50"},
		{"clocks", body(`long long t = clock64(); out[i] = clock() - t;`), `%clock64`, "sm_50"},
		{"nanosleep", body(`__nanosleep(100); out[i] = 1;`), `nanosleep\.u32`, "sm_70"},
		{"shuffles", body(`out[i] = __shfl_sync(~0u, in[i], 3) + __shfl_xor_sync(~0u, 1ull * n, 1) + __shfl_down_sync(~0u, 1.0 * n, 1) + __shfl_up_sync(~0u, (long)n, 2, 16);`), `shfl\.sync\.bfly\.b32`, "sm_50"},
		{"cp.async by asm", body(`__shared__ float s[32]; unsigned a = __cvta_generic_to_shared(&s[i]); asm volatile("cp.async.ca.shared.global [%0], [%1], 4;" ::"r"(a), "l"(&in[i])); asm volatile("cp.async.wait_all;"); __syncthreads(); out[i] = s[i ^ 1];`), `cp\.async`, "sm_80"},
		{"cp.async", "#include <cuda_pipeline.h>\n" + body(`__shared__ float4 s[32]; __pipeline_memcpy_async(&s[i], &in[4 * i], 16); __pipeline_commit(); __pipeline_wait_prior(1); __pipeline_wait_prior(0); __syncthreads(); out[i] = s[i ^ 1].x;`), `cp\.async\.cg\.shared\.global[\s\S]*cp\.async\.wait_group 1;`, "sm_80"},
		{"half moved", "#include <cuda_fp16.h>\n" + body(`__shared__ half s[32]; s[i] = __float2half(in[i]); __syncthreads(); out[i] = __half2float(s[i ^ 1]);`), `cvt\.rn\.f16\.f32`, "sm_50"},
		{"half", "#include <cuda_fp16.h>\n" + body(`half a = in[0], b = in[1]; half2 c = __halves2half2(a, b); c = __hfma2(c, c, __float2half2_rn(2)) * c; out[i] = a * b + a / b; out[1] = a < b ? __low2float(c) : __high2float(-c); out[2] = hsqrt(a);`), `fma\.rn\.f16x2`, "sm_53"},
		{"bfloat16", "#include <cuda_bf16.h>\n" + body(`__nv_bfloat16 a = __float2bfloat16(in[0]), b = in[1]; out[i] = __bfloat162float(a + b * a); out[1] = __hmax(a, b); out[2] = a == b;`), `st\.global`, "sm_50"},
		{"dot products", body(`out[i] = __dp4a(n, i, 3) + __dp2a_lo(n, i, 3);`), `dp4a\.s32\.s32`, "sm_61"},
		{"cooperative groups", "#include <cooperative_groups.h>\n#include <cooperative_groups/reduce.h>\nnamespace cg = cooperative_groups;\n" + body(`cg::thread_block b = cg::this_thread_block(); cg::sync(b); b.sync(); auto w = cg::tiled_partition<16>(b); auto v = cg::tiled_partition<4>(w); out[b.thread_rank()] = w.shfl_down(in[i], 2) + w.any(n) + v.shfl(n, 1) + cg::reduce(v, n, cg::plus<int>()); v.sync();`), `bar\.warp\.sync`, "sm_50"},
		{"maths", "#include <cmath>\n" + body(`out[i] = sinf(in[0]) + expf(in[1]) + powf(in[2], 2) + pow(in[3], 3) + sqrt(n) + std::sqrt(in[4]) + std::abs(in[5]) + log(2) + fmod(in[6], 2.f) + __sinf(in[7]) + rsqrtf(in[8]) + round(in[9]) + max(in[1], 2.0) + M_PI + INFINITY;`), `sin\.approx\.f32`, "sm_50"},
		{"intrinsics", body(`out[i] = __popc(n) + __clz(n) + __ffs(n) + __brev(n) + __byte_perm(n, i, 0x3210) + __fadd_rz(in[0], in[1]) + __fmaf_rn(in[0], in[1], in[2]) + __float2int_rd(in[3]) + __umulhi(n, i) + __funnelshift_l(n, i, 3);`), `add\.rz\.f32`, "sm_50"},
		{"int vectors", body(`char4 c = make_char4(1, 2, 3, n); ushort3 u = make_ushort3(1, 2, 3); longlong2 l = make_longlong2(n, 2); double4 d = make_double4(1, 2, 3, n); out[i] = c.w + u.z + l.x + d.w;`), `st\.global`, "sm_50"},
		{"memory of all kinds", "__constant__ float4 c[2] = {{1, 2, 3, 4}, {5}};\n__device__ unsigned done;\n__device__ float4 g = {1, 2, 3, 4};\n" + body(`extern __shared__ float s[]; s[i] = c[n].x + g.y; atomicAdd(&done, 1u); __syncthreads(); out[i] = s[31 - i];`), `atom\.global\.add\.u32`, "sm_50"},
		{"templates", "#include <type_traits>\n#include <limits>\n#include <algorithm>\n#include <array>\n#include <cstdint>\ntemplate <class T, int N> __device__ T f(const T* __restrict__ p) { static_assert(std::is_floating_point<T>::value, \"\"); std::array<T, N> a; for (int k = 0; k < N; k++) a[k] = p[k]; std::swap(a[0], a[1]); return std::min(a[0], std::numeric_limits<T>::max()); }\n" + `extern "C" __global__ void __launch_bounds__(256, 2) k(float* __restrict__ out, const float* __restrict__ in, std::uint32_t n) { out[n] = f<float, 4>(in); }`, `\.maxntid`, "sm_50"},
		{"headers", "#include \"cuda_runtime.h\"\n#include \"device_launch_parameters.h\"\n#include <cuda.h>\n#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n#include <math.h>\n#include <stdint.h>\n#include <assert.h>\n#include <time.h>\n#include <iostream>\n#include <vector>\n#include <algorithm>\n#include <string>\n#include <new>\n#include <cstdio>\n#include <cmath>\n#include <cstdlib>\n#include <cstdint>\n#include <cstring>\n#include <cfloat>\n#include <climits>\n#include <chrono>\n#include <utility>\n" + body(`out[i] = in[i] + FLT_MAX + CHAR_MAX;`), `ld\.global`, "sm_50"},
		{"a min of one's own", "#define min(a, b) ((a) < (b) ? (a) : (b))\n" + body(`out[i] = min(i, n);`), `st\.global`, "sm_50"},
	}
	for _, clang := range clangs(t) {
		for _, test := range tests {
			t.Run(clang+"/"+test.name, func(t *testing.T) {
				t.Parallel()
				ptx, warnings, err := ptxOf(clang, source(t, test.text))
				if err != nil {
					t.Fatal(err)
				}
				if warnings != "" {
					t.Errorf("warnings:\n%s", warnings)
				}
				if !regexp.MustCompile(test.ptx).Match(ptx) {
					t.Errorf("no %s in\n%s", test.ptx, ptx)
				}
				if want := ".target " + test.target + "\n"; !bytes.Contains(ptx, []byte(want)) {
					t.Errorf("want %sgot %s", want, head.Find(ptx))
				}
			})
		}
	}
}

// A whole program gives its kernel, on the lines where it stands.
func TestWholeProgram(t *testing.T) {
	t.Parallel()
	for _, clang := range clangs(t) {
		for _, name := range []string{"program.cu", "own_header.cu"} {
			t.Run(clang+"/"+name, func(t *testing.T) {
				t.Parallel()
				file := filepath.Join("testdata", name)
				ptx, warnings, err := ptxOf(clang, file)
				if err != nil {
					t.Fatal(err)
				}
				if warnings != "" {
					t.Errorf("warnings:\n%s", warnings)
				}
				text, err := os.ReadFile(file)
				if err != nil {
					t.Fatal(err)
				}
				before, _, _ := strings.Cut(string(text), "// this line")
				loc := ".loc\t1 " + strconv.Itoa(strings.Count(before, "\n")+1) + " "
				if !bytes.Contains(ptx, []byte(loc)) {
					t.Errorf("no %q in\n%s", loc, ptx)
				}
				if !regexp.MustCompile(`\.file\s+1 "(\./)?`+name+`"`).Match(ptx) || bytes.Contains(ptx, []byte(os.TempDir())) {
					t.Errorf("want %s as file 1, and no folder of this machine, in\n%s", name, ptx)
				}
			})
		}
	}
}

// A source that cannot be compiled gets a few lines, at places of its own.
func TestRefused(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name, text string
		want       []string // the lines that name a place
	}{
		{"a name", body("out[i] = nowhere;"),
			[]string{"transpose.cu:1: error: use of undeclared identifier 'nowhere'"}},
		{"beside a host part", "#include <iostream>\nint main() { std::cout << 1; }\n" + body("out[i] = nowhere;"),
			[]string{"transpose.cu:3: error: use of undeclared identifier 'nowhere'"}},
		{"a struct of the kernel's", "struct Tile { float d[32] int n; };\n" + body("Tile t; out[i] = t.d[i];"),
			[]string{"transpose.cu:1: error: expected ';' at end of declaration list"}},
		{"a host function", "int f(int a) { return a; }\n" + body("out[i] = f(i);"),
			[]string{"transpose.cu:2: error: no matching function for call to 'f'",
				"transpose.cu:1: note: candidate function not viable: call to __host__ function from __global__ function"}},
		{"a library of the toolkit", "#include <cub/cub.cuh>\n" + body("typedef cub::BlockReduce<float, 32> R;"),
			[]string{"transpose.cu:2: error: use of undeclared identifier 'cub'",
				"transpose.cu:1: cub/cub.cuh is not here, where the CUDA toolkit is not: compiled without it"}},
		{"no such overload", "struct Q { int a; };\n" + body("Q q; out[i] = min(q, 1);"),
			[]string{"transpose.cu:2: error: no matching function for call to 'min'"}},
		{"a type that a function refuses", "struct Q { int a[3]; };\n" + body("__ldcg((Q*)in);"),
			[]string{"transpose.cu:2: error: __ldcg takes types of 1, 2, 4, 8, 16 or 32 bytes"}},
		{"a grid that meets", "#include <cooperative_groups.h>\n" + body("cooperative_groups::this_grid().sync();"),
			[]string{"transpose.cu:2: error: 'sync' is unavailable: a whole grid cannot meet here: the kernel is not launched as a cooperative one"}},
		{"many", body("a; b; c; d; e; f; g;"),
			[]string{"transpose.cu:1: error: use of undeclared identifier 'a'", "transpose.cu:1: error: use of undeclared identifier 'b'",
				"transpose.cu:1: error: use of undeclared identifier 'c'", "transpose.cu:1: error: use of undeclared identifier 'd'",
				"transpose.cu:1: error: use of undeclared identifier 'e'"}},
	}
	for _, clang := range clangs(t) {
		for _, test := range tests {
			t.Run(clang+"/"+test.name, func(t *testing.T) {
				t.Parallel()
				file := source(t, test.text)
				_, _, err := ptxOf(clang, file)
				var refused *Error
				if !errors.As(err, &refused) {
					t.Fatalf("got error %v, want one of the source", err)
				}
				var got []string
				for _, line := range strings.Split(refused.Output, "\n") {
					if rest, ok := strings.CutPrefix(line, file); ok {
						got = append(got, "transpose.cu"+column.ReplaceAllString(rest, "$1:"))
					}
				}
				if diff := cmp.Diff(test.want, got); diff != "" {
					t.Errorf("places (-want +got):\n%s\nof\n%s", diff, refused.Output)
				}
			})
		}
	}
}

// The macros and names of a source do not reach what is compiled ahead of it, and each
// keeps its lines.
func TestCompiledBefore(t *testing.T) {
	t.Parallel()
	src := Source{
		Name: "mine.cu", Text: "#define n 7\n#define in zonk\nextern \"C\" __global__ void mine(float* out) { out[n] = n; }\n",
		Before: &Source{Name: "ep01-correct/transpose.cu", Text: "\n\n" + body("out[i] = in[n];")},
	}
	for _, clang := range clangs(t) {
		ptx, warnings, err := PTX(clang, src)
		if err != nil || warnings != "" {
			t.Fatalf("%v%s", err, warnings)
		}
		for _, want := range []string{".entry k(", ".entry mine(", "\"ep01-correct/transpose.cu\"", "\"mine.cu\"", "\t.loc\t1 3 ", "\t.loc\t2 3 "} {
			if !strings.Contains(strings.ReplaceAll(string(ptx), `"./`, `"`), want) {
				t.Errorf("%s: the PTX lacks %s:\n%s", clang, want, ptx)
			}
		}
	}
}

func TestNoSuchFile(t *testing.T) {
	t.Parallel()
	_, _, err := ptxOf("clang", filepath.Join(t.TempDir(), "gone.cu"))
	if !errors.Is(err, os.ErrNotExist) {
		t.Errorf("got %v, want a file that does not exist", err)
	}
	_, _, err = ptxOf(filepath.Join(t.TempDir(), "no-clang"), source(t, body("")))
	if !errors.Is(err, os.ErrNotExist) || errors.As(err, new(*Error)) {
		t.Errorf("got %v, want a clang that does not exist", err)
	}
}

// The kernels of common/testdata/submissions compile, but for those that must not.
func TestSubmissions(t *testing.T) {
	if testing.Short() {
		t.Skip("compiles more than fifty kernels")
	}
	t.Parallel()
	folder := filepath.Join("..", "testdata", "submissions")
	expected, err := os.ReadFile(filepath.Join(folder, "expected.tsv"))
	if err != nil {
		t.Fatal(err)
	}
	for _, clang := range clangs(t) {
		t.Run(clang, func(t *testing.T) {
			t.Parallel()
			for _, line := range strings.Split(strings.TrimSpace(string(expected)), "\n") {
				name, verdict, _ := strings.Cut(line, "\t")
				_, warnings, err := ptxOf(clang, filepath.Join(folder, name+".cu"))
				switch refused := errors.As(err, new(*Error)); {
				case verdict == "format\terror" && !refused:
					t.Errorf("%s: got error %v, want one of the source", name, err)
				case verdict != "format\terror" && (err != nil || warnings != ""):
					t.Errorf("%s: %v\n%s", name, err, warnings)
				}
			}
		})
	}
}
