#!/bin/sh
# diff.sh EPISODE shows what an episode changes: its kernels, its main and its
# test against those of the episode before.
set -eu
. common/build/go.sh

after=$(echo "$1"-*)
before=
for folder in ep0*-*; do
	[ "$folder" != "$after" ] || break
	before=$folder
done
[ -n "$before" ] || die "$1 is the first episode: there is none before it"
for file in transpose.cu main.go main_test.go; do
	diff -u -L "$before/$file" -L "$after/$file" "$before/$file" "$after/$file" || [ $? -eq 1 ] || exit 2
done
