#!/bin/sh
# record.sh runs the four episodes on the GPU and writes what they measured to
# results, one file a card, in the Go benchmark format. Nothing is written unless
# all four were timed, counted and exact.
set -eu
. common/build/go.sh
. common/build/cuda.sh

cuda_find
[ -z "$missing" ] || die "nothing to record: $missing here" "$advice"
sh common/build/series.sh
mkdir -p results
"$BUILD/series" -record results "$BUILD"/record/*.txt
