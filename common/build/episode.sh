#!/bin/sh
# episode.sh KIND EPISODE [FLAG...] builds and runs an episode's program. KIND
# is time, count, or auto: both where the machine can time, else count. The exit
# status is the program's: of two, the first that is not 0.
set -eu
. common/build/go.sh
. common/build/cuda.sh

kind=$1 episode=$2
shift 2
folder=$(echo "$episode"-*)
record=${RECORD:+$RECORD/$episode}
if ! mkdir -p "$BUILD/count" || [ ! -w "$BUILD" ]; then die_build; fi
go_setup

# run PROGRAM FLAG... builds PROGRAM for the workspace chosen, and runs it.
run() {
	program=$1
	shift
	go build -o "$program" "transpose/$folder" || exit 2
	"$program" "$@"
}

# compile PROGRAM compiles the kernel for PROGRAM. If it does not compile, there is
# no PROGRAM either: an old one would answer for the kernel before.
compile() {
	sh common/build/ptx.sh "$folder" "$1.ptx" || {
		status=$?
		rm -f "$1" "$1.ptx"
		exit $status
	}
}

# count PROGRAM WHY FLAG... counts; WHY says why nothing was timed.
count() {
	program=$1 why=$2
	shift 2
	go_count
	run "$program" -why "$why" ${record:+-record "$record-count.txt"} "$@"
}

if [ "$kind" = count ]; then
	compile "$BUILD/count/$episode"
	count "$BUILD/count/$episode" "make count-$episode" "$@"
	exit
fi

cuda_find
[ "$kind" = auto ] || [ -z "$missing" ] || die "nothing can be timed: $missing here" "$advice"
compile "$BUILD/$episode"
if [ -n "$missing" ]; then
	count "$BUILD/$episode" "$missing here" "$@"
	exit
fi

status=0
(go_time && run "$BUILD/$episode" ${record:+-record "$record.txt"} "$@") || status=$?
# After a wrong result the emulator may name the fault; a machine at fault says it all.
if [ "$kind" = time ] || [ $status -ge 2 ]; then exit $status; fi
same_ptx "$episode"
counted=0
count "$BUILD/count/$episode" '' "$@" || counted=$?
[ $status -ne 0 ] || status=$counted
exit $status
