"""Starts python.py: the code that a recorded run has made of it and of the program, if it is for this interpreter; else its text."""
import marshal
import sys

SOURCE, DRIVER, MADE = %(source)s, %(driver)s, None
try:
    with_code = open(%(made)s, 'rb')
    if marshal.load(with_code) == (sys.version, sys.flags.optimize, DRIVER, %(follows)s):
        driver = marshal.load(with_code)
        MADE = with_code
    else:
        with_code.close()
except Exception:
    MADE = None
if MADE is None:
    with open(SOURCE, encoding='utf-8') as text:
        driver = compile(text.read(), SOURCE, 'exec')
exec(driver)
