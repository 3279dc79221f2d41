#!/usr/bin/env python3
"""How many tests a second: the same predicate as a process for each test, and as a server (docs/PERSISTENT.md).

Usage: run.py REDUCT [TURNS] [shrinks|minimal]   e.g. run.py target/release/reduct 5 minimal

Of an input that shrinks, about every second test fails, and each of those is asked again of a fresh server; of one that
is minimal, all tests pass. No more than a thousand tests are run.

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

# The failure: at least NEEDED times `#`.
PROBE_C = """
#include <stdio.h>
int main(int argc, char **argv) {
    FILE *file = fopen(argv[argc - 1], "r");
    int c, count = 0;
    while (file && (c = getc(file)) != EOF) count += c == '#';
    return count >= NEEDED;
}
"""
PROBE_PYTHON = """
import sys
sys.exit(open(sys.argv[1], "rb").read().count(b"#") >= NEEDED)
"""
# The servers are those of the examples, with this test in place of theirs.
SERVER_C = "int count = 0; while (length--) count += *contents++ == '#'; return count >= NEEDED;"
SERVER_PYTHON = 'return contents.count(b"#") >= NEEDED'
# The test in the process of the server, for code that can be trusted with it.
IN_PROCESS = "int how = test(contents, length) << 8;"


def main() -> None:
    reduct = str(pathlib.Path(sys.argv[1]).resolve())
    turns = int(sys.argv[2]) if len(sys.argv) > 2 else 5
    with tempfile.TemporaryDirectory() as name:
        home = pathlib.Path(name)
        rows = prepare(home, sys.argv[3:] == ["minimal"])
        seen = {row: [] for row in rows}
        for _ in range(turns):
            for row, words in rows.items():
                seen[row].append(measure(home, reduct, words))
        print("| test | tests | seconds | tests a second | digest |\n|---|--:|--:|--:|---|")
        for row, runs in seen.items():
            seconds = statistics.median(seconds for _, seconds, _ in runs)
            [(tests, digest)] = {(tests, digest) for tests, _, digest in runs}
            print(f"| {row} | {tests} | {seconds:.2f} | {tests / seconds:.0f} | {digest} |")


def prepare(home: pathlib.Path, minimal: bool) -> dict[str, list[str]]:
    lines = [f"paragraph {n} of a page with {n * n % 97} things to say{' #' * (n % 10 == 0)}" for n in range(2000)]
    needed = 1000 if minimal else 150
    (home / "page.html").write_text("#" * needed if minimal else "\n".join(lines))
    server = (EXAMPLES / "server.c").read_text()
    begin, end = server.index("    const char *begin"), server.index("    return 0;\n}\n\nint main")
    forking = server[:begin] + SERVER_C + server[end:]
    begin, end = forking.index("        pid_t child"), forking.index("        free(contents)")
    texts = {"probe": PROBE_C, "forking": forking, "plain": forking[:begin] + IN_PROCESS + forking[end:]}
    for name, text in texts.items():
        (home / f"{name}.c").write_text(text.replace("NEEDED", str(needed)))
        subprocess.run(["cc", "-O2", "-o", home / name, home / f"{name}.c"], check=True)
    python = (EXAMPLES / "server.py").read_text()
    python = python.replace("return SELECT.search(contents) is not None", SERVER_PYTHON)
    for name, text in {"probe.py": PROBE_PYTHON, "server.py": python}.items():
        (home / name).write_text(text.replace("NEEDED", str(needed)))
    return {
        "C, spawned": ["--", "./probe", "{}"],
        "C, persistent, a fork a test": ["--persistent", "--", "./forking"],
        "C, persistent, in one process": ["--persistent", "--", "./plain"],
        "Python, spawned": ["--", sys.executable, "probe.py", "{}"],
        "Python, persistent": ["--persistent", "--", sys.executable, "server.py"],
    }


def measure(home: pathlib.Path, reduct: str, words: list[str]) -> tuple[int, float, str]:
    at = words.index("--")
    options = ["-j1", "--no-cache", "--language", "none", "--by", "lines,words,chars"]
    options += ["--force", "-o", "result", "--events", "events", "--tests", "1000"]
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
