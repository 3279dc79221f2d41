//! C: guards stand in the files of a copy of the project, which was built ([`GuardedTree`](crate::GuardedTree)). `c.c` is preloaded into
//! the program.

use super::c_library::library;
use super::{BuiltLanguage, Driver, Driving, Prepared};
use crate::error::StepError;
use crate::guarded_tree::BuiltTree;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::Path;
use std::process::Command;

/// What is preloaded into programs, in the folder of a tree.
const LIBRARY: &str = "guards.so";

/// What gcc's address sanitizer is told: that a library is loaded before it does no harm.
const ASAN: &str = "verify_asan_link_order=0";

pub(crate) static DRIVER: Driver = Driver::of_guards("c", "C", command);

pub(super) static LANGUAGE: BuiltLanguage = BuiltLanguage { driver: &DRIVER, extension: "c", foreign: &[], prepare };

/// Writes what is preloaded into programs.
fn prepare(folder: &Path) -> Result<Prepared, StepError> {
    let to = folder.join(LIBRARY);
    fs::copy(library()?, &to).map(|_| Prepared::default()).map_err(|why| StepError::Unwritable { path: to, why })
}

fn command(driving: &Driving<'_>) -> Result<Command, StepError> {
    let built = BuiltTree::at(driving.prepared.ok_or(StepError::NoBuild)?)?;
    let instructions = built.instruct(driving)?;
    let mut command = driving.in_copy(&built);
    command.env("REDUCT_GUARDS", instructions);
    let mut preloaded = built.folder.join(LIBRARY).into_os_string();
    if let Some(before) = std::env::var_os("LD_PRELOAD").filter(|it| !it.is_empty()) {
        command.env("REDUCT_GUARDS_BEFORE", &before);
        preloaded.push(" ");
        preloaded.push(before);
    }
    command.env("LD_PRELOAD", preloaded);
    let before = std::env::var_os("ASAN_OPTIONS").filter(|it| !it.is_empty());
    let options = before.into_iter().chain([OsString::from(ASAN)]).collect::<Vec<_>>().join(OsStr::new(":"));
    command.env("ASAN_OPTIONS", options);
    Ok(command)
}
