#!/bin/sh
# zip.sh EPISODE makes autograder.zip for Gradescope, of the checkout that it lies in.
set -eu
episode=${1:?give an episode, such as ep03}
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cp "$here/setup.sh" "$here/run_autograder" "$here/results.py" "$work/"
echo "$episode" >"$work/episode"
mkdir "$work/transpose"
(cd "$root" && git archive HEAD) | tar xf - -C "$work/transpose"
(cd "$work" && python3 -m zipfile -c "$OLDPWD/autograder.zip" ./*)
echo "written: autograder.zip, for $episode"
