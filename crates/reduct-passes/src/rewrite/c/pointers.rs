//! Takes one level of pointers from a variable, a parameter or a field.
//!
//! ## What it tries
//! For each that is declared with a `*`: without it, and its uses adapted: `*p` and `p[i]` become `p`, `p->f`
//! becomes `p.f`, and what is assigned or passed to it loses its `&`; a global one loses the address it begins with. Then the same for all pointers to one
//! type together.
//!
//! ## When it helps
//! Where a pointer only stands between a variable and its use. Removing the `*` alone leaves uses that do not
//! compile.
//!
//! ## Before
//! ```c
//! struct S { int f; } s, *p = &s;
//! int g() { return p->f; }
//! ```
//! ## After
//! ```c
//! struct S { int f; } s, p;
//! int g() { return p.f; }
//! ```

use super::code::{Code, merged, propose_in_turn};
use super::variables::{Declared, Variable};
use crate::pass::Pass;
use reduct_input::{Edit, Splice};
use std::collections::BTreeMap;

pub(crate) const PASS: Pass =
    Pass::rewriting("c-pointers", "C: takes a level of pointers from a variable and its uses", 0.2, |subject| {
        propose_in_turn(subject, edits)
    });

fn edits(code: &Code) -> Vec<Vec<Edit>> {
    let mut single = vec![];
    let mut by_type: BTreeMap<&[u8], Vec<Vec<Splice>>> = BTreeMap::new();
    for variable in code.variables() {
        let changes = lowered(code, &variable);
        // Only the `*` of the declaration: what puts a node in the place of one around it does that.
        if changes.len() <= variable.declared.len() {
            continue;
        }
        let of_type = variable.declared.first().and_then(|declared| code.type_of(declared.declaration));
        by_type.entry(of_type.map_or(&[], |at| code.text(at))).or_default().push(changes.clone());
        single.extend(merged(changes));
    }
    let together = by_type.into_values().filter(|all| all.len() > 1).filter_map(|all| merged(all.concat()));
    let together = together.collect();
    vec![single, together]
}

fn lowered(code: &Code, variable: &Variable) -> Vec<Splice> {
    let mut splices = vec![];
    for declared in &variable.declared {
        let Some(star) = star(code, declared) else { continue };
        splices.push(code.cut_node(star));
        splices.extend(declared.value.and_then(|value| first_value(code, variable, value)));
        splices.extend(arguments(code, declared));
    }
    if !splices.is_empty() {
        splices.extend(code.uses(variable).into_iter().filter_map(|at| adapted(code, at)));
    }
    splices
}

/// Returns what a variable begins with that no longer is a pointer. A global one has to begin with a constant.
fn first_value(code: &Code, variable: &Variable, value: usize) -> Option<Splice> {
    let change = without_address(code, value)?;
    let declarator = code.in_a(value, "init_declarator").filter(|_| variable.scope == 0);
    Some(declarator.map_or(change, |at| match code.tree.child(at, "declarator") {
        Some(inner) => code.erase_after(inner, at),
        None => code.cut_node(value),
    }))
}

/// Returns the `*` next to a name: what is outside of an array or a function is not the variable's own.
fn star(code: &Code, declared: &Declared) -> Option<usize> {
    let innermost = *declared.layers.first()?;
    code.is(innermost, "pointer_declarator").then(|| code.child_of_kind(innermost, "*"))?
}

/// Returns a use of what is no longer a pointer.
fn adapted(code: &Code, at: usize) -> Option<Splice> {
    let parent = code.tree.parent(at)?;
    let field = code.tree.field(at);
    match (code.tree.kind(parent), field) {
        ("pointer_expression", "argument") => {
            let sign = code.child_of_kind(parent, "*")?;
            Some(code.cut_node(sign))
        }
        ("field_expression", "argument") => Some(code.put(code.child_of_kind(parent, "->")?, b".")),
        ("subscript_expression", "argument") => Some(code.erase_after(at, parent)),
        ("assignment_expression", "left") => without_address(code, code.tree.child(parent, "right")?),
        _ => None,
    }
}

/// Returns `&x` without `&`.
fn without_address(code: &Code, at: usize) -> Option<Splice> {
    code.is(at, "pointer_expression").then(|| code.child_of_kind(at, "&"))?.map(|sign| code.cut_node(sign))
}

/// Returns, for a parameter, the addresses that are passed for it, and the `*` where the function is only declared.
fn arguments(code: &Code, declared: &Declared) -> Vec<Splice> {
    let Some((function, position)) = code.parameter(declared.declaration) else { return vec![] };
    let Some(name) = code.tree.child(function, "declarator") else { return vec![] };
    let passed = code.arguments(code.text(name), position).filter_map(|argument| without_address(code, argument));
    let elsewhere = code.named(code.text(name)).iter().filter(|at| **at != name);
    let declared = elsewhere.filter_map(|at| {
        let parameters = code.tree.child(code.in_a(*at, "function_declarator")?, "parameters")?;
        let declarator = code.tree.child(code.parts(parameters).nth(position)?, "declarator")?;
        Some(code.cut_node(code.child_of_kind(declarator, "*")?))
    });
    passed.chain(declared).collect()
}
