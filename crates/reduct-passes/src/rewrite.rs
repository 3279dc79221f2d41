//! Passes that make an artifact smaller other than by leaving parts out: they propose edits.

pub(crate) mod any;
pub(crate) mod c;
pub(crate) mod cpp;
pub(crate) mod llvm;
pub(crate) mod smt;

use crate::pass::Proposals;
use crate::text::is_word;
use reduct_input::Subject;
use reduct_input::parts::Edits;
use reduct_input::{Edit, Splice, Tree, levels};
use std::ops::Range;

/// What is used more often is not copied to its uses: the text would only grow.
pub(crate) const MOST_COPIES: usize = 8;

/// Returns the edits that shrink, in levels within which no two touch.
pub(crate) fn propose_shrinking(subject: &Subject, edits: impl IntoIterator<Item = Edit>) -> Proposals {
    let edits = edits.into_iter().map(|edit| apart(subject, edit));
    let shrinking = edits.filter(|edit| edit.shrinks(subject.artifact()));
    levels(shrinking).into_iter().map(|level| Edits(level.into()).into()).collect()
}

/// Returns the edit with a blank where a word would run together with what it puts in the place of a sign beside it: of `return[a]`,
/// `return 0` and not `return0`.
fn apart(subject: &Subject, edit: Edit) -> Edit {
    let text = subject.artifact().bytes();
    spaced(subject, edit, |splice| {
        let first = text[splice.at.start as usize];
        (!is_word(first) || first == b'$') && splice.with.first().is_some_and(|first| is_word(*first))
    })
}

/// Returns the edit with a blank where a bracket that goes was between two words: of `return(a)`, `return a`, and of `impl<A>B`, `impl B`.
fn apart_without_brackets(subject: &Subject, edit: Edit) -> Edit {
    let text = subject.artifact().bytes();
    spaced(subject, edit, |splice| {
        let next = text.get(splice.at.end as usize);
        let is_bracket = b"([{<".contains(&text[splice.at.start as usize]);
        splice.with.is_empty() && is_bracket && next.is_some_and(|next| is_word(*next))
    })
}

/// Returns the edit with a blank before those of its changes that begin so and follow a word that stays.
fn spaced(subject: &Subject, edit: Edit, begins: impl Fn(&Splice) -> bool) -> Edit {
    let text = subject.artifact().bytes();
    let joins = |splice: &Splice| {
        let before = splice.at.start.checked_sub(1).map(|at| text[at as usize]);
        begins(splice) && before.is_some_and(is_word) && is_kept(&edit, splice.at.start)
    };
    if !edit.splices().iter().any(joins) {
        return edit;
    }
    let spaced = |splice: &Splice| match joins(splice) {
        true => Splice { at: splice.at.clone(), with: [b" ", &*splice.with].concat().into() },
        false => splice.clone(),
    };
    edit.changed(spaced).unwrap_or(edit)
}

/// Returns whether an edit leaves what ends at an address as it is.
fn is_kept(edit: &Edit, end: u32) -> bool {
    edit.splices().iter().all(|splice| splice.at.end != end)
}

/// Returns the edits that make the input larger, in such levels.
pub(crate) fn propose_growing(subject: &Subject, edits: impl IntoIterator<Item = Edit>) -> Proposals {
    let growing = edits.into_iter().filter(|edit| !edit.shrinks(subject.artifact()));
    levels(growing).into_iter().map(|level| Edits(level.into()).into()).collect()
}

/// Returns all edits in such levels, whether they shrink or grow.
pub(crate) fn propose_normal(edits: impl IntoIterator<Item = Edit>) -> Proposals {
    levels(edits).into_iter().map(|level| Edits(level.into()).into()).collect()
}

/// Returns the removal of what surrounds the inner one of two: it stands in the place of the outer one then. It does not
/// touch the removal of what surrounds something in the inner one.
pub(crate) fn unwrapping(outer: &Range<u32>, inner: &Range<u32>) -> Option<Edit> {
    let around = [outer.start..inner.start, inner.end..outer.end].into_iter().filter(|at| !at.is_empty());
    Edit::new(around.map(|at| Splice { at, with: [].into() }).collect())
}

