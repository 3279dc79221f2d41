//! Solidity.

use super::Language;
use reduct_input::{Class, Role};

pub(super) static LANGUAGE: Language = Language {
    extensions: &["sol"],
    classes: CLASSES,
    shortest: SHORTEST,
    roles: ROLES,
    ..Language::new("solidity", tree_sitter_solidity::LANGUAGE, tree_sitter_solidity::NODE_TYPES)
};

const CLASSES: &[(&str, Class)] = &[
    ("type_name", Class::TYPE),
    ("contract_declaration", Class(Class::DEFINITION.0 | Class::AGGREGATE.0)),
    ("interface_declaration", Class(Class::DEFINITION.0 | Class::AGGREGATE.0)),
    ("library_declaration", Class(Class::DEFINITION.0 | Class::AGGREGATE.0)),
    ("struct_declaration", Class(Class::DEFINITION.0 | Class::AGGREGATE.0)),
    ("enum_declaration", Class(Class::DEFINITION.0 | Class::AGGREGATE.0)),
    ("function_definition", Class(Class::DEFINITION.0 | Class::FUNCTION.0)),
    ("constructor_definition", Class(Class::DEFINITION.0 | Class::FUNCTION.0)),
    ("modifier_definition", Class(Class::DEFINITION.0 | Class::FUNCTION.0)),
    ("event_definition", Class::DEFINITION),
    ("state_variable_declaration", Class::DEFINITION),
    ("variable_declaration_statement", Class::DEFINITION),
    ("struct_member", Class::DEFINITION),
    ("parameter", Class::DEFINITION),
    ("import_directive", Class::IMPORT),
    ("call_expression", Class::CALL),
    ("contract_body", Class::BLOCK),
    ("function_body", Class::BLOCK),
    ("block_statement", Class::BLOCK),
    ("visibility", Class::MODIFIER),
    ("state_mutability", Class::MODIFIER),
    ("modifier_invocation", Class::MODIFIER),
    ("virtual", Class::MODIFIER),
    ("override_specifier", Class::MODIFIER),
    ("if_statement", Class::CONTROL),
    ("for_statement", Class::CONTROL),
    ("while_statement", Class::CONTROL),
    ("try_statement", Class::CONTROL),
];

const SHORTEST: &[(&str, &[&str])] = &[
    ("function_body", &["{}"]),
    ("contract_body", &["{}"]),
    ("block_statement", &["{}"]),
    ("statement", &["{}"]),
    ("expression", &["0"]),
    ("type_name", &["int"]),
];

/// What has no fields, and of which all is needed.
const ROLES: &[(&str, &str, &str, Role)] =
    &[("ternary_expression", "", "", Role::Mandatory), ("binary_expression", "", "", Role::Mandatory)];
