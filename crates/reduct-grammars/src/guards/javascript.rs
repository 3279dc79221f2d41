//! JavaScript.

use super::{Declared, GuardedStatement, Guards};
use tree_sitter::Node;

pub(super) static GUARDS: Guards = Guards {
    language: "javascript",
    functions: &[
        "function_declaration",
        "function_expression",
        "generator_function_declaration",
        "generator_function",
        "arrow_function",
        "method_definition",
        "class_static_block",
    ],
    blocks: &["statement_block", "program", "switch_case", "switch_default"],
    statements: &[
        "expression_statement",
        "if_statement",
        "while_statement",
        "do_statement",
        "for_statement",
        "for_in_statement",
        "return_statement",
        "break_statement",
        "continue_statement",
        "switch_statement",
        "throw_statement",
        "try_statement",
        "labeled_statement",
    ],
    declarations: &["lexical_declaration", "variable_declaration"],
    loops: &["while_statement", "do_statement", "for_statement", "for_in_statement"],
    begins,
    enters: "const __reduct_f=__reduct_r.enter();try{",
    leaves: "}finally{__reduct_r.leave(__reduct_f);}",
    is_fixed,
    declares,
    assigns,
};

fn begins(path: &str, statements: &[GuardedStatement]) -> String {
    let places = statements.iter().map(|it| (it.line, it.nth, it.is_iteration, &it.function));
    // Strings and numbers can be written.
    let places = serde_json::to_string(&places.collect::<Vec<_>>()).unwrap_or_default();
    let path = serde_json::to_string(path).unwrap_or_default();
    format!("const __reduct_r=globalThis[Symbol.for('reduct')]({path},{places}),__reduct_f=__reduct_r.top();")
}

/// Returns whether this is a directive, what loads modules or says what a module offers, and functions and classes that get a name.
fn is_fixed(node: Node<'_>, text: &[u8]) -> bool {
    match node.kind() {
        "expression_statement" => node.named_child(0).is_some_and(|it| it.kind() == "string"),
        "lexical_declaration" | "variable_declaration" => {
            let value = node.named_child(0).and_then(|it| it.child_by_field_name("value"));
            value.is_some_and(|it| is_definition(it) || loads(it, text))
        }
        _ => false,
    }
}

fn is_definition(value: Node<'_>) -> bool {
    matches!(value.kind(), "arrow_function" | "function_expression" | "generator_function" | "class")
}

fn loads(value: Node<'_>, text: &[u8]) -> bool {
    let called = value.child_by_field_name("function").or_else(|| value.child_by_field_name("object"));
    let is_require = called.is_some_and(|it| it.utf8_text(text) == Ok("require"));
    (value.kind() == "call_expression" && is_require)
        || (value.kind() == "member_expression" && called.is_some_and(|it| loads(it, text)))
}

/// Takes a declaration apart: `const x = f()` becomes `let x;if(..)(x = f())`.
fn declares(node: Node<'_>, text: &[u8]) -> Option<Declared> {
    let keyword = node.child(0)?;
    let is_var = keyword.utf8_text(text) == Ok("var");
    let mut cursor = node.walk();
    let declarators: Vec<Node<'_>> =
        node.named_children(&mut cursor).filter(|it| it.kind() == "variable_declarator").collect();
    declarators.iter().find(|it| it.child_by_field_name("value").is_some())?;
    let mut names = vec![];
    for declarator in declarators.iter().rev() {
        let mut of_one = vec![];
        bound(declarator.child_by_field_name("name")?, text, &mut of_one);
        names.splice(0..0, of_one);
    }
    let values = declarators.first()?.start_byte()..declarators.last()?.end_byte();
    let keyword = (keyword.byte_range(), if is_var { "var" } else { "let" });
    (!names.is_empty()).then_some(Declared { keyword, names, values })
}

/// Collects the names that a pattern binds.
fn bound(pattern: Node<'_>, text: &[u8], names: &mut Vec<String>) {
    let mut open = vec![pattern];
    while let Some(node) = open.pop() {
        match node.kind() {
            "identifier" | "shorthand_property_identifier_pattern" => {
                names.extend(node.utf8_text(text).map(str::to_owned))
            }
            "pair_pattern" => open.extend(node.child_by_field_name("value")),
            "assignment_pattern" | "object_assignment_pattern" => open.extend(node.child_by_field_name("left")),
            _ => {
                let mut cursor = node.walk();
                open.extend(node.named_children(&mut cursor));
            }
        }
    }
    names.reverse();
}

fn assigns(node: Node<'_>, text: &[u8]) -> Vec<String> {
    let mut names = vec![];
    match node.kind() {
        "expression_statement" => {
            let Some(value) = node.named_child(0) else { return names };
            let target = value.child_by_field_name("left").or_else(|| value.child_by_field_name("argument"));
            let is_assignment = value.kind().ends_with("assignment_expression") || value.kind() == "update_expression";
            if let Some(target) = target.filter(|it| is_assignment && it.kind() == "identifier") {
                bound(target, text, &mut names);
            }
        }
        "for_in_statement" => {
            if let Some(left) = node
                .child_by_field_name("left")
                .filter(|it| it.kind() != "member_expression" && it.kind() != "subscript_expression")
            {
                bound(left, text, &mut names);
            }
        }
        _ => {}
    }
    names
}
