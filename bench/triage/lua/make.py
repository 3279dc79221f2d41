"""Makes a folder of failing Lua programs and the truth about them: make.py LUA OUT [COUNT [SEED]].

Each is made of harmless pieces with one piece put in that meets a bug, in one of several shapes and with numbers and names
at random. The truth is found out by running: the one bug with which alone, of the eight, the program dies.
"""

import json
import os
import pathlib
import random
import subprocess
import sys

WORDS = ["alpha", "item", "row", "total", "list", "key", "name", "buffer", "left", "depth"]


def name(r):
    return f"{r.choice(WORDS)}{r.randint(0, 99)}"


def many(r, least, most, what):
    return ", ".join(what(r) for _ in range(r.randint(least, most)))


def number(r):
    return str(r.randint(0, 9999))


HARMLESS = [
    lambda r, n: f"local {n} = {{{many(r, 1, 8, number)}}}\nfor i, v in ipairs({n}) do {n}[i] = v * 2 end",
    lambda r, n: f"local function {n}(a, b)\n  if a < b then return b end\n  return a\nend\nprint({n}({number(r)}, 7))",
    lambda r, n: f"local {n} = 0\nwhile {n} < {r.randint(1, 30)} do\n  {n} = {n} + 1\nend",
    lambda r, n: f"local {n} = setmetatable({{}}, {{__index = function(t, k) return k end}})\nprint({n}.x, {n}[3])",
    lambda r, n: f"print(string.format('%5d|%s', {number(r)}, '{n}'))",
    lambda r, n: f"local {n} = coroutine.wrap(function() coroutine.yield(1) end)\n{n}()",
    lambda r, n: f"local ok, {n} = pcall(error, {{code = {number(r)}}})\nprint(ok, {n}.code)",
    lambda r, n: f"local {n} = {{b = 1, a = {number(r)}}}\nfor k, v in pairs({n}) do {n}[k] = v + 1 end",
    lambda r, n: f"print(('{n}'):upper(), #'{n}', ('{n}'):find('%d+'))",
    lambda r, n: f"local {n} = {{}}\ntable.insert({n}, {number(r)})\ntable.sort({n})\nprint(table.concat({n}, ','))",
    lambda r, n: f"goto {n}\nprint('not here')\n::{n}::",
    lambda r, n: f"local {n} = {number(r)} // 3 | 5 ~ 2\nprint({n} % 7, -{n})",
]


def filled(r, least, most):
    return f"string.rep('{r.choice('abcxyz')}', {r.randint(least, most)})"


def letters(r, length):
    return "".join(r.choice("abcdefghij") for _ in range(length))


