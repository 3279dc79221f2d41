//! Instructions of WebAssembly: what they name by its place.

use super::places::Space;
use super::reader::Reader;
use std::ops::Range;

type Names = Vec<(Space, Range<usize>)>;

/// Adds what instructions name, up to the first that is not known.
pub(super) fn all(reader: &mut Reader, names: &mut Names) {
    while reader.at < reader.text.len() && instruction(reader, names).is_some() {}
}

/// Reads what an expression names: instructions without blocks, and an end.
pub(super) fn expression(reader: &mut Reader, names: &mut Names) -> Option<()> {
    while instruction(reader, names)?.code != END {}
    Some(())
}

pub(super) const ELSE: u8 = 0x05;
pub(super) const END: u8 = 0x0b;

/// An instruction.
pub(super) struct Instruction {
    pub at: Range<usize>,
    /// Its first byte.
    pub code: u8,
    /// The first number after it, if it is known.
    pub number: Option<usize>,
}

/// Reads an instruction, and adds what it names.
pub(super) fn instruction(reader: &mut Reader, names: &mut Names) -> Option<Instruction> {
    let start = reader.at;
    let code = reader.byte()?;
    let mut first = Reader { text: reader.text, at: reader.at };
    let number = first.number().map(|(_, number)| number);
    let mut name = |space, reader: &mut Reader| {
        let field = reader.number()?.0;
        names.push((space, field));
        Some(())
    };
    match code {
        0x00 | 0x01 | ELSE | END | 0x0f | 0x1a | 0x1b | 0x45..=0xc4 | 0xd1 => {}
        // The type of a block is none, one of a value, or the place of a type.
        0x02..=0x04 => match *reader.text.get(reader.at)? {
            0x40..=0x7f => {
                reader.take(1)?;
            }
            _ => name(Space::Types, reader)?,
        },
        0x10 | 0x12 | 0xd2 => name(Space::Functions, reader)?,
        0x11 | 0x13 => {
            name(Space::Types, reader)?;
            name(Space::Tables, reader)?;
        }
        0x0e => (0..=reader.number()?.1).try_for_each(|_| reader.sevens().map(drop))?,
        0x1c => {
            let count = reader.number()?.1;
            reader.take(count)?;
        }
        0x08 => name(Space::Tags, reader)?,
        0x23 | 0x24 => name(Space::Globals, reader)?,
        0x25 | 0x26 => name(Space::Tables, reader)?,
        0x0c | 0x0d | 0x20..=0x22 | 0x3f..=0x42 => {
            reader.sevens()?;
        }
        0x28..=0x3e => {
            reader.sevens()?;
            reader.sevens()?;
        }
        0x43 => {
            reader.take(4)?;
        }
        0x44 => {
            reader.take(8)?;
        }
        0xd0 => {
            reader.take(1)?;
        }
        0xfc => tables(reader)?,
        0xfd => vectors(reader)?,
        0xfe => atomics(reader)?,
        _ => return None,
    }
    Some(Instruction { at: start..reader.at, code, number })
}

/// Reads what follows in an instruction on vectors.
fn vectors(reader: &mut Reader) -> Option<()> {
    let second = reader.number()?.1;
    if matches!(second, 0..=11 | 84..=93) {
        reader.sevens()?;
        reader.sevens()?;
    }
    let more = match second {
        12 | 13 => 16,
        21..=34 | 84..=91 => 1,
        _ => 0,
    };
    reader.take(more)?;
    Some(())
}

/// Reads what follows in conversions that do not trap, and in instructions on memories and tables.
fn tables(reader: &mut Reader) -> Option<()> {
    let numbers = match reader.number()?.1 {
        0..=7 => 0,
        8 | 10 | 12 | 14 => 2,
        9 | 11 | 13 | 15..=17 => 1,
        _ => return None,
    };
    (0..numbers).try_for_each(|_| reader.sevens().map(drop))
}

/// Reads what follows in atomic access: all but a fence says where.
fn atomics(reader: &mut Reader) -> Option<()> {
    if reader.number()?.1 == 3 {
        reader.take(1)?;
        return Some(());
    }
    (0..2).try_for_each(|_| reader.sevens().map(drop))
}
