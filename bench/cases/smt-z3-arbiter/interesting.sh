#!/bin/sh
# 0 iff z3 4.12.2 says unsat where z3 4.8.9 says sat, both of them without an error
f=${1:-case.smt2}
B=${BENCH_HOME:-$HOME/.reduct-bench}
[ "$(timeout 10 "$B/z3-4.12.2.0/bin/z3" "$f" 2>&1)" = unsat ] || exit 1
[ "$(timeout 10 "$B/z3-4.8.9.0/bin/z3" "$f" 2>&1)" = sat ]
