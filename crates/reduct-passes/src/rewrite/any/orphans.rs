//! Removes definitions that nothing uses.
//!
//! ## What it tries
//! All definitions and imports that are not used, or only by what is not used itself, each with all it
//! declares: as one group, so that one test can remove everything. What may be used without being named comes in a second
//! group, with what stands last, below: in C++ fields, virtual functions, variables whose type has a name; imports of all that something has; members of classes that
//! have a base, and names in patterns.
//! In a text of 16 KiB and more that has no `main`, what stands last is left out of the first group, as nothing uses what makes a compiler fail.
//! If that cannot go, what no other unused thing uses is asked about, by halves, each with what it alone leads to: what is used from outside, as the functions of a library, is
//! found so.
//!
//! ## When it helps
//! At the beginning of programs with headers in them, and after every larger removal. What a compiler warns
//! of as unused is found without running it.
//!
//! ## Before
//! ```c
//! int a;
//! int f() { return a; }
//! int g() { return f(); }
//! int b;
//! int main() { return b; }
//! ```
//! ## After
//! ```c
//! int b;
//! int main() { return b; }
//! ```

mod cpp;
mod marked;
mod unnamed;
mod unused;

pub(super) use cpp::{is_class, is_friend, is_specialization};
pub(super) use marked::{Node, holders, is_entry, is_read, items_of, known_everywhere, root, what_stands_last};
pub(super) use unnamed::acts_unnamed;

use crate::pass::{Pass, Proposals};
use crate::rewrite::propose_shrinking;
use marked::Marked;
use reduct_input::names::EditDraft;
use reduct_input::{Edit, Spans, Subject, Tree};
use std::ops::Range;

pub(crate) const PASS: Pass =
    Pass::rewriting("orphans", "removes definitions that nothing uses, all at once", 0.8, propose).following_others();

/// Where no more than so many lead to all that is unused, each definition is asked about by itself, too: they may be needed for some of what they use.
const FEW: usize = 2;

/// Less is soon taken apart without a guess at what it is about.
const LARGE: usize = 16 << 10;

fn propose(subject: &Subject) -> Proposals {
    let whole = subject.artifact().bytes().len();
    let kept = if whole >= LARGE { what_stands_last(subject) } else { None };
    // What it is in stays with it.
    let is_kept = |at: &Range<u32>| kept.as_ref().is_some_and(|kept| kept.start < at.end && at.start < kept.end);
    let may_go = |tree: &Tree, node| !acts_unnamed(tree, node) && !is_kept(&tree.range(node));
    let all = [Marked::new(subject, may_go), Marked::new(subject, |_, _| true)];
    let roots = all.each_ref().map(|marked| unused::roots(subject, marked));
    let [first, mut then] = all.map(|marked| marked.unused());
    let (levels, alone) = match roots {
        [Some(first), Some(then)] => {
            let are_few = first.roots.len() <= FEW && first.roots.len() < first.nodes.len();
            let then = unused::beyond(&first, then);
            ([Some(first), then], are_few)
        }
        // Some of it is no part of a list, or nothing is unused.
        [None, None] => ([None, None], true),
        [one, other] => ([one.or(other), None], false),
    };
    then.retain(|item| first.binary_search(item).is_err());
    let alone = [first, then]
        .into_iter()
        .filter(|_| alone)
        .flat_map(|items| propose_shrinking(subject, edits(subject, &items)));
    levels.into_iter().flatten().map(Spans::from).chain(alone).collect()
}

/// Returns what removes items. Neighbours in a list with separators, and those on one line, go together.
fn edits(subject: &Subject, unused: &[Node]) -> Vec<Edit> {
    let groups = unused.chunk_by(|&(tree, node), &(other, then)| {
        tree == other && {
            let tree = &subject.trees()[tree];
            let after = tree.node(node).after as usize;
            let separated = after < then && (after..then).all(|between| !tree.is_named(between));
            let between = || subject.text(tree.node(node).end..tree.node(then).start);
            let on_one_line = || after == then && !between().contains(&b'\n');
            (separated || on_one_line()) && tree.node(node).parent == tree.node(then).parent
        }
    });
    let edit = |group: &[Node]| {
        let mut change = EditDraft::new(subject, subject.names());
        group.iter().for_each(|(tree, node)| change.remove(*tree, *node));
        change.edit()
    };
    groups.filter_map(edit).collect()
}
