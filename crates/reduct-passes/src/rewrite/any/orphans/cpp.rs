//! What items of C and C++ are to those that do not name them.

use reduct_input::{Class, Subject, Tree};

/// Returns whether an item is a class, whose members nobody uses who does not name it.
pub(in crate::rewrite::any) fn is_class(tree: &Tree, item: usize) -> bool {
    let is = |at: usize| {
        let kind = tree.kind(at);
        tree.is(at, Class::AGGREGATE) && ["class", "struct", "union"].iter().any(|word| kind.contains(word))
    };
    is(item) || tree.kind(item) == "template_declaration" && tree.children(item).any(is)
}

/// Returns whether what others do may depend on an item that none of them names: a field or a virtual function of C++ has its
/// place in its class, a variable whose type has a name may be made by a function, and a whole namespace may be imported.
pub(super) fn acts_unnamed(tree: &Tree, item: usize) -> bool {
    let is = |kind: &str| tree.children(item).any(|child| tree.kind(child) == kind);
    let is_function = || declarators(tree, item).any(|at| tree.kind(at) == "function_declarator");
    let is_named = || tree.child(item, "type").is_some_and(|of| tree.kind(of).ends_with("identifier"));
    let is_unnamed = match tree.kind(item) {
        "field_declaration" => !is_function(),
        "declaration" => is_named() && !is_function(),
        // All names of a namespace become known.
        "using_declaration" => is("namespace"),
        _ => false,
    };
    is_unnamed || is("virtual")
}

/// Returns whether this is the name of a specialization of a template, which is nothing without the template.
pub(in crate::rewrite::any) fn is_specialization(tree: &Tree, name: usize) -> bool {
    let is_arguments = |child| tree.kind(child) == "template_argument_list";
    tree.grammar.language == "cpp" && tree.parent(name).is_some_and(|of| tree.children(of).any(is_arguments))
}

/// Returns the declarators in an item of C and C++, outermost first: of `int *f();`, those of a pointer and of a function.
fn declarators(tree: &Tree, item: usize) -> impl Iterator<Item = usize> {
    let inner = |at: &usize| tree.children(*at).find(|child| tree.kind(*child).ends_with("declarator"));
    std::iter::successors(Some(item), inner).skip(1)
}

/// Returns whether an item is a friend of the class it is in. The grammar takes the word for a type where the function is defined.
pub(in crate::rewrite::any) fn is_friend(subject: &Subject, tree: &Tree, item: usize) -> bool {
    let around = [Some(item), tree.parent(item)];
    let is_typed = || tree.child(item, "type").is_some_and(|of| subject.text(tree.range(of)) == b"friend");
    around.into_iter().flatten().any(|at| tree.kind(at) == "friend_declaration") || is_typed()
}
