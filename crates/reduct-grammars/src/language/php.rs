//! PHP, with the text around it.

use super::Language;
use reduct_input::{Class, Role};

pub(super) static LANGUAGE: Language = Language {
    extensions: &["php", "php5", "phtml", "phpt"],
    interpreters: &["php"],
    beginnings: &["<?php"],
    classes: CLASSES,
    shortest: SHORTEST,
    roles: ROLES,
    ..Language::new("php", tree_sitter_php::LANGUAGE_PHP, tree_sitter_php::PHP_NODE_TYPES)
};

const CLASSES: &[(&str, Class)] = &[
    ("name", Class::NAME),
    ("variable_name", Class::NAME),
    ("function_definition", Class(Class::DEFINITION.0 | Class::FUNCTION.0)),
    ("method_declaration", Class(Class::DEFINITION.0 | Class::FUNCTION.0)),
    ("class_declaration", Class(Class::DEFINITION.0 | Class::AGGREGATE.0)),
    ("interface_declaration", Class(Class::DEFINITION.0 | Class::AGGREGATE.0)),
    ("trait_declaration", Class(Class::DEFINITION.0 | Class::AGGREGATE.0)),
    ("enum_declaration", Class(Class::DEFINITION.0 | Class::AGGREGATE.0)),
    ("const_declaration", Class::DEFINITION),
    ("property_declaration", Class::DEFINITION),
    ("simple_parameter", Class::DEFINITION),
    ("namespace_use_declaration", Class::IMPORT),
    ("function_call_expression", Class::CALL),
    ("member_call_expression", Class::CALL),
    ("scoped_call_expression", Class::CALL),
    ("object_creation_expression", Class::CALL),
    ("encapsed_string", Class::STRING),
    ("heredoc", Class::STRING),
    ("nowdoc", Class::STRING),
    ("compound_statement", Class::BLOCK),
    ("declaration_list", Class::BLOCK),
    ("switch_block", Class::BLOCK),
    ("visibility_modifier", Class::MODIFIER),
    ("static_modifier", Class::MODIFIER),
    ("final_modifier", Class::MODIFIER),
    ("abstract_modifier", Class::MODIFIER),
    ("readonly_modifier", Class::MODIFIER),
    ("attribute_list", Class::MODIFIER),
    ("if_statement", Class::CONTROL),
    ("for_statement", Class::CONTROL),
    ("foreach_statement", Class::CONTROL),
    ("while_statement", Class::CONTROL),
    ("do_statement", Class::CONTROL),
    ("switch_statement", Class::CONTROL),
    ("try_statement", Class::CONTROL),
];

const SHORTEST: &[(&str, &[&str])] = &[
    ("compound_statement", &["{}"]),
    ("declaration_list", &["{}"]),
    ("statement", &[";"]),
    ("encapsed_string", &["''"]),
    ("expression", &["0", "''", "[]"]),
    ("type", &["int"]),
    ("arguments", &["()"]),
    ("formal_parameters", &["()"]),
];

/// What has no fields, and of which all is needed.
const ROLES: &[(&str, &str, &str, Role)] =
    &[("program", "", "php_tag", Role::Mandatory), ("pair", "", "", Role::Mandatory)];
