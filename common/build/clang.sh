# Compiles CUDA C to PTX with clang, without a CUDA toolkit. Sourced by the
# scripts beside it, which run in the repository's root.

# clangs prints the clang commands that may be here: the one that the committed
# PTX is made by, then the rest on PATH, newest first, then where LLVM is put. For MACHINE_ROOT see cuda.sh.
clangs() {
	printf '%s\n' clang clang-19
	version=30
	while [ $version -ge 14 ]; do
		printf '%s\n' "clang-$version"
		version=$((version - 1))
	done
	printf '%s\n' "${MACHINE_ROOT-}"/usr/lib/llvm-*/bin/clang "${MACHINE_ROOT-}"/usr/lib64/llvm*/bin/clang \
		"${MACHINE_ROOT-}"/opt/homebrew/opt/llvm*/bin/clang "${MACHINE_ROOT-}"/usr/local/opt/llvm*/bin/clang
}

# clang_find sets clang and clang_version to the first clang from 14 on (or of
# the major version $1) that can make PTX, or leaves them empty. Apple's cannot,
# and its version numbers are of another kind.
clang_find() {
	clang='' clang_version=''
	while IFS= read -r candidate; do
		command -v "$candidate" >/dev/null || continue
		found=$("$candidate" --version 2>/dev/null | sed -n '/Apple/d; s/.*clang version \([0-9][0-9.]*\).*/\1/p')
		major=${found%%.*}
		if [ "${major:-0}" -lt "${1-14}" ] || [ "$major" -gt "${1-$major}" ]; then continue; fi
		"$candidate" --print-targets 2>/dev/null | grep -q nvptx64 || continue
		clang=$candidate clang_version=$found
		return 0
	done <<-EOF
		$(clangs)
	EOF
}

# clang_ptx CLANG FOLDER NAME OUT compiles FOLDER/NAME.cu. The same clang makes
# the same bytes on every machine: the target is named, no toolkit is looked for, no
# header but ours and clang's own is read, and no path but the file's own name gets
# in. The flags are those of common/compile/clang.go, which also compiles what
# needs more than .version 4.2 or has a host part; here a kernel may use
# __syncwarp and the shuffles, which need 6.0 (CUDA 9).
clang_ptx() {
	ptx60=
	! grep -qE '__(syncwarp|shfl)' "$2/$3.cu" || ptx60='-Xclang -target-feature -Xclang +ptx60'
	# shellcheck disable=SC2086 # several words, or none
	"$1" -x cuda --target=x86_64-unknown-linux-gnu --cuda-device-only --cuda-gpu-arch=sm_50 \
		--cuda-path=none -nocudainc -nocudalib -nostdlibinc -isystem common/compile/include -include prelude.h \
		-std=c++17 -O3 -S -fno-finite-loops -Wno-c++11-narrowing -gline-directives-only \
		-fdebug-compilation-dir=. "-ffile-prefix-map=$2/=" \
		"$2/$3.cu" $ptx60 -o "$4"
}
