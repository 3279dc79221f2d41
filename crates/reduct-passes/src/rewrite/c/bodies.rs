//! Replaces the body of a function by `;`, so that it is only declared.
//!
//! ## What it tries
//! For each definition of a function: its body, the initialisers of a constructor included, and `= default`,
//! by `;`. A method that is defined outside of its class goes as a whole. The largest first.
//!
//! ## When it helps
//! Early, where a function has to be known but not what it does: much goes with one test.
//!
//! ## Before
//! ```cpp
//! int f(int a) { return a + 1; }
//! struct A { A() : b(1) {} ~A() = default; int b; int c(); };
//! int A::c() { return b; }
//! ```
//! ## After
//! ```cpp
//! int f(int a);
//! struct A { A(); ~A(); int b; int c(); };
//! ```

use super::code::{Code, propose_largest_first};
use crate::pass::Pass;
use reduct_input::{Edit, Splice};

pub(crate) const PASS: Pass =
    Pass::rewriting("c-bodies", "C: replaces the body of a function by `;`", 0.5, |subject| {
        propose_largest_first(subject, edits)
    })
    .largest_first();

fn edits(code: &Code) -> Vec<Edit> {
    code.all("function_definition").filter_map(|at| declared(code, at)).collect()
}

fn declared(code: &Code, definition: usize) -> Option<Edit> {
    // Outside of its class a method cannot be declared only.
    if code.function(definition).is_some_and(|(name, _)| code.is(name, "qualified_identifier")) {
        let template = |at: &usize| code.in_a(*at, "template_declaration");
        let whole = std::iter::successors(Some(definition), template).last()?;
        return Edit::new(vec![code.cut(code.tree.range(whole))]);
    }
    let declarator = code.tree.child(definition, "declarator")?;
    let (start, end) = (code.tree.node(declarator).end, code.tree.node(definition).end);
    (start < end).then(|| Edit::new(vec![Splice { at: start..end, with: b";".as_slice().into() }]))?
}
