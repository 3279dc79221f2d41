//! The table of tests, as Example 5.8 of the book shows it.

use crate::excerpt::{Removed, beginning, gives_words, shorten, visible, width};
use crate::human::{count, counted};
use reduct_core::{Delta, Outcome};
use reduct_input::{Artifact, Candidate, What};
use serde_json::{Value, json};
use std::io::{self, Write};
use std::ops::Range;
use std::sync::Arc;

/// Writes a table of tests: what each left out, its size, and what it said.
///
/// A short line is shown whole in every row, what was removed in grey, or as dots if there is no colour. Of anything
/// larger each row shows what it removes from the best so far.
pub struct Table {
    whole: Candidate,
    unit: &'static str,
    color: bool,
    width: usize,
    /// The characters of the input, if it is shown whole in every row.
    line: Option<Vec<Cell>>,
    /// The last candidate that failed: what the next ones are made from.
    best: Candidate,
    origin: Origin,
}

/// One test.
#[derive(Clone, Copy, Debug)]
pub struct Row<'a> {
    /// Its number.
    pub n: u64,
    /// What was tested.
    pub candidate: &'a Candidate,
    /// Its size, in the unit of the plan.
    pub size: usize,
    /// What the test said.
    pub outcome: Outcome,
    /// Whether it was asked before.
    pub cached: bool,
}

/// A character of the input: the addresses of its bytes, and how it is shown.
struct Cell {
    addresses: Range<u32>,
    shown: char,
}

/// Where the bytes of a base stand in the whole input: a later phase has a base of its own, made from the best.
struct Origin {
    base: Arc<Artifact>,
    /// For each address of the base the one in the whole; `None` if the base is the whole's.
    addresses: Option<Vec<u32>>,
}

impl Origin {
    fn of(&self, address: u32) -> u32 {
        self.addresses.as_ref().map_or(address, |addresses| addresses[address as usize])
    }
}

const LONGEST: usize = 200;
/// `Input:  `, and in rows the number.
const LABEL: usize = 8;
const GREY: &str = "\x1b[90m";
const PLAIN: &str = "\x1b[0m";

impl Table {
    /// Returns a table of the tests of `whole`, with sizes in `unit`, for an output of `width` columns.
    pub fn new(whole: &Candidate, unit: &'static str, color: bool, width: usize) -> Table {
        let origin = Origin { base: whole.base().clone(), addresses: None };
        let mut table = Table { whole: whole.clone(), unit, color, width, line: None, best: whole.clone(), origin };
        table.line = cells(whole).filter(|cells| LABEL + columns(cells) + table.tail() <= width);
        table
    }

