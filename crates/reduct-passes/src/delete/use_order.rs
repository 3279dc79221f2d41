//! In which order files are searched: each after those that it names, so that a search from the back comes to uses first.
//!
//! A search of a tree decides what stands last first, as uses stand after definitions. Of several files, a use stands in the file that names
//! the other one, by an import or an include, wherever its path puts it.

use reduct_input::{FileOrder, Subject};
use std::collections::{HashMap, HashSet};
use std::path::Path;

/// A name of more files says of none which it is.
const MOST: usize = 16;

/// What each folder has one of: such a file is named by its folder.
const OF_FOLDER: &[&str] = &["__init__", "mod", "index"];

/// What the stem of a file has behind the name by which others know it.
const OF_STEM: &[&[u8]] = &[b".d"];

/// Returns the order of the files of a subject; `None` if none names another one before it.
pub(super) fn of_files(subject: &Subject) -> Option<FileOrder> {
    let files: Vec<_> = subject.artifact().files().collect();
    if files.len() < 2 {
        return None;
    }
    let mut named: HashMap<&[u8], Vec<usize>> = HashMap::new();
    for (file, (path, ..)) in files.iter().enumerate() {
        if let Some(name) = name_of(path) {
            named.entry(name).or_default().push(file);
        }
    }
    named.retain(|_, files| files.len() <= MOST);
    let binaries: HashSet<u32> = subject.binaries().iter().map(|binary| binary.start).collect();
    let names = |file: usize| {
        let (_, addresses, text) = &files[file];
        let text: &[u8] = if binaries.contains(&addresses.start) { &[] } else { text };
        let words: HashSet<&[u8]> = words(text).collect();
        let mut others: Vec<usize> = words.iter().filter_map(|word| named.get(word)).flatten().copied().collect();
        others.retain(|other| *other != file);
        others.sort_unstable();
        others.dedup();
        others
    };
    let names: Vec<Vec<usize>> = (0..files.len()).map(names).collect();
    let order = named_first(&names);
    let is_other = order.iter().enumerate().any(|(at, file)| at != *file);
    is_other.then(|| FileOrder::new(order.into_iter().map(|file| files[file].1.clone())))
}

/// Returns each file after those that it names, but for those that name each other in a circle.
fn named_first(names: &[Vec<usize>]) -> Vec<usize> {
    let mut order = vec![];
    let mut is_met = vec![false; names.len()];
    for first in 0..names.len() {
        let mut open = vec![(first, 0)];
        if std::mem::replace(&mut is_met[first], true) {
            continue;
        }
        while let Some((file, next)) = open.last_mut() {
            let Some(other) = names[*file].get(*next).copied() else {
                order.push(*file);
                open.pop();
                continue;
            };
            *next += 1;
            if !std::mem::replace(&mut is_met[other], true) {
                open.push((other, 0));
            }
        }
    }
    order
}

/// Returns the name by which other files know one.
fn name_of(path: &Path) -> Option<&[u8]> {
    let own = path.file_stem()?;
    let is_of_folder = OF_FOLDER.iter().any(|name| own == *name);
    let name = if is_of_folder { path.parent()?.file_name()? } else { own }.as_encoded_bytes();
    Some(OF_STEM.iter().find_map(|end| name.strip_suffix(*end)).unwrap_or(name))
}

/// Returns what may name a file in a text: `a`, `b` and `a.b` of `a.b`, and `a.b` of `a.b.ts`. One letter may name anything: it counts only behind
/// a quotation mark or as the end of a path.
fn words(text: &[u8]) -> impl Iterator<Item = &[u8]> {
    let dotted = text.split(|byte| !is_of_name(*byte) && *byte != b'.').filter(|word| !word.is_empty());
    dotted.flat_map(move |word| {
        let before = (word.as_ptr() as usize - text.as_ptr() as usize).checked_sub(1).map(|at| text[at]);
        let is_of_path = before.is_some_and(|byte| b"/\"'`<".contains(&byte));
        let stem = word.iter().rposition(|byte| *byte == b'.').map(|dot| &word[..dot]);
        let parts = word.split(|byte| *byte == b'.').chain([word]).chain(stem);
        parts.filter(move |part| part.len() > 1 || is_of_path && !part.is_empty())
    })
}

fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-') || !byte.is_ascii()
}
