#!/usr/bin/env python3
"""How many tests a second: the same predicate as a process for each test, and as a server (docs/PERSISTENT.md).

Usage: run.py REDUCT [TURNS]   e.g. run.py target/release/reduct 5

All are run in turns, on the same input, by the same search, with one job; shown are medians. The digest is that of
the result, and must be the same in all rows. Needs cc and python3.
"""
import hashlib
import json
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

EXAMPLES = pathlib.Path(__file__).resolve().parents[2] / "examples" / "persistent"

# What examples/persistent/server.c tests, as a program of its own.
PROBE_C = """
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
int main(int argc, char **argv) {
    static char text[1 << 24];
    FILE *file = fopen(argv[argc - 1], "r");
    size_t length = file ? fread(text, 1, sizeof text, file) : 0;
    const char *begin = memmem(text, length, "<SELECT", 7);
    return begin && memchr(begin, '>', text + length - begin) ? 1 : 0;
}
"""
# What examples/persistent/server.py tests, as a script.
PROBE_PYTHON = """
import re, sys
sys.exit(re.search(rb"<SELECT[^>]*>", open(sys.argv[1], "rb").read()) is not None)
"""

def main() -> None:
    reduct = str(pathlib.Path(sys.argv[1]).resolve())
    turns = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    with tempfile.TemporaryDirectory() as name:
        home = pathlib.Path(name)
        rows = prepare(home)
        seen = {row: [] for row in rows}
        for _ in range(turns):
            for row, words in rows.items():
                seen[row].append(measure(home, reduct, words))
        print("| test | tests | seconds | tests a second | digest |\n|---|--:|--:|--:|---|")
        for row, runs in seen.items():
            seconds = statistics.median(seconds for _, seconds, _ in runs)
            [(tests, digest)] = {(tests, digest) for tests, _, digest in runs}
            print(f"| {row} | {tests} | {seconds:.2f} | {tests / seconds:.0f} | {digest} |")


def prepare(home: pathlib.Path) -> dict[str, list[str]]:
    tag = '<SELECT NAME="priority" MULTIPLE SIZE=7>\n'
    filler = "".join(f"<P>paragraph {n} of a page with {n * n % 97} things to say\n" for n in range(1500))
    (home / "page.html").write_text(filler[: len(filler) // 2] + tag + filler[len(filler) // 2 :])
    (home / "probe.py").write_text(PROBE_PYTHON)
    (home / "probe.c").write_text(PROBE_C)
    subprocess.run(["cc", "-O2", "-o", home / "probe", home / "probe.c"], check=True)
    subprocess.run(["cc", "-O2", "-o", home / "server", EXAMPLES / "server.c"], check=True)
    python = sys.executable
    return {
        "C, spawned": ["--", "./probe", "{}"],
        "C, persistent, a fork a test": ["--persistent", "--", "./server"],
        "Python, spawned": ["--", python, "probe.py", "{}"],
        "Python, persistent": ["--persistent", "--", python, str(EXAMPLES / "server.py")],
    }


def measure(home: pathlib.Path, reduct: str, words: list[str]) -> tuple[int, float, str]:
    at = words.index("--")
    options = ["-j1", "--no-cache", "--language", "none", "--by", "lines,words,chars", "--search", "ddmin"]
    options += ["--force", "-o", "result", "--events", "events", "--tests", "3000"]
    command = [reduct, *options, *words[:at], "page.html", *words[at:]]
    begin = time.monotonic()
    done = subprocess.run(command, cwd=home, stdin=subprocess.DEVNULL, capture_output=True, text=True)
    seconds = time.monotonic() - begin
    if done.returncode not in (0, 4):
        sys.exit(done.stderr)
    events = map(json.loads, (home / "events").read_text().splitlines())
    tests = sum(event["type"] == "test" for event in events)
    return tests, seconds, hashlib.sha256((home / "result").read_bytes()).hexdigest()[:12]


main()
