#!/bin/sh
# run.sh [CASE...]: what `reduct changes` makes of each case (of all, if none is named), as a table on the standard output.
# REDUCT is the program, TIME how long a case may take, FLAGS what else reduct is given, such as `-j 2`.
set -eu
cd "$(dirname "$0")"
reduct=${REDUCT:-reduct}
case $reduct in
/*) ;;
*/*) reduct=$OLDPWD/$reduct ;;
esac
[ $# -gt 0 ] || set -- markdown-toc-escape sqlparse-split uglify-shared-literal regex-reverse-suffix mawk-hex

failed=0
echo "| case | files | hunks | changed lines | tests | to there | runs | unresolved | found, in the version that fails |"
echo "|---|--:|--:|--:|--:|--:|--:|--:|---|"
for case; do
    (
        cd "$case" && ./fetch.sh >&2 || exit 1
        rm -rf .reduct # a former run knows outcomes, and they would not be counted
        out=.reduct/bench
        mkdir -p $out
        # A stop at the limit is a result too; if there is none at all, row.py says so.
        # shellcheck disable=SC2086 # several flags
        "$reduct" changes --time "${TIME:-10m}" --events $out/events --out $out/answer ${FLAGS:-} old new -- ./test.sh >&2 || true
        python3 ../row.py "$case" old new $out
    ) || failed=1
done
exit $failed
