//! Java.

use super::Language;
use reduct_input::{Class, Role};

pub(super) static LANGUAGE: Language = Language {
    extensions: &["java"],
    classes: CLASSES,
    shortest: SHORTEST,
    roles: ROLES,
    ..Language::new("java", tree_sitter_java::LANGUAGE, tree_sitter_java::NODE_TYPES)
};

const CLASSES: &[(&str, Class)] = &[
    ("_unannotated_type", Class::TYPE),
    ("annotated_type", Class::TYPE),
    ("declaration", Class::DEFINITION),
    ("local_variable_declaration", Class::DEFINITION),
    ("field_declaration", Class::DEFINITION),
    ("variable_declarator", Class::DEFINITION),
    ("formal_parameter", Class::DEFINITION),
    ("type_parameter", Class::DEFINITION),
    ("enum_constant", Class::DEFINITION),
    ("method_declaration", Class(Class::DEFINITION.0 | Class::FUNCTION.0)),
    ("constructor_declaration", Class(Class::DEFINITION.0 | Class::FUNCTION.0)),
    ("class_declaration", Class::AGGREGATE),
    ("interface_declaration", Class::AGGREGATE),
    ("enum_declaration", Class::AGGREGATE),
    ("record_declaration", Class::AGGREGATE),
    ("annotation_type_declaration", Class::AGGREGATE),
    ("import_declaration", Class::IMPORT),
    ("type_parameters", Class::PARAMETERS),
    ("method_invocation", Class::CALL),
    ("object_creation_expression", Class::CALL),
    ("decimal_integer_literal", Class::NUMBER),
    ("hex_integer_literal", Class::NUMBER),
    ("decimal_floating_point_literal", Class::NUMBER),
    ("constructor_body", Class::BLOCK),
    ("class_body", Class::BLOCK),
    ("interface_body", Class::BLOCK),
    ("enum_body", Class::BLOCK),
    ("switch_block", Class::BLOCK),
    ("modifiers", Class::MODIFIER),
    ("annotation", Class::MODIFIER),
    ("marker_annotation", Class::MODIFIER),
    ("throws", Class::MODIFIER),
    ("if_statement", Class::CONTROL),
    ("for_statement", Class::CONTROL),
    ("enhanced_for_statement", Class::CONTROL),
    ("while_statement", Class::CONTROL),
    ("do_statement", Class::CONTROL),
    ("switch_expression", Class::CONTROL),
    ("try_statement", Class::CONTROL),
    ("try_with_resources_statement", Class::CONTROL),
    ("synchronized_statement", Class::CONTROL),
];

const SHORTEST: &[(&str, &[&str])] = &[
    ("block", &["{}"]),
    ("constructor_body", &["{}"]),
    ("class_body", &["{}"]),
    ("interface_body", &["{}"]),
    ("enum_body", &["{}"]),
    ("switch_block", &["{}"]),
    ("statement", &[";"]),
    ("string_literal", &["\"\""]),
    ("expression", &["0", "null", "\"\""]),
    ("array_initializer", &["{}"]),
    ("_unannotated_type", &["int", "Object"]),
    ("argument_list", &["()"]),
    ("formal_parameters", &["()"]),
];

const ROLES: &[(&str, &str, &str, Role)] = &[
    ("import_declaration", "", "scoped_identifier", Role::Mandatory),
    ("generic_type", "", "type_identifier", Role::Mandatory),
    ("cast_expression", "", "", Role::Mandatory),
    ("scoped_type_identifier", "", "", Role::Mandatory),
    ("array_access", "", "", Role::Mandatory),
];
