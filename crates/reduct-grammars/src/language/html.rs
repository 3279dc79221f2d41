//! HTML. Attributes, elements and texts are items.

use super::{Language, tags};
use reduct_input::{Class, Role};

pub(super) static LANGUAGE: Language = Language {
    extensions: &["html", "htm", "xhtml"],
    beginnings: &["<!doctype html", "<html", "<head", "<body"],
    classes: CLASSES,
    shortest: SHORTEST,
    is_beyond: tags::is_beyond_html,
    lenient: true,
    wrong: &["erroneous_end_tag"],
    roles: ROLES,
    ..Language::new("html", tree_sitter_html::LANGUAGE, tree_sitter_html::NODE_TYPES)
};

const CLASSES: &[(&str, Class)] = &[
    ("tag_name", Class::NAME),
    ("attribute_name", Class::NAME),
    ("quoted_attribute_value", Class::STRING),
    ("attribute_value", Class::TEXT),
    ("text", Class::TEXT),
    ("element", Class::STATEMENT),
    ("script_element", Class::STATEMENT),
    ("style_element", Class::STATEMENT),
    ("attribute", Class::MODIFIER),
];

const SHORTEST: &[(&str, &[&str])] =
    &[("element", &["<p>"]), ("attribute_value", &["0"]), ("quoted_attribute_value", &["\"\"", "0"])];

/// Tags have names, attributes too, and elements what begins and ends them.
const ROLES: &[(&str, &str, &str, Role)] = &[
    ("attribute", "", "quoted_attribute_value", Role::Mandatory),
    ("attribute", "", "attribute_value", Role::Mandatory),
    ("start_tag", "", "tag_name", Role::Mandatory),
    ("start_tag", "", "", Role::Item),
    ("self_closing_tag", "", "tag_name", Role::Mandatory),
    ("self_closing_tag", "", "", Role::Item),
    ("attribute", "", "attribute_name", Role::Mandatory),
    ("element", "", "start_tag", Role::Mandatory),
    ("element", "", "self_closing_tag", Role::Mandatory),
    ("element", "", "end_tag", Role::Mandatory),
    ("element", "", "", Role::Item),
    ("script_element", "", "start_tag", Role::Mandatory),
    ("script_element", "", "end_tag", Role::Mandatory),
    ("style_element", "", "start_tag", Role::Mandatory),
    ("style_element", "", "end_tag", Role::Mandatory),
];
