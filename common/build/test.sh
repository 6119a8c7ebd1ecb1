#!/bin/sh
# test.sh runs the tests of every module, with the emulator: no CUDA needed.
set -eu
. common/build/go.sh

go_setup
go_count
modules=$(go list -m)
# shellcheck disable=SC2046,SC2086 # one word a module: their names have no spaces
go test $(printf '%s/...\n' $modules)
