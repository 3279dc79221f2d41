#!/bin/sh
# 0 iff z3 4.8.9 gives up, as its theory of sequences is incomplete, and cvc5 1.4.2 says sat
f=${1:-case.smt2}
B=${BENCH_HOME:-$HOME/.reduct-bench}
said=$(timeout 10 "$B/z3-4.8.9.0/bin/z3" "$f" 2>&1)
case $said in unknown*"(incomplete (theory seq))"*) ;; *) exit 1 ;; esac
case $said in *"(error "*) exit 1 ;; esac
[ "$(timeout 10 "$B/cvc5-1.4.2/bin/python" -I "$B/cvc5-1.4.2/solve.py" "$f" 2>/dev/null)" = sat ]
