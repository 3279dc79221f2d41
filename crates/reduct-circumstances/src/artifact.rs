//! What a test is run on: files and folders, and the parts of them that a candidate keeps.

use reduct_core::{Config, Delta, Key, Question};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Files, links and folders with their contents, immutable.
///
/// All contents stand in one buffer, one after the other, so that a part of any file is a range of
/// addresses, and a candidate is a set of addresses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Artifact {
    entries: Vec<Entry>,
    bytes: Vec<u8>,
}

/// One file, link or folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Where it stands in the subject's folder. Always relative, without `..`.
    pub path: PathBuf,
    /// What it is.
    pub what: What,
}

/// What an entry is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum What {
    /// A file: its permission bits, and the addresses of its contents.
    File {
        /// The permission bits.
        mode: u32,
        /// The addresses of its contents.
        bytes: Range<u32>,
    },
    /// A symbolic link.
    Link {
        /// What it points to, as written.
        target: PathBuf,
    },
    /// A folder. Its contents are entries of their own, after it.
    Folder {
        /// The permission bits.
        mode: u32,
    },
}

/// A subject of more than 4 GiB, or of more files than can be counted in 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

impl std::fmt::Display for TooLarge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("the input is larger than 4 GiB, which is more than can be reduced")
    }
}

impl std::error::Error for TooLarge {}

/// Collects the entries of an [`Artifact`], in the order of their paths: folders before their contents.
#[derive(Default)]
pub struct Builder {
    entries: Vec<Entry>,
    bytes: Vec<u8>,
}

impl Builder {
    /// Adds a file.
    ///
    /// # Errors
    /// If the contents so far exceed 4 GiB.
    pub fn file(&mut self, path: impl Into<PathBuf>, mode: u32, contents: &[u8]) -> Result<&mut Builder, TooLarge> {
        let start = u32::try_from(self.bytes.len()).map_err(|_| TooLarge)?;
        let end = u32::try_from(self.bytes.len() + contents.len()).map_err(|_| TooLarge)?;
        self.bytes.extend_from_slice(contents);
        self.entries.push(Entry { path: path.into(), what: What::File { mode, bytes: start..end } });
        Ok(self)
    }

    /// Adds a symbolic link.
    pub fn link(&mut self, path: impl Into<PathBuf>, target: impl Into<PathBuf>) -> &mut Builder {
        self.entries.push(Entry { path: path.into(), what: What::Link { target: target.into() } });
        self
    }

    /// Adds a folder.
    pub fn folder(&mut self, path: impl Into<PathBuf>, mode: u32) -> &mut Builder {
        self.entries.push(Entry { path: path.into(), what: What::Folder { mode } });
        self
    }

    /// What was collected.
    pub fn finish(self) -> Artifact {
        Artifact { entries: self.entries, bytes: self.bytes }
    }
}

impl Artifact {
    /// A single file.
    ///
    /// # Errors
    /// If it exceeds 4 GiB.
    pub fn of_file(name: impl Into<PathBuf>, contents: &[u8]) -> Result<Artifact, TooLarge> {
        let mut builder = Builder::default();
        builder.file(name, 0o644, contents)?;
        Ok(builder.finish())
    }

    /// The entries, folders before their contents.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// All contents, one file after the other.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// The files: where they stand, the addresses of their contents, and the contents.
    pub fn files(&self) -> impl Iterator<Item = (&Path, Range<u32>, &[u8])> + '_ {
        self.entries.iter().filter_map(|entry| match &entry.what {
            What::File { bytes, .. } => Some((entry.path.as_path(), bytes.clone(), self.slice(bytes.clone()))),
            _ => None,
        })
    }

    /// The bytes at these addresses.
    pub fn slice(&self, addresses: Range<u32>) -> &[u8] {
        &self.bytes[addresses.start as usize..addresses.end as usize]
    }
}

/// Something a test can be run on: an [`Artifact`], less what a configuration leaves out.
#[derive(Clone, Debug)]
pub struct Candidate {
    base: Arc<Artifact>,
    entries: Config,
    bytes: Config,
    deltas: usize,
    key: Key,
}