/// Returns the blanks by which the later lines of a block are deeper than the statement it belongs to; `None` if
/// a line is not that deep, as one in a string.
pub(crate) fn deeper(subject: &Subject, statement: &Range<u32>, block: &Range<u32>) -> Option<Vec<Range<u32>>> {
    let text = subject.artifact().bytes();
    let column = |at: u32| {
        let before = &text[..at as usize];
        before.iter().rev().take_while(|byte| matches!(byte, b' ' | b'\t')).count()
    };
    let (outer, inner) = (column(statement.start), column(block.start));
    let lines = (block.start..block.end).filter(|at| text[*at as usize] == b'\n').map(|at| at as usize + 1);
    let blanks = |line: usize| text[line..].iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
    let filled = lines.filter(|line| text.get(line + blanks(*line)).is_some_and(|byte| !matches!(byte, b'\r' | b'\n')));
    let range = |line: usize| {
        let is_deep = outer <= inner && blanks(line) >= inner;
        is_deep.then_some((line + outer) as u32..(line + inner) as u32)
    };
    filled.map(range).collect()
}

/// Returns the same removal in a tree, with a blank where two words would become one.
pub(crate) fn unwrapping_apart(subject: &Subject, tree: &Tree, outer: &Range<u32>, inner: &Range<u32>) -> Option<Edit> {
    let whole = tree.range(0);
    let is_word_at = |at: Option<u32>| at.is_some_and(|at| whole.contains(&at) && is_word(subject.text(at..at + 1)[0]));
    let splice = |at: Range<u32>| {
        let joins = is_word_at(at.start.checked_sub(1)) && is_word_at(Some(at.end));
        let with: &[u8] = if joins { b" " } else { b"" };
        Splice { at, with: with.into() }
    };
    let around = [outer.start..inner.start, inner.end..outer.end].into_iter().filter(|at| !at.is_empty());
    Edit::new(around.map(splice).collect())
}

/// Returns edits with the largest gain first; those that gain alike stay in their order.
pub(crate) fn largest_first(mut edits: Vec<Edit>) -> Vec<Edit> {
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.gain()));
    edits
}

/// In texts of so many bytes the removal of less than this share of all that is unused is put off: more is unused once more has gone.
const LARGE: usize = 16 << 10;
const SHARE: usize = 128;

/// Returns whether so many bytes are too few to ask about by now, all that is unused together.
pub(crate) fn waits_for_more(subject: &Subject, gain: usize) -> bool {
    let whole = subject.artifact().bytes().len();
    whole >= LARGE && gain * SHARE < whole
}

/// Returns the edits that shrink, in such levels, the first ones of each to be tried first. A search decides a list from
/// its end, as uses stand after definitions; where that is not what matters, the order has to be turned.
pub(crate) fn propose_in_order(subject: &Subject, edits: impl IntoIterator<Item = Edit>) -> Proposals {
    let edits = edits.into_iter().map(|edit| apart_without_brackets(subject, apart(subject, edit)));
    let shrinking = edits.filter(|edit| edit.shrinks(subject.artifact()));
    let turned = |level: Vec<Edit>| Edits(level.into_iter().rev().collect()).into();
    levels(shrinking).into_iter().map(turned).collect()
}

/// Returns the edit that removes these addresses, which are in ascending order and disjoint. What goes on from one file to the next is cut there.
pub(crate) fn removal(subject: &Subject, gone: Vec<Range<u32>>) -> Option<Edit> {
    let starts: Vec<u32> = subject.artifact().files().map(|(_, addresses, _)| addresses.start).collect();
    Edit::new(gone.into_iter().flat_map(|at| by_file(&starts, at)).map(|at| Splice { at, with: [].into() }).collect())
}

/// Cuts addresses where files begin.
fn by_file(starts: &[u32], at: Range<u32>) -> Vec<Range<u32>> {
    let first = starts.partition_point(|start| *start <= at.start);
    let inner = starts[first..].iter().copied().take_while(|start| *start < at.end);
    let mut begin = at.start;
    inner.chain([at.end]).map(|end| std::mem::replace(&mut begin, end)..end).filter(|at| !at.is_empty()).collect()
}
