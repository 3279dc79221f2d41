//! A scheduler of threads that is preloaded into programs: `scheduler.c`, compiled by the build script.

use rustix::process::getuid;
use std::ffi::OsString;
use std::fs;
use std::io::{self, Write};
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};

/// The library.
const SCHEDULER: &[u8] = include_bytes!(concat!(env!("OUT_DIR"), "/scheduler.so"));

/// Its file.
const FILE: &str = "libreduct-scheduler.so";

/// Names by which a program that is compiled with `-fsanitize=thread` asks for the library that this one stands in for.
const SANITIZERS: [&str; 3] = ["libtsan.so.0", "libtsan.so.1", "libtsan.so.2"];

/// The library in the file system, where programs find it.
#[derive(Clone, Debug)]
pub struct Library {
    folder: PathBuf,
}

impl Library {
    /// Places the library in the folder for temporary files, or finds it there from an earlier call.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn placed() -> io::Result<Library> {
        let digest = blake3::hash(SCHEDULER).to_hex();
        let name = format!("reduct-scheduler-{}-{}", getuid().as_raw(), &digest[..16]);
        let folder = std::env::temp_dir().join(name);
        if !is_own(&folder) {
            // Made apart, so that nobody sees half of it; somebody else may be faster.
            let fresh = tempfile::Builder::new().prefix("reduct-scheduler-").tempdir()?;
            write(fresh.path())?;
            if fs::rename(fresh.path(), &folder).is_err() && !is_own(&folder) {
                return Ok(Library { folder: fresh.keep() });
            }
        }
        Ok(Library { folder })
    }

    /// Returns the variables with which a program runs under the scheduler, beside those that it has anyway.
    pub fn variables(&self) -> Vec<(&'static str, OsString)> {
        let with = |name: &'static str, first: PathBuf, separator: &str| {
            let mut value = first.into_os_string();
            if let Some(others) = std::env::var_os(name).filter(|others| !others.is_empty()) {
                value.push(separator);
                value.push(others);
            }
            (name, value)
        };
        vec![with("LD_PRELOAD", self.folder.join(FILE), " "), with("LD_LIBRARY_PATH", self.folder.clone(), ":")]
    }
}

/// Returns whether a folder is this user's, and holds the library.
fn is_own(folder: &Path) -> bool {
    let is_users = |path: &Path| fs::symlink_metadata(path).is_ok_and(|it| it.uid() == getuid().as_raw());
    is_users(folder)
        && is_users(&folder.join(FILE))
        && fs::read(folder.join(FILE)).is_ok_and(|bytes| bytes == SCHEDULER)
        && SANITIZERS.iter().all(|name| fs::read_link(folder.join(name)).is_ok_and(|to| to == Path::new(FILE)))
}

fn write(folder: &Path) -> io::Result<()> {
    fs::DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
    fs::File::create(folder.join(FILE))?.write_all(SCHEDULER)?;
    SANITIZERS.iter().try_for_each(|name| std::os::unix::fs::symlink(FILE, folder.join(name)))
}

/// Runs the example of the README as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
