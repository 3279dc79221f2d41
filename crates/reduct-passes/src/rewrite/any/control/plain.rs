//! Loops and conditions in texts that no grammar reads.

use crate::plain::Plain;
use reduct_input::{Edit, Subject};
use std::ops::Range;

/// The words with which a statement begins that executes a block more than once, or not always.
const WORDS: &[&str] = &["while", "for", "foreach", "until", "loop", "if", "unless"];

/// What ends a loop, if it is the last in its body.
const ENDS: &[&str] = &["break", "last"];

/// What has no meaning outside of a loop.
const JUMPS: &[&str] = &["break", "last", "continue", "next", "redo"];

/// Returns the edits that make such a statement what stands in its block, without what ends a loop there.
pub(super) fn bodies(subject: &Subject) -> Vec<Edit> {
    let mut edits = vec![];
    for plain in Plain::files(subject) {
        let is = |words: &[&str], number: &usize| plain.word(*number).is_some_and(|word| words.contains(&word));
        let jumps: Vec<usize> = (0..plain.words.len()).filter(|number| is(JUMPS, number)).collect();
        let statements = (0..plain.words.len()).filter(|number| is(WORDS, number));
        edits.extend(statements.filter_map(|number| body(&plain, number, &jumps)));
    }
    edits
}

fn body(plain: &Plain, number: usize, jumps: &[usize]) -> Option<Edit> {
    let word = &plain.words[number];
    let open = plain.first_of(b"{;\n", word.end).filter(|at| plain.byte(*at) == Some(b'{'))?;
    let close = plain.closing(open)?;
    let inner = plain.trimmed(open + 1..close);
    let is_before = |word: &str| plain.text[..plain.words[number].start].trim_end().ends_with(word);
    if inner.is_empty() || plain.text[close + 1..].trim_start().starts_with("else") || is_before("else") {
        return None;
    }
    let is_loop = !matches!(plain.word(number), Some("if" | "unless"));
    let kept = if is_loop { without_jump(plain, inner, jumps)? } else { inner };
    let ends = plain.text.as_bytes()[kept.start..kept.end].last().is_some_and(|byte| b";}".contains(byte));
    let next = plain.byte(plain.past_blanks(close + 1));
    let is_last = ends || next.is_none_or(|byte| b"};\n".contains(&byte));
    let splices =
        vec![plain.put(word.start..kept.start, ""), plain.put(kept.end..close + 1, if is_last { "" } else { ";" })];
    Edit::new(splices)
}

/// Returns what stands in a body without the jump at its end. `None` if another one is in it, or nothing else.
fn without_jump(plain: &Plain, inner: Range<usize>, jumps: &[usize]) -> Option<Range<usize>> {
    let words = plain.within(&inner);
    let first = jumps.partition_point(|jump| *jump < words.start);
    let after = jumps.partition_point(|jump| *jump < words.end);
    match jumps[first..after] {
        [] => Some(inner),
        [last] => {
            let at = &plain.words[last];
            let is_end = plain.text[at.end..inner.end].trim_matches(';').trim().is_empty();
            let kept = plain.trimmed(inner.start..at.start);
            let is_apart = plain.text[..at.start].trim_end_matches([' ', '\t']).ends_with(['\n', ';', '}']);
            let is_it = plain.word(last).is_some_and(|word| ENDS.contains(&word));
            (is_end && is_it && is_apart && !kept.is_empty()).then_some(kept)
        }
        _ => None,
    }
}
