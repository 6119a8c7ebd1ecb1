#!/bin/sh
# Gradescope runs this once, when it makes the image: it installs Go and clang.
set -eu
apt-get update
apt-get install -y --no-install-recommends clang make curl ca-certificates python3
if ! command -v go >/dev/null; then
	curl -fsSL "https://go.dev/dl/go1.26.0.linux-$(dpkg --print-architecture).tar.gz" | tar xz -C /usr/local
	ln -sf /usr/local/go/bin/go /usr/local/bin/go
fi
