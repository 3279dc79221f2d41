//! GLSL, the language of shaders, which is much like C.

use super::Language;
use super::c::{CLASSES, SHORTEST, SIGNS};
use reduct_input::Role;

pub(super) static LANGUAGE: Language = Language {
    extensions: &["glsl", "vert", "frag", "geom", "comp", "tesc", "tese"],
    classes: CLASSES,
    shortest: SHORTEST,
    roles: &[("declaration", "type", "", Role::Mandatory)],
    signs: SIGNS,
    ..Language::new("glsl", tree_sitter_glsl::LANGUAGE_GLSL, tree_sitter_glsl::NODE_TYPES)
};