    /// Writes the row of the input.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn input(&self, output: &mut impl Write) -> io::Result<()> {
        let own = self.own(&self.whole);
        self.write(output, "Input:", &own, self.size(&self.whole), Some(Outcome::Fail), false)
    }

    /// Writes the row of a test. The rows must come in the order of the tests.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn row(&mut self, output: &mut impl Write, row: &Row<'_>) -> io::Result<()> {
        self.follow(row.candidate);
        let text = match &self.line {
            Some(cells) => self.less(cells, row.candidate),
            None => self.removed(row.candidate),
        };
        if row.outcome == Outcome::Fail {
            self.best = row.candidate.clone();
        }
        self.write(output, &format!("{:>6}", count(row.n)), &text, row.size, Some(row.outcome), row.cached)
    }

    /// Writes the row of the result.
    ///
    /// # Errors
    /// If the output cannot be written.
    pub fn result(&self, output: &mut impl Write, result: &Candidate, size: usize) -> io::Result<()> {
        self.write(output, "Result:", &self.own(result), size, None, false)
    }

    fn write(
        &self,
        output: &mut impl Write,
        label: &str,
        (text, taken): &(String, usize),
        size: usize,
        outcome: Option<Outcome>,
        cached: bool,
    ) -> io::Result<()> {
        let blanks = self.text_width().saturating_sub(*taken);
        let size = format!("({})", count(size));
        let mark = outcome.map(|outcome| format!(" {}", outcome.mark())).unwrap_or_default();
        let again = if cached { " (again)" } else { "" };
        let digits = self.size_width();
        writeln!(output, "{label:<LABEL$}{text}{:blanks$}  {size:>digits$}{mark}{again}", "")
    }

    /// Returns how many columns the text has.
    fn text_width(&self) -> usize {
        match &self.line {
            Some(cells) => columns(cells),
            None => self.width.saturating_sub(LABEL + self.tail()).max(20),
        }
    }

    fn size_width(&self) -> usize {
        count(self.size(&self.whole)).len() + 2
    }

    /// Returns how many columns stand after the text: the size, the mark, `(again)`.
    fn tail(&self) -> usize {
        2 + self.size_width() + 2 + 8
    }

    /// Returns the size of a candidate that no event told.
    fn size(&self, candidate: &Candidate) -> usize {
        // A candidate that was made without a plan has no count of deltas.
        if self.unit == "bytes" || candidate.deltas() == 0 { candidate.len() } else { candidate.deltas() }
    }

    /// Finds where a candidate stands in the whole, if it is made from a new base that consists of the best.
    fn follow(&mut self, candidate: &Candidate) {
        let base = candidate.base();
        if Arc::ptr_eq(base, &self.origin.base) || self.best.len() != base.bytes().len() {
            return;
        }
        if Arc::ptr_eq(self.best.base(), &self.origin.base) && self.best.artifact() == **base {
            let known =
                self.line.is_some().then(|| self.best.kept().iter().map(|Delta(at)| self.origin.of(at)).collect());
            self.origin = Origin { base: base.clone(), addresses: Some(known.unwrap_or_default()) };
            self.best = Candidate::whole(base.clone());
        }
    }

    /// Returns the whole line with what the candidate leaves out in grey or as dots, and its width.
    fn less(&self, cells: &[Cell], candidate: &Candidate) -> (String, usize) {
        if !Arc::ptr_eq(candidate.base(), &self.origin.base) {
            return self.own(candidate);
        }
        let mut kept = vec![false; self.whole.base().bytes().len()];
        candidate.kept().iter().for_each(|Delta(at)| kept[self.origin.of(at) as usize] = true);
        let mut text = String::new();
        let mut grey = false;
        for cell in cells {
            let gone = cell.addresses.clone().any(|at| !kept[at as usize]);
            if self.color && gone != grey {
                text.push_str(if gone { GREY } else { PLAIN });
                grey = gone;
            }
            match gone && !self.color {
                true => text.extend(std::iter::repeat_n('·', width(&cell.shown.to_string()))),
                false => text.push(cell.shown),
            }
        }
        if grey {
            text.push_str(PLAIN);
        }
        (text, columns(cells))
    }

    /// Returns what the candidate removes from the best so far, and its width.
    fn removed(&self, candidate: &Candidate) -> (String, usize) {
        let removed = Removed::between(&self.best, candidate);
        match removed {
            Removed { bytes: 0, entries: 0, .. } => self.own(candidate),
            Removed { bytes: 0, entries, .. } => self.quoted(format!("−{}", counted(entries, "entries")), ""),
            Removed { bytes, text, .. } => self.quoted(format!("−{}", counted(bytes, "bytes")), &text),
        }
    }

    /// Returns what the candidate consists of, and its width.
    fn own(&self, candidate: &Candidate) -> (String, usize) {
        let text = beginning(candidate);
        if self.line.is_some() {
            let text = shorten(&text, self.text_width());
            let taken = width(&text);
            return (text, taken);
        }
        self.quoted(counted(candidate.len(), "bytes"), &text)
    }

    fn quoted(&self, number: String, text: &str) -> (String, usize) {
        let free = self.text_width().saturating_sub(width(&number) + 4);
        if text.is_empty() || free < 3 {
            let taken = width(&number);
            return (number, taken);
        }
        let text = shorten(text, free);
        let taken = width(&number) + 4 + width(&text);
        let text =
            if self.color { format!("{number}: {GREY}\"{text}\"{PLAIN}") } else { format!("{number}: \"{text}\"") };
        (text, taken)
    }
}

impl Row<'_> {
    /// Returns the row for scripts: number, size, outcome, whether it was asked before, bytes, and the text if it is a
    /// single file of at most 1,000 bytes of UTF-8.
    pub fn json(&self) -> Value {
        let mut row = json!({
            "n": self.n,
            "size": self.size,
            "outcome": self.outcome.name(),
            "cached": self.cached,
            "bytes": self.candidate.len(),
        });
        let short = self.candidate.len() <= 1000 && self.candidate.entry_count() == 1;
        let bytes = || self.candidate.pieces().flat_map(|(_, pieces)| pieces.concat()).collect();
        if let Some(Ok(text)) = short.then(|| String::from_utf8(bytes())) {
            row["text"] = text.into();
        }
        row
    }
}

/// Returns the characters of the input, if it is one short line of text.
fn cells(whole: &Candidate) -> Option<Vec<Cell>> {
    if gives_words(whole.base()) {
        return None;
    }
    let mut pieces = whole.pieces();
    let (Some((entry, contents)), None) = (pieces.next(), pieces.next()) else { return None };
    let What::File { bytes, .. } = &entry.what else { return None };
    let [contents] = contents[..] else { return None };
    let text = std::str::from_utf8(contents).ok()?;
    let lines = text.strip_suffix('\n').unwrap_or(text).contains('\n');
    if lines || contents.len() != bytes.len() || text.chars().count() > LONGEST {
        return None;
    }
    let cell = |(at, character): (usize, char)| {
        let start = bytes.start + at as u32;
        Cell { addresses: start..start + character.len_utf8() as u32, shown: visible(character) }
    };
    Some(text.char_indices().map(cell).collect())
}

/// Returns how many columns the characters take together.
fn columns(cells: &[Cell]) -> usize {
    width(&cells.iter().map(|cell| cell.shown).collect::<String>())
}
