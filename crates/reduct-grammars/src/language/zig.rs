//! Zig.

use super::Language;
use reduct_input::{Class, Role};

pub(super) static LANGUAGE: Language = Language {
    extensions: &["zig", "zon"],
    classes: CLASSES,
    shortest: SHORTEST,
    roles: ROLES,
    ..Language::new("zig", tree_sitter_zig::LANGUAGE, tree_sitter_zig::NODE_TYPES)
};

const CLASSES: &[(&str, Class)] = &[
    ("type_expression", Class(Class::EXPRESSION.0 | Class::TYPE.0)),
    ("primary_type_expression", Class(Class::EXPRESSION.0 | Class::TYPE.0)),
    ("function_declaration", Class(Class::DEFINITION.0 | Class::FUNCTION.0)),
    ("test_declaration", Class(Class::DEFINITION.0 | Class::FUNCTION.0)),
    ("variable_declaration", Class::DEFINITION),
    ("container_field", Class::DEFINITION),
    ("parameter", Class::DEFINITION),
    ("struct_declaration", Class::AGGREGATE),
    ("enum_declaration", Class::AGGREGATE),
    ("union_declaration", Class::AGGREGATE),
    ("call_expression", Class::CALL),
    ("builtin_function", Class::CALL),
    ("multiline_string", Class::STRING),
    ("character", Class::STRING),
    ("if_statement", Class::CONTROL),
    ("for_statement", Class::CONTROL),
    ("while_statement", Class::CONTROL),
    ("switch_expression", Class::CONTROL),
];

const SHORTEST: &[(&str, &[&str])] = &[
    ("block", &["{}"]),
    ("initializer_list", &["{}"]),
    ("expression", &["0", "{}", "undefined"]),
    ("builtin_type", &["u8", "void"]),
    ("primary_type_expression", &["0", "u8"]),
    ("arguments", &["()"]),
    ("parameters", &["()"]),
];

/// What has no fields, and of which all is needed.
const ROLES: &[(&str, &str, &str, Role)] = &[
    ("function_declaration", "", "parameters", Role::Mandatory),
    ("builtin_function", "", "arguments", Role::Mandatory),
];
