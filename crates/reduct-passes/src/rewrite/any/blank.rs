//! Removes white space that is not needed.
//!
//! ## What it tries
//! First white space to one blank, or to one line end if there is one in it; blank lines, and blanks at the ends of
//! lines. Then none at all where the grammar reads the same tokens in the same tree without it. Where no grammar reads, and in
//! texts that are too long to be read again, it goes where no two words or operators would become one. In languages where indentation means something, and
//! where the language is not known, indentation goes only as a whole: all of it, or to one for each step. White space
//! in strings stays.
//!
//! ## When it helps
//! Always, but only the size: it is tried last.
//!
//! ## Before
//! ```c
//! int   f ( int a )
//!
//! {
//!     return  a + 1 ;
//! }
//! ```
//! ## After
//! ```c
//! int f ( int a )
//! {
//! return a + 1 ;
//! }
//! ```

mod same_tree;

use crate::pass::{Needs, Pass, Proposals};
use crate::rewrite::propose_shrinking;
use crate::text::{is_blank, is_word, moved, strings};
use reduct_input::Subject;
use reduct_input::{Class, Tree};
use reduct_input::{Edit, Splice};
use same_tree::SameTree;
use std::ops::Range;

pub(crate) const PASS: Pass =
    Pass { needs: Needs::Text, ..Pass::rewriting("blank", "removes white space that is not needed", 0.95, propose) };

fn propose(subject: &Subject) -> Proposals {
    let strings = strings(subject);
    let mut trees = subject.trees().iter().peekable();
    let (mut shorter, mut without) = (vec![], vec![]);
    for (path, addresses, text) in subject.artifact().files() {
        let tree = trees.next_if(|tree| !text.is_empty() && addresses.contains(&tree.range(0).start));
        let free = tree.is_some_and(is_free);
        let operators = tree.map(operators);
        if !free {
            let scaled = [no_indentation(text), scaled_indentation(text)].into_iter();
            shorter.extend(scaled.filter_map(|splices| edit(splices, addresses.start)));
        }
        let (mut likely, mut others) = (vec![], vec![]);
        for space in outside(text, addresses.start, &strings) {
            let (less, none) = less(text, space.clone(), free, operators.as_deref());
            shorter.extend(less.and_then(|splice| edit(vec![splice], addresses.start)));
            match none {
                Some(none) => likely.push(none),
                None if may_be_between_tokens(text, &space) => others.push(space),
                None => {}
            }
        }
        if let Some(tree) = tree {
            let same = SameTree::new(subject, path, text, tree, addresses.start);
            likely = removable(same, text, likely, others);
        }
        without.extend(likely.into_iter().filter_map(|range| Edit::delete(moved(range, addresses.start))));
    }
    propose_shrinking(subject, shorter.into_iter().chain(without))
}

/// Returns the white space of a text outside of strings, whose addresses are in order.
fn outside<'a>(text: &'a [u8], start: u32, strings: &'a [Range<u32>]) -> impl Iterator<Item = Range<usize>> + 'a {
    let first = strings.partition_point(|string| string.end <= start);
    let mut strings = strings[first..].iter().peekable();
    spaces(text).filter(move |space| {
        let at = start + space.start as u32;
        while strings.next_if(|string| string.end <= at).is_some() {}
        strings.peek().is_none_or(|string| string.start > at)
    })
}

/// Returns the white space that can go as the grammar says. What it was not asked of goes where signs and words make that likely.
fn removable(
    mut same: SameTree,
    text: &[u8],
    likely: Vec<Range<usize>>,
    others: Vec<Range<usize>>,
) -> Vec<Range<usize>> {
    let breaks = |space: &Range<usize>| text[space.clone()].contains(&b'\n');
    let (ends, blanks): (Vec<_>, Vec<_>) = same.between(others).into_iter().partition(breaks);
    let undecided = same.decide(likely);
    same.decide(blanks);
    same.decide(ends);
    let mut found = same.into_free();
    found.extend(undecided);
    found.sort_by_key(|space| space.start);
    found
}

/// Returns whether white space may go only because of what the words beside it are: one that begins with a letter goes on with what
/// follows it in any language.
fn may_be_between_tokens(text: &[u8], space: &Range<usize>) -> bool {
    let (Some(&last), Some(&next)) = (text[..space.start].last(), text.get(space.end)) else { return false };
    let of_word = text[..space.start].iter().rev().take(LONGEST_LINE).take_while(|byte| is_word(**byte)).count();
    let is_number = text[space.start - of_word].is_ascii_digit();
    let is_line = text[space.clone()].contains(&b'\n') && (last == b'\\' || is_directive(text, space.start));
    !is_line && (!is_word(last) || !is_word(next) || is_number || next == b'$')
}

/// Returns whether the blocks of a language are in braces, so that indentation means nothing.
fn is_free(tree: &Tree) -> bool {
    let is_braced = |text: &String| text.starts_with('{');
    tree.grammar.kinds.iter().any(|kind| kind.class.has(Class::BLOCK) && kind.shortest.first().is_some_and(is_braced))
}

/// Returns the white space of a text.
fn spaces(text: &[u8]) -> impl Iterator<Item = Range<usize>> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        let start = at + text[at..].iter().position(u8::is_ascii_whitespace)?;
        at = start + text[start..].iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        Some(start..at)
    })
}

