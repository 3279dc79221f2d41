//! The difference of two candidates as a patch that `git apply` takes, and `patch -p1` unless a file is binary.

mod binary;
mod objects;

use crate::align::{Hunk, hunks_of_lines, lines};
use crate::artifact::{Entry, What};
use crate::candidate::Candidate;
use crate::subject;
pub use objects::Objects;
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::ops::Range;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How many lines around a change are shown.
const CONTEXT: usize = 3;

/// The mode of a symbolic link, as git writes it.
const LINK: u32 = 0o120_000;

/// What stands at a path.
#[derive(PartialEq, Eq)]
struct Stands {
    /// The mode as git writes it.
    mode: u32,
    bytes: Vec<u8>,
}

/// Where two texts differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextChange<'a> {
    /// The number of the first line that differs in the new text, from 1; of lines that are gone, of what
    /// follows them.
    pub line: usize,
    /// The lines that are gone.
    pub old: Vec<&'a [u8]>,
    /// The lines that have come.
    pub new: Vec<&'a [u8]>,
}

/// Returns a patch that makes `new` of `old`. Of folders that are empty, and of permissions other than to execute, it
/// says nothing: see [`left_out`]. Git applies a binary file only by the names of `objects` in the repository.
pub fn unified(old: &Candidate, new: &Candidate, objects: Objects) -> Vec<u8> {
    let renamed = renamed(old, new);
    let (mut old, new) = (standing(old), standing(new));
    let mut patch = vec![];
    // What goes elsewhere is told there.
    let mut moved: BTreeMap<&Path, (&Path, Stands)> = BTreeMap::new();
    for (from, to) in &renamed {
        moved.extend(old.remove(from.as_path()).map(|stands| (to.as_path(), (from.as_path(), stands))));
    }
    let paths: BTreeSet<&Path> = old.keys().chain(new.keys()).copied().collect();
    for path in paths {
        match moved.get(path) {
            Some((from, was)) => file(&mut patch, objects, (from, path), Some(was), new.get(path)),
            None => file(&mut patch, objects, (path, path), old.get(path), new.get(path)),
        }
    }
    patch
}

/// Returns the paths of which a patch cannot tell in what they differ: empty folders, and permissions that git does not
/// keep.
pub fn left_out(old: &Candidate, new: &Candidate) -> Vec<PathBuf> {
    let renamed: BTreeMap<PathBuf, PathBuf> = renamed(old, new).into_iter().map(|(from, to)| (to, from)).collect();
    let files = |side: &Candidate| -> BTreeSet<PathBuf> {
        side.pieces().filter(|(entry, _)| !entry.holds_entries()).map(|(entry, _)| entry.path.clone()).collect()
    };
    let modes = |side: &Candidate| -> BTreeMap<PathBuf, (bool, u32)> {
        let mode = |(entry, _): (&Entry, _)| match entry.what {
            What::File { mode, .. } => Some((entry.path.clone(), (false, mode & 0o777))),
            What::Folder { mode } | What::Archive { mode, .. } => Some((entry.path.clone(), (true, mode & 0o777))),
            What::Link { .. } => None,
        };
        side.pieces().filter_map(mode).collect()
    };
    // A folder comes with what is put into it, and goes with the last of it.
    let comes_along = |files: &BTreeSet<PathBuf>, folder: &Path| files.iter().any(|file| file.starts_with(folder));
    let (before, after, old_files, new_files) = (modes(old), modes(new), files(old), files(new));
    let paths: BTreeSet<&PathBuf> = before.keys().chain(after.keys()).collect();
    let is_lost = |path: &&PathBuf| match (before.get(renamed.get(*path).unwrap_or(path)), after.get(*path)) {
        (Some((false, was)), Some((false, is))) => was != is && (was & 0o111 == 0) == (is & 0o111 == 0),
        (Some((true, was)), Some((true, is))) => was != is,
        (was, Some((true, is))) => was.is_none() && (*is != 0o755 || !comes_along(&new_files, path)),
        (Some((true, _)), is) => is.is_none() && !comes_along(&old_files, path),
        _ => false,
    };
    paths.into_iter().filter(is_lost).cloned().collect()
}

