package main

import (
	"testing"

	"transpose/common"
	"transpose/common/commontest"
)

// What one request of a warp asks for at n = 4096: sectors of global memory, and the
// wavefronts of shared memory. With 16 bytes a lane, 16 sectors are the fewest.
var perRequest = []common.PerRequest{
	{Kernel: "copy_wide", Load: 16, LoadWavefronts: 4, Store: 16, StoreWavefronts: 4, SharedStore: 2, SharedLoad: 2},
	{Kernel: "transpose_ordered", Load: 4, LoadWavefronts: 1, Store: 4, StoreWavefronts: 1, SharedStore: 1, SharedLoad: 1},
	{Kernel: "transpose_wide", Load: 16, LoadWavefronts: 4, Store: 16, StoreWavefronts: 4, SharedStore: 2, SharedLoad: 2},
}

func TestEpisode(t *testing.T) {
	commontest.Episode(t, "ep06-wide", compiled, run, perRequest)
}
