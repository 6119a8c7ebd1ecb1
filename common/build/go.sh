# The go command, whatever the shell around make has set. Sourced by the
# scripts beside it, which run in the repository's root.

die() {
	printf '%s\n' "$@" >&2
	exit 2
}

# go_setup finds Go and exports what both kinds of program need: the machine's
# own GOOS and GOARCH, and the user's GOFLAGS but for -mod, which a workspace
# does not take. It asks go, which also knows what was set with go env -w.
go_setup() {
	command -v go >/dev/null ||
		die "no go command here" "install Go 1.22.4 or newer, https://go.dev/dl, and put its bin folder on PATH"
	{
		read -r go_version
		read -r GOOS
		read -r GOARCH
		read -r go_cc
		read -r go_flags
	} <<-EOF || true # no line is read where the last are empty
		$(unset GOOS GOARCH; GOWORK=off go env GOVERSION GOHOSTOS GOHOSTARCH CC GOFLAGS)
	EOF
	case $go_version in
	"" | go1.[0-9] | go1.[0-9].* | go1.1[0-9] | go1.1[0-9].* | go1.20 | go1.20.*)
		die "Go is too old here: ${go_version:-before go1.17}" "install Go 1.22.4 or newer, https://go.dev/dl" ;;
	esac

	# Never empty, or go would take what go env -w has set. No version stamp: git
	# refuses to give one in a checkout that belongs to another user.
	GOFLAGS='-mod=readonly -buildvcs=false'
	set -f
	for flag in $go_flags; do
		case $flag in
		-mod=* | --mod=* | -modfile=* | --modfile=* | -buildvcs=*) ;;
		*) GOFLAGS="$GOFLAGS $flag" ;;
		esac
	done
	set +f
	GO111MODULE=on
	export GOOS GOARCH GOFLAGS GO111MODULE
}

# go_count chooses the emulator: pure Go, no C compiler.
go_count() {
	GOWORK=$PWD/go.work CGO_ENABLED=0
	export GOWORK CGO_ENABLED
}

# go_time chooses the NVIDIA driver, with what cuda_find has found. The linker
# gets the very library that the program will load, by a link under the name it
# looks for, as not every driver comes with one; a toolkit's stubs folder is
# never named. An rpath is needed only where the loader does not look by itself.
go_time() {
	{ mkdir -p "$BUILD/lib" && ln -sf "$libcuda" "$BUILD/lib/libcuda.so"; } || die_build
	lib=$(cd "$BUILD/lib" && pwd)

	GOWORK=$PWD/common/cuda/go.work CGO_ENABLED=1 CC=$cc GOFLAGS="$GOFLAGS -tags=cuda"
	CGO_CFLAGS="\"-I$PWD/common/cuda/include\" \"-I$cuda_include\" ${CGO_CFLAGS-}"
	CGO_LDFLAGS="\"-L$lib\"${libcuda_rpath:+ \"-Wl,-rpath,$libcuda_rpath\"} ${CGO_LDFLAGS-}"
	export GOWORK CGO_ENABLED CC GOFLAGS CGO_CFLAGS CGO_LDFLAGS
}

die_build() {
	die "cannot write to the folder $BUILD" "give make another one: BUILD=/some/folder"
}

# same_ptx EPISODE gives the counting program the PTX that the timing one runs.
same_ptx() {
	rm -f "$BUILD/count/$1.ptx"
	[ ! -f "$BUILD/$1.ptx" ] || cp "$BUILD/$1.ptx" "$BUILD/count/$1.ptx"
}
