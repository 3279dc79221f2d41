//! LLVM: removes fields of metadata, each with its comma.
//!
//! ## What it tries
//! Each field of a node, as `producer: "a"` of a compile unit, and each member of a list in one, but the last of each; then the last
//! ones, with the comma before them.
//!
//! ## When it helps
//! To the grammar a field is some words, a colon, some more words and a comma, any of which can go; to LLVM only all of them can.
//!
//! ## Before
//! ```llvm
//! !0 = distinct !DICompileUnit(language: DW_LANG_C99, file: !1, producer: "a")
//! !1 = !DIFile(filename: "f.c", directory: "/")
//! ```
//! ## After
//! ```llvm
//! !0 = distinct !DICompileUnit(producer: "a")
//! !1 = !DIFile(directory: "/")
//! ```

use super::modules;
use crate::pass::{Pass, Proposals};
use crate::rewrite::propose_shrinking;
use reduct_input::{Edit, Subject, Tree};
use std::ops::Range;

pub(crate) const PASS: Pass =
    Pass::rewriting("llvm-fields", "LLVM: removes fields of metadata, each with its comma", 0.5, propose);

fn propose(subject: &Subject) -> Proposals {
    let (mut others, mut last) = (vec![], vec![]);
    for tree in modules(subject) {
        for at in 1..tree.len() {
            let fields = fields(subject, tree, at);
            let Some((end, before)) = fields.split_last() else { continue };
            others.extend(before.iter().zip(&fields[1..]).map(|(field, next)| field.start..next.start));
            last.push(before.last().map_or(end.start, |before| before.end)..end.end);
        }
    }
    propose_shrinking(subject, others.into_iter().chain(last).filter_map(Edit::delete))
}

/// Returns where the fields stand of which a node is made, without their commas: none if it is made of anything else.
fn fields(subject: &Subject, tree: &Tree, at: usize) -> Vec<Range<u32>> {
    let mut fields: Vec<Range<u32>> = vec![];
    let mut begins = true;
    for value in tree.children(at).filter(|child| tree.kind(*child) == "specialized_md_value") {
        let range = tree.range(value);
        if subject.text(range.clone()) == b"," {
            begins = true;
            continue;
        }
        match fields.last_mut().filter(|_| !begins) {
            Some(field) => field.end = range.end,
            None => fields.push(range),
        }
        begins = false;
    }
    fields
}
