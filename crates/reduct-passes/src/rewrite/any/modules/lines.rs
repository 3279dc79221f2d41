//! Statements that are all of a load: `#include "a.h"`, `require_relative 'a'`, `. ./a.sh`.

use super::paths::{joined, moved};
use super::{Files, Load};
use std::ops::Range;
use std::path::PathBuf;

/// How a language loads files by a statement of its own.
struct Style {
    language: &'static str,
    /// The words it begins with.
    words: &'static [&'static str],
    /// What may be left out at the end of a path.
    extension: &'static str,
    /// What stands at the beginning of each file, and goes.
    head: &'static str,
}

const STYLES: &[Style] = &[
    Style { language: "c", words: &["#include"], extension: "", head: "" },
    Style { language: "cpp", words: &["#include"], extension: "", head: "" },
    Style { language: "ruby", words: &["require_relative", "require", "load"], extension: "rb", head: "" },
    Style {
        language: "php",
        words: &["require", "require_once", "include", "include_once"],
        extension: "",
        head: "<?php",
    },
    Style { language: "bash", words: &["source", "."], extension: "", head: "" },
    Style { language: "css", words: &["@import"], extension: "", head: "" },
    Style { language: "solidity", words: &["import"], extension: "", head: "" },
];

/// What stands between the word and the path, and behind it.
const AROUND: &[char] = &['(', ')', '"', '\'', ';', ' ', '\t', '\n', '\r'];

/// A path in a statement.
struct Named<'a> {
    statement: Range<u32>,
    path: &'a str,
    /// The file, if it is one of the artifact's.
    file: Option<usize>,
}

pub(super) fn loads(files: &Files, of: usize) -> Vec<Load> {
    let tree = files.all[of].tree;
    let Some(style) = STYLES.iter().find(|style| style.language == tree.grammar.language) else { return vec![] };
    let named = named(files, of, style);
    named.into_iter().filter_map(|named| load(files, of, style, &named)).collect()
}

fn load(files: &Files, of: usize, style: &Style, named: &Named) -> Option<Load> {
    let file = named.file?;
    let (from, to) = (files.folder(file), files.folder(of));
    let mut changes: Vec<(Range<u32>, String)> = vec![];
    for other in self::named(files, file, style) {
        // A path that is searched elsewhere is found from everywhere.
        let is_from_here = other.file.is_some() && joined(from, other.path)?.starts_with(from);
        let Some(path) = moved(other.path, from, to).filter(|_| is_from_here && from != to) else { continue };
        let text = files.text(other.statement.clone());
        changes.push((other.statement, text.replacen(other.path, &path, 1)));
    }
    let module = files.all[file].at.clone();
    let whole = files.text(module.clone());
    if !style.head.is_empty() {
        let rest = whole.strip_prefix(style.head)?;
        changes.push((module.start..module.end - rest.len() as u32, String::new()));
        if rest.trim_end().ends_with("?>") {
            let end = module.start + whole.trim_end().len() as u32;
            changes.push((end - 2..end, String::new()));
        }
    }
    let mut text = files.with(file, changes)?;
    if files.text(named.statement.clone()).ends_with('\n') {
        text.push(b'\n');
    }
    Some(Load { at: named.statement.clone(), file, text, others: vec![] })
}

/// Returns the statements of a file that load one by its path.
fn named<'a>(files: &'a Files, of: usize, style: &Style) -> Vec<Named<'a>> {
    let tree = files.all[of].tree;
    let mut found: Vec<Named> = vec![];
    for at in (1..tree.len()).filter(|at| tree.is_named(*at) && tree.range(*at).len() < LONGEST) {
        let is_outermost = found.last().is_none_or(|last| last.statement.end <= tree.range(at).start);
        if is_outermost && files.begins_statement(of, tree.range(at).start) {
            found.extend(statement(files, of, style, at));
        }
    }
    found
}

/// A longer statement does more than to load a file.
const LONGEST: usize = 256;

/// Returns what a statement loads, if that is all it does.
fn statement<'a>(files: &'a Files, of: usize, style: &Style, at: usize) -> Option<Named<'a>> {
    let text = files.node(of, at);
    let begins = |word: &&&str| text.strip_prefix(**word).is_some_and(|rest| rest.starts_with(AROUND));
    let word = style.words.iter().find(begins)?;
    let rest = text[word.len()..].trim_matches(AROUND);
    // PHP names the folder of the file before.
    let rest = rest.strip_prefix("__DIR__").map_or(rest, |rest| rest.trim_start_matches(['.', ' ']));
    let path = rest.trim_matches(AROUND).trim_start_matches('/');
    let is_path = !path.is_empty() && !path.contains(AROUND) && !path.starts_with('<');
    is_path.then(|| Named { statement: files.all[of].tree.range(at), path, file: file_at(files, of, style, path) })
}

/// Returns the file that a path names: from the folder of the file, from one around it, or from one of those beside it, as `-I` says for headers.
fn file_at(files: &Files, of: usize, style: &Style, path: &str) -> Option<usize> {
    let with_extension = |found: PathBuf| {
        let longer = PathBuf::from(format!("{}.{}", found.display(), style.extension));
        [found, longer]
    };
    let around = files.folder(of).ancestors().filter_map(|folder| joined(folder, path));
    let here = files.first(around.flat_map(with_extension));
    here.or_else(|| {
        let ends = |at: &usize| files.all[*at].path.ends_with(path) && path.contains('.');
        let mut elsewhere = (0..files.all.len()).filter(ends);
        elsewhere.next().filter(|_| elsewhere.next().is_none())
    })
}
