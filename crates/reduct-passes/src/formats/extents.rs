//! Tables of extents, whatever their format: rows of equal length, each with a place in the file and how many bytes stand there
//! (sections of ELF, PE and Mach-O, tables of fonts).
//!
//! What is at one of these places goes, and its row says that it is empty; or its row goes, too, if there is a number of rows to
//! lower. Places behind what goes are lowered, in the rows and where else the head of the file names one.

mod search;

use super::fields::Fields;
use super::{Chunks, Thing, number};
use reduct_input::is_binary;
use search::{Extent, Table};
use std::collections::BTreeSet;
use std::ops::Range;

/// How much before a table and what it names may name places in the file.
const HEAD: usize = 1 << 12;

/// How far behind a place its length may stand there, in numbers as wide as these.
const LENGTH_AFTER: usize = 4;

/// So many zeros at most are between two extents to have the second one begin at a round number. They go with what is before them.
const PADDING: usize = 64;

/// What files begin with in which rows are referred to by their numbers.
const ELF: &[u8] = b"\x7fELF";

/// The level of extents alone behind that of what is in them, if that is known.
const INSIDE: usize = 4;

/// A record in an extent is no longer.
const LONGEST_RECORD: usize = 1 << 12;

pub(super) fn chunks(text: &[u8], found: &mut Chunks) {
    let Some(table) = is_binary(text).then(|| search::likeliest(text)).flatten() else { return };
    let file = File { text, owned: table.owned(text), around: table.around(text), table };
    let things: Vec<Range<usize>> = file.owned.iter().map(|extent| extent.at.clone()).collect();
    let fields = Fields::of(text, &things);
    file.parts(fields.as_ref(), found);
    file.records(fields.as_ref(), found);
    file.rows(found);
    file.things(fields.as_ref(), found);
    file.elsewhere(found);
}

/// A file, with the table that was found in it.
struct File<'a> {
    text: &'a [u8],
    table: Table,
    /// What its rows name, without what is empty or overlaps; in ascending order.
    owned: Vec<Extent>,
    /// Where the table is.
    around: Range<usize>,
}

