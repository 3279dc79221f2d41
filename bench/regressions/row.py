"""row.py CASE OLD NEW OUT: the row of a case in the table of run.sh, from the events and the answer in OUT."""

import json
import re
import subprocess
import sys


def sizes(old, new):
    """How many files differ between two folders, and in how many hunks."""
    shown = subprocess.run(["diff", "-ruNa", old, new], capture_output=True).stdout
    return len(re.findall(rb"^diff ", shown, re.M)), len(re.findall(rb"^@@ ", shown, re.M))


def places(undo):
    """Where the patch that takes a cause out changes something: FILE:LINE in the version that fails, one a hunk."""
    found, file, line, heading, fresh = [], None, 0, True, False
    for row in undo.splitlines():
        if row.startswith("diff --git "):
            heading = True
        elif head := re.match(r"@@ -(\d+)", row):
            line, heading, fresh = int(head[1]), False, True
        elif heading:
            if name := re.match(r"(?:---|\+\+\+) [ab]/(.*)", row):
                file = name[1]
        elif row[:1] in ("+", "-"):
            if fresh:
                found.append(f"{file}:{line}")
            fresh = False
            line += row[0] == "-"
        else:
            line += 1
    return found


def place(cause, new):
    """Where a cause stands in the version that fails."""
    if not cause.get("undone_with"):
        return " ".join(places(cause["undo"]))
    # What takes out more than the cause does not say where it is: the first line it brings does.
    file = next(part["files"][0] for part in cause["parts"])
    rows = (row for row in cause["patch"].splitlines() if row.startswith("+") and not row.startswith("+++"))
    text = next(rows, "+")[1:]
    with open(f"{new}/{file}", encoding="utf-8", errors="replace") as lines:
        found = [at for at, line in enumerate(lines, 1) if line.rstrip("\n") == text]
    return f"{file}:{'/'.join(map(str, found)) or '?'}"


def main(case, old, new, out):
    files, hunks = sizes(old, new)
    try:
        events = [json.loads(line) for line in open(f"{out}/events", encoding="utf-8")]
        began = next(e for e in events if e["type"] == "began")
        answer = json.load(open(f"{out}/answer/answer.json", encoding="utf-8"))
    except (FileNotFoundError, StopIteration):
        sys.exit(f"{case}: there is no answer; what reduct says above is why")
    better = [e for e in events if e["type"] == "improved"]
    size = better[-1]["size"] if better else began["size"]
    there = next((e["after"] for e in better if e["size"] == size), 0) if answer["done"] else "-"
    causes = [place(cause, new) for cause in answer["causes"]]
    found = "; ".join(f"`{cause}`" for cause in causes)
    if not answer["done"]:
        found += f" stopped, among {size:,} lines"
    numbers = [files, hunks, began["size"], answer["tests"], there, answer["runs"], answer["unresolved"]]
    print(f"| {case} | " + " | ".join(n if n == "-" else f"{n:,}" for n in numbers) + f" | {found.strip()} |", flush=True)


main(*sys.argv[1:])
