//! Gives files and folders short names, and changes the texts that name them.
//!
//! ## What it tries
//! For each file and folder of a folder whose name is a word in its texts: a letter, or a part of the name, in the place of what
//! stands before its extension, and of that word wherever it stands; then the same where the word stands in strings, imports and paths
//! only. The order of the names stays. It is tried when other passes find nothing more.
//!
//! ## When it helps
//! Modules that import each other, headers that are included, a list of files to build.
//!
//! ## Before
//! ```text
//! ==> report_helper.py <==
//! 1 / 0
//! ==> test_all.py <==
//! import report_helper
//! ```
//! ## After
//! ```text
//! ==> a.py <==
//! 1 / 0
//! ==> test_all.py <==
//! import a
//! ```

use crate::pass::{Needs, Pass, Proposals};
use crate::rewrite::propose_shrinking;
use crate::text::{is_word, strings};
use reduct_input::{Class, Edit, Entry, Splice, Subject};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::{OsStr, OsString};
use std::ops::Range;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::Path;

pub(crate) const PASS: Pass = Pass {
    needs: Needs::Text,
    ..Pass::rewriting("file-names", "gives files and folders short names, also where they are named", 0.5, propose)
};

/// Of more files and folders, most have nothing to do with the failure.
const MOST: usize = 64;

/// What gains a byte is not worth that all else is tried once more.
const LEAST: i64 = 2;

fn propose(subject: &Subject) -> Proposals {
    let entries = subject.artifact().entries();
    let is_inside = |entry: &Entry| entry.path.components().nth(1).is_some();
    if entries.len() > MOST || !entries.iter().any(is_inside) {
        return vec![];
    }
    let texts = Texts::of(subject);
    let mut names = NewNames::of(&texts, entries);
    let (mut everywhere, mut in_paths) = (vec![], vec![]);
    for (at, entry) in entries.iter().enumerate().filter(|(_, entry)| is_inside(entry)) {
        let Some(name) = entry.path.file_name() else { continue };
        let (stem, _) = split(name);
        let places = texts.places(stem);
        if stem.len() < 2 || places.is_empty() {
            continue;
        }
        let Some((word, new)) = names.name(&entry.path) else { continue };
        let renamed = |places: &[Range<u32>]| {
            let splice = |at: &Range<u32>| Splice { at: at.clone(), with: word[..].into() };
            Some(Edit::new(places.iter().map(splice).collect())?.renaming(at as u32, new.clone()))
        };
        let paths: Vec<Range<u32>> = places.iter().filter(|at| texts.is_path(at)).cloned().collect();
        everywhere.extend(renamed(&places));
        in_paths.extend(renamed(&paths).filter(|_| paths.len() < places.len()));
    }
    let edits = everywhere.into_iter().chain(in_paths);
    propose_shrinking(subject, edits.filter(|edit| edit.gain() >= LEAST))
}

/// Returns a name without its extensions, and these.
fn split(name: &OsStr) -> (&[u8], &[u8]) {
    let name = name.as_bytes();
    let dot = name.iter().skip(1).position(|byte| *byte == b'.').map_or(name.len(), |at| at + 1);
    name.split_at(dot)
}

/// The texts of all files.
struct Texts<'a> {
    subject: &'a Subject,
    /// Where names of files stand: strings and imports.
    naming: Vec<Range<u32>>,
    /// Where each word stands.
    words: HashMap<&'a [u8], Vec<Range<u32>>>,
}

impl<'a> Texts<'a> {
    fn of(subject: &'a Subject) -> Texts<'a> {
        let imports = subject.trees().iter().flat_map(|tree| {
            let imports = (1..tree.len()).filter(|at| tree.is(*at, Class::IMPORT));
            imports.map(|at| tree.range(at))
        });
        let naming = strings(subject).into_iter().chain(imports).collect();
        let mut words: HashMap<&[u8], Vec<Range<u32>>> = HashMap::new();
        for (_, addresses, text) in subject.artifact().files() {
            let mut at = 0;
            for part in text.split(|byte| !is_of_name(*byte)) {
                if !part.is_empty() {
                    let start = addresses.start + at as u32;
                    words.entry(part).or_default().push(start..start + part.len() as u32);
                }
                at += part.len() + 1;
            }
        }
        Texts { subject, naming, words }
    }

    fn places(&self, word: &[u8]) -> Vec<Range<u32>> {
        self.words.get(word).cloned().unwrap_or_default()
    }

    /// Returns whether a word is in a string or an import, or beside a sign that paths have.
    fn is_path(&self, at: &Range<u32>) -> bool {
        let is_in = |range: &Range<u32>| range.start <= at.start && at.end <= range.end;
        let text = self.subject.artifact().bytes();
        let before = at.start.checked_sub(1).map(|at| text[at as usize]);
        before == Some(b'/') || text.get(at.end as usize) == Some(&b'/') || self.naming.iter().any(is_in)
    }
}

/// Returns whether a byte may stand in the name of a file before its extension.
fn is_of_name(byte: u8) -> bool {
    is_word(byte) || byte == b'-'
}

/// New names for files and folders.
struct NewNames<'a> {
    texts: &'a Texts<'a>,
    /// Those letters that are no words of the texts, nor given already.
    letters: Vec<u8>,
    /// By folder, the names in it.
    siblings: BTreeMap<OsString, BTreeSet<OsString>>,
    /// By folder, the last name given.
    given: HashMap<OsString, OsString>,
}

impl<'a> NewNames<'a> {
    fn of(texts: &'a Texts<'a>, entries: &[Entry]) -> NewNames<'a> {
        let letters = (b'a'..=b'z').chain(b'A'..=b'Z').filter(|letter| !texts.words.contains_key(&[*letter][..]));
        let mut siblings: BTreeMap<OsString, BTreeSet<OsString>> = BTreeMap::new();
        for path in entries.iter().flat_map(|entry| entry.path.ancestors()) {
            if let (Some(folder), Some(name)) = (path.parent(), path.file_name()) {
                siblings.entry(folder.into()).or_default().insert(name.into());
            }
        }
        NewNames { texts, letters: letters.collect(), siblings, given: HashMap::new() }
    }

    /// Returns a short word, and the name with it that stands in the place of a name in the order of its folder, whichever
    /// others change.
    fn name(&mut self, path: &Path) -> Option<(Vec<u8>, OsString)> {
        let (folder, old) = (path.parent()?.as_os_str(), path.file_name()?);
        let (stem, extension) = split(old);
        let siblings = self.siblings.get(folder)?;
        let before = siblings.iter().filter(|name| name.as_os_str() < old).max();
        let before = before.max(self.given.get(folder));
        let after = siblings.iter().filter(|name| name.as_os_str() > old).min();
        let name = |word: &[u8]| OsString::from_vec([word, extension].concat());
        let fits = |word: &Vec<u8>| {
            let name = name(word);
            before.is_none_or(|before| *before < name) && after.is_none_or(|after| name < *after)
        };
        let letters = self.letters.iter().map(|letter| vec![*letter]);
        // Where no letter stands in the same place, a part of the name does.
        let parts = (2..stem.len()).map(|length| stem[..length].to_vec());
        let parts = parts.filter(|part| !self.texts.words.contains_key(&part[..]));
        let word = letters.chain(parts).find(fits)?;
        self.letters.retain(|letter| word != [*letter]);
        let name = name(&word);
        self.given.insert(folder.into(), name.clone());
        Some((word, name))
    }
}
