//! The kinds of parts that an artifact can be taken to consist of.

mod blocks;
mod brackets;
mod bytes;
mod chars;
mod chunks;
pub mod events;
mod files;
mod lines;
mod lists;
pub(crate) mod nodes;
pub mod situation;
mod tokens;
mod tree;
mod words;

use reduct_input::Artifact;
use reduct_input::Spans;
use reduct_input::Subject;
use std::ops::Range;

/// The parts of `nodes` and `brackets` as one tree. It has no name for `--by`: it finds what can go, and
/// those two prove that nothing more can.
pub const TREE: Kind = tree::KIND;

/// One way of taking an artifact apart. A new one is a file in `kind/` and a line in [`KINDS`].
#[derive(Clone, Copy, Debug)]
pub struct Kind {
    /// Its name in `--by` and in events.
    pub name: &'static str,
    /// What one part is, for a count of them.
    pub unit: &'static str,
    /// What its parts are, in a line of help.
    pub about: &'static str,
    /// Whether its parts are one list, with all contents in it; else they stand in levels, and only
    /// bytes can say how much is left.
    pub flat: bool,
    /// Whether a candidate that follows its language less than the whole did is not tried: it is
    /// unresolved without a run.
    pub checked: bool,
    /// What a file must be to have such parts.
    pub needs: Needs,
    /// What share of the parts is likely to go, before anything is known.
    pub likely: f64,
    /// Takes an artifact apart, coarsest level first. Levels without parts are left out.
    pub outline: fn(&Subject) -> Outline,
}

/// What a file must be to have parts of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Needs {
    /// Any bytes have them.
    Nothing,
    /// Only texts have them. In other files they would be arbitrary, and cost as many tests.
    Text,
    /// Only a grammar sees them.
    Grammar,
}

impl Kind {
    /// A kind whose parts are edits of what a grammar sees, tried only where the text still follows it.
    pub(crate) const fn pass(
        name: &'static str,
        about: &'static str,
        likely: f64,
        outline: fn(&Subject) -> Outline,
    ) -> Kind {
        Kind { name, unit: "edits", about, flat: false, checked: true, needs: Needs::Grammar, likely, outline }
    }
}

/// Of what is in an input most has nothing to do with its failure. What share it is is learned soon, and a
/// wrong start costs no more than the bisection of one group (docs/ALGORITHMS.md, 4.2, begins with 6 to ½).
const LIKELY: f64 = 12.0 / 13.0;

/// The parts of an artifact, level by level, coarsest first. A flat kind has one level.
pub type Outline = Vec<Spans>;

/// All kinds of parts, coarsest first; with those of the passes the names that `--by` takes.
pub const KINDS: &[Kind] = &[
    files::KIND,
    chunks::KIND,
    nodes::KIND,
    lists::KIND,
    brackets::KIND,
    blocks::KIND,
    events::KIND,
    lines::KIND,
    words::KIND,
    tokens::KIND,
    chars::KIND,
    bytes::KIND,
];

impl PartialEq for Kind {
    fn eq(&self, other: &Kind) -> bool {
        self.name == other.name
    }
}

/// Finds the ends of quoted strings in one text, from front to back.
#[derive(Default)]
pub(crate) struct Strings {
    /// By quote: up to where it is known that no string is closed. A quote before that was escaped
    /// when it was passed over, so what comes after it was seen as it would see it; that is why each
    /// text is searched once for each quote, and not once for each stray quote.
    open_until: [usize; 3],
}

impl Strings {
    /// How long the string that begins with the quote at `at` is, if it is closed on its line.
    pub(crate) fn length(&mut self, text: &[u8], at: usize) -> Option<usize> {
        let quote = text[at];
        let known = match quote {
            b'"' => &mut self.open_until[0],
            b'\'' => &mut self.open_until[1],
            _ => &mut self.open_until[2],
        };
        if at < *known {
            return None;
        }
        let mut escaped = false;
        for (end, &byte) in text.iter().enumerate().skip(at + 1) {
            match byte {
                b'\n' => {
                    *known = end;
                    return None;
                }
                _ if escaped => escaped = false,
                b'\\' => escaped = true,
                b if b == quote => return Some(end + 1 - at),
                _ => {}
            }
        }
        *known = text.len();
        None
    }
}

/// The outline of a flat kind: cuts each file with `ends`, which says where the part that begins at
/// a position ends (after the position, at most at the end of the text).
fn flat(artifact: &Artifact, mut ends: impl FnMut(&[u8], usize) -> usize) -> Outline {
    let mut cuts = vec![0];
    for (_, addresses, text) in artifact.files() {
        let mut at = 0;
        while at < text.len() {
            at = ends(text, at).clamp(at + 1, text.len());
            cuts.push(addresses.start + at as u32);
        }
    }
    if cuts.len() > 1 { vec![Spans::Cuts(cuts.into())] } else { vec![] }
}

/// Collects the parts of a kind with levels.
#[derive(Default)]
struct Levels {
    levels: Vec<Vec<Range<u32>>>,
}

impl Levels {
    /// Adds a part, after those of its level that are there.
    fn add(&mut self, level: usize, addresses: Range<u32>) {
        if self.levels.len() <= level {
            self.levels.resize_with(level + 1, Vec::new);
        }
        if !addresses.is_empty() {
            self.levels[level].push(addresses);
        }
    }

    fn finish(self, spans: fn(std::sync::Arc<[Range<u32>]>) -> Spans) -> Outline {
        self.levels.into_iter().filter(|level| !level.is_empty()).map(|level| spans(level.into())).collect()
    }
}

/// The position after the white space at `at`.
fn after_space(text: &[u8], at: usize) -> usize {
    at + text[at..].iter().take_while(|b| b.is_ascii_whitespace()).count()
}