/// Returns the files that have another name in `new`: from which to which. Whether a file is the same is known where
/// both are made from one history; what stands in the place of another file is told as that file changed.
pub fn renamed(old: &Candidate, new: &Candidate) -> Vec<(PathBuf, PathBuf)> {
    if !Arc::ptr_eq(old.base(), new.base()) {
        return vec![];
    }
    let file = |entry: &Entry| match &entry.what {
        What::File { bytes, .. } if !bytes.is_empty() => Some(bytes.start),
        _ => None,
    };
    let paths = |side: &Candidate| -> BTreeMap<PathBuf, Option<u32>> {
        side.pieces().map(|(entry, _)| (entry.path.clone(), file(entry))).collect()
    };
    let (before, after) = (paths(old), paths(new));
    let gone = before.iter().filter(|(path, _)| !after.contains_key(*path));
    let gone: BTreeMap<u32, &PathBuf> = gone.filter_map(|(path, file)| Some(((*file)?, path))).collect();
    let come = after.iter().filter(|(path, _)| !before.contains_key(*path));
    come.filter_map(|(path, file)| Some((gone.get(&(*file)?).copied()?.clone(), path.clone()))).collect()
}

/// Returns whether git takes it for binary: a patch holds it as a whole.
fn is_binary_to_git(text: &[u8]) -> bool {
    /// As far as git looks.
    const SAMPLE: usize = 8000;
    text[..text.len().min(SAMPLE)].contains(&0)
}

/// Returns whether its lines say nothing to a person.
pub fn is_binary(text: &[u8]) -> bool {
    is_binary_to_git(text) || subject::is_binary(text)
}

/// Returns the places at which two texts differ, in lines.
pub fn changes<'a>(old: &'a [u8], new: &'a [u8]) -> Vec<TextChange<'a>> {
    let (old, new) = (lines(old), lines(new));
    let hunks = hunks_of_lines(&old, &new).into_iter();
    let change = |(before, after): Hunk| TextChange {
        line: after.start + 1,
        old: old[before].to_vec(),
        new: new[after].to_vec(),
    };
    hunks.map(change).collect()
}

fn standing(candidate: &Candidate) -> BTreeMap<&Path, Stands> {
    let stands = |(entry, pieces): (_, Vec<&[u8]>)| {
        let entry: &Entry = entry;
        let (mode, bytes) = match &entry.what {
            What::File { mode, .. } if mode & 0o111 != 0 => (0o100_755, pieces.concat()),
            What::File { .. } => (0o100_644, pieces.concat()),
            What::Link { target } => (LINK, target.as_os_str().as_bytes().to_vec()),
            // A patch knows no folders.
            What::Folder { .. } | What::Archive { .. } => return None,
        };
        Some((entry.path.as_path(), Stands { mode, bytes }))
    };
    candidate.pieces().filter_map(stands).collect()
}

