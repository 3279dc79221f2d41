//! Finds the patches in files and folders.

use super::PatchError;
use super::about::{about, is_begin};
use crate::Remark;
use reduct_input::About;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// A patch.
pub(super) struct Patch {
    /// The name of its file; of several in one, with a number.
    pub(super) name: String,
    pub(super) text: Vec<u8>,
    pub(super) about: About,
    /// Paths, old and new, that it says to be of one file.
    pub(super) renames: Vec<(PathBuf, PathBuf)>,
    /// Both paths of what it renames and copies: git's list of what it is about has one of them.
    pub(super) partners: Vec<PathBuf>,
    /// How many leading parts of its paths are to be taken off, if that was said.
    pub(super) strip: Option<u32>,
}

/// Returns all patches, in order, and what is to be said of what is none.
pub(super) fn read(paths: &[PathBuf]) -> Result<(Vec<Patch>, Vec<Remark>), PatchError> {
    let (mut patches, mut notes) = (vec![], vec![]);
    for (path, strip) in listed(paths)? {
        let text = fs::read(&path).map_err(PatchError::io(&path))?;
        let mails = mails(&text);
        for (number, mail) in mails.iter().enumerate() {
            let mut name = path.display().to_string();
            if mails.len() > 1 {
                name.push_str(&format!("#{}", number + 1));
            }
            if !has_diff(mail) {
                notes.push(Remark::NoPatch(name));
                continue;
            }
            patches.push(patch(name, mail, strip)?);
        }
    }
    if patches.is_empty() {
        let names = paths.iter().map(|path| path.display().to_string()).collect::<Vec<_>>().join(", ");
        return Err(PatchError::NoPatch(if names.is_empty() { "what was given".into() } else { names }));
    }
    Ok((patches, notes))
}

/// Reads bytes as a file of patches and as a series of them, as far as that is done without git.
pub(crate) fn try_bytes(bytes: &[u8]) {
    let (git, other) = ([&b"rename from "[..], b"rename to "], [&b"copy from "[..], b"copy to "]);
    for mail in mails(bytes) {
        let _ = (has_diff(mail), pairs(mail, git[0], git[1]), pairs(mail, other[0], other[1]));
        super::about::try_bytes(mail);
    }
    for line in bytes.split(|byte| *byte == b'\n') {
        let _ = of_series(Path::new("patches"), line);
    }
}

fn patch(name: String, mail: &[u8], strip: Option<u32>) -> Result<Patch, PatchError> {
    let (about, text) = about(&name, mail)?;
    let renames = pairs(&text, b"rename from ", b"rename to ");
    let copies = pairs(&text, b"copy from ", b"copy to ");
    let partners = renames.iter().chain(&copies).flat_map(|(old, new)| [old.clone(), new.clone()]).collect();
    Ok(Patch { name, about, renames, partners, strip, text })
}

/// Returns the files, in order: what is in a folder is there in the order that its `series` says, or of their names.
fn listed(paths: &[PathBuf]) -> Result<Vec<(PathBuf, Option<u32>)>, PatchError> {
    let mut files = vec![];
    for path in paths {
        if !fs::metadata(path).map_err(PatchError::io(path))?.is_dir() {
            files.push((path.clone(), None));
            continue;
        }
        let series = path.join("series");
        if series.is_file() {
            let text = fs::read(&series).map_err(PatchError::io(&series))?;
            files.extend(text.split(|byte| *byte == b'\n').filter_map(|line| of_series(path, line)));
            continue;
        }
        let entries = fs::read_dir(path).and_then(Iterator::collect::<std::io::Result<Vec<_>>>);
        let entries = entries.map_err(PatchError::io(path))?;
        let is_hidden = |entry: &fs::DirEntry| entry.file_name().as_bytes().starts_with(b".");
        let paths = entries.iter().filter(|entry| !is_hidden(entry)).map(fs::DirEntry::path);
        let mut inner: Vec<PathBuf> = paths.filter(|path| path.is_file()).collect();
        inner.sort();
        files.extend(inner.into_iter().map(|path| (path, None)));
    }
    Ok(files)
}

/// Returns a line of quilt's `series`: a name, then perhaps `-p0` or the like, then perhaps a comment.
fn of_series(folder: &Path, line: &[u8]) -> Option<(PathBuf, Option<u32>)> {
    let mut words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let mut words = words.by_ref().take_while(|word| !word.starts_with(b"#"));
    let path = folder.join(OsStr::from_bytes(words.next()?));
    let strip = words.find_map(|word| std::str::from_utf8(word).ok()?.strip_prefix("-p")?.parse().ok());
    Some((path, strip))
}

/// Returns a file of `git format-patch` in its mails, each of which begins with `From ` and the name of a commit. Any
/// other file is one.
fn mails(text: &[u8]) -> Vec<&[u8]> {
    let (mut begins, mut at, mut after_blank) = (vec![], 0, true);
    for line in text.split_inclusive(|byte| *byte == b'\n') {
        if after_blank && is_begin(line) {
            begins.push(at);
        }
        after_blank = line.trim_ascii().is_empty();
        at += line.len();
    }
    if begins.len() < 2 {
        return vec![text];
    }
    // What comes before the first belongs to none.
    let ends = begins.iter().skip(1).copied().chain([text.len()]);
    begins.iter().zip(ends).map(|(begin, end)| &text[*begin..end]).collect()
}

fn has_diff(text: &[u8]) -> bool {
    text.split(|byte| *byte == b'\n').any(|line| line.starts_with(b"diff --git ") || line.starts_with(b"--- "))
}

/// Pairs of paths from lines that follow each other.
fn pairs(text: &[u8], first: &[u8], second: &[u8]) -> Vec<(PathBuf, PathBuf)> {
    let mut pairs = vec![];
    let mut from = None;
    for line in text.split(|byte| *byte == b'\n') {
        let line = line.strip_suffix(b"\r").unwrap_or(line);
        if let Some(path) = line.strip_prefix(first) {
            from = Some(unquoted(path));
        } else if let (Some(path), Some(from)) = (line.strip_prefix(second), from.take()) {
            pairs.push((from, unquoted(path)));
        }
    }
    pairs
}

/// Returns a path as git writes it: in quotes, with escapes, if there is something special in it.
fn unquoted(text: &[u8]) -> PathBuf {
    let path = |bytes: &[u8]| PathBuf::from(OsStr::from_bytes(bytes));
    let Some(inner) = text.strip_prefix(b"\"").and_then(|text| text.strip_suffix(b"\"")) else { return path(text) };
    let (mut bytes, mut rest) = (vec![], inner.iter());
    while let Some(byte) = rest.next() {
        if *byte != b'\\' {
            bytes.push(*byte);
            continue;
        }
        bytes.push(match rest.next() {
            Some(b'a') => 7,
            Some(b'b') => 8,
            Some(b't') => b'\t',
            Some(b'n') => b'\n',
            Some(b'v') => 11,
            Some(b'f') => 12,
            Some(b'r') => b'\r',
            Some(digit @ b'0'..=b'3') => {
                let digits = [*digit, rest.next().copied().unwrap_or(b'0'), rest.next().copied().unwrap_or(b'0')];
                digits.iter().fold(0u8, |sum, digit| sum.wrapping_mul(8).wrapping_add(digit.wrapping_sub(b'0')))
            }
            Some(other) => *other,
            None => b'\\',
        });
    }
    path(&bytes)
}
