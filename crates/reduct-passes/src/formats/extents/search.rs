//! The search for a table of extents: which numbers at equal distances name places and lengths of what lies side by side.

mod relative;

use super::super::number;
use reduct_input::ByteOrder;
use reduct_input::ByteOrder::{Big, Little};
use std::ops::Range;

/// The numbers of which a row is made.
const NUMBERS: [(usize, ByteOrder); 4] = [(8, Big), (8, Little), (4, Big), (4, Little)];

/// The longest row. All are multiples of four.
const LONGEST_ROW: usize = 80;

/// So many rows are a table.
const LEAST: usize = 4;

/// So many extents that are not empty speak for a table whose rows nothing counts.
const MANY: usize = 5;

/// One of so many extents may overlap another one.
const OVERLAPS: usize = 10;

/// Extents side by side have so few bytes between them.
const BESIDE: usize = 64;

/// And this share of them is side by side, and this share of the file is in them, in percent.
const SIDE_BY_SIDE: usize = 60;
const COVERED: usize = 20;

/// Of few extents this share of the file is in them and in the table.
const COVERED_BY_FEW: usize = 50;

/// How much of the beginning of the file, and of what stands before the table, may say where it is and how many rows it has.
const FIRST: usize = 64;
const BEFORE: usize = 32;

/// So many rows, and places where one may begin, are looked at in all: where most numbers are less than the file is long, there is a row nearly everywhere.
const LOOKS: usize = 1 << 22;

/// So many rows may name nothing before the first one that does.
const EMPTY: usize = 2;

/// What begins before here may begin with numbers of the head of the file.
const NEAR: usize = 256;

/// How a row says where something is and how long.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Form {
    pub width: usize,
    pub order: ByteOrder,
    /// How many bytes behind the place its size stands.
    pub size: isize,
    /// How long a row is.
    pub stride: usize,
    /// Where places are counted from.
    pub base: usize,
}

impl Form {
    /// Returns the place and the size that a row has whose place stands here.
    pub fn read(&self, text: &[u8], at: usize) -> Option<(usize, usize)> {
        let size = at.checked_add_signed(self.size)?;
        let read = |at: usize| number(text, at..at + self.width, self.order);
        // A length in a wider field than is looked at may be anything: it is too long then.
        Some((read(at)?.checked_add(self.base)?, read(size)?))
    }
}

/// What a row names.
#[derive(Clone, PartialEq, Eq)]
pub(super) struct Extent {
    pub at: Range<usize>,
    pub row: usize,
}

/// A table of extents.
pub(super) struct Table {
    pub form: Form,
    /// Where the place of the first row stands.
    first: usize,
    /// Without rows before them that name nothing.
    pub rows: usize,
    /// Where its rows begin, if that is known, also those that name nothing.
    start: Option<usize>,
    /// Where the number of its rows stands, if it does.
    pub count: Option<Range<usize>>,
}

impl Table {
    /// Returns where the place of a row stands.
    pub fn field(&self, row: usize) -> usize {
        self.first + self.form.stride * row
    }

    /// Returns where the place and the size of a row stand.
    pub fn fields(&self, row: usize) -> (Range<usize>, Range<usize>) {
        let place = self.field(row);
        let size = place.saturating_add_signed(self.form.size);
        (place..place + self.form.width, size..size + self.form.width)
    }

    /// Returns a row, if it is known where rows begin.
    pub fn row(&self, row: usize) -> Option<Range<usize>> {
        let start = self.start? + (self.first - self.start?) / self.form.stride * self.form.stride;
        Some(start + self.form.stride * row..start + self.form.stride * (row + 1))
    }

    /// Returns where it is; about, if it is not known where rows begin.
    pub fn around(&self, text: &[u8]) -> Range<usize> {
        match self.row(self.rows - 1) {
            Some(last) => self.start.unwrap_or(last.start)..last.end,
            None => self.surely(text),
        }
    }

    /// Returns what belongs to it wherever its rows begin.
    fn surely(&self, text: &[u8]) -> Range<usize> {
        let ((place, size), (last_place, last_size)) = (self.fields(0), self.fields(self.rows - 1));
        place.start.min(size.start)..last_place.end.max(last_size.end).min(text.len())
    }

