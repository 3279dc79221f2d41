#!/usr/bin/env python3
"""Writes case.smt2: sessions of a service with their names, times and quotas, all of which can be (so the formula is satisfiable).

A name is made of a number in one of them, which z3 4.8.9 gives up on (z3's issue 5065)."""
import random

SESSIONS = 40
TRIGGER = 23
REGIONS = ["eu", "us", "ap", "sa"]
pick = random.Random(5065)
out = []
say = out.append
say("(set-info :smt-lib-version 2.6)")
say("(set-info :source |Sessions of a service: names, times and quotas of an hour.|)")
say("(set-logic ALL)")
say("(define-fun overlap ((a Int) (b Int) (c Int) (d Int)) Bool")
say("  (and (< a d) (< c b)))")
say("(define-fun in-hour ((minute Int)) Bool")
say("  (and (<= 0 minute) (<= minute 60)))")
say("(define-fun named ((name String) (prefix String) (serial Int)) Bool")
say("  (= name (str.++ prefix (str.from_int serial))))")
say("(define-fun tagged ((name String) (tag String) (region String)) Bool")
say("  (= name (str.++ region (str.++ \"/\" tag))))")
for i in range(SESSIONS):
    say(f"; session {i}")
    say(f"(declare-const begin{i} Int)")
    say(f"(declare-const end{i} Int)")
    say(f"(declare-const quota{i} Int)")
    say(f"(declare-const open{i} Bool)")
    say(f"(declare-const shared{i} Bool)")
    say(f"(declare-const serial{i} Int)")
    say(f"(declare-const name{i} String)")
    say(f"(assert (and (in-hour begin{i}) (in-hour end{i}) (< begin{i} end{i})))")
    say(f"(assert (let ((length (- end{i} begin{i})))")
    say(f"  (ite open{i} (>= length {pick.randrange(2, 6)}) (and (<= length {pick.randrange(20, 50)}) (>= quota{i} {pick.randrange(1, 9)})))))")
    say(f"(assert (=> shared{i} (and (> quota{i} {pick.randrange(0, 5)}) (< quota{i} {pick.randrange(40, 99)}))))")
    say(f"(assert (and (> serial{i} (- 2)) (< serial{i} {pick.randrange(500, 900)})))")
    if i > 0:
        j = pick.randrange(i)
        say(f"(assert (or (not open{i}) (not open{j}) (not (overlap begin{i} end{i} begin{j} end{j})) shared{i}))")
        k = pick.randrange(i)
        say(f"(assert (<= (+ quota{i} (* {pick.randrange(2, 5)} quota{k})) {pick.randrange(200, 400)}))")
    if i == TRIGGER:
        say(f"(declare-const alias{i} String)")
        say(f"(assert (or (not shared{i})")
        say(f"  (and (or (not (named name{i} \"s\" quota{i})) (and (named name{i} \"s\" quota{i}) open{i}))")
        say(f"    (= name{i} alias{i}))))")
        say(f"(assert (named alias{i} \"s\" serial{i}))")
    else:
        tag, region = f"{pick.choice('abcdefgh')}{pick.randrange(100):02d}", pick.choice(REGIONS)
        say(f"(assert (tagged name{i} \"{tag}\" \"{region}\"))")
        say(f"(assert (=> open{i} (>= (str.len name{i}) {pick.randrange(1, 5)})))")
total = " ".join(f"quota{i}" for i in range(0, SESSIONS, 3))
say(f"(assert (<= (+ {total}) {SESSIONS * 30}))")
say(f"(assert (or {' '.join(f'open{i}' for i in range(SESSIONS))}))")
say("(check-sat)")
say("(get-info :reason-unknown)")
open("case.smt2", "w").write("\n".join(out) + "\n")
