//! What the table of tests shows of a candidate.

use super::columns::holds_words;
use reduct_core::Config;
use reduct_input::{Artifact, Candidate};
use reduct_report::excerpt::{self, Removed};
use reduct_report::story::StoryRow;
use std::ops::Range;

/// A longer line is not shown whole in every row.
const LONGEST: usize = 200;
/// Of what an inquiry has tested, so many characters are shown.
pub(super) const MOST_TEXT: usize = 300;

/// The characters of an input that is one short line: the addresses of their bytes, and how they are shown.
pub(super) struct ShortLine(Vec<(Range<u32>, char)>);

impl ShortLine {
    /// Returns the line of a short input of one; `None` of any other input.
    pub(super) fn of(base: &Artifact) -> Option<ShortLine> {
        if base.entries().len() != 1 || holds_words(base) {
            return None;
        }
        let text = std::str::from_utf8(base.bytes()).ok()?;
        let one = text.strip_suffix('\n').unwrap_or(text);
        if one.contains('\n') || text.is_empty() || text.chars().count() > LONGEST {
            return None;
        }
        let cell = |(at, c): (usize, char)| (at as u32..(at + c.len_utf8()) as u32, excerpt::visible(c));
        Some(ShortLine(text.char_indices().map(cell).collect()))
    }

    /// Returns its row, with what is left out.
    pub(super) fn row(&self, kept: &Config) -> StoryRow {
        let is_gone = |at: &Range<u32>| kept.count_within(at.clone()) < at.len();
        StoryRow::Line(self.0.iter().map(|(at, c)| (*c, is_gone(at))).collect())
    }
}

/// Returns the row of a candidate of a larger input: what it removes from the best so far.
pub(super) fn row(best: &Candidate, candidate: &Candidate) -> StoryRow {
    let Removed { bytes, entries, text } = Removed::between(best, candidate);
    let short = |text: &str| excerpt::shorten(text, 100);
    match (bytes, entries) {
        (0, 0) => StoryRow::Own(candidate.len(), short(&excerpt::beginning(candidate))),
        _ => StoryRow::Removed { bytes, entries, text: short(&text) },
    }
}
