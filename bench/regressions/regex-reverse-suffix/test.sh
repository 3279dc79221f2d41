#!/bin/sh
# In a folder holding one version of regex-automata: is the leftmost match found?
# 0 = works, 1 = rust-lang/regex issue 1110, 125 = cannot tell (does not build).
# Builds in ./target only; vendor/ beside this script is only read.
set -u
here=$(cd "$(dirname "$0")" && pwd)
probe=target/probe
mkdir -p $probe/src
[ -f $probe/Cargo.toml ] || cat >$probe/Cargo.toml <<'T'
[package]
name = "probe"
version = "0.0.0"
edition = "2021"
[dependencies.regex-automata]
path = "../.."
default-features = false
features = ["std", "syntax", "meta", "nfa-pikevm", "hybrid", "perf-literal"]
[profile.dev]
debug = false
[workspace]
T
[ -f $probe/src/main.rs ] || cat >$probe/src/main.rs <<'R'
fn main() {
    let re = regex_automata::meta::Regex::new(r"(\\N\{[^}]+})|([{}])").unwrap();
    let found: Vec<_> = re.find_iter(r"hiya \N{snowman} bye").map(|m| m.range()).collect();
    println!("found {found:?}");
    std::process::exit(if found == [5..16] { 0 } else if found == [7..8, 15..16] { 1 } else { 125 });
}
R
export CARGO_HOME="$PWD/target/home" CARGO_TARGET_DIR="$PWD/target"
# Not --locked: 0.3 and 0.4 want another regex-syntax, and both are in vendor/.
# Cargo goes by the times of files, and who puts an older file back may keep its old time: always compile this crate.
rm -rf target/debug/.fingerprint/regex-automata-*
if ! timeout 280 cargo build --quiet --offline --manifest-path $probe/Cargo.toml \
    --config 'source.crates-io.replace-with="vendored"' \
    --config "source.vendored.directory=\"$here/vendor\"" >target/build.log 2>&1; then
    echo "cannot tell: $(grep -m1 '^error' target/build.log)"
    exit 125
fi
timeout 20 target/debug/probe
status=$?
case $status in 0 | 1) exit $status ;; *) echo "cannot tell: exit $status"; exit 125 ;; esac
