//! Joins declarations that begin alike into one.
//!
//! ## What it tries
//! Each declaration or field with the one before it if both begin with the same type: `int a; int b;` as
//! `int a, b;`. Then, for each type, all declarations of a scope as one, in the place of the first.
//!
//! ## When it helps
//! Near the end: a type, a `;` and a line go for a comma.
//!
//! ## Before
//! ```c
//! int a;
//! int b = 2;
//! char c;
//! int f();
//! ```
//! ## After
//! ```c
//! int a,b = 2;
//! char c;
//! int f();
//! ```

use super::code::{Code, merged, propose_in_turn};
use crate::pass::Pass;
use reduct_input::{Edit, Splice};
use std::collections::BTreeMap;

pub(crate) const PASS: Pass =
    Pass::rewriting("c-merge", "C: joins declarations of the same type into one", 0.8, |subject| {
        propose_in_turn(subject, edits)
    });

fn edits(code: &Code) -> Vec<Vec<Edit>> {
    let mut adjacent = vec![];
    let mut alike: BTreeMap<(u32, Vec<u8>), Vec<usize>> = BTreeMap::new();
    for kind in ["declaration", "field_declaration"] {
        for at in code.all(kind) {
            let Some((head, _)) = head_and_tail(code, at) else { continue };
            let all = alike.entry((code.tree.node(at).parent, head)).or_default();
            if let Some(before) = all.last().filter(|last| code.tree.node(**last).after as usize == at) {
                adjacent.extend(joined(code, *before, at));
            }
            all.push(at);
        }
    }
    // Where each stands after the one before, joining each is the same.
    let apart = |all: &Vec<usize>| all.windows(2).any(|two| code.tree.node(two[0]).after as usize != two[1]);
    let several = alike.into_values().filter(apart);
    vec![adjacent, several.filter_map(|all| all_joined(code, &all)).collect()]
}

/// Returns what a declaration has before its declarators, with single blanks, and where these begin and end.
pub(super) fn head_and_tail(code: &Code, declaration: usize) -> Option<(Vec<u8>, std::ops::Range<u32>)> {
    let node = code.tree.node(declaration);
    let first = code.tree.node(code.tree.child(declaration, "declarator")?).start;
    if !code.text(declaration).ends_with(b";") {
        return None;
    }
    let head = code.bytes(node.start..first).split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    Some((head.collect::<Vec<_>>().join(&b' '), first..node.end - 1))
}

fn joined(code: &Code, first: usize, second: usize) -> Option<Edit> {
    let (_, tail) = head_and_tail(code, second)?;
    Edit::replace(code.tree.node(first).end - 1..tail.start, b",")
}

fn all_joined(code: &Code, all: &[usize]) -> Option<Edit> {
    let mut names = vec![];
    let mut splices = vec![];
    for at in &all[1..] {
        names.push(b',');
        names.extend_from_slice(code.bytes(head_and_tail(code, *at)?.1));
        splices.push(code.cut_node(*at));
    }
    splices.push(appended(code, all[0], names));
    merged(splices)
}

/// Returns a declaration with more declarators, which begin with a comma.
pub(super) fn appended(code: &Code, declaration: usize, mut names: Vec<u8>) -> Splice {
    let end = code.tree.node(declaration).end;
    names.push(b';');
    Splice { at: end - 1..end, with: names.into() }
}
