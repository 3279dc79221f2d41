//! Removes a parameter of a template with the arguments at its position.
//!
//! ## What it tries
//! For each parameter of a template that has several: without it, without the arguments for it, and with `int` or
//! `0` in the place of its uses.
//!
//! ## When it helps
//! Where it has to be a template to fail, but not one of so many parameters.
//!
//! ## Before
//! ```cpp
//! template <typename T, int N> struct A { T a[N]; };
//! A<long, 2> a;
//! ```
//! ## After
//! ```cpp
//! template <typename T> struct A { T a[0]; };
//! A<long> a;
//! ```

use super::templates::{Template, argument_lists, instantiated, templates};
use crate::pass::Pass;
use crate::rewrite::c::code::{Code, merged, propose};
use reduct_input::Edit;

pub(crate) const PASS: Pass =
    Pass::rewriting("cpp-parameters", "C++: removes a parameter of a template with its arguments", 0.3, |subject| {
        propose(subject, edits)
    });

fn edits(code: &Code) -> Vec<Edit> {
    let mut found = vec![];
    for (name, template) in templates(code) {
        let parameters = |at: &usize| Some(code.parts(code.tree.child(*at, "parameters")?).count());
        let count = template.declarations.iter().filter_map(parameters).max().unwrap_or(0);
        if count > 1 {
            found.extend((0..count).filter_map(|position| without(code, name, &template, position)));
        }
    }
    found
}

fn without(code: &Code, name: &[u8], template: &Template, position: usize) -> Option<Edit> {
    let mut splices = vec![];
    for at in &template.declarations {
        if let Some(parameter) = code.parts(code.tree.child(*at, "parameters")?).nth(position) {
            splices.push(code.cut_element(parameter));
            splices.extend(instantiated(code, parameter, *at));
        }
    }
    let arguments = argument_lists(code, name).filter_map(|list| code.parts(list).nth(position));
    splices.extend(arguments.map(|argument| code.cut_element(argument)));
    merged(splices)
}
