#!/bin/sh
# Fetches mawk 1.3.4-20200120 (bookworm; works) into old/ and 1.3.4-20250131 (trixie; broken) into new/ with apt,
# which keeps its lists in this folder and leaves the system's alone. Idempotent.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
[ -f "$here/old/scan.c" ] && [ -f "$here/new/scan.c" ] && exit 0
tmp=$(mktemp -d "$here/.fetch.XXXXXX")
cd "$tmp"
mkdir -p lists/partial cache/archives/partial
for s in bookworm trixie; do
    echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian $s main"
done >sources.list
apt="apt-get -qq -o Dir::Etc::SourceList=$tmp/sources.list -o Dir::Etc::SourceParts=/dev/null
    -o Dir::State::Lists=$tmp/lists -o Dir::Cache=$tmp/cache -o APT::Sandbox::User=root"
$apt update
get() { # DEBIAN_VERSION FOLDER
    $apt source --download-only --tar-only "mawk=$1"
    rm -rf "${here:?}/$2"; mkdir "$here/$2"
    tar xzf "mawk_${1%-*}.orig.tar.gz" -C "$here/$2" --strip-components 1
}
get 1.3.4.20200120-3.1 old
get 1.3.4.20250131-1 new
cd "$here"
rm -rf "$tmp"
echo "old: $(grep DATE_STRING old/patchlev.h)  new: $(grep DATE_STRING new/patchlev.h)"
