//! Removes all lines of a text that have the same word at the same place, in a text that no grammar reads.
//!
//! ## What it tries
//! A *column* is a place in lines: the third word of each, or the word behind `thread=`. It cuts the text into groups: all lines that have the same word there. For each
//! column whose groups are not just stretches of the text, some of its groups at a time, those with the most groups first. Lines that begin with white space go with the
//! line before them.
//!
//! ## When it helps
//! In a log, the lines of one thread or one request stand between those of others, and only go together. It is tried if
//! the search of the tree has removed little of 2 KiB or more when it has asked for a while, and once more when half of that is left; `--by` does not take it.
//!
//! ## Before
//! ```text
//! 1 [main] id=17 begin
//! 2 [pool] id=23 begin
//! 3 [main] id=17 open a
//! 4 [pool] id=42 begin
//! 5 [main] id=23 open b
//! 6 [pool] id=42 open c
//! 7 [main] id=17 end
//! 8 [pool] id=23 end
//! 9 [main] id=42 end
//! ```
//! ## After
//! ```text
//! 1 [main] id=17 begin
//! 3 [main] id=17 open a
//! 4 [pool] id=42 begin
//! 6 [pool] id=42 open c
//! 7 [main] id=17 end
//! 9 [main] id=42 end
//! ```

use crate::pass::{Needs, Pass, Proposals, Stage};
use crate::text::{is_word, item, longest_unparsed};
use reduct_input::parts::ItemSets;
use reduct_input::{Item, Spans, Subject};
use std::cmp::Reverse;
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;

pub(crate) const PASS: Pass = Pass {
    stage: Stage::Group,
    needs: Needs::Text,
    ..Pass::rewriting("alike-lines", "removes all lines with the same word at the same place", 0.5, propose)
        .cutting_anew()
};

/// A longer text is cut into sections first.
const LONGEST: usize = 8 << 20;

/// So many columns are tried.
const COLUMNS: usize = 6;

/// So many words of a line are looked at.
const WORDS: usize = 24;

/// A column is in one line of so many at least.
const COVERED: usize = 4;

/// Two of its groups have so many lines on average, or more, as one that begins and one that ends what it names, where some have one only. And there are
/// at least so many groups.
const LINES_OF_TWO: usize = 3;
const GROUPS: usize = 3;

/// So many times do two groups begin anew behind others, on average: else the groups are stretches, or nearly.
const SCATTERED_OF_TWO: usize = 3;

/// A place in lines.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
enum Column<'a> {
    /// The word of this number.
    Place(usize),
    /// The word behind this word and an equals sign or colon.
    Key(&'a [u8]),
}

/// The groups of a column: of each word the numbers of its lines, in the order in which the words are met.
#[derive(Default)]
struct Groups<'a> {
    number: HashMap<&'a [u8], usize>,
    lines: Vec<Vec<u32>>,
    /// How many lines there are, and how many of them do not go on with the group of the one before.
    count: usize,
    runs: usize,
    last: Option<usize>,
}

impl<'a> Groups<'a> {
    fn add(&mut self, line: u32, word: &'a [u8]) {
        let group = *self.number.entry(word).or_insert(self.lines.len());
        if group == self.lines.len() {
            self.lines.push(vec![]);
        }
        // A key may stand in a line twice.
        if self.lines[group].last() == Some(&line) {
            return;
        }
        self.lines[group].push(line);
        self.count += 1;
        self.runs += usize::from(self.last != Some(group));
        self.last = Some(group);
    }

    /// Returns whether its groups are likely to go together, in a text of so many lines.
    fn is_worth_it(&self, lines: usize) -> bool {
        let groups = self.lines.len();
        groups >= GROUPS
            && self.count * COVERED >= lines
            && self.count * 2 >= groups * LINES_OF_TWO
            && self.runs * 2 >= groups * SCATTERED_OF_TWO
    }
}

fn propose(subject: &Subject) -> Proposals {
    let Some((region, text)) = longest_unparsed(subject, LONGEST) else { return vec![] };
    let lines = lines(text);
    let mut columns: HashMap<Column, Groups> = HashMap::new();
    for (number, line) in lines.iter().enumerate() {
        for (column, word) in words(&text[line.clone()]) {
            columns.entry(column).or_default().add(number as u32, word);
        }
    }
    let mut columns: Vec<(Column, Groups)> =
        columns.into_iter().filter(|(_, groups)| groups.is_worth_it(lines.len())).collect();
    columns.sort_by_key(|(column, groups)| (Reverse(groups.lines.len()), *column));
    let mut chosen: Vec<Groups> = vec![];
    for (_, groups) in columns {
        // The word behind a key may be the third of all lines.
        if chosen.len() < COLUMNS && chosen.iter().all(|other| other.lines != groups.lines) {
            chosen.push(groups);
        }
    }
    let items: Arc<[Item]> = lines.iter().map(|line| item(region.start, line)).collect();
    chosen.into_iter().map(|groups| spans(&items, groups)).collect()
}

/// Returns the groups of a column as sets of lines.
fn spans(items: &Arc<[Item]>, groups: Groups) -> Spans {
    let sets = groups.lines.into_iter().map(Arc::from).collect();
    ItemSets { items: items.clone(), sets, mends: [].into(), emptied: [].into() }.into()
}

/// Returns where lines stand, each with those below it that begin with white space.
fn lines(text: &[u8]) -> Vec<Range<usize>> {
    let mut lines: Vec<Range<usize>> = vec![];
    let mut at = 0;
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let range = at..at + line.len();
        at = range.end;
        match lines.last_mut() {
            Some(last) if line[0].is_ascii_whitespace() => last.end = range.end,
            _ => lines.push(range),
        }
    }
    lines
}

/// Returns the words of a line, each twice: by its number, and by the word before it if that is its key.
fn words(line: &[u8]) -> impl Iterator<Item = (Column<'_>, &[u8])> {
    let is_of_word = |byte: u8| is_word(byte) || matches!(byte, b'-' | b'.' | b'/');
    let first = line.split(|byte| *byte == b'\n').next().unwrap_or_default();
    let (mut at, mut number, mut before) = (0, 0, 0..0);
    let next = move || {
        let start = (at..first.len()).find(|at| is_of_word(first[*at]))?;
        let end = (start..first.len()).find(|at| !is_of_word(first[*at])).unwrap_or(first.len());
        let key = std::mem::replace(&mut before, start..end);
        let is_key = !key.is_empty() && start == key.end + 1 && matches!(first[key.end], b'=' | b':');
        (at, number) = (end, number + 1);
        let by_key = is_key.then(|| (Column::Key(&first[key]), &first[start..end]));
        Some([Some((Column::Place(number), &first[start..end])), by_key])
    };
    std::iter::from_fn(next).take(WORDS).flatten().flatten()
}
