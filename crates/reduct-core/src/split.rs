//! Where a configuration is cut into subsets.

use crate::config::Config;
use std::ops::Range;
use std::sync::Arc;

/// How a configuration is cut into `n` subsets of roughly equal size.
#[derive(Clone, Debug, Default)]
#[non_exhaustive]
pub enum Split {
    /// The book's `split` (Example 5.5): each subset takes its rounded share of what is left.
    #[default]
    Book,
    /// The older rule: each subset takes its share of what is left, rounded down, so that
    /// remainders gather at the end (Zeller and Hildebrandt's first implementation).
    Down,
    /// Borders at `⌊len·i/n⌋`, so that sizes differ by at most one anywhere (Picire's `balanced`).
    Balanced,
    /// Borders where the text has joints: paragraphs, lines and words are kept together as long as
    /// possible (Exercise 5.8).
    Joints(Joints),
}

impl Split {
    /// Returns the borders of `n` subsets of `config`, as positions: subset `i` is `borders[i]..borders[i + 1]`. Linear
    /// in `n`; with joints, in the deltas too.
    ///
    /// # Panics
    /// If `n` is 0 or larger than the configuration: every subset holds at least one delta.
    pub fn borders(&self, config: &Config, n: usize) -> Borders {
        let len = config.len();
        assert!(0 < n && n <= len, "{len} deltas cannot be split into {n} subsets");
        if n == len {
            return Borders::Singles;
        }
        let mut borders = vec![0; n + 1];
        for i in 0..n {
            let (rest, share) = (len - borders[i], n - i);
            borders[i + 1] = match self {
                Split::Book => borders[i] + (2 * rest + share) / (2 * share),
                Split::Down => borders[i] + rest / share,
                // u128: the product of a length and a count may not fit in 64 bits.
                Split::Balanced => (len as u128 * (i as u128 + 1) / n as u128) as usize,
                Split::Joints(joints) => joints.border(config, borders[i], share),
            };
        }
        Borders::At(borders.into())
    }
}

/// The borders between the subsets of a configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Borders {
    /// Every subset is one delta.
    Singles,
    /// Subset `i` is `at[i]..at[i + 1]`.
    At(Arc<[usize]>),
}

impl Borders {
    /// Returns the positions of subset `i`, counting from 0.
    pub fn subset(&self, i: usize) -> Range<usize> {
        match self {
            Borders::Singles => i..i + 1,
            Borders::At(at) => at[i]..at[i + 1],
        }
    }
}

/// How strong the joint before each delta is: 0 within a word, more before a word, a line, a
/// paragraph.
#[derive(Clone, Debug)]
pub struct Joints(Arc<[u8]>);

impl Joints {
    /// Joints by delta; `strengths[i]` stands before delta `i`.
    pub fn new(strengths: impl Into<Arc<[u8]>>) -> Joints {
        Joints(strengths.into())
    }

    /// Returns the end of the subset that begins at position `start`, with `share` subsets to be made of the rest: the
    /// strongest joint within half a subset of the even border, the nearest of equals.
    fn border(&self, config: &Config, start: usize, share: usize) -> usize {
        let rest = config.len() - start;
        let even = start + (2 * rest + share) / (2 * share);
        if share == 1 {
            return config.len();
        }
        let reach = (even - start) / 2;
        // Every later subset needs a delta of its own.
        let (low, high) = ((even - reach).max(start + 1), (even + reach).min(config.len() - (share - 1)));
        (low..=high)
            .max_by_key(|&border| (self.strength(config, border), std::cmp::Reverse(border.abs_diff(even))))
            .unwrap_or(even)
    }

    fn strength(&self, config: &Config, position: usize) -> u8 {
        config.get(position).and_then(|delta| self.0.get(delta.0 as usize).copied()).unwrap_or(0)
    }
}
