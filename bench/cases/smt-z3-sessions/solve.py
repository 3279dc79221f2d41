"""Prints what cvc5 answers to a file of SMT-LIB, up to the first answer."""
import sys

import cvc5

solver = cvc5.Solver()
parser = cvc5.InputParser(solver)
parser.setFileInput(cvc5.InputLanguage.SMT_LIB_2_6, sys.argv[1])
symbols = parser.getSymbolManager()
while not (command := parser.nextCommand()).isNull():
    answer = command.invoke(solver, symbols)
    if answer:
        print(answer, end="")
        break
