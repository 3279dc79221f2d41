//! What an error of the system means for a run.

use reduct_session::executor::Trouble;
use std::io;
use std::path::Path;

/// Returns what an error of a system call, met while preparing a test, means for the test.
pub(super) fn trouble(what: &Path, error: &io::Error) -> Trouble {
    let message = format!("{}: {error}", what.display());
    match error.raw_os_error() {
        Some(libc::ENOSPC | libc::EDQUOT) => Trouble::NoSpace(message),
        Some(libc::EMFILE | libc::ENFILE) => Trouble::NoDescriptor(message),
        Some(libc::EAGAIN | libc::ENOMEM) => Trouble::NoProcess(message),
        _ => Trouble::Other(message),
    }
}
