#!/usr/bin/env python3
"""Writes case.c: tables, structures and functions of a made-up scheduler that compile, and one that divides by a constant 0."""
import random

pick = random.Random(1)
out = []
say = out.append
UNITS, TRIGGER = 12, 7
say("typedef unsigned int u32;\ntypedef struct task task;\n")
say("enum state { IDLE, READY, RUNNING, BLOCKED, DONE };\n")
say("struct task {\n    u32 id;\n    u32 ticks;\n    enum state state;\n    task *next;\n};\n")
say("static u32 clamp(u32 value, u32 most)\n{\n    return value > most ? most : value;\n}\n")
for unit in range(UNITS):
    entries = ", ".join(str(pick.randrange(1, 200)) for _ in range(8))
    say(f"static const u32 weights_{unit}[8] = {{ {entries} }};\n")
    say(f"#define SLICES_{unit} {0 if unit == TRIGGER else pick.randrange(1, 9)}\n")
    say(f"static u32 share_{unit}(const task *first, u32 budget)")
    say("{")
    say(f"    u32 total = {pick.randrange(1, 50)}u;")
    say("    for (const task *at = first; at; at = at->next) {")
    say(f"        if (at->state == {pick.choice(['IDLE', 'BLOCKED', 'DONE'])})")
    say("            continue;")
    say(f"        total += clamp(at->ticks, {pick.randrange(20, 90)}u) * weights_{unit}[at->id % 8u];")
    say("    }")
    say(f"    if (budget / SLICES_{unit} > total)" if unit == TRIGGER else f"    if (budget / (SLICES_{unit} + 1) > total)")
    other = f"share_{pick.randrange(unit)}(first, budget - 1u)" if unit else "budget"
    say(f"        return {other};")
    say(f"    return total - {pick.randrange(1, 9)}u;")
    say("}\n")
say("u32 shares(const task *first, u32 budget)\n{\n    u32 sum = 0;")
for unit in range(UNITS):
    say(f"    sum += share_{unit}(first, budget >> {unit % 5});")
say("    return sum;\n}")
open("case.c", "w").write("\n".join(out) + "\n")
