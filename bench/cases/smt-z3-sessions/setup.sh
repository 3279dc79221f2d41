#!/bin/sh
# Installs z3 4.8.9, and cvc5 1.4.2 to compare with, from PyPI into $BENCH_HOME (a hidden folder in the home folder).
set -e
here=$(cd "$(dirname "$0")" && pwd)
home=${BENCH_HOME:-$HOME/.reduct-bench}
install() {
  [ -x "$home/$1/bin/pip" ] || python3 -m venv "$home/$1"
  "$home/$1/bin/pip" -q install --only-binary :all: "$2"
}
[ -x "$home/z3-4.8.9.0/bin/z3" ] || install z3-4.8.9.0 z3-solver==4.8.9.0
[ -e "$home/cvc5-1.4.2/solve.py" ] || install cvc5-1.4.2 cvc5==1.4.2
cp "$here/solve.py" "$home/cvc5-1.4.2/"
