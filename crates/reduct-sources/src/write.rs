//! Writes candidates into folders.

use crate::archives::packed;
use reduct_input::{Candidate, What};
use reduct_system::permissions::set_below;
use std::fs::{DirBuilder, File, OpenOptions, Permissions};
use std::io::{self, IoSlice, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt, PermissionsExt, symlink};
use std::path::{Component, Path, PathBuf};

/// As many pieces as one call takes (IOV_MAX).
const PIECES: usize = 1024;

/// Makes folders that are closed to others.
pub fn folder_builder(recursive: bool) -> DirBuilder {
    let mut builder = DirBuilder::new();
    builder.mode(0o700).recursive(recursive);
    builder
}

/// Returns whether a path stays in the folder it is relative to.
pub fn stays_inside(path: &Path) -> bool {
    path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir))
}

/// A path that does not stay in the folder of its test.
#[derive(Debug, thiserror::Error)]
#[error("{0} leads out of the scratch folder")]
struct LeadsOut(PathBuf);

/// Returns the error for a path that does not stay there.
pub fn leads_out(path: &Path) -> io::Error {
    io::Error::other(LeadsOut(path.to_owned()))
}

/// Writes a candidate into a folder that has none of its files, its archives packed.
///
/// # Errors
/// If something cannot be written, or would stand outside of the folder.
pub fn whole(candidate: &Candidate, work: &Path) -> io::Result<()> {
    let candidate = &*packed(candidate)?;
    let (mut links, mut folders) = (vec![], vec![]);
    for (entry, pieces) in candidate.pieces() {
        if !stays_inside(&entry.path) {
            return Err(leads_out(&entry.path));
        }
        let path = work.join(&entry.path);
        match &entry.what {
            What::File { mode, .. } => file(&path, *mode, &pieces)?,
            // Archives are packed by now.
            What::Folder { mode } | What::Archive { mode, .. } => {
                folder_builder(true).create(&path)?;
                folders.push((&entry.path, *mode));
            }
            What::Link { target } => links.push((path, target)),
        }
    }
    // Links come last, so that nothing is written through them.
    for (path, target) in links {
        in_its_folder(&path, || symlink(target, &path))?;
    }
    // And the modes of folders after that, or a folder that is not writable could not be filled.
    for (path, mode) in folders.into_iter().rev() {
        set_below(work, path, Permissions::from_mode(mode))?;
    }
    Ok(())
}

/// Writes a new file.
pub fn file(path: &Path, mode: u32, pieces: &[&[u8]]) -> io::Result<()> {
    let create = || OpenOptions::new().write(true).create_new(true).mode(0o600).open(path);
    let mut file = in_its_folder(path, create)?;
    let mut slices: Vec<IoSlice<'_>> = pieces.iter().map(|piece| IoSlice::new(piece)).collect();
    let mut rest = &mut slices[..];
    while rest.iter().any(|slice| !slice.is_empty()) {
        let most = rest.len().min(PIECES);
        match file.write_vectored(&rest[..most]) {
            Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
            Ok(n) => IoSlice::advance_slices(&mut rest, n),
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    set_mode(&file, mode)
}

/// Sets the mode as it is, whatever the umask.
fn set_mode(file: &File, mode: u32) -> io::Result<()> {
    file.set_permissions(Permissions::from_mode(mode))
}

/// Makes something, and first the folder it stands in if that is missing.
fn in_its_folder<T>(path: &Path, make: impl Fn() -> io::Result<T>) -> io::Result<T> {
    match (make(), path.parent()) {
        (Err(error), Some(parent)) if error.kind() == io::ErrorKind::NotFound => {
            folder_builder(true).create(parent)?;
            make()
        }
        (made, _) => made,
    }
}
