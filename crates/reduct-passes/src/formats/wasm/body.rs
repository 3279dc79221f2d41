//! The code of a function: its statements, blocks and values, of which nearly any can go and the code stays valid.
//!
//! A *statement* is what the stack is as high after as before, from where a block begins: the instructions that make
//! its operands, and the one that takes them. What is in a block goes but for an instruction that never goes on, which
//! may stand where any result is expected. A block goes and what is in it stays. A value goes to zero, or to one of its
//! operands.

use super::code::{ELSE, END, Instruction, instruction};
use super::effects::{ANY, Effect, F32, F64, I32, I64, Kinds, Signature};
use super::levels::{INSTRUCTIONS, of_block, of_statement, of_value};
use super::places::Space;
use super::reader::Reader;
use crate::formats::Chunks;
use reduct_input::ByteOrder::Sevens;
use reduct_input::{FieldValue, Mend};
use std::ops::Range;
use std::sync::Arc;

/// Instructions.
pub(super) const UNREACHABLE: &[u8] = &[0x00];
const DROP: &[u8] = &[0x1a];
const IF: u8 = 0x04;

/// A value on the stack.
struct Operand {
    /// The instructions that make it. They end where those of the next one begin, or those that take it.
    at: Range<usize>,
    kind: u8,
    /// Whether they make it alone, and nothing else.
    is_whole: bool,
}

/// A value of a known kind that an instruction makes.
struct Value {
    at: Range<usize>,
    kind: u8,
    operands: Vec<Operand>,
}

/// A block whose end has not been read.
struct Block {
    /// Where its operands begin.
    start: usize,
    /// Its first instruction, with its type. That of a function has none.
    head: Range<usize>,
    signature: Signature,
    /// How high the stack is below what is in it.
    base: usize,
    /// Where the last `else` stands, or else the head.
    last: Range<usize>,
    /// Whether it is never reached what follows.
    is_dead: bool,
    /// Whether the instructions before it make its operands alone.
    is_whole: bool,
    /// Whether a branch goes to it.
    is_target: bool,
    /// The blocks that a branch from here goes past, from the innermost on.
    passes: Option<Arc<[u32]>>,
}

/// What is read of the code of a function.
pub(super) struct Body<'a> {
    text: &'a [u8],
    kinds: &'a Kinds,
    locals: &'a Locals,
    found: &'a mut Chunks,
    /// From the function on.
    blocks: Vec<Block>,
    stack: Vec<Operand>,
    values: Vec<Value>,
    /// Where the last block ended.
    last_end: usize,
    /// How much more of the module can be taken note of.
    room: &'a mut usize,
}

/// The variables of a function.
pub(super) struct Locals {
    pub kinds: Vec<u8>,
    /// Where that stands with which each goes.
    pub starts: Arc<[u32]>,
}

