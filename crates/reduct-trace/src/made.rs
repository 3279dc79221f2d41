//! The code that a driver has made of a program while it recorded it: kept for the tests, which need not make it again.

use crate::compiled::is_users;
use crate::program::Program;
use crate::recording::beside;
use std::ffi::OsStr;
use std::fs;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::DirBuilderExt;
use std::path::{Path, PathBuf};

/// Where a driver keeps it: behind the name of the record.
pub(crate) const MADE: &str = "made";

/// The file in its folder.
const FILE: &str = "code";

/// Keeps the code that a driver has made beside a record, for tests of a program in a folder. Returns the file, in the folder for temporary
/// files: each program has one there, in which only this user can write. `None` if the driver makes none.
///
/// # Errors
/// If it cannot be written.
pub fn keep_made(record: &Path, program: &Program, folder: &Path) -> io::Result<Option<PathBuf>> {
    let made = match fs::read(beside(record, MADE)) {
        Ok(made) => made,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error),
    };
    let mut digest = blake3::Hasher::new();
    let words = program.interpreter.iter().chain(&program.words).map(|word| word.as_bytes());
    for part in words.chain([folder.as_os_str().as_bytes()]) {
        digest.update(&(part.len() as u64).to_le_bytes()).update(part);
    }
    let place = std::env::temp_dir().join(format!("{}{}", prefix(), &digest.finalize().to_hex()[..16]));
    match fs::DirBuilder::new().mode(0o700).create(&place) {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ if !is_users(&place) => return Err(io::ErrorKind::PermissionDenied.into()),
        _ => {}
    }
    let fresh = tempfile::NamedTempFile::new_in(&place)?;
    fs::write(fresh.path(), made)?;
    fresh.persist(place.join(FILE)).map_err(|error| error.error)?;
    Ok(Some(place.join(FILE)))
}

/// Removes the code that a driver has made, with its folder, if the file is one of [`keep_made`]. What cannot be removed stays.
pub fn remove_made(file: &Path) {
    if let Some(place) = file.parent().filter(|place| is_made(file) && is_users(place)) {
        drop(fs::remove_file(file).and_then(|()| fs::remove_dir(place)));
    }
}

/// Returns whether a path is that of a file of [`keep_made`].
fn is_made(file: &Path) -> bool {
    let is_of_code = |name: &OsStr| name.as_bytes().starts_with(prefix().as_bytes());
    let place = file.parent().and_then(Path::file_name);
    file.file_name().is_some_and(|name| name == FILE) && place.is_some_and(is_of_code)
}

/// Returns what the names of the folders of this user's code begin with.
fn prefix() -> String {
    format!("reduct-made-{}-", rustix::process::getuid().as_raw())
}