impl File<'_> {
    /// Adds what can go: rows with what they name, if something counts them; then the bytes of each extent alone, and those that no row names. Where rows
    /// are referred to by their numbers, they come last; and extents that say what is in them are hardly empty.
    fn parts(&self, fields: Option<&Fields>, found: &mut Chunks) {
        let data: Vec<(usize, Range<usize>)> =
            self.owned.iter().map(|extent| (extent.row, extent.at.start..self.end_of_padding(extent.at.end))).collect();
        let are_numbered = self.text.starts_with(ELF);
        let is_counted = self.table.count.is_some();
        let first = usize::from(is_counted && !are_numbered);
        let alone = if fields.is_some() { INSIDE } else { first };
        data.iter().for_each(|(_, at)| found.part(alone, at.clone()));
        let gap_level = first + 1;
        self.gaps(&data).into_iter().filter(|gap| gap.start > 0).for_each(|gap| found.part(gap_level, gap));
        if is_counted {
            let mut by_row: Vec<Option<&Range<usize>>> = vec![None; self.table.rows];
            data.iter().for_each(|(row, at)| by_row[*row] = Some(at));
            for (row, data) in by_row.into_iter().enumerate() {
                let Some(at) = self.table.row(row) else { continue };
                found.part(if are_numbered { 2 } else { 0 }, at.clone());
                data.into_iter().for_each(|data| found.also(at.start, data.clone()));
            }
        }
    }

    /// Adds what each row names, with what is in it.
    fn things(&self, fields: Option<&Fields>, found: &mut Chunks) {
        for extent in &self.owned {
            let (place, size) = self.table.fields(extent.row);
            let least = place.start.min(size.start);
            let row = self.table.row(extent.row).unwrap_or(least..least + self.table.form.stride);
            let data = fields.and_then(|fields| fields.in_thing(self.text, &extent.at)).unwrap_or_default();
            let data = data.into_iter().map(|(_, data)| data).collect();
            found.things.push(Thing {
                at: extent.at.clone(),
                row: Some(row.start..row.end.min(self.text.len())),
                data,
            });
        }
    }

    /// Returns where the zeros end that are there to have what follows begin at a round number.
    fn end_of_padding(&self, at: usize) -> usize {
        let following = self.owned.partition_point(|extent| extent.at.start < at);
        let starts = self.owned.get(following).map(|extent| extent.at.start).into_iter();
        let others = [self.around.start, self.text.len()].into_iter().filter(|start| *start >= at);
        let next = starts.chain(others).min().unwrap_or(at);
        let is_padding = next - at < PADDING && self.text[at..next].iter().all(|byte| *byte == 0);
        if is_padding { next } else { at }
    }

    /// Returns what belongs neither to the table nor to what it names.
    fn gaps(&self, data: &[(usize, Range<usize>)]) -> Vec<Range<usize>> {
        let mut taken: Vec<Range<usize>> = data.iter().map(|(_, at)| at.clone()).collect();
        taken.push(self.around.clone());
        taken.sort_by_key(|at| at.start);
        let ends = taken.iter().scan(0, |end, at| {
            let before = *end;
            *end = at.end.max(before);
            Some(before..at.start)
        });
        let last = taken.iter().map(|at| at.end).max().unwrap_or(0)..self.text.len();
        ends.chain([last]).filter(|gap| gap.start < gap.end).collect()
    }

    /// Adds what is in extents: records, if a field of the rows says how long one is, and bytes.
    fn records(&self, fields: Option<&Fields>, found: &mut Chunks) {
        let column = self.record_lengths();
        for extent in &self.owned {
            if fields.is_some_and(|fields| fields.add(self.text, &extent.at, INSIDE - 1, found)) {
                continue;
            }
            let unit = column.and_then(|column| self.record_length(extent, column)).unwrap_or(1);
            if unit > 1 {
                extent.at.clone().step_by(unit).for_each(|at| found.part(3, at..(at + unit).min(extent.at.end)));
            }
            found.contents(extent.at.clone(), unit);
        }
    }

    /// Returns how many bytes behind the place in a row the length of a record stands, if there is such a field: it divides the
    /// extents of all rows that have one. Of several, the one with the highest numbers: round places divide much, too.
    fn record_lengths(&self) -> Option<usize> {
        let form = &self.table.form;
        let mut best: Option<(usize, usize)> = None;
        for column in (form.width..form.stride).step_by(form.width) {
            if self.table.row(0).is_some_and(|row| self.table.field(0) + column + form.width > row.end) {
                break;
            }
            let values = || self.owned.iter().map(|extent| self.value(extent, column));
            let fits = |(value, extent): (usize, &Extent)| {
                value <= 1 || value <= LONGEST_RECORD && extent.at.len().is_multiple_of(value)
            };
            let sum: usize = values().filter(|value| *value > 1).fold(0, usize::saturating_add);
            let is_size = form.size == column as isize;
            if !is_size && sum > 1 && values().zip(&self.owned).all(fits) && best.is_none_or(|(most, _)| sum > most) {
                best = Some((sum, column));
            }
        }
        best.map(|(_, column)| column)
    }

    fn value(&self, extent: &Extent, column: usize) -> usize {
        let at = self.table.field(extent.row) + column;
        number(self.text, at..at + self.table.form.width, self.table.form.order).unwrap_or(usize::MAX)
    }

    /// Returns how long a record of an extent is, if it has some.
    fn record_length(&self, extent: &Extent, column: usize) -> Option<usize> {
        Some(self.value(extent, column)).filter(|unit| *unit > 1 && *unit < extent.at.len())
    }

    /// Adds the fields of the rows, and how many there are.
    fn rows(&self, found: &mut Chunks) {
        let form = &self.table.form;
        for row in 0..self.table.rows {
            let (place, size) = self.table.fields(row);
            let Some((start, length)) = form.read(self.text, place.start) else { continue };
            if start > self.text.len() {
                continue;
            }
            found.size(place, form.order, form.base..start, 1);
            let end = start.checked_add(length).filter(|end| *end <= self.text.len());
            end.into_iter().for_each(|end| found.size(size.clone(), form.order, start..end, 1));
        }
        if let Some(count) = &self.table.count {
            found.size(count.clone(), form.order, self.around.clone(), form.stride);
        }
    }

    /// Adds numbers in the head of the file that name places which a row names too, or the table, and how long what begins there is.
    fn elsewhere(&self, found: &mut Chunks) {
        let form = &self.table.form;
        let ends = self.owned.iter().flat_map(|extent| [extent.at.start, extent.at.end]);
        let edges: BTreeSet<usize> = ends.chain([self.around.start, self.around.end, self.text.len()]).collect();
        let first = self.owned.first().map_or(0, |extent| extent.at.start);
        let head = self.around.start.min(first).min(HEAD);
        let read = |at: usize| number(self.text, at..at + form.width, form.order).filter(|_| at + form.width <= head);
        let mut last = None;
        for at in (0..head).step_by(form.width.min(4)) {
            let Some(place) = read(at).filter(|place| *place > 0 && edges.contains(place)) else { continue };
            // What stands behind a place once more is where it is to be in memory.
            let is_again = last == Some((at.wrapping_sub(form.width), place));
            last = Some((at, place));
            if is_again
                || self.table.count.as_ref().is_some_and(|count| count.start < at + form.width && at < count.end)
            {
                continue;
            }
            found.size(at..at + form.width, form.order, 0..place, 1);
            for length_at in (1..=LENGTH_AFTER).map(|after| at + after * form.width) {
                let end = read(length_at).filter(|length| *length > 0).map(|length| place.saturating_add(length));
                if let Some(end) = end.filter(|end| edges.contains(end)) {
                    found.size(length_at..length_at + form.width, form.order, place..end, 1);
                    break;
                }
            }
        }
    }
}
