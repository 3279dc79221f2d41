//! YAML.

use super::Language;
use reduct_input::{Class, Role};

pub(super) static LANGUAGE: Language = Language {
    extensions: &["yaml", "yml"],
    beginnings: &["%YAML", "---"],
    classes: CLASSES,
    shortest: SHORTEST,
    roles: ROLES,
    ..Language::new("yaml", tree_sitter_yaml::LANGUAGE, tree_sitter_yaml::NODE_TYPES)
};

const CLASSES: &[(&str, Class)] = &[
    ("anchor_name", Class::NAME),
    ("alias_name", Class::NAME),
    ("integer_scalar", Class::NUMBER),
    ("float_scalar", Class::NUMBER),
    ("double_quote_scalar", Class::STRING),
    ("single_quote_scalar", Class::STRING),
    ("block_scalar", Class::STRING),
    ("flow_node", Class::EXPRESSION),
    ("block_node", Class::EXPRESSION),
    ("block_mapping_pair", Class::DEFINITION),
    ("flow_pair", Class::DEFINITION),
    ("block_mapping", Class::BLOCK),
    ("block_sequence", Class::BLOCK),
    ("tag", Class::MODIFIER),
    ("anchor", Class::MODIFIER),
];

const SHORTEST: &[(&str, &[&str])] = &[
    ("flow_mapping", &["{}"]),
    ("flow_sequence", &["[]"]),
    ("block_node", &["{}", "[]", "0"]),
    ("flow_node", &["0", "{}", "[]"]),
];

/// A key without a value keeps its sign.
const ROLES: &[(&str, &str, &str, Role)] =
    &[("block_mapping_pair", "value", "", Role::Item), ("flow_pair", "value", "", Role::Item)];
