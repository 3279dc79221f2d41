//! Rust.

use super::Language;
use reduct_input::{Class, Role};

pub(super) static LANGUAGE: Language = Language {
    extensions: &["rs"],
    classes: CLASSES,
    shortest: SHORTEST,
    roles: ROLES,
    ..Language::new("rust", tree_sitter_rust::LANGUAGE, tree_sitter_rust::NODE_TYPES)
};

const CLASSES: &[(&str, Class)] = &[
    ("shorthand_field_identifier", Class::NAME),
    ("lifetime", Class::NAME),
    ("_declaration_statement", Class::STATEMENT),
    ("expression_statement", Class::STATEMENT),
    ("let_declaration", Class::DEFINITION),
    ("const_item", Class::DEFINITION),
    ("static_item", Class::DEFINITION),
    ("function_item", Class(Class::DEFINITION.0 | Class::FUNCTION.0)),
    ("function_signature_item", Class::DEFINITION),
    ("macro_definition", Class::DEFINITION),
    ("associated_type", Class::DEFINITION),
    ("type_item", Class(Class::DEFINITION.0 | Class::ALIAS.0)),
    ("struct_item", Class(Class::DEFINITION.0 | Class::AGGREGATE.0)),
    ("enum_item", Class(Class::DEFINITION.0 | Class::AGGREGATE.0)),
    ("union_item", Class(Class::DEFINITION.0 | Class::AGGREGATE.0)),
    ("trait_item", Class(Class::DEFINITION.0 | Class::AGGREGATE.0)),
    ("impl_item", Class(Class::DEFINITION.0 | Class::AGGREGATE.0)),
    ("mod_item", Class(Class::DEFINITION.0 | Class::AGGREGATE.0)),
    ("enum_variant", Class::DEFINITION),
    ("field_declaration", Class::DEFINITION),
    ("parameter", Class::DEFINITION),
    ("type_parameter", Class::DEFINITION),
    ("const_parameter", Class::DEFINITION),
    ("use_declaration", Class::IMPORT),
    ("extern_crate_declaration", Class::IMPORT),
    ("type_parameters", Class::PARAMETERS),
    ("closure_parameters", Class::PARAMETERS),
    ("call_expression", Class::CALL),
    ("macro_invocation", Class::CALL),
    ("raw_string_literal", Class::STRING),
    ("declaration_list", Class::BLOCK),
    ("field_declaration_list", Class::BLOCK),
    ("enum_variant_list", Class::BLOCK),
    ("match_block", Class::BLOCK),
    ("attribute_item", Class::MODIFIER),
    ("inner_attribute_item", Class::MODIFIER),
    ("visibility_modifier", Class::MODIFIER),
    ("function_modifiers", Class::MODIFIER),
    ("mutable_specifier", Class::MODIFIER),
    ("if_expression", Class::CONTROL),
    ("match_expression", Class::CONTROL),
    ("for_expression", Class::CONTROL),
    ("while_expression", Class::CONTROL),
    ("loop_expression", Class::CONTROL),
];

const SHORTEST: &[(&str, &[&str])] = &[
    // What never returns has every type.
    ("block", &["{}", "{loop{}}"]),
    ("string_literal", &["\"\""]),
    ("_literal", &["0"]),
    ("_expression", &["0", "()", "loop{}"]),
    ("_type", &["()", "_", "u8"]),
    ("_pattern", &["_"]),
    ("declaration_list", &["{}"]),
    ("field_declaration_list", &["{}"]),
    ("enum_variant_list", &["{}"]),
    ("match_block", &["{}"]),
    ("parameters", &["()"]),
    ("arguments", &["()"]),
    ("token_tree", &["()"]),
];

const ROLES: &[(&str, &str, &str, Role)] =
    &[("index_expression", "", "", Role::Mandatory), ("or_pattern", "", "", Role::Mandatory)];
