#!/bin/sh
# Groups 200 failures of five bugs of toml 0.10.2, and counts pairs. Needs python3, pip, cc and a built reduct:
#   [SEED=N] [LAST_LINE=1] bench/triage/run.sh FOLDER [COUNT] [OPTIONS OF TRIAGE...]
# With LAST_LINE, the test shows no functions, so that two of the bugs say the same.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
root=$(cd "$here/../.." && pwd)
reduct=${REDUCT:-$root/target/release/reduct}
mkdir -p "$1"
cd "$1"
count=${2:-200}
shift
[ $# -eq 0 ] || shift
if [ ! -d toml ]; then
    pip download -q --no-deps toml==0.10.2 -d .
    unzip -q toml-0.10.2-*.whl -d toml
fi
[ -d inputs ] || python3 "$here/make.py" toml "$root" "$PWD/inputs" "$count" "${SEED:-2005}"
cc -O -o test "$here/test.c"
rm -f socket
python3 "$here/server.py" toml "$PWD/socket" &
server=$!
trap 'kill $server' EXIT
while [ ! -S socket ]; do sleep 0.1; done
"$reduct" triage --language toml "$@" inputs -- ./test "$PWD/socket" {}
python3 "$here/count.py" inputs.truth.json inputs/.reduct/triage/triage.json
