//! JavaScript and TypeScript: `const a = require('./a')`, `require('./a').f()` and `import {f} from './a'`.

mod exports;

use super::paths::{joined, moved};
use super::{Files, Load};
use exports::Exports;
use std::ops::Range;
use std::path::{Path, PathBuf};

/// How a module is known where it is loaded.
enum Known<'a> {
    /// Not at all.
    Not,
    /// Its value has a name: `const a = require('./a')`, `import a from './a'`.
    Value(&'a str),
    /// What it exports is in something of this name: `import * as a`.
    Members(&'a str),
    /// Some of what it exports has a name: its own, and the one here.
    Names(Vec<(&'a str, &'a str)>),
}

pub(super) fn loaded(files: &Files, of: usize) -> Vec<usize> {
    let tree = files.all[of].tree;
    let found = (1..tree.len()).filter_map(|at| match tree.kind(at) {
        "call_expression" => required_file(files, of, at),
        "import_statement" | "export_statement" => named_file(files, of, files.node(of, tree.child(at, "source")?)),
        _ => None,
    });
    found.collect()
}

pub(super) fn loads(files: &Files, of: usize) -> Vec<Load> {
    let tree = files.all[of].tree;
    let found = (1..tree.len()).filter_map(|at| match tree.kind(at) {
        "call_expression" => required(files, of, at),
        "import_statement" => imported(files, of, at),
        _ => None,
    });
    found.collect()
}

/// Returns the load of `require(...)`.
fn required(files: &Files, of: usize, call: usize) -> Option<Load> {
    let tree = files.all[of].tree;
    let file = required_file(files, of, call)?;
    // `require('./a').b` is `b` of what it exports.
    let outer = tree.parent(call)?;
    let member = tree.child(outer, "property").filter(|_| tree.child(outer, "object") == Some(call));
    let value = if member.is_some() { outer } else { call };
    let holder = tree.parent(value)?;
    if tree.kind(holder) == "variable_declarator" {
        let declaration = tree.parent(holder)?;
        let is_only = tree.children(declaration).filter(|at| tree.kind(*at) == "variable_declarator").count() == 1;
        let name = tree.child(holder, "name")?;
        let known = match (tree.kind(name), member) {
            ("identifier", None) => Known::Value(files.node(of, name)),
            ("identifier", Some(member)) => Known::Names(vec![(files.node(of, member), files.node(of, name))]),
            ("object_pattern", None) => Known::Names(pattern(files, of, name)?),
            _ => return None,
        };
        return is_only.then(|| load(files, of, tree.range(declaration), file, known))?;
    }
    if tree.kind(value) == "call_expression" && tree.kind(holder) == "expression_statement" {
        return load(files, of, tree.range(holder), file, Known::Not);
    }
    at_its_place(files, of, call, file, member.filter(|_| value == outer))
}

/// Returns the load where what is exported is used at once: `require('./a').b()`, or in the midst of an expression.
fn at_its_place(files: &Files, of: usize, call: usize, file: usize, member: Option<usize>) -> Option<Load> {
    let tree = files.all[of].tree;
    let call_at = tree.range(call);
    let mut around = std::iter::successors(Some(call), |at| tree.parent(*at));
    let statement = around.find(|at| tree.kind(*at) == "expression_statement");
    let begins = statement.is_some_and(|at| tree.range(at).start == call_at.start);
    if let Some(member) = member.filter(|_| begins) {
        let mut load = load(files, of, call_at.start..tree.range(member).start, file, Known::Not)?;
        load.text.push(b'\n');
        return Some(load);
    }
    let text = files.is_loaded_once[file].then(|| exports::expression(files, file))??;
    Some(Load { at: call_at, file, text, others: vec![] })
}

/// Returns the load of `import ... from ...`.
fn imported(files: &Files, of: usize, statement: usize) -> Option<Load> {
    let tree = files.all[of].tree;
    let file = named_file(files, of, files.node(of, tree.child(statement, "source")?))?;
    let clause = tree.children(statement).find(|at| tree.kind(*at) == "import_clause");
    let Some(clause) = clause else { return load(files, of, tree.range(statement), file, Known::Not) };
    let mut parts = tree.children(clause).filter(|at| tree.is_named(*at));
    let (part, None) = (parts.next()?, parts.next()) else { return None };
    let known = match tree.kind(part) {
        "identifier" => Known::Value(files.node(of, part)),
        "namespace_import" => {
            Known::Members(files.node(of, tree.children(part).find(|at| tree.kind(*at) == "identifier")?))
        }
        _ => {
            let specifiers = tree.children(part).filter(|at| tree.kind(*at) == "import_specifier");
            let names = specifiers.map(|at| {
                let name = files.node(of, tree.child(at, "name")?);
                Some((name, tree.child(at, "alias").map_or(name, |alias| files.node(of, alias))))
            });
            Known::Names(names.collect::<Option<_>>()?)
        }
    };
    load(files, of, tree.range(statement), file, known)
}

/// Returns the names of `{a, b: c}`, each as it is in the object and as it is then.
fn pattern<'a>(files: &'a Files, of: usize, at: usize) -> Option<Vec<(&'a str, &'a str)>> {
    let tree = files.all[of].tree;
    let names = tree.children(at).filter(|child| tree.is_named(*child)).map(|child| match tree.kind(child) {
        "shorthand_property_identifier_pattern" => Some((files.node(of, child), files.node(of, child))),
        "pair_pattern" => {
            let (key, value) = (tree.child(child, "key")?, tree.child(child, "value")?);
            (tree.kind(value) == "identifier").then(|| (files.node(of, key), files.node(of, value)))
        }
        _ => None,
    });
    names.collect()
}