/// Returns what white space can become, and what of it can go entirely.
fn less(
    text: &[u8],
    space: Range<usize>,
    free: bool,
    operators: Option<&[&[u8]]>,
) -> (Option<Splice>, Option<Range<usize>>) {
    let last_end = text[space.clone()].iter().rposition(|byte| *byte == b'\n').map(|at| space.start + at);
    // Where indentation counts, white space ends with the line.
    let end = last_end.filter(|_| !free).map_or(space.end, |at| at + 1);
    let begins = space.start == 0;
    if begins && last_end.is_none() && !free {
        return (None, None);
    }
    let ends = end == text.len();
    let with: &[u8] = match last_end {
        _ if begins => b"",
        Some(_) => b"\n",
        None if ends => b"",
        None => b" ",
    };
    let at = space.start as u32..end as u32;
    let less = (text[space.start..end] != *with).then(|| Splice { at, with: with.into() });
    let joins = begins || ends || free || last_end.is_none();
    let none = (joins && !with.is_empty() && can_join(text, space.start..end, operators)).then_some(space.start..end);
    (less, none)
}

/// Signs of which most languages make a comment, or a bracket, if they stand side by side.
const PAIRS: &[&[u8]] =
    &[b"//", b"/*", b"*/", b"--", b"##", b"<!", b"->", b"<%", b"%>", b"<:", b":>", b"%:", b"<?", b"?>"];

/// Returns the operators of a language that consist of several signs.
fn operators(tree: &Tree) -> Vec<&[u8]> {
    let kinds = tree.grammar.kinds.iter().filter(|kind| !kind.named && kind.name.len() > 1);
    let own = kinds.map(|kind| kind.name.as_bytes()).filter(|name| name.iter().all(|byte| is_sign(*byte)));
    own.chain(PAIRS.iter().copied()).collect()
}

/// Returns whether the signs at the ends of two texts would become one operator, or part of one, side by side.
fn become_one(before: &[u8], after: &[u8], operators: &[&[u8]]) -> bool {
    operators.iter().any(|operator| {
        (1..operator.len()).any(|at| before.ends_with(&operator[..at]) && after.starts_with(&operator[at..]))
    })
}

fn is_sign(byte: u8) -> bool {
    b"+-*/&|<>=:.!^%#@?~".contains(&byte)
}

/// Returns whether two words or operators stay two without the white space between them. Where no grammar says what the
/// operators are, two signs are left apart.
fn can_join(text: &[u8], space: Range<usize>, operators: Option<&[&[u8]]>) -> bool {
    let (Some(&before), Some(&after)) = (text[..space.start].last(), text.get(space.end)) else { return true };
    let breaks = text[space.clone()].contains(&b'\n');
    // A line of the preprocessor, or one that goes on, ends where it ends.
    let fixed = breaks && (after == b'#' || before == b'\\' || is_directive(text, space.start));
    !(is_word(before) && is_word(after)
        || is_sign(before)
            && is_sign(after)
            && operators.is_none_or(|all| become_one(&text[..space.start], &text[space.end..], all))
        || fixed)
}

/// Returns whether the line that ends here begins with `#`, or has a comment to its end.
fn is_directive(text: &[u8], end: usize) -> bool {
    let length = text[..end].iter().rev().take(LONGEST_LINE).take_while(|byte| **byte != b'\n').count();
    let line = &text[end - length..end];
    let first = line.iter().find(|byte| !is_blank(**byte));
    length == LONGEST_LINE || first == Some(&b'#') || line.windows(2).any(|two| two == b"//")
}

/// Longer lines are no directives. So that looking for where they begin stays linear.
const LONGEST_LINE: usize = 1000;

/// Returns the indentation of each line that has some: where it is, and how deep it is.
fn indents(text: &[u8]) -> Vec<(Range<usize>, usize)> {
    let (mut found, mut at, mut open): (Vec<_>, usize, Vec<usize>) = (vec![], 0, vec![0]);
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        let width = line.iter().take_while(|byte| is_blank(**byte)).count();
        if width < line.trim_ascii_end().len() {
            while open.pop_if(|outer| *outer > width).is_some() {}
            if open.last().is_none_or(|outer| *outer < width) {
                open.push(width);
            }
            if width > 0 {
                found.push((at..at + width, open.len() - 1));
            }
        }
        at += line.len();
    }
    found
}

fn no_indentation(text: &[u8]) -> Vec<Splice> {
    indents(text).into_iter().map(|(range, _)| Splice { at: moved(range, 0), with: [].into() }).collect()
}

fn scaled_indentation(text: &[u8]) -> Vec<Splice> {
    let shallower = indents(text).into_iter().filter(|(range, depth)| depth < &range.len());
    let splice = |(range, depth): (Range<usize>, usize)| {
        let with = vec![text[range.start]; depth];
        Splice { at: moved(range, 0), with: with.into() }
    };
    shallower.map(splice).collect()
}

fn edit(splices: Vec<Splice>, by: u32) -> Option<Edit> {
    let there = |splice: Splice| Splice { at: splice.at.start + by..splice.at.end + by, ..splice };
    Edit::new(splices.into_iter().map(there).collect())
}
