//! Statements that are all of a load: `#include "a.h"`, `require_relative 'a'`, `. ./a.sh`.

use super::paths::{joined, moved};
use super::{Files, LONGEST, Load};
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
    path_at: Range<u32>,
    path: &'a str,
    /// The file, if it is one of the artifact's.
    file: Option<usize>,
}

pub(super) fn loaded(files: &Files, of: usize) -> Vec<usize> {
    style(files, of).map(|style| named(files, of, style)).into_iter().flatten().filter_map(|named| named.file).collect()
}

pub(super) fn loads(files: &Files, of: usize) -> Vec<Load> {
    let Some(style) = style(files, of) else { return vec![] };
    named(files, of, style).into_iter().filter_map(|named| load(files, of, style, &named)).collect()
}

fn style(files: &Files, of: usize) -> Option<&'static Style> {
    STYLES.iter().find(|style| style.language == files.all[of].tree.grammar.language)
}

fn load(files: &Files, of: usize, style: &Style, named: &Named) -> Option<Load> {
    let file = named.file.filter(|file| files.is_loaded_once[*file])?;
    let (from, to) = (files.folder(file), files.folder(of));
    let mut changes: Vec<(Range<u32>, String)> = vec![];
    for other in self::named(files, file, style) {
        // A path that is searched elsewhere is found from everywhere.
        let beside = joined(from, other.path).and_then(|path| files.first(with_extension(style, path)));
        if from != to && beside.is_some() && beside == other.file {
            changes.extend(moved(other.path, from, to).map(|path| (other.path_at, path)));
        }
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
    let statement = files.all[of].tree.range(at);
    // Nothing but signs stands behind it.
    let start = statement.start + text.rfind(path)? as u32;
    let path_at = start..start + path.len() as u32;
    is_path.then(|| Named { statement, path_at, path, file: file_at(files, of, style, path) })
}

/// Returns the file that a path names: from the folder of the file, from one around it, or from one of those beside it, as `-I` says for headers.
fn file_at(files: &Files, of: usize, style: &Style, path: &str) -> Option<usize> {
    let around = files.folder(of).ancestors().filter_map(|folder| joined(folder, path));
    let here = files.first(around.flat_map(|path| with_extension(style, path)));
    here.or_else(|| {
        let ends = |at: &usize| files.all[*at].path.ends_with(path) && path.contains('.');
        let mut elsewhere = (0..files.all.len()).filter(ends);
        elsewhere.next().filter(|_| elsewhere.next().is_none())
    })
}

/// Returns a path as it is named, and with what may be left out at its end.
fn with_extension(style: &Style, path: PathBuf) -> Vec<PathBuf> {
    let longer = (!style.extension.is_empty()).then(|| format!("{}.{}", path.display(), style.extension));
    [Some(path), longer.map(PathBuf::from)].into_iter().flatten().collect()
}
