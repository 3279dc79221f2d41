#!/bin/sh
# Fetches Markdown 3.2.2 (works) into old/ and 3.4.3 (broken) into new/. Idempotent.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
get() { # VERSION FOLDER
    [ -d "$here/$2/markdown" ] && return 0
    tmp=$(mktemp -d "$here/.fetch.XXXXXX")
    pip download -q --no-deps --no-binary :all: "markdown==$1" -d "$tmp"
    rm -rf "${here:?}/$2"; mkdir "$here/$2"
    tar xzf "$tmp"/*.tar.gz -C "$here/$2" --strip-components 1
    rm -rf "$tmp"
}
get 3.2.2 old
get 3.4.3 new
echo "old: $(grep -m1 ^Version "$here/old/PKG-INFO")  new: $(grep -m1 ^Version "$here/new/PKG-INFO")"
