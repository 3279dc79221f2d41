#!/bin/sh
# In a folder holding one version of Markdown: is an escaped bracket in a heading plain in toc_tokens?
# 0 = works, 1 = Python-Markdown issue 1360, 125 = cannot tell.
PYTHONDONTWRITEBYTECODE=1 PYTHONPATH=. exec timeout 20 python3 -W ignore - <<'PY'
import os
import sys
try:
    import markdown
    here = os.path.realpath(markdown.__file__).startswith(os.getcwd() + os.sep)
    md = markdown.Markdown(extensions=["toc"])
    html = md.convert("### hello \\[foo]\n")
    name = md.toc_tokens[0]["name"]
except Exception as e:
    print("cannot tell:", type(e).__name__, e)
    sys.exit(125)
print("toc name:", repr(name), "html:", repr(html))
if not here or not html.endswith(">hello [foo]</h3>"):
    print("cannot tell: another module, or the heading itself is wrong")
    sys.exit(125)
sys.exit({"hello [foo]": 0, "hello \x0291\x03foo]": 1}.get(name, 125))
PY