fn file(patch: &mut Vec<u8>, objects: Objects, (from, to): (&Path, &Path), old: Option<&Stands>, new: Option<&Stands>) {
    if old == new && from == to {
        return;
    }
    if let (Some(old), Some(new)) = (old, new)
        && (old.mode == LINK) != (new.mode == LINK)
    {
        // A link that becomes a file is another file.
        file(patch, objects, (from, from), Some(old), None);
        return file(patch, objects, (to, to), None, Some(new));
    }
    let (a, b) = (quoted("a/", from), quoted("b/", to));
    let mut head = format!("diff --git {a} {b}\n");
    let _ = match (old, new) {
        (None, Some(new)) => writeln!(head, "new file mode {:o}", new.mode),
        (Some(old), None) => writeln!(head, "deleted file mode {:o}", old.mode),
        (Some(old), Some(new)) if old.mode != new.mode => {
            writeln!(head, "old mode {:o}\nnew mode {:o}", old.mode, new.mode)
        }
        _ => Ok(()),
    };
    if from != to {
        let _ = writeln!(head, "rename from {}\nrename to {}", quoted("", from), quoted("", to));
    }
    let content = |side: Option<&Stands>| side.map(|stands| stands.bytes.clone()).unwrap_or_default();
    let (before, after) = (content(old), content(new));
    let is_binary = is_binary_to_git(&before) || is_binary_to_git(&after);
    if before != after || old.is_none() || new.is_none() {
        // Without it git takes no binary patch, and GNU patch does not know that an empty file goes.
        let name = |side: Option<&Stands>| side.map_or_else(|| objects.nothing(), |stands| objects.name(&stands.bytes));
        let mode = old.zip(new).filter(|(old, new)| old.mode == new.mode).map(|(_, new)| format!(" {:o}", new.mode));
        let _ = writeln!(head, "index {}..{}{}", name(old), name(new), mode.unwrap_or_default());
    }
    if is_binary && before != after {
        head += &binary::binary(&before, &after);
    } else if before != after {
        let (from, to) = (old.map_or("/dev/null", |_| &a), new.map_or("/dev/null", |_| &b));
        let _ = write!(head, "--- {from}\n+++ {to}\n");
    }
    patch.extend_from_slice(head.as_bytes());
    if !is_binary {
        text(patch, &lines(&before), &lines(&after));
    }
}

/// Writes the hunks of a text, those together whose contexts touch.
fn text(patch: &mut Vec<u8>, old: &[&[u8]], new: &[&[u8]]) {
    let hunks = hunks_of_lines(old, new);
    let near = |one: &Hunk, other: &Hunk| other.0.start - one.0.end <= 2 * CONTEXT;
    for group in hunks.chunk_by(near) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else { continue };
        let above = first.0.start.min(CONTEXT);
        let below = (old.len() - last.0.end).min(CONTEXT);
        let (a, b) = (first.0.start - above..last.0.end + below, first.1.start - above..last.1.end + below);
        patch.extend_from_slice(format!("@@ -{} +{} @@\n", place(&a), place(&b)).as_bytes());
        let mut at = a.start;
        for (before, after) in group {
            old[at..before.start].iter().for_each(|line| put(patch, b' ', line));
            old[before.clone()].iter().for_each(|line| put(patch, b'-', line));
            new[after.clone()].iter().for_each(|line| put(patch, b'+', line));
            at = before.end;
        }
        old[at..a.end].iter().for_each(|line| put(patch, b' ', line));
    }
}

fn place(lines: &Range<usize>) -> String {
    match lines.len() {
        // Of nothing, the line before it is named.
        0 => format!("{},0", lines.start),
        1 => format!("{}", lines.start + 1),
        count => format!("{},{count}", lines.start + 1),
    }
}

fn put(patch: &mut Vec<u8>, sign: u8, line: &[u8]) {
    patch.push(sign);
    patch.extend_from_slice(line);
    if !line.ends_with(b"\n") {
        patch.extend_from_slice(b"\n\\ No newline at end of file\n");
    }
}

/// Returns a path as git reads it: in quotes if anything in it is not plain. A blank is put in quotes too, which git
/// does not need, but then nothing tells in `a/b b/b` where one name ends.
fn quoted(side: &str, path: &Path) -> String {
    let bytes = path.as_os_str().as_bytes();
    if bytes.iter().all(|byte| (0x21..0x7f).contains(byte) && *byte != b'"' && *byte != b'\\') {
        return format!("{side}{}", path.display());
    }
    let mut text = format!("\"{side}");
    for byte in bytes {
        let _ = match byte {
            b'"' | b'\\' => write!(text, "\\{}", *byte as char),
            b'\n' => write!(text, "\\n"),
            b'\t' => write!(text, "\\t"),
            0x20..0x7f => write!(text, "{}", *byte as char),
            _ => write!(text, "\\{byte:03o}"),
        };
    }
    text + "\""
}