    /// Returns it without so many of its first rows and those after them that name nothing, and without rows behind where the first thing begins that is named
    /// then: what stands before and behind a table may seem to be rows of it.
    fn narrower(&self, text: &[u8], skipped: usize) -> Option<Table> {
        let stride = self.form.stride;
        let read = |row: usize| self.form.read(text, self.field(row));
        let first_row = (skipped..=skipped + EMPTY).find(|row| read(*row).is_some_and(|(_, size)| size > 0))?;
        let first = self.field(first_row);
        let (start, _) = read(first_row)?;
        let ends = start.checked_sub(first).map_or(usize::MAX, |room| room.div_ceil(stride));
        let rows = self.rows.checked_sub(first_row)?.min(ends.max(LEAST));
        let is_narrower = rows < self.rows && rows >= LEAST;
        is_narrower.then_some(Table { form: self.form, first, rows, start: None, count: None })
    }

    /// Returns what its rows name in ascending order, without what is empty, is no place in the file or overlaps another.
    pub fn owned(&self, text: &[u8]) -> Vec<Extent> {
        apart(&self.extents(text))
    }

    /// Returns what its rows name that is not empty, in ascending order.
    fn extents(&self, text: &[u8]) -> Vec<Extent> {
        let own = self.surely(text);
        let named = |row: usize| {
            let (start, length) = self.form.read(text, self.field(row))?;
            let end = start.checked_add(length).filter(|end| *end <= text.len())?;
            let is_free = end <= own.start || own.end <= start;
            (start > 0 && start < end && is_free).then_some(Extent { at: start..end, row })
        };
        let mut all: Vec<Extent> = (0..self.rows).filter_map(named).collect();
        all.sort_by_key(|extent| (extent.at.start, extent.at.end));
        all
    }

    /// Finds out where its rows begin: where something in the head of the file points to, or such that they end where the first
    /// extent begins. Only if a number of rows is there.
    fn begin(&mut self, text: &[u8], owned: &[Extent]) {
        let stride = self.form.stride;
        let own = self.surely(text);
        let mut starts = vec![];
        if let Some(first) = owned.first().map(|extent| extent.at.start).filter(|first| own.end <= *first) {
            starts.extend(first.checked_sub(stride * self.rows));
        }
        let head = (0..FIRST.min(text.len())).chain(own.start.saturating_sub(BEFORE).max(FIRST)..own.start);
        starts.extend(head.filter_map(|at| number(text, at..at + self.form.width, self.form.order)));
        for start in starts {
            // Rows before those that name something may name nothing, as the first one of ELF.
            let is_near = start <= own.start && self.first < start.saturating_add((1 + EMPTY) * stride);
            let rows = self.rows + self.first.saturating_sub(start) / stride;
            if !is_near || own.start.max(self.first) >= start + stride * (rows - self.rows + 1) {
                continue;
            }
            let is_whole = start + stride * rows >= own.end && start + stride * rows <= text.len();
            if let Some(count) = is_whole.then(|| self.count_of(text, start, rows)).flatten() {
                (self.start, self.count) = (Some(start), Some(count));
                return;
            }
        }
    }

    /// Returns where this number of rows stands: before the table, or where the file begins.
    fn count_of(&self, text: &[u8], start: usize, rows: usize) -> Option<Range<usize>> {
        let before = (start.saturating_sub(BEFORE)..start).rev();
        let first = (0..FIRST.min(start)).rev();
        let fields = before.chain(first).flat_map(|at| [at..at + 4, at..at + 2]);
        let is_count = |field: &Range<usize>| {
            field.start.is_multiple_of(2)
                && field.end <= start
                && number(text, field.clone(), self.form.order) == Some(rows)
        };
        fields.into_iter().find(is_count)
    }
}

/// Returns extents that do not overlap. Of two that do, the one stays that ends where another one begins, else the first.
fn apart(all: &[Extent]) -> Vec<Extent> {
    let ends_well = |extent: &Extent| {
        let next = all.partition_point(|other| other.at.start < extent.at.end);
        all.get(next).is_some_and(|next| next.at.start - extent.at.end < BESIDE)
    };
    let mut owned: Vec<Extent> = vec![];
    for extent in all {
        match owned.last() {
            Some(last) if extent.at.start < last.at.end => {
                if !ends_well(last) && ends_well(extent) {
                    owned.pop();
                    if owned.last().is_none_or(|last| last.at.end <= extent.at.start) {
                        owned.push(extent.clone());
                    }
                }
            }
            _ => owned.push(extent.clone()),
        }
    }
    owned
}

