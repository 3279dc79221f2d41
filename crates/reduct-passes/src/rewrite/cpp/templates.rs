//! Makes a plain class or function of a template.
//!
//! ## What it tries
//! For each template: no `template<…>`, no `<…>` after its name anywhere, `int` in it for each type that is a
//! parameter and `0` for each value, and its specialisations gone.
//!
//! ## When it helps
//! Where it need not be a template to fail; and what is no template can be reduced further by much more.
//!
//! ## Before
//! ```cpp
//! template <typename T, int N> struct A { T a[N]; void f(); };
//! template <typename T, int N> void A<T, N>::f() {}
//! template <> struct A<char, 1> {};
//! A<long, 2> a;
//! ```
//! ## After
//! ```cpp
//! struct A { int a[0]; void f(); };
//! void A::f() {}
//! A a;
//! ```

use crate::pass::Pass;
use crate::rewrite::c::code::{Code, merged, propose};
use reduct_input::{Edit, Splice};
use std::collections::BTreeMap;

pub(crate) const PASS: Pass =
    Pass::rewriting("cpp-templates", "C++: makes a plain class or function of a template", 0.3, |subject| {
        propose(subject, edits)
    });

/// What is declared as a template under one name.
#[derive(Default)]
pub(super) struct Template {
    /// The declarations themselves, and of what belongs to it: methods that are defined outside.
    pub(super) declarations: Vec<usize>,
    /// What is declared for some arguments only.
    pub(super) specialisations: Vec<usize>,
}

fn edits(code: &Code) -> Vec<Edit> {
    templates(code).into_iter().filter_map(|(name, template)| plain(code, name, &template)).collect()
}

/// Returns the templates of a text by their names.
pub(super) fn templates<'a>(code: &Code<'a>) -> BTreeMap<&'a [u8], Template> {
    let mut found: BTreeMap<&[u8], Template> = BTreeMap::new();
    for at in code.all("template_declaration") {
        let Some((name, is_special)) = code.parts(at).last().and_then(|inner| name(code, inner)) else { continue };
        let template = found.entry(code.text(name)).or_default();
        if is_special { &mut template.specialisations } else { &mut template.declarations }.push(at);
    }
    found
}

/// Returns the name of what a template makes, and whether it is for some arguments only.
fn name(code: &Code, inner: usize) -> Option<(usize, bool)> {
    let specifier = code.type_of(inner).filter(|_| code.is(inner, "declaration")).unwrap_or(inner);
    let named = if code.tree.kind(specifier).ends_with("_specifier") || code.is(inner, "alias_declaration") {
        code.tree.child(specifier, "name")?
    } else {
        code.function(inner)?.0
    };
    // `A<T>::f` belongs to the template of the class.
    let (named, scope) = code.unqualified(named);
    if let Some(class) = scope.filter(|at| code.in_a(*at, "template_type").is_some()) {
        return Some((class, false));
    }
    match code.tree.child(named, "name").filter(|_| code.tree.kind(named).starts_with("template_")) {
        Some(inner) => Some((inner, true)),
        None => Some((named, false)),
    }
}

/// Returns the lists of arguments that follow a name.
pub(super) fn argument_lists<'a>(code: &'a Code, name: &[u8]) -> impl Iterator<Item = usize> + 'a {
    let uses = code.named(name).iter().filter_map(|at| code.tree.parent(*at));
    uses.filter(|use_| code.tree.kind(*use_).starts_with("template_"))
        .filter_map(|use_| code.tree.child(use_, "arguments"))
}

fn plain(code: &Code, name: &[u8], template: &Template) -> Option<Edit> {
    let mut splices: Vec<Splice> = template.specialisations.iter().map(|at| code.cut_statement(*at)).collect();
    for at in &template.declarations {
        let inner = code.parts(*at).last()?;
        splices.push(code.erase(code.tree.node(*at).start..code.tree.node(inner).start));
        for parameter in code.parts(code.tree.child(*at, "parameters")?) {
            splices.extend(instantiated(code, parameter, *at));
        }
    }
    splices.extend(argument_lists(code, name).map(|list| code.cut_node(list)));
    merged(splices)
}

/// Returns the uses of a parameter of a template with `int`, or `0` if it is no type.
pub(super) fn instantiated(code: &Code, parameter: usize, template: usize) -> Vec<Splice> {
    let is_value = code.tree.kind(parameter).ends_with("parameter_declaration")
        && !code.tree.kind(parameter).contains("type_parameter");
    let name = if is_value {
        let mut names = code.tree.descendants(parameter).filter(|at| code.is(*at, "identifier"));
        names.next_back()
    } else {
        code.parts(parameter).find(|at| code.is(*at, "type_identifier"))
    };
    let Some(name) = name else { return vec![] };
    let with: &[u8] = if is_value { b"0" } else { b"int" };
    let inside = code.named_in(code.text(name), template).iter().filter(|at| **at != name);
    inside.map(|at| code.put(*at, with)).collect()
}
