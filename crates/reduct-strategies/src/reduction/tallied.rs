//! A text whose ranges know how much they hold without being read: many parts that lie in each other are as long together as the text is deep.

use reduct_input::names::is_word;
use std::cell::OnceCell;
use std::ops::Range;

/// What is counted at once.
const BLOCK: usize = 64;

/// A text and what stands in it up to each block, counted when it is first asked for.
pub(super) struct Tallied<'a> {
    bytes: &'a [u8],
    before: OnceCell<Vec<Tally>>,
}

/// What there is in a range.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Tally {
    /// Bytes that are no blanks.
    pub(super) filled: usize,
    /// Those of them that are of no word.
    pub(super) marks: usize,
}

impl<'a> Tallied<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Tallied<'a> {
        Tallied { bytes, before: OnceCell::new() }
    }

    pub(super) fn bytes(&self) -> &'a [u8] {
        self.bytes
    }

    /// Counts what is in a range. Linear in the text the first time, of constant time after that.
    pub(super) fn tally(&self, range: Range<usize>) -> Tally {
        let (start, end) = (self.up_to(range.start), self.up_to(range.end));
        Tally { filled: end.filled - start.filled, marks: end.marks - start.marks }
    }

    fn up_to(&self, at: usize) -> Tally {
        let before = self.before.get_or_init(|| {
            let blocks = self
                .bytes
                .chunks(BLOCK)
                .scan(Tally::default(), |sum, block| Some(std::mem::replace(sum, count(*sum, block))));
            // What ends where the last block ends is asked for, too.
            blocks
                .chain((self.bytes.len().is_multiple_of(BLOCK)).then(|| count(Tally::default(), self.bytes)))
                .collect()
        });
        let block = at / BLOCK;
        count(before[block], &self.bytes[block * BLOCK..at])
    }
}

fn count(sum: Tally, bytes: &[u8]) -> Tally {
    bytes
        .iter()
        .filter(|byte| !byte.is_ascii_whitespace())
        .fold(sum, |sum, byte| Tally { filled: sum.filled + 1, marks: sum.marks + usize::from(!is_word(*byte)) })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_as_one_by_one() {
        for length in [0, 1, 63, 64, 65, 128, 200] {
            let text: Vec<u8> = (0..length).map(|at| b"a b;\n_(9) \t"[at * at % 11]).collect();
            let tallied = Tallied::new(&text);
            for start in 0..=length {
                for end in start..=length {
                    let filled: Vec<u8> =
                        text[start..end].iter().copied().filter(|byte| !byte.is_ascii_whitespace()).collect();
                    let marks = filled.iter().filter(|byte| !byte.is_ascii_alphanumeric() && **byte != b'_').count();
                    assert_eq!(tallied.tally(start..end), Tally { filled: filled.len(), marks }, "{start}..{end}");
                }
            }
        }
    }
}
