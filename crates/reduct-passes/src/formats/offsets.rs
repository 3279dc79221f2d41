//! Tables of offsets, whatever their format: numbers in a row that ascend and point to places behind them in the file.
//! What is between two of these places can go, and so can a row; what a row points to, and a number of rows right before the
//! table, is mended. In what a row points to there may be a table again, whose offsets count from there.
//!
//! A table that is one by chance does no harm: it is one more thing that changes, and the test judges.

mod own;

use super::fields::Fields;
use super::{Chunks, Thing, number};
use own::Own;
use reduct_input::ByteOrder;
use reduct_input::ByteOrder::{Big, Little};
use reduct_input::is_binary;
use std::ops::Range;

/// The numbers that are looked for, and how many of them in a row are no chance. Wide ones can be fewer if the first one points to where they end, and their number
/// stands before them.
const NUMBERS: [(usize, ByteOrder, usize); 6] =
    [(8, Big, 4), (8, Little, 4), (4, Big, 4), (4, Little, 4), (2, Big, 12), (2, Little, 12)];

/// How many numbers a row of a table has at most.
const LONGEST_ROW: usize = 4;

/// How far before a table the number of its rows may stand.
const HEADER: usize = 32;

/// A table that ends where its first row points to may begin further on. So many beginnings of it are looked at, as each
/// takes the length of the table.
const STEPS: usize = 16;

/// What begins before here is looked at row by row: a number of rows of the head of the file may seem to be the first one.
const NEAR: usize = 64;

/// So many rows are a table by no chance if their number stands before them, or if the first one points to where they end.
const CERTAIN: usize = 16;

/// A table: where its first offset is, how long a row is, and where its rows point to.
struct Table {
    start: usize,
    row: usize,
    /// How many bytes of a row are before its offset.
    before: usize,
    width: usize,
    order: ByteOrder,
    targets: Vec<usize>,
}

/// Of how many levels a table is: rows with what they point to, that alone, and rows alone.
const LEVELS: usize = 3;

/// How deep tables are looked for in what the rows of others point to.
const DEEPEST: usize = 4;

pub(super) fn chunks(text: &[u8], found: &mut Chunks) {
    chunks_if(|_, _| true, text, found);
}

/// Takes a text apart by a table that is none by chance.
pub(super) fn certain(text: &[u8], found: &mut Chunks) {
    let is_certain = |speaking: usize, table: &Table| {
        speaking > 1 || speaking == 1 && table.width > 2 && table.targets.len() >= CERTAIN
    };
    chunks_if(is_certain, text, found);
}

/// Takes a text apart by its likeliest table if that is accepted, by how many things speak for it.
fn chunks_if(is_accepted: impl Fn(usize, &Table) -> bool, text: &[u8], found: &mut Chunks) {
    let table = is_binary(text).then(|| likeliest(text)).flatten();
    if let Some(table) = table.filter(|table| is_accepted(table.likelihood(text).0, table)) {
        take_apart(text, 0..text.len(), &table, 0, found);
        if let Some((field, order, of)) = size_of_all(text, table.start - table.before) {
            found.size(field, order, of, 1);
        }
    }
}

/// Returns the field before a table that says how long the file is, or how much of it follows the field; its order, and what it
/// counts. The widest one that stands first, if there are several.
fn size_of_all(text: &[u8], table: usize) -> Option<(Range<usize>, ByteOrder, Range<usize>)> {
    let header = table.saturating_sub(HEADER)..table;
    NUMBERS.iter().find_map(|&(width, order, _)| {
        // In a short file two bytes are likely to be something else.
        let is_wide = width > 2 || text.len() > usize::from(u8::MAX);
        let mut fields = header.clone().map(|at| at..at + width).filter(|field| is_wide && field.end <= table);
        fields.find_map(|field| {
            let size = number(text, field.clone(), order)?;
            let all = [0..text.len(), field.end..text.len()];
            all.into_iter().find(|all| all.len() == size).map(|all| (field, order, all))
        })
    })
}

