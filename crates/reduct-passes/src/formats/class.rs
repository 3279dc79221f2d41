//! Class files of Java: a pool of constants, then fields, methods and attributes with their numbers and lengths. Fields, methods, interfaces,
//! attributes, rows of their tables and instructions go, and the bytes of names. Constants that nothing needs go all at once, as soon as methods have gone: what names the others
//! by their places in the pool is mended. Where an attribute is unknown, it is not seen what that names.

mod attributes;
mod code;

use super::{Chunks, number};
use reduct_input::ByteOrder::Big;
use reduct_input::{FieldValue, Mend};
use std::ops::Range;
use std::sync::Arc;

pub(super) fn chunks(text: &[u8], found: &mut Chunks) {
    // Universal binaries of Mach-O begin alike, with how many programs there are: fewer than versions of classes.
    let is_class = text.starts_with(b"\xca\xfe\xba\xbe") && number(text, 6..8, Big).is_some_and(|version| version > 44);
    let Some(pool) = is_class.then(|| Pool::read(text)).flatten() else { return };
    let end = pool.end;
    let mut class = Class { text, pool, names: vec![], rows: [].into(), found };
    let end = class.all(end).unwrap_or(text.len());
    class.found.part(0, end..text.len());
    class.finish();
}

/// A field that names a constant, or a row of the table of methods that make constants.
type Name = Range<usize>;

struct Class<'a> {
    text: &'a [u8],
    pool: Pool,
    /// What names constants, outside of the pool.
    names: Vec<Name>,
    /// Where the methods stand that make constants.
    rows: Arc<[u32]>,
    found: &'a mut Chunks,
}

/// The constants.
struct Pool {
    /// Where each one begins; one that has two places stands here twice.
    starts: Arc<[u32]>,
    /// What names other constants: by constant, the fields.
    names: Vec<(usize, Name)>,
    /// What names methods that make constants.
    makers: Vec<Name>,
    /// The bytes of names, with their lengths before them.
    texts: Vec<Range<usize>>,
    end: usize,
}

impl Pool {
    fn read(text: &[u8]) -> Option<Pool> {
        let count = number(text, 8..10, Big)?;
        let mut pool = Pool { starts: [].into(), names: vec![], makers: vec![], texts: vec![], end: 10 };
        let mut starts: Vec<u32> = vec![];
        while starts.len() + 1 < count {
            let (own, at) = (starts.len(), pool.end);
            starts.push(at as u32);
            let mut name = |place: usize| pool.names.push((own, at + place..at + place + 2));
            pool.end = match text.get(at)? {
                1 => {
                    let end = at + 3 + number(text, at + 1..at + 3, Big)?;
                    pool.texts.push(at + 3..end);
                    end
                }
                3 | 4 => at + 5,
                5 | 6 => {
                    starts.push(at as u32);
                    at + 9
                }
                7 | 8 | 16 | 19 | 20 => {
                    name(1);
                    at + 3
                }
                9..=12 => {
                    name(1);
                    name(3);
                    at + 5
                }
                15 => {
                    name(2);
                    at + 4
                }
                17 | 18 => {
                    pool.makers.push(at + 1..at + 3);
                    name(3);
                    at + 5
                }
                _ => return None,
            };
        }
        pool.starts = starts.into();
        (pool.end <= text.len()).then_some(pool)
    }

    /// Returns the constant that a number names.
    fn named(&self, number: usize) -> Option<usize> {
        number.checked_sub(1).filter(|constant| *constant < self.starts.len())
    }
}

