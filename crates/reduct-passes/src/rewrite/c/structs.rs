//! Replaces a struct by the type of a field of it, or by `int`.
//!
//! ## What it tries
//! For each struct, union or class of plain fields: the type of its first field wherever it is named, its
//! definition gone, and what has a field in the place of each access to one of its fields; then the same with
//! `int`.
//!
//! ## When it helps
//! Where values are in structs for no reason that the failure has. All uses have to change at once.
//!
//! ## Before
//! ```c
//! struct S { long a; };
//! struct S s, *p = &s;
//! long f() { return s.a + p->a; }
//! ```
//! ## After
//! ```c
//! long s, *p = &s;
//! long f() { return s + *p; }
//! ```

use super::code::{Code, merged, propose};
use crate::pass::Pass;
use reduct_input::{Edit, Splice};
use std::collections::{BTreeMap, BTreeSet};

pub(crate) const PASS: Pass =
    Pass::rewriting("c-structs", "C: replaces a struct by the type of a field, or by `int`", 0.2, |subject| {
        propose(subject, edits)
    });

/// What has fields, with the names they are used by.
struct Struct<'a> {
    specifier: usize,
    body: usize,
    names: Vec<&'a [u8]>,
}

/// By the name of a variable or field the name of its type.
type Types<'a> = BTreeMap<&'a [u8], &'a [u8]>;

fn edits(code: &Code) -> Vec<Edit> {
    let types = types(code);
    let all: Vec<Struct> = ["struct_specifier", "union_specifier", "class_specifier"]
        .iter()
        .flat_map(|kind| code.all(kind).collect::<Vec<_>>())
        .filter_map(|at| plain(code, at))
        .collect();
    let first = all.iter().filter_map(|of| {
        let field = code.parts(of.body).next()?;
        let kept = code.text(code.type_of(field)?);
        (kept != b"int").then(|| replaced(code, of, kept, &types))?
    });
    let int = all.iter().filter_map(|of| replaced(code, of, b"int", &types));
    first.chain(int).collect()
}

/// Returns the types of variables and fields, without regard for scopes.
fn types<'a>(code: &Code<'a>) -> Types<'a> {
    let mut types = BTreeMap::new();
    for declared in code.variables().into_iter().flat_map(|variable| variable.declared) {
        if let Some(of) = code.type_of(declared.declaration) {
            let name = code.tree.child(of, "name").unwrap_or(of);
            types.entry(code.text(declared.at)).or_insert(code.text(name));
        }
    }
    types
}

/// Returns the name of the variable or field that an expression is.
fn holder(code: &Code, mut at: usize) -> usize {
    loop {
        let inner = match code.tree.kind(at) {
            "field_expression" => code.tree.child(at, "field"),
            "subscript_expression" | "pointer_expression" => code.tree.child(at, "argument"),
            "parenthesized_expression" => code.parts(at).next(),
            _ => None,
        };
        match inner {
            Some(inner) => at = inner,
            None => return at,
        }
    }
}

/// Returns a struct with a name, and nothing but fields in it.
fn plain<'a>(code: &Code<'a>, specifier: usize) -> Option<Struct<'a>> {
    let body = code.tree.child(specifier, "body")?;
    let is_field = |at: usize| code.is(at, "field_declaration") && code.function(at).is_none();
    if !code.parts(body).all(is_field) {
        return None;
    }
    let mut names: Vec<&[u8]> = code.tree.child(specifier, "name").map(|at| code.text(at)).into_iter().collect();
    if let Some(definition) = code.in_a(specifier, "type_definition") {
        let aliases = code.tree.children(definition).filter(|at| code.is(*at, "type_identifier"));
        names.extend(aliases.map(|at| code.text(at)));
    }
    (!names.is_empty()).then_some(Struct { specifier, body, names })
}

fn replaced(code: &Code, of: &Struct, with: &[u8], types: &Types) -> Option<Edit> {
    let mut splices = vec![definition(code, of, with)];
    for at in of.names.iter().flat_map(|name| code.named(name)).filter(|at| code.is(**at, "type_identifier")) {
        let parent = code.tree.parent(*at)?;
        let is_tag = code.tree.field(*at) == "name" && code.tree.kind(parent).ends_with("_specifier");
        let is_alias = code.tree.field(*at) == "declarator";
        if !is_alias {
            splices.push(if is_tag { code.put_type(parent, with) } else { code.put(*at, with) });
        }
    }
    let fields: BTreeSet<&[u8]> = code
        .parts(of.body)
        .flat_map(|field| code.tree.descendants(field))
        .filter(|at| code.declared(*at).is_some_and(|declared| code.is(declared.declaration, "field_declaration")))
        .map(|at| code.text(at))
        .collect();
    splices
        .extend(accesses(code, &fields, |holder| types.get(holder).is_none_or(|of_type| of.names.contains(of_type))));
    merged(splices)
}

/// Returns the definition gone, if it is not also the type of something.
fn definition(code: &Code, of: &Struct, with: &[u8]) -> Splice {
    if let Some(definition) = code.in_a(of.specifier, "type_definition") {
        // Its aliases are replaced too, unless one is of a pointer or an array.
        let mut aliases = code.tree.children(definition).filter(|at| code.tree.field(*at) == "declarator");
        if aliases.all(|at| code.is(at, "type_identifier")) {
            return code.cut_node(definition);
        }
    }
    code.put_type(of.specifier, with)
}

/// Accesses to fields as what has the field; through a pointer, as what the pointer points to.
fn accesses(code: &Code, fields: &BTreeSet<&[u8]>, is_of_type: impl Fn(&[u8]) -> bool) -> Vec<Splice> {
    let mut splices = vec![];
    let mut stars: BTreeMap<usize, usize> = BTreeMap::new();
    let named = fields.iter().flat_map(|field| code.named(field)).filter(|at| code.tree.field(**at) == "field");
    for access in named.filter_map(|at| code.in_a(*at, "field_expression")) {
        let of = code.tree.child(access, "argument").filter(|of| is_of_type(code.text(holder(code, *of))));
        let Some(of) = of else { continue };
        splices.push(code.erase_after(of, access));
        if code.child_of_kind(access, "->").is_some() {
            // The first leaf of the access, in which several accesses may begin.
            let mut leaf = access;
            while let Some(inner) = code.tree.children(leaf).next() {
                leaf = inner;
            }
            *stars.entry(leaf).or_default() += 1;
        }
    }
    let starred = |(leaf, count): (usize, usize)| code.put(leaf, &[&vec![b'*'; count], code.text(leaf)].concat());
    splices.extend(stars.into_iter().map(starred));
    splices
}
