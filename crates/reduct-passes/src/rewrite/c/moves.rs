//! Moves the definition of a function to where it is declared first.
//!
//! ## What it tries
//! For each function that is declared and later defined: the definition in the place of the declaration; for a
//! method its definition in the class, without the name of the class.
//!
//! ## When it helps
//! Where the declaration is needed because the function is used before its definition: it goes all the same.
//!
//! ## Before
//! ```cpp
//! int f(int);
//! int g() { return f(1); }
//! int f(int a) { return a; }
//! struct A { int m(); };
//! int A::m() { return 2; }
//! ```
//! ## After
//! ```cpp
//! int f(int a) { return a; }
//! int g() { return f(1); }
//! struct A { int m() { return 2; } };
//! ```

use super::code::{Code, propose};
use crate::pass::Pass;
use reduct_input::Edit;
use std::collections::BTreeMap;

pub(crate) const PASS: Pass =
    Pass::rewriting("c-moves", "C: moves a definition to where it is declared", 0.7, |subject| propose(subject, edits));

/// By class, nothing if none, and name: where something is declared.
type Declarations<'a> = BTreeMap<(&'a [u8], &'a [u8]), usize>;

fn edits(code: &Code) -> Vec<Edit> {
    let mut declared: Declarations = BTreeMap::new();
    for kind in ["declaration", "field_declaration"] {
        for at in code.all(kind) {
            if let Some((name, _)) = code.function(at) {
                declared.entry((class_around(code, at), code.text(name))).or_insert(at);
            }
        }
    }
    code.all("function_definition").filter_map(|at| moved(code, at, &declared)).collect()
}

/// Returns the name of the class that a declaration is in.
fn class_around<'a>(code: &Code<'a>, at: usize) -> &'a [u8] {
    let body = code.in_a(at, "field_declaration_list");
    let name = body.and_then(|body| code.tree.child(code.tree.parent(body)?, "name"));
    name.map_or(b"", |name| code.text(name))
}

fn moved(code: &Code, definition: usize, declared: &Declarations) -> Option<Edit> {
    let (name, _) = code.function(definition)?;
    let (own, scope) = code.unqualified(name);
    let class = scope.map_or(b"".as_slice(), |scope| code.text(scope));
    let target = *declared.get(&(class, code.text(own)))?;
    if target > definition {
        return None;
    }
    // `template<class T> void A<T>::f() {}` goes as a whole.
    let mut whole = definition;
    while let Some(template) = code.in_a(whole, "template_declaration").filter(|_| !class.is_empty()) {
        whole = template;
    }
    let (start, end) = (code.tree.node(definition).start, code.tree.node(definition).end);
    let own = code.tree.node(own).start;
    let text = [code.bytes(start..code.tree.node(name).start), code.bytes(own..end)].concat();
    Edit::new(vec![code.put(target, &text), code.cut_node(whole)])
}
