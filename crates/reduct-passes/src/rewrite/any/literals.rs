//! Removes lines of long texts in quotes.
//!
//! ## What it tries
//! For the texts in quotes and between tags that hold a good part of the whole together, each line of them; of those with few lines, each item of the longest list in brackets, or
//! else each of up to 256 pieces. A text counts if it has eight such parts and is a 64th of the whole, and all that count have to be a tenth of it. First all of it goes.
//!
//! ## When it helps
//! A program reads a table, a script or a page that stands in it as a string: it needs a few lines of that. As long as the string is a small part of the whole, other
//! things come first. In texts of less than 2 KiB `lines`, `strings` and `chars` do as much.
//!
//! ## Before
//! ```python
//! a = """
//! id,name
//! 1,north
//! 2,south
//! 3,east
//! 4,west
//! 5,up
//! 6,down
//! 7,left
//! 8,right
//! """
//! ```
//! ## After
//! ```python
//! a = """
//! id,name
//! 1,north
//! 2,south
//! 3,east
//! 4,west
//! 5,up
//! 6,down
//! 7,left
//! """
//! ```

mod pieces;

use crate::pass::{Pass, Proposals};
use crate::text::{is_string, is_text};
use pieces::pieces;
use reduct_input::parts::Items;
use reduct_input::{Item, Role, Subject, Tree};
use std::ops::Range;

pub(crate) const PASS: Pass = Pass::rewriting("literals", "removes lines of long texts in quotes", 0.9, propose)
    .following_others()
    .of_at_least(2 << 10);

/// Together they hold this fraction of the whole: what a test has to remove before the tree (`Bar`) twenty times, which finds a few lines of hundreds.
pub(super) const SHARE: usize = 10;

/// Each of them holds this fraction.
pub(super) const LEAST: usize = 64;

/// What has fewer parts is soon taken apart by others.
const FEWEST: usize = 8;

fn propose(subject: &Subject) -> Proposals {
    let whole = subject.artifact().bytes().len();
    let (mut items, mut size, mut end): (Vec<Item>, usize, u32) = (vec![], 0, 0);
    for at in long(subject, whole / LEAST) {
        // What stands in another text, in a language of its own, goes with that.
        let parts = if at.start < end { vec![] } else { pieces(subject.text(at.clone()), at.start) };
        if parts.len() >= FEWEST {
            (size, end) = (size + at.len(), at.end);
            items.extend(parts);
        }
    }
    if items.is_empty() || size * SHARE < whole { vec![] } else { vec![Items(items.into()).into()] }
}

/// Returns the addresses of all texts in quotes, or between tags, of so many bytes.
fn long(subject: &Subject, least: usize) -> Vec<Range<u32>> {
    let mut found: Vec<Range<u32>> = subject.trees().iter().flat_map(|tree| of_tree(subject, tree, least)).collect();
    found.sort_by_key(|at| (at.start, at.end));
    found
}

fn of_tree(subject: &Subject, tree: &Tree, least: usize) -> Vec<Range<u32>> {
    let is_literal =
        |at: usize| is_string(subject, tree, at) || is_text(subject, tree, at) || tree.kind(at) == "heredoc_body";
    let (mut found, mut at) = (vec![], 1);
    while at < tree.len() {
        // Where the text around is short, so is all that is in it.
        let is_short = tree.range(at).len() < least.max(1);
        let is_error = tree.node(at).role == Role::Error;
        let is_found = !is_short && !is_error && is_literal(at);
        if is_found {
            found.push(tree.range(at));
        }
        at = if is_short || is_error || is_found { tree.node(at).after as usize } else { at + 1 };
    }
    found
}
