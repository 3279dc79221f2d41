//! Stretches of a text before which their length stands in digits: bodies of HTTP behind `Content-Length`, chunks behind a length of base sixteen, blobs of
//! `git fast-export`, netstrings. What counts them goes with them; or parts of them go, and the number follows.
//!
//! No first bytes tell such texts. A number is taken for a length if what it counts ends where something ends, and so with nearly all that
//! stand behind the same label. Programs have numbers of which one ends so by chance; so a text that its language reads is taken for such a one only if most
//! of it is counted.

mod lengths;

use super::Chunks;
use crate::delete::brackets;
use lengths::{Behind, Stretch};
use reduct_input::{FieldValue, Mend, is_binary};
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

/// The levels: what stands between blank lines with the stretches behind it, stretches with their lengths, all of what is in one, what
/// stands between two that are side by side, lines, and what stands between brackets.
const RECORDS: usize = 0;
const UNITS: usize = 1;
const WHOLE: usize = 2;
const BETWEEN: usize = 3;
const LINES: usize = 4;
const ITEMS: usize = 5;

/// Single bytes of stretches go once all of them together have no more: passes for texts find sooner what else can go.
const FEW: usize = 2 << 10;

pub(super) fn chunks(text: &[u8], found: &mut Chunks) {
    if !found.is_empty() || is_binary(text) {
        return;
    }
    let stretches = lengths::find(text);
    if stretches.is_empty() {
        return;
    }
    let outer = outermost(text, &stretches);
    let records = records(text, &outer);
    for unit in outer.iter().filter(|unit| unit.stretch.behind != Behind::Blank) {
        if records.binary_search_by_key(&unit.at.start, |record| record.start).is_err() {
            found.part(UNITS, unit.at.clone());
        }
    }
    records.into_iter().filter(|at| at.len() < text.len()).for_each(|at| found.part(RECORDS, at));
    let all: usize = outer.iter().map(|unit| unit.stretch.at.len()).sum();
    let mut joined = runs(&outer, found);
    for stretch in &stretches {
        let holds = joined.remove(&stretch.field.start).unwrap_or_else(|| of_one(stretch, &stretches));
        let field = stretch.field.start as u32..stretch.field.end as u32;
        found.mends.push(Mend { at: field, order: stretch.order, holds });
        inside(text, stretch, found);
        if all <= FEW {
            found.contents(stretch.at.clone(), 1);
        }
    }
}

/// Returns whether half of a text or more is counted by what stands before it.
pub(super) fn is_most(text: &[u8]) -> bool {
    let stretches = lengths::find(text);
    let counted: usize = outermost(text, &stretches).iter().map(|unit| unit.stretch.at.len()).sum();
    counted * 2 >= text.len()
}

/// A stretch that is in no other one.
struct Unit<'a> {
    stretch: &'a Stretch,
    /// The stretch with its length and what ends it.
    at: Range<usize>,
}

/// Adds what stands between stretches side by side, and returns by where its length stands what that of each of them is.
fn runs(units: &[Unit], found: &mut Chunks) -> BTreeMap<usize, FieldValue> {
    let is_next = |unit: &Unit, next: &Unit| {
        let are_lines = unit.stretch.behind == Behind::Line && next.stretch.behind == Behind::Line;
        are_lines && unit.at.end == next.at.start && unit.stretch.order == next.stretch.order
    };
    let mut lengths = BTreeMap::new();
    for run in units.chunk_by(is_next).filter(|run| run.len() > 1) {
        run.windows(2).for_each(|pair| found.part(BETWEEN, pair[0].stretch.at.end..pair[1].stretch.at.start));
        let edges = run.iter().flat_map(|unit| [unit.stretch.at.start as u32, unit.stretch.at.end as u32]);
        let of: Arc<[u32]> = edges.collect();
        for (own, unit) in run.iter().enumerate() {
            lengths.insert(unit.stretch.field.start, FieldValue::Joined { of: of.clone(), own });
        }
    }
    lengths
}

/// Returns what the length of a stretch is that is joined to no other one.
fn of_one(stretch: &Stretch, all: &[Stretch]) -> FieldValue {
    let at = &stretch.at;
    let of = at.start as u32..at.end as u32;
    let next = all.partition_point(|other| other.field.start < at.start);
    // A number in there may lose digits.
    let has_lengths = all.get(next).is_some_and(|other| other.field.end <= at.end);
    if has_lengths { FieldValue::Place { of } } else { FieldValue::Size { of, unit: 1 } }
}

/// Adds what is in a stretch: all of it, its lines, and what stands between brackets.
fn inside(text: &[u8], stretch: &Stretch, found: &mut Chunks) {
    let at = stretch.at.clone();
    found.part(WHOLE, at.clone());
    let mut start = at.start;
    for line in text[at.clone()].split_inclusive(|byte| *byte == b'\n').filter(|line| line.len() < at.len()) {
        found.part(LINES, start..start + line.len());
        start += line.len();
    }
    brackets::items(&text[at.clone()], |level, start, end| {
        found.part(ITEMS + level, at.start + start as usize..at.start + end as usize);
    });
}

/// Returns the stretches that are in no other one, in ascending order and disjoint.
fn outermost<'a>(text: &[u8], stretches: &'a [Stretch]) -> Vec<Unit<'a>> {
    let (mut units, mut free) = (vec![], 0);
    for stretch in stretches {
        if stretch.field.start >= free {
            let start = match stretch.behind {
                Behind::Sign(_) => stretch.field.start,
                Behind::Line | Behind::Blank => line_start(text, free, stretch.field.start),
            };
            free = end_of_unit(text, stretch);
            units.push(Unit { stretch, at: start..free });
        }
    }
    units
}

/// Returns where a stretch ends with the sign or the end of a line that ends it.
fn end_of_unit(text: &[u8], stretch: &Stretch) -> usize {
    let end = stretch.at.end;
    let signs: &[&[u8]] = match stretch.behind {
        Behind::Sign(_) => &[b"\";", b"\"", b","],
        Behind::Line | Behind::Blank => &[b"\r\n", b"\n"],
    };
    signs.iter().find(|sign| text[end..].starts_with(sign)).map_or(end, |sign| end + sign.len())
}

fn line_start(text: &[u8], from: usize, at: usize) -> usize {
    text[from..at].iter().rposition(|byte| *byte == b'\n').map_or(from, |line| from + line + 1)
}

/// Returns what stands between blank lines, none of which is in a stretch; with the stretch that begins behind the blank line, or stretches whose lengths begin
/// there.
fn records(text: &[u8], units: &[Unit]) -> Vec<Range<usize>> {
    let (mut records, mut start, mut at, mut behind_blank) = (vec![], 0, 0, None);
    let mut units = units.iter().peekable();
    while at < text.len() {
        let line = text[at..].iter().position(|byte| *byte == b'\n').map_or(text.len(), |end| at + end + 1);
        let unit = units.next_if(|unit| unit.at.start < line);
        if let Some(unit) = unit.filter(|unit| unit.stretch.behind != Behind::Blank) {
            at = unit.at.end.max(at);
            continue;
        }
        behind_blank = unit.or(behind_blank);
        let is_blank = text[at..line].trim_ascii().is_empty();
        at = line;
        if is_blank {
            at = behind_blank.take().map_or(at, |unit: &Unit| unit.at.end);
            let goes_on = |unit: &&Unit| unit.stretch.behind == Behind::Line && unit.at.start == at;
            if units.peek().is_none_or(|unit| !goes_on(unit)) {
                records.push(start..at);
                start = at;
            }
        }
    }
    records.extend((start < text.len()).then_some(start..text.len()));
    records
}
