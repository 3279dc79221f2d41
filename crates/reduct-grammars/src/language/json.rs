//! JSON.

use super::Language;
use reduct_input::Class;

pub(super) static LANGUAGE: Language = Language {
    extensions: &[
        "json",
        "jsonc",
        "geojson",
        "ipynb",
        "webmanifest",
        "jsonl",
        "ndjson",
        "gltf",
        "har",
        "sarif",
        "topojson",
    ],
    classes: CLASSES,
    shortest: SHORTEST,
    ..Language::new("json", tree_sitter_json::LANGUAGE, tree_sitter_json::NODE_TYPES)
};

const CLASSES: &[(&str, Class)] =
    &[("_value", Class::EXPRESSION), ("array", Class::BLOCK), ("object", Class::BLOCK), ("pair", Class::DEFINITION)];

const SHORTEST: &[(&str, &[&str])] =
    &[("array", &["[]"]), ("object", &["{}"]), ("string", &["\"\""]), ("_value", &["0", "[]", "{}", "\"\""])];
