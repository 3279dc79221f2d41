#!/bin/sh
# Groups 64 failing programs, which meet eight bugs put into Lua 5.4.4 under AddressSanitizer, and counts pairs. Needs apt
# and Debian's keyring (the system's own lists of packages stay as they are), cc with ASan, python3 and a built reduct:
#   [SEED=N] bench/triage/lua/run.sh FOLDER [COUNT] [OPTIONS OF TRIAGE...]
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../../.." && pwd)
reduct=${REDUCT:-$root/target/release/reduct}
mkdir -p "$1"
cd "$1"
count=${2:-64}
shift
[ $# -eq 0 ] || shift
if [ ! -x lua ]; then
    mkdir -p apt/lists/partial apt/cache/archives/partial
    echo "deb-src [signed-by=/usr/share/keyrings/debian-archive-keyring.gpg] http://deb.debian.org/debian bookworm main" >apt/sources.list
    apt="apt-get -qq -o Dir::Etc::SourceList=$PWD/apt/sources.list -o Dir::Etc::SourceParts=/dev/null
        -o Dir::State::Lists=$PWD/apt/lists -o Dir::Cache=$PWD/apt/cache -o APT::Sandbox::User=root"
    $apt update
    $apt source --download-only --tar-only lua5.4
    rm -rf lua-5.4.4
    tar xzf lua5.4_5.4.4.orig.tar.gz
    python3 "$here/bugs.py" lua-5.4.4/src
    rm lua-5.4.4/src/luac.c
    cc -O1 -g -fsanitize=address -DLUA_USE_POSIX -o lua lua-5.4.4/src/*.c -lm
fi
[ -d inputs ] || python3 "$here/make.py" ./lua inputs "$count" "${SEED:-54}"
ASAN_OPTIONS=detect_leaks=0 "$reduct" triage "$@" inputs -- ./lua {}
python3 "$here/../count.py" inputs.truth.json inputs/.reduct/triage/triage.json
