//! Lua.

use super::Language;
use reduct_input::{Class, Role};

pub(super) static LANGUAGE: Language = Language {
    extensions: &["lua"],
    interpreters: &["lua", "luajit"],
    classes: CLASSES,
    shortest: SHORTEST,
    roles: ROLES,
    ..Language::new("lua", tree_sitter_lua::LANGUAGE, tree_sitter_lua::NODE_TYPES)
};

const CLASSES: &[(&str, Class)] = &[
    ("declaration", Class::DEFINITION),
    ("assignment_statement", Class::DEFINITION),
    ("function_declaration", Class::FUNCTION),
    ("field", Class::DEFINITION),
    ("function_call", Class::CALL),
    ("if_statement", Class::CONTROL),
    ("for_statement", Class::CONTROL),
    ("while_statement", Class::CONTROL),
    ("repeat_statement", Class::CONTROL),
];

const SHORTEST: &[(&str, &[&str])] = &[
    ("statement", &[";"]),
    ("table_constructor", &["{}"]),
    ("expression", &["0", "nil", "{}"]),
    ("arguments", &["()"]),
    ("parameters", &["()"]),
];

/// What stands on both sides. Declarations are statements like others, though they have fields of their own.
const ROLES: &[(&str, &str, &str, Role)] = &[
    ("assignment_statement", "", "", Role::Mandatory),
    ("variable_list", "", "", Role::ItemOfMany),
    ("expression_list", "", "", Role::ItemOfMany),
    ("field", "name", "", Role::Mandatory),
    ("chunk", "local_declaration", "", Role::Item),
    ("chunk", "global_declaration", "", Role::Item),
    ("block", "local_declaration", "", Role::Item),
    ("block", "global_declaration", "", Role::Item),
];
