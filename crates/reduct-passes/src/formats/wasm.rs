//! WebAssembly: sections of a byte of identifier, a length in sevens (LEB128), and data, which is a list of entries in most of them. Sections go;
//! then all of a function's code but a zero, which is an instruction that never goes on, if there is one; then entries, functions with their code.
//! What names others by their places is mended.

mod code;
mod reader;

use super::{Chunks, number};
use reader::Reader;
use reduct_input::ByteOrder::Sevens;
use reduct_input::{FieldValue, Mend};
use std::ops::Range;
use std::sync::Arc;

pub(super) fn chunks(text: &[u8], found: &mut Chunks) {
    if !text.starts_with(b"\0asm") {
        return;
    }
    // Components begin alike, and number their sections otherwise.
    let is_module = text.get(4..8) == Some(&[1, 0, 0, 0]);
    let (spaces, unknown) = Default::default();
    let mut module = Module { text, found, spaces, unknown, names: vec![], functions: vec![], data: None };
    let mut at = 8;
    while at < text.len() {
        let field = text[at + 1..].iter().take(5).position(|byte| byte & 0x80 == 0).map(|last| at + 1..at + 2 + last);
        let Some(field) = field else { break };
        let Some(length) = number(text, field.clone(), Sevens) else { break };
        let end = field.end.saturating_add(length);
        let data = field.end..end;
        if end > text.len() {
            break;
        }
        module.found.part(0, at..end);
        module.found.size(field, Sevens, data.clone(), 1);
        if !is_module || module.section(text[at], data.clone()).is_none() {
            module.found.contents(data, 1);
        }
        at = end;
    }
    module.found.part(0, at.min(text.len())..text.len());
    module.finish();
}

/// What has places by which it is named.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Space {
    Types,
    Functions,
    Tables,
    Memories,
    Globals,
    /// Exceptions that can be thrown.
    Tags,
}

const SPACES: usize = 6;

/// Spaces by the numbers that imports and exports have for them.
const KINDS: [Space; 5] = [Space::Functions, Space::Tables, Space::Memories, Space::Globals, Space::Tags];

/// The form of a type that is that of a function.
const FUNCTION: u8 = 0x60;

struct Module<'a> {
    text: &'a [u8],
    found: &'a mut Chunks,
    /// Where that stands which has places, by space.
    spaces: [Vec<u32>; SPACES],
    /// Spaces of which not all that has places could be read.
    unknown: [bool; SPACES],
    /// Fields that hold a place.
    names: Vec<(Space, Range<usize>)>,
    /// The types of functions that are defined here, which go with their code.
    functions: Vec<Range<usize>>,
    /// Where it is said, before the code, how many data there are.
    data: Option<Range<usize>>,
}

/// Numbers of sections.
const DATA: u8 = 11;
const DATA_COUNT: u8 = 12;
const TAGS: u8 = 13;

/// The levels: sections, code, entries.
const CODE: usize = 1;
const ENTRIES: usize = 2;

