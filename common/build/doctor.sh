#!/bin/sh
# doctor.sh says what of all that make can use is here and where, or what to
# install. The last line is what make epNN will do. Exit status 2: nothing, as
# there is no Go.
set -eu
. common/build/go.sh
. common/build/cuda.sh
. common/build/clang.sh

row() { printf '%-14s %s\n' "$1" "$2"; }
more() { printf '%-14s %s\n' '' "$1"; }

# others FILE names the copies that a toolkit before them in the order hides.
others() {
	{ cuda_roots; pip_roots; } | holding "$1" | awk '!seen[$0]++' | sed '1d; s/^/also here, not used: /' |
		while IFS= read -r line; do more "$line"; done
}

for variable in CUDA_HOME CUDA_PATH; do
	eval "folder=\${$variable-}"
	[ -z "$folder" ] || [ -d "$folder" ] || row $variable "names $folder, which does not exist: not used"
done

if command -v go >/dev/null; then
	go_setup
	row Go "$go_version, $(command -v go)"
else
	row Go "missing: install Go 1.22.4 or newer, https://go.dev/dl"
fi

cuda_find
if [ "$missing" = 'no CUDA device' ]; then
	row GPU "no NVIDIA GPU with a driver (looked for /dev/nvidia0 and with nvidia-smi)"
else
	gpus=$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null) || gpus=
	row GPU "${gpus:-found; nvidia-smi does not tell which}" | sed 's/, \([0-9.]*\)$/, driver \1/'
fi
libcuda_find
row libcuda.so.1 "${libcuda:-missing: comes with the driver; only timing needs it}"
[ -z "$libcuda_rpath" ] || more "the loader does not look there: make links the program to that folder"

header=$(cuda_file include/cuda.h)
if [ -n "$header" ]; then
	version=$(sed -n 's/^#define CUDA_VERSION  *\([0-9]*\).*/\1/p' "$header")
	row cuda.h "CUDA $((${version:-0} / 1000)).$((${version:-0} % 1000 / 10)), $header"
	others include/cuda.h
else
	row cuda.h "missing: comes with the CUDA toolkit, or pip install nvidia-cuda-runtime; only timing needs it"
fi

cc_find
if [ -n "$cc" ]; then
	row 'C compiler' "$cc, $(command -v "${cc%% *}")"
else
	row 'C compiler' "missing: install gcc; only timing needs it"
fi

nvcc_find
if [ -n "$nvcc" ]; then
	row nvcc "$("$nvcc" --version 2>/dev/null | sed -n 's/^Cuda compilation tools.* V//p'), $nvcc"
	others bin/nvcc
	# It takes only some versions of gcc and of the C library, so try it.
	trial=$(mktemp -d)
	trouble=$(sh common/build/ptx.sh ep01-correct "$trial/ep01.ptx" 2>&1 >/dev/null) || true
	rm -rf "$trial"
	[ -z "$trouble" ] || more "$trouble"
else
	row nvcc "missing: comes with the CUDA toolkit; without it clang compiles an edited kernel"
fi

clang_find
if [ -n "$clang" ]; then
	row clang "$clang_version, $(command -v "$clang")"
else
	row clang "missing: install clang, 14 or newer (Xcode has one that cannot); compiles an edited kernel without CUDA"
fi
clang_find 19
if [ -n "$clang" ]; then
	row 'clang 19' "$clang_version, $(command -v "$clang")"
else
	row 'clang 19' "missing: install clang-19; only make ptx needs it"
fi

echo
if ! command -v go >/dev/null; then
	echo "make epNN will not run here: there is no Go"
	exit 2
elif [ -n "$missing" ]; then
	echo "make epNN will count with the emulator and time nothing: $missing here"
else
	echo "make epNN will time on the GPU, then count with the emulator: driver, cuda.h and C compiler are here"
fi
