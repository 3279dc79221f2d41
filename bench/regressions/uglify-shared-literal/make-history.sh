#!/bin/sh
# Makes history/, a git repository with one commit for each of uglify-js 3.3.8 ... 3.3.18, tagged v3.3.8 ... v3.3.18.
# Idempotent. 3.3.15 is the last that works, 3.3.16 the first that is broken.
set -eu
here=$(cd "$(dirname "$0")" && pwd)
[ -d "$here/history/.git" ] && exit 0
rm -rf "$here/history.new"; mkdir "$here/history.new"; cd "$here/history.new"
git init -q -b main .
tmp=$(mktemp -d "$here/.fetch.XXXXXX")
n=0
for v in 3.3.8 3.3.9 3.3.10 3.3.11 3.3.12 3.3.13 3.3.14 3.3.15 3.3.16 3.3.17 3.3.18; do
    (cd "$tmp" && npm pack --silent "uglify-js@$v" >/dev/null 2>&1)
    git rm -rqf --ignore-unmatch . >/dev/null
    tar xzf "$tmp/uglify-js-$v.tgz" --strip-components 1
    git add -A -f .
    n=$((n + 1))
    date="2018-01-01T00:00:$(printf %02d $n)Z"
    GIT_AUTHOR_DATE=$date GIT_COMMITTER_DATE=$date git -c user.name=release -c user.email=release@example.invalid \
        -c commit.gpgsign=false commit -qm "uglify-js $v"
    git tag "v$v"
done
rm -rf "$tmp"
mv "$here/history.new" "$here/history"
git -C "$here/history" log --oneline