impl<'a> Body<'a> {
    /// Begins a function that gives such values.
    pub fn new(
        text: &'a [u8],
        kinds: &'a Kinds,
        locals: &'a Locals,
        gives: &[u8],
        (found, room): (&'a mut Chunks, &'a mut usize),
    ) -> Body<'a> {
        let (blocks, stack, values) = Default::default();
        let mut body = Body { text, kinds, locals, found, blocks, stack, values, last_end: 0, room };
        body.begin(0, 0..0, Signature { takes: vec![], gives: gives.to_vec() });
        body
    }

    /// Reads all instructions. Adds what can go, and the fields of variables and branches; and what is named by places.
    pub fn read(mut self, reader: &mut Reader, names: &mut Vec<(Space, Range<usize>)>) {
        let mut is_known = true;
        while reader.at < reader.text.len() {
            let Some(next) = instruction(reader, names) else { break };
            if let (0x20..=0x22, Some(before)) = (next.code, next.number) {
                let holds = FieldValue::Index { of: self.locals.starts.clone(), before };
                self.mend(next.at.start + 1..next.at.end, holds);
            }
            is_known = is_known && self.step(&next).is_some();
        }
        self.add_values();
    }

    /// Adds one instruction. `None` if it is not known what it does, or it is not valid.
    fn step(&mut self, next: &Instruction) -> Option<()> {
        match next.code {
            0x02..=0x04 => return self.open(next),
            ELSE => return self.otherwise(next),
            END => return self.close(next),
            0x0c..=0x0e => self.branch(next)?,
            _ => {}
        }
        self.found.replaced(INSTRUCTIONS, next.at.clone(), &[], &[]);
        match self.kinds.effect(next, &self.locals.kinds)? {
            Effect::Goes(takes, gives) => {
                let (start, operands) = self.take(takes, next.at.start)?;
                self.give(start..next.at.end, operands, gives, true);
            }
            Effect::GivesFirst(takes) => {
                let (start, operands) = self.take(takes, next.at.start)?;
                let kind = operands.first().filter(|_| operands.len() == takes).map_or(ANY, |operand| operand.kind);
                self.give(start..next.at.end, operands, &[kind], true);
            }
            Effect::Stops => {
                let base = self.blocks.last()?.base;
                let start = self.stack.get(base).map_or(next.at.start, |operand| operand.at.start);
                let is_whole = self.stack.drain(base..).all(|operand| operand.is_whole);
                // What stands in place of other code is no statement to ask about. Where a value is expected, nothing else makes it.
                let gives_nothing = self.blocks.last()?.signature.gives.is_empty();
                let with = if gives_nothing { &[] } else { UNREACHABLE };
                if is_whole && !UNREACHABLE.contains(&next.code) {
                    self.statement(start..next.at.end, with);
                }
                self.blocks.last_mut()?.is_dead = true;
            }
        }
        Some(())
    }

    /// Takes so many values from the stack. Returns where their code begins, and that of each with its kind. Where code
    /// is never reached, some need not be there.
    fn take(&mut self, count: usize, end: usize) -> Option<(usize, Vec<Operand>)> {
        let block = self.blocks.last()?;
        let there = self.stack.len().checked_sub(block.base)?;
        if there < count && !block.is_dead {
            return None;
        }
        let mut taken = self.stack.split_off(self.stack.len() - there.min(count));
        let ends: Vec<_> = taken.iter().skip(1).map(|operand| operand.at.start).chain([end]).collect();
        taken.iter_mut().zip(ends).for_each(|(operand, end)| operand.at.end = end);
        Some((taken.first().map_or(end, |operand| operand.at.start), taken))
    }

    /// Puts values on the stack, or notes a statement, of which the instructions make all operands alone or not.
    fn give(&mut self, at: Range<usize>, operands: Vec<Operand>, gives: &[u8], is_alone: bool) {
        let is_whole = is_alone && gives.len() <= 1 && operands.iter().all(|operand| operand.is_whole);
        self.stack.extend(gives.iter().map(|kind| Operand { at: at.clone(), kind: *kind, is_whole }));
        match *gives {
            _ if !is_whole => {}
            [] => self.statement(at, &[]),
            [kind] if kind != ANY => self.values.push(Value { at, kind, operands }),
            _ => {}
        }
    }

    /// Notes a statement and what may stand in its place, if nothing is on the stack that the block has put there.
    fn statement(&mut self, at: Range<usize>, with: &'static [u8]) {
        if self.blocks.last().is_some_and(|block| self.stack.len() <= block.base) {
            let has_blocks = self.last_end > at.start;
            self.found.replaced(of_statement(self.blocks.len() - 1, has_blocks), at, &[], with);
        }
    }

    fn open(&mut self, next: &Instruction) -> Option<()> {
        let kind = *self.text.get(next.at.start + 1)?;
        let signature = match kind {
            0x40 => Signature::default(),
            0x41..=0x7f => Signature { takes: vec![], gives: vec![kind] },
            _ => self.kinds.types.get(next.number?)?.clone(),
        };
        let is_dead = self.blocks.last()?.is_dead;
        let (start, operands) = self.take(signature.takes.len() + usize::from(next.code == IF), next.at.start)?;
        self.begin(start, next.at.clone(), signature);
        let block = self.blocks.last_mut()?;
        block.is_dead = is_dead;
        block.is_whole = operands.iter().all(|operand| operand.is_whole);
        self.put_taken(next.at.end)
    }

    /// Puts on the stack what the innermost block takes, from a place in it on.
    fn put_taken(&mut self, at: usize) -> Option<()> {
        let block = self.blocks.last()?;
        self.stack.truncate(block.base);
        let taken = block.signature.takes.iter().map(|kind| Operand { at: at..at, kind: *kind, is_whole: false });
        self.stack.extend(taken);
        Some(())
    }

    fn begin(&mut self, start: usize, head: Range<usize>, signature: Signature) {
        let base = self.stack.len();
        let (last, passes) = (head.clone(), None);
        self.blocks.push(Block {
            start,
            last,
            head,
            signature,
            base,
            is_dead: false,
            is_whole: true,
            is_target: false,
            passes,
        });
    }

    fn otherwise(&mut self, next: &Instruction) -> Option<()> {
        let depth = self.blocks.len().checked_sub(2)? + 1;
        self.contents(depth, next.at.start);
        let block = self.blocks.last_mut()?;
        block.last = next.at.clone();
        block.is_dead = false;
        // What the block takes is there again.
        self.put_taken(next.at.end)
    }

    fn close(&mut self, next: &Instruction) -> Option<()> {
        let depth = self.blocks.len().checked_sub(1)?;
        self.contents(depth, next.at.start);
        let block = self.blocks.pop()?;
        self.stack.truncate(block.base);
        if depth == 0 {
            return Some(());
        }
        let head = block.head;
        let is_if = self.text[head.start] == IF;
        // Of two alternatives the first one stays, and the condition is not used.
        let rest = if block.last == head { next.at.clone() } else { block.last.start..next.at.end };
        // A branch to it then goes to the one around it, which has to expect as much.
        let expects_nothing = block.signature.gives.is_empty() && self.blocks.last()?.signature.gives.is_empty();
        if !block.is_target || expects_nothing {
            self.found.replaced(of_block(depth - 1) + 1, head, &[rest], if is_if { DROP } else { &[] });
        }
        self.last_end = next.at.end;
        self.give(block.start..next.at.end, vec![], &block.signature.gives, block.is_whole);
        Some(())
    }

    /// Adds what is in a block up to an `else` or its end.
    fn contents(&mut self, depth: usize, end: usize) {
        let Some(block) = self.blocks.last() else { return };
        let at = block.last.end..end;
        // That of a function goes with all functions.
        if let Some(around) = depth.checked_sub(1) {
            self.found.replaced(of_block(around), at, &[], UNREACHABLE);
        }
    }

    /// Adds the fields of a branch, which are lowered if blocks go that it goes past.
    fn branch(&mut self, next: &Instruction) -> Option<()> {
        let mut reader = Reader { text: &self.text[..next.at.end], at: next.at.start + 1 };
        let labels = if next.code == 0x0e { reader.number()?.1.checked_add(1)? } else { 1 };
        for _ in 0..labels {
            let (field, before) = reader.number()?;
            let target = self.blocks.len().checked_sub(before.checked_add(1)?)?;
            self.blocks[target].is_target = true;
            if before > 0 {
                let of = self.passes()?;
                self.mend(field, FieldValue::Index { of, before });
            }
        }
        Some(())
    }

    /// Returns where blocks begin, or the part of them with which they go, from the innermost on.
    fn passes(&mut self) -> Option<Arc<[u32]>> {
        let (block, around) = self.blocks.split_last_mut()?;
        let own = |block: &Block| (block.head.end - 1) as u32;
        if let Some(passes) = &block.passes {
            return Some(passes.clone());
        }
        let around = around.get(1..)?;
        *self.room = self.room.checked_sub(1 + around.len())?;
        let passes: Arc<[u32]> = std::iter::once(own(block)).chain(around.iter().rev().map(own)).collect();
        block.passes = Some(passes.clone());
        Some(passes)
    }

    fn mend(&mut self, field: Range<usize>, holds: FieldValue) {
        self.found.mends.push(Mend { at: field.start as u32..field.end as u32, order: Sevens, holds });
    }

    /// Adds values by their depth: zeros in their place, and each of their first two operands.
    fn add_values(&mut self) {
        let mut values = std::mem::take(&mut self.values);
        values.sort_by_key(|value| (value.at.start, std::cmp::Reverse(value.at.end)));
        let mut around: Vec<usize> = vec![];
        for value in values {
            while around.pop_if(|end| *end <= value.at.start).is_some() {}
            let level = of_value(around.len());
            if let Some(zero) = zero(value.kind) {
                self.found.replaced(level, value.at.clone(), &[], zero);
            }
            let of_kind = value.operands.iter().zip(1..=2).filter(|(operand, _)| operand.kind == value.kind);
            for (Operand { at, .. }, which) in of_kind {
                let (before, after) = (value.at.start..at.start, at.end..value.at.end);
                match before.is_empty() {
                    true => self.found.replaced(level + which, after, &[], &[]),
                    false => self.found.replaced(level + which, before, &[after], &[]),
                }
            }
            around.push(value.at.end);
        }
    }
}

/// Returns the instruction for the zero of a kind. `None` for what is no number.
pub(super) fn zero(kind: u8) -> Option<&'static [u8]> {
    Some(match kind {
        I32 => &[0x41, 0],
        I64 => &[0x42, 0],
        F32 => &[0x43, 0, 0, 0, 0],
        F64 => &[0x44, 0, 0, 0, 0, 0, 0, 0, 0],
        _ => return None,
    })
}
