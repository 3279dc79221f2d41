//! Functions of the shell, whose names are words like others to the grammar.

use super::Shorter;
use reduct_input::{Edit, Splice, Subject, Tree};
use std::collections::BTreeMap;
use std::ops::Range;

/// Returns short names for the functions that a script defines, wherever a word is that name.
pub(super) fn functions(subject: &Subject) -> Vec<Edit> {
    let mut shorter: Option<Shorter> = None;
    let mut edits = vec![];
    for tree in subject.trees().iter().filter(|tree| tree.grammar.language == "bash") {
        let mut places: BTreeMap<&[u8], Vec<Range<u32>>> = BTreeMap::new();
        for word in (1..tree.len()).filter(|at| tree.kind(*at) == "word") {
            places.entry(subject.text(tree.range(word))).or_default().push(tree.range(word));
        }
        for name in defined(tree) {
            let Some(places) = places.remove(subject.text(tree.range(name))) else { continue };
            let shorter = shorter.get_or_insert_with(|| Shorter::new(subject));
            let Some(new) = shorter.than(subject.text(tree.range(name))) else { continue };
            edits.extend(Edit::new(places.into_iter().map(|at| Splice { at, with: (&*new).into() }).collect()));
        }
    }
    edits
}

/// Returns the names of the functions of a script.
fn defined(tree: &Tree) -> impl Iterator<Item = usize> + '_ {
    let functions = (1..tree.len()).filter(|at| tree.kind(*at) == "function_definition");
    functions.filter_map(|at| tree.child(at, "name"))
}
