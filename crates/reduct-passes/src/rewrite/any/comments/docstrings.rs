//! What documents a text in Python: strings that are statements by themselves.

use super::whole;
use reduct_input::{Class, Edit, Subject, Tree};
use std::ops::Range;

/// Returns the edits that remove the strings of a text which are statements; of a block that has nothing else, the first one becomes `0`.
pub(super) fn docstrings(subject: &Subject, tree: &Tree) -> Vec<Edit> {
    if tree.grammar.language != "python" {
        return vec![];
    }
    let blocks = (0..tree.len()).filter(|at| matches!(tree.kind(*at), "module" | "block"));
    blocks.flat_map(|block| of_block(subject, tree, block)).collect()
}

fn of_block(subject: &Subject, tree: &Tree, block: usize) -> Vec<Edit> {
    let is_statement = |at: &usize| tree.is_named(*at) && !tree.is(*at, Class::COMMENT);
    let (strings, others): (Vec<usize>, Vec<usize>) =
        tree.children(block).filter(is_statement).partition(|at| is_plain_string(tree, *at));
    let needs_one = others.is_empty() && tree.kind(block) == "block";
    let kept = strings.first().filter(|_| needs_one).and_then(|at| Edit::replace(tree.range(*at), b"0"));
    let gone = strings.iter().skip(usize::from(needs_one)).filter_map(|at| Edit::delete(gone(subject, tree, *at)?));
    kept.into_iter().chain(gone).collect()
}

/// Returns whether a statement is a string of which nothing is computed.
fn is_plain_string(tree: &Tree, statement: usize) -> bool {
    let mut named = tree.children(statement).filter(|at| tree.is_named(*at));
    let is_string = |at: usize| matches!(tree.kind(at), "string" | "concatenated_string");
    tree.kind(statement) == "expression_statement"
        && named.next().is_some_and(is_string)
        && named.next().is_none()
        && !tree.descendants(statement).any(|at| tree.kind(at) == "interpolation")
}

/// Returns what goes with a string: its lines, or the sign that separates it from what follows; `None` if it ends a line that something else begins.
fn gone(subject: &Subject, tree: &Tree, statement: usize) -> Option<Range<u32>> {
    let (file, at) = (tree.range(0), tree.range(statement));
    let after = subject.text(at.end..file.end);
    let blanks = |text: &[u8]| text.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count() as u32;
    let next = blanks(after);
    match after.get(next as usize) {
        Some(b';') => {
            let rest = &after[next as usize + 1..];
            let is_last = rest[blanks(rest) as usize..].first().is_none_or(|byte| matches!(byte, b'\r' | b'\n' | b'#'));
            (!is_last).then(|| at.start..at.end + next + 1 + blanks(rest))
        }
        _ => {
            let lines = whole(subject.text(file.clone()), at.start - file.start..at.end - file.start);
            let lines = lines.start + file.start..lines.end + file.start;
            let begins = lines.start == file.start || subject.text(lines.start - 1..lines.start) == b"\n";
            begins.then_some(lines)
        }
    }
}
