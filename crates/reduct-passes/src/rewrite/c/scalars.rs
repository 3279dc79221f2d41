//! Makes a plain variable of one that is a struct.
//!
//! ## What it tries
//! For each variable whose type is a struct, union or class and of which only fields are used: the type of the
//! first field that is used, and the variable itself for each of its fields. A list it begins with is reduced to its
//! first element.
//!
//! ## When it helps
//! Where a value only happens to be in a struct; the struct itself can go once no variable is of its type.
//!
//! ## Before
//! ```c
//! struct S { int a; char b; };
//! struct S s = {1, 2};
//! int f() { return s.a; }
//! ```
//! ## After
//! ```c
//! struct S { int a; char b; };
//! int s = 1;
//! int f() { return s; }
//! ```

use super::code::{Code, merged, propose};
use super::variables::Variable;
use crate::pass::Pass;
use reduct_input::Edit;
use std::collections::BTreeMap;

pub(crate) const PASS: Pass =
    Pass::rewriting("c-scalars", "C: makes a plain variable of one that is a struct", 0.3, |subject| {
        propose(subject, edits)
    });

fn edits(code: &Code) -> Vec<Edit> {
    let variables = code.variables();
    let types = field_types(code, &variables);
    variables.iter().filter_map(|variable| scalar(code, variable, &types)).collect()
}

/// Returns, by the name of a field, the text of its type.
fn field_types<'a>(code: &Code<'a>, variables: &[Variable]) -> BTreeMap<&'a [u8], &'a [u8]> {
    let mut types = BTreeMap::new();
    for declared in variables.iter().filter(|variable| variable.is_field).flat_map(|variable| &variable.declared) {
        if declared.layers.iter().any(|layer| code.is(*layer, "function_declarator")) {
            continue;
        }
        if let Some(of) = code.type_of(declared.declaration) {
            types.entry(code.text(declared.at)).or_insert(code.text(of));
        }
    }
    types
}

fn scalar(code: &Code, variable: &Variable, types: &BTreeMap<&[u8], &[u8]>) -> Option<Edit> {
    let [declared] = variable.declared.as_slice() else { return None };
    let uses = code.uses(variable);
    let accesses: Option<Vec<usize>> = uses.iter().map(|at| access(code, *at)).collect();
    let accesses = accesses.filter(|all| !all.is_empty())?;
    let of = code.type_of(declared.declaration)?;
    let field = code.tree.child(accesses[0], "field")?;
    // A declaration of several variables would change the type of all of them.
    let declarators = code.tree.children(declared.declaration).filter(|at| code.tree.field(*at) == "declarator");
    if declarators.count() > 1 || code.tree.child(of, "body").is_some() {
        return None;
    }
    let mut splices = vec![code.put(of, types.get(code.text(field))?)];
    for (at, access) in uses.into_iter().zip(accesses) {
        splices.push(code.erase_after(at, access));
    }
    let list = declared.value.filter(|value| code.is(*value, "initializer_list"));
    splices.extend(list.and_then(|list| Some(code.put(list, code.text(code.parts(list).next()?)))));
    merged(splices)
}

/// Returns the access to a field of which this is what has the field. Through a pointer it stays a pointer.
fn access(code: &Code, at: usize) -> Option<usize> {
    let access = code.in_a(at, "field_expression").filter(|_| code.tree.field(at) == "argument")?;
    code.child_of_kind(access, ".").map(|_| access)
}