impl Candidate {
    /// All of `base`.
    pub fn whole(base: Arc<Artifact>) -> Candidate {
        let entries = Config::full(base.entries.len());
        let bytes = Config::full(base.bytes.len());
        Candidate::new(base, entries, bytes, 0)
    }

    /// The emptiest thing that can be made of `base`: its files without contents if there is but one
    /// entry, else nothing at all.
    pub fn nothing(base: Arc<Artifact>) -> Candidate {
        let entries = if base.entries.len() == 1 { Config::full(1) } else { Config::empty() };
        Candidate::new(base, entries, Config::empty(), 0)
    }

    /// The given entries and addresses of `base`; `deltas` is the size of the configuration it is
    /// made from, in its own unit.
    pub fn new(base: Arc<Artifact>, entries: Config, bytes: Config, deltas: usize) -> Candidate {
        let mut candidate = Candidate { base, entries, bytes, deltas, key: Key(0) };
        candidate.key = candidate.digest();
        candidate
    }

    /// How many deltas its configuration has, in the unit of the circumstances it was made from.
    pub fn deltas(&self) -> usize {
        self.deltas
    }

    /// The same candidate, counted in another unit.
    pub fn counted(self, deltas: usize) -> Candidate {
        Candidate { deltas, ..self }
    }

    /// The size of its contents in bytes.
    pub fn len(&self) -> usize {
        self.bytes.len()
    }

    /// Whether it has no contents.
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// How many files, links and folders it has.
    pub fn entry_count(&self) -> usize {
        self.entries.len()
    }

    /// What it is made from.
    pub fn base(&self) -> &Arc<Artifact> {
        &self.base
    }

    /// The addresses in [`Candidate::base`] that it keeps.
    pub fn kept(&self) -> &Config {
        &self.bytes
    }

    /// Its entries, and for files the pieces of their contents.
    pub fn pieces(&self) -> impl Iterator<Item = (&Entry, Vec<&[u8]>)> + '_ {
        self.entries.iter().map(|Delta(at)| {
            let entry = &self.base.entries[at as usize];
            let pieces = match &entry.what {
                What::File { bytes, .. } => self.bytes.within(bytes.clone()).map(|r| self.base.slice(r)).collect(),
                _ => vec![],
            };
            (entry, pieces)
        })
    }

    /// The candidate as an artifact of its own, to go on from.
    pub fn artifact(&self) -> Artifact {
        let mut bytes = Vec::with_capacity(self.bytes.len());
        let entries = self.pieces().map(|(entry, pieces)| match &entry.what {
            What::File { mode, .. } => {
                let start = bytes.len() as u32;
                pieces.into_iter().for_each(|piece| bytes.extend_from_slice(piece));
                Entry { path: entry.path.clone(), what: What::File { mode: *mode, bytes: start..bytes.len() as u32 } }
            }
            _ => entry.clone(),
        });
        let entries = entries.collect();
        Artifact { entries, bytes }
    }

    /// The digest of everything a test sees: paths, kinds, modes, contents.
    fn digest(&self) -> Key {
        let mut hasher = blake3::Hasher::new();
        for (entry, pieces) in self.pieces() {
            let path = entry.path.as_os_str().as_encoded_bytes();
            let (kind, mode, length) = match &entry.what {
                What::File { mode, .. } => (0u8, *mode, pieces.iter().map(|p| p.len()).sum()),
                What::Link { target } => (1, 0, target.as_os_str().len()),
                What::Folder { mode } => (2, *mode, 0),
            };
            hasher.update(&(path.len() as u64).to_le_bytes()).update(path);
            hasher.update(&[kind]).update(&mode.to_le_bytes()).update(&(length as u64).to_le_bytes());
            if let What::Link { target } = &entry.what {
                hasher.update(target.as_os_str().as_encoded_bytes());
            }
            pieces.into_iter().for_each(|piece| {
                hasher.update(piece);
            });
        }
        let mut first = [0; 16];
        first.copy_from_slice(&hasher.finalize().as_bytes()[..16]);
        Key(u128::from_le_bytes(first))
    }
}

impl Question for Candidate {
    fn key(&self) -> Key {
        self.key
    }
}
