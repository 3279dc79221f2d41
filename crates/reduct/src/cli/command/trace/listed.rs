//! The listing of what is left of an execution.

use crate::cli::say::say;
use crate::cli::view;
use reduct_lib::{
    Failure, Job, Refusal, Run as RunFolder, Why, executions_left, keep_listing, records_of_executions, run_once,
};
use reduct_oracle::Exit;
use reduct_report::listing::{
    Ending, Listed, Listing, stopped, telling, unassigned as said_of_unassigned, values_not_had, zero_of_nothing,
};
use reduct_trace::{
    ComparedRuns, ExecutionPlan, Leftover, Place, RunValues, Statement, Written, read_statements, record_file, united,
};
use std::collections::{BTreeMap, HashMap};
use std::ffi::OsString;
use std::fs::{self, read_to_string};
use std::io::{Write, stdout};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// So many variables without a value are named.
const UNASSIGNED: usize = 3;

/// A run whose values are written down may take so many times as long as one without.
const SLOWER: u32 = 5;

/// It may take so long, however short the other one is.
const LEAST_LIMIT: Duration = Duration::from_secs(2);

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
    /// Returns the listing as the terminal has it.
    pub(in crate::cli::command) fn text(&self) -> String {
        let here = std::env::current_dir().ok();
        let plan = here.and_then(|here| self.plan.strip_prefix(here).ok()).unwrap_or(self.plan);
        self.listing().text(&Ending { plan, options: "", command: &line_of(self.words) })
    }

    fn listing(&self) -> Listing {
        let (values, statements) = (RunValues::of(self.values).assigned, described(self.values));
        let (values, statements, compared) = (&values, &statements, &BTreeMap::new());
        Listing::of(&Listed { whole: self.whole, left: self.left, statements, values, compared })
    }
}

/// Reads the statements that a driver has described beside what was assigned.
fn described(values: &Path) -> HashMap<Place, Statement> {
    let statements = read_statements(values).unwrap_or_default().into_values();
    statements.map(|it| (it.place.clone(), it)).collect()
}

