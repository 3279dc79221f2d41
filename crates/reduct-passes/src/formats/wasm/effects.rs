//! What instructions of WebAssembly take from the stack, and give to it.

use super::code::Instruction;

/// The kinds of values.
pub(super) const I32: u8 = 0x7f;
pub(super) const I64: u8 = 0x7e;
pub(super) const F32: u8 = 0x7d;
pub(super) const F64: u8 = 0x7c;
/// A kind that is not known.
pub(super) const ANY: u8 = 0;

/// What a function or a block takes and gives: kinds of values.
#[derive(Clone, Debug, Default)]
pub(super) struct Signature {
    pub takes: Vec<u8>,
    pub gives: Vec<u8>,
}

/// What code names by places: what it takes and gives.
#[derive(Debug, Default)]
pub(super) struct Kinds {
    pub types: Vec<Signature>,
    /// The types of functions, by their places.
    pub functions: Vec<usize>,
    pub globals: Vec<u8>,
}

/// What an instruction that is no block does to the stack.
pub(super) enum Effect<'a> {
    /// It takes so many values, and gives these.
    Goes(usize, &'a [u8]),
    /// It takes so many values, and gives the first of them, or another of its kind.
    GivesFirst(usize),
    /// What stands behind it is never reached.
    Stops,
}

use Effect::{GivesFirst, Goes, Stops};

/// Kinds of numbers, as the result of an instruction.
const INT: &[u8] = &[I32];
const LONG: &[u8] = &[I64];
const FLOAT: &[u8] = &[F32];
const DOUBLE: &[u8] = &[F64];

impl Kinds {
    /// Returns the type of a function.
    pub fn function(&self, place: usize) -> Option<&Signature> {
        self.types.get(*self.functions.get(place)?)
    }

    /// Returns what an instruction does. `None` if it is a block, or not known.
    pub fn effect(&self, instruction: &Instruction, locals: &[u8]) -> Option<Effect<'_>> {
        let place = instruction.number;
        Some(match instruction.code {
            0x00 | 0x08 | 0x0c | 0x0e | 0x0f | 0x12 | 0x13 => Stops,
            0x01 => Goes(0, &[]),
            0x0d | 0x1a | 0x21 | 0x24 => Goes(1, &[]),
            0x10 => called(self.function(place?)?, 0),
            0x11 => called(self.types.get(place?)?, 1),
            0x1b | 0x1c => GivesFirst(3),
            0x22 => GivesFirst(1),
            0x20 => Goes(0, kind(*locals.get(place?)?)),
            0x23 => Goes(0, kind(*self.globals.get(place?)?)),
            0x25 | 0xd0 | 0xd2 => Goes(usize::from(instruction.code == 0x25), &[ANY]),
            0x26 | 0x36..=0x3e => Goes(2, &[]),
            0x28..=0x35 => Goes(1, loaded(instruction.code)),
            0x3f => Goes(0, INT),
            0x40 | 0xd1 => Goes(1, INT),
            0x41..=0x44 => Goes(0, [INT, LONG, FLOAT, DOUBLE][usize::from(instruction.code - 0x41)]),
            0x45..=0xc4 => computed(instruction.code),
            0xfc => of_tables(place?)?,
            _ => return None,
        })
    }
}

/// Returns what a call does that takes some values besides.
fn called(signature: &Signature, besides: usize) -> Effect<'_> {
    Goes(signature.takes.len() + besides, &signature.gives)
}

/// Returns a kind as the result of an instruction.
fn kind(kind: u8) -> &'static [u8] {
    match kind {
        I32 => INT,
        I64 => LONG,
        F32 => FLOAT,
        F64 => DOUBLE,
        _ => &[ANY],
    }
}

fn loaded(code: u8) -> &'static [u8] {
    match code {
        0x28 | 0x2c..=0x2f => INT,
        0x29 | 0x30.. => LONG,
        0x2a => FLOAT,
        _ => DOUBLE,
    }
}

/// Returns what comparisons, arithmetic and conversions do.
fn computed(code: u8) -> Effect<'static> {
    let takes = match code {
        0x46..=0x4f | 0x51..=0x66 | 0x6a..=0x78 | 0x7c..=0x8a | 0x92..=0x98 | 0xa0..=0xa6 => 2,
        _ => 1,
    };
    let gives = match code {
        ..=0x78 | 0xa7..=0xab | 0xbc | 0xc0 | 0xc1 => INT,
        ..=0x8a | 0xac..=0xb1 | 0xbd | 0xc2.. => LONG,
        ..=0x98 | 0xb2..=0xb6 | 0xbe => FLOAT,
        _ => DOUBLE,
    };
    Goes(takes, gives)
}

/// Returns what conversions that do not trap, and instructions on memories and tables do, by their second number.
fn of_tables(second: usize) -> Option<Effect<'static>> {
    Some(match second {
        0..=3 => Goes(1, INT),
        4..=7 => Goes(1, LONG),
        8 | 10..=12 | 14 | 17 => Goes(3, &[]),
        9 | 13 => Goes(0, &[]),
        15 => Goes(2, INT),
        16 => Goes(0, INT),
        _ => return None,
    })
}
