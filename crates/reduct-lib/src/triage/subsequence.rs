//! Whether a text is left of another one if tokens of that are left out, names aside (pure).

use super::tokens::{is_short, is_word, tokens};
use std::ops::Range;

/// What a token of the smaller text asks of one of the larger text.
#[derive(PartialEq, Eq)]
pub enum Shape {
    /// Any word: names of one or two letters are what is left of longer ones.
    Name,
    /// Any number.
    Number,
    /// White space with an end of line in it.
    Line,
    /// Other white space.
    Blank,
    /// This very word or character; letters may be large or small.
    Exactly(Vec<u8>),
}

/// Returns what a token asks of one in its place.
pub fn shape(token: &[u8]) -> Shape {
    match token {
        [b'0'..=b'9', ..] => Shape::Number,
        [first, ..] if first.is_ascii_whitespace() && token.contains(&b'\n') => Shape::Line,
        [first, ..] if first.is_ascii_whitespace() => Shape::Blank,
        [first, ..] if is_word(*first) && is_short(token) => Shape::Name,
        _ => Shape::Exactly(token.to_ascii_lowercase()),
    }
}

fn fits(wanted: &Shape, token: &[u8]) -> bool {
    match (wanted, shape(token)) {
        (Shape::Name, _) => is_word(token[0]) && !token[0].is_ascii_digit(),
        (wanted, there) => *wanted == there,
    }
}

/// Returns the ways to leave out tokens of `large` so that what is left is `small`, names and numbers aside: the first
/// and the last one. None if that cannot be, or if nothing would be left out.
pub fn ways(small: &[u8], large: &[u8]) -> Vec<Vec<Range<u32>>> {
    let wanted: Vec<Shape> = tokens(small).into_iter().map(|range| shape(&small[range])).collect();
    let there = tokens(large);
    if wanted.is_empty() || wanted.len() >= there.len() {
        return vec![];
    }
    let first = embed(wanted.iter(), there.iter(), large);
    let last = embed(wanted.iter().rev(), there.iter().rev(), large).map(|mut kept| {
        kept.reverse();
        kept
    });
    let mut ways: Vec<_> = first.into_iter().chain(last).collect();
    ways.dedup();
    ways
}

/// Returns the tokens that fit first, if all that is wanted is found.
fn embed<'a>(
    mut wanted: impl Iterator<Item = &'a Shape>,
    there: impl Iterator<Item = &'a Range<usize>>,
    text: &[u8],
) -> Option<Vec<Range<u32>>> {
    let mut next = wanted.next();
    let mut kept = vec![];
    for token in there {
        let Some(shape) = next else { break };
        if fits(shape, &text[token.clone()]) {
            // Artifacts have addresses of 32 bits.
            kept.push(token.start as u32..token.end as u32);
            next = wanted.next();
        }
    }
    next.is_none().then_some(kept)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left(small: &str, large: &str) -> Vec<String> {
        let text = |way: &Vec<Range<u32>>| way.iter().map(|at| &large[at.start as usize..at.end as usize]).collect();
        ways(small.as_bytes(), large.as_bytes()).iter().map(text).collect()
    }

    #[test]
    fn a_text_is_found_in_a_larger_one_names_aside() {
        assert_eq!(left(".=", "[dev]\n.="), [".="]);
        assert_eq!(left("a1={==", "[dev]\n[profile]\nsize_2={=="), ["dev={==", "size_2={=="]);
        assert_eq!(left("a=0\n[a.b]", "alpha=7\n[x]\nk=1\n[q.r]"), ["alpha=7\n[x.r]", "k=1\n[q.r]"]);
        assert_eq!(left("b=12", "[x]\nb=7"), ["x=7", "b=7"]);
    }

    #[test]
    fn what_is_not_there_or_all_there_is_is_no_way() {
        assert!(left(".=", "[dev]=").is_empty());
        assert!(left("while x", "when x y").is_empty(), "a long word is there for a reason");
        assert!(left("a=b", "q=r").is_empty(), "nothing would be left out");
        assert!(left("", "x y").is_empty());
        assert!(left("x\ny", "x y z").is_empty(), "an end of line is none of the blanks");
        assert!(ways(b"\xff\x00", b"").is_empty());
        assert_eq!(left("!", "?!"), ["!"]);
    }
}
