"""Puts eight bugs into the sources of Lua 5.4.4: bugs.py SRC-FOLDER. Each takes one check away, or makes it one off; which
of them are there is a number, the variable BUGS, when Lua is started (by default all)."""

import pathlib
import sys

BUGS = [
    ("lstrlib.c", "+ (size_t)(n - 1) * lsep;", "+ (BUG(0) ? 0 : (size_t)(n - 1) * lsep);"),
    ("ltablib.c", "!lua_checkstack(L, (int)(++n))", "(++n, !BUG(1) && !lua_checkstack(L, (int)n))"),
    ("lstrlib.c", '  luaL_checkstack(L, n, "string slice', '  if (!BUG(2)) luaL_checkstack(L, n, "string slice'),
    ("lutf8lib.c", '  luaL_checkstack(L, n, "string slice', '  if (!BUG(3)) luaL_checkstack(L, n, "string slice'),
    ("lstrlib.c", "  if (level >= LUA_MAXCAPTURES)", "  if (!BUG(4) && level >= LUA_MAXCAPTURES)"),
    ("llex.c", "luaZ_bufflen(b) + 1 > luaZ_sizebuffer(b)", "luaZ_bufflen(b) + !BUG(5) > luaZ_sizebuffer(b)"),
    ("lvm.c", "if (tl <= LUAI_MAXSHORTLEN) {", "if (tl <= LUAI_MAXSHORTLEN + (BUG(6) ? 8 : 0)) {"),
    ("lstrlib.c", "(size_t)ntoalign + size <= ld - pos", "BUG(7) || (size_t)ntoalign + size <= ld - pos"),
    # What tells which are there.
    ("luaconf.h", "#define luaconf_h\n", "#define luaconf_h\nextern int bugs;\n#define BUG(n) (bugs >> (n) & 1)\n"),
    ("lua.c", "int main (int argc, char **argv) {\n",
     'int bugs;\nint main (int argc, char **argv) {\n  bugs = getenv("BUGS") ? atoi(getenv("BUGS")) : 255;\n'),
]

for name, before, after in BUGS:
    path = pathlib.Path(sys.argv[1]) / name
    text = path.read_text(encoding="latin-1")
    assert text.count(before) == 1, (name, before)
    path.write_text(text.replace(before, after), encoding="latin-1")
