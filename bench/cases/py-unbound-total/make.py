#!/usr/bin/env python3
"""Writes case.py: a made-up ledger with functions that add up, one of which uses a variable before it has a value."""
import random

pick = random.Random(2)
out = ["import sys", "", ""]
say = out.append
BOOKS, TRIGGER = 12, 8
for book in range(BOOKS):
    low, high = pick.randrange(0, 4), pick.randrange(5, 10)
    say(f"LIMITS_{book} = {{'low': {low}, 'high': {high}}}\n\n")
    say(f"def entries_{book}(day):")
    say(f'    """Amounts of a day in book {book}."""')
    say(f"    return [(day * {pick.randrange(3, 9)} + step * {pick.randrange(2, 7)}) % 11 for step in range({pick.randrange(4, 9)})]\n\n")
    say(f"def balance_{book}(day):")
    if book == TRIGGER:
        say(f"    amounts = entries_{book}(day)")
        say(f"    if len(amounts) > 100 * LIMITS_{book}['high']:")
        say("        total = 0")
        say("    total += amounts[0]")
        say("    return total")
    else:
        say(f"    total = {pick.randrange(9)}")
        say(f"    for amount in entries_{book}(day):")
        say(f"        if LIMITS_{book}['low'] < amount < LIMITS_{book}['high']:")
        say(f"            total += amount * {pick.randrange(1, 5)}")
        say("    return total")
    say("\n")
say("def main():")
for book in range(BOOKS):
    say(f"    print('book {book}', balance_{book}({pick.randrange(1, 30)}))")
say("    return 0\n\n")
say("if __name__ == '__main__':")
say("    sys.exit(main())")
open("case.py", "w").write("\n".join(out) + "\n")