/// Runs the program of a run once more under the plan that is left, keeps the listing in the folder of the run, and prints it, unless
/// nothing but the end is to be printed. If the run is about something else than executions, nothing is done. `why` is why the run has ended.
///
/// # Errors
/// If the program cannot be run, or the listing cannot be kept.
pub(in crate::cli::command) fn list(job: &Job, run: &Path, why: &Why, is_quiet: bool) -> Result<(), Refusal> {
    let run = RunFolder::at(run.to_owned());
    let at = job.command.iter().position(|word| word == "--");
    let Some(at) = at else { return Ok(()) };
    let Some(plan) = fs::read(&job.out).ok().filter(|plan| executions_left(&run, job, Some(plan)).is_some()) else {
        return Ok(());
    };
    let parsed = |bytes: &[u8]| ExecutionPlan::parse(&String::from_utf8_lossy(bytes)).ok();
    let whole = united(records_of_executions(&run, job).iter().map_while(|text| parsed(text)));
    let (Some(whole), Some(left)) = (whole, parsed(&plan)) else { return Ok(()) };
    let own = tempfile::tempdir().map_err(Refusal::io("make", "a folder for values"))?;
    let reads = own.path().join("reads");
    fs::write(&reads, &plan).map_err(Refusal::io("write", &reads))?;
    let looking = Looking { job, at, own: own.path(), reads: &reads };
    let (file, _) = looking.values("values", job.out.clone(), None)?;
    let (here, statements) = (RunValues::of(&file), described(&file));
    let input = job.inputs.first().and_then(|input| input.file_name());
    let (of_whole, not_had) = input.map(|name| looking.whole(&run.input().join(name), is_quiet)).unwrap_or_default();
    // What is another value in each run says nothing.
    let again = of_whole.as_ref().and_then(|_| looking.values("again", job.out.clone(), None).ok());
    let alike = again.map(|(file, _)| here.alike(&RunValues::of(&file))).unwrap_or_default();
    let mut all = of_whole.as_deref().map(described).unwrap_or_default();
    all.extend(statements.clone());
    let there = of_whole.as_deref().map(RunValues::of).unwrap_or_default();
    let written = written_in(&whole, &job.folder);
    let runs =
        ComparedRuns { whole: &whole, left: &left, statements: &all, here: &alike, there: &there, written: &written };
    let (values, compared) = (&here.assigned, &runs.differences());
    let listed = Listed { whole: &whole, left: &left, statements: &statements, values, compared };
    let mut listing = Listing::of(&listed);
    listing.telling = runs.telling().map(|it| telling(&it));
    let language = ExecutionPlan::language_of(&String::from_utf8_lossy(&plan)).unwrap_or_default().to_owned();
    let sources = texts_of(&left, &job.folder);
    let (language, whole, left) = (language.as_str(), &whole, &left);
    let leftover = Leftover { language, whole, left, statements: &statements, values, sources: &sources };
    let has_told = listing.telling.is_some();
    // Where drivers tell what is read, no text is asked.
    let is_told = has_told || !here.read.is_empty();
    let unassigned = if is_told { vec![] } else { leftover.shown(leftover.likely(), &there.assigned) };
    let is_of_c = language == "c";
    let is_of_nothing = !has_told && listing.is_built() && listing.assigns_no_zero() && prints_zero(&job.failure);
    keep_listing(&run, &plan, listing)?;
    if is_quiet {
        return Ok(());
    }
    if let Some(left) = executions_left(&run, job, Some(&plan)) {
        let mut text = left.text(&std::env::current_dir().unwrap_or_default());
        if !matches!(why, Why::Done | Why::Granularity(_)) {
            text += &format!("\n{}", stopped(&run.folder, &job.folder));
        }
        if is_of_nothing {
            text += &format!("\n{}", zero_of_nothing(is_of_c));
        }
        not_had.iter().for_each(|it| text += &format!("\n{it}"));
        unassigned.iter().take(UNASSIGNED).for_each(|it| text += &format!("\n{}", said_of_unassigned(it)));
        // Where nobody reads it, nothing is lost: it can be had again.
        let _ = writeln!(stdout(), "{text}");
    }
    Ok(())
}

/// The program is run with values written down.
struct Looking<'a> {
    job: &'a Job,
    /// Where options of the driver stand in its command.
    at: usize,
    /// A folder for what is written.
    own: &'a Path,
    /// The plan before whose last executions it is looked.
    reads: &'a Path,
}

impl Looking<'_> {
    /// Runs it under a plan. Returns the file of its values, and whether the time was not enough.
    fn values(&self, name: &str, plan: PathBuf, limit: Option<Duration>) -> Result<(PathBuf, bool), Refusal> {
        let to = self.own.join(name);
        let mut command = self.job.command.clone();
        let options = ["--values".into(), to.clone().into(), "--reads".into(), self.reads.into()];
        command.splice(self.at..self.at, options);
        let limits = self.job.limits;
        let time = limits.time.into_iter().chain(limit).min();
        let once = self.job.clone().with_inputs(vec![plan]).with_command(command).with_limits(limits.with_time(time));
        let seen = view::hear(|mut audience| run_once(&once, self.own, &mut audience))?;
        Ok((to, matches!(seen.exit, Exit::Limit(_))))
    }

    /// Runs the whole program. Returns the file of its values; or what is said if it takes too long to write them down. If it cannot be run, nothing
    /// is said.
    fn whole(&self, plan: &Path, is_quiet: bool) -> (Option<PathBuf>, Option<String>) {
        let once = self.job.clone().with_inputs(vec![plan.to_owned()]);
        let Ok(plain) = view::hear(|mut audience| run_once(&once, self.own, &mut audience)) else {
            return (None, None);
        };
        let limit = plain.elapsed.saturating_mul(SLOWER).max(LEAST_LIMIT);
        if !is_quiet && limit > LEAST_LIMIT {
            say("Running the whole program once more for its values.");
        }
        match self.values("whole", plan.to_owned(), Some(limit)) {
            Ok((_, true)) => (None, Some(values_not_had(limit))),
            Ok((file, false)) => (Some(file), None),
            Err(_) => (None, None),
        }
    }
}

