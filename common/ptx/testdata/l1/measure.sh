#!/bin/sh
# measure.sh BYTES… prints what this machine's GPU counts of the accesses of measure.cu
# at 1, 4, 8 and 16 bytes a lane, one warp alone. It takes nvcc and Nsight Compute (ncu):
#
#	cd common/ptx/testdata/l1
#	sh measure.sh 1 4 8 16 >h200.csv
set -eu
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
nvcc -arch=native -o "$work/measure" measure.cu

# sum NAME… prints metrics of this ncu that belong into one column, of which one alone is
# not 0; what it does not have is left out.
ncu --query-metrics | awk '{ print $1 }' >"$work/names"
columns=
metrics=
column() {
	columns="$columns $1="
	shift
	for name; do
		grep -qx "$name" "$work/names" || { echo "no metric $name" >&2; continue; }
		columns="$columns$name.sum+"
		metrics="$metrics,$name.sum"
	done
}
pipe=pipe_lsu_mem_global_op
column requests l1tex__t_requests_${pipe}_ld l1tex__t_requests_${pipe}_st l1tex__t_requests_${pipe}_atom l1tex__t_requests_${pipe}_red
column sectors l1tex__t_sectors_${pipe}_ld l1tex__t_sectors_${pipe}_st l1tex__t_sectors_${pipe}_atom l1tex__t_sectors_${pipe}_red
column lines l1tex__t_set_accesses_${pipe}_ld l1tex__t_set_accesses_${pipe}_st l1tex__t_set_accesses_${pipe}_atom l1tex__t_set_accesses_${pipe}_red
column passes l1tex__data_pipe_lsu_wavefronts
column tag_passes l1tex__t_output_wavefronts_${pipe}_ld l1tex__t_output_wavefronts_${pipe}_st l1tex__t_output_wavefronts_${pipe}_atom l1tex__t_output_wavefronts_${pipe}_red
column l2_requests lts__t_requests_srcunit_tex_op_read lts__t_requests_srcunit_tex_op_write lts__t_requests_srcunit_tex_op_atom lts__t_requests_srcunit_tex_op_red

heading=kind,bytes_per_lane,offsets
for c in $columns; do heading=$heading,${c%%=*}; done
echo "$heading"
for bytes; do
	ncu --clock-control none --csv --page raw --print-units base --metrics "${metrics#,}" --log-file "$work/csv" "$work/measure" "$bytes" >"$work/rows"
	# Both have a line a launch; of ncu's, the heading names the columns.
	awk -F'","' -v rows="$work/rows" -v columns="$columns" '
		{ gsub(/^"|"$/, "") }
		$1 == "ID" { for (i = 1; i <= NF; i++) at[$i] = i; next }
		$1 !~ /^[0-9]+$/ { next }
		{
			# The program prints nothing else, ncu'"'"'s own lines begin with ==.
			do getline line <rows; while (line ~ /^==/)
			n = split(columns, column, " ")
			for (i = 1; i <= n; i++) {
				split(column[i], part, "=")
				m = split(part[2], name, "+")
				sum = 0
				for (j = 1; j < m; j++) { v = $at[name[j]]; gsub(/,/, "", v); sum += v }
				line = line "," sum
			}
			print line
		}' "$work/csv"
done
