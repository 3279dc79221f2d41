//! What is left of the executions of a program, for runs whose input is a recorded plan.

use crate::branch;
use crate::errors::Refusal;
use crate::job::Job;
use crate::runs::{Run, published};
use crate::shell::quoted;
use reduct_report::listing::{Ending, KeptListing, Listing};
use reduct_session::journal;
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

/// Where the folder of a run keeps the listing of its result.
const KEPT: &str = "listing.json";

/// Of a recorded plan, or a listing, so many bytes are read.
const MOST: u64 = 64 << 20;

/// What is left of the executions of a program.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct ExecutionsLeft {
    /// The lines of the program, how often they are executed, and what they assign.
    pub listing: Listing,
    /// The file of the plan.
    pub plan: PathBuf,
    /// The program, with its arguments.
    pub program: Vec<OsString>,
    /// The files and folders that were looked into, as options say it; none if the plan says it itself.
    only: Vec<PathBuf>,
}

impl ExecutionsLeft {
    /// Returns the listing as the terminal has it, in this folder.
    pub fn text(&self, folder: &Path) -> String {
        let (command, options) = (self.line(), self.options(folder));
        self.listing.text(&Ending { plan: below(&self.plan, folder), options: &options, command: &command })
    }

    /// Returns the command that runs the program under the plan, in this folder.
    pub fn again(&self, folder: &Path) -> String {
        let (command, options) = (self.line(), self.options(folder));
        self.listing.command(&Ending { plan: below(&self.plan, folder), options: &options, command: &command })
    }

    fn options(&self, folder: &Path) -> String {
        let option = |path: &PathBuf| format!(" --only {}", quoted(below(path, folder).as_os_str()));
        self.only.iter().map(option).collect()
    }

    fn line(&self) -> String {
        self.program.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
    }
}

fn below<'a>(path: &'a Path, folder: &Path) -> &'a Path {
    match path.strip_prefix(folder) {
        Ok(within) if within.as_os_str().is_empty() => Path::new("."),
        Ok(within) => within,
        Err(_) => path,
    }
}

/// Returns what is left of the executions that a run began with, if it is about executions. `left` is the plan that is left; if nothing is
/// given, it is the one whose listing was kept.
pub fn executions_left(run: &Run, job: &Job, left: Option<&[u8]>) -> Option<ExecutionsLeft> {
    // What runs the program under a plan stands before it. Another test of a plan is about a text.
    let (step, program) = job.stepped()?;
    let kept = read(&run.folder.join(KEPT)).and_then(|text| serde_json::from_slice::<KeptListing>(&text).ok());
    let listing = match left {
        Some(left) => Listing::of_result(&records_of_executions(run, job), left, kept)?,
        None => kept?.listing,
    };
    let records = journal::read(&run.journal()).map(|(records, _)| records).unwrap_or_default();
    let plan = published(&records).unwrap_or_else(|| job.out.clone());
    let said = step.windows(2).filter(|words| words[0] == "--only").map(|words| PathBuf::from(&words[1]));
    let only = if listing.is_built() { vec![] } else { said.collect() };
    Some(ExecutionsLeft { listing, plan, program: program.to_vec(), only })
}

/// Returns the records of executions of the branch that a run is in: the plan that the run began with, and deeper records of what was left
/// of it, in their order. None, if it is about something else.
pub fn records_of_executions(run: &Run, job: &Job) -> Vec<Vec<u8>> {
    let [input] = &job.inputs[..] else { return vec![] };
    let name = input.file_name().unwrap_or_default();
    let records = journal::read(&run.journal()).map(|(records, _)| records).unwrap_or_default();
    let deeper = branch::records_of_executions(&records).into_iter().map(|number| run.record_folder(number));
    std::iter::once(run.input()).chain(deeper).map_while(|folder| read(&folder.join(name))).collect()
}

/// Returns a file of a run, if it is one, and not too large.
fn read(path: &Path) -> Option<Vec<u8>> {
    let is_read = fs::symlink_metadata(path).is_ok_and(|meta| meta.is_file() && meta.len() <= MOST);
    if is_read { fs::read(path).ok() } else { None }
}

/// Keeps the listing of a plan that is left in the folder of a run, if that is kept.
///
/// # Errors
/// If it cannot be written.
pub fn keep_listing(run: &Run, plan: &[u8], listing: Listing) -> Result<(), Refusal> {
    if !run.folder.is_dir() {
        return Ok(());
    }
    let (fresh, place) = (run.folder.join(".listing.new"), run.folder.join(KEPT));
    // Texts and numbers can be written.
    let text = serde_json::to_vec(&KeptListing::new(plan, listing)).unwrap_or_default();
    fs::write(&fresh, text).and_then(|()| fs::rename(&fresh, &place)).map_err(Refusal::io("write", &place))
}
