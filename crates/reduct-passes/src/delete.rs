//! Passes that leave parts out: what an artifact can be taken to consist of, a file each.

pub(crate) mod alike_parts;
pub(crate) mod blocks;
pub(crate) mod brackets;
pub(crate) mod bytes;
pub(crate) mod chars;
mod coarse;
pub(crate) mod files;
mod followers;
pub(crate) mod lines;
pub(crate) mod lists;
pub(crate) mod nests;
pub(crate) mod nodes;
mod pairs;
pub(crate) mod sections;
pub(crate) mod situation;
pub(crate) mod stretches;
pub(crate) mod tokens;
pub(crate) mod tree;
mod use_order;
pub(crate) mod words;

use crate::pass::Proposals;
use reduct_input::Artifact;
use reduct_input::Spans;
use reduct_input::parts::Cuts;
use std::ops::Range;

/// Returns the parts of a single list: cuts each file with `ends`, which says where the part that begins at
/// a position ends (after the position, at most at the end of the text).
fn flat(artifact: &Artifact, mut ends: impl FnMut(&[u8], usize) -> usize) -> Proposals {
    let mut cuts = vec![0];
    for (_, addresses, text) in artifact.files() {
        let mut at = 0;
        while at < text.len() {
            at = ends(text, at).clamp(at + 1, text.len());
            cuts.push(addresses.start + at as u32);
        }
    }
    if cuts.len() > 1 { vec![Cuts(cuts.into()).into()] } else { vec![] }
}

/// Collects the parts of a kind with levels.
#[derive(Default)]
pub(crate) struct Levels {
    levels: Vec<Vec<Range<u32>>>,
}

impl Levels {
    /// Adds a part, after those of its level that are there.
    pub(crate) fn add(&mut self, level: usize, addresses: Range<u32>) {
        if self.levels.len() <= level {
            self.levels.resize_with(level + 1, Vec::new);
        }
        if !addresses.is_empty() {
            self.levels[level].push(addresses);
        }
    }

    pub(crate) fn finish<S: Into<Spans>>(self, shape: fn(std::sync::Arc<[Range<u32>]>) -> S) -> Proposals {
        self.levels.into_iter().filter(|level| !level.is_empty()).map(|level| shape(level.into()).into()).collect()
    }
}

/// Returns the position after the white space at `at`.
fn after_space(text: &[u8], at: usize) -> usize {
    at + text[at..].iter().take_while(|b| b.is_ascii_whitespace()).count()
}
