//! TypeScript, and TypeScript with JSX, which are two grammars.

use super::Language;
use super::javascript::{CLASSES as JAVASCRIPT_CLASSES, SHORTEST as JAVASCRIPT_SHORTEST};
use reduct_input::{Class, Role};

pub(super) static TYPESCRIPT: Language = Language {
    extensions: &["ts", "mts", "cts"],
    classes: &CLASSES,
    shortest: &SHORTEST,
    roles: ROLES,
    ..Language::new(
        "typescript",
        tree_sitter_typescript::LANGUAGE_TYPESCRIPT,
        tree_sitter_typescript::TYPESCRIPT_NODE_TYPES,
    )
};

pub(super) static TSX: Language = Language {
    extensions: &["tsx"],
    classes: &CLASSES,
    shortest: &SHORTEST,
    roles: ROLES,
    ..Language::new("tsx", tree_sitter_typescript::LANGUAGE_TSX, tree_sitter_typescript::TSX_NODE_TYPES)
};

const OWN_CLASSES: [(&str, Class); 16] = [
    ("required_parameter", Class::DEFINITION),
    ("optional_parameter", Class::DEFINITION),
    ("type_parameter", Class::DEFINITION),
    ("property_signature", Class::DEFINITION),
    ("method_signature", Class::DEFINITION),
    ("public_field_definition", Class::DEFINITION),
    ("enum_assignment", Class::DEFINITION),
    ("abstract_class_declaration", Class::AGGREGATE),
    ("interface_declaration", Class::AGGREGATE),
    ("enum_declaration", Class::AGGREGATE),
    ("internal_module", Class::AGGREGATE),
    ("type_alias_declaration", Class::ALIAS),
    ("type_parameters", Class::PARAMETERS),
    ("interface_body", Class::BLOCK),
    ("accessibility_modifier", Class::MODIFIER),
    ("override_modifier", Class::MODIFIER),
];

static CLASSES: [(&str, Class); JAVASCRIPT_CLASSES.len() + OWN_CLASSES.len()] =
    super::joined(JAVASCRIPT_CLASSES, &OWN_CLASSES);

const OWN_SHORTEST: [(&str, &[&str]); 5] = [
    ("object_type", &["{}"]),
    ("type", &["{}", "any", "0"]),
    ("primary_type", &["{}", "any"]),
    ("interface_body", &["{}"]),
    ("enum_body", &["{}"]),
];

static SHORTEST: [(&str, &[&str]); JAVASCRIPT_SHORTEST.len() + OWN_SHORTEST.len()] =
    super::joined(JAVASCRIPT_SHORTEST, &OWN_SHORTEST);

/// The ones of JavaScript, and what a parameter without would be.
const ROLES: &[(&str, &str, &str, Role)] = &[
    ("jsx_attribute", "", "property_identifier", Role::Mandatory),
    ("jsx_attribute", "", "jsx_namespace_name", Role::Mandatory),
    ("required_parameter", "pattern", "", Role::Mandatory),
    ("optional_parameter", "pattern", "", Role::Mandatory),
];
