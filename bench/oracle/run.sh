#!/bin/sh
# run.sh [FOLDER] [SECONDS]: reduces what fails in gcc, python3 and node without a script, lets `reduct oracle` write the
# script, gives that to C-Vise, and writes the table of ../oracle.md to standard output. C-Vise may take SECONDS (150) for
# each. FOLDER keeps what came out. REDUCT is the program. It needs gcc, python3, node and cvise.
set -eu
reduct=$(realpath "$(command -v "${REDUCT:-reduct}")")
inputs=$(cd "$(dirname "$0")" && pwd)
limit=${2:-150}
[ -z "${1:-}" ] || mkdir -p "$1"
here=$(realpath "${1:-$(mktemp -d)}")

size() { wc -c <"$1" | tr -d ' '; }
last_tests() { sed -n 's/.*[^0-9,]\([0-9,][0-9,]*\) tests.*/\1/p' "$1" | tail -1 | tr -d ,; }
# holds RESULT [SCRIPT]
holds() { (cp "$1" "$work/probe/$file" && cd "$work/probe" && "${2:-$work/test.sh}" && echo yes || echo no) 2>&1 | tail -1; }

# row FILE OPTIONS-OF-C-VISE COMMAND...
row() {
    file=$1 options=$2
    shift 2
    work=$here/${file%.*} kind=${file##*.}
    rm -rf "$work"
    mkdir -p "$work/direct" "$work/script" "$work/cvise" "$work/probe" "$work/tmp"
    for one in direct script cvise; do cp "$inputs/$file" "$work/$one/"; done

    (cd "$work/direct" && "$reduct" --no-cache --plain -o "$work/direct.$kind" "$file" -- "$@") >"$work/direct.log" 2>&1
    (cd "$work/direct" && "$reduct" oracle --plain -q "$file" -- "$@") >"$work/test.sh"
    chmod +x "$work/test.sh"
    : >"$work/empty"
    stands="$(holds "$inputs/$file"), $(holds "$work/empty")"
    (cd "$work/script" && "$reduct" --no-cache --plain -o "$work/script.$kind" "$work/test.sh" "$file") >"$work/script.log" 2>&1

    printf '#!/bin/sh\nprintf x >>%s\nexec %s\n' "'$work/count'" "'$work/test.sh'" >"$work/counted.sh"
    chmod +x "$work/counted.sh"
    began=$(date +%s) ended=
    (cd "$work/cvise" && TMPDIR=$work/tmp timeout -k 5 "$limit" cvise --n 2 $options "$work/counted.sh" "$file") \
        >"$work/cvise.log" 2>&1 || ended=" (stopped)"
    took=$(($(date +%s) - began))
    cp "$work/cvise/$file" "$work/cvise.$kind"

    # The other way round: what reduct reads from the result of C-Vise is to hold for its own.
    cp "$work/cvise.$kind" "$work/probe/$file"
    (cd "$work/probe" && "$reduct" oracle --plain -q "$file" -- "$@") >"$work/back.sh"
    chmod +x "$work/back.sh"
    echo "| \`$*\` | $(size "$inputs/$file") | $stands |" \
        "$(size "$work/direct.$kind"), $(last_tests "$work/direct.log") |" \
        "$(size "$work/script.$kind"), $(last_tests "$work/script.log") |" \
        "$(size "$work/cvise.$kind"), $(size "$work/count"), $took s$ended |" \
        "$(holds "$work/direct.$kind"), $(holds "$work/cvise.$kind") |" \
        "$(holds "$work/direct.$kind" "$work/back.sh") |"
}

echo "| command | input | script on input, empty | reduct | reduct with the script | C-Vise with the script | script on the results of reduct, C-Vise | script of the result of C-Vise on that of reduct |"
echo "|---|--:|---|--:|--:|--:|---|--:|"
row ledger.c "" gcc -O2 -Werror=use-after-free -c {} -o /dev/null
row report.py --not-c python3 {}
row routes.js --not-c node {}
echo "What came out is in $here." >&2
