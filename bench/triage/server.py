"""Keeps toml 0.10.2 loaded, and reads a file with it in a process of its own for each that is asked for:
server.py TOML-FOLDER SOCKET. Starting Python anew would take most of the time of a test. `test.c` asks.

What is not TOML is refused, which is right; any other exception is a bug, and is answered as Python would end with it.
"""

import os
import signal
import socket
import sys
import traceback

sys.path.insert(0, sys.argv[1])
import toml

signal.signal(signal.SIGCHLD, signal.SIG_IGN)
listener = socket.socket(socket.AF_UNIX)
listener.bind(sys.argv[2])
listener.listen(64)
while True:
    asked, _ = listener.accept()
    if os.fork():
        asked.close()
        continue
    status, said = 0, ""
    try:
        path = asked.makefile().readline().rstrip("\n")
        toml.loads(open(path, encoding="utf-8", errors="surrogateescape").read())
    except toml.TomlDecodeError:
        pass
    except Exception:
        status, said = 1, traceback.format_exc()
        if os.environ.get("LAST_LINE"):
            said = said.rstrip("\n").rsplit("\n", 1)[-1] + "\n"
    try:
        asked.sendall(bytes([status]) + said.encode("utf-8", "replace"))
    except OSError:
        pass  # Who asked was cancelled.
    os._exit(0)
