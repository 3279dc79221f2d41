//! Makes global variables of local ones and of parameters.
//!
//! ## What it tries
//! For each type that some global variable has: all local variables of that type as more declarators of its
//! declaration, then single ones; and single parameters, which go with the arguments of all calls.
//!
//! ## When it helps
//! Where several functions use copies of one value: they become one variable, or variables whose functions can
//! go.
//!
//! ## Before
//! ```c
//! int a;
//! void f(int b) { int c; c = b; }
//! void g() { f(a); }
//! ```
//! ## After
//! ```c
//! int a,c;
//! void f(int b) { c = b; }
//! void g() { f(a); }
//! ```

use super::code::{Code, merged, propose_in_turn};
use super::merge::{appended, head_and_tail};
use super::variables::Variable;
use crate::pass::Pass;
use reduct_input::{Edit, Splice};
use std::collections::BTreeMap;

pub(crate) const PASS: Pass =
    Pass::rewriting("c-globals", "C: makes global variables of local ones and of parameters", 0.3, |subject| {
        propose_in_turn(subject, edits)
    });

/// How many single variables of one type are tried at a visit. They change the same place, so that each takes
/// a test of its own; after a success there is another visit.
const SINGLES: usize = 2;

fn edits(code: &Code) -> Vec<Vec<Edit>> {
    let mut globals: BTreeMap<Vec<u8>, usize> = BTreeMap::new();
    let mut locals: BTreeMap<Vec<u8>, Vec<usize>> = BTreeMap::new();
    for at in code.all("declaration") {
        let Some((head, _)) = head_and_tail(code, at).filter(|_| code.function(at).is_none()) else { continue };
        if code.scope(at) == 0 {
            globals.entry(head).or_insert(at);
        } else if code.in_a(at, "compound_statement").is_some() {
            locals.entry(head).or_default().push(at);
        }
    }
    let of_type = || globals.iter().filter_map(|(head, global)| Some((*global, locals.get(head)?)));
    let all = of_type().filter_map(|(global, locals)| lifted(code, global, locals)).collect();
    let single = of_type().filter(|(_, locals)| locals.len() > 1);
    let single = single.flat_map(|(global, locals)| {
        locals.chunks(1).take(SINGLES).filter_map(move |local| lifted(code, global, local))
    });
    vec![all, single.collect(), parameters(code, &globals)]
}

/// Returns the edit that makes local variables declarators of a global one.
fn lifted(code: &Code, global: usize, locals: &[usize]) -> Option<Edit> {
    let mut names = vec![];
    let mut splices = vec![];
    for at in locals {
        names.push(b',');
        names.extend_from_slice(code.bytes(head_and_tail(code, *at)?.1));
        splices.push(code.cut_node(*at));
    }
    splices.push(appended(code, global, names));
    merged(splices)
}

fn parameters(code: &Code, globals: &BTreeMap<Vec<u8>, usize>) -> Vec<Edit> {
    let mut tried: BTreeMap<usize, usize> = BTreeMap::new();
    let mut found = vec![];
    for variable in code.variables() {
        let Some((global, edit)) = parameter(code, &variable, globals) else { continue };
        let count = tried.entry(global).or_default();
        *count += 1;
        if *count <= SINGLES {
            found.extend(edit);
        }
    }
    found
}

fn parameter(code: &Code, variable: &Variable, globals: &BTreeMap<Vec<u8>, usize>) -> Option<(usize, Option<Edit>)> {
    let [declared] = variable.declared.as_slice() else { return None };
    let (function, position) = code.parameter(declared.declaration)?;
    let head = code.text(code.type_of(declared.declaration)?);
    let global = *globals.get(head)?;
    let start = code.tree.node(code.tree.child(declared.declaration, "declarator")?).start;
    let mut name = vec![b','];
    name.extend_from_slice(code.bytes(start..code.tree.node(declared.declaration).end));
    let mut splices: Vec<Splice> = vec![appended(code, global, name), code.cut_element(declared.declaration)];
    let called = code.text(code.tree.child(function, "declarator")?);
    splices.extend(code.arguments(called, position).map(|argument| code.cut_element(argument)));
    Some((global, merged(splices)))
}
