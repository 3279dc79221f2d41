//! Makes a function return nothing.
//!
//! ## What it tries
//! For each definition of a function that returns values which no call uses: `void` in the place of its type, there and where it is
//! declared, and `return;` in the place of each `return` with a value.
//!
//! ## When it helps
//! The value is not needed then, nor is what it is computed from.
//!
//! ## Before
//! ```c
//! long f();
//! long f(int a) { if (a) return a + 1; return 0; }
//! ```
//! ## After
//! ```c
//! void f();
//! void f(int a) { if (a) return; return; }
//! ```

use super::code::{Code, merged, propose};
use crate::pass::Pass;
use reduct_input::{Edit, Splice};
use std::collections::BTreeMap;

pub(crate) const PASS: Pass =
    Pass::rewriting("c-void", "C: makes a function return nothing", 0.3, |subject| propose(subject, edits));

fn edits(code: &Code) -> Vec<Edit> {
    let mut prototypes: BTreeMap<&[u8], Vec<usize>> = BTreeMap::new();
    for at in code.all("declaration").chain(code.all("field_declaration")) {
        if let Some((name, _)) = code.function(at) {
            prototypes.entry(last_name(code.text(name))).or_default().push(at);
        }
    }
    let mut returns: BTreeMap<usize, Vec<Splice>> = BTreeMap::new();
    for at in code.all("return_statement") {
        if let (Some(value), Some(function)) = (code.parts(at).next(), enclosing_function(code, at)) {
            let end = code.tree.node(value).end;
            let blanks_and_value = code.tree.node(at).start + "return".len() as u32..end;
            returns.entry(function).or_default().push(code.erase(blanks_and_value));
        }
    }
    let void = |(function, mut splices): (usize, Vec<Splice>)| {
        let (name, _) = code.function(function)?;
        if value_is_used(code, last_name(code.text(name))) {
            return None;
        }
        let declared = prototypes.get(last_name(code.text(name))).into_iter().flatten().copied();
        for at in declared.chain([function]) {
            splices.push(without_type(code, at)?);
        }
        merged(splices)
    };
    returns.into_iter().filter_map(void).collect()
}

/// Returns whether some call of a function is more than a statement.
fn value_is_used(code: &Code, name: &[u8]) -> bool {
    let callee = |at: usize| {
        let around = ["field_expression", "qualified_identifier", "template_function", "template_method"];
        let whole = |at: &usize| code.tree.parent(*at).filter(|parent| around.contains(&code.tree.kind(*parent)));
        std::iter::successors(Some(at), whole).last().unwrap_or(at)
    };
    let mut calls = code.named(name).iter().filter_map(|at| code.call_of(callee(*at)));
    calls.any(|call| code.in_a(call, "expression_statement").is_none())
}

/// Returns the definition of a function that a statement belongs to.
fn enclosing_function(code: &Code, at: usize) -> Option<usize> {
    let mut outer = std::iter::successors(code.tree.parent(at), |at| code.tree.parent(*at));
    let found = outer.find(|at| code.is(*at, "function_definition") || code.is(*at, "lambda_expression"))?;
    code.is(found, "function_definition").then_some(found)
}

/// Returns the edit that puts `void` for the type of a function, with what of its declarator is part of the type.
fn without_type(code: &Code, declaration: usize) -> Option<Splice> {
    let type_ = code.type_of(declaration).filter(|at| !code.is(*at, "placeholder_type_specifier"))?;
    let start = code.tree.node(type_).start;
    let (_, function) = code.function(declaration)?;
    let end = code.tree.node(function).start;
    Some(Splice { at: start..end, with: b"void ".as_slice().into() })
}

fn last_name(name: &[u8]) -> &[u8] {
    name.rsplit(|b| *b == b':').next().unwrap_or(name)
}
