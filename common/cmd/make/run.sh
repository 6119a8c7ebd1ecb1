#!/bin/sh
# run.sh [TARGET [FLAG...]] builds the Go command of this folder and runs it, in the
# root of the tree. Here is only what comes before there is a Go program: to find a
# go that works, and to keep from it what the shell has set for other work.
set -eu
unset CDPATH
cd "${0%/*}/../../.."
target=${1-}

# die LINE... ends with a message; doctor promises nothing then.
die() {
	printf '%s\n' "$@" >&2
	[ "$target" != doctor ] || echo "make epNN will not run here"
	exit 2
}

command -v go >/dev/null ||
	die "no go command here" "install Go 1.22.4 or newer, https://go.dev/dl, and put its bin folder on PATH" \
		${SUDO_USER:+"sudo has a PATH of its own; to keep yours: sudo env \"PATH=\$PATH\" make $target"}

# GOFLAGS is not empty, or go would take what go env -w has set.
export GOWORK="$PWD/go.work" GOFLAGS=-buildvcs=false GO111MODULE=on CGO_ENABLED=0
case ${GOPATH-/} in [!/]*) unset GOPATH ;; esac # go refuses a relative one

if ! answer=$(go env GOVERSION GOHOSTOS GOHOSTARCH 2>&1); then
	die "$(command -v go) does not start; it says:" "$(printf '%s\n' "$answer" | sed 3q)" \
		"mend that first: go version has to work in this folder"
fi
newline='
'
arch=${answer##*"$newline"} answer=${answer%"$newline"*}
os=${answer##*"$newline"} answer=${answer%"$newline"*}
version=${answer##*"$newline"}
case $version in
go1.21 | go1.21[!0-9]* | go1.22 | go1.22rc* | go1.22.[0-3] | go1.22.[0-3][!0-9]*)
	die "Go is too old here: $version, and GOTOOLCHAIN keeps it from fetching a newer one" \
		"install Go 1.22.4 or newer, https://go.dev/dl, or set GOTOOLCHAIN=auto" ;;
'' | go1.[0-9] | go1.[0-9][!0-9]* | go1.1[0-9] | go1.1[0-9][!0-9]* | go1.20 | go1.20[!0-9]*)
	die "Go is too old here: ${version:-before go1.17}" "install Go 1.22.4 or newer, https://go.dev/dl" ;;
esac

build=${BUILD:-build}
if ! mkdir -p "$build" 2>/dev/null || [ ! -w "$build" ]; then
	die "cannot write to the folder $build" "give make another one: BUILD=/some/folder"
fi
[ ! -t 2 ] || [ -e "$build/make" ] || echo "building what make runs, this once ..." >&2
GOOS=$os GOARCH=$arch go build -o "$build/make" transpose/common/cmd/make || exit 2
[ -x "$build/make" ] ||
	die "$build/make may not be started: its folder may be mounted noexec" "give make another one: BUILD=/some/folder"
exec "$build/make" "$@"
