#!/usr/bin/env python3
"""Twenty reductions with a real program that fails in half of its runs; says which results are truly minimal.

    bench/flaky/run.py [REDUCT] [TIMES]

A script of 40 lines, of which parts of three are needed, as in the table of docs/FLAKY.md. Each result is checked
without chance: the same program, told to be certain, fails on it, and on it without any single line, token or
character it does not.
"""

import json
import os
import re
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
# Where the three lines are, and what else stands in them.
NEEDED = {7: "say alpha twice;", 19: "let beta = 4;", 33: "end gamma now;"}
TOKEN = re.compile(r"\w+|[^\w\s]")


def script():
    lines = [NEEDED.get(n, f"line {n} of no use;") for n in range(40)]
    return "\n".join(lines) + "\n"


def single_deletions(text):
    """The text without each single line, token and character."""
    lines = text.splitlines(keepends=True)
    yield from ("".join(lines[:n] + lines[n + 1 :]) for n in range(len(lines)))
    yield from (text[: at.start()] + text[at.end() :] for at in TOKEN.finditer(text))
    yield from (text[:n] + text[n + 1 :] for n in range(len(text)))


def is_certain(program, folder, text):
    candidate = folder / "candidate"
    candidate.write_text(text)
    status = subprocess.run([program, candidate, "certain"], stderr=subprocess.DEVNULL).returncode
    assert status in (0, 1), status
    return status == 1


def reduction(reduct, program, folder):
    (folder / "script").write_text(script())
    words = [reduct, "-q", "--repeat", "--by", "lines,tokens,chars", "--events", "events"]
    subprocess.run([*words, "script", "--", program, "{}"], cwd=folder, check=True, stderr=subprocess.DEVNULL)
    text = (folder / "script.reduced").read_text()
    minimal = is_certain(program, folder, text) and not any(
        is_certain(program, folder, less) for less in single_deletions(text)
    )
    events = [json.loads(line) for line in (folder / "events").read_text().splitlines()]
    return minimal, events[-1]["runs"], text


def main():
    reduct = os.path.abspath(sys.argv[1] if len(sys.argv) > 1 else HERE.parents[1] / "target/release/reduct")
    times = int(sys.argv[2]) if len(sys.argv) > 2 else 20
    with tempfile.TemporaryDirectory() as place:
        program = os.path.join(place, "needle")
        subprocess.run(["cc", "-O2", "-o", program, HERE / "needle.c"], check=True)
        results = []
        for number in range(1, times + 1):
            folder = Path(place) / str(number)
            folder.mkdir()
            minimal, runs, text = reduction(reduct, program, folder)
            results.append((minimal, runs))
            print(f"{number}: {'truly minimal' if minimal else 'NOT minimal'}, {runs} runs, {text!r}", flush=True)
    runs = [runs for _, runs in results]
    count = sum(minimal for minimal, _ in results)
    print(f"| 50 %, real | 0 % | {count} of {times} | {round(statistics.median(runs))} | {max(runs)} |")
    return count != times


if __name__ == "__main__":
    sys.exit(main())
