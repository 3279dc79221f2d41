//! Tables of SQL as words and brackets tell them, where the grammar does not know what it reads.

use crate::text::{pairs, quoted};
use reduct_input::names::words;
use reduct_input::{Edit, Splice};
use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

/// Longer texts have their columns as far as the grammar reads them.
const LONGEST: usize = 1 << 16;

/// A list in brackets: where each of its parts is.
type List = Vec<Range<usize>>;

/// What is put into a table by one statement: the names of columns, if they are given, and rows.
type Insert = (Option<List>, Vec<List>);

/// Tables that are made, by name, with their columns.
type Made<'a> = Vec<(&'a [u8], List)>;

/// What is put into tables, by name.
type Inserts<'a> = BTreeMap<&'a [u8], Vec<Insert>>;

/// Returns the columns of the tables that have other numbers of columns or rows than are known, as far as the words `CREATE TABLE`
/// and `INTO` tell.
pub(super) fn columns(text: &[u8], start: u32, known: impl Fn(&[u8]) -> (usize, usize)) -> Vec<Edit> {
    if text.len() > LONGEST {
        return vec![];
    }
    let text = Text::new(text);
    let (made, inserts) = text.tables();
    let mut edits = vec![];
    for (name, list) in made {
        let Some(inserts) = inserts.get(name) else { continue };
        let rows: usize = inserts.iter().map(|(_, rows)| rows.len()).sum();
        if list.len() < 2 || rows == 0 || known(name) == (list.len(), rows) {
            continue;
        }
        edits.extend((0..list.len()).filter_map(|place| text.without(&list, place, inserts, start)));
    }
    edits
}

/// A text in SQL.
struct Text<'a> {
    text: &'a [u8],
    words: Vec<Range<usize>>,
    /// By where they open, where brackets close.
    close: HashMap<usize, usize>,
}

impl<'a> Text<'a> {
    fn new(text: &'a [u8]) -> Text<'a> {
        let strings = quoted(text);
        let words = words(text).map(|at| at.start as usize..at.end as usize);
        let is_in_string = |at: &Range<usize>| {
            let before = strings.partition_point(|string| string.start <= at.start);
            before.checked_sub(1).is_some_and(|before| at.start < strings[before].end)
        };
        let words = words.filter(|word| !is_in_string(word)).collect();
        Text { text, words, close: pairs(text).into_iter().filter(|(open, _)| text[*open] == b'(').collect() }
    }

    /// Returns the tables that are made, with their columns, and what is put into each table.
    fn tables(&self) -> (Made<'a>, Inserts<'a>) {
        let (mut made, mut inserts): (Made<'a>, Inserts<'a>) = Default::default();
        for (number, at) in self.words.iter().enumerate() {
            let is = |word: &str| self.text[at.clone()].eq_ignore_ascii_case(word.as_bytes());
            let (Some(name), true) = (self.words.get(number + 1), is("table") || is("into")) else { continue };
            let list = self.list(name.end);
            if is("table") {
                made.extend(list.map(|(list, _)| (&self.text[name.clone()], list)));
                continue;
            }
            let (columns, mut end) = list.map_or((None, name.end), |(list, end)| (Some(list), end));
            let Some(values) = self.words.iter().find(|word| word.start >= end) else { continue };
            if !self.text[values.clone()].eq_ignore_ascii_case(b"values") {
                continue;
            }
            end = values.end;
            let mut rows = vec![];
            while let Some((row, after)) = self.list(end) {
                rows.push(row);
                end = after + usize::from(self.text.get(after) == Some(&b','));
            }
            inserts.entry(&self.text[name.clone()]).or_default().push((columns, rows));
        }
        (made, inserts)
    }

    /// Returns the list in brackets that opens next, and where it ends.
    fn list(&self, from: usize) -> Option<(List, usize)> {
        let open = from + self.text[from..].iter().position(|byte| !byte.is_ascii_whitespace())?;
        let close = *self.close.get(&open)?;
        let strings = quoted(&self.text[open + 1..close]);
        let (mut list, mut at, mut start) = (vec![], open + 1, open + 1);
        let mut strings = strings.iter().map(|string| open + 1 + string.start..open + 1 + string.end).peekable();
        while at < close {
            while strings.next_if(|string| string.end <= at).is_some() {}
            match (strings.peek().filter(|string| string.start <= at), self.close.get(&at)) {
                (Some(string), _) => at = string.end,
                (_, Some(end)) => at = end + 1,
                _ => {
                    if self.text[at] == b',' {
                        list.push(start..at);
                        start = at + 1;
                    }
                    at += 1;
                }
            }
        }
        list.push(start..close);
        Some((list, close + 1))
    }

    /// Returns the text without a column.
    fn without(&self, list: &List, place: usize, inserts: &[Insert], start: u32) -> Option<Edit> {
        let name = |at: &Range<usize>| {
            let text = self.text[at.clone()].trim_ascii_start();
            let word = text.iter().position(|byte| byte.is_ascii_whitespace()).unwrap_or(text.len());
            &text[..word]
        };
        let mut gone = vec![cut(list, place)?];
        for (columns, rows) in inserts {
            let (place, length) = match columns {
                Some(columns) => (columns.iter().position(|at| name(at) == name(&list[place])), columns.len()),
                None => (Some(place), list.len()),
            };
            let Some(place) = place else { continue };
            if let Some(columns) = columns {
                gone.push(cut(columns, place)?);
            }
            for row in rows.iter().filter(|row| row.len() == length) {
                gone.push(cut(row, place)?);
            }
        }
        let moved = |at: Range<usize>| at.start as u32 + start..at.end as u32 + start;
        Edit::new(gone.into_iter().map(|at| Splice { at: moved(at), with: [].into() }).collect())
    }
}

/// Returns what goes of a list with one of its parts: with the comma after the first, before others.
fn cut(list: &List, place: usize) -> Option<Range<usize>> {
    match place {
        0 => Some(list[0].start..list.get(1)?.start),
        _ => Some(list[place - 1].end..list.get(place)?.end),
    }
}
