//! What the columns of a grid stand for: characters, lines, files, or equal stretches of what a search began with.

use reduct_core::Config;
use reduct_input::situation::SituationRole;
use reduct_input::{Artifact, Candidate, What};
use reduct_report::excerpt;
use reduct_report::story::{ColumnSet, FULL};
use std::ops::Range;

/// No grid has more columns, and a short line at most so many characters.
const MOST: usize = 100;
const SHORT: usize = 120;

/// The columns of the grid, as addresses in the whole.
pub(super) struct Columns {
    pub(super) set: ColumnSet,
    places: Vec<Range<u32>>,
}

/// Returns the sets of columns for a whole, coarsest first.
pub(super) fn columns(whole: &Candidate) -> Vec<Columns> {
    let base = whole.base();
    let files = files(base);
    let mut sets = vec![];
    if files.len() > 1 {
        sets.push(bundled("files", "files", files));
    }
    if !base.bytes().is_empty() && !holds_words(base) {
        sets.push(finest(base));
    }
    sets
}

/// Returns whether it holds arguments or variables, of which only names are for others.
pub(super) fn holds_words(base: &Artifact) -> bool {
    base.entries().iter().any(|entry| SituationRole::of(&entry.path) != SituationRole::File)
}

/// Returns the files, arguments and variables, each with its addresses.
fn files(base: &Artifact) -> Vec<(String, Range<u32>)> {
    let file = |entry: &reduct_input::Entry| match &entry.what {
        What::File { bytes, .. } => Some((called(base, entry, bytes), bytes.clone())),
        _ => None,
    };
    base.entries().iter().filter_map(file).collect()
}

/// Returns what an entry is called: of an argument the word, of a variable the name.
fn called(base: &Artifact, entry: &reduct_input::Entry, bytes: &Range<u32>) -> String {
    match SituationRole::of(&entry.path) {
        SituationRole::Argument(_) => excerpt::clean_bytes(base.slice(bytes.clone())),
        SituationRole::Variable(name) => excerpt::clean(&name.to_string_lossy()),
        SituationRole::File => excerpt::path(&entry.path),
    }
}

/// Returns the finest columns that fit: characters of a short line, lines, or stretches of bytes.
fn finest(base: &Artifact) -> Columns {
    let bytes = base.bytes();
    let text = std::str::from_utf8(bytes).ok();
    if let Some(text) = text.filter(|text| bytes.len() <= 4 * SHORT && text.chars().count() <= SHORT) {
        let place = |(at, c): (usize, char)| (excerpt::visible(c).to_string(), at as u32..(at + c.len_utf8()) as u32);
        return Columns::of("characters", text.char_indices().map(place).collect());
    }
    let lines = lines(bytes);
    if lines.len() > 1 && (lines.len() <= 4 * MOST || bytes.len() < 1 << 20) {
        let line = |(at, place): (usize, Range<u32>)| ((at + 1).to_string(), place);
        return bundled("lines", "line", lines.into_iter().enumerate().map(line).collect());
    }
    let size = bytes.len() as u64;
    let count = (MOST as u64).min(size);
    let bin = |at: u64| {
        let (start, end) = ((at * size / count) as u32, ((at + 1) * size / count) as u32);
        (format!("bytes {start}–{}", end.saturating_sub(1)), start..end)
    };
    Columns::of("stretches", (0..count).map(bin).collect())
}

fn lines(bytes: &[u8]) -> Vec<Range<u32>> {
    let mut at = 0;
    let line = |line: &[u8]| {
        let start = at;
        at += line.len() as u32;
        start..at
    };
    bytes.split_inclusive(|byte| *byte == b'\n').map(line).collect()
}

/// Returns a column for each of these, or for equally many neighbours if they are too many.
fn bundled(name: &'static str, of: &'static str, all: Vec<(String, Range<u32>)>) -> Columns {
    if all.len() <= MOST {
        let label = |(label, place): (String, Range<u32>)| match of {
            "line" => (format!("line {label}"), place),
            _ => (label, place),
        };
        return Columns::of(name, all.into_iter().map(label).collect());
    }
    let count = all.len();
    let bundle = |at: usize| {
        let bundle = &all[at * count / MOST..(at + 1) * count / MOST];
        let ((first, from), (last, to)) = (&bundle[0], &bundle[bundle.len() - 1]);
        let label = if of == "line" { format!("lines {first}–{last}") } else { format!("{first} – {last}") };
        (label, from.start..to.end)
    };
    Columns::of(name, (0..MOST).map(bundle).collect())
}

impl Columns {
    fn of(name: &'static str, all: Vec<(String, Range<u32>)>) -> Columns {
        let (labels, places) = all.into_iter().unzip();
        Columns { set: ColumnSet { name, labels }, places }
    }

    /// Returns how much of each column is kept.
    pub(super) fn cells(&self, kept: &Config) -> Box<[u8]> {
        self.places.iter().map(|place| level(kept.count_within(place.clone()), place.len())).collect()
    }
}

/// Returns how much of something is there, in steps of which the first and the last are none and all.
pub(super) fn level(part: usize, whole: usize) -> u8 {
    match part {
        0 => 0,
        _ if part >= whole => FULL,
        _ => (1 + part * (FULL as usize - 1) / whole.max(1)).min(FULL as usize - 1) as u8,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reduct_input::ArtifactBuilder;

    fn sets(whole: &Candidate) -> Vec<(&'static str, usize)> {
        columns(whole).iter().map(|columns| (columns.set.name, columns.set.labels.len())).collect()
    }

    fn file(text: &[u8]) -> Candidate {
        Candidate::whole(Artifact::of_file("f", text).unwrap().into())
    }

    #[test]
    fn short_texts_have_a_column_a_character_long_ones_bundles() {
        assert_eq!(sets(&file(b"<SELECT>")), [("characters", 8)]);
        assert_eq!(sets(&file("line of text\n".repeat(50).as_bytes())), [("lines", 50)]);
        assert_eq!(sets(&file("line\n".repeat(1000).as_bytes())), [("lines", MOST)]);
        assert_eq!(sets(&file(&[b'x'; 100_000])), [("stretches", MOST)]);
        assert_eq!(sets(&file(b"")), []);
    }

    #[test]
    fn several_files_have_columns_of_their_own() {
        let mut builder = ArtifactBuilder::default();
        builder.file("a", 0o644, &[b'1'; 200]).unwrap().file("b", 0o644, b"2").unwrap();
        let whole = Candidate::whole(builder.finish().into());
        assert_eq!(sets(&whole)[0], ("files", 2));
        let cells = columns(&whole)[0].cells(&Config::from_ranges([0..50, 200..201]));
        assert_eq!(*cells, [1, FULL]);
    }

    #[test]
    fn every_byte_is_in_one_column() {
        for text in ["abc\n".repeat(777), "x".repeat(4_321), "é\n".repeat(20)] {
            for columns in columns(&file(text.as_bytes())) {
                let mut at = 0;
                for place in &columns.places {
                    assert_eq!(place.start, at);
                    at = place.end;
                }
                assert_eq!(at as usize, text.len());
            }
        }
    }

    #[test]
    fn some_is_neither_nothing_nor_all() {
        for part in 1..1000 {
            assert!((1..FULL).contains(&level(part, 1000)), "{part}");
        }
        assert_eq!((level(0, 1000), level(1000, 1000), level(0, 0)), (0, FULL, 0));
    }
}
