#!/bin/sh
# series.sh [FLAG...] runs the four episodes, stops at one that fails, and closes
# with one table of them all.
set -eu
. common/build/go.sh

export RECORD="$BUILD/record"
mkdir -p "$RECORD" || die_build
rm -f "$RECORD"/*.txt
for episode in ep01 ep02 ep03 ep04; do
	sh common/build/episode.sh auto "$episode" "$@"
	echo
done
go_setup
go_count
go build -o "$BUILD/series" transpose/common/cmd/series || exit 2
"$BUILD/series" "$RECORD"/*.txt
