//! Python.

use super::Language;
use reduct_input::{Class, Role};

pub(super) static LANGUAGE: Language = Language {
    extensions: &["py", "pyi", "pyw"],
    interpreters: &["python", "pypy"],
    classes: CLASSES,
    shortest: SHORTEST,
    roles: ROLES,
    ..Language::new("python", tree_sitter_python::LANGUAGE, tree_sitter_python::NODE_TYPES)
};

const CLASSES: &[(&str, Class)] = &[
    ("_simple_statement", Class::STATEMENT),
    ("_compound_statement", Class::STATEMENT),
    ("assignment", Class(Class::STATEMENT.0 | Class::DEFINITION.0)),
    ("function_definition", Class(Class::DEFINITION.0 | Class::FUNCTION.0)),
    ("class_definition", Class(Class::DEFINITION.0 | Class::AGGREGATE.0)),
    ("decorated_definition", Class::DEFINITION),
    ("default_parameter", Class::DEFINITION),
    ("typed_parameter", Class::DEFINITION),
    ("typed_default_parameter", Class::DEFINITION),
    ("type_alias_statement", Class(Class::DEFINITION.0 | Class::ALIAS.0)),
    ("lambda_parameters", Class::PARAMETERS),
    ("call", Class::CALL),
    ("import_statement", Class::IMPORT),
    ("import_from_statement", Class::IMPORT),
    ("future_import_statement", Class::IMPORT),
    ("decorator", Class::MODIFIER),
    ("concatenated_string", Class::STRING),
    ("if_statement", Class::CONTROL),
    ("for_statement", Class::CONTROL),
    ("while_statement", Class::CONTROL),
    ("try_statement", Class::CONTROL),
    ("with_statement", Class::CONTROL),
    ("match_statement", Class::CONTROL),
];

const SHORTEST: &[(&str, &[&str])] = &[
    ("block", &["0", "pass"]),
    ("_simple_statement", &["0", "pass"]),
    ("_compound_statement", &["0", "pass"]),
    ("string", &["''"]),
    ("expression", &["0", "''", "None"]),
    ("argument_list", &["()"]),
    ("parameters", &["()"]),
];

/// What is joined by operators and has no fields.
const ROLES: &[(&str, &str, &str, Role)] = &[
    ("string", "", "string_start", Role::Mandatory),
    ("string", "", "string_end", Role::Mandatory),
    ("comparison_operator", "", "", Role::Mandatory),
    ("conditional_expression", "", "", Role::Mandatory),
    ("dictionary_comprehension", "", "", Role::Item),
];