/// How much speaks for a table: that something says how many rows it has, and that there are many extents; how many
/// there are, and how much is in them.
type Likelihood = (usize, usize, usize);

/// Returns the likeliest table of extents, if there is one.
pub(super) fn likeliest(text: &[u8]) -> Option<Table> {
    let mut best: Option<(Likelihood, Table)> = None;
    let mut looks = LOOKS;
    for (width, order) in NUMBERS {
        // Behind the place or before it; of Mach-O, in the lower half of a wider field.
        let sizes = [width as isize, -(width as isize), -8];
        for size in &sizes[..if width == 4 && order == Little { 3 } else { 2 }] {
            let form = Form { width, order, size: *size, stride: 0, base: 0 };
            likeliest_of(text, form, &mut looks, &mut best);
        }
    }
    if best.as_ref().is_none_or(|(_, table)| table.count.is_none()) {
        relative::consider_all(text, &mut best);
    }
    best.map(|(_, table)| table)
}

fn likeliest_of(text: &[u8], form: Form, looks: &mut usize, best: &mut Option<(Likelihood, Table)>) {
    let names = |at: usize| {
        let (start, length) = form.read(text, at)?;
        (start > 0 && start.checked_add(length)? <= text.len()).then_some(())
    };
    let least = 2 * form.width.max(form.size.unsigned_abs());
    // By the length of a row and its phase: up to where tables have been looked at.
    let mut done = vec![[0; LONGEST_ROW]; LONGEST_ROW / 4 + 1];
    for at in 0..text.len() {
        // Of most places this is all that is looked at.
        if names(at).is_none() {
            continue;
        }
        let Some(left) = looks.checked_sub(1) else { return };
        *looks = left;
        for stride in (least..=LONGEST_ROW).step_by(4) {
            let done = &mut done[stride / 4][at % stride];
            if at < *done {
                continue;
            }
            let rows = rows(at, stride, names);
            let Some(left) = looks.checked_sub(rows + 1) else { return };
            *looks = left;
            *done = at + stride * rows;
            if rows >= LEAST {
                let table = Table { form: Form { stride, ..form }, first: at, rows, start: None, count: None };
                let skipped = if at < NEAR { EMPTY + 1 } else { 0 };
                let narrower: Vec<Table> = (0..=skipped).filter_map(|rows| table.narrower(text, rows)).collect();
                narrower.into_iter().chain([table]).for_each(|table| consider(text, table, best));
            }
        }
    }
}

/// Returns how many rows there are from a place on. One that names no place may stand between two that do: what is not in the
/// file at all may be longer than it.
fn rows(start: usize, stride: usize, names: impl Fn(usize) -> Option<()>) -> usize {
    let mut rows = 0;
    loop {
        let at = |ahead: usize| start + stride * (rows + ahead);
        rows += match (names(at(0)), names(at(1))) {
            (Some(()), _) => 1,
            (None, Some(())) => 2,
            (None, None) => return rows,
        };
    }
}

/// Takes a table for the likeliest one if it is.
fn consider(text: &[u8], mut table: Table, best: &mut Option<(Likelihood, Table)>) {
    let extents = table.extents(text);
    let owned = apart(&extents);
    let overlaps = extents.len() - owned.len();
    if owned.len() < 2 || overlaps > (extents.len() / OVERLAPS).max(1) || owned.len() <= overlaps {
        return;
    }
    table.begin(text, &owned);
    let covered: usize = owned.iter().map(|extent| extent.at.len()).sum();
    let beside = owned.windows(2).filter(|pair| pair[1].at.start - pair[0].at.end < BESIDE).count();
    let share = |bytes: usize| bytes * 100 / text.len();
    let is_side_by_side = beside * 100 >= (owned.len() - 1) * SIDE_BY_SIDE;
    let is_dense = owned.len() >= MANY && share(covered) > COVERED;
    let is_all = table.count.is_some() && share(covered + table.around(text).len()) > COVERED_BY_FEW;
    let likelihood = (2 * usize::from(is_all) + usize::from(is_dense), owned.len(), covered);
    if is_side_by_side && (is_dense || is_all) && best.as_ref().is_none_or(|(highest, _)| likelihood > *highest) {
        *best = Some((likelihood, table));
    }
}
