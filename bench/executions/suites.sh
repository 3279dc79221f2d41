#!/usr/bin/env bash
# usage: suites.sh FOLDER : runs suites of released packages in JavaScript, and programs on modules that come with Perl (suites/), as they are and
# under the whole plan, and says whether output and exit status are the same. `reduct` is the one in the search path.
set -eu
suites=$(dirname "$(readlink -f "$0")")/suites
mkdir -p "$1" && cd "$1"

# Times of the day and addresses differ from run to run.
same_each_time() { sed -E 's/[0-9]{2}:[0-9]{2}:[0-9]{2}/TIME/g; s/CODE\(0x[0-9a-f]+\)/CODE/g' "$1"; }

compared() { # name, options, program
    local name=$1 only=$2 plain=0 under=0
    shift 2
    "$@" >plain.out 2>plain.err </dev/null || plain=$?
    reduct trace --force --fails-if exit=$plain $only -o plan.txt --tests 1 -- "$@" >trace.out 2>trace.err </dev/null || true
    reduct step plan.txt $only -- "$@" >step.out 2>step.err </dev/null || under=$?
    local same=the\ same
    for stream in out err; do
        cmp -s <(same_each_time plain.$stream) <(same_each_time step.$stream) || same=OTHERWISE
    done
    [ $plain = $under ] || same=OTHERWISE
    echo "$name: $(wc -l <plain.out) lines, status $plain; $(grep -o 'Recorded: .* in [0-9]* files*' trace.err || grep '×' trace.err): $same"
}

printf '{"name":"suites","version":"1.0.0"}' >package.json
npm install --silent --no-audit --no-fund --ignore-scripts minimist@1.2.8 qs@6.17.1 call-bind@1.0.9 get-intrinsic@1.3.1 es-to-primitive@1.3.4 is-regex@1.2.1 \
    function.prototype.name@1.2.0 semver@7.8.6 picomatch@4.0.7 acorn@8.19.0 handlebars@4.7.10 underscore@1.13.8 iconv-lite@0.7.3 marked@4.3.0 ms once tape es-value-fixtures \
    has-override-mistake has-strict-mode make-arrow-function make-generator-function make-async-function make-async-generator-function \
    mock-property
cd node_modules
for package in minimist qs call-bind get-intrinsic es-to-primitive is-regex function.prototype.name; do
    case $package in minimist) tests='*' ;; qs) tests='[psu]*' ;; get-intrinsic) tests='GetIntrinsic' ;; *) tests='index' ;; esac
    (cd $package && for file in test/$tests.js; do echo "require('./$file');"; done >all-tests.js && compared $package '--only .' node all-tests.js)
done
for package in semver picomatch acorn handlebars underscore iconv-lite marked; do
    (cd $package && cp "$suites/$package.js" drive.cjs && compared $package '--only .' node drive.cjs)
done
cd ..
modules=$(perl -e 'print join " ", map { "--only $_" } grep { m{^/usr/(share|lib).*perl(/5[.0-9]*|-base)$} && -d } @INC')
for program in "$suites"/*.pl; do
    cp "$program" . && compared "$(basename "$program")" "--only . $modules" perl "$(basename "$program")"
done
