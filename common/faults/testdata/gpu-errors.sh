#!/bin/sh
# Provokes, on a machine with an NVIDIA GPU and nvcc, the errors that no other
# machine can, and prints what h200-errors.txt keeps:
#
#	make series && sh common/faults/testdata/gpu-errors.sh >common/faults/testdata/h200-errors.txt
#
# Each part begins with its name and what was done, and ends with the exit status.
set -u
cd "$(dirname "$0")/../.."
x=build/errors
mkdir -p $x

part() { # part NAME: WHAT WAS DONE
	printf '\n--- %s\n' "$*"
}
try() { # try COMMAND...
	"$@" 2>&1
	echo "rc=$?"
}
compile() { # compile FILE.cu, to FILE.ptx beside it
	nvcc -ptx -lineinfo -arch=compute_75 "$1" -o "${1%.cu}.ptx"
}
edit() { # edit NAME EPISODE SED-SCRIPT: an edited kernel, compiled
	sed "$3" "$2"/transpose.cu >"$x/$1.cu"
	! cmp -s "$x/$1.cu" "$2/transpose.cu" || echo "the edit of $1 changes nothing"
	compile "$x/$1.cu"
}

echo "What a GPU answered: $(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader), nvcc $(nvcc --version | sed -n 's/.* V//p'), $(date +%Y-%m-%d)."
echo "Made by common/faults/testdata/gpu-errors.sh. TestTranscripts reads the numbers, names and statuses."

part oob: ep01, transpose_naive writes far outside out
edit oob ep01-correct 's/out\[x \* n + y\] = /out[x * n + y + 400000000] = /'
try build/ep01 -ptx $x/oob.ptx

part misaligned: ep01, transpose_naive writes floats at odd multiples of 2 bytes
edit misaligned ep01-correct 's/out\[x \* n + y\] = in/((float*)((char*)out + 2))[x * n + y] = in/'
try build/ep01 -ptx $x/misaligned.ptx

part lastrows: ep01, transpose_naive skips the last eight rows of in
edit lastrows ep01-correct 's/out\[x \* n + y\] = /if (y + 8 < n) out[x * n + y] = /'
try build/ep01 -ptx $x/lastrows.ptx

part offbyone: ep01, transpose_naive writes one row too low
edit offbyone ep01-correct 's/out\[x \* n + y\] = /if (x + 1 < n) out[(x + 1) * n + y] = /'
try build/ep01 -ptx $x/offbyone.ptx

part guards: ep03 -n 1000, the two guards of each tile kernel swapped
edit guards ep03-shared '
	s/if (x < n \&\& y + j < n) tile/if (blockIdx.y * 32 + threadIdx.x < n \&\& blockIdx.x * 32 + threadIdx.y + j < n) tile/
	s/if (x < n \&\& y + j < n) out/if (blockIdx.x * 32 + threadIdx.x < n \&\& blockIdx.y * 32 + threadIdx.y + j < n) out/
'
try build/ep03 -n 1000 -ptx $x/guards.ptx

part guards_count: the same kernels, counted
try build/count/ep03 -n 1000 -ptx $x/guards.ptx

part 500: ep02 with the PTX of ep01
try build/ep02 -ptx ep01-correct/transpose.ptx

part mangled: ep01, every kernel without extern '"C"'
edit mangled ep01-correct 's/extern "C" //'
try build/ep01 -ptx $x/mangled.ptx

part toolarge: ep01 with a block of more than 1024 threads
sed 's/Y: 8, Z: 1}/Y: 64, Z: 1}/' ep01-correct/main.go >$x/main.go
printf '{"Replace": {"%s/ep01-correct/main.go": "%s/main.go"}}' "$PWD" "$PWD/$x" >$x/overlay.json
(
	eval "$(make -s env)"
	go build -overlay $x/overlay.json -o $x/toolarge transpose/ep01-correct
)
try $x/toolarge -n 64

part 222: ep01 with a PTX of .version 99.0
sed 's/^\.version .*/.version 99.0/' ep01-correct/transpose.ptx >$x/222.ptx
try build/ep01 -ptx $x/222.ptx

part newercard: ep01 with PTX for sm_120
sed 's/^\.target .*/.target sm_120/; s/^\.version .*/.version 8.7/' ep01-correct/transpose.ptx >$x/newer.ptx
try build/ep01 -ptx $x/newer.ptx

part 209: ep01 with machine code for another card, sm_80, and no PTX
nvcc -cubin -arch=sm_80 ep01-correct/transpose.cu -o $x/sm_80.cubin
try build/ep01 -ptx $x/sm_80.cubin

for answer in 222 newer; do
	part "fallback$answer: the same file as $answer, but as the PTX that make left beside the program"
	cp build/ep01.ptx $x/kept.ptx
	cp $x/$answer.ptx build/ep01.ptx
	try build/ep01 -n 64
	cp $x/kept.ptx build/ep01.ptx
done

part truncated: ep01 with a PTX that is cut off
head -c 3000 ep01-correct/transpose.ptx >$x/cut.ptx
try build/ep01 -ptx $x/cut.ptx

part hello: ep01 with a text file for a PTX
echo hello >$x/hello.ptx
try build/ep01 -ptx $x/hello.ptx

part empty: ep01 with an empty file for a PTX
: >$x/empty.ptx
try build/ep01 -ptx $x/empty.ptx

part nodevice: ep01, CUDA_VISIBLE_DEVICES set to nothing
try env CUDA_VISIBLE_DEVICES= build/ep01

part device7: ep01, CUDA_VISIBLE_DEVICES set to 7 where there is one GPU
try env CUDA_VISIBLE_DEVICES=7 build/ep01

part nodevice_make: make ep01, CUDA_VISIBLE_DEVICES set to nothing
try env CUDA_VISIBLE_DEVICES= make ep01 ARGS='-n 64' BUILD=$x/hidden

part stub: ep01 with the stub of the toolkit in the place of the driver
mkdir -p $x/stub
ln -sf "$(dirname "$(dirname "$(command -v nvcc)")")/lib64/stubs/libcuda.so" $x/stub/libcuda.so.1
try env LD_LIBRARY_PATH="$PWD/$x/stub" build/ep01

part hung: ep01, an endless kernel, interrupted after 3 s
edit hung ep01-correct 's/^extern "C" __global__ void empty.*/&\n  while (((volatile int*)in)[0] != -1) {}/'
began=$(date +%s)
timeout -s INT 3 build/ep01 -ptx $x/hung.ptx
echo "timeout says $?: interrupted. Over after $(($(date +%s) - began)) s."
echo "rc=interrupted"

cat >$x/fill.cu <<'END'
// Takes the GPU's memory but for argv[1] MiB, says so, and holds it for 5 s.
#include <cstdio>
#include <cstdlib>
#include <unistd.h>
int main(int, char **argv) {
  size_t free, total;
  void *p;
  cudaMemGetInfo(&free, &total);
  int r = cudaMalloc(&p, free - ((size_t)atoi(argv[1]) << 20));
  fclose(fopen(argv[2], "w"));
  sleep(5);
  return r;
}
END
nvcc -o $x/fill $x/fill.cu
for left in 40 "${LEFT:-560}"; do
	part "oom$left: ep01 after another program has taken all but $left MiB of the GPU's memory"
	rm -f $x/filled
	$x/fill "$left" $x/filled &
	while [ ! -f $x/filled ]; do sleep 0.1; done
	try build/ep01
	wait
done

part sharedgpu: ep04 while another ep04 uses the GPU
build/ep04 >/dev/null &
try build/ep04
wait
