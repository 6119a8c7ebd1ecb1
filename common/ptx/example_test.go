package ptx_test

import (
	"encoding/binary"
	"fmt"
	"log"
	"math"

	"transpose/common/ptx"
)

// Each thread copies one float: out[i] = in[i * stride].
const gather = `
.version 4.2
.target sm_50
.address_size 64
.visible .entry gather(.param .u64 out, .param .u64 in, .param .u32 stride)
{
	.reg .b32 %r<4>;
	.reg .b64 %rd<7>;
	.reg .f32 %f<2>;
	.file 1 "gather.cu"
	.loc 1 1 0
	ld.param.u64 %rd1, [out];
	ld.param.u64 %rd2, [in];
	ld.param.u32 %r1, [stride];
	mov.u32 %r2, %tid.x;
	mul.wide.u32 %rd3, %r2, 4;
	add.u64 %rd4, %rd1, %rd3;
	mul.lo.u32 %r3, %r2, %r1;
	mul.wide.u32 %rd5, %r3, 4;
	add.u64 %rd6, %rd2, %rd5;
	.loc 1 3 0
	ld.global.f32 %f1, [%rd6];
	st.global.f32 [%rd4], %f1;
	ret;
}`

// One warp reads every second float, and so uses half of each sector.
func Example() {
	module, err := ptx.Parse(gather)
	if err != nil {
		log.Fatal(err)
	}
	mem := ptx.NewMemory()
	out, err := mem.Alloc(4 * 32)
	if err != nil {
		log.Fatal(err)
	}
	in, err := mem.Alloc(4 * 64)
	if err != nil {
		log.Fatal(err)
	}
	host, err := mem.Bytes(in, 4*64)
	if err != nil {
		log.Fatal(err)
	}
	for i := range 64 {
		binary.LittleEndian.PutUint32(host[4*i:], math.Float32bits(float32(i)))
	}
	counts, err := module.Entry("gather").Launch(mem, ptx.Config{
		Grid:  ptx.Dim3{X: 1, Y: 1, Z: 1},
		Block: ptx.Dim3{X: 32, Y: 1, Z: 1},
		Args:  []uint64{out, in, 2},
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, a := range counts.Accesses {
		fmt.Printf("%s:%d  %-13s store %-5t  %d sectors a request, %3.0f%% used\n", a.File, a.Line, a.Space, a.Store,
			a.Sectors/a.Requests, 100*float64(a.BytesTouched)/float64(32*a.Sectors))
	}
	result, err := mem.Bytes(out, 4*32)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("out[31] =", math.Float32frombits(binary.LittleEndian.Uint32(result[4*31:])))
	// Output:
	// gather.cu:3  global        store false  8 sectors a request,  50% used
	// gather.cu:3  global        store true   4 sectors a request, 100% used
	// out[31] = 62
}

// A stride too large takes the last lanes out of the allocation. The fault
// says who, where, and how far.
func ExampleFault() {
	module, err := ptx.Parse(gather)
	if err != nil {
		log.Fatal(err)
	}
	mem := ptx.NewMemory()
	out, err := mem.Alloc(4 * 32)
	if err != nil {
		log.Fatal(err)
	}
	_, err = module.Entry("gather").Launch(mem, ptx.Config{
		Grid:  ptx.Dim3{X: 1, Y: 1, Z: 1},
		Block: ptx.Dim3{X: 32, Y: 1, Z: 1},
		Args:  []uint64{out, out, 3},
	})
	fmt.Println(err)
	// Output:
	// gather: global access out of bounds: block (0, 0, 0), thread (11, 0, 0) reads 4 bytes, 4 bytes past the end of an allocation of 128 bytes
	// at gather.cu:3, ptx line 22 (ld.global.f32 %f1, [%rd6]): compare the index with the size first
}

// Trace shows the addresses of one warp, for a picture.
func ExampleConfig_trace() {
	module, err := ptx.Parse(gather)
	if err != nil {
		log.Fatal(err)
	}
	mem := ptx.NewMemory()
	out, err := mem.Alloc(4 * 4)
	if err != nil {
		log.Fatal(err)
	}
	in, err := mem.Alloc(4 * 8)
	if err != nil {
		log.Fatal(err)
	}
	_, err = module.Entry("gather").Launch(mem, ptx.Config{
		Grid:  ptx.Dim3{X: 1, Y: 1, Z: 1},
		Block: ptx.Dim3{X: 4, Y: 1, Z: 1},
		Args:  []uint64{out, in, 2},

		TraceBlocks: []ptx.Dim3{{}},
		Trace: func(s ptx.Sample) {
			for lane, addr := range s.Addr {
				if s.Active>>lane&1 == 1 {
					base, _ := mem.Range(addr)
					fmt.Printf("store %t: lane %d at byte %d\n", s.Store, lane, addr-base)
				}
			}
		},
	})
	if err != nil {
		log.Fatal(err)
	}
	// Output:
	// store false: lane 0 at byte 0
	// store false: lane 1 at byte 8
	// store false: lane 2 at byte 16
	// store false: lane 3 at byte 24
	// store true: lane 0 at byte 0
	// store true: lane 1 at byte 4
	// store true: lane 2 at byte 8
	// store true: lane 3 at byte 12
}

// The text of a SyntaxError names the line.
func ExampleParse() {
	_, err := ptx.Parse(".version 4.2\n.target sm_50\n.visible .entry cut(")
	fmt.Println(err)
	// Output: ptx line 3: expected a type (is the text cut off?): "end of text"
}