/// Takes a stretch of the text apart by a table in it, whose offsets count from where the stretch begins; and what its rows point to
/// by tables in that.
fn take_apart(text: &[u8], within: Range<usize>, table: &Table, depth: usize, found: &mut Chunks) {
    let base = within.start;
    let first_row = base + table.start;
    let rows = first_row - table.before..first_row - table.before + table.row * table.targets.len();
    let ends = table.targets.iter().skip(1).map(|next| base + next).chain([within.end]);
    let things: Vec<Range<usize>> = table.targets.iter().zip(ends).map(|(target, end)| base + target..end).collect();
    let count = table.count(&text[within.clone()]).map(|at| base + at);
    let own = Own::of(text, &things);
    let fields = if own.is_none() && depth == 0 { Fields::of(text, &things) } else { None };
    for (row, thing) in things.iter().enumerate() {
        let offset = first_row + table.row * row;
        let whole = offset - table.before..offset - table.before + table.row;
        if count.is_some() {
            let thing = std::slice::from_ref(thing);
            found.replaced(LEVELS * depth, whole.clone(), thing, &[]);
        }
        found.part(LEVELS * depth + if fields.is_some() { LEVELS } else { 1 }, thing.clone());
        found.part(LEVELS * depth + 2, whole.clone());
        found.size(offset..offset + table.width, table.order, base..thing.start, 1);
        // Its length in the row.
        for field in (offset + table.width..whole.end).step_by(table.width) {
            if number(text, field..field + table.width, table.order) == Some(thing.len()) {
                found.size(field..field + table.width, table.order, thing.clone(), 1);
            }
        }
        let data = fields.as_ref().and_then(|fields| fields.in_thing(text, thing)).unwrap_or_default();
        if depth == 0 {
            let data = data.into_iter().map(|(_, data)| data).collect();
            found.things.push(Thing { at: thing.clone(), row: Some(whole), data });
        }
        if !fields.as_ref().is_some_and(|fields| fields.add(text, thing, LEVELS * depth + 1, found)) {
            inside(text, table, thing, own.as_ref(), depth, found);
        }
    }
    if let Some(at) = count {
        found.size(at..at + table.width, table.order, rows, table.row);
    }
}

/// Takes what a row points to apart: behind its length, or by the table in it.
fn inside(text: &[u8], table: &Table, thing: &Range<usize>, own: Option<&Own>, depth: usize, found: &mut Chunks) {
    let (target, end) = (thing.start, thing.end);
    let field = target..target + table.width;
    let contents = field.end.min(end)..end;
    if number(text, field.clone(), table.order) == Some(contents.len()) {
        found.size(field, table.order, contents.clone(), 1);
        found.contents(contents, 1);
    } else if let Some((own, (field, data))) = own.and_then(|own| Some((own, own.in_thing(thing)?))) {
        found.size(field, own.order, data.clone(), 1);
        found.contents(data, 1);
    } else if let Some(inner) = likeliest(&text[thing.clone()]).filter(|_| depth + 1 < DEEPEST) {
        take_apart(text, thing.clone(), &inner, depth + 1, found);
        // What stands before the first place that it points to: more than its rows, if it is a table by chance.
        let before = target + inner.start;
        let rows_end = before - inner.before + inner.row * inner.targets.len();
        found.contents(target..(before - inner.before).saturating_sub(HEADER).max(target), 1);
        found.contents(rows_end..target + inner.targets.first().copied().unwrap_or(0).max(rows_end - target), 1);
    } else {
        found.contents(thing.clone(), 1);
    }
}

impl Table {
    /// Returns where the number of its rows stands, if it does right before them.
    fn count(&self, text: &[u8]) -> Option<usize> {
        let count = |at: &usize| number(text, *at..at + self.width, self.order) == Some(self.targets.len());
        let start = self.start - self.before;
        let header = start.saturating_sub(HEADER);
        (header..(start + 1).saturating_sub(self.width)).rev().find(count)
    }

    /// Returns what speaks for it: that the first row points to where the last one ends, and that the number of rows stands before
    /// them; then how many there are.
    fn likelihood(&self, text: &[u8]) -> (usize, usize) {
        let points_behind = self.targets.first() == Some(&(self.start - self.before + self.row * self.targets.len()));
        (usize::from(points_behind) + usize::from(self.count(text).is_some()), self.targets.len())
    }
}

/// Returns the table that is the most likely one, wide numbers first, if there is one.
fn likeliest(text: &[u8]) -> Option<Table> {
    let mut best: Option<((usize, usize), Table)> = None;
    for (width, order, least) in NUMBERS {
        let found = match (width, order) {
            (8, Big) => likeliest_of(text, least, order, u64::from_be_bytes),
            (8, _) => likeliest_of(text, least, order, u64::from_le_bytes),
            (4, Big) => likeliest_of(text, least, order, |field| u32::from_be_bytes(field).into()),
            (4, _) => likeliest_of(text, least, order, |field| u32::from_le_bytes(field).into()),
            (_, Big) => likeliest_of(text, least, order, |field| u16::from_be_bytes(field).into()),
            (_, _) => likeliest_of(text, least, order, |field| u16::from_le_bytes(field).into()),
        };
        if let Some((likelihood, table)) = found
            && best.as_ref().is_none_or(|(highest, _)| likelihood > *highest)
        {
            best = Some((likelihood, table));
        }
    }
    best.map(|(_, table)| table)
}

