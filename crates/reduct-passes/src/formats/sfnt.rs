//! Fonts (TrueType, OpenType): a directory with the place, the length and the sum of each table. Tables go with their rows, or all that is in them.
//!
//! A glyph is an entry of `loca`, what that points to in `glyf`, and its measures in `hmtx`. It goes with all three, and the numbers of those behind it are lower,
//! where they are counted and where parts of others and `cmap` (in its form 12) name them. Without the table `loca` there are no glyphs.

mod cmap;

use super::{Chunks, number};
use reduct_input::ByteOrder::Big;
use reduct_input::{FieldValue, Mend, Sum};
use std::ops::Range;
use std::sync::Arc;

/// What fonts begin with.
const KINDS: [&[u8]; 3] = [b"\0\x01\0\0", b"OTTO", b"true"];

/// Where the first row stands, and how long one is.
const ROWS: usize = 12;
const ROW: usize = 16;

/// The levels: tables, what is in them, glyphs, what their entries point to, and groups of characters.
const TABLES: usize = 0;
const INSIDE: usize = 1;
const GLYPHS: usize = 2;
const OUTLINES: usize = 3;
const GROUPS: usize = 4;

/// How a number is said to be one of a part that follows another one in a glyph, and what its flags say of what stands behind it.
const WORDS: usize = 1;
const ONE_SCALE: usize = 1 << 3;
const MORE: usize = 1 << 5;
const TWO_SCALES: usize = 1 << 6;
const FOUR_SCALES: usize = 1 << 7;

/// A table of the font, with its name.
struct Table<'a> {
    name: &'a [u8],
    row: usize,
    at: Range<usize>,
}

pub(super) fn chunks(text: &[u8], found: &mut Chunks) {
    if !KINDS.iter().any(|kind| text.starts_with(kind)) {
        return;
    }
    let tables = tables(text);
    let mut places: Vec<&Range<usize>> = tables.iter().map(|table| &table.at).collect();
    places.sort_by_key(|at| (at.start, at.end));
    if tables.is_empty() || places.windows(2).any(|pair| pair[1].start < pair[0].end) {
        return;
    }
    let rows: Arc<[u32]> = tables.iter().map(|table| table.row as u32).collect();
    found.count(4..6, Big, &rows);
    for table in &tables {
        let (row, at) = (table.row, table.at.clone());
        // With zeros that are there to have the next one begin at a round number.
        let next =
            places.get(places.partition_point(|other| other.start < at.end)).map_or(text.len(), |next| next.start);
        let padded = at.start..at.end.next_multiple_of(4).min(next);
        found.replaced(TABLES, row..row + ROW, std::slice::from_ref(&padded), &[]);
        found.part(INSIDE, at.clone());
        found.check(text, row + 4..row + 8, Big, Sum::Words, at.clone());
        found.size(row + 8..row + 12, Big, 0..at.start, 1);
        found.size(row + 12..row + 16, Big, at.clone(), 1);
    }
    let glyphs = Glyphs::of(text, &tables);
    glyphs.iter().for_each(|glyphs| glyphs.add(found));
    let is_taken = |name: &[u8]| glyphs.is_some() && TAKEN.contains(&name);
    tables.iter().filter(|table| !is_taken(table.name)).for_each(|table| found.contents(table.at.clone(), 1));
}

/// Tables in which numbers stand at places of their own. Bytes of them do not go.
const TAKEN: [&[u8]; 6] = [b"maxp", b"hhea", b"hmtx", b"loca", b"cmap", b"head"];

/// Returns the tables, if all of them are in the file behind the rows.
fn tables(text: &[u8]) -> Vec<Table<'_>> {
    let count = number(text, 4..6, Big).unwrap_or(0);
    let end = ROWS + ROW * count;
    let table = |row: usize| {
        let start = number(text, row + 8..row + 12, Big)?;
        let length = number(text, row + 12..row + 16, Big)?;
        let is_in = start >= end && start.checked_add(length)? <= text.len();
        is_in.then(|| Table { name: &text[row..row + 4], row, at: start..start + length })
    };
    let all: Option<Vec<_>> = (0..count).map(|row| table(ROWS + ROW * row)).collect();
    all.unwrap_or_default()
}

/// The glyphs of a font.
struct Glyphs<'a> {
    text: &'a [u8],
    /// How wide an entry of `loca` is, and how many bytes one unit in it means.
    width: usize,
    unit: usize,
    /// Where each entry stands, but for the last one.
    entries: Arc<[u32]>,
    /// What is of each.
    outlines: Vec<Range<usize>>,
    /// The start of `glyf`.
    zero: usize,
    /// Where the number of glyphs stands.
    count: Range<usize>,
    /// Where the number of long measures stands, where they begin, and how many there are.
    measures: Option<(Range<usize>, usize, usize)>,
    /// What stands in `cmap`.
    groups: Vec<cmap::Group>,
    lists: Vec<cmap::List>,
}

