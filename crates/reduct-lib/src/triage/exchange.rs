//! The pieces in which two texts differ, and either text with one of the other's (pure).

use super::subsequence::shape;
use super::tokens::tokens;
use std::ops::Range;

/// A piece of the one text and what stands in its place in the other: bytes of each.
pub type Piece = (Range<usize>, Range<usize>);

/// Of texts with more tokens than this, pieces are not looked for: what is left of an input is small, or says little.
const MOST_TOKENS: usize = 400;

/// With more pieces than this, two texts have too little in common for a mixture to mean anything.
const MOST_PIECES: usize = 6;

/// Returns the pieces in which two texts differ, names and numbers aside, if there are at least two: of texts that
/// differ in one there is nothing in between.
pub fn pieces(one: &[u8], other: &[u8]) -> Vec<Piece> {
    let (a, b) = (tokens(one), tokens(other));
    if a.len() > MOST_TOKENS || b.len() > MOST_TOKENS {
        return vec![];
    }
    let pieces = differences(&a, &b, &in_common(&a, &b, (one, other)));
    if (2..=MOST_PIECES).contains(&pieces.len()) { pieces } else { vec![] }
}

/// Returns the longest common subsequence of two texts, as pairs of places.
fn in_common(a: &[Range<usize>], b: &[Range<usize>], (one, other): (&[u8], &[u8])) -> Vec<(usize, usize)> {
    let [of_a, of_b] = [(a, one), (b, other)]
        .map(|(tokens, text)| tokens.iter().map(|token| shape(&text[token.clone()])).collect::<Vec<_>>());
    let width = b.len() + 1;
    let mut longest = vec![0u32; (a.len() + 1) * width];
    for at in (0..a.len()).rev() {
        for to in (0..b.len()).rev() {
            longest[at * width + to] = match of_a[at] == of_b[to] {
                true => longest[(at + 1) * width + to + 1] + 1,
                false => longest[(at + 1) * width + to].max(longest[at * width + to + 1]),
            };
        }
    }
    let (mut at, mut to, mut pairs) = (0, 0, vec![]);
    while at < a.len() && to < b.len() {
        if of_a[at] == of_b[to] {
            pairs.push((at, to));
            (at, to) = (at + 1, to + 1);
        } else if longest[(at + 1) * width + to] >= longest[at * width + to + 1] {
            at += 1;
        } else {
            to += 1;
        }
    }
    pairs
}

/// Returns what stands between the pairs, in bytes.
fn differences(a: &[Range<usize>], b: &[Range<usize>], pairs: &[(usize, usize)]) -> Vec<Piece> {
    let span = |tokens: &[Range<usize>], from: usize, to: usize| {
        let end = |at: usize| tokens.get(at).map_or(tokens.last().map_or(0, |last| last.end), |token| token.start);
        end(from)..end(to)
    };
    let (mut from, mut pieces) = ((0, 0), vec![]);
    for &(at, to) in pairs.iter().chain([&(a.len(), b.len())]) {
        if from != (at, to) {
            pieces.push((span(a, from.0, at), span(b, from.1, to)));
        }
        from = (at + 1, to + 1);
    }
    pieces
}

/// Returns a text with one of its pieces as it is in the other text.
pub fn exchanged((text, at): (&[u8], &Range<usize>), (other, with): (&[u8], &Range<usize>)) -> Vec<u8> {
    [&text[..at.start], &other[with.clone()], &text[at.end..]].concat()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns each text with each of the other's pieces.
    fn mixed(one: &str, other: &str) -> Vec<String> {
        let (one, other) = (one.as_bytes(), other.as_bytes());
        let both = |(a, b): &Piece| [exchanged((one, a), (other, b)), exchanged((other, b), (one, a))];
        let texts = pieces(one, other).iter().flat_map(both).collect::<Vec<_>>();
        texts.into_iter().map(|text| String::from_utf8(text).unwrap()).collect()
    }

    #[test]
    fn each_piece_stands_in_for_the_other_one() {
        assert_eq!(
            mixed("print(read, 1)", "show(read, -2)"),
            ["show(read, 1)", "print(read, -2)", "print(read, -1)", "show(read, 2)"]
        );
        assert_eq!(mixed("[keep]", "keep(all)"), ["keep]", "[keep(all)", "[keep(all)", "keep]"]);
    }

    #[test]
    fn what_differs_in_one_piece_names_or_numbers_has_nothing_in_between() {
        for (one, other) in [("a(1)", "b(2)"), ("keep all", "keep none"), ("", "x y"), ("", "")] {
            assert!(mixed(one, other).is_empty(), "{one} {other}");
        }
        let many = |word: &str| (0..20).map(|at| format!("same{at} {word}{at}xx ")).collect::<String>();
        assert!(mixed(&many("this"), &many("that")).is_empty(), "too little in common");
        assert!(mixed(&"a,".repeat(1000), "b+").is_empty(), "too long");
    }
}
