"""Makes a folder of failing inputs and the truth about them: make.py TOML-FOLDER SEEDS-FOLDER OUT [COUNT [SEED]].

The tool is toml 0.10.2 from PyPI as it is; its bugs are its own. Each input is made of pieces of real TOML files
with a piece put in that a random search found to trip the tool, varied at random. Which bug an input meets is where
in the tool the exception is raised. The test does not say that: it is the truth to be found out.
"""

import collections
import json
import pathlib
import random
import sys
import traceback

sys.path.insert(0, sys.argv[1])
import toml

NAMES = ["alpha", "b", "items", "size_2", "x", "value", "q"]


def name(r):
    return r.choice(NAMES) + str(r.randint(0, 99))


# One way each to come to the five causes, in several shapes.
SHAPES = {
    "inline table": [lambda r, n: f"{n} = {{{name(r)}{r.choice(['==', ' ==', '== '])}", lambda r, n: f"{n} = {{a = 1, {name(r)}=="],
    "table as list": [lambda r, n: f"[{n}]\n[[{n}]]\n", lambda r, n: f"[{n}]\nk = {r.randint(0, 9)}\n[[{n}]]\n"],
    "key of a dot": [lambda r, n: f".={r.randint(0, 99)}", lambda r, n: ". = ", lambda r, n: f".= \"{n}\""],
    "table in list": [lambda r, n: f"{n} = [\"a\"{name(r)} = [[1],[{r.randint(0, 9)}]]", lambda r, n: f"{n} = [\"{name(r)}\"y = [[1],[2]]"],
    "value as table": [lambda r, n: f"{n} = {r.randint(0, 99)}\n[{n}.{name(r)}]\n", lambda r, n: f"{n} = {r.randint(0, 99)}\nother = 2\n[{n}.b]\n"],
}


def cause(text):
    """Where in the tool an input is at fault; nothing if it is read or refused."""
    try:
        toml.loads(text)
    except toml.TomlDecodeError:
        return None
    except Exception as error:
        frame = [f for f in traceback.extract_tb(error.__traceback__) if "toml" in f.filename][-1]
        return f"{type(error).__name__} {frame.name}:{frame.lineno}"
    return None


def main():
    seeds, out = pathlib.Path(sys.argv[2]), pathlib.Path(sys.argv[3])
    count = int(sys.argv[4]) if len(sys.argv) > 4 else 200
    texts = [path.read_text() for path in sorted(seeds.rglob("*.toml")) if "target" not in path.parts]
    sections = sorted({"\n[" + part for text in texts for part in text.split("\n[")[1:] if len(part) < 400})
    r, truth = random.Random(int(sys.argv[5]) if len(sys.argv) > 5 else 2005), {}
    out.mkdir(parents=True)
    wanted = sorted(SHAPES)
    counts = collections.Counter()
    expected = {}
    while len(truth) < count:
        kind = wanted[len(truth) % len(wanted)]
        noise = [r.choice(sections) for _ in range(r.randint(1, 4))]
        lines = "".join(noise).split("\n")
        at = r.randint(0, len(lines))
        piece = r.choice(SHAPES[kind])(r, name(r))
        text = "\n".join(lines[:at] + [piece] + lines[at:]) + "\n"
        found = cause(text)
        # A shape alone says which cause is meant; what the pieces around it make of it may be another one.
        if found is None or found != expected.setdefault(kind, cause(piece + "\n")):
            continue
        file = f"{r.randrange(16**6):06x}.toml"
        if file not in truth:
            (out / file).write_text(text)
            truth[file] = found
            counts[found] += 1
    out.with_suffix(".truth.json").write_text(json.dumps(truth, indent=1, sort_keys=True))
    for found, n in counts.most_common():
        print(n, found)


main()
