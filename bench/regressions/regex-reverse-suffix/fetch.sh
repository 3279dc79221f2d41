#!/bin/sh
# Fetches regex-automata 0.3.9 (works; regex 1.9.6) into old/ and 0.4.2 (broken; regex 1.10.1) into new/,
# and the crates they depend on into vendor/, with cargo itself. Idempotent.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
if [ ! -d "$here/vendor" ] || [ ! -d "$here/old/src" ] || [ ! -d "$here/new/src" ]; then
    tmp=$(mktemp -d "$here/.fetch.XXXXXX")
    mkdir "$tmp/src"; : >"$tmp/src/lib.rs"
    cat >"$tmp/Cargo.toml" <<'T'
[package]
name = "fetch"
version = "0.0.0"
edition = "2021"
[dependencies]
old = { package = "regex-automata", version = "=0.3.9" }
new = { package = "regex-automata", version = "=0.4.2" }
regex-syntax = "=0.8.5"
memchr = "=2.7.4"
aho-corasick = "=1.1.3"
[workspace]
T
    (cd "$tmp" && cargo vendor --quiet --versioned-dirs vendor >/dev/null)
    rm -rf "$here/old" "$here/new" "$here/vendor"
    mv "$tmp/vendor/regex-automata-0.3.9" "$here/old"
    mv "$tmp/vendor/regex-automata-0.4.2" "$here/new"
    rm -f "$here"/old/.cargo-checksum.json "$here"/new/.cargo-checksum.json
    mv "$tmp/vendor" "$here/vendor"
    rm -rf "$tmp"
fi
echo "old: $(grep -m1 '^version' "$here/old/Cargo.toml")  new: $(grep -m1 '^version' "$here/new/Cargo.toml")"
