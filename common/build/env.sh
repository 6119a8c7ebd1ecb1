#!/bin/sh
# env.sh prints, for the shell, the environment in which go build and go run in
# an episode's folder make the program that make would. Without a GPU nothing needs
# to be set.
set -eu
. common/build/go.sh
. common/build/cuda.sh

# line NAME VALUE prints an assignment that any shell like sh reads back.
line() { printf "export %s='%s'\n" "$1" "$(printf '%s' "$2" | sed "s/'/'\\\\''/g")"; }

go_setup
cuda_find
if [ -z "$missing" ]; then
	go_time
	line CC "$CC"
	line CGO_CFLAGS "$CGO_CFLAGS"
	line CGO_LDFLAGS "$CGO_LDFLAGS"
else
	go_count
fi
line CGO_ENABLED "$CGO_ENABLED"
line GOWORK "$GOWORK"
line GOFLAGS "$GOFLAGS"
line GOOS "$GOOS"
line GOARCH "$GOARCH"
line GO111MODULE "$GO111MODULE"
