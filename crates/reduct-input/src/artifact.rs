//! What a test is run on: files and folders.

use reduct_core::Key;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Files, links and folders with their contents, immutable.
///
/// All contents stand in one buffer, one after the other, so that a part of any file is a range of
/// addresses, and a candidate is a set of addresses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Artifact {
    pub(crate) entries: Vec<Entry>,
    pub(crate) bytes: Vec<u8>,
    pub(crate) whole: WholeKey,
}

/// The digest of all of an artifact, once it is known: it follows from the rest.
#[derive(Clone, Debug, Default)]
pub(crate) struct WholeKey(OnceLock<Key>);

impl WholeKey {
    /// Returns the digest, which is this one.
    pub fn known(key: Key) -> WholeKey {
        WholeKey(key.into())
    }

    /// Returns the digest, and makes it if it is not known.
    pub fn get_or_make(&self, make: impl FnOnce() -> Key) -> Key {
        *self.0.get_or_init(make)
    }
}

impl PartialEq for WholeKey {
    fn eq(&self, _: &WholeKey) -> bool {
        true
    }
}

impl Eq for WholeKey {}

/// One file, link or folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Where it stands in the subject's folder. Always relative, without `..`.
    pub path: PathBuf,
    /// What it is.
    pub what: What,
}

impl Entry {
    /// Returns whether other entries stand in it: a folder, or an archive.
    pub fn holds_entries(&self) -> bool {
        matches!(self.what, What::Folder { .. } | What::Archive { .. })
    }
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
    /// A file in which other entries are packed: its members. Here they stand below it, as in a folder.
    Archive {
        /// The permission bits.
        mode: u32,
        /// How they are packed.
        packing: Packing,
    },
}

/// How an archive holds its members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packing {
    /// As in a zip file.
    Zip,
    /// As in a file of gzip, which has one member.
    Gzip,
}

/// A subject of more than 4 GiB, or of more files than can be counted in 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLarge;

/// The message of the error.
const TOO_LARGE: &str = "the input is larger than 4 GiB, which is more than can be reduced";

impl std::fmt::Display for TooLarge {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(TOO_LARGE)
    }
}

impl std::error::Error for TooLarge {}

/// Collects the entries of an [`Artifact`], in the order of their paths: folders before their contents.
#[derive(Default)]
pub struct ArtifactBuilder {
    entries: Vec<Entry>,
    bytes: Vec<u8>,
}

impl ArtifactBuilder {
    /// Checks whether so many more bytes can be added, before they are read.
    ///
    /// # Errors
    /// If the contents would exceed 4 GiB.
    pub fn check_room(&self, bytes: u64) -> Result<(), TooLarge> {
        let all = bytes.saturating_add(self.bytes.len() as u64);
        u32::try_from(all).map(drop).map_err(|_| TooLarge)
    }

    /// Adds a file.
    ///
    /// # Errors
    /// If the contents so far exceed 4 GiB.
    pub fn file(
        &mut self,
        path: impl Into<PathBuf>,
        mode: u32,
        contents: &[u8],
    ) -> Result<&mut ArtifactBuilder, TooLarge> {
        let start = u32::try_from(self.bytes.len()).map_err(|_| TooLarge)?;
        let end = u32::try_from(self.bytes.len() + contents.len()).map_err(|_| TooLarge)?;
        self.bytes.extend_from_slice(contents);
        self.entries.push(Entry { path: path.into(), what: What::File { mode, bytes: start..end } });
        Ok(self)
    }

    /// Adds a symbolic link.
    pub fn link(&mut self, path: impl Into<PathBuf>, target: impl Into<PathBuf>) -> &mut ArtifactBuilder {
        self.entries.push(Entry { path: path.into(), what: What::Link { target: target.into() } });
        self
    }

    /// Adds a folder.
    pub fn folder(&mut self, path: impl Into<PathBuf>, mode: u32) -> &mut ArtifactBuilder {
        self.entries.push(Entry { path: path.into(), what: What::Folder { mode } });
        self
    }

    /// Adds an archive. Its members are added after it, below it.
    pub fn archive(&mut self, path: impl Into<PathBuf>, mode: u32, packing: Packing) -> &mut ArtifactBuilder {
        self.entries.push(Entry { path: path.into(), what: What::Archive { mode, packing } });
        self
    }

    /// Returns what was collected.
    pub fn finish(self) -> Artifact {
        Artifact { entries: self.entries, bytes: self.bytes, whole: WholeKey::default() }
    }
}

impl Artifact {
    /// Returns what consists of these entries, whose files are ranges of `bytes`: several of them may share bytes, and
    /// may stand at one path, of which a candidate keeps one at most.
    pub fn of_variants(entries: Vec<Entry>, bytes: Vec<u8>) -> Artifact {
        Artifact { entries, bytes, whole: WholeKey::default() }
    }

    /// Returns a single file.
    ///
    /// # Errors
    /// If it exceeds 4 GiB.
    pub fn of_file(name: impl Into<PathBuf>, contents: &[u8]) -> Result<Artifact, TooLarge> {
        let mut builder = ArtifactBuilder::default();
        builder.file(name, 0o644, contents)?;
        Ok(builder.finish())
    }

    /// Returns the entries, folders before their contents.
    pub fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Returns all contents, one file after the other.
    pub fn bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Returns the files: where they stand, the addresses of their contents, and the contents.
    pub fn files(&self) -> impl Iterator<Item = (&Path, Range<u32>, &[u8])> + '_ {
        self.entries.iter().filter_map(|entry| match &entry.what {
            What::File { bytes, .. } => Some((entry.path.as_path(), bytes.clone(), self.slice(bytes.clone()))),
            _ => None,
        })
    }

    /// Returns whether something is packed in one of its files, and stands below it.
    pub fn has_archives(&self) -> bool {
        self.entries.iter().any(|entry| matches!(entry.what, What::Archive { .. }))
    }

    /// Returns the same with other paths, which must stay in their order.
    pub fn with_paths(self, path: impl Fn(&Path) -> PathBuf) -> Artifact {
        let entries = self.entries.into_iter().map(|entry| Entry { path: path(&entry.path), ..entry });
        Artifact { entries: entries.collect(), bytes: self.bytes, whole: WholeKey::default() }
    }

    /// Returns the bytes at these addresses.
    pub fn slice(&self, addresses: Range<u32>) -> &[u8] {
        &self.bytes[addresses.start as usize..addresses.end as usize]
    }
}
