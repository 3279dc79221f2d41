#!/bin/sh
# 0 iff the file compiles, and the compiler warns of a division by zero
f=${1:-case.c}
said=$(timeout 10 cc -std=c99 -fsyntax-only "$f" 2>&1) || exit 1
case $said in *"division by zero"*) exit 0 ;; esac
exit 1
