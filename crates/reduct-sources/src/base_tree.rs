//! What all candidates of a session stand on.

use crate::Remark;

/// What all candidates of a session stand on: the files that no change touches.
///
/// With a base tree, a slot keeps its folder from test to test and only touches what differs, so that a
/// build in it stays incremental. What varies are the paths of all entries of
/// [`Candidate::base`](reduct_input::Candidate::base); several of them may stand at one path, of which a candidate has
/// one at most.
pub trait BaseTree: Send + Sync + std::fmt::Debug {
    /// Makes sure that it lays the same from now on, whatever becomes of what it lays: `place` is a path in the scratch
    /// folder of the session at which nothing stands, for what it needs for that.
    ///
    /// # Errors
    /// If something cannot be read or written.
    fn take_in(&self, _place: &std::path::Path) -> std::io::Result<()> {
        Ok(())
    }

    /// Fills an empty folder. May be called on several threads at a time, for different folders.
    ///
    /// # Errors
    /// If something cannot be read or written.
    fn populate(&self, folder: &std::path::Path) -> std::io::Result<()>;

    /// Returns what tells it from other base trees: on another one, what was learned of candidates says nothing.
    fn identity(&self) -> Vec<u8>;

    /// Returns what of it is another one each time, as it is written while a run goes on.
    fn own(&self) -> Vec<std::path::PathBuf> {
        vec![]
    }

    /// Returns the same as [`BaseTree::identity`], in which these do not count, which were another run's own.
    fn identity_but(&self, _own: &[std::path::PathBuf]) -> Vec<u8> {
        self.identity()
    }

    /// Returns the files that were something else when that was `identity_but`. `None` if there are now other files, or other
    /// links, or if that cannot be told.
    fn changed_since(&self, _identity: &[u8], _own: &[std::path::PathBuf]) -> Option<Vec<std::path::PathBuf>> {
        None
    }

    /// Returns what is to be said of it at the end.
    fn remarks(&self) -> Vec<Remark> {
        vec![]
    }

    /// Returns where an entry of a candidate stands in such a folder.
    fn place(&self, path: &std::path::Path) -> std::path::PathBuf {
        path.to_owned()
    }

    /// Returns whether a path is in a folder that candidates are made of, so that what tests make there they make of the candidate.
    fn is_in_candidate(&self, _path: &std::path::Path) -> bool {
        false
    }

    /// Returns whether what tests do to what was laid is undone after each of them: see [`BaseTree::lay_again`].
    fn lays_again(&self) -> bool {
        false
    }

    /// Returns what it lays at a path, if anything.
    fn lays(&self, _path: &std::path::Path) -> Option<Laid> {
        None
    }

    /// Lays one thing again, whose place is free; of a folder, not what is in it. `false` if it has nothing there.
    ///
    /// # Errors
    /// If it cannot be read or written.
    fn lay_again(&self, _folder: &std::path::Path, _path: &std::path::Path) -> std::io::Result<bool> {
        Ok(false)
    }
}

/// What a base tree lays at a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Laid {
    /// A folder.
    Folder,
    /// A file or a link.
    Other,
}

/// Returns what tells a file or folder from what it was before, as far as can be told without reading it: for all in it
/// their paths, sizes and times.
pub(crate) fn stamp(of: &std::path::Path, name: &std::path::Path) -> Vec<u8> {
    use std::os::unix::fs::MetadataExt;
    let mut stamp = name.as_os_str().as_encoded_bytes().to_vec();
    match std::fs::symlink_metadata(of) {
        Ok(meta) if meta.is_dir() => {
            let entries = std::fs::read_dir(of).into_iter().flatten().flatten();
            let mut names: Vec<std::ffi::OsString> = entries.map(|entry| entry.file_name()).collect();
            names.sort();
            names.iter().for_each(|inner| stamp.extend(self::stamp(&of.join(inner), std::path::Path::new(inner))));
        }
        Ok(meta) => stamp.extend(format!("\0{} {} {}\n", meta.size(), meta.mtime(), meta.mtime_nsec()).bytes()),
        Err(_) => stamp.push(0),
    }
    stamp
}
