#!/bin/sh
# Installs z3 4.12.2, and 4.8.9 to compare with, from PyPI into $BENCH_HOME (a hidden folder in the home folder).
set -e
for version in 4.12.2.0 4.8.9.0; do
  folder=${BENCH_HOME:-$HOME/.reduct-bench}/z3-$version
  [ -x "$folder/bin/z3" ] && continue
  [ -x "$folder/bin/pip" ] || python3 -m venv "$folder"
  "$folder/bin/pip" -q install --only-binary :all: "z3-solver==$version"
done
