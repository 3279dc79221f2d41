//! The place of a plan: how it is named, and whether it may be written there.

use super::super::reduce::beside;
use crate::cli::usage;
use reduct_lib::Refusal;
use reduct_trace::{BuiltTree, ExecutionPlan, Program};
use std::fs;
use std::path::{Path, PathBuf};

/// The file of a plan, and the program that it is of.
pub(super) struct PlanFile {
    /// As it is to be shown.
    pub(super) path: PathBuf,
    /// The program, as [`Program::recorded`] tells it from others.
    pub(super) program: String,
}

impl PlanFile {
    /// Returns the place of a plan: the one that is given, or `prog.py.trace.txt` for `prog.py`, in the current folder. `built` is where the program was
    /// built, if it was.
    pub(super) fn of(program: &Program, folder: &Path, built: Option<&Path>, given: Option<&Path>) -> PlanFile {
        let tree = built.map(BuiltTree::tree_in);
        let path = given.map(Path::to_owned).unwrap_or_else(|| {
            let mut name = program.recorded_name(folder, tree.as_deref());
            name.push(".trace.txt");
            name.into()
        });
        let program = program.recorded(folder, tree.as_deref()).to_string_lossy().into_owned();
        PlanFile { path, program }
    }

    /// Returns the place of the result.
    pub(super) fn result(&self, folder: &Path) -> PathBuf {
        folder.join(beside(&self.path, "reduced"))
    }

    /// Checks whether plan and result may be written: not over what is none, nor over those of another program.
    ///
    /// # Errors
    /// If they may not.
    pub(super) fn may_be_written(&self, folder: &Path) -> Result<(), Refusal> {
        is_free(&folder.join(&self.path))?;
        for path in [folder.join(&self.path), self.result(folder)] {
            let there = fs::read(&path).ok().and_then(|it| ExecutionPlan::parse(&String::from_utf8_lossy(&it)).ok());
            if let Some(other) = there.and_then(|it| it.about.program).filter(|it| *it != self.program) {
                let help = "name another place with --out, or replace it with --force";
                return Err(usage(format!("{} is about another program: {other}", path.display()), help));
            }
        }
        Ok(())
    }
}

/// Checks whether a place is free for a plan: nothing is there, or an earlier plan.
///
/// # Errors
/// If something else is there.
pub(super) fn is_free(path: &Path) -> Result<(), Refusal> {
    let is_plan = || fs::read(path).is_ok_and(|it| ExecutionPlan::is_recorded(&String::from_utf8_lossy(&it)));
    if !path.exists() || is_plan() {
        return Ok(());
    }
    let help = "name another place with --out, or replace it with --force";
    Err(usage(format!("{} is there, and is no recorded plan", path.display()), help))
}
