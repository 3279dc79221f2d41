//! Several things that are assigned by one statement, each what stands at its place on the other side.

use super::{COLUMNS, columns};
use reduct_input::siblings::lists;
use reduct_input::{Edit, Subject, Tree};

/// The kinds of nodes that have two sides, or the beginnings of their names.
const ASSIGNMENTS: &[&str] =
    &["assignment", "short_var", "var_spec", "const_spec", "variable_declarator", "let_declaration"];

/// The kinds of lists that stand on a side.
const SIDES: &[&str] = &[
    "pattern_list",
    "tuple_pattern",
    "list_pattern",
    "array_pattern",
    "variable_list",
    "left_assignment_list",
    "list_literal",
    "expression_list",
    "tuple",
    "list",
    "array",
    "right_assignment_list",
    "array_creation_expression",
    "array_expression",
    "tuple_expression",
];

/// Returns the edits that remove what stands at one place on both sides of an assignment.
pub(super) fn assigned(subject: &Subject, tree: &Tree, at: usize) -> Vec<Edit> {
    if !ASSIGNMENTS.iter().any(|kind| tree.kind(at).starts_with(kind)) {
        return vec![];
    }
    let mut rows: Vec<Vec<usize>> = vec![];
    // What is defined in Go stands in no list of its own.
    lists(tree, at, |list| {
        if tree.field(list[0]) == "name" && list.len() > 1 {
            rows.push(list.to_vec());
        }
    });
    for side in tree.children(at).filter(|side| SIDES.contains(&tree.kind(*side))) {
        let all = tree.children(side).filter(|part| tree.is_named(*part)).count();
        lists(tree, side, |list| {
            if list.len() == all && !list.iter().any(|part| is_several(tree.kind(*part))) {
                rows.push(list.to_vec());
            }
        });
    }
    let side =
        |row: &[usize]| (tree.parent(row[0]) != Some(at)).then(|| tree.parent(row[0]).map(|side| tree.kind(side)));
    match &rows[..] {
        // Two sides of one kind are rows side by side.
        [left, right]
            if side(left) != side(right) && left.len() == right.len() && (2..=COLUMNS).contains(&left.len()) =>
        {
            columns(subject, tree, left.len(), &rows)
        }
        _ => vec![],
    }
}

/// Returns whether a part of this kind stands for any number of parts.
fn is_several(kind: &str) -> bool {
    ["splat", "spread", "rest", "remaining", "variadic"].iter().any(|word| kind.contains(word))
}