impl<'a> Glyphs<'a> {
    fn of(text: &'a [u8], tables: &[Table]) -> Option<Glyphs<'a>> {
        let named = |name: &[u8]| tables.iter().find(|table| table.name == name).map(|table| table.at.clone());
        let (glyf, loca, maxp) = (named(b"glyf")?, named(b"loca")?, named(b"maxp")?);
        let count = maxp.start + 4..maxp.start + 6;
        let all = number(text, count.clone(), Big).filter(|all| *all > 0 && count.end <= maxp.end)?;
        let (width, unit) = [(4, 1), (2, 2)].into_iter().find(|(width, _)| loca.len() == width * (all + 1))?;
        let places = loca.clone().step_by(width).map(|at| Some(number(text, at..at + width, Big)? * unit));
        let places: Vec<usize> = places.collect::<Option<_>>()?;
        let is_true = places.is_sorted() && places.last().is_some_and(|last| *last <= glyf.len());
        let outlines = places.windows(2).map(|pair| glyf.start + pair[0]..glyf.start + pair[1]).collect();
        let measures = named(b"hhea").zip(named(b"hmtx")).and_then(|(hhea, hmtx)| {
            let field = hhea.start + 34..hhea.start + 36;
            let long = number(text, field.clone(), Big).filter(|long| (1..=all).contains(long))?;
            (field.end <= hhea.end && hmtx.len() == 4 * long + 2 * (all - long)).then_some((field, hmtx.start, long))
        });
        let entries = loca.step_by(width).take(all).map(|at| at as u32).collect();
        let (lists, groups) = named(b"cmap").map(|at| cmap::read(text, at)).unwrap_or_default();
        let zero = glyf.start;
        is_true.then_some(Glyphs { text, width, unit, entries, outlines, zero, count, measures, groups, lists })
    }

    fn add(&self, found: &mut Chunks) {
        found.count(self.count.clone(), Big, &self.entries);
        if let Some((field, start, long)) = &self.measures {
            let starts: Arc<[u32]> = (0..*long).map(|at| (start + 4 * at) as u32).collect();
            found.count(field.clone(), Big, &starts);
        }
        // With a glyph goes the group that only leads to it.
        let mut groups: Vec<&cmap::Group> = self.groups.iter().filter(|group| group.is_single).collect();
        groups.sort_by_key(|group| group.glyph);
        for (glyph, outline) in self.outlines.iter().enumerate() {
            let entry = self.entries[glyph] as usize;
            let first = groups.partition_point(|group| group.glyph < glyph);
            let own = groups[first..].iter().take_while(|group| group.glyph == glyph).map(|group| group.at.clone());
            let also: Vec<_> = [outline.clone()].into_iter().chain(self.measure(glyph)).chain(own).collect();
            found.replaced(GLYPHS, entry..entry + self.width, &also, &[]);
            found.part(OUTLINES, outline.clone());
            found.size(entry..entry + self.width, Big, self.zero..outline.start, self.unit);
            found.contents(outline.clone(), self.unit);
            self.parts(outline, found);
        }
        let end = self.outlines.last().map_or(self.zero, |last| last.end);
        let last = self.entries.last().map_or(0, |last| *last as usize) + self.width;
        found.size(last..last + self.width, Big, self.zero..end, self.unit);
        for list in &self.lists {
            found.size(list.count.clone(), Big, list.groups.clone(), cmap::GROUP);
            found.size(list.length.clone(), Big, list.groups.clone(), 1);
        }
        for group in &self.groups {
            found.part(GROUPS, group.at.clone());
            self.named(group.at.end - 4..group.at.end, found);
        }
    }

    /// Returns the measures of a glyph.
    fn measure(&self, glyph: usize) -> Option<Range<usize>> {
        let (_, start, long) = self.measures.as_ref()?;
        let short = start + 4 * long;
        Some(match glyph.checked_sub(*long) {
            None => start + 4 * glyph..start + 4 * glyph + 4,
            Some(behind) => short + 2 * behind..short + 2 * behind + 2,
        })
    }

    /// Adds the numbers of other glyphs of which one is made.
    fn parts(&self, outline: &Range<usize>, found: &mut Chunks) {
        let contours = number(self.text, outline.start..outline.start + 2, Big).filter(|_| outline.len() > 10);
        if contours.is_none_or(|contours| contours < 1 << 15) {
            return;
        }
        let mut at = outline.start + 10;
        while at + 4 <= outline.end {
            let Some(flags) = number(self.text, at..at + 2, Big) else { return };
            self.named(at + 2..at + 4, found);
            let scales = [(ONE_SCALE, 2), (TWO_SCALES, 4), (FOUR_SCALES, 8)];
            let scale = scales.iter().find(|(flag, _)| flags & flag > 0).map_or(0, |(_, length)| *length);
            at += 4 + if flags & WORDS > 0 { 4 } else { 2 } + scale;
            if flags & MORE == 0 {
                return;
            }
        }
    }

    /// Adds the number of a glyph that stands somewhere.
    fn named(&self, field: Range<usize>, found: &mut Chunks) {
        let glyph = number(self.text, field.clone(), Big).filter(|glyph| *glyph < self.entries.len());
        if let Some(before) = glyph {
            let holds = FieldValue::Index { of: self.entries.clone(), before };
            found.mends.push(Mend { at: field.start as u32..field.end as u32, order: Big, holds });
        }
    }
}
