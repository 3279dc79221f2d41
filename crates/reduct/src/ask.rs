//! A person as the test: what is asked, where candidates stand meanwhile, and what is taken for granted.

mod console;

use crate::errors::Refusal;
use crate::job::Job;
use crate::preflight::Settled;
use crate::runs::Run;
use console::Console;
use reduct_run::executor::Executor;
use reduct_run::executor::person::Person;
use reduct_run::journal;
use reduct_run::load::RUNS;
use reduct_run::oracle::Reading;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A person is asked instead of a test being run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asking {
    /// When that was begun, in nanoseconds since 1970: what is answered in one run is not taken for an answer in
    /// another one, which may be about another failure.
    pub since: u64,
}

impl Asking {
    /// From now on.
    pub fn now() -> Asking {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Asking { since: u64::try_from(since.as_nanos()).unwrap_or(u64::MAX) }
    }
}

/// Nobody is hurried.
const NO_HURRY: Duration = Duration::from_secs(366 * 24 * 3600);

/// What is taken from the word of who asks: that the whole fails, and that nothing or the other side passes.
pub(crate) fn settled() -> Settled {
    let failure = "what you say it is".into();
    Settled { reading: Reading::ExitZero, time_limit: NO_HURRY, failure, policy: None }
}

/// What is proved of the result of answers, in words.
pub(crate) fn proved(proved: &str, unresolved: u64) -> String {
    let unclear = if unresolved > 0 { " and that what you could not tell of does not fail" } else { "" };
    format!("by your answers, and taken that the whole fails and nothing passes{unclear}: {proved}")
}

/// Whether a person is asked in a run.
///
/// # Errors
/// If the run cannot be read.
pub fn asks_a_person(run: &Run) -> Result<bool, Refusal> {
    let (records, _) = journal::read(&run.journal())?;
    Ok(run.job(&records)?.0.ask.is_some())
}

/// A person at this terminal, or at the other end of standard input.
pub(crate) fn lab(job: &Job) -> Result<Box<dyn Executor>, Refusal> {
    let all = job.folder.join(RUNS).join(ASKED);
    sweep(&all);
    let folder = all.join(std::process::id().to_string());
    fs::create_dir_all(&folder).map_err(Refusal::io("make", &folder))?;
    let invocation = job.invocation()?;
    let console = Console::new(folder, invocation.subject, invocation.argv);
    Ok(Box::new(Person::new(Box::new(console))))
}

/// The folder of what is shown, beside the runs; in it, one for each process.
const ASKED: &str = "asked";

/// Removes what processes have left that were killed.
fn sweep(all: &Path) {
    for entry in fs::read_dir(all).into_iter().flatten().flatten() {
        let is_dead = |name: OsString| !Path::new("/proc").join(name).exists();
        if is_dead(entry.file_name()) {
            // What cannot be removed harms nobody.
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}

/// The words of a command that shows what is at `path`: with it in the place of `{}`, or at the end.
fn showing(argv: &[OsString], path: &Path) -> Vec<OsString> {
    use std::os::unix::ffi::{OsStrExt, OsStringExt};
    let path = path.as_os_str().as_bytes();
    let mut named = false;
    let mut words: Vec<OsString> = argv
        .iter()
        .map(|word| {
            let (mut text, mut rest) = (vec![], word.as_bytes());
            while let Some(at) = rest.windows(2).position(|two| two == b"{}") {
                text.extend_from_slice(&rest[..at]);
                text.extend_from_slice(path);
                (rest, named) = (&rest[at + 2..], true);
            }
            text.extend_from_slice(rest);
            OsString::from_vec(text)
        })
        .collect();
    if !named {
        words.push(PathBuf::from(OsString::from_vec(path.to_vec())).into_os_string());
    }
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_path_stands_where_it_is_named_or_at_the_end() {
        let words = |argv: &[&str]| {
            let argv: Vec<OsString> = argv.iter().map(OsString::from).collect();
            showing(&argv, Path::new("/a b/page.html"))
        };
        assert_eq!(words(&["view", "{}"]), ["view", "/a b/page.html"]);
        assert_eq!(words(&["view", "file://{}", "-x"]), ["view", "file:///a b/page.html", "-x"]);
        assert_eq!(words(&["view", "-x"]), ["view", "-x", "/a b/page.html"]);
    }
}
