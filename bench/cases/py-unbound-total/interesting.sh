#!/bin/sh
# 0 iff the program ends with an UnboundLocalError
f=${1:-case.py}
python=/usr/bin/python3
[ -x $python ] || python=python3
said=$(timeout 10 $python -I -S "$f" 2>&1 >/dev/null) && exit 1
case $said in *"UnboundLocalError: "*) exit 0 ;; esac
exit 1
