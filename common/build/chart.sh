#!/bin/sh
# chart.sh draws results/CARD.svg from each results/CARD.bench. The first time it
# downloads what it draws with: the chart is a module of its own.
set -eu
. common/build/go.sh

mkdir -p "$BUILD" || die_build
chart=$(cd "$BUILD" && pwd)/chart
go_setup
(cd results/chart && GOWORK=off go build -o "$chart" .)
"$chart" results
