#!/bin/sh
# run.sh [FOLDER]: fetches old programs from Debian 12 as they are (nothing is installed), fuzzes each from a fixed
# seed, and writes a table to standard output: what was found, how large it was made and reduced, after how many trials
# and tests. FOLDER keeps packages and findings. REDUCT is the program.
set -eu
reduct=$(command -v "${REDUCT:-reduct}")
reduct=$(realpath "$reduct")
here=$(realpath "${1:-$(mktemp -d)}")
mkdir -p "$here/packages" "$here/unpacked"
cd "$here/packages"
for package in cproto jgraph pcal plotutils libplot2c2 sc; do
    set -- "$package"_*.deb
    [ -e "$1" ] || apt-get download -q "$package" >&2
    dpkg -x "$package"_*.deb "$here/unpacked"
done
cd "$here"
bin=$here/unpacked/usr/bin
LD_LIBRARY_PATH=$here/unpacked/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH 2>/dev/null || echo x86_64-linux-gnu)
export LD_LIBRARY_PATH TERM=vt100

echo "| program | failure | found by | trial | input | reduced | tests | seen |"
echo "|---|---|---|--:|--:|--:|--:|--:|"
# try NAME TRIALS OPTIONS -- COMMAND
try() {
    name=$1 trials=$2
    shift 2
    "$reduct" fuzz --force --quiet --seed 0 --tests "$trials" --findings 1 --timeout 10s --reduce-time 5m --out "out-$name" "$@" >&2
    sed -n 's/.*"failure":"\([^"]*\)".*"generator":"\([^"]*\)","trial":\([0-9]*\),"bytes":\([0-9]*\),"reduced":\([0-9]*\),"tests":\([0-9]*\),"seen":\([0-9]*\).*/\1 | \2 | \3 | \4 | \5 | \6 | \7/p' "out-$name/findings.jsonl" |
        sed "s/^/| $name | /; s/$/ |/"
}
try cproto 100 --name a.c -- "$bin/cproto" {}
try jgraph 100 -- "$bin/jgraph"
try pcal 100 --name a.cal -- "$bin/pcal" -f {}
try pcal-bytes 100 --generators random --name a.cal -- "$bin/pcal" -f {}
try plot 500 -- "$bin/plot" -T ps
try sc 100 --name a.sc -- "$bin/sc" -q {}
