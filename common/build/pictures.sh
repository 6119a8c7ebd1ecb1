#!/bin/sh
# pictures.sh draws the accesses of each kernel, epNN-*/pictures/KERNEL.svg.
set -eu
. common/build/go.sh

go_setup
go_count
go run transpose/common/cmd/pictures
