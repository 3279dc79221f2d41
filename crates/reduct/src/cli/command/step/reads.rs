//! Before which executions the driver looks at what their statements read: the last ones of a plan.

use reduct_trace::{ExecutionPlan, Place, ReadBy};
use std::collections::{BTreeMap, HashMap};
use std::path::Path;

/// Returns the last execution of each statement that a plan has, with the names that it reads, as far as its language has guards in its
/// text. Files are seen from the current folder.
pub(super) fn of(plan: &Path) -> Result<Vec<ReadBy>, String> {
    let named = |why: String| format!("{}: {why}", plan.display());
    let text = std::fs::read_to_string(plan).map_err(|error| named(error.to_string()))?;
    let plan = ExecutionPlan::parse(&text).map_err(|error| named(error.to_string()))?;
    let statements = plan.events().iter().filter(|event| !event.place.is_iteration);
    let last: BTreeMap<&Place, u32> = statements.map(|event| (&event.place, event.time)).collect();
    let mut files: HashMap<&str, HashMap<(u32, u32), Vec<String>>> = HashMap::new();
    let of_each = last.into_iter().map(|(place, time)| {
        let names = files.entry(&place.file).or_insert_with(|| names_in(Path::new(&place.file)));
        (time, names.get(&(place.line, place.nth)).cloned().unwrap_or_default())
    });
    Ok(of_each.collect())
}

/// Returns what the statements of a file read, by the line and which one on the line.
fn names_in(file: &Path) -> HashMap<(u32, u32), Vec<String>> {
    let read = std::fs::read(file).ok().and_then(|text| reduct_grammars::statement_names(file, &text));
    let statements = read.into_iter().flatten().filter(|(it, _)| !it.is_iteration);
    statements.map(|(it, names)| ((it.line, it.nth), names.read)).collect()
}
