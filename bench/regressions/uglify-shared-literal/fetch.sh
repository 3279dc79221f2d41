#!/bin/sh
# Fetches uglify-js 3.3.8 (works) into old/ and 3.3.18 (broken) into new/. Idempotent.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
get() { # VERSION FOLDER
    [ -f "$here/$2/package.json" ] && return 0
    tmp=$(mktemp -d "$here/.fetch.XXXXXX")
    (cd "$tmp" && npm pack --silent "uglify-js@$1" >/dev/null 2>&1)
    rm -rf "${here:?}/$2"; mkdir "$here/$2"
    tar xzf "$tmp"/*.tgz -C "$here/$2" --strip-components 1
    rm -rf "$tmp"
}
get 3.3.8 old
get 3.3.18 new
echo "old:$(grep '"version"' "$here/old/package.json")  new:$(grep '"version"' "$here/new/package.json")"
