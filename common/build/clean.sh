#!/bin/sh
# clean.sh removes what make has built, and nothing else that the folder holds.
set -eu

cd "$BUILD" 2>/dev/null || exit 0
rm -rf ep0[1-4] ep0[1-4].ptx ep0[1-4].ptx.new.* ep0[1-4].ptx.log.* chart count lib ncu record record.log series
rmdir "$PWD" 2>/dev/null || true
