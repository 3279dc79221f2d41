//! XML, SVG among it.

use super::{Language, tags};
use reduct_input::{Class, Role};

pub(super) static LANGUAGE: Language = Language {
    extensions: &["xml", "svg", "xsd", "xsl", "xslt", "rng", "plist", "xlf", "rss", "atom", "gpx", "kml"],
    beginnings: &["<?xml", "<svg"],
    classes: CLASSES,
    shortest: SHORTEST,
    is_beyond: tags::is_beyond_xml,
    roles: ROLES,
    ..Language::new("xml", tree_sitter_xml::LANGUAGE_XML, tree_sitter_xml::XML_NODE_TYPES)
};

const CLASSES: &[(&str, Class)] = &[
    ("Comment", Class::COMMENT),
    ("Name", Class::NAME),
    ("AttValue", Class::STRING),
    ("EntityValue", Class::STRING),
    ("CharData", Class::TEXT),
    ("CData", Class::TEXT),
    ("element", Class::STATEMENT),
    ("Attribute", Class::MODIFIER),
    ("XMLDecl", Class::MODIFIER),
    ("_markupdecl", Class::DEFINITION),
];

const SHORTEST: &[(&str, &[&str])] = &[("AttValue", &["\"\""]), ("EntityValue", &["\"\""]), ("element", &["<a/>"])];

/// The grammar puts what is in an element into a node of its own, which is where nothing may be.
const ROLES: &[(&str, &str, &str, Role)] = &[
    ("Attribute", "", "", Role::Mandatory),
    ("STag", "", "Name", Role::Mandatory),
    ("ETag", "", "Name", Role::Mandatory),
    ("EmptyElemTag", "", "Name", Role::Mandatory),
    ("element", "", "STag", Role::Mandatory),
    ("element", "", "ETag", Role::Mandatory),
    ("element", "", "EmptyElemTag", Role::Mandatory),
    ("CDSect", "", "CDStart", Role::Mandatory),
    ("XMLDecl", "", "VersionNum", Role::Mandatory),
    ("STag", "", "", Role::Item),
    ("EmptyElemTag", "", "", Role::Item),
    ("content", "", "", Role::Item),
];
