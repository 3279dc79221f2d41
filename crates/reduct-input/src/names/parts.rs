//! Whether a name, where it stands, defines something, imports it or refers to it.

use super::Part;
use crate::tree::{Class, Tree};

/// The fields under which what is defined stands in its definition, whatever the language: the name itself,
/// or what is wrapped around it (`*x[3]`, `(a, b)`).
const NAMING: &[&str] = &["name", "declarator", "pattern", "left", "alias"];

/// The fields of an import under which stands where from, not what.
const SOURCES: &[&str] = &["path", "scope", "module_name", "source", "module"];

/// What wraps a name that is defined, without a field of its own for it: C's declarators, patterns,
/// parameters with a type.
const WRAPPERS: &[&str] = &["declarator", "pattern", "pattern_list", "parameter"];

/// Returns all names in a tree with what they do, in the order of the text.
pub(super) fn parts(tree: &Tree) -> Vec<(usize, Part)> {
    let mut imports: Vec<Option<u32>> = vec![None; tree.len()];
    let mut found = vec![];
    // By node, whether it gives what it imports another name: asked once, as one import may name thousands.
    let mut aliases = vec![false; tree.len()];
    for node in (1..tree.len()).filter(|node| tree.field(*node) == "alias") {
        aliases[tree.node(node).parent as usize] = true;
    }
    for node in 0..tree.len() {
        let own = tree.is(node, Class::IMPORT).then_some(node as u32);
        imports[node] = imports[tree.node(node).parent as usize].or(own);
        let leaf = tree.is(node, Class::NAME) && !tree.children(node).any(|child| tree.is_named(child));
        if leaf && !tree.range(node).is_empty() {
            let part = match imports[node] {
                Some(import) if binds(tree, node, import as usize, &aliases) => Part::Imports(import as usize),
                Some(_) => Part::Uses,
                None => defined(tree, node).map_or(Part::Uses, Part::Defines),
            };
            found.push((node, part));
        }
    }
    found
}

/// Returns what a name defines.
fn defined(tree: &Tree, name: usize) -> Option<usize> {
    let mut at = name;
    loop {
        let parent = tree.parent(at)?;
        if tree.is(parent, Class::PARAMETERS) {
            return Some(at);
        }
        let field = tree.field(at);
        let kind = tree.kind(parent);
        // In patterns `a: b` of JavaScript and Rust it is `b`.
        let keyed = field == "name" && tree.child(parent, "pattern").is_some();
        let value = field == "value" && kind.ends_with("pattern");
        let naming = NAMING.contains(&field) && !keyed || value;
        if naming && tree.is(parent, Class::DEFINITION) {
            return (!is_reference(tree, parent)).then_some(parent);
        }
        let wraps = WRAPPERS.iter().any(|wrapper| kind.ends_with(wrapper));
        // `A::f` is an expression, and yet what is defined in `void A::f() {}`.
        let valued = tree.is(parent, Class::EXPRESSION) && !kind.ends_with("identifier");
        let passes = if field.is_empty() { wraps } else { naming && (wraps || !valued) };
        if !passes {
            return None;
        }
        at = parent;
    }
}

/// Returns whether this is `struct S` in `struct S *p`, and not the definition of `S`.
pub(super) fn is_reference(tree: &Tree, at: usize) -> bool {
    let has_body = || tree.children(at).any(|child| tree.field(child) == "body" || tree.is(child, Class::BLOCK));
    tree.kind(at).ends_with("specifier") && !has_body() && !stands_alone(tree, at)
}

/// Returns whether this is `struct S` in `struct S;`, which declares `S`.
fn stands_alone(tree: &Tree, at: usize) -> bool {
    let Some(parent) = tree.parent(at) else { return false };
    let declares_nothing_else = || !tree.children(parent).any(|child| tree.field(child) == "declarator");
    match tree.field(at) {
        "type" => tree.kind(parent) == "field_declaration" && declares_nothing_else(),
        _ => parent == 0 || tree.is(parent, Class::BLOCK) || tree.kind(parent) == "template_declaration",
    }
}

/// Returns whether an import makes this name known.
fn binds(tree: &Tree, name: usize, import: usize, aliases: &[bool]) -> bool {
    let mut at = name;
    while let Some(parent) = tree.parent(at).filter(|_| at != import) {
        let field = tree.field(at);
        // Of `a as b` it is `b`; of `a.b` in Python it is `a`.
        let aliased = field != "alias" && aliases[parent];
        let later = tree.kind(parent) == "dotted_name" && tree.children(parent).next() != Some(at);
        if SOURCES.contains(&field) || aliased || later {
            return false;
        }
        at = parent;
    }
    true
}
