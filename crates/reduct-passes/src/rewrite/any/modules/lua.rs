//! Lua: `local m = require("m")`, whose file returns the table of the module.

use super::paths::joined;
use super::{Files, Load};
use std::ops::Range;

pub(super) fn loads(files: &Files, of: usize) -> Vec<Load> {
    let tree = files.all[of].tree;
    let mut found: Vec<Load> = vec![];
    for at in 1..tree.len() {
        // A statement may be all of another node.
        if found.last().is_none_or(|last| last.at.end <= tree.range(at).start) {
            found.extend(load(files, of, at));
        }
    }
    found
}

fn load(files: &Files, of: usize, at: usize) -> Option<Load> {
    let tree = files.all[of].tree;
    let is_statement = tree.is_named(at) && files.begins_statement(of, tree.range(at).start);
    let text = files.node(of, at).trim_end_matches(';').trim_end();
    let (name, call) = match text.strip_prefix("local ").and_then(|text| text.split_once('=')) {
        Some((name, call)) => (Some(name.trim()), call.trim()),
        None => (None, text),
    };
    let (word, argument) = call.split_at_checked(call.find(['(', '"', '\'', ' '])?)?;
    let named = argument.trim_matches(['(', ')', '"', '\'', ' ']);
    let is_call =
        matches!(word, "require" | "dofile") && !named.is_empty() && !named.contains(['(', ')', '"', '\'', '\n']);
    if !is_statement || !is_call {
        return None;
    }
    let path = if word == "require" { named.replace('.', "/") } else { named.to_owned() };
    let paths = files.folder(of).ancestors().filter_map(|folder| joined(folder, &path)).flat_map(|path| {
        let shown = path.display().to_string();
        [path, format!("{shown}.lua").into(), format!("{shown}/init.lua").into()]
    });
    let file = files.first(paths)?;
    let changes = match (returned(files, file), name) {
        (Some((at, value)), Some(name)) if value == name => vec![(at, String::new())],
        (Some((at, value)), Some(name)) => vec![(at, format!("local {name} = {value}"))],
        (Some((at, _)), None) => vec![(at, String::new())],
        (None, Some(_)) => return None,
        (None, None) => vec![],
    };
    Some(Load { at: tree.range(at), file, text: files.with(file, changes)?, others: vec![] })
}

/// Returns the statement at the end of a file that returns something, and what.
fn returned<'a>(files: &'a Files, file: usize) -> Option<(Range<u32>, &'a str)> {
    let tree = files.all[file].tree;
    let last = tree.children(0).filter(|at| tree.is_named(*at)).last()?;
    let value = files.node(file, last).strip_prefix("return")?;
    let value = value.trim().trim_end_matches(';');
    (!value.is_empty()).then(|| (tree.range(last), value))
}
