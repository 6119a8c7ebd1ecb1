#!/bin/sh
# test.sh runs the tests of every module, with the emulator: no CUDA needed.
set -eu
. common/build/go.sh
. common/build/hash.sh

# go test keeps a result until a file of the test's own module changes. A test
# that reads farther, the Makefile or another module, asks for this variable.
TREE_SHA256=$(cat Makefile go.work README.md ep0*/* ep0*/pictures/* results/* 2>/dev/null | cu_hash /dev/stdin)
export TREE_SHA256

go_setup
go_count
modules=$(go list -m)
# shellcheck disable=SC2046,SC2086 # one word a module: their names have no spaces
go test $(printf '%s/...\n' $modules)
