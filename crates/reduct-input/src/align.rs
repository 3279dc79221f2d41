//! Two sequences side by side: what they have in common, and which replaces which.

use imara_diff::{Algorithm, Diff, InternedInput, Interner};
use std::ops::Range;

/// A stretch that differs: these of the old ones are replaced by these of the new ones. One of the two
/// may be empty.
pub type Hunk = (Range<usize>, Range<usize>);

/// Returns the lines of a text, with their ends.
pub fn lines(text: &[u8]) -> Vec<&[u8]> {
    text.split_inclusive(|byte| *byte == b'\n').collect()
}

/// Returns words, runs of blanks, and single other characters.
pub fn words(text: &[u8]) -> Vec<&[u8]> {
    pieces(text, |byte| match byte {
        b'_' | 0x80.. => 1,
        byte if byte.is_ascii_alphanumeric() => 1,
        b' ' | b'\t' => 2,
        _ => 0,
    })
}

/// Returns characters, as far as it is UTF-8; else bytes.
pub fn chars(text: &[u8]) -> Vec<&[u8]> {
    let mut found = vec![];
    for chunk in text.utf8_chunks() {
        let valid = chunk.valid();
        found.extend(valid.char_indices().map(|(at, char)| &valid.as_bytes()[at..at + char.len_utf8()]));
        found.extend(chunk.invalid().chunks(1));
    }
    found
}

/// Cuts where the class changes; what is of class 0 stands alone.
fn pieces(text: &[u8], class: impl Fn(u8) -> u8) -> Vec<&[u8]> {
    text.chunk_by(|a, b| class(*a) != 0 && class(*a) == class(*b)).collect()
}

/// Returns where two sequences of lines differ, in their order, cut where a reader would.
pub fn hunks_of_lines(old: &[&[u8]], new: &[&[u8]]) -> Vec<Hunk> {
    let input = interned(old, new);
    let mut diff = Diff::compute(Algorithm::Histogram, &input);
    diff.postprocess_lines(&input);
    hunks_of(&diff)
}

/// Returns where two sequences of words or characters differ, in their order: as little as possible.
pub fn hunks_of_words(old: &[&[u8]], new: &[&[u8]]) -> Vec<Hunk> {
    /// From here on, the least would take too long.
    const MOST: usize = 4096;
    let is_short = old.len().max(new.len()) <= MOST;
    let input = interned(old, new);
    hunks_of(&Diff::compute(if is_short { Algorithm::MyersMinimal } else { Algorithm::Myers }, &input))
}

fn interned<'a>(old: &[&'a [u8]], new: &[&'a [u8]]) -> InternedInput<&'a [u8]> {
    let mut input = InternedInput { before: vec![], after: vec![], interner: Interner::new(old.len() + new.len()) };
    input.update_before(old.iter().copied());
    input.update_after(new.iter().copied());
    input
}

fn hunks_of(diff: &Diff) -> Vec<Hunk> {
    let range = |range: Range<u32>| range.start as usize..range.end as usize;
    diff.hunks().map(|hunk| (range(hunk.before), range(hunk.after))).collect()
}

/// Takes a hunk apart: pieces that resemble each other replace each other, in their order; what resembles
/// nothing is left out or put in alone. As many as there are on both sides go pairwise.
pub fn pairs(old: &[&[u8]], new: &[&[u8]], (before, after): &Hunk) -> Vec<Hunk> {
    /// From here on, comparing each with each would take too long: 250,000 comparisons.
    const MOST: usize = 500 * 500;
    let (olds, news) = (&old[before.clone()], &new[after.clone()]);
    if olds.len() == news.len() || olds.len() * news.len() > MOST {
        return in_turn(before, after);
    }
    let matched = matched(olds, news);
    let (mut found, mut i, mut j) = (vec![], 0, 0);
    for (a, b) in matched.into_iter().chain([(olds.len(), news.len())]) {
        found.extend((i..a).map(|at| (before.start + at..before.start + at + 1, after.start + j..after.start + j)));
        found.extend((j..b).map(|at| (before.start + a..before.start + a, after.start + at..after.start + at + 1)));
        if a < olds.len() {
            found.push((before.start + a..before.start + a + 1, after.start + b..after.start + b + 1));
        }
        (i, j) = (a + 1, b + 1);
    }
    found
}

/// Returns the first with the first, the second with the second; what is left over alone.
fn in_turn(before: &Range<usize>, after: &Range<usize>) -> Vec<Hunk> {
    let one = |range: &Range<usize>, at: usize| range.end.min(range.start + at)..range.end.min(range.start + at + 1);
    (0..before.len().max(after.len())).map(|at| (one(before, at), one(after, at))).collect()
}

/// Returns the pairs of a common subsequence of greatest likeness.
fn matched(old: &[&[u8]], new: &[&[u8]]) -> Vec<(usize, usize)> {
    let bags: Vec<Vec<&[u8]>> = new.iter().map(|piece| bag(piece)).collect();
    let width = new.len() + 1;
    let mut best = vec![0u32; (old.len() + 1) * width];
    let mut like = vec![0u32; old.len() * new.len()];
    for i in (0..old.len()).rev() {
        let own = bag(old[i]);
        for j in (0..new.len()).rev() {
            let likeness = likeness(&own, &bags[j]);
            like[i * new.len() + j] = likeness;
            let together = best[(i + 1) * width + j + 1] + likeness;
            best[i * width + j] = together.max(best[(i + 1) * width + j]).max(best[i * width + j + 1]);
        }
    }
    let (mut found, mut i, mut j) = (vec![], 0, 0);
    while i < old.len() && j < new.len() {
        let here = best[i * width + j];
        let likeness = like[i * new.len() + j];
        if likeness > 0 && here == best[(i + 1) * width + j + 1] + likeness {
            found.push((i, j));
            (i, j) = (i + 1, j + 1);
        } else if here == best[(i + 1) * width + j] {
            i += 1;
        } else {
            j += 1;
        }
    }
    found
}

fn bag(piece: &[u8]) -> Vec<&[u8]> {
    let mut words = words(piece);
    words.retain(|word| !word.iter().all(u8::is_ascii_whitespace));
    words.sort_unstable();
    words
}

/// Returns how much of two pieces is common, in percent; 0 if it is less than half.
fn likeness(old: &[&[u8]], new: &[&[u8]]) -> u32 {
    let (mut i, mut j, mut common) = (0, 0, 0usize);
    while i < old.len() && j < new.len() {
        match old[i].cmp(new[j]) {
            std::cmp::Ordering::Less => i += 1,
            std::cmp::Ordering::Greater => j += 1,
            std::cmp::Ordering::Equal => {
                common += 1;
                (i, j) = (i + 1, j + 1);
            }
        }
    }
    let percent = (200 * common).checked_div(old.len() + new.len()).unwrap_or(0);
    if percent < 50 { 0 } else { percent as u32 }
}
