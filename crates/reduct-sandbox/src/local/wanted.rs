//! What a candidate wants to stand where.

use crate::faults::FolderFault;
use reduct_core::Key;
use reduct_input::{Candidate, What};
use reduct_sources::BaseTree;
use reduct_sources::write::{leads_out, stays_inside};
use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{self, BufReader, Read};
use std::path::{Path, PathBuf};

/// What is to stand at a path.
pub(super) enum Wanted<'a> {
    /// A folder; `None` if it is only there for what is in it.
    Folder { mode: Option<u32> },
    /// A file or a link.
    Entry { what: &'a What, pieces: Vec<&'a [u8]>, digest: Option<Key> },
}

impl Wanted<'_> {
    /// Returns whether it can be seen without reading that this is the same: the very same bytes in memory. Both
    /// candidates live, so no other bytes are at those addresses.
    pub(super) fn is_plainly(&self, what: &What, pieces: &[&[u8]]) -> bool {
        let Wanted::Entry { what: mine, pieces: own, .. } = self else { return false };
        let same_kind = match (mine, what) {
            (What::File { mode: one, .. }, What::File { mode: other, .. }) => one == other,
            (one, other) => *one == other,
        };
        same_kind
            && own.len() == pieces.len()
            && own.iter().zip(pieces).all(|(one, other)| std::ptr::eq::<[u8]>(*one, *other))
    }
}

/// Returns what a candidate wants to stand where, the folders above its entries included.
///
/// # Errors
/// If a path leads out of the folder, or through something that is no folder.
pub(super) fn wanted<'a>(
    candidate: &'a Candidate,
    base_tree: &dyn BaseTree,
) -> io::Result<BTreeMap<PathBuf, Wanted<'a>>> {
    let mut wanted = BTreeMap::new();
    for (entry, pieces) in candidate.pieces() {
        let path = base_tree.place(&entry.path);
        if !stays_inside(&path) {
            return Err(leads_out(&path));
        }
        let this = match &entry.what {
            What::Folder { mode } | What::Archive { mode, .. } => Wanted::Folder { mode: Some(*mode) },
            what => Wanted::Entry { what, pieces, digest: None },
        };
        if wanted.insert(path.clone(), this).is_some() {
            return Err(io::Error::other(FolderFault::WantedTwice(path)));
        }
    }
    let above: Vec<PathBuf> = wanted.keys().flat_map(|path| path.ancestors().skip(1)).map(Path::to_owned).collect();
    for folder in above {
        if let Wanted::Entry { .. } = wanted.entry(folder.clone()).or_insert(Wanted::Folder { mode: None }) {
            return Err(io::Error::other(FolderFault::WantedAsFolder(folder)));
        }
    }
    Ok(wanted)
}

/// Returns whether a file or link has these contents, which is found out by reading it.
pub(super) fn contents_are(path: &Path, what: &What, pieces: &[&[u8]]) -> io::Result<bool> {
    if let What::Link { target } = what {
        return Ok(fs::read_link(path)? == *target);
    }
    let mut file = match File::open(path) {
        Ok(file) => BufReader::new(file),
        // The file has such a mode: nobody knows.
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => return Ok(false),
        Err(error) => return Err(error),
    };
    let mut buffer = vec![0; 1 << 16];
    for piece in pieces {
        for part in piece.chunks(buffer.len()) {
            match file.read_exact(&mut buffer[..part.len()]) {
                Ok(()) if buffer[..part.len()] == *part => {}
                Ok(()) => return Ok(false),
                Err(error) if error.kind() == io::ErrorKind::UnexpectedEof => return Ok(false),
                Err(error) => return Err(error),
            }
        }
    }
    Ok(file.read(&mut buffer)? == 0)
}
