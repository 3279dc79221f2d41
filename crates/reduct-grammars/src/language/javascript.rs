//! JavaScript, with JSX.

use super::Language;
use reduct_input::{Class, Role};

pub(super) static LANGUAGE: Language = Language {
    extensions: &["js", "jsx", "mjs", "cjs", "es6"],
    interpreters: &["node", "nodejs", "deno", "bun", "d", "js"],
    classes: CLASSES,
    shortest: SHORTEST,
    roles: ROLES,
    ..Language::new("javascript", tree_sitter_javascript::LANGUAGE, tree_sitter_javascript::NODE_TYPES)
};

/// TypeScript has these too.
pub(super) const CLASSES: &[(&str, Class)] = &[
    ("private_property_identifier", Class::NAME),
    ("shorthand_property_identifier", Class::NAME),
    ("shorthand_property_identifier_pattern", Class::NAME),
    ("statement_identifier", Class::NAME),
    ("declaration", Class(Class::STATEMENT.0 | Class::DEFINITION.0)),
    ("variable_declarator", Class::DEFINITION),
    ("function_declaration", Class::FUNCTION),
    ("generator_function_declaration", Class::FUNCTION),
    ("method_definition", Class(Class::DEFINITION.0 | Class::FUNCTION.0)),
    ("field_definition", Class::DEFINITION),
    ("class_declaration", Class::AGGREGATE),
    ("class", Class::AGGREGATE),
    ("sequence_expression", Class::EXPRESSION),
    ("call_expression", Class::CALL),
    ("new_expression", Class::CALL),
    ("template_string", Class::STRING),
    ("regex_pattern", Class::TEXT),
    ("jsx_text", Class::TEXT),
    ("statement_block", Class::BLOCK),
    ("class_body", Class::BLOCK),
    ("switch_body", Class::BLOCK),
    ("import_statement", Class::IMPORT),
    ("export_statement", Class::DEFINITION),
    ("decorator", Class::MODIFIER),
    ("if_statement", Class::CONTROL),
    ("for_statement", Class::CONTROL),
    ("for_in_statement", Class::CONTROL),
    ("while_statement", Class::CONTROL),
    ("do_statement", Class::CONTROL),
    ("switch_statement", Class::CONTROL),
    ("try_statement", Class::CONTROL),
    ("with_statement", Class::CONTROL),
];

/// TypeScript has these too.
pub(super) const SHORTEST: &[(&str, &[&str])] = &[
    ("statement_block", &["{}"]),
    ("class_body", &["{}"]),
    ("statement", &[";"]),
    ("string", &["''"]),
    ("expression", &["0", "''", "{}"]),
    ("sequence_expression", &["0"]),
    ("arguments", &["()"]),
    ("formal_parameters", &["()"]),
];

/// What has no fields, and of which all is needed.
const ROLES: &[(&str, &str, &str, Role)] = &[
    ("jsx_attribute", "", "property_identifier", Role::Mandatory),
    ("jsx_attribute", "", "jsx_namespace_name", Role::Mandatory),
];
