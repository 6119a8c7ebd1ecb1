#!/bin/sh
# ptx.sh FOLDER OUT compiles FOLDER/transpose.cu to OUT: with nvcc where there
# is one, so that a reader runs what the toolkit makes; else with clang, and
# only an edited .cu. Where the committed transpose.ptx is the one to run, it
# leaves no OUT. A compile error is the compiler's message, and status 2.
set -eu
. common/build/go.sh
. common/build/hash.sh
. common/build/cuda.sh
. common/build/clang.sh

folder=$1 out=$2
cu=$folder/transpose.cu
for file in "$cu" "$folder/transpose.ptx"; do
	[ -f "$file" ] || die "$file is missing" "get it back with git checkout $file"
done
hash_line=$(hash_line "$cu")

new=$out.new.$$ log=$out.log.$$
trap 'rm -f "$new" "$log"' EXIT
trap 'exit 130' INT TERM

# up_to_date COMPILER reports whether OUT is from this .cu and this compiler.
up_to_date() {
	[ -f "$out" ] && [ "$(head -n 2 "$out")" = "$hash_line
// Compiler: $1" ] && [ -z "$(find common/compile/include common/build -newer "$out")" ]
}

# keep COMPILER puts the finished PTX in place, in one step.
keep() {
	{ printf '%s\n// Compiler: %s\n' "$hash_line" "$1" && cat "$new"; } >"$log"
	mv -f "$log" "$out"
	exit 0
}

# nvcc_ptx ARCH compiles with nvcc; what it says goes to the log.
nvcc_ptx() {
	"$nvcc" -ptx -lineinfo "-arch=$1" "$cu" -o "$new" >"$log" 2>&1
}

nvcc_find
trouble=
if [ -n "$nvcc" ]; then
	compiler="nvcc $("$nvcc" --version 2>/dev/null | sed -n 's/^Cuda compilation tools.* V//p') ($nvcc)"
	! up_to_date "$compiler" || exit 0

	# compute_75, Turing, is the oldest that today's toolkits know; where this one
	# does not know it, its own oldest will do.
	status=0
	nvcc_ptx compute_75 || status=$?
	if [ $status -ne 0 ] && grep -qE 'gpu.architecture' "$log"; then
		oldest=$("$nvcc" --list-gpu-arch 2>/dev/null | sort -t _ -k 2n | head -n 1)
		[ -z "$oldest" ] || { status=0; nvcc_ptx "$oldest" || status=$?; }
	fi
	# An error with a place in the .cu is the reader's. Any other is nvcc's own: it
	# takes only some versions of gcc and of the C library.
	if [ $status -eq 0 ] || grep -qE 'transpose\.cu[(:][0-9]' "$log"; then
		cat "$log" >&2
		[ $status -eq 0 ] || exit 2
		keep "$compiler"
	fi
	trouble="$nvcc does not work here ($(grep -m 1 -iE 'error|fatal|unsupported|not found' "$log" || head -n 1 "$log"))"
fi

if [ "$hash_line" = "$(head -n 1 "$folder/transpose.ptx")" ]; then
	[ -z "$trouble" ] || echo "$trouble; the committed transpose.ptx runs instead" >&2
	rm -f "$out"
	exit 0
fi

# shellcheck disable=SC2119 # any version
clang_find
[ -n "$clang" ] || die ${trouble:+"$trouble"} "$cu was edited, and no compiler for it is here" \
	"install clang, 14 or newer, or the CUDA toolkit, or get the old kernel back with git checkout $cu"
[ -z "$trouble" ] || echo "$trouble; $clang compiles instead" >&2
! up_to_date "clang $clang_version" || exit 0
clang_ptx "$clang" "$folder" transpose "$new" || exit 2
keep "clang $clang_version"
