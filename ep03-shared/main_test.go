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
	{Kernel: "transpose_read_strided", Load: 32, LoadWavefronts: 32, Store: 4, StoreWavefronts: 1},
	{Kernel: "transpose_shared", Load: 4, LoadWavefronts: 1, Store: 4, StoreWavefronts: 1, SharedStore: 1, SharedLoad: 32},
}

func TestEpisode(t *testing.T) {
	commontest.Episode(t, "ep03-shared", compiled, run, perRequest)
}
