//! Shell scripts.

use super::Language;
use reduct_input::Class;

pub(super) static LANGUAGE: Language = Language {
    nicknames: &["shell"],
    extensions: &["sh", "bash", "zsh", "ksh", "ebuild", "bats"],
    interpreters: &["sh", "bash", "dash", "ksh", "zsh"],
    classes: CLASSES,
    shortest: SHORTEST,
    ..Language::new("bash", tree_sitter_bash::LANGUAGE, tree_sitter_bash::NODE_TYPES)
};

const CLASSES: &[(&str, Class)] = &[
    ("variable_name", Class::NAME),
    ("special_variable_name", Class::NAME),
    ("raw_string", Class::STRING),
    ("ansi_c_string", Class::STRING),
    ("command", Class::CALL),
    ("function_definition", Class(Class::DEFINITION.0 | Class::FUNCTION.0)),
    ("variable_assignment", Class::DEFINITION),
    ("declaration_command", Class::DEFINITION),
    ("compound_statement", Class::BLOCK),
    ("do_group", Class::BLOCK),
    ("subshell", Class::BLOCK),
    ("file_redirect", Class::MODIFIER),
    ("heredoc_redirect", Class::MODIFIER),
    ("if_statement", Class::CONTROL),
    ("case_statement", Class::CONTROL),
    ("for_statement", Class::CONTROL),
    ("c_style_for_statement", Class::CONTROL),
    ("while_statement", Class::CONTROL),
];

const SHORTEST: &[(&str, &[&str])] =
    &[("compound_statement", &["{ :;}"]), ("_statement", &[":"]), ("string", &["''"]), ("_expression", &["0", "''"])];
