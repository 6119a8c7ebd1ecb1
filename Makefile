# Each target is one script of common/build, which finds what the machine has.
# GNU make from 3.81 on will do.

# Where programs and compiled PTX go; another folder for a checkout that cannot
# be written to: make ep02 BUILD=/some/folder
BUILD = build
export BUILD

# Flags for an episode's program: make ep02 ARGS='-n 1001'
ARGS =

# The scripts run in this file's folder, also under make -f from elsewhere. The
# shell takes the name apart, because make's own functions break it at a space.
export MAKEFILE := $(MAKEFILE_LIST)
unexport MAKEFILES RECORD
HERE = cd "$$(dirname "$${MAKEFILE\# }")"

# Two programs at once would spoil each other's times, so -j is not obeyed.
.NOTPARALLEL:

.PHONY: help series test ptx check-ptx env doctor clean
.PHONY: ep01 ep02 ep03 ep04
.PHONY: count-ep01 count-ep02 count-ep03 count-ep04
.PHONY: time-ep01 time-ep02 time-ep03 time-ep04
.PHONY: diff-ep02 diff-ep03 diff-ep04
.PHONY: ncu-ep01 ncu-ep02 ncu-ep03 ncu-ep04
.PHONY: record chart pictures docs

# The lines with two hashes are what plain make prints.
help:
	@$(HERE) && sed -n 's/^## //p' Makefile

## make ep01 … ep04     run an episode: timed on a GPU where there is one, and counted
ep01 ep02 ep03 ep04:
	@$(HERE) && sh common/build/episode.sh auto $@ $(ARGS)

## make count-ep01 …    count only; no GPU is needed
count-ep01 count-ep02 count-ep03 count-ep04:
	@$(HERE) && sh common/build/episode.sh count $(@:count-%=%) $(ARGS)

## make time-ep01 …     time only; says what is missing where it cannot
time-ep01 time-ep02 time-ep03 time-ep04:
	@$(HERE) && sh common/build/episode.sh time $(@:time-%=%) $(ARGS)

## make series          run all four, then one table of the series
series:
	@$(HERE) && sh common/build/series.sh $(ARGS)

## make diff-ep02 …     what an episode changes: its kernels, main and test
diff-ep02 diff-ep03 diff-ep04:
	@$(HERE) && sh common/build/diff.sh $(@:diff-%=%)

## make ncu-ep01 …      the counts beside Nsight Compute's; needs a GPU and ncu
ncu-ep01 ncu-ep02 ncu-ep03 ncu-ep04:
	@$(HERE) && sh common/build/ncu.sh $(@:ncu-%=%)

## make test            run the tests; no GPU and no CUDA are needed
test:
	@$(HERE) && sh common/build/test.sh

## make doctor          what this machine has, and what make ep01 … will do here
doctor:
	@$(HERE) && sh common/build/doctor.sh

## make env             for go run: eval "$(make -s env)"; cd ep02-coalescing; go run .
env:
	@$(HERE) && sh common/build/env.sh

## make ptx             remake the committed PTX; needs clang 19
ptx:
	@$(HERE) && sh common/build/committed.sh

## make check-ptx       compare the committed PTX with a remake
check-ptx:
	@$(HERE) && sh common/build/committed.sh check

## make record          on a GPU: run the series and keep what it measured in results/
record:
	@$(HERE) && sh common/build/record.sh

## make chart           draw each record of results/
chart:
	@$(HERE) && sh common/build/chart.sh

## make pictures        draw what a warp of each kernel asks of memory
pictures:
	@$(HERE) && sh common/build/pictures.sh

## make docs            rewrite the outputs and numbers that the documents quote
docs:
	@$(HERE) && sh common/build/docs.sh

## make clean           remove what was built
clean:
	@$(HERE) && sh common/build/clean.sh
