//! The listing of what is left of an execution.

use reduct_report::listing::{Ending, Listed, listing};
use reduct_trace::{ExecutionPlan, Place, Statement, read_statements};
use std::collections::HashMap;
use std::ffi::OsString;
use std::fs::read_to_string;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// A run under a plan is listed.
pub(in crate::cli::command) struct Run<'a> {
    pub(in crate::cli::command) whole: &'a ExecutionPlan,
    pub(in crate::cli::command) left: &'a ExecutionPlan,
    /// The file of what is left.
    pub(in crate::cli::command) plan: &'a Path,
    /// The program.
    pub(in crate::cli::command) words: &'a [OsString],
    /// What the driver has written: what was assigned, and, beside it, the statements.
    pub(in crate::cli::command) values: &'a Path,
}

impl Run<'_> {
    /// Returns the listing.
    pub(in crate::cli::command) fn listing(&self) -> String {
        let text = read_to_string(self.values).unwrap_or_default();
        let assigned = text.lines().filter_map(|line| serde_json::from_str::<(u32, serde_json::Map<_, _>)>(line).ok());
        let shown = |value: serde_json::Value| value.as_str().unwrap_or_default().to_owned();
        let mut values: HashMap<u32, Vec<(String, String)>> = HashMap::new();
        // A driver may write several lines of one execution: of a name, the last one counts.
        for (time, names) in assigned {
            let known = values.entry(time).or_default();
            for (name, value) in names.into_iter().map(|(name, it)| (name, shown(it))) {
                known.retain(|(other, _)| *other != name);
                known.push((name, value));
            }
        }
        let statements = read_statements(self.values).unwrap_or_default().into_values();
        let statements: HashMap<Place, Statement> = statements.map(|it| (it.place.clone(), it)).collect();
        let listed = Listed { whole: self.whole, left: self.left, statements: &statements, values: &values };
        let here = std::env::current_dir().ok();
        let plan = here.and_then(|here| self.plan.strip_prefix(here).ok()).unwrap_or(self.plan);
        listing(&listed, &Ending { plan, command: &line_of(self.words) })
    }
}

/// Returns a command as a line for the shell.
pub(in crate::cli::command) fn line_of(words: &[OsString]) -> String {
    let quoted = words.iter().map(|word| reduct_oracle::shell_line::quoted(word.as_os_str().as_bytes()));
    quoted.map(|word| String::from_utf8_lossy(&word).into_owned()).collect::<Vec<_>>().join(" ")
}

/// Returns the plan as it was recorded, from which this one was reduced: `prog.py.trace.txt` for `prog.py.trace.reduced.txt`.
pub(in crate::cli::command) fn recorded_beside(plan: &Path) -> PathBuf {
    let name = plan.file_name().unwrap_or_default().to_string_lossy();
    let whole = name.strip_suffix(".reduced.txt").map(|stem| plan.with_file_name(format!("{stem}.txt")));
    whole.filter(|path| path.is_file()).unwrap_or_else(|| plan.to_owned())
}
