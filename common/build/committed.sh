#!/bin/sh
# committed.sh remakes the committed PTX, of the episodes and of the emulator's
# tests, with clang 19. committed.sh check only compares: it names each file
# that a remake would change, and exits with 1 if there is one.
set -eu
. common/build/go.sh
. common/build/hash.sh
. common/build/clang.sh

clang_find 19
[ -n "$clang" ] || die "the committed PTX is made by clang 19, which is not here" \
	"install it: apt-get install clang-19, or brew install llvm@19"

new=$(mktemp)
trap 'rm -f "$new" "$new.ptx"' EXIT
status=0
for cu in ep0*/transpose.cu common/cmd/docs/testdata/*/transpose.cu common/ptx/testdata/*.cu; do
	[ -f "$cu" ] || continue
	folder=${cu%/*} name=${cu##*/} ptx=${cu%.cu}.ptx
	clang_ptx "$clang" "$folder" "${name%.cu}" "$new.ptx" || exit
	{
		case $cu in */transpose.cu) hash_line "$cu"; echo "// Compiler: clang 19" ;; esac
		cat "$new.ptx"
	} >"$new"
	if cmp -s "$new" "$ptx"; then continue; fi
	if [ "${1-}" = check ]; then
		echo "$ptx is not what $clang $clang_version makes of $cu" >&2
		status=1
	else
		cat "$new" >"$ptx"
		echo "$ptx: made by clang $clang_version"
	fi
done
exit $status
