//! WebAssembly: sections of a byte of identifier, a length in sevens (LEB128), and data, which is a list of entries in most of them. Sections go;
//! then all of a function's code, the large ones first, but an instruction that never goes on, or a zero that is its result; then data, and its statements; then entries, functions with their code; then what
//! is in their blocks and values.
//! What names others by their places is mended.

mod body;
mod code;
mod effects;
mod levels;
mod places;
mod reader;

use super::{Chunks, number};
use body::{Body, Locals, UNREACHABLE};
use effects::{Kinds, Signature};
use levels::{CODE, ENTRIES, LARGE_CODE, RETURNS, SEGMENTS};
use places::{KINDS, SPACES, Space};
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
    let (spaces, unknown, kinds) = Default::default();
    let room = ROOM;
    let mut module = Module { text, found, spaces, unknown, names: vec![], functions: vec![], data: None, kinds, room };
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
    /// What is known of what code names.
    kinds: Kinds,
    /// How much more can be taken note of.
    room: usize,
}

/// From this fraction of a module on the code of a function is large.
const LARGE: usize = 64;

/// How many bytes of code, variables, and blocks that branches go past are taken note of in a module, all together: more only cost time as
/// long as whole functions can go.
const ROOM: usize = 1 << 20;

/// Numbers of sections.
const DATA: u8 = 11;
const DATA_COUNT: u8 = 12;
const TAGS: u8 = 13;

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
            match section {
                // Types of functions go with their code.
                3 => {}
                // There are few, and large ones.
                DATA => self.found.part(SEGMENTS, start..reader.at),
                _ => self.found.part(ENTRIES, start..reader.at),
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
                let (takes, gives) = (self.types(reader)?, self.types(reader)?);
                self.kinds.types.push(Signature { takes, gives });
            }
            2 => self.import(reader)?,
            3 => {
                self.spaces[Space::Functions as usize].push(start);
                let (field, place) = reader.number()?;
                self.kinds.functions.push(place);
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
                self.global(reader)?;
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
        if !lost.is_empty() {
            // So it is not known either what code does that names them.
            self.kinds = Kinds::default();
            self.room = 0;
        }
    }

    /// Adds kinds of values, which can go, with their number before them.
    fn types(&mut self, reader: &mut Reader) -> Option<Vec<u8>> {
        let (field, count) = reader.number()?;
        let types = reader.take(count)?;
        self.found.size(field, Sevens, types.clone(), 1);
        self.found.contents(types.clone(), 1);
        Some(self.text[types].to_vec())
    }

    /// Reads the kind of a global, and whether it can be changed.
    fn global(&mut self, reader: &mut Reader) -> Option<()> {
        let kind = reader.byte()?;
        self.kinds.globals.push(kind);
        reader.take(1)?;
        Some(())
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
            Space::Functions => {
                let (field, place) = reader.number()?;
                self.kinds.functions.push(place);
                self.names.push((Space::Types, field));
            }
            Space::Tables => {
                reader.take(1)?;
                reader.limits()?;
            }
            Space::Memories => reader.limits()?,
            Space::Globals => self.global(reader)?,
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
        let place = self.kinds.functions.len().checked_sub(self.functions.len());
        let signature = place.and_then(|imported| self.kinds.function(imported + index)).cloned();
        // Without its type it is not known which variables are parameters.
        let room = signature.as_ref().and_then(|_| self.room.checked_sub(body.len()));
        self.room = room.unwrap_or(0);
        let takes = signature.as_ref().map_or(&[][..], |signature| &signature.takes);
        let gives = signature.as_ref().map_or(&[][..], |signature| &signature.gives);
        let locals = self.locals(start, takes, &mut inside)?.filter(|_| room.is_some());
        let instructions = inside.at..body.end;
        match locals {
            Some(locals) => {
                let places = (&mut *self.found, &mut self.room);
                Body::new(self.text, &self.kinds, &locals, gives, places).read(&mut inside, &mut self.names);
            }
            None => code::all(&mut inside, &mut self.names),
        }
        let code = instructions.start..instructions.end.saturating_sub(1);
        match signature.as_ref().map(|signature| &signature.gives[..]) {
            Some([]) => self.found.part(RETURNS, code.clone()),
            Some([kind]) => {
                body::zero(*kind).into_iter().for_each(|zero| self.found.replaced(RETURNS, code.clone(), &[], zero))
            }
            _ => {}
        }
        let level = if code.len() >= self.text.len() / LARGE { LARGE_CODE } else { CODE };
        self.found.replaced(level, code, &[], UNREACHABLE);
        self.found.contents(instructions, 1);
        Some(())
    }

    /// Adds the variables of a function, which stand before its instructions, if there are not too many. Its parameters, of these kinds, go
    /// with it. `None` if it is not as it should be.
    fn locals(&mut self, function: usize, takes: &[u8], reader: &mut Reader) -> Option<Option<Locals>> {
        let mut kinds = takes.to_vec();
        let mut starts = vec![function as u32; kinds.len()];
        let (field, count) = reader.number()?;
        let mut groups = vec![];
        let mut room = self.room.checked_sub(kinds.len());
        for _ in 0..count {
            let start = reader.at;
            let alike = reader.number()?.1;
            groups.push(start..reader.at + 1);
            let kind = reader.byte()?;
            room = room.and_then(|room| room.checked_sub(alike));
            if room.is_some() {
                kinds.extend(std::iter::repeat_n(kind, alike));
                starts.resize(kinds.len(), start as u32);
            }
        }
        // Variables that cannot be mended stay.
        let Some(room) = room else { return Some(None) };
        self.room = room;
        let places: Vec<u32> = groups.iter().map(|group| group.start as u32).collect();
        self.found.count(field, Sevens, &places.into());
        groups.into_iter().for_each(|group| self.found.part(ENTRIES + 1, group));
        Some(Some(Locals { kinds, starts: starts.into() }))
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
