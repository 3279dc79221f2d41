#!/bin/sh
# Makes a small repository with a regression: `sh make.sh FOLDER`. A calculator in C, 30 commits; version 1.0 works, `main` does not.
set -eu
mkdir "$1"
cd "$1"
git init -q -b main .
git config user.name "Ann Author"
git config user.email ann@example.org
git config commit.gpgsign false
day=1
commit() {
    git add -A
    GIT_AUTHOR_DATE="2026-01-$(printf %02d $day)T12:00:00Z" GIT_COMMITTER_DATE="2026-01-$(printf %02d $day)T12:00:00Z" \
        git commit -q -m "$1"
    day=$((day + 1))
}

cat >stats.h <<'END'
double sum(const double *values, int count);
double mean(const double *values, int count);
double largest(const double *values, int count);
END
cat >stats.c <<'END'
#include "stats.h"

double sum(const double *values, int count) {
    double total = 0;
    for (int i = 0; i < count; i++)
        total += values[i];
    return total;
}

double mean(const double *values, int count) {
    return sum(values, count) / count;
}

double largest(const double *values, int count) {
    double found = values[0];
    for (int i = 1; i < count; i++)
        if (values[i] > found)
            found = values[i];
    return found;
}
END
cat >main.c <<'END'
#include <stdio.h>
#include <stdlib.h>
#include "stats.h"

int main(int argc, char **argv) {
    double values[100];
    int count = 0;
    for (int i = 1; i < argc && count < 100; i++)
        values[count++] = atof(argv[i]);
    printf("sum %g mean %g largest %g\n", sum(values, count), mean(values, count), largest(values, count));
    return 0;
}
END
cat >Makefile <<'END'
stats: main.o stats.o
	$(CC) -o $@ main.o stats.o
main.o stats.o: stats.h
END
printf '*.o\n/stats\n' >.gitignore
commit "Sum, mean and largest"
git tag v1.0

for i in 2 3 4 5 6 7 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 28 29 30; do
    echo "Version 1.$i." >>NEWS
    case $i in
    5) sed -i 's/double total = 0;/double total = 0.0;/' stats.c ;;
    9) sed -i 's/int main(int argc/int main(const int argc/' main.c ;;
    # This one does not build, nor do the next two.
    14) sed -i 's/^double mean(const double \*values, int count);/double mean(const double *values);/' stats.h ;;
    17) sed -i 's/^double mean(const double \*values);/double mean(const double *values, int count);/' stats.h ;;
    # A tidy-up of `largest`, which has no business in `sum`.
    21)
        sed -i 's/double found = values\[0\];/double found = *values;/' stats.c
        sed -i 's/for (int i = 0; i < count; i++)/for (int i = 1; i < count; i++)/' stats.c
        printf '\n/* Bounds are checked by who calls. */\n' >>stats.c
        ;;
    25) sed -i 's/values\[100\]/values[1000]/; s/count < 100/count < 1000/' main.c ;;
    esac
    commit "Work on version 1.$i"
done
