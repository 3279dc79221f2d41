//! This executable, started again: as a supervisor of tests, or as what traces a command.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// Another executable that is started instead.
static PROGRAM: OnceLock<PathBuf> = OnceLock::new();

/// Takes another executable for a supervisor than the one that runs, e.g. `reduct`. The first one that is named counts.
pub fn use_program(program: PathBuf) {
    PROGRAM.get_or_init(|| program);
}

/// Returns whether another executable is started instead.
pub(crate) fn is_another() -> bool {
    PROGRAM.get().is_some()
}

/// Returns the words before a command that have this executable run it, as a hidden argument says, and write to `list` what it
/// does.
pub(crate) fn by_this_executable(argument: &str, list: &Path) -> Vec<OsString> {
    vec![this_executable().into_os_string(), argument.into(), list.into()]
}

pub(crate) fn this_executable() -> PathBuf {
    if let Some(program) = PROGRAM.get() {
        return program.clone();
    }
    // This link leads to the very executable that runs, even if another one has taken its place.
    let link = PathBuf::from("/proc/self/exe");
    if link.exists() { link } else { std::env::current_exe().unwrap_or(link) }
}
