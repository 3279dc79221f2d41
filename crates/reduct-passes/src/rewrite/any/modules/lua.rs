//! Lua: `local m = require("m")`, whose file returns the table of the module.

use super::paths::joined;
use super::{Files, LONGEST, Load};
use std::ops::Range;

pub(super) fn loaded(files: &Files, of: usize) -> Vec<usize> {
    statements(files, of).into_iter().map(|statement| statement.file).collect()
}

pub(super) fn loads(files: &Files, of: usize) -> Vec<Load> {
    statements(files, of).iter().filter_map(|statement| load(files, statement)).collect()
}

/// A statement that loads a file.
struct Statement<'a> {
    at: Range<u32>,
    /// The variable that it declares.
    name: Option<&'a str>,
    file: usize,
}

fn statements<'a>(files: &'a Files, of: usize) -> Vec<Statement<'a>> {
    let tree = files.all[of].tree;
    let mut found: Vec<Statement> = vec![];
    for at in 1..tree.len() {
        // A statement may be all of another node.
        if found.last().is_none_or(|last| last.at.end <= tree.range(at).start) {
            found.extend(statement(files, of, at));
        }
    }
    found
}

fn statement<'a>(files: &'a Files, of: usize, at: usize) -> Option<Statement<'a>> {
    let tree = files.all[of].tree;
    let is_short = tree.is_named(at) && tree.range(at).len() < LONGEST;
    if !is_short || !files.begins_statement(of, tree.range(at).start) {
        return None;
    }
    let text = files.node(of, at).trim_end_matches(';').trim_end();
    let (name, call) = match text.strip_prefix("local ").and_then(|text| text.split_once('=')) {
        Some((name, call)) => (Some(name.trim()), call.trim()),
        None => (None, text),
    };
    let (word, argument) = call.split_at_checked(call.find(['(', '"', '\'', ' '])?)?;
    let named = argument.trim_matches(['(', ')', '"', '\'', ' ']);
    let is_call =
        matches!(word, "require" | "dofile") && !named.is_empty() && !named.contains(['(', ')', '"', '\'', '\n']);
    if !is_call {
        return None;
    }
    let path = if word == "require" { named.replace('.', "/") } else { named.to_owned() };
    let paths = files.folder(of).ancestors().filter_map(|folder| joined(folder, &path)).flat_map(|path| {
        let shown = path.display().to_string();
        [path, format!("{shown}.lua").into(), format!("{shown}/init.lua").into()]
    });
    Some(Statement { at: tree.range(at), name, file: files.first(paths)? })
}

fn load(files: &Files, statement: &Statement) -> Option<Load> {
    let &Statement { name, file, .. } = statement;
    if !files.is_loaded_once[file] {
        return None;
    }
    let changes = match (returned(files, file), name) {
        (Some((at, value)), Some(name)) if value == name => vec![(at, String::new())],
        (Some((at, value)), Some(name)) => vec![(at, format!("local {name} = {value}"))],
        (Some((at, _)), None) => vec![(at, String::new())],
        (None, Some(_)) => return None,
        (None, None) => vec![],
    };
    Some(Load { at: statement.at.clone(), file, text: files.with(file, changes)?, others: vec![] })
}

/// Returns the statement at the end of a file that returns something, and what.
fn returned<'a>(files: &'a Files, file: usize) -> Option<(Range<u32>, &'a str)> {
    let tree = files.all[file].tree;
    let last = tree.children(0).filter(|at| tree.is_named(*at)).last()?;
    let value = files.node(file, last).strip_prefix("return")?;
    let value = value.trim().trim_end_matches(';');
    (!value.is_empty()).then(|| (tree.range(last), value))
}