# Of each bug, several ways to meet it.
SHAPES = [
    [lambda r, n: f"print(#string.rep('{n}', {r.randint(200, 400)}, ', '))",
     lambda r, n: f"local {n} = ('ab'):rep({r.randint(600, 900)}, '--')\nprint(#{n})",
     lambda r, n: f"local function {n}(s, c) return s:rep({r.randint(60, 90)}, c) end\nprint({n}('{letters(r, 20)}', ';'))"],
    [lambda r, n: f"print(table.unpack({{{many(r, 60, 80, number)}}}))",
     lambda r, n: f"local {n} = {{}}\nfor i = 1, {r.randint(70, 200)} do {n}[i] = i end\nprint(math.max(table.unpack({n})))",
     lambda r, n: f"print(select('#', table.unpack({{}}, 1, {r.randint(80, 300)})))"],
    [lambda r, n: f"print(string.byte({filled(r, 80, 200)}, 1, -1))",
     lambda r, n: f"local {n} = {filled(r, 90, 300)}\nlocal bytes = {{{n}:byte(1, #{n})}}\nprint(#bytes)",
     lambda r, n: f"local function {n}(s) return s:byte(2, 90) end\nprint({n}({filled(r, 100, 120)}))"],
    [lambda r, n: f"print(utf8.codepoint({filled(r, 80, 200)}, 1, -1))",
     lambda r, n: f"local {n} = {filled(r, 90, 300)} .. '\\u{{e9}}'\nlocal codes = {{utf8.codepoint({n}, 1, #{n} - 1)}}\nprint(#codes)",
     lambda r, n: f"for i = 1, 2 do\n  local {n} = {filled(r, 99, 120)}\n  print(#{n}, utf8.codepoint({n}, i, -2))\nend"],
    [lambda r, n: f"print(string.find({filled(r, 50, 90)}, string.rep('(.)', {r.randint(36, 48)})))",
     lambda r, n: f"local {n} = {filled(r, 50, 90)}\nprint(({n}:gsub(('()'):rep({r.randint(36, 60)}), '%1')))",
     lambda r, n: f"for {n} in ('{letters(r, 20)}'):gmatch(('()'):rep({r.randint(36, 60)}) .. '.') do print({n}) end",
     lambda r, n: f"print(('x'):match('{'()' * r.randint(36, 50)}x'))"],
    [lambda r, n: f"local {n} = '{letters(r, r.randint(70, 120))}'\nprint({n})",
     lambda r, n: f"local {letters(r, r.randint(33, 60))} = {number(r)}",
     lambda r, n: f"-- {n}\n--[[ {letters(r, 20)} {letters(r, 30)} ]]\nlocal {n} = [[{letters(r, r.randint(40, 60))}]]",
     lambda r, n: f"print(0.{r.randint(10**40, 10**41)})"],
    [lambda r, n: f"local {n} = '{letters(r, 22)}'\nprint({n} .. '{letters(r, r.randint(19, 26))}')",
     lambda r, n: f"local {n} = '{letters(r, 15)}'\nprint({n} .. {n} .. {r.randint(10**10, 10**17)})",
     lambda r, n: f"local {n} = ''\nfor i = 1, 48 do {n} = {n} .. '{letters(r, 1)}' end\nprint({n})"],
    [lambda r, n: f"print(string.unpack('<i{r.randint(8, 16)}', '{letters(r, 3)}'))",
     lambda r, n: f"local {n} = ('>d'):unpack('{letters(r, 2)}')\nprint({n})",
     lambda r, n: f"local {n} = string.pack('<i2', {r.randint(0, 999)})\nprint(pcall(string.unpack, '>I8', {n}))",
     lambda r, n: f"print(string.unpack('bbj', '{letters(r, 4)}', 2))"],
]


def dies(lua, text, bugs):
    """Whether it dies with these bugs, by a report."""
    env = {**os.environ, "BUGS": str(bugs), "ASAN_OPTIONS": "detect_leaks=0:exitcode=99"}
    done = subprocess.run([lua, "-"], input=text.encode(), env=env, capture_output=True, timeout=20)
    return done.returncode not in (0, 1)


def main():
    lua, out = sys.argv[1], pathlib.Path(sys.argv[2])
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 64
    r, truth = random.Random(int(sys.argv[4]) if len(sys.argv) > 4 else 54), {}
    out.mkdir(parents=True)
    refused = 0
    while len(truth) < count:
        bug = len(truth) % len(SHAPES)
        pieces = [r.choice(HARMLESS)(r, name(r)) for _ in range(r.randint(3, 10))]
        pieces.insert(r.randint(0, len(pieces)), r.choice(SHAPES[bug])(r, name(r)))
        # Locals of one piece are none of another.
        text = "".join(f"do\n{piece}\nend\n" for piece in pieces)
        meets = [one for one in range(len(SHAPES)) if dies(lua, text, 1 << one)]
        if len(meets) != 1 or dies(lua, text, 0) or not dies(lua, text, 255):
            refused += 1
            assert refused < 20 * count, (bug, text)
            continue
        file = f"{len(truth):03}.lua"
        (out / file).write_text(text)
        truth[file] = meets[0]
    out.with_suffix(".truth.json").write_text(json.dumps(truth))
    print(f"{len(truth)} programs, {refused} that met no bug or several left out")


main()
