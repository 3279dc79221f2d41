//! Go.

use super::Language;
use reduct_input::Class;

pub(super) static LANGUAGE: Language = Language {
    extensions: &["go"],
    classes: CLASSES,
    shortest: SHORTEST,
    ..Language::new("go", tree_sitter_go::LANGUAGE, tree_sitter_go::NODE_TYPES)
};

const CLASSES: &[(&str, Class)] = &[
    ("package_identifier", Class::NAME),
    ("label_name", Class::NAME),
    ("_simple_type", Class::TYPE),
    ("short_var_declaration", Class::DEFINITION),
    ("var_declaration", Class::DEFINITION),
    ("const_declaration", Class::DEFINITION),
    ("type_declaration", Class::DEFINITION),
    ("var_spec", Class::DEFINITION),
    ("const_spec", Class::DEFINITION),
    ("type_spec", Class::DEFINITION),
    ("type_alias", Class(Class::DEFINITION.0 | Class::ALIAS.0)),
    ("field_declaration", Class::DEFINITION),
    ("method_elem", Class::DEFINITION),
    ("parameter_declaration", Class::DEFINITION),
    ("function_declaration", Class(Class::DEFINITION.0 | Class::FUNCTION.0)),
    ("method_declaration", Class(Class::DEFINITION.0 | Class::FUNCTION.0)),
    ("struct_type", Class::AGGREGATE),
    ("interface_type", Class::AGGREGATE),
    ("import_declaration", Class::IMPORT),
    ("import_spec", Class::IMPORT),
    ("type_parameter_list", Class::PARAMETERS),
    ("call_expression", Class::CALL),
    ("int_literal", Class::NUMBER),
    ("interpreted_string_literal", Class::STRING),
    ("raw_string_literal", Class::STRING),
    ("rune_literal", Class::STRING),
    ("field_declaration_list", Class::BLOCK),
    ("literal_value", Class::EXPRESSION),
    ("if_statement", Class::CONTROL),
    ("for_statement", Class::CONTROL),
    ("expression_switch_statement", Class::CONTROL),
    ("type_switch_statement", Class::CONTROL),
    ("select_statement", Class::CONTROL),
];

const SHORTEST: &[(&str, &[&str])] = &[
    ("block", &["{}"]),
    ("literal_value", &["{}"]),
    ("field_declaration_list", &["{}"]),
    ("interpreted_string_literal", &["\"\""]),
    ("_expression", &["0", "nil", "\"\""]),
    ("_simple_type", &["int", "any"]),
    ("argument_list", &["()"]),
    ("parameter_list", &["()"]),
];
