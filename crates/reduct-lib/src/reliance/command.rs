//! The programs that a command starts, and the lines that it has a shell read.

use crate::errors::Refusal;
use crate::job::{Job, is_program};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;

/// Returns the lines for a shell in a job: they name programs and files as a command does.
pub(super) fn lines(job: &Job) -> Result<Vec<std::ffi::OsString>, Refusal> {
    let invocation = job.invocation()?;
    let of = |argv: &[std::ffi::OsString]| argv.get(2).filter(|_| argv[1] == "-c").cloned();
    Ok(of(&invocation.argv).into_iter().chain(invocation.after.reference).chain(of(&job.comparing.build)).collect())
}

/// Returns where a command is found.
pub(super) fn program(word: &OsStr) -> Option<PathBuf> {
    if word.as_bytes().contains(&b'/') {
        return Some(word.into());
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(word)).find(|file| is_program(file))
}
