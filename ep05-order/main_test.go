package main

import (
	"testing"

	"transpose/common"
	"transpose/common/commontest"
)

// What one request of a warp asks for at n = 4096: sectors of global memory, and the
// wavefronts of both memories.
var perRequest = []common.PerRequest{
	{Kernel: "copy_tile", Load: 4, LoadWavefronts: 1, Store: 4, StoreWavefronts: 1, SharedStore: 1, SharedLoad: 1},
	{Kernel: "transpose_padded", Load: 4, LoadWavefronts: 1, Store: 4, StoreWavefronts: 1, SharedStore: 1, SharedLoad: 1},
	{Kernel: "transpose_ordered", Load: 4, LoadWavefronts: 1, Store: 4, StoreWavefronts: 1, SharedStore: 1, SharedLoad: 1},
}

func TestEpisode(t *testing.T) {
	commontest.Episode(t, "ep05-order", compiled, run, perRequest)
}
