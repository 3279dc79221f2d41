//! Which numbers say how many parts a list near them has, guessed from the numbers with the same label.

use crate::text::telling;

/// So many parts around a number are looked at: a list whose parts it counts stands in one of these, or beside one.
pub(crate) const NEAR: usize = 3;

/// If more lists near a number are that long, it is not known which one it counts.
pub(crate) const LISTS: usize = 4;

/// Labels with one of these words say that they count.
const SAYING: &[&str] = &["count", "counts", "len", "length", "num", "number", "size", "sum", "total"];

/// What counts so many parts and more does not do so by chance, whatever its label says.
pub(crate) const TELLING: usize = 3;

/// Returns whether so many numbers behind a label are counts, if some of them are as large as lists near them are long. What counts something by chance
/// does so now and then.
pub(crate) fn are_counts(label: &[u8], numbers: usize, mut lengths: impl ExactSizeIterator<Item = usize>) -> bool {
    lengths.len() * 4 > numbers * 3 && (lengths.any(|length| length >= TELLING) || says_so(label))
}

/// Returns whether a label says that what stands behind it counts, or adds up.
pub(crate) fn says_so(label: &[u8]) -> bool {
    telling(label).iter().any(|word| SAYING.iter().any(|saying| word == saying.as_bytes()))
}
