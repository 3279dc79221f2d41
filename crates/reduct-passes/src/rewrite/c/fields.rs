//! Removes a field of a struct with its values in what structs of this type begin with.
//!
//! ## What it tries
//! For each field of a struct that is never accessed: without it, and without the value at its position in each
//! list that a variable of the type begins with, arrays included.
//!
//! ## When it helps
//! Removing the field alone gives its value to the next field; removing the value alone does the same.
//!
//! ## Before
//! ```c
//! struct S { int a; char b; } s = {1, 'b'};
//! struct S t[2] = {{2, 'c'}, {3}};
//! ```
//! ## After
//! ```c
//! struct S { char b; } s = {'b'};
//! struct S t[2] = {{'c'}, {}};
//! ```

use super::code::{Code, merged, propose};
use crate::pass::Pass;
use reduct_input::{Edit, Splice};
use std::collections::BTreeMap;

pub(crate) const PASS: Pass =
    Pass::rewriting("c-fields", "C: removes a field with its initial values", 0.6, |subject| propose(subject, edits));

fn edits(code: &Code) -> Vec<Edit> {
    let lists = lists_by_type(code);
    let mut found = vec![];
    for kind in ["struct_specifier", "union_specifier", "class_specifier"] {
        for specifier in code.all(kind) {
            let (Some(body), Some(name)) = (code.tree.child(specifier, "body"), code.tree.child(specifier, "name"))
            else {
                continue;
            };
            let Some(lists) = lists.get(code.text(name)) else { continue };
            let fields = code.parts(body).enumerate();
            found.extend(fields.filter_map(|(position, field)| without(code, field, position, lists)));
        }
    }
    found
}

/// Returns, by the name of a type, what its variables begin with: the innermost lists.
fn lists_by_type<'a>(code: &Code<'a>) -> BTreeMap<&'a [u8], Vec<usize>> {
    let mut lists: BTreeMap<&[u8], Vec<usize>> = BTreeMap::new();
    for at in code.all("init_declarator") {
        let Some(value) = code.tree.child(at, "value").filter(|value| code.is(*value, "initializer_list")) else {
            continue;
        };
        let Some(of) = code.tree.parent(at).and_then(|declaration| code.type_of(declaration)) else { continue };
        let name = code.tree.child(of, "name").unwrap_or(of);
        lists.entry(code.text(name)).or_default().extend(innermost(code, value));
    }
    lists
}

/// Returns the lists in a list that hold no further list first; itself if it holds none.
fn innermost(code: &Code, list: usize) -> Vec<usize> {
    let holds_list = |at: usize| code.parts(at).next().is_some_and(|first| code.is(first, "initializer_list"));
    let all = std::iter::once(list).chain(code.tree.descendants(list));
    all.filter(|at| code.is(*at, "initializer_list") && !holds_list(*at)).collect()
}

fn without(code: &Code, field: usize, position: usize, lists: &[usize]) -> Option<Edit> {
    let (mut declarators, last) = (0, code.tree.node(field).after as usize);
    let mut name = None;
    for at in code.tree.descendants(field).take_while(|at| *at < last) {
        if code.is(at, "field_identifier") && code.declared(at).is_some() {
            declarators += 1;
            name = Some(at);
        }
    }
    // Of several fields in one declaration the positions would differ.
    if declarators != 1 || code.named(code.text(name?)).iter().any(|at| code.tree.field(*at) == "field") {
        return None;
    }
    let values: Vec<Splice> =
        lists.iter().filter_map(|list| Some(code.cut_element(code.parts(*list).nth(position)?))).collect();
    let has_values = !values.is_empty();
    has_values.then(|| merged(values.into_iter().chain([code.cut_node(field)]).collect()))?
}
