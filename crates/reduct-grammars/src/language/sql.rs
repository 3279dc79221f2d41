//! SQL, of many dialects.

mod dialects;

use super::Language;
use reduct_input::{Class, Role};

pub(super) static LANGUAGE: Language = Language {
    extensions: &["sql", "ddl", "psql"],
    classes: CLASSES,
    shortest: SHORTEST,
    roles: ROLES,
    // The words of the language are rules of this grammar.
    words: &["keyword_"],
    unknown: dialects::unknown,
    read_as: dialects::read_as,
    ..Language::new("sql", tree_sitter_sequel::LANGUAGE, tree_sitter_sequel::NODE_TYPES)
};

const CLASSES: &[(&str, Class)] = &[
    ("marginalia", Class::COMMENT),
    // One kind for strings, numbers and words such as TRUE.
    ("literal", Class(Class::EXPRESSION.0 | Class::NUMBER.0 | Class::STRING.0)),
    ("field", Class::EXPRESSION),
    ("binary_expression", Class::EXPRESSION),
    ("unary_expression", Class::EXPRESSION),
    ("parenthesized_expression", Class::EXPRESSION),
    ("between_expression", Class::EXPRESSION),
    ("case", Class::EXPRESSION),
    ("cast", Class::EXPRESSION),
    ("exists", Class::EXPRESSION),
    ("subquery", Class::EXPRESSION),
    ("window_function", Class::EXPRESSION),
    ("invocation", Class(Class::CALL.0 | Class::EXPRESSION.0)),
    ("list", Class::ARGUMENTS),
    ("create_table", Class::DEFINITION),
    ("create_view", Class::DEFINITION),
    ("create_index", Class::DEFINITION),
    ("create_trigger", Class::DEFINITION),
    ("create_function", Class(Class::DEFINITION.0 | Class::FUNCTION.0)),
    ("column_definition", Class::DEFINITION),
    ("cte", Class::DEFINITION),
    ("column_definitions", Class::BLOCK),
    ("constraint", Class::MODIFIER),
    ("table_option", Class::MODIFIER),
];

const SHORTEST: &[(&str, &[&str])] = &[
    ("literal", &["0", "''"]),
    ("field", &["0"]),
    ("binary_expression", &["0"]),
    ("unary_expression", &["0"]),
    ("parenthesized_expression", &["0"]),
    ("between_expression", &["0"]),
    ("case", &["0"]),
    ("cast", &["0"]),
    ("exists", &["0"]),
    ("invocation", &["0"]),
    ("window_function", &["0"]),
    ("subquery", &["0", "(SELECT 0)"]),
    ("select_expression", &["0", "*"]),
    ("statement", &["SELECT 0"]),
];

/// What has a name may be all there is.
const ROLES: &[(&str, &str, &str, Role)] = &[
    ("field", "", "object_reference", Role::Optional),
    ("term", "", "field", Role::Mandatory),
    ("field", "name", "", Role::Mandatory),
    ("select_expression", "", "", Role::ItemOfMany),
    ("statement", "", "select", Role::Mandatory),
    ("statement", "", "create_*", Role::Mandatory),
    ("statement", "", "drop_*", Role::Mandatory),
    ("statement", "", "alter_*", Role::Mandatory),
    ("statement", "", "insert", Role::Mandatory),
    ("statement", "", "update", Role::Mandatory),
    ("statement", "", "delete", Role::Mandatory),
    ("create_*", "", "object_reference", Role::Mandatory),
    ("create_index", "", "", Role::Mandatory),
    ("create_table", "", "column_definitions", Role::Mandatory),
    ("cte", "", "", Role::Mandatory),
    ("from", "", "object_reference", Role::Mandatory),
    ("update", "", "relation", Role::Mandatory),
    ("column", "name", "", Role::Mandatory),
    ("column_definition", "name", "", Role::Mandatory),
    ("column_definition", "type", "", Role::Mandatory),
    ("relation", "", "object_reference", Role::Mandatory),
    ("object_reference", "name", "", Role::Mandatory),
    ("list", "", "", Role::Item),
];
