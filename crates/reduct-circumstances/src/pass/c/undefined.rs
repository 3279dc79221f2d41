//! Replaces the calls of a function that is declared but not defined by `0`.
//!
//! ## What it tries
//! For each such function: all its calls together, and its declarations go.
//!
//! ## When it helps
//! Once bodies are gone, what is left of many functions is a declaration and calls. Each alone cannot go where the
//! value is used.
//!
//! ## Before
//! ```c
//! int f(int);
//! int a, b;
//! void g() { a = f(1); b = f(a) + 1; }
//! ```
//! ## After
//! ```c
//! int a, b;
//! void g() { a = 0; b = 0 + 1; }
//! ```

use super::code::{Code, merged, outline};
use crate::edit::Edit;
use crate::kind::Kind;
use std::collections::{BTreeMap, BTreeSet};

pub(in crate::pass) const KIND: Kind = Kind {
    name: "c-undefined",
    unit: "edits",
    about: "C: replaces the calls of what is not defined by 0",
    flat: false,
    checked: true,
    likely: 0.3,
    outline: |subject| outline(subject, edits),
};

fn edits(code: &Code) -> Vec<Edit> {
    let defined: BTreeSet<&[u8]> =
        code.all("function_definition").filter_map(|at| Some(code.text(code.function(at)?.0))).collect();
    let mut declared: BTreeMap<&[u8], Vec<usize>> = BTreeMap::new();
    for at in code.all("declaration") {
        let name = code.function(at).map(|(name, _)| code.text(name));
        if let Some(name) = name.filter(|name| !defined.contains(name)) {
            declared.entry(name).or_default().push(at);
        }
    }
    declared.into_iter().filter_map(|(name, declarations)| without(code, name, &declarations)).collect()
}

fn without(code: &Code, name: &[u8], declarations: &[usize]) -> Option<Edit> {
    let calls: Vec<usize> = code.named(name).iter().filter_map(|at| code.call_of(*at)).collect();
    // A declaration without calls is left to what removes single nodes.
    calls.first()?;
    let zero = |call: &usize| match code.in_a(*call, "expression_statement") {
        Some(statement) => code.put(statement, b";"),
        None => code.put(*call, b"0"),
    };
    merged(calls.iter().map(zero).chain(declarations.iter().map(|at| code.cut_node(*at))).collect())
}