impl Module<'_> {
    /// Adds the entries of a section, or nothing. `None` if it has none, or is not as it should be.
    fn section(&mut self, section: u8, data: Range<usize>) -> Option<()> {
        let outer = std::mem::take(self.found);
        let is_read = self.entries(section, data);
        let inner = std::mem::replace(self.found, outer);
        match is_read {
            Some(()) => self.found.append(inner, 0),
            None => self.lose(section),
        }
        is_read
    }

    /// Adds the entries of a section. `None` if it has none, or is not as it should be.
    fn entries(&mut self, section: u8, data: Range<usize>) -> Option<()> {
        let mut reader = Reader { text: &self.text[..data.end], at: data.start };
        if section == 8 {
            self.names.push((Space::Functions, reader.number()?.0));
            return Some(());
        }
        if section == DATA_COUNT {
            let count = reader.number()?.0;
            self.data = (reader.at == data.end).then_some(count);
            return self.data.is_some().then_some(());
        }
        if !(1..=7).contains(&section) && ![9, 10, DATA, TAGS].contains(&section) {
            return None;
        }
        let (field, count) = reader.number()?;
        let mut starts = vec![];
        for index in 0..count {
            let start = reader.at;
            starts.push(start as u32);
            self.entry(section, index, &mut reader)?;
            // Types of functions go with their code.
            if section != 3 {
                self.found.part(ENTRIES, start..reader.at);
            }
        }
        let starts = starts.into();
        let said = self.data.take_if(|_| section == DATA);
        if let Some(said) = said.filter(|said| number(self.text, said.clone(), Sevens) == Some(count)) {
            self.found.count(said, Sevens, &starts);
        }
        self.found.count(field, Sevens, &starts);
        (reader.at == data.end).then_some(())
    }

    fn entry(&mut self, section: u8, index: usize, reader: &mut Reader) -> Option<()> {
        let start = reader.at as u32;
        match section {
            1 => {
                self.spaces[Space::Types as usize].push(start);
                (reader.byte()? == FUNCTION).then_some(())?;
                for _ in 0..2 {
                    let (field, count) = reader.number()?;
                    let types = reader.take(count)?;
                    self.found.size(field, Sevens, types.clone(), 1);
                    self.found.contents(types, 1);
                }
            }
            2 => self.import(reader)?,
            3 => {
                self.spaces[Space::Functions as usize].push(start);
                let field = reader.number()?.0;
                self.functions.push(field.clone());
                self.names.push((Space::Types, field));
            }
            4 => {
                self.spaces[Space::Tables as usize].push(start);
                reader.take(1)?;
                reader.limits()?;
            }
            5 => {
                self.spaces[Space::Memories as usize].push(start);
                reader.limits()?;
            }
            6 => {
                self.spaces[Space::Globals as usize].push(start);
                reader.take(2)?;
                code::expression(reader, &mut self.names)?;
            }
            7 => {
                self.string(reader)?;
                let kind = reader.byte()?;
                let field = reader.number()?.0;
                self.names.extend(KINDS.get(usize::from(kind)).map(|space| (*space, field)));
            }
            9 => self.elements(reader)?,
            10 => self.function(index, reader)?,
            TAGS => {
                self.spaces[Space::Tags as usize].push(start);
                self.tag(reader)?;
            }
            _ => {
                let kind = reader.number()?.1;
                if kind == 2 {
                    self.names.push((Space::Memories, reader.number()?.0));
                }
                if kind != 1 {
                    code::expression(reader, &mut self.names)?;
                }
                self.string(reader)?;
            }
        }
        Some(())
    }

    /// Notes that a section could not be read, so that what stands behind it has other places than it seems to.
    fn lose(&mut self, section: u8) {
        let lost = match section {
            1 => &[Space::Types][..],
            2 => &KINDS,
            3 => &[Space::Functions],
            4 => &[Space::Tables],
            5 => &[Space::Memories],
            6 => &[Space::Globals],
            TAGS => &[Space::Tags],
            _ => &[],
        };
        lost.iter().for_each(|space| self.unknown[*space as usize] = true);
    }

    /// Adds a length and so many bytes, which can go.
    fn string(&mut self, reader: &mut Reader) -> Option<()> {
        let (field, length) = reader.number()?;
        let bytes = reader.take(length)?;
        self.found.size(field, Sevens, bytes.clone(), 1);
        self.found.contents(bytes, 1);
        Some(())
    }

    fn import(&mut self, reader: &mut Reader) -> Option<()> {
        let start = reader.at as u32;
        self.string(reader)?;
        self.string(reader)?;
        let space = *KINDS.get(usize::from(reader.byte()?))?;
        self.spaces[space as usize].push(start);
        match space {
            Space::Types => {}
            Space::Functions => self.names.push((Space::Types, reader.number()?.0)),
            Space::Tables => {
                reader.take(1)?;
                reader.limits()?;
            }
            Space::Memories => reader.limits()?,
            Space::Globals => {
                reader.take(2)?;
            }
            Space::Tags => self.tag(reader)?,
        }
        Some(())
    }

    /// Adds the type of an exception, before which a byte stands.
    fn tag(&mut self, reader: &mut Reader) -> Option<()> {
        reader.take(1)?;
        self.names.push((Space::Types, reader.number()?.0));
        Some(())
    }

    /// Adds elements of a table: functions, or expressions that make them.
    fn elements(&mut self, reader: &mut Reader) -> Option<()> {
        let kind = reader.number()?.1;
        let is_passive = kind & 1 == 1;
        if !is_passive {
            if kind & 2 == 2 {
                self.names.push((Space::Tables, reader.number()?.0));
            }
            code::expression(reader, &mut self.names)?;
        }
        if kind & 3 != 0 {
            reader.take(1)?;
        }
        let (field, count) = reader.number()?;
        let mut starts = vec![];
        for _ in 0..count {
            let start = reader.at;
            starts.push(start as u32);
            if kind & 4 == 0 {
                self.names.push((Space::Functions, reader.number()?.0));
            } else {
                code::expression(reader, &mut self.names)?;
            }
            self.found.part(ENTRIES + 1, start..reader.at);
        }
        self.found.count(field, Sevens, &starts.into());
        Some(())
    }

    /// Adds the code of a function: kinds of variables, then instructions up to an end.
    fn function(&mut self, index: usize, reader: &mut Reader) -> Option<()> {
        let start = reader.at;
        if let Some(own) = self.functions.get(index) {
            self.found.also(start, own.clone());
        }
        let (field, length) = reader.number()?;
        let body = reader.take(length)?;
        self.found.size(field, Sevens, body.clone(), 1);
        let mut inside = Reader { text: &self.text[..body.end], at: body.start };
        let (field, count) = inside.number()?;
        let mut starts = vec![];
        for _ in 0..count {
            let start = inside.at;
            starts.push(start as u32);
            inside.number()?;
            inside.take(1)?;
            self.found.part(ENTRIES + 1, start..inside.at);
        }
        self.found.count(field, Sevens, &starts.into());
        let instructions = inside.at..body.end;
        code::all(&mut inside, &mut self.names);
        self.shortest(instructions.clone());
        self.found.contents(instructions, 1);
        Some(())
    }

    /// Adds all instructions but a zero and the end: such a function never goes on, so it needs no result.
    fn shortest(&mut self, instructions: Range<usize>) {
        let end = instructions.end.saturating_sub(1);
        let zero = self.text[instructions.start..end.max(instructions.start)].iter().position(|byte| *byte == 0);
        let Some(zero) = zero.map(|zero| instructions.start + zero) else { return };
        let (before, after) = (instructions.start..zero, zero + 1..end);
        match (before.is_empty(), after.is_empty()) {
            (true, _) => self.found.part(CODE, after),
            (false, true) => self.found.part(CODE, before),
            (false, false) => {
                self.found.also(before.start, after);
                self.found.part(CODE, before);
            }
        }
    }

    /// Adds the fields that hold places.
    fn finish(self) {
        let spaces: [Arc<[u32]>; SPACES] = self.spaces.map(Arc::from);
        for (space, field) in self.names {
            let (of, is_unknown) = (&spaces[space as usize], self.unknown[space as usize]);
            let is_there = |before: &usize| *before < of.len() && !is_unknown;
            if let Some(before) = number(self.text, field.clone(), Sevens).filter(is_there) {
                let holds = FieldValue::Index { of: of.clone(), before };
                self.found.mends.push(Mend { at: field.start as u32..field.end as u32, order: Sevens, holds });
            }
        }
    }
}
