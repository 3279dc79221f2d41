//! TOML.

use super::Language;
use reduct_input::{Class, Role};

pub(super) static LANGUAGE: Language = Language {
    extensions: &["toml"],
    classes: CLASSES,
    shortest: SHORTEST,
    roles: ROLES,
    ..Language::new("toml", tree_sitter_toml_ng::LANGUAGE, tree_sitter_toml_ng::NODE_TYPES)
};

const CLASSES: &[(&str, Class)] = &[
    ("bare_key", Class::NAME),
    ("quoted_key", Class::NAME),
    ("pair", Class(Class::DEFINITION.0 | Class::STATEMENT.0)),
    ("table", Class::DEFINITION),
    ("table_array_element", Class::DEFINITION),
    ("array", Class::EXPRESSION),
    ("inline_table", Class::EXPRESSION),
    ("boolean", Class::EXPRESSION),
    ("offset_date_time", Class::EXPRESSION),
];

const SHORTEST: &[(&str, &[&str])] = &[
    ("array", &["[]"]),
    ("inline_table", &["{}"]),
    ("string", &["''", "0"]),
    ("integer", &["0"]),
    ("float", &["0"]),
    ("boolean", &["0"]),
    ("offset_date_time", &["0"]),
    ("local_date", &["0"]),
    ("dotted_key", &["a"]),
];

/// A table is a header with pairs below it, a pair a key with a value; all stand in one list.
const ROLES: &[(&str, &str, &str, Role)] = &[
    ("table", "", "pair", Role::Item),
    ("table", "", "", Role::Mandatory),
    ("table_array_element", "", "pair", Role::Item),
    ("table_array_element", "", "", Role::Mandatory),
    ("pair", "", "", Role::Mandatory),
    ("dotted_key", "", "", Role::Mandatory),
];