/// Returns the table of numbers of one form that is the most likely one: of those that are as likely, the one with the shortest
/// rows, then the one that stands first after a multiple of them.
fn likeliest_of<const WIDTH: usize>(
    text: &[u8],
    least: usize,
    order: ByteOrder,
    read: impl Fn([u8; WIDTH]) -> u64,
) -> Option<((usize, usize), Table)> {
    let number = |at: usize| usize::try_from(read(*text.get(at..)?.first_chunk()?)).ok();
    let mut best: Option<((usize, usize), Table)> = None;
    // By the length of a row and its phase: what a table covers that was looked at is not looked at again.
    let mut done = [[0; LONGEST_ROW * 8]; LONGEST_ROW];
    // An offset points behind itself.
    let reach = if WIDTH < 4 { 1 << (8 * WIDTH) } else { usize::MAX };
    for at in 0..(text.len() + 1).saturating_sub(WIDTH).min(reach) {
        // Of most places this is all that is looked at.
        let Some(first) = number(at).filter(|first| (at + WIDTH..=text.len()).contains(first)) else { continue };
        for (fields, done) in (1..=LONGEST_ROW).zip(&mut done) {
            let row = fields * WIDTH;
            if at < done[at % row] {
                continue;
            }
            let (rows, last) = ascending(text.len(), at, row, number);
            // What stops where it points to may begin with a number of something else.
            let is_cut = rows > 0 && at + row * (rows + 1) > first;
            let passed = match (is_cut, at < NEAR) {
                (false, _) => rows.max(1),
                (true, true) => 1,
                (true, false) => rows.div_ceil(STEPS),
            };
            done[at % row] = at + row * passed;
            let one = Table { start: at, row, before: 0, width: WIDTH, order, targets: vec![] };
            if let Some(table) = late(text, rows, one, number)
                && best.as_ref().is_none_or(|(highest, _)| table.likelihood(text) > *highest)
            {
                best = Some((table.likelihood(text), table));
            }
            let is_long = rows >= least && first != last;
            let may_be_certain = WIDTH > 2 && rows > 0 && first == at + row * rows;
            if is_long || may_be_certain {
                let targets = (0..rows).filter_map(|index| number(at + row * index)).collect();
                let table = Table { start: at, row, before: 0, width: WIDTH, order, targets };
                let likelihood = table.likelihood(text);
                if !is_long && likelihood.0 < 2 {
                    continue;
                }
                let place = |table: &Table| (table.row, table.start % table.row, table.start);
                let is_better = |(highest, other): &((usize, usize), Table)| {
                    likelihood > *highest || likelihood == *highest && place(&table) < place(other)
                };
                if best.as_ref().is_none_or(is_better) {
                    best = Some((likelihood, table));
                }
            }
        }
    }
    best
}

/// Returns the table of a number of rows whose offsets are not the first numbers in them, if that number stands before them: then the last row ends where the first
/// offset points to, so that all rows but that end before.
fn late(text: &[u8], rows: usize, table: Table, number: impl Fn(usize) -> Option<usize>) -> Option<Table> {
    let first = number(table.start)?;
    let end = table.start + table.row * (rows + 1);
    let before = end.checked_sub(first).filter(|before| *before > 0 && *before + table.width <= table.row)?;
    if rows < CERTAIN || before > table.start {
        return None;
    }
    let targets: Vec<usize> = (0..=rows).filter_map(|index| number(table.start + table.row * index)).collect();
    let table = Table { before, targets, ..table };
    let is_whole = table.targets.last().is_some_and(|last| *last <= text.len()) && table.targets.is_sorted();
    (is_whole && table.count(text).is_some()).then_some(table)
}

/// Returns how many rows from there on point behind all of them, and never back, and where the last one points to. What stood
/// between two places may be gone.
fn ascending(length: usize, start: usize, row: usize, number: impl Fn(usize) -> Option<usize>) -> (usize, usize) {
    let (mut first, mut last) = (None, 0);
    let mut at = start;
    while let Some(target) = number(at) {
        let is_behind = at + row <= *first.get_or_insert(target);
        if target > length || !is_behind || target < last {
            break;
        }
        last = target;
        at += row;
    }
    ((at - start) / row, last)
}

/// For tests: returns the likeliest table, as where it starts, how long a row and how wide a number is, their order, and where the rows
/// point to.
pub fn try_table(text: &[u8]) -> Option<(usize, usize, usize, ByteOrder, Vec<usize>)> {
    likeliest(text).map(|table| (table.start, table.row, table.width, table.order, table.targets))
}
