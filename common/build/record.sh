#!/bin/sh
# record.sh runs the four episodes on the GPU and writes to results, under the
# card's name, what they measured (.bench), what they printed (.txt) and, where
# Nsight Compute is here and may read the counters, what it counted (-ncu.txt).
# Nothing is written unless all four were timed, counted and exact.
set -eu
. common/build/go.sh
. common/build/cuda.sh
. common/build/hash.sh

cuda_find
[ -z "$missing" ] || die "nothing to record: $missing here" "$advice"
for cu in ep0*/transpose.cu; do
	[ "$(hash_line "$cu")" = "$(head -n 1 "${cu%.cu}.ptx")" ] ||
		die "nothing to record: $cu was edited" "get the old kernel back with git checkout $cu"
done
mkdir -p "$BUILD" || die_build
log=$BUILD/record.log

echo "running the series"
sh common/build/series.sh >"$log" 2>&1 || {
	status=$?
	cat "$log" >&2
	exit $status
}
mkdir -p results
bench=$("$BUILD/series" -record results "$BUILD"/record/*.txt)
name=${bench%.bench}

# origin prints the lines that say where the numbers come from.
origin() {
	sed '/^Unit/,$d' "$bench"
	nvidia-smi --query-gpu=driver_version --format=csv,noheader 2>/dev/null | sed -n '1s/^/driver version: /p'
	echo
}

{ origin && grep -v "^go: downloading" "$log"; } >"$name.txt"
echo "written: $bench, $name.txt"

ncu_find
if [ -z "$ncu" ]; then
	echo "not written: $name-ncu.txt: no ncu here"
	exit
fi
for episode in ep01 ep02 ep03 ep04; do
	[ $episode = ep01 ] || echo
	sh common/build/ncu.sh $episode || die "not written: $name-ncu.txt: Nsight Compute did not count"
done >"$log"
{ origin && cat "$log"; } >"$name-ncu.txt"
echo "written: $name-ncu.txt"
