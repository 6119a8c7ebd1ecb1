# The SHA-256 that ties a PTX to the transpose.cu it was made from. Sourced by
# the scripts beside it.

command -v sha256sum >/dev/null || command -v shasum >/dev/null || command -v openssl >/dev/null ||
	die "no sha256sum, shasum or openssl here" "install one of them: it tells an edited kernel from the committed one"

# cu_hash FILE prints the SHA-256 of FILE, with whichever tool is here.
cu_hash() {
	if command -v sha256sum >/dev/null; then
		sha256sum <"$1"
	elif command -v shasum >/dev/null; then
		shasum -a 256 <"$1"
	else
		openssl dgst -sha256 -r <"$1"
	fi | cut -d ' ' -f 1
}

# hash_line FILE prints the comment that a PTX made from FILE begins with.
hash_line() { printf '// transpose.cu SHA-256: %s\n' "$(cu_hash "$1")"; }
