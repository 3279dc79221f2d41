//! Writes `auto` for the parameters of a template that are only types of parameters.
//!
//! ## What it tries
//! For each function that is a template, if each parameter of the template is a type that is named at most once, as the type of a
//! parameter of the function: no `template<...>`, and `auto` there.
//!
//! ## When it helps
//! Where a function has to be a template, but not a long one. It needs C++20.
//!
//! ## Before
//! ```cpp
//! template <class T, typename U> void f(T *a, const U &b) {}
//! ```
//! ## After
//! ```cpp
//! void f(auto *a, const auto &b) {}
//! ```

use crate::pass::Pass;
use crate::rewrite::c::code::{Code, merged, propose};
use reduct_input::{Edit, Splice};

pub(crate) const PASS: Pass =
    Pass::rewriting("cpp-autos", "C++: writes auto for the parameters of a template", 0.3, |subject| {
        propose(subject, |code| code.all("template_declaration").filter_map(|at| autos(code, at)).collect())
    });

fn autos(code: &Code, template: usize) -> Option<Edit> {
    let inner = code.parts(template).last()?;
    if !matches!(code.tree.kind(inner), "function_definition" | "declaration") || code.function(inner).is_none() {
        return None;
    }
    let parameters: Vec<usize> = code.parts(code.tree.child(template, "parameters")?).collect();
    let mut splices = vec![code.erase(code.tree.node(template).start..code.tree.node(inner).start)];
    for parameter in &parameters {
        splices.extend(auto(code, *parameter, template)?);
    }
    (splices.len() > 1).then(|| merged(splices))?
}

/// Returns `auto` in the one place where a parameter of a template is named; `None` if that is no type of a parameter.
fn auto(code: &Code, parameter: usize, template: usize) -> Option<Option<Splice>> {
    if !code.is(parameter, "type_parameter_declaration") {
        return None;
    }
    let Some(name) = code.parts(parameter).next() else { return Some(None) };
    let mut uses = code.named_in(code.text(name), template).iter().filter(|at| **at != name);
    let Some(used) = uses.next() else { return Some(None) };
    let is_type = code.in_a(*used, "parameter_declaration").is_some() && code.tree.field(*used) == "type";
    (is_type && uses.next().is_none()).then(|| Some(code.put(*used, b"auto")))
}
