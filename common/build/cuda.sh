# Finds an NVIDIA GPU, its driver and the parts of a CUDA toolkit. Sourced by
# the scripts beside it.

# The folder that stands for /: the tests put a machine of their own there.
machine=${MACHINE_ROOT-}

# cuda_roots prints the folders that may be a toolkit, first choice first.
cuda_roots() {
	printf '%s\n' "${CUDA_HOME-}" "${CUDA_PATH-}"
	on_path=$(command -v nvcc) && dirname "$(dirname "$(readlink -f "$on_path")")"
	printf '%s\n' "$machine/usr/local/cuda" "$machine/opt/cuda" "$machine/usr"
	[ -z "${CONDA_PREFIX-}" ] || printf '%s\n' "$CONDA_PREFIX" "$CONDA_PREFIX"/targets/*
}

# pip_roots prints the folders where NVIDIA's wheels put their parts.
pip_roots() {
	command -v python3 >/dev/null || return 0
	python3 -c 'import sys; print("\n".join(sys.path))' 2>/dev/null | while IFS= read -r path; do
		printf '%s\n' "$path"/nvidia/cu[0-9]* "$path/nvidia/cuda_runtime" "$path/nvidia/cuda_nvcc"
	done
}

# holding FILE prints, for each root of the input that has it, ROOT/FILE.
holding() {
	while IFS= read -r root; do
		if [ -n "$root" ] && [ -f "$root/$1" ]; then printf '%s\n' "$root/$1"; fi
	done
}

# cuda_file FILE prints where the first root has it. Python is asked only where
# nothing else answers: starting it takes longer than all the rest.
cuda_file() {
	file=$(cuda_roots | holding "$1" | head -n 1)
	[ -n "$file" ] || file=$(pip_roots | holding "$1" | head -n 1)
	printf '%s\n' "$file"
}

# nvcc_find sets nvcc, or leaves it empty. NVIDIA's compiler runs on Linux only
# (and on a Mac python3 may be no Python but the offer to install one).
nvcc_find() {
	nvcc=
	[ "$(uname -s)" = Linux ] || return 0
	nvcc=$(cuda_file bin/nvcc)
	[ -n "$nvcc" ] || nvcc=$(command -v nvcc) || true # a wrapper, in no toolkit
}

# ncu_find sets ncu, Nsight Compute's command, or leaves it empty.
ncu_find() {
	ncu=$(command -v ncu) || ncu=$(cuda_file bin/ncu)
}

# has_gpu reports whether the kernel knows an NVIDIA GPU and the user does not
# hide it: an empty CUDA_VISIBLE_DEVICES, or one that begins with -1, shows no
# GPU to a program. The device files can be missing until the driver is first
# used, so nvidia-smi is asked too.
has_gpu() {
	case ${CUDA_VISIBLE_DEVICES-0} in '' | -1*) return 1 ;; esac
	for sign in "$machine"/dev/nvidia[0-9]* "$machine"/proc/driver/nvidia/gpus/* \
		"$machine/dev/nvhost-gpu" "$machine/usr/lib/wsl/lib/libcuda.so.1"; do
		[ ! -e "$sign" ] || return 0
	done
	nvidia-smi -L 2>/dev/null | grep -q '^GPU'
}

# libcuda_find sets libcuda, the driver's library, and libcuda_rpath, its
# folder, if the loader does not look there by itself.
libcuda_find() {
	libcuda='' libcuda_rpath=''
	libcuda=$({
		printf '%s\n' "${LD_LIBRARY_PATH-}" | tr : '\n' | grep -v '/stubs/*$' | holding libcuda.so.1
		PATH=$PATH:/sbin:/usr/sbin ldconfig -p 2>/dev/null |
			sed -n 's/^[[:space:]]*libcuda\.so\.1 (.*64.*) => //p'
	} | head -n 1)
	[ -z "$libcuda" ] || return 0
	libcuda=$(printf '%s\n' "$machine/usr/lib/wsl/lib" "$machine/usr/local/nvidia/lib64" \
		"$machine/usr/lib64" "$machine"/usr/lib/*-linux-gnu "$machine/usr/lib" \
		"$machine/run/opengl-driver/lib" | holding libcuda.so.1 | head -n 1)
	libcuda_rpath=${libcuda%/*}
}

# cc_find sets cc to a C compiler: the one that go would take, if it is there.
cc_find() {
	cc=
	for candidate in "${go_cc-}" gcc clang cc; do
		if command -v "${candidate%% *}" >/dev/null; then
			cc=$candidate
			return 0
		fi
	done
}

# cuda_find looks for all that a timing program needs. Of what is missing first,
# it sets missing to what a report says and advice to what to do.
cuda_find() {
	missing='' advice='' libcuda='' cuda_include='' cc=''
	if [ "$(uname -s)" != Linux ] || ! has_gpu; then
		missing='no CUDA device'
		advice="an NVIDIA GPU with its driver is needed; nvidia-smi lists what the driver sees (a container has to be started with its GPUs, and CUDA_VISIBLE_DEVICES must not hide it)"
		return
	fi
	libcuda_find
	cuda_include=$(cuda_file include/cuda.h)
	cuda_include=${cuda_include%/cuda.h}
	cc_find
	if [ -z "$libcuda" ]; then
		missing='a GPU but no libcuda.so.1'
		advice="it comes with NVIDIA's driver: install that, or put the folder that has it in LD_LIBRARY_PATH"
	elif [ -z "$cuda_include" ]; then
		missing='a GPU but no cuda.h'
		advice="install the CUDA toolkit, or its headers alone with pip install nvidia-cuda-runtime, or set CUDA_HOME to the folder that has include/cuda.h"
	elif [ -z "$cc" ]; then
		missing='a GPU but no C compiler'
		advice="install gcc, or set CC to the C compiler"
	fi
}