impl Class<'_> {
    fn number(&self, field: Range<usize>) -> Option<usize> {
        number(self.text, field, Big)
    }

    fn name(&mut self, at: usize) {
        self.names.push(at..at + 2);
    }

    /// Adds all behind the pool. Returns where the class ends, if all of it is there.
    fn all(&mut self, pool_end: usize) -> Option<usize> {
        self.name(pool_end + 2);
        self.name(pool_end + 4);
        let mut at = self.rows(pool_end + 6, 0, "i")?;
        for _ in 0..2 {
            let count = at..at + 2;
            let mut starts = vec![];
            at += 2;
            for _ in 0..self.number(count.clone())? {
                starts.push(at as u32);
                let start = at;
                self.name(at + 2);
                self.name(at + 4);
                at = self.attributes(at + 6, 1)?;
                self.found.part(0, start..at);
            }
            self.found.count(count, Big, &starts.into());
        }
        self.attributes(at, 0)
    }

    /// Adds rows behind their number. Of a row, `i` names a constant, and digits are other bytes. Returns where they end.
    fn rows(&mut self, at: usize, level: usize, row: &str) -> Option<usize> {
        let (mut starts, mut end) = (vec![], at + 2);
        for _ in 0..self.number(at..at + 2)? {
            starts.push(end as u32);
            let start = end;
            end = self.fields(end, row);
            if end > self.text.len() {
                return None;
            }
            self.found.part(level, start..end);
        }
        self.found.count(at..at + 2, Big, &starts.into());
        Some(end)
    }

    /// Adds the fields of a row. Returns where it ends.
    fn fields(&mut self, mut at: usize, row: &str) -> usize {
        for field in row.bytes() {
            if field == b'i' {
                self.name(at);
            }
            at += if field == b'i' { 2 } else { usize::from(field - b'0') };
        }
        at
    }

    /// Adds what depends on all of the class.
    fn finish(mut self) {
        let mut is_needed = vec![false; self.pool.starts.len()];
        let mut next: Vec<usize> = self.names.iter().filter_map(|name| self.constant(name)).collect();
        let inner = std::mem::take(&mut self.pool.names);
        while let Some(constant) = next.pop() {
            if !std::mem::replace(&mut is_needed[constant], true) {
                let first = inner.partition_point(|(own, _)| *own < constant);
                let own = inner[first..].iter().take_while(|(own, _)| *own == constant);
                next.extend(own.filter_map(|(_, name)| self.constant(name)));
            }
        }
        let starts = self.pool.starts.clone();
        // What has two places is named by the first one.
        for second in (1..starts.len()).filter(|second| starts[second - 1] == starts[*second]) {
            is_needed[second] = is_needed[second - 1];
        }
        self.found.count(8..10, Big, &starts);
        self.vain(&is_needed);
        for name in inner.into_iter().map(|(_, name)| name).chain(std::mem::take(&mut self.names)) {
            if let Some(before) = self.constant(&name) {
                self.index(name, before, &starts);
            }
        }
        for maker in std::mem::take(&mut self.pool.makers) {
            if let Some(before) = self.number(maker.clone()) {
                self.index(maker, before, &self.rows.clone());
            }
        }
        for text in std::mem::take(&mut self.pool.texts) {
            self.found.size(text.start - 2..text.start, Big, text.clone(), 1);
            self.found.contents(text, 1);
        }
    }

    fn constant(&self, name: &Name) -> Option<usize> {
        self.pool.named(self.number(name.clone())?)
    }

    fn index(&mut self, field: Range<usize>, before: usize, of: &Arc<[u32]>) {
        let holds = FieldValue::Index { of: of.clone(), before };
        self.found.mends.push(Mend { at: field.start as u32..field.end as u32, order: Big, holds });
    }

    /// Adds all constants that nothing needs as one part: behind fields and methods, and again behind all else, which may have needed more of them.
    fn vain(&mut self, is_needed: &[bool]) {
        let starts = &self.pool.starts;
        let ends = starts.iter().skip(1).map(|end| *end as usize).chain([self.pool.end]);
        let all = starts.iter().map(|start| *start as usize).zip(ends).zip(is_needed);
        // Of one with two places, the first is empty.
        let mut vain = all.filter(|((start, end), is_needed)| start < end && !**is_needed).map(|(at, _)| at);
        if let Some((first, end)) = vain.next() {
            let place = self.found.levels.len().min(1);
            self.found.levels.insert(place, vec![]);
            let last = self.found.levels.len();
            [place, last].into_iter().for_each(|level| self.found.part(level, first..end));
            vain.for_each(|(start, end)| self.found.also(first, start..end));
        }
    }
}
