#!/usr/bin/env python3
"""Writes case.smt2: an arbiter of four channels, unrolled over 18 steps, that can take its steps (so the formula is satisfiable).

The stall flag of one step is the shape of which z3 4.12.2 says that it cannot be (z3's issue 6894)."""
import random

STEPS, CHANNELS = 18, 4
TRIGGER = 11
pick = random.Random(6894)
out = []
say = out.append
say("(set-info :smt-lib-version 2.6)")
say('(set-info :source |Bounded model of a round-robin arbiter with four request queues and a write-back buffer.|)')
say('(set-info :category "industrial")')
say("(set-logic QF_BV)")
say("(define-fun is-granted ((grant (_ BitVec 2)) (channel (_ BitVec 2)) (enabled Bool)) Bool")
say("  (and enabled (= grant channel)))")
say("(define-fun saturating-inc ((count (_ BitVec 8))) (_ BitVec 8)")
say("  (ite (= count #xff) count (bvadd count #x01)))")
say("(define-fun saturating-dec ((count (_ BitVec 8))) (_ BitVec 8)")
say("  (ite (= count #x00) count (bvsub count #x01)))")
say("(define-fun parity ((word (_ BitVec 8))) (_ BitVec 1)")
say("  (bvxor ((_ extract 0 0) word) (bvxor ((_ extract 1 1) word) (bvxor ((_ extract 2 2) word) ((_ extract 3 3) word)))))")
say("(define-fun credit ((idle Bool) (phase (_ BitVec 1))) (_ BitVec 1)")
say("  (ite idle #b0 (bvshl #b1 phase)))")
say("(define-fun widened ((bit (_ BitVec 1))) (_ BitVec 2)")
say("  ((_ zero_extend 1) bit))")
for step in range(STEPS + 1):
    say(f"; step {step}")
    say(f"(declare-fun grant.{step} () (_ BitVec 2))")
    say(f"(declare-fun enabled.{step} () Bool)")
    say(f"(declare-fun idle.{step} () Bool)")
    say(f"(declare-fun phase.{step} () (_ BitVec 1))")
    say(f"(declare-fun buffer.{step} () (_ BitVec 16))")
    for channel in range(CHANNELS):
        say(f"(declare-fun request.{channel}.{step} () Bool)")
        say(f"(declare-fun queue.{channel}.{step} () (_ BitVec 8))")
for channel in range(CHANNELS):
    say(f"(assert (= queue.{channel}.0 #x{pick.randrange(1, 9):02x}))")
say("(assert (and enabled.0 (= grant.0 #b00) (= buffer.0 #x0000)))")
for step in range(STEPS):
    then = step + 1
    say(f"; from step {step} to step {then}")
    for channel in range(CHANNELS):
        name = f"#b{channel:02b}"
        say(f"(assert (= queue.{channel}.{then}")
        say(f"  (let ((granted (is-granted grant.{step} {name} enabled.{step})) (count queue.{channel}.{step}))")
        say(f"    (ite granted (saturating-dec count) (ite request.{channel}.{step} (saturating-inc count) count)))))")
    say(f"(assert (= grant.{then} (let ((next (bvadd grant.{step} #b01)))")
    say(f"  (ite (or (not enabled.{step}) idle.{step}) grant.{step} next))))")
    channel = pick.randrange(CHANNELS)
    say(f"(assert (= buffer.{then} (let ((shifted (bvshl buffer.{step} #x0002)) (word queue.{channel}.{step}))")
    say(f"  (bvor shifted (concat #b{pick.randrange(128):07b} (concat (parity word) word))))))")
    say(f"(assert (=> enabled.{step} (or enabled.{then} idle.{then})))")
    if step == TRIGGER:
        say(f"(assert (let ((paid (credit idle.{step} phase.{step})))")
        say(f"  (let ((due (ite (and (= phase.{step} #b1) (= #b1 paid)) #b1 #b0)))")
        say(f"    (let ((stall (ite (bvsle due #b1) #b01 (widened paid))))")
        say(f"      (= #b1 ((_ extract 0 0) stall))))))")
    else:
        say(f"(assert (let ((paid (credit idle.{step} phase.{step})))")
        say(f"  (let ((due (ite (and (= phase.{step} #b1) (= #b1 paid)) #b1 #b0)))")
        say(f"    (let ((stall (ite (bvule due paid) (widened paid) #b11)))")
        say(f"      (bvule ((_ extract 0 0) stall) #b1)))))")
    asked = ["(not request.%d.%d)" % (c, step) if pick.random() < 0.4 else "request.%d.%d" % (c, step) for c in range(CHANNELS)]
    say(f"(assert (and {' '.join(asked)}))")
    say(f"(assert (=> (and request.0.{step} request.1.{step}) (or (bvule queue.0.{step} #x{pick.randrange(64, 128):02x}) idle.{step})))")
say(f"(assert (or (bvuge queue.2.{STEPS} #x04) (bvuge queue.3.{STEPS} #x03)))")
say(f"(assert (not (= buffer.{STEPS} #xffff)))")
say("(check-sat)")
say("(exit)")
open("case.smt2", "w").write("\n".join(out) + "\n")
