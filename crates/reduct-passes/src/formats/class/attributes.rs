//! Attributes: a name, a length, and what the name says.

use super::{Class, code};
use reduct_input::ByteOrder::Big;
use std::ops::Range;

/// The level of instructions.
const INSTRUCTIONS: usize = 4;

/// What is in an attribute.
enum Layout {
    /// Constants.
    Names(&'static str),
    /// A number of rows.
    Rows(&'static str),
    Code,
    Frames,
    Makers,
}

/// Attributes that name constants.
const LAYOUTS: &[(&[u8], Layout)] = &[
    (b"ConstantValue", Layout::Names("i")),
    (b"Signature", Layout::Names("i")),
    (b"SourceFile", Layout::Names("i")),
    (b"NestHost", Layout::Names("i")),
    (b"EnclosingMethod", Layout::Names("ii")),
    (b"Exceptions", Layout::Rows("i")),
    (b"NestMembers", Layout::Rows("i")),
    (b"PermittedSubclasses", Layout::Rows("i")),
    (b"InnerClasses", Layout::Rows("iii2")),
    (b"LineNumberTable", Layout::Rows("4")),
    (b"LocalVariableTable", Layout::Rows("4ii2")),
    (b"LocalVariableTypeTable", Layout::Rows("4ii2")),
    (b"Code", Layout::Code),
    (b"StackMapTable", Layout::Frames),
    (b"BootstrapMethods", Layout::Makers),
];

impl Class<'_> {
    /// Adds attributes behind their number. Returns where they end. Attributes of attributes end where what they are in does, or that is
    /// not what it seems.
    pub(super) fn attributes(&mut self, at: usize, level: usize) -> Option<usize> {
        let (mut starts, mut end) = (vec![], at + 2);
        for _ in 0..self.number(at..at + 2)? {
            let start = end;
            let inside = start + 6;
            end = inside.checked_add(self.number(start + 2..inside)?).filter(|end| *end <= self.text.len())?;
            starts.push(start as u32);
            self.name(start);
            self.found.part(level, start..end);
            self.found.size(start + 2..inside, Big, inside..end, 1);
            self.attribute(start, inside..end, level);
        }
        self.found.count(at..at + 2, Big, &starts.into());
        Some(end)
    }

    /// Adds what is in the attribute at a position, and nothing behind it, whatever numbers in it say.
    fn attribute(&mut self, at: usize, inside: Range<usize>, level: usize) {
        let whole = self.text;
        self.text = &whole[..inside.end];
        self.content(at, inside, level);
        self.text = whole;
    }

    fn content(&mut self, at: usize, inside: Range<usize>, level: usize) {
        let constant = self.constant(&(at..at + 2)).map(|constant| self.pool.starts[constant] as usize + 3);
        let text = constant.and_then(|start| Some(start..start + self.number(start - 2..start)?));
        let name = text.and_then(|text| self.text.get(text)).unwrap_or_default();
        match LAYOUTS.iter().find(|(known, _)| *known == name).map(|(_, layout)| layout) {
            Some(Layout::Names(row)) => {
                self.fields(inside.start, row);
            }
            Some(Layout::Rows(row)) => {
                self.rows(inside.start, level + 1, row);
            }
            // There is code in code only where a file is broken.
            Some(Layout::Code) if level == 1 => {
                self.code(inside.start);
            }
            Some(Layout::Frames) => {
                self.frames(inside.start);
            }
            Some(Layout::Makers) => {
                self.makers(inside.start, level + 1);
            }
            _ => self.found.contents(inside, 1),
        }
    }

    /// Adds the code of a method: how much it needs, instructions, what catches exceptions, attributes.
    fn code(&mut self, at: usize) -> Option<usize> {
        let first = at + 8;
        let end = first.checked_add(self.number(at + 4..first)?).filter(|end| *end <= self.text.len())?;
        self.found.size(at + 4..first, Big, first..end, 1);
        for instruction in code::instructions(self.text, first..end) {
            if let Some((field, is_short)) = instruction.name {
                self.names.push(field..field + if is_short { 1 } else { 2 });
            }
            self.found.part(INSTRUCTIONS, instruction.at);
        }
        let attributes = self.rows(end, 2, "6i")?;
        self.attributes(attributes, 2)
    }

    /// Adds the methods that make constants, each with constants that it takes.
    fn makers(&mut self, at: usize, level: usize) -> Option<()> {
        let (mut starts, mut end) = (vec![], at + 2);
        for _ in 0..self.number(at..at + 2)? {
            let start = end;
            starts.push(start as u32);
            self.name(start);
            end = self.rows(start + 2, level + 1, "i")?;
            self.found.part(level, start..end);
        }
        self.rows = starts.into();
        self.found.count(at..at + 2, Big, &self.rows.clone());
        Some(())
    }

    /// Adds the constants that are named where the kinds of values on the stack are said, for places of the code.
    fn frames(&mut self, at: usize) -> Option<()> {
        let mut next = at + 2;
        for _ in 0..self.number(at..at + 2)? {
            let kind = *self.text.get(next)?;
            next += 1;
            match kind {
                0..=63 => {}
                64..=127 => next = self.kinds(next, 1)?,
                247 => next = self.kinds(next + 2, 1)?,
                248..=251 => next += 2,
                252..=254 => next = self.kinds(next + 2, usize::from(kind - 251))?,
                255 => {
                    let stack = self.kinds(next + 4, self.number(next + 2..next + 4)?)?;
                    next = self.kinds(stack + 2, self.number(stack..stack + 2)?)?;
                }
                _ => return None,
            }
        }
        Some(())
    }

    /// Adds the constants that so many kinds of values name. Returns where they end.
    fn kinds(&mut self, mut at: usize, count: usize) -> Option<usize> {
        for _ in 0..count {
            match self.text.get(at)? {
                7 => {
                    self.name(at + 1);
                    at += 3;
                }
                8 => at += 3,
                _ => at += 1,
            }
        }
        Some(at)
    }
}
