//! Reads what modules of WebAssembly are made of, one after the other.

use crate::formats::number;
use reduct_input::ByteOrder::Sevens;
use std::ops::Range;

pub(super) struct Reader<'a> {
    /// What is read, up to where it ends.
    pub text: &'a [u8],
    pub at: usize,
}

impl Reader<'_> {
    /// Takes so many bytes.
    pub fn take(&mut self, count: usize) -> Option<Range<usize>> {
        let start = self.at;
        self.at = start.checked_add(count).filter(|end| *end <= self.text.len())?;
        Some(start..self.at)
    }

    pub fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|at| self.text[at.start])
    }

    /// Takes a number in sevens, of up to ten bytes. Returns where it stands.
    pub fn sevens(&mut self) -> Option<Range<usize>> {
        let last = self.text[self.at..].iter().take(10).position(|byte| byte & 0x80 == 0)?;
        self.take(last + 1)
    }

    /// Takes a number that is a length or a place. Returns where it stands.
    pub fn number(&mut self) -> Option<(Range<usize>, usize)> {
        let field = self.sevens()?;
        Some((field.clone(), number(self.text, field, Sevens)?))
    }

    /// Takes the least and, if there is one, the most of something.
    pub fn limits(&mut self) -> Option<()> {
        let kind = self.byte()?;
        self.sevens()?;
        if kind & 1 == 1 {
            self.sevens()?;
        }
        Some(())
    }
}
