//! Rows that do not stand side by side as plain lists: of tables of HTML and XML, and of lists and mappings of YAML.

use super::COLUMNS;
use reduct_input::names::EditDraft;
use reduct_input::{Edit, Subject, Tree};
use std::collections::BTreeMap;

/// The names of elements that are the values of a row.
const CELLS: &[&[u8]] = &[b"td", b"th", b"entry"];

/// The names of elements that hold all rows of a table.
const TABLES: &[&[u8]] = &[b"table", b"tgroup", b"informaltable"];

/// The kinds of mappings of YAML, and of what is in them.
const MAPPINGS: &[&str] = &["block_mapping", "flow_mapping"];
const PAIRS: &[&str] = &["block_mapping_pair", "flow_pair"];

/// The kinds of lists of YAML.
const SEQUENCES: &[&str] = &["block_sequence", "flow_sequence"];

/// Returns the edits that remove what stands at one place in all rows as long as each other of a table of HTML or XML.
pub(super) fn cells(subject: &Subject, number: usize) -> Vec<Edit> {
    let tree = &subject.trees()[number];
    if !matches!(tree.grammar.language, "html" | "xml") {
        return vec![];
    }
    let mut rows: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
    for cell in (1..tree.len()).filter(|at| CELLS.iter().any(|name| is_element(subject, tree, *at, name))) {
        rows.entry(tree.node(cell).parent as usize).or_default().push(cell);
    }
    let is_table = |at: &usize| TABLES.iter().any(|name| is_element(subject, tree, *at, name));
    let mut tables: BTreeMap<(usize, usize), Vec<Vec<usize>>> = BTreeMap::new();
    for (row, cells) in rows {
        let table = std::iter::successors(Some(row), |at| tree.parent(*at)).find(is_table).unwrap_or(0);
        tables.entry((table, cells.len())).or_default().push(cells);
    }
    let is_wanted = |((_, length), rows): &(_, Vec<_>)| (2..=COLUMNS).contains(length) && rows.len() > 1;
    let tables = tables.into_iter().filter(is_wanted);
    let of = |((_, length), rows): ((usize, usize), Vec<Vec<usize>>)| {
        let column = |place: usize| without(subject, number, rows.iter().map(|row| row[place]));
        (0..length).filter_map(column).collect::<Vec<Edit>>()
    };
    tables.flat_map(of).collect()
}

/// Returns whether a node is an element of this name, in small or capital letters.
fn is_element(subject: &Subject, tree: &Tree, at: usize, name: &[u8]) -> bool {
    if tree.kind(at) != "element" {
        return false;
    }
    let tag = tree.children(at).next().and_then(|tag| tree.children(tag).find(|child| tree.is_named(*child)));
    tag.is_some_and(|tag| subject.text(tree.range(tag)).eq_ignore_ascii_case(name))
}

/// Returns the text without these nodes.
fn without(subject: &Subject, number: usize, nodes: impl Iterator<Item = usize>) -> Option<Edit> {
    let mut change = EditDraft::new(subject, subject.names());
    nodes.for_each(|node| change.remove(number, node));
    change.edit()
}

/// Returns the edits that remove, in YAML, what stands at one place or under one key in all lists or mappings that stand side by side.
pub(super) fn nested(subject: &Subject, number: usize) -> Vec<Edit> {
    let tree = &subject.trees()[number];
    if tree.grammar.language != "yaml" {
        return vec![];
    }
    let is_outer = |at: &usize| SEQUENCES.contains(&tree.kind(*at)) || MAPPINGS.contains(&tree.kind(*at));
    let of = |at: usize| {
        let columns = side_by_side(subject, tree, at).into_values().filter(|nodes| nodes.len() > 1).take(COLUMNS);
        columns.filter_map(|nodes| without(subject, number, nodes.into_iter())).collect::<Vec<Edit>>()
    };
    (1..tree.len()).filter(is_outer).flat_map(of).collect()
}

/// Returns the parts of the lists or mappings in a list or mapping: by the length of the list and the place, or by the key.
fn side_by_side<'a>(subject: &'a Subject, tree: &Tree, at: usize) -> BTreeMap<(usize, &'a [u8]), Vec<usize>> {
    let mut found: BTreeMap<(usize, &[u8]), Vec<usize>> = BTreeMap::new();
    let named = |at: usize| tree.children(at).filter(|child| tree.is_named(*child));
    for part in named(at) {
        let value = if PAIRS.contains(&tree.kind(part)) { tree.child(part, "value") } else { Some(part) };
        let Some(row) = value.and_then(|value| innermost(tree, value)) else { continue };
        let is_mapping = MAPPINGS.contains(&tree.kind(row));
        let parts: Vec<usize> = named(row).collect();
        // What is all of its row goes with it.
        if !(2..=COLUMNS).contains(&parts.len()) {
            continue;
        }
        for (place, part) in parts.iter().enumerate() {
            let key = tree.child(*part, "key").filter(|_| is_mapping).map(|key| subject.text(tree.range(key)));
            if is_mapping && key.is_none() {
                continue;
            }
            let column = key.map_or((parts.len() * COLUMNS + place, &b""[..]), |key| (0, key));
            found.entry(column).or_default().push(*part);
        }
    }
    found
}

/// Returns the list or mapping that a node is nothing but.
fn innermost(tree: &Tree, at: usize) -> Option<usize> {
    let mut at = at;
    while !SEQUENCES.contains(&tree.kind(at)) && !MAPPINGS.contains(&tree.kind(at)) {
        let mut named = tree.children(at).filter(|child| tree.is_named(*child));
        at = named.next().filter(|_| named.next().is_none())?;
    }
    Some(at)
}
