package compile

import (
	"strings"
	"testing"
)

// The lowest version and card that have the instruction, and never lower ones
// than clang wrote.
func TestRaise(t *testing.T) {
	t.Parallel()
	tests := []struct{ head, code, want string }{
		{"4.2 50", "ld.global.f32 %f1, [%rd1];", "4.2 50"},
		{"4.0 50", "add.f32 %f1, %f1, %f1;", "4.0 50"},
		{"4.0 50", "add.f16 %rs1, %rs2, %rs3;", "4.2 53"},
		{"4.2 50", "cvt.rn.f16.f32 %rs1, %f1;", "4.2 50"},
		{"4.2 50", "neg.f16x2 %r1, %r2;", "6.0 53"},
		{"4.2 50", "{ .reg .pred p; setp.ne.s32 p, %r1, 0; vote.sync.ballot.b32 %r2, p, %r3; }", "6.0 50"},
		{"4.2 50", "shfl.sync.bfly.b32 %r1|%p1, %r2, 1, 31, -1;", "6.0 50"},
		{"4.2 50", "match.any.sync.b32 %r1, %r2, %r3;", "6.0 70"},
		{"4.2 50", "activemask.b32 %r1;", "6.2 50"},
		{"4.2 50", "nanosleep.u32 20;", "6.3 70"},
		{"4.2 50", "dp4a.s32.s32 %r1, %r2, %r3, %r4;", "5.0 61"},
		{"4.2 50", "atom.global.add.f32 %f1, [%rd1], %f2;", "4.2 50"},
		{"4.2 50", "atom.add.f64 %fd1, [%rd1], %fd2;", "5.0 60"},
		{"4.2 50", "atom.add.noftz.f16 %rs1, [%rd1], %rs2;", "6.3 70"},
		{"4.2 50", "atom.add.noftz.f16x2 %r1, [%rd1], %r2;", "6.2 60"},
		{"4.2 50", "cp.async.wait_all;", "7.0 80"},
		{"4.2 50", "redux.sync.add.s32 %r1, %r2, %r3;", "7.0 80"},
		{"4.2 50", "nanosleep.u32 20;\n\tcp.async.commit_group;", "7.0 80"},
		{"4.2 50", "ld.global.L2::128B.f32 %f1, [%rd1];", "7.4 75"},
		{"4.2 50", "add.rn.bf16 %rs1, %rs2, %rs3;", "7.8 90"},
		{"7.8 90", "activemask.b32 %r1;", "7.8 90"},
		{"4.2 50", "ret; // cp.async.wait_all;", "4.2 50"},
	}
	for _, test := range tests {
		version, target, _ := strings.Cut(test.head, " ")
		ptx := "//\n.version " + version + "\n.target sm_" + target + "\n.address_size 64\n\t" + test.code + "\n"
		version, target, _ = strings.Cut(test.want, " ")
		want := ".version " + version + "\n.target sm_" + target + "\n"
		if got := string(raise([]byte(ptx))); !strings.Contains(got, want) || !strings.HasSuffix(got, test.code+"\n") {
			t.Errorf("%s: got %q, want %q", test.code, got, want)
		}
	}
}
