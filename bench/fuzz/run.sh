#!/bin/sh
# run.sh [FOLDER]: fetches old programs from Debian 12 and PyPI as they are (nothing is installed), fuzzes each from a
# fixed seed, and writes the table of ../fuzz.md to standard output: what was found, by which generator, in which trial,
# how large it was made and reduced, in how many tests. FOLDER keeps packages and findings. REDUCT is the program. It
# needs apt-get with the lists of Debian 12, dpkg, python3 with pip, gdb.
set -eu
reduct=$(realpath "$(command -v "${REDUCT:-reduct}")")
here=$(realpath "${1:-$(mktemp -d)}")
mkdir -p "$here/packages" "$here/unpacked" "$here/python"
cd "$here/packages"
for package in bwbasic cproto jgraph pcal plotutils libplot2c2 sc; do
    set -- "$package"_*.deb
    [ -e "$1" ] || apt-get download -q "$package" >&2
    dpkg -x "$package"_*.deb "$here/unpacked"
done
[ -d "$here/python/markdown" ] || python3 -m pip install -q --no-deps --target "$here/python" Markdown==2.6.11 >&2
cd "$here"
bin=$here/unpacked/usr/bin
LD_LIBRARY_PATH=$here/unpacked/usr/lib/$(dpkg-architecture -qDEB_HOST_MULTIARCH 2>/dev/null || echo x86_64-linux-gnu)
PYTHONPATH=$here/python
export LD_LIBRARY_PATH PYTHONPATH TERM=vt100

echo "| program | failure | found by | trial | input | reduced | tests |"
echo "|---|---|---|--:|--:|--:|--:|"
# Whatever the version of a format: an index is read by its names.
rows='
import json, sys
for line in open(sys.argv[1] + "/findings.jsonl"):
    it = json.loads(line)
    sizes = [it[key] if it[key] is not None else it["standing"] for key in ("bytes", "reduced", "tests")]
    sizes = [f"{size:,}" if isinstance(size, int) else size for size in sizes]
    print("|", " | ".join([sys.argv[2], it["failure"], it["generator"], str(it["trial"]), *sizes]), "|")
'
# try NAME TRIALS OPTIONS -- COMMAND
try() {
    name=$1 trials=$2
    shift 2
    "$reduct" fuzz --force --quiet --seed 0 --tests "$trials" --findings 1 --timeout 10s --reduce-time 5m --out "out-$name" "$@" >&2
    python3 -c "$rows" "out-$name" "$name"
}
try bwbasic 100 --name a.bas -- "$bin/bwbasic" {}
try cproto 100 --name a.c -- "$bin/cproto" {}
try jgraph 100 -- "$bin/jgraph"
try markdown 100 --generators 8bit --name a.md -- python3 -m markdown {}
try pcal 100 --name a.cal -- "$bin/pcal" -f {}
try pcal-bytes 100 --generators random --name a.cal -- "$bin/pcal" -f {}
try plot 500 -- "$bin/plot" -T ps
try sc 100 --name a.sc -- "$bin/sc" -q {}
