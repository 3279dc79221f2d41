//! The difference of two candidates as a patch that `git apply` and `patch -p1` take.

use crate::align::{Hunk, hunks_of_lines, lines};
use crate::artifact::{Entry, What};
use crate::candidate::Candidate;
use crate::subject::is_binary;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::ops::Range;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// How many lines around a change are shown.
const CONTEXT: usize = 3;

/// What stands at a path: its mode as git writes it, and its contents.
type Stands = (u32, Vec<u8>);

/// Where two texts differ.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change<'a> {
    /// The number of the first line that differs in the new text, from 1; of lines that are gone, of what
    /// follows them.
    pub line: usize,
    /// The lines that are gone.
    pub old: Vec<&'a [u8]>,
    /// The lines that have come.
    pub new: Vec<&'a [u8]>,
}

/// A patch that makes `new` of `old`. Of binary files it says only that they differ.
pub fn unified(old: &Candidate, new: &Candidate) -> Vec<u8> {
    let (old, new) = (standing(old), standing(new));
    let mut paths: Vec<&Path> = old.keys().chain(new.keys()).copied().collect();
    paths.sort();
    paths.dedup();
    let mut patch = vec![];
    for path in paths {
        file(&mut patch, path, old.get(path), new.get(path));
    }
    patch
}

/// The places at which two texts differ, in lines.
pub fn changes<'a>(old: &'a [u8], new: &'a [u8]) -> Vec<Change<'a>> {
    let (old, new) = (lines(old), lines(new));
    let hunks = hunks_of_lines(&old, &new).into_iter();
    let change =
        |(before, after): Hunk| Change { line: after.start + 1, old: old[before].to_vec(), new: new[after].to_vec() };
    hunks.map(change).collect()
}

fn standing(candidate: &Candidate) -> BTreeMap<&Path, Stands> {
    let stands = |(entry, pieces): (_, Vec<&[u8]>)| {
        let entry: &Entry = entry;
        let what = match &entry.what {
            What::File { mode, .. } if mode & 0o111 != 0 => (0o100_755, pieces.concat()),
            What::File { .. } => (0o100_644, pieces.concat()),
            What::Link { target } => (0o120_000, target.as_os_str().as_bytes().to_vec()),
            // A patch knows no folders.
            What::Folder { .. } => return None,
        };
        Some((entry.path.as_path(), what))
    };
    candidate.pieces().filter_map(stands).collect()
}

fn file(patch: &mut Vec<u8>, path: &Path, old: Option<&Stands>, new: Option<&Stands>) {
    if old == new {
        return;
    }
    if let (Some((was, _)), Some((is, _))) = (old, new)
        && (*was == 0o120_000) != (*is == 0o120_000)
    {
        // A link that becomes a file is another file.
        file(patch, path, old, None);
        return file(patch, path, None, new);
    }
    let (a, b) = (quoted("a/", path), quoted("b/", path));
    let mut head = format!("diff --git {a} {b}\n");
    let _ = match (old, new) {
        (None, Some((mode, _))) => writeln!(head, "new file mode {mode:o}"),
        (Some((mode, _)), None) => writeln!(head, "deleted file mode {mode:o}"),
        (Some((was, _)), Some((is, _))) if was != is => write!(head, "old mode {was:o}\nnew mode {is:o}\n"),
        _ => Ok(()),
    };
    let content = |side: Option<&Stands>| side.map(|(_, bytes)| bytes.clone()).unwrap_or_default();
    let (before, after) = (content(old), content(new));
    let (from, to) = (old.map_or("/dev/null", |_| &a), new.map_or("/dev/null", |_| &b));
    if is_binary(&before) || is_binary(&after) {
        let _ = writeln!(head, "Binary files {from} and {to} differ");
        return patch.extend_from_slice(head.as_bytes());
    }
    if before != after {
        // Where a name with a blank ends, a tab says.
        let end = |name: &str| if name.contains(' ') && !name.starts_with('"') { "\t" } else { "" };
        let _ = write!(head, "--- {from}{}\n+++ {to}{}\n", end(from), end(to));
    }
    patch.extend_from_slice(head.as_bytes());
    text(patch, &lines(&before), &lines(&after));
}

/// The hunks of a text, those together whose contexts touch.
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

/// A path as git writes it: in quotes if anything in it is not plain.
fn quoted(side: &str, path: &Path) -> String {
    let bytes = path.as_os_str().as_bytes();
    if bytes.iter().all(|byte| (0x20..0x7f).contains(byte) && *byte != b'"' && *byte != b'\\') {
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