fn load(files: &Files, of: usize, at: Range<u32>, file: usize, known: Known) -> Option<Load> {
    if !files.is_loaded_once[file] {
        return None;
    }
    let exports = Exports::of(files, file);
    let (from, to) = (files.folder(file), files.folder(of));
    let mut changes = if from == to { vec![] } else { paths(files, file, of) };
    let mut others = vec![];
    let mut names: Vec<(&str, &str)> = vec![];
    match known {
        Known::Value(name) if exports.value.is_some() => changes.extend(exports.named_value(files, file, name)),
        Known::Value(name) | Known::Members(name) => others = files.unqualified(of, "member_expression", name),
        Known::Names(given) => names = given,
        Known::Not => {}
    }
    changes.extend(exports.gone);
    let mut text = files.with(file, changes)?;
    for (name, other) in names.into_iter().filter(|(name, other)| name != other) {
        text.extend(format!("\nlet {other}={name}").bytes());
    }
    Some(Load { at, file, text, others })
}

/// Returns the paths in a file as they are named from the folder of another one.
fn paths(files: &Files, file: usize, of: usize) -> Vec<(Range<u32>, String)> {
    let tree = files.all[file].tree;
    let strings = (1..tree.len()).filter(|at| tree.kind(*at) == "string");
    let path = |at: usize| {
        let text = files.node(file, at);
        let named = text.trim_matches(['\'', '"']);
        let is_path = named.starts_with('.') && named_file(files, file, text).is_some();
        let path = is_path.then(|| moved(named, files.folder(file), files.folder(of)))??;
        let path = if path.starts_with("..") { path } else { format!("./{path}") };
        Some((tree.range(at), format!("'{path}'")))
    };
    strings.filter_map(path).collect()
}

/// Returns the file that a call loads.
fn required_file(files: &Files, of: usize, call: usize) -> Option<usize> {
    let tree = files.all[of].tree;
    let is_require = files.subject.text(tree.range(tree.child(call, "function")?)) == b"require";
    let arguments = is_require.then(|| tree.child(call, "arguments"))??;
    let mut values = tree.children(arguments).filter(|at| tree.is_named(*at));
    let (value, None) = (values.next()?, values.next()) else { return None };
    named_file(files, of, files.node(of, value))
}

/// Returns the file that a string names.
fn named_file(files: &Files, of: usize, string: &str) -> Option<usize> {
    let named = string.trim_matches(['\'', '"', '`']);
    let path = named.starts_with('.').then(|| joined(files.folder(of), named))??;
    let path = main_of(files, &path).unwrap_or(path);
    let shown = path.display().to_string();
    let ends = ["", ".js", ".ts", ".tsx", ".jsx", ".mjs", ".cjs", "/index.js", "/index.ts"];
    let stem = shown.strip_suffix(".js").map(|stem| PathBuf::from(format!("{stem}.ts")));
    files.first(ends.iter().map(|end| PathBuf::from(format!("{shown}{end}"))).chain(stem))
}

/// Returns the file that the package in a folder begins with, if it says so.
fn main_of(files: &Files, folder: &Path) -> Option<PathBuf> {
    let package = files.first([folder.join("package.json")])?;
    let tree = files.all[package].tree;
    let object = tree.children(0).find(|at| tree.is_named(*at))?;
    let mut pairs = tree.children(object).filter(|at| tree.kind(*at) == "pair");
    let main = pairs.find_map(|at| {
        let part = |field| tree.child(at, field).map(|child| files.node(package, child).trim_matches('"'));
        (part("key")? == "main").then(|| part("value"))?
    });
    joined(folder, main?)
}
