//! Ruby.

use super::Language;
use reduct_input::Class;

pub(super) static LANGUAGE: Language = Language {
    extensions: &["rb", "rake", "gemspec", "ru"],
    interpreters: &["ruby", "jruby"],
    classes: CLASSES,
    shortest: SHORTEST,
    ..Language::new("ruby", tree_sitter_ruby::LANGUAGE, tree_sitter_ruby::NODE_TYPES)
};

const CLASSES: &[(&str, Class)] = &[
    ("constant", Class::NAME),
    ("_nonlocal_variable", Class::NAME),
    ("_arg", Class::EXPRESSION),
    ("method", Class(Class::DEFINITION.0 | Class::FUNCTION.0)),
    ("singleton_method", Class(Class::DEFINITION.0 | Class::FUNCTION.0)),
    ("class", Class(Class::DEFINITION.0 | Class::AGGREGATE.0)),
    ("singleton_class", Class(Class::DEFINITION.0 | Class::AGGREGATE.0)),
    ("module", Class(Class::DEFINITION.0 | Class::AGGREGATE.0)),
    ("assignment", Class::DEFINITION),
    ("method_parameters", Class::PARAMETERS),
    ("block_parameters", Class::PARAMETERS),
    ("call", Class::CALL),
    ("chained_string", Class::STRING),
    ("body_statement", Class::BLOCK),
    ("do_block", Class::BLOCK),
    ("then", Class::BLOCK),
    ("do", Class::BLOCK),
    ("if", Class::CONTROL),
    ("unless", Class::CONTROL),
    ("while", Class::CONTROL),
    ("until", Class::CONTROL),
    ("for", Class::CONTROL),
    ("case", Class::CONTROL),
    ("begin", Class::CONTROL),
];

const SHORTEST: &[(&str, &[&str])] = &[
    ("body_statement", &["0"]),
    ("string", &["''"]),
    ("_statement", &["0", "nil"]),
    ("argument_list", &["()"]),
    ("block", &["{}"]),
    ("do_block", &["{}"]),
];
