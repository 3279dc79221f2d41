#!/bin/sh
# Fetches sqlparse 0.4.4 (works) into old/ and 0.5.4 (broken) into new/. Idempotent.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
get() { # VERSION FOLDER
    [ -d "$here/$2/sqlparse" ] && return 0
    tmp=$(mktemp -d "$here/.fetch.XXXXXX")
    pip download -q --no-deps --no-binary :all: "sqlparse==$1" -d "$tmp"
    rm -rf "${here:?}/$2"; mkdir "$here/$2"
    tar xzf "$tmp"/*.tar.gz -C "$here/$2" --strip-components 1
    rm -rf "$tmp"
}
get 0.4.4 old
get 0.5.4 new
echo "old: $(grep -m1 ^Version "$here/old/PKG-INFO")  new: $(grep -m1 ^Version "$here/new/PKG-INFO")"
