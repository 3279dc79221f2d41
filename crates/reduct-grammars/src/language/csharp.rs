//! C#.

use super::Language;
use reduct_input::{Class, Role};

pub(super) static LANGUAGE: Language = Language {
    nicknames: &["c#"],
    extensions: &["cs", "csx"],
    classes: CLASSES,
    shortest: SHORTEST,
    roles: ROLES,
    ..Language::new("csharp", tree_sitter_c_sharp::LANGUAGE, tree_sitter_c_sharp::NODE_TYPES)
};

const CLASSES: &[(&str, Class)] = &[
    ("declaration", Class::DEFINITION),
    ("local_declaration_statement", Class::DEFINITION),
    ("variable_declarator", Class::DEFINITION),
    ("enum_member_declaration", Class::DEFINITION),
    ("parameter", Class::DEFINITION),
    ("type_parameter", Class::DEFINITION),
    ("method_declaration", Class::FUNCTION),
    ("constructor_declaration", Class::FUNCTION),
    ("local_function_statement", Class(Class::DEFINITION.0 | Class::FUNCTION.0)),
    ("class_declaration", Class::AGGREGATE),
    ("struct_declaration", Class::AGGREGATE),
    ("interface_declaration", Class::AGGREGATE),
    ("enum_declaration", Class::AGGREGATE),
    ("record_declaration", Class::AGGREGATE),
    ("namespace_declaration", Class::AGGREGATE),
    ("using_directive", Class::IMPORT),
    ("type_parameter_list", Class::PARAMETERS),
    ("invocation_expression", Class::CALL),
    ("object_creation_expression", Class::CALL),
    ("real_literal", Class::NUMBER),
    ("verbatim_string_literal", Class::STRING),
    ("raw_string_literal", Class::STRING),
    ("interpolated_string_expression", Class::STRING),
    ("declaration_list", Class::BLOCK),
    ("enum_member_declaration_list", Class::BLOCK),
    ("switch_body", Class::BLOCK),
    ("accessor_list", Class::BLOCK),
    ("modifier", Class::MODIFIER),
    ("attribute_list", Class::MODIFIER),
    ("type_parameter_constraints_clause", Class::MODIFIER),
    ("if_statement", Class::CONTROL),
    ("for_statement", Class::CONTROL),
    ("foreach_statement", Class::CONTROL),
    ("while_statement", Class::CONTROL),
    ("do_statement", Class::CONTROL),
    ("switch_statement", Class::CONTROL),
    ("try_statement", Class::CONTROL),
    ("using_statement", Class::CONTROL),
    ("lock_statement", Class::CONTROL),
];

const SHORTEST: &[(&str, &[&str])] = &[
    ("block", &["{}"]),
    ("declaration_list", &["{}"]),
    ("enum_member_declaration_list", &["{}"]),
    ("statement", &[";"]),
    ("string_literal", &["\"\""]),
    ("expression", &["0", "null", "\"\"", "default"]),
    ("type", &["int", "object"]),
    ("argument_list", &["()"]),
    ("parameter_list", &["()"]),
];

/// What has no fields, and of which all is needed.
const ROLES: &[(&str, &str, &str, Role)] = &[("field_declaration", "", "variable_declaration", Role::Mandatory)];
