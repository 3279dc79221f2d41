//! Instructions of WebAssembly: what they name by its place.

use super::Space;
use super::reader::Reader;
use std::ops::Range;

type Names = Vec<(Space, Range<usize>)>;

/// Adds what instructions name, up to the first that is not known.
pub(super) fn all(reader: &mut Reader, names: &mut Names) {
    while reader.at < reader.text.len() && instruction(reader, names).is_some() {}
}

/// Adds what an expression names: instructions without blocks, and an end.
pub(super) fn expression(reader: &mut Reader, names: &mut Names) -> Option<()> {
    while instruction(reader, names)? != END {}
    Some(())
}

const END: u8 = 0x0b;

/// Reads an instruction, and returns its first byte.
fn instruction(reader: &mut Reader, names: &mut Names) -> Option<u8> {
    let code = reader.byte()?;
    let mut name = |space, reader: &mut Reader| {
        let field = reader.number()?.0;
        names.push((space, field));
        Some(())
    };
    match code {
        0x00 | 0x01 | 0x05 | END | 0x0f | 0x1a | 0x1b | 0x45..=0xc4 | 0xd1 => {}
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
        0x0e => {
            for _ in 0..=reader.number()?.1 {
                reader.sevens()?;
            }
        }
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
        0xfc => match reader.number()?.1 {
            0..=7 => {}
            8 | 10 | 12 | 14 => {
                reader.sevens()?;
                reader.sevens()?;
            }
            9 | 11 | 13 | 15..=17 => {
                reader.sevens()?;
            }
            _ => return None,
        },
        _ => return None,
    }
    Some(code)
}
