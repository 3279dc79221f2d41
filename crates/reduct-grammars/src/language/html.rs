//! HTML. Attributes, elements and texts are items.

use super::Language;
use reduct_circumstances::Class;

pub(super) static LANGUAGE: Language = Language {
    extensions: &["html", "htm", "xhtml"],
    beginnings: &["<!doctype html", "<html", "<head", "<body"],
    classes: CLASSES,
    shortest: SHORTEST,
    ..Language::new("html", tree_sitter_html::LANGUAGE, tree_sitter_html::NODE_TYPES)
};

const CLASSES: &[(&str, Class)] = &[
    ("tag_name", Class::NAME),
    ("attribute_name", Class::NAME),
    ("quoted_attribute_value", Class::STRING),
    ("element", Class::STATEMENT),
    ("script_element", Class::STATEMENT),
    ("style_element", Class::STATEMENT),
    ("attribute", Class::MODIFIER),
];

const SHORTEST: &[(&str, &[&str])] =
    &[("element", &["<p>"]), ("attribute_value", &["0"]), ("quoted_attribute_value", &["\"\"", "0"])];
