//! C.

use super::Language;
use reduct_input::{Class, Role};

pub(super) static LANGUAGE: Language = Language {
    extensions: &["c", "i", "h"],
    classes: CLASSES,
    shortest: SHORTEST,
    roles: &[NAME_FOR_LINKING, ONE_OF_AN_ENUM],
    signs: SIGNS,
    ..Language::new("c", tree_sitter_c::LANGUAGE, tree_sitter_c::NODE_TYPES)
};

/// C++ and GLSL have these too.
pub(super) const SIGNS: &[(&str, &str)] = &[
    ("struct_specifier", ";"),
    ("union_specifier", ";"),
    ("enum_specifier", ";"),
    ("class_specifier", ";"),
    ("access_specifier", ":"),
];

/// GNU C's `__asm__("name")` after what is declared, which the grammar takes for one more thing that is declared.
pub(super) const NAME_FOR_LINKING: (&str, &str, &str, Role) =
    ("declaration", "declarator", "gnu_asm_expression", Role::Optional);

/// An enum of C has one constant at least.
const ONE_OF_AN_ENUM: (&str, &str, &str, Role) = ("enumerator_list", "", "enumerator", Role::ItemOfMany);

/// C++ and GLSL have these too.
pub(super) const CLASSES: &[(&str, Class)] = &[
    ("statement_identifier", Class::NAME),
    ("declaration", Class(Class::STATEMENT.0 | Class::DEFINITION.0)),
    ("field_declaration", Class::DEFINITION),
    ("parameter_declaration", Class::DEFINITION),
    ("init_declarator", Class::DEFINITION),
    ("enumerator", Class::DEFINITION),
    ("function_definition", Class(Class::DEFINITION.0 | Class::FUNCTION.0)),
    ("type_definition", Class(Class::DEFINITION.0 | Class::ALIAS.0)),
    ("preproc_def", Class::DEFINITION),
    ("preproc_function_def", Class::DEFINITION),
    ("preproc_include", Class::IMPORT),
    ("preproc_params", Class::PARAMETERS),
    ("struct_specifier", Class(Class::AGGREGATE.0 | Class::DEFINITION.0)),
    ("union_specifier", Class(Class::AGGREGATE.0 | Class::DEFINITION.0)),
    ("enum_specifier", Class(Class::AGGREGATE.0 | Class::DEFINITION.0)),
    ("type_specifier", Class::TYPE),
    ("type_descriptor", Class::TYPE),
    ("comma_expression", Class::EXPRESSION),
    ("initializer_list", Class::EXPRESSION),
    ("call_expression", Class::CALL),
    ("concatenated_string", Class::STRING),
    ("system_lib_string", Class::STRING),
    ("compound_statement", Class::BLOCK),
    ("field_declaration_list", Class::BLOCK),
    ("enumerator_list", Class::BLOCK),
    ("declaration_list", Class::BLOCK),
    ("if_statement", Class::CONTROL),
    ("for_statement", Class::CONTROL),
    ("while_statement", Class::CONTROL),
    ("do_statement", Class::CONTROL),
    ("switch_statement", Class::CONTROL),
    ("type_qualifier", Class::MODIFIER),
    ("storage_class_specifier", Class::MODIFIER),
    ("attribute_specifier", Class::MODIFIER),
    ("attribute_declaration", Class::MODIFIER),
    ("alignas_qualifier", Class::MODIFIER),
    ("ms_declspec_modifier", Class::MODIFIER),
    ("ms_call_modifier", Class::MODIFIER),
    ("gnu_asm_qualifier", Class::MODIFIER),
];

/// GLSL has these too.
pub(super) const SHORTEST: &[(&str, &[&str])] = &[
    ("compound_statement", &["{}"]),
    ("statement", &[";"]),
    ("string_literal", &["\"\""]),
    ("expression", &["0", "1"]),
    ("comma_expression", &["0"]),
    ("initializer_list", &["{}", "0"]),
    ("field_declaration_list", &["{}"]),
    ("primitive_type", &["int"]),
    ("sized_type_specifier", &["int"]),
    ("type_specifier", &["int"]),
    ("type_descriptor", &["int"]),
    ("argument_list", &["()"]),
    ("parameter_list", &["()"]),
];
