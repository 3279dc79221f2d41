//! The types that a function or a specialization of a template is about: without one of them, it is nothing.

use crate::rewrite::any::orphans::Node;
use reduct_input::{Class, Names, Part, Sort, Subject, Tree};

/// Returns, by node of the graph, the types in its parameters and, of a template that is specialized, in its arguments.
pub(super) fn types(subject: &Subject, names: &Names, holders: &[Vec<Option<u32>>], nodes: &[Node]) -> Vec<Vec<usize>> {
    let mut found: Vec<Vec<usize>> = vec![vec![]; nodes.len()];
    let mut defines: Vec<Vec<bool>> = subject.trees().iter().map(|tree| vec![false; tree.len()]).collect();
    for place in names.places().iter().filter(|place| place.item.is_some()) {
        defines[place.tree][place.node] = true;
    }
    let begins = |tree: usize, at: usize| holders[tree][at].is_some_and(|of| nodes[of as usize].1 == at);
    let heads: Vec<Vec<bool>> =
        (0..holders.len()).map(|tree| heads(&subject.trees()[tree], &defines[tree], |at| begins(tree, at))).collect();
    for (at, place) in names.places().iter().enumerate() {
        if place.part != Part::Uses || !heads[place.tree][place.node] {
            continue;
        }
        let (Some(entity), Some(holder)) = (names.entity_of(at), holders[place.tree][place.node]) else { continue };
        let of = &names.entities()[entity];
        if of.scope.is_none() && of.sort == Sort::Type {
            found[holder as usize].push(entity);
        }
    }
    found
}

/// Returns, by node of a tree, whether it stands in a list of parameters or among the arguments of a template that is specialized. `defines` tells
/// what defines something, `begins` where a node of the graph begins.
fn heads(tree: &Tree, defines: &[bool], begins: impl Fn(usize) -> bool) -> Vec<bool> {
    let mut head = vec![false; tree.len()];
    if !is_overloaded(tree) {
        return head;
    }
    for at in 1..tree.len() {
        let parent = tree.node(at).parent as usize;
        let is_list = match tree.kind(at) {
            "parameter_list" => true,
            "template_argument_list" => tree.children(parent).any(|child| defines[child]),
            _ => false,
        };
        head[at] = is_list || head[parent] && !begins(at) && !tree.is(at, Class::BLOCK);
    }
    head
}

/// Returns whether a node is there for the types it is about, although it defines nothing that has a name: an operator outside of classes.
pub(super) fn acts_for_its_types(subject: &Subject, (tree, node): Node, outer: Option<Node>) -> bool {
    let tree = &subject.trees()[tree];
    let is_outside = outer.is_none_or(|(_, outer)| tree.kind(outer).starts_with("namespace"));
    let is_declaration =
        tree.is(node, Class::FUNCTION) || matches!(tree.kind(node), "template_declaration" | "declaration");
    is_overloaded(tree) && is_outside && is_declaration
}

/// Returns whether which function is called, and which template is meant, depends on types: in C++.
fn is_overloaded(tree: &Tree) -> bool {
    tree.grammar.language == "cpp"
}
