//! Edits: the smallest changes to an artifact that make sense by themselves.

use crate::artifact::Artifact;
use std::cmp::Ordering;
use std::ffi::OsString;
use std::ops::Range;
use std::sync::Arc;

/// A change in one place: these bytes are replaced.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Splice {
    /// The addresses that go; never empty, and within one file.
    pub at: Range<u32>,
    /// What comes in their place.
    pub with: Arc<[u8]>,
}

/// Another name for a file, folder or link, in the same folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewName {
    /// Which entry of the artifact.
    pub entry: u32,
    /// Its name then.
    pub name: OsString,
}

/// Changes that go together: a definition with its uses, an opening bracket with its closing one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Edit {
    splices: Box<[Splice]>,
    names: Box<[NewName]>,
}

impl Edit {
    /// Changes that go together, in any order. `None` if there are none, one is of nothing, or two
    /// overlap.
    pub fn new(mut splices: Vec<Splice>) -> Option<Edit> {
        splices.sort_by_key(|splice| (splice.at.start, splice.at.end));
        let apart = splices.windows(2).all(|pair| pair[0].at.end <= pair[1].at.start);
        let sound = apart && !splices.is_empty() && splices.iter().all(|splice| !splice.at.is_empty());
        sound.then(|| Edit { splices: splices.into(), names: [].into() })
    }

    /// Removes these addresses.
    pub fn delete(at: Range<u32>) -> Option<Edit> {
        Edit::replace(at, b"")
    }

    /// Replaces these addresses.
    pub fn replace(at: Range<u32>, with: &[u8]) -> Option<Edit> {
        Edit::new(vec![Splice { at, with: with.into() }])
    }

    /// Returns the same, with another name for an entry besides. The name must stand in the order of its folder where that
    /// of the entry stands.
    pub fn renaming(self, entry: u32, name: OsString) -> Edit {
        let names = self.names.into_iter().chain([NewName { entry, name }]).collect();
        Edit { names, ..self }
    }

    /// Returns the same with other changes of texts. `None` if these do not go together.
    pub fn changed(&self, change: impl FnMut(&Splice) -> Splice) -> Option<Edit> {
        let changed = Edit::new(self.splices.iter().map(change).collect())?;
        Some(Edit { names: self.names.clone(), ..changed })
    }

    /// Returns the names that it gives to entries.
    pub fn names(&self) -> &[NewName] {
        &self.names
    }

    /// Returns what it changes, in the order of the addresses.
    pub fn splices(&self) -> &[Splice] {
        &self.splices
    }

    /// Returns by how many bytes it makes the artifact smaller; negative if it grows.
    pub fn gain(&self) -> i64 {
        self.splices.iter().map(|splice| splice.at.len() as i64 - splice.with.len() as i64).sum()
    }

    /// Returns whether it makes the artifact smaller in the order of results: fewer bytes, or as many and the text
    /// comes earlier in the order of the bytes. So no sequence of edits goes on for ever.
    pub fn shrinks(&self, base: &Artifact) -> bool {
        match self.gain().cmp(&0) {
            Ordering::Greater => true,
            Ordering::Less => false,
            // Splices of other lengths would move what stands between them.
            Ordering::Equal if self.splices.iter().any(|splice| splice.at.len() != splice.with.len()) => false,
            Ordering::Equal => self
                .splices
                .iter()
                .map(|splice| splice.with.as_ref().cmp(base.slice(splice.at.clone())))
                .find(|order| order.is_ne())
                .is_some_and(Ordering::is_lt),
        }
    }
}

/// Returns all splices of several edits as one list in the order of the addresses: what is inside of a removed part
/// goes with it, what two edits change alike is changed once. `None` if two contradict each other.
pub fn together<'a>(edits: impl IntoIterator<Item = &'a Edit>) -> Option<Vec<Splice>> {
    let mut all: Vec<&Splice> = edits.into_iter().flat_map(|edit| edit.splices.iter()).collect();
    // Of two that begin alike the longer one first, so that it can swallow the other.
    all.sort_by(|a, b| (a.at.start, b.at.end).cmp(&(b.at.start, a.at.end)));
    let mut merged: Vec<Splice> = Vec::with_capacity(all.len());
    for splice in all {
        match merged.last_mut() {
            Some(last) if splice.at.start < last.at.end => {
                let both_removed = last.with.is_empty() && splice.with.is_empty();
                if both_removed {
                    last.at.end = last.at.end.max(splice.at.end);
                } else if !(last.with.is_empty() && splice.at.end <= last.at.end || *last == *splice) {
                    return None;
                }
            }
            _ => merged.push(splice.clone()),
        }
    }
    Some(merged)
}

/// Edits in levels within which no two touch, so that any of them can be applied together: each goes to
/// the first level that has room for it. What has room in none of a great many levels is left out: it is so deep in
/// others that these had better come first.
pub fn levels(edits: impl IntoIterator<Item = Edit>) -> Vec<Vec<Edit>> {
    let mut levels: Vec<(Taken, Vec<Edit>)> = vec![];
    for edit in edits {
        let free = levels.iter().position(|(taken, _)| taken.is_free(&edit));
        let at = free.unwrap_or(levels.len());
        if at == MOST_LEVELS {
            continue;
        }
        if at == levels.len() {
            levels.push(Default::default());
        }
        levels[at].0.take(&edit);
        levels[at].1.push(edit);
    }
    levels.into_iter().map(|(_, edits)| edits).collect()
}

/// Texts by hand nest some dozens deep; without a bound, a text of nothing but brackets takes the square of its length.
const MOST_LEVELS: usize = 256;

/// Places that are taken: by their starts, their ends.
#[derive(Default)]
struct Taken(std::collections::BTreeMap<u32, u32>);

impl Taken {
    fn is_free(&self, edit: &Edit) -> bool {
        edit.splices.iter().all(|splice| {
            let before = self.0.range(..splice.at.end).next_back();
            before.is_none_or(|(_, end)| *end <= splice.at.start)
        })
    }

    fn take(&mut self, edit: &Edit) {
        edit.splices.iter().for_each(|splice| {
            self.0.insert(splice.at.start, splice.at.end);
        });
    }
}
