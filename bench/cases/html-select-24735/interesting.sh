#!/bin/sh
# 0 iff printing the page crashes the fake browser with the SELECT fault
f=${1:-query.html}
python=/usr/bin/python3
[ -x $python ] || python=python3
err=$(timeout 10 $python -I -S "$(dirname "$0")/fakebrowser.py" "$f" 2>&1 >/dev/null)
[ $? -eq 139 ] || exit 1
case $err in *"nsSelectFrame::Reflow: no frame for print context"*) exit 0 ;; esac
exit 1
