#!/bin/sh
# measure.sh COMPILER FILE.ptx prints a row of shapes.csv for each kernel of the file, as
# this machine's GPU counts it. It takes nvcc and Nsight Compute (ncu):
#
#	cd common/ptx/testdata/shapes
#	for c in clang nvcc; do sh measure.sh $c stride-$c.ptx; done >>shapes.csv
set -eu
compiler=$1 file=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
nvcc -o "$work/measure" measure.cu -lcuda
kernels=$(sed -n 's/.*\.entry \([a-z_0-9]*\).*/\1/p' "$file")
requests=l1tex__t_requests_pipe_lsu_mem_global_op_st.sum
sectors=l1tex__t_sectors_pipe_lsu_mem_global_op_st.sum
# shellcheck disable=SC2086 # one argument a kernel
ncu --clock-control none --csv --page raw --metrics $requests,$sectors "$work/measure" "$file" $kernels >"$work/csv"
# The heading names the columns; the line behind it has their units.
awk -F'","' -v compiler="$compiler" -v r=$requests -v s=$sectors '
	{ gsub(/^"|"$/, "") }
	$1 == "ID" { for (i = 1; i <= NF; i++) column[$i] = i; next }
	$1 ~ /^[0-9]+$/ { print compiler "," $column["Kernel Name"] "," $column[r] "," $column[s] }' "$work/csv"
