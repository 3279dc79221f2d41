//! LLVM: makes definitions of functions declarations, or empties their bodies.
//!
//! ## What it tries
//! For each definition of a function: a declaration in its place, without what only a definition has, as its linkage and
//! its personality. Then, where it has to be defined, `{unreachable}` in the place of its body. The largest first.
//!
//! ## When it helps
//! Early, where a function has to be there but not what it does: values are used one by one in the next instruction, so that
//! a body would go from its end, an instruction at a time.
//!
//! ## Before
//! ```llvm
//! define internal i32 @f(i32 %a) personality ptr @p {
//!   %b = add i32 %a, 1
//!   ret i32 %b
//! }
//! ```
//! ## After
//! ```llvm
//! declare i32 @f(i32 %a)
//! ```

use super::{definitions, modules, with_blanks_before};
use crate::pass::{Pass, Proposals};
use crate::rewrite::{largest_first, propose_in_order};
use reduct_input::{Edit, Splice, Subject, Tree};
use std::ops::Range;

pub(crate) const PASS: Pass = Pass::rewriting(
    "llvm-bodies",
    "LLVM: makes definitions of functions declarations, or empties their bodies",
    0.5,
    propose,
)
.largest_first();

/// Linkages that only a definition can have.
const OF_DEFINITIONS: &[&[u8]] = &[
    b"private",
    b"internal",
    b"available_externally",
    b"linkonce",
    b"linkonce_odr",
    b"weak",
    b"weak_odr",
    b"common",
    b"appending",
];

/// First words of what only a definition has behind its arguments.
const BEHIND: &[&[u8]] = &[b"comdat", b"personality", b"prefix", b"prologue"];

const EMPTY: &[u8] = b"{unreachable}";

fn propose(subject: &Subject) -> Proposals {
    let edits = |edit: fn(&Subject, &Tree, usize) -> Option<Edit>| {
        let of_tree = |tree| definitions(tree).filter_map(move |at| edit(subject, tree, at));
        let edits = modules(subject).flat_map(of_tree).filter(|edit| edit.gain() > 0);
        propose_in_order(subject, largest_first(edits.collect()))
    };
    [edits(declared), edits(emptied)].concat()
}

fn declared(subject: &Subject, tree: &Tree, definition: usize) -> Option<Edit> {
    let header = tree.children(definition).find(|at| tree.kind(*at) == "function_header")?;
    let word = tree.children(definition).find(|at| tree.kind(*at) == "define")?;
    let mut splices = vec![Splice { at: tree.range(word), with: b"declare".as_slice().into() }];
    for at in tree.children(header) {
        let text = subject.text(tree.range(at));
        let is_linkage = tree.kind(at) == "linkage" && OF_DEFINITIONS.contains(&text);
        let is_behind = tree.kind(at) == "attribute" && BEHIND.iter().any(|word| text.starts_with(word));
        if is_linkage || is_behind {
            splices.push(gone(with_blanks_before(subject, tree.range(at))));
        }
    }
    let (start, end) = (tree.node(header).end, tree.node(definition).end);
    splices.push(gone(start..end));
    Edit::new(splices)
}

fn emptied(subject: &Subject, tree: &Tree, definition: usize) -> Option<Edit> {
    let body = tree.children(definition).find(|at| tree.kind(*at) == "function_body")?;
    let is_empty = subject.text(tree.range(body)) == EMPTY;
    if is_empty { None } else { Edit::replace(tree.range(body), EMPTY) }
}

fn gone(at: Range<u32>) -> Splice {
    Splice { at, with: [].into() }
}
