#!/bin/sh
# In a folder holding one version of mawk: does a "0x.." string count as the hexadecimal number?
# 0 = works, 1 = ThomasDickey/original-mawk issue 87, 125 = cannot tell (does not build).
# Builds in ./build only, from copies made when the content differs, so that the times of the files do not matter.
set -u
mkdir -p build/man && cd build || exit 125
cannot_tell() { echo "cannot tell: $*"; exit 125; }

changed=
for f in ../*.c ../*.h ../*.in ../*.sh ../*.w ../parse.y ../configure ../config.guess ../config.sub ../man/*; do
    [ -f "$f" ] || continue
    mine=${f#../}
    cmp -s "$f" "$mine" || { cp "$f" "$mine"; chmod u+rwx "$mine"; changed="$changed $mine"; }
done
for f in *.c *.h *.in; do # a file that is no longer there, unless the build made it
    case $f in config.h | makebits.h | parse.h | scancode.c) continue ;; esac
    [ -f "../$f" ] || { rm -f "$f"; changed="$changed $f"; }
done
case $changed in
*.in* | *configure*) rm -f Makefile ;;
esac
case $changed in
*.h*) rm -f *.o ;;
esac
touch -t 200001010000 parse.y *.w 2>/dev/null # what is made of these comes with the release: no yacc here
if [ ! -f Makefile ]; then
    rm -f *.o config.h
    CFLAGS=-O0 timeout 120 ./configure --quiet >configure.log 2>&1 || cannot_tell "configure"
fi
rm -f mawk
timeout 200 make mawk >make.log 2>&1 || cannot_tell "$(grep -m1 ' error: \|undefined reference\|\*\*\*' make.log)"
[ "$(timeout 5 ./mawk 'BEGIN { print 6 * 7, substr("mawk", 2), length("0x1F") }' </dev/null)" = "42 awk 4" ] || cannot_tell "it is no awk"
saw=$(echo "eth0 00000000 010011AC" | timeout 5 ./mawk '{ printf("%d.%d.%d.%d\n", "0x" substr($3, 7, 2),
    "0x" substr($3, 5, 2), "0x" substr($3, 3, 2), "0x" substr($3, 1, 2)) }' 2>&1)
echo "prints: $saw"
case $saw in 172.17.0.1) exit 0 ;; 0.0.0.0) exit 1 ;; *) exit 125 ;; esac
