//! YAML.

use super::Language;
use reduct_input::{Class, Role};

pub(super) static LANGUAGE: Language = Language {
    extensions: &["yaml", "yml"],
    beginnings: &["%YAML", "---"],
    classes: CLASSES,
    shortest: SHORTEST,
    roles: ROLES,
    is_beyond,
    ..Language::new("yaml", tree_sitter_yaml::LANGUAGE, tree_sitter_yaml::NODE_TYPES)
};

const CLASSES: &[(&str, Class)] = &[
    ("anchor_name", Class::NAME),
    ("alias_name", Class::NAME),
    ("integer_scalar", Class::NUMBER),
    ("float_scalar", Class::NUMBER),
    ("double_quote_scalar", Class::STRING),
    ("single_quote_scalar", Class::STRING),
    ("block_scalar", Class::STRING),
    ("string_scalar", Class::TEXT),
    ("flow_node", Class::EXPRESSION),
    ("block_node", Class::EXPRESSION),
    ("block_mapping_pair", Class::DEFINITION),
    ("flow_pair", Class::DEFINITION),
    ("block_mapping", Class::BLOCK),
    ("block_sequence", Class::BLOCK),
    ("tag", Class::MODIFIER),
    ("anchor", Class::MODIFIER),
];

const SHORTEST: &[(&str, &[&str])] = &[
    ("flow_mapping", &["{}"]),
    ("flow_sequence", &["[]"]),
    ("block_node", &["{}", "[]", "0"]),
    ("flow_node", &["0", "{}", "[]"]),
];

/// A key without a value keeps its sign.
const ROLES: &[(&str, &str, &str, Role)] =
    &[("block_mapping_pair", "value", "", Role::Item), ("flow_pair", "value", "", Role::Item)];

/// More blocks within each other than this are not read. The scanner of the grammar keeps up to two entries of four bytes
/// for each, in a buffer of 1,024 bytes that it writes past, whereupon tree-sitter ends the program.
const DEEPEST: usize = 120;

/// Returns whether blocks may stand within each other so deep that the scanner fails. A block begins at a column that is
/// greater than those of the blocks around it, with a sign of YAML or the first word of a line: all of these are taken for
/// blocks, also where they are none.
fn is_beyond(text: &[u8]) -> bool {
    let mut columns: Vec<usize> = vec![];
    for line in text.split(|byte| matches!(byte, b'\n' | b'\r')) {
        let Some(indent) = line.iter().position(|byte| !matches!(byte, b' ' | b'\t')) else { continue };
        columns.truncate(columns.partition_point(|column| *column < indent));
        columns.push(indent);
        let is_sign = |at: &usize| {
            b"-?:|>".contains(&line[*at]) && line.get(at + 1).is_none_or(|next| matches!(next, b' ' | b'\t'))
        };
        // After a sign, the next block may begin.
        columns.extend((indent..line.len()).filter(is_sign).map(|at| at + 1));
        if columns.len() > DEEPEST {
            return true;
        }
    }
    false
}
