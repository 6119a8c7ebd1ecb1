#!/bin/sh
# docs.sh [FLAG...] rewrites what the documents quote: outputs, counts, times.
set -eu
. common/build/go.sh

go_setup
go_count
go run transpose/common/cmd/docs "$@"
