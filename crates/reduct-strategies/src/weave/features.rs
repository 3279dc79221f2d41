//! Which deltas belong together by names: what uses a function goes with what brings it, what takes it away
//! with what no longer uses it.
//!
//! No language is known here, so that nothing is needed for certain: it is a level at which groups are
//! tried, and nothing more. A group that is whole can be built far more often than one of neighbours.

use super::Weave;
use reduct_core::{Config, Delta};
use reduct_input::Circumstances;
use std::collections::{BTreeMap, HashSet};

/// A name that is in more deltas than this says nothing about any two of them.
const MOST: usize = 64;

/// Shorter words are too common to say anything.
const SHORTEST: usize = 3;

impl Weave {
    /// Returns, for each delta, the number of its feature, where `passing` is what is there without any of them, and
    /// `failing` with all.
    pub(crate) fn features(&self, passing: &Config, failing: &Config) -> Vec<u32> {
        let mut together = Together::new(self.len());
        let mut of_hunk: BTreeMap<u32, u32> = BTreeMap::new();
        let mut of_name: BTreeMap<&[u8], Vec<u32>> = BTreeMap::new();
        let words_before = self.words_of(passing);
        let words_after = self.words_of(failing);
        for Delta(at) in failing.minus(passing).iter() {
            let piece = &self.deltas[at as usize];
            together.unite(at, *of_hunk.entry(piece.hunk).or_insert(at));
            piece.needs.iter().filter(|need| !passing.contains(**need)).for_each(|need| together.unite(at, need.0));
            for (ranges, known) in [(&piece.puts, &words_before), (&piece.takes, &words_after)] {
                let texts = ranges.iter().map(|range| self.base.slice(range.clone()));
                let mut names: Vec<&[u8]> = texts.flat_map(names).filter(|name| !known.contains(name)).collect();
                names.sort_unstable();
                names.dedup();
                names.into_iter().for_each(|name| of_name.entry(name).or_default().push(at));
            }
        }
        for deltas in of_name.into_values().filter(|deltas| deltas.len() <= MOST) {
            deltas.windows(2).for_each(|pair| together.unite(pair[0], pair[1]));
        }
        (0..self.len() as u32).map(|at| together.first(at)).collect()
    }

    /// Returns all names in what is there with these deltas.
    fn words_of(&self, config: &Config) -> HashSet<&[u8]> {
        let bytes = self.present(config).bytes;
        bytes.ranges().flat_map(|range| words(self.base.slice(range))).collect()
    }
}

/// Returns the words of a text.
fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    text.split(|byte| !is_of_word(*byte)).filter(|word| word.len() >= SHORTEST)
}

/// Returns the words that are names rather than prose: with an underscore or a capital within, or before a bracket.
fn names(text: &[u8]) -> Vec<&[u8]> {
    let mut found = vec![];
    let mut at = 0;
    for run in text.chunk_by(|one, other| is_of_word(*one) == is_of_word(*other)) {
        at += run.len();
        let is_called = text.get(at) == Some(&b'(');
        let has_capital = run[1..].iter().any(u8::is_ascii_uppercase) && run.iter().any(u8::is_ascii_lowercase);
        let is_name = is_of_word(run[0]) && !run[0].is_ascii_digit() && run.len() >= SHORTEST;
        if is_name && (run.contains(&b'_') || has_capital || is_called) {
            found.push(run);
        }
    }
    found
}

fn is_of_word(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || byte == b'_' || byte >= 0x80
}

/// Sets that are united.
struct Together(Vec<u32>);

impl Together {
    fn new(count: usize) -> Together {
        Together((0..count as u32).collect())
    }

    /// Returns the first of the set that one is in.
    fn first(&mut self, at: u32) -> u32 {
        let mut root = at;
        while self.0[root as usize] != root {
            root = self.0[root as usize];
        }
        let mut at = at;
        while self.0[at as usize] != root {
            at = std::mem::replace(&mut self.0[at as usize], root);
        }
        root
    }

    fn unite(&mut self, one: u32, other: u32) {
        let (one, other) = (self.first(one), self.first(other));
        self.0[one.max(other) as usize] = one.min(other);
    }
}
