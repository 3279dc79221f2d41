//! CSS.

use super::Language;
use reduct_input::{Class, Role};

pub(super) static LANGUAGE: Language = Language {
    extensions: &["css"],
    classes: CLASSES,
    shortest: SHORTEST,
    roles: ROLES,
    ..Language::new("css", tree_sitter_css::LANGUAGE, tree_sitter_css::NODE_TYPES)
};

const CLASSES: &[(&str, Class)] = &[
    ("js_comment", Class::COMMENT),
    ("class_name", Class::NAME),
    ("id_name", Class::NAME),
    ("property_name", Class::NAME),
    ("keyframes_name", Class::NAME),
    ("integer_value", Class::NUMBER),
    ("float_value", Class::NUMBER),
    ("string_value", Class::STRING),
    ("plain_value", Class::EXPRESSION),
    ("call_expression", Class(Class::CALL.0 | Class::EXPRESSION.0)),
    ("binary_expression", Class::EXPRESSION),
    ("color_value", Class::EXPRESSION),
    ("declaration", Class::STATEMENT),
    ("rule_set", Class::STATEMENT),
    ("at_rule", Class::STATEMENT),
    ("media_statement", Class::STATEMENT),
    ("supports_statement", Class::STATEMENT),
    ("keyframes_statement", Class::STATEMENT),
    ("charset_statement", Class::STATEMENT),
    ("import_statement", Class::IMPORT),
    ("keyframe_block_list", Class::BLOCK),
    ("important", Class::MODIFIER),
];

const SHORTEST: &[(&str, &[&str])] = &[
    ("block", &["{}"]),
    ("keyframe_block_list", &["{}"]),
    ("rule_set", &["a{}"]),
    ("selectors", &["a", "*"]),
    ("class_selector", &["a", ".a"]),
    ("id_selector", &["a"]),
    ("pseudo_class_selector", &["a"]),
    ("child_selector", &["a"]),
    ("descendant_selector", &["a"]),
    ("arguments", &["()"]),
    ("string_value", &["\"\""]),
    ("call_expression", &["0"]),
    ("color_value", &["0", "red"]),
    ("plain_value", &["0"]),
    ("integer_value", &["0"]),
    ("float_value", &["0"]),
];

/// What has no fields, and of which all is needed.
const ROLES: &[(&str, &str, &str, Role)] = &[
    ("declaration", "", "property_name", Role::Mandatory),
    ("rule_set", "", "", Role::Mandatory),
    ("class_name", "", "", Role::Mandatory),
    ("keyframe_block", "", "", Role::Mandatory),
    ("call_expression", "", "", Role::Mandatory),
    ("pseudo_class_selector", "", "class_name", Role::Mandatory),
    ("class_selector", "", "class_name", Role::Mandatory),
    ("feature_query", "", "", Role::Mandatory),
    ("media_statement", "", "block", Role::Mandatory),
    ("binary_expression", "", "", Role::Mandatory),
];
