//! In which order files are searched: those that are named by others first, so that what is asked about from the back begins with the uses.
//!
//! A search of a tree decides what stands last first, as uses stand after definitions. Of several files, a use stands in the file that names
//! the other one, by an import or an include, wherever its path puts it.

use reduct_input::{FileOrder, Subject};
use std::collections::{HashMap, HashSet};
use std::ffi::OsStr;
use std::path::Path;

/// A name of more files says of none which it is.
const MOST: usize = 16;

/// What each folder has one of: such a file is named by its folder.
const OF_FOLDER: &[&str] = &["__init__", "mod", "index"];

/// Returns the order of the files of a subject; `None` if none names another one before it.
pub(super) fn of_files(subject: &Subject) -> Option<FileOrder> {
    let files: Vec<_> = subject.artifact().files().collect();
    if files.len() < 2 {
        return None;
    }
    let mut named: HashMap<&[u8], Vec<usize>> = HashMap::new();
    for (file, (path, ..)) in files.iter().enumerate() {
        if let Some(name) = name_of(path) {
            named.entry(name.as_encoded_bytes()).or_default().push(file);
        }
    }
    named.retain(|_, files| files.len() <= MOST);
    let names = |file: usize| {
        let words: HashSet<&[u8]> = files[file].2.split(|byte| !is_of_name(*byte)).collect();
        let mut others: Vec<usize> = words.iter().filter_map(|word| named.get(word)).flatten().copied().collect();
        others.retain(|other| *other != file);
        others.sort_unstable();
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

fn name_of(path: &Path) -> Option<&OsStr> {
    let own = path.file_stem()?;
    let is_of_folder = OF_FOLDER.iter().any(|name| own == *name);
    if is_of_folder { path.parent()?.file_name() } else { Some(own) }
}

fn is_of_name(byte: u8) -> bool {
    byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-') || !byte.is_ascii()
}
