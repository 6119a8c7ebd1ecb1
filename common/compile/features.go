package compile

import (
	"bytes"
	"fmt"
	"regexp"
	"strconv"
)

// A feature is what an instruction asks of a driver and of a card (PTX ISA,
// "PTX ISA Notes" and "Target ISA Notes" of each).
type feature struct {
	is      *regexp.Regexp
	version int // 10 × the .version
	target  int // sm_…
}

func instruction(pattern string) *regexp.Regexp { return regexp.MustCompile(pattern) }

// features are the instructions that .version 4.2 or an sm_50 lacks and that a
// kernel can hold: by the headers of include, or by its own inline asm.
var features = []feature{
	{instruction(`\b(add|sub|mul|fma|set|setp)\.\S*f16`), 42, 53},
	{instruction(`\b(neg|abs)\.\S*f16`), 60, 53},
	{instruction(`\b(dp4a|dp2a)\.`), 50, 61},
	{instruction(`\b(atom|red)\.\S*add\.f64`), 50, 60},
	{instruction(`\b(atom|red)\.\S*\.(cta|sys)\.`), 50, 60},
	{instruction(`\b(bar\.warp|shfl|vote)\.sync|\bbarrier\.(sync|arrive|red|cta)`), 60, 50},
	{instruction(`\bmatch\.(any|all)\.sync|\bfence\.`), 60, 70},
	{instruction(`\b(ld|st)\.(relaxed|acquire|release)|\b(atom|red)\.\S*(relaxed|acquire|release|acq_rel)`), 60, 70},
	{instruction(`\bwmma\.`), 63, 70},
	{instruction(`\bactivemask\.`), 62, 50},
	{instruction(`\b(atom|red)\.\S*noftz\.f16x2`), 62, 60},
	{instruction(`\bnanosleep\.|\b(atom|red)\.\S*noftz\.f16\s|\b(atom|red)\.\S*\.b16`), 63, 70},
	{instruction(`\b(mma\.sync|ldmatrix)\b`), 65, 75},
	{instruction(`\b(tanh|ex2)\.approx\.(ftz\.)?f16|\btanh\.approx\.f32`), 70, 75},
	{instruction(`\b(min|max)\.\S*f16`), 70, 80},
	{instruction(`\bcp\.async\.|\bredux\.sync|\bmbarrier\.|\bfma\.\S*bf16|\bcvt\.\S*bf16`), 70, 80},
	{instruction(`\.L1::(evict|no_allocate)`), 74, 70},
	{instruction(`\.L2::(64|128|256)B`), 74, 75},
	{instruction(`\.L2::(evict|cache_hint)|\bcreatepolicy\.`), 74, 80},
	{instruction(`\b(add|sub|mul)\.\S*bf16|\bmapa\b|\bbarrier\.cluster`), 78, 90},
	{instruction(`\bcp\.async\.bulk`), 80, 90},
	{instruction(`\belect\.sync`), 80, 90},
}

var head = regexp.MustCompile(`(?m)^\.version (\d+)\.(\d+)\n\.target sm_(\d+)`)

// raise puts the lowest .version and .target into the PTX that have all its
// instructions. clang writes those that it was told, and does not read inline asm.
func raise(ptx []byte) []byte {
	m := head.FindSubmatchIndex(ptx)
	if m == nil {
		return ptx
	}
	number := func(i int) int { n, _ := strconv.Atoi(string(ptx[m[i]:m[i+1]])); return n }
	version, target := number(2)*10+number(4), number(6)
	code := comments.ReplaceAll(ptx[m[1]:], nil)
	for _, f := range features {
		if (f.version > version || f.target > target) && f.is.Match(code) {
			version, target = max(version, f.version), max(target, f.target)
		}
	}
	line := fmt.Sprintf(".version %d.%d\n.target sm_%d", version/10, version%10, target)
	return bytes.Join([][]byte{ptx[:m[0]], []byte(line), ptx[m[1]:]}, nil)
}

var comments = regexp.MustCompile(`//[^\n]*`)
