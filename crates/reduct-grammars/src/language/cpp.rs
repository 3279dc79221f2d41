//! C++.

use super::Language;
use reduct_input::{Class, Role};

pub(super) static LANGUAGE: Language = Language {
    nicknames: &["c++"],
    extensions: &["cpp", "cc", "cxx", "c++", "C", "ii", "hpp", "hh", "hxx", "h++", "ipp", "tpp", "inl", "cu", "cuh"],
    classes: &CLASSES,
    shortest: SHORTEST,
    roles: ROLES,
    ..Language::new("cpp", tree_sitter_cpp::LANGUAGE, tree_sitter_cpp::NODE_TYPES)
};

const OWN: [(&str, Class); 20] = [
    ("class_specifier", Class(Class::AGGREGATE.0 | Class::DEFINITION.0)),
    ("namespace_definition", Class(Class::AGGREGATE.0 | Class::DEFINITION.0)),
    ("alias_declaration", Class(Class::ALIAS.0 | Class::DEFINITION.0)),
    ("using_declaration", Class::IMPORT),
    ("template_declaration", Class::DEFINITION),
    ("concept_definition", Class::DEFINITION),
    ("optional_parameter_declaration", Class::DEFINITION),
    ("type_parameter_declaration", Class::DEFINITION),
    ("optional_type_parameter_declaration", Class::DEFINITION),
    ("namespace_identifier", Class::NAME),
    ("template_parameter_list", Class::PARAMETERS),
    ("lambda_expression", Class::EXPRESSION),
    ("raw_string_literal", Class::STRING),
    ("for_range_loop", Class::CONTROL),
    ("try_statement", Class::CONTROL),
    ("access_specifier", Class::MODIFIER),
    ("virtual_specifier", Class::MODIFIER),
    ("explicit_function_specifier", Class::MODIFIER),
    ("noexcept", Class::MODIFIER),
    ("ref_qualifier", Class::MODIFIER),
];

/// Those of C and its own.
static CLASSES: [(&str, Class); super::c::CLASSES.len() + OWN.len()] = super::joined(super::c::CLASSES, &OWN);

const SHORTEST: &[(&str, &[&str])] = &[
    ("compound_statement", &["{}"]),
    ("statement", &[";"]),
    ("string_literal", &["\"\""]),
    ("expression", &["0", "1", "{}"]),
    ("comma_expression", &["0"]),
    ("initializer_list", &["{}"]),
    ("field_declaration_list", &["{}"]),
    ("declaration_list", &["{}"]),
    ("primitive_type", &["int"]),
    ("sized_type_specifier", &["int"]),
    ("type_specifier", &["int", "auto"]),
    ("type_descriptor", &["int"]),
    ("argument_list", &["()"]),
    ("parameter_list", &["()"]),
    ("template_argument_list", &["<>"]),
    ("template_parameter_list", &["<>"]),
];

/// What has no fields, and of which all is needed.
const ROLES: &[(&str, &str, &str, Role)] =
    &[("field_initializer", "", "", Role::Mandatory), ("field_declaration_list", "", "access_specifier", Role::Item)];
