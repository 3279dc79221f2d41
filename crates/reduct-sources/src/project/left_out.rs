//! What is left out of copies, as it cannot be read.

use crate::Remark;
use rustix::io::Errno;
use std::io;
use std::path::{Path, PathBuf};

/// Paths of a project that are left out.
#[derive(Debug, Default)]
pub(super) struct LeftOut(Vec<PathBuf>);

impl LeftOut {
    pub(super) fn add(&mut self, path: &Path) {
        self.0.push(path.to_owned());
    }

    /// Returns what was got of a path; `None`, and it is left out, if it cannot be read or something else stands there
    /// by now.
    ///
    /// # Errors
    /// If it is not the path that it fails for, but the machine: what is missing then would be missed by the tests.
    pub(super) fn unless_read<T>(&mut self, path: &Path, got: io::Result<T>) -> io::Result<Option<T>> {
        match got {
            Err(error) if is_of_the_path(&error) => {
                self.add(path);
                Ok(None)
            }
            got => got.map(Some),
        }
    }

    /// Returns the same, where what is gone meanwhile is not worth a word.
    pub(super) fn unless_read_or_gone<T>(&mut self, path: &Path, got: io::Result<T>) -> io::Result<Option<T>> {
        match got {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
            got => self.unless_read(path, got),
        }
    }

    /// Returns how many there are.
    pub(super) fn count(&self) -> usize {
        self.0.len()
    }

    /// Returns the first that came after so many.
    pub(super) fn first_after(&self, count: usize) -> Option<&Path> {
        self.0.get(count).map(PathBuf::as_path)
    }

    /// Forgets all that came after so many.
    pub(super) fn truncate(&mut self, count: usize) {
        self.0.truncate(count);
    }

    /// Returns all of them as one remark; nothing if there is none.
    pub(super) fn remark(&self) -> Option<Remark> {
        let first = self.0.iter().min()?.clone();
        Some(Remark::Unreadable { first, more: self.0.len() - 1 })
    }
}

/// Returns whether an error says something of the path: it may not be read, is gone, or is a link, a socket or a device
/// by now.
fn is_of_the_path(error: &io::Error) -> bool {
    let of_the_path = [Errno::ACCESS, Errno::PERM, Errno::NOENT, Errno::LOOP, Errno::NXIO, Errno::NODEV, Errno::NOTDIR];
    of_the_path.iter().any(|errno| error.raw_os_error() == Some(errno.raw_os_error()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_the_machine_lacks_leaves_nothing_out() {
        let failed = |errno: Errno| io::Result::<()>::Err(errno.into());
        let path = Path::new("a");
        let mut left_out = LeftOut::default();
        for errno in [Errno::IO, Errno::MFILE, Errno::NFILE, Errno::NOSPC, Errno::NOMEM, Errno::STALE] {
            assert!(left_out.unless_read(path, failed(errno)).is_err(), "{errno}");
        }
        assert_eq!(left_out.remark(), None);
        assert_eq!(left_out.unless_read(path, Ok(7)).unwrap(), Some(7));
        assert_eq!(left_out.unless_read_or_gone(path, failed(Errno::NOENT)).unwrap(), None);
        assert_eq!(left_out.count(), 0);
        for errno in [Errno::ACCESS, Errno::PERM, Errno::NOENT, Errno::LOOP, Errno::NXIO] {
            assert_eq!(left_out.unless_read(path, failed(errno)).unwrap(), None, "{errno}");
        }
        assert_eq!(left_out.remark(), Some(Remark::Unreadable { first: path.into(), more: 4 }));
    }
}
