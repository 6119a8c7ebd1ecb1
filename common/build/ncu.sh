#!/bin/sh
# ncu.sh EPISODE runs an episode's kernels under Nsight Compute, one launch each,
# and prints what the hardware counted beside what the emulator counts.
set -eu
. common/build/go.sh
. common/build/cuda.sh

episode=$1
folder=$(echo "$episode"-*)
cuda_find
[ -z "$missing" ] || die "no hardware to count with: $missing here" "$advice"
ncu_find
[ -n "$ncu" ] || die "no ncu here" "install Nsight Compute (it comes with the CUDA toolkit) and put its folder on PATH"

mkdir -p "$BUILD/count" "$BUILD/ncu" || die_build
out=$BUILD/ncu/$episode
sh common/build/ptx.sh "$folder" "$BUILD/$episode.ptx"
go_setup
(go_time && go build -o "$BUILD/$episode" "transpose/$folder") || exit 2
go_count
go build -o "$BUILD/count/$episode" "transpose/$folder" || exit 2
go build -o "$BUILD/ncu/compare" transpose/common/cmd/ncu || exit 2

rm -f "$out.csv"
# A kernel is replayed for every group of counters, so its times mean nothing.
"$ncu" --clock-control none --csv --page raw --print-units base --kernel-id :::1 --metrics "$("$BUILD/ncu/compare" -metrics)" \
	--log-file "$out.csv" "$BUILD/$episode" >"$out.log" 2>&1 || {
	status=$?
	cat "$out.log" "$out.csv" >&2 || true # it may not have got as far as the second
	exit $status
}
same_ptx "$episode"
"$BUILD/count/$episode" -record "$out.txt" >"$out.log"
"$BUILD/ncu/compare" "$out.csv" "$out.txt"