/// Returns what each statement of a plan writes, as far as its language has guards in its text.
fn written_in(plan: &ExecutionPlan, folder: &Path) -> HashMap<Place, Written> {
    let mut written = HashMap::new();
    for (file, text) in texts_of(plan, folder) {
        let names = reduct_grammars::statement_names(Path::new(&file), text.as_bytes()).into_iter().flatten();
        written.extend(names.map(|(it, names)| {
            let place = Place { file: file.clone(), line: it.line, nth: it.nth, is_iteration: it.is_iteration };
            (place, Written { names: names.written, own: names.own, several: names.several })
        }));
    }
    written
}

/// Returns the texts of the files of a plan, which names them from this folder on.
fn texts_of(plan: &ExecutionPlan, folder: &Path) -> HashMap<String, String> {
    let mut texts = HashMap::new();
    for file in plan.events().iter().map(|event| &event.place.file) {
        if !texts.contains_key(file) {
            texts.insert(file.clone(), read_to_string(folder.join(file)).unwrap_or_default());
        }
    }
    texts
}

/// Returns whether the failure is that a 0 is printed. The numbers of a repetition or a class (`x{0,3}`, `[0-9]`) are not printed.
fn prints_zero(failure: &Failure) -> bool {
    let Failure::Conditions(all) = failure else { return false };
    let is_zero = |number: &str| number.parse::<f64>().is_ok_and(|number| number == 0.0);
    let is_printed = |text: &str| !text.contains(['{', '[']);
    let has_zero = |text: &str| text.replace('\\', "").split(|c: char| !c.is_ascii_digit() && c != '.').any(is_zero);
    all.iter().map(ToString::to_string).any(|it| it.starts_with("stdout~") && is_printed(&it) && has_zero(&it))
}

/// Returns a command as a line for the shell.
pub(in crate::cli::command) fn line_of(words: &[OsString]) -> String {
    let quoted = words.iter().map(|word| reduct_oracle::shell_line::quoted(word.as_os_str().as_bytes()));
    quoted.map(|word| String::from_utf8_lossy(&word).into_owned()).collect::<Vec<_>>().join(" ")
}

/// Returns all that was recorded of the run of a plan, by the records that stand beside the first one: those that this one goes on from, not
/// those of other branches.
pub(in crate::cli::command) fn recorded_in_all(first: &Path, record: &ExecutionPlan) -> ExecutionPlan {
    let before = |record: &ExecutionPlan| {
        let number = record.about.record.as_ref()?.after;
        let text = read_to_string(record_file(first, number)).ok()?;
        ExecutionPlan::parse(&text).ok().filter(|it| it.record_number() == number && number < record.record_number())
    };
    let mut records: Vec<_> = std::iter::successors(Some(record.clone()), before).collect();
    records.reverse();
    united(records).unwrap_or_else(|| record.clone())
}

/// Returns the plan as it was recorded, from which this one was reduced: `prog.py.trace.txt` for `prog.py.trace.reduced.txt`.
pub(in crate::cli::command) fn recorded_beside(plan: &Path) -> PathBuf {
    let name = plan.file_name().unwrap_or_default().to_string_lossy();
    let whole = name.strip_suffix(".reduced.txt").map(|stem| plan.with_file_name(format!("{stem}.txt")));
    whole.filter(|path| path.is_file()).unwrap_or_else(|| plan.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_zero_is_a_number_of_its_own() {
        let prints = |condition: &str| prints_zero(&Failure::Conditions(vec![condition.parse().unwrap()]));
        for zero in ["stdout~(?m)^sum = 0$", "stdout~(?m)^mean: 0\\.00 of 7$", "stdout~0"] {
            assert!(prints(zero), "{zero}");
        }
        for other in ["stdout~(?m)^sum = 10$", "stdout~a 0\\.5", "exit=0", "!stdout~0", "stdout~x"] {
            assert!(!prints(other), "{other}");
        }
        assert!(!prints_zero(&Failure::Observed));
    }
}
