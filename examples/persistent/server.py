#!/usr/bin/env python3
"""A persistent test in Python: run as `reduct page.html --persistent -- ./server.py`.

reduct starts it once and asks it about one candidate after the other. docs/PERSISTENT.md says what is said.
"""
import re
import sys

SELECT = re.compile(rb"<SELECT[^>]*>")


def fails(contents: bytes) -> bool:
    """Put your test here. It must not keep anything for the next one."""
    return SELECT.search(contents) is not None


def main() -> None:
    print("reduct 1", flush=True)
    while header := sys.stdin.buffer.readline():
        _, length = header.split()
        contents = sys.stdin.buffer.read(int(length))
        print("fail" if fails(contents) else "pass", flush=True)


main()
