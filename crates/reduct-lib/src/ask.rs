//! A person as the test: what is asked, where candidates stand meanwhile, and what is taken for granted.

mod both;
mod console;
mod page;
mod place;
mod standing;

use crate::errors::Refusal;
use crate::job::Job;
use crate::preflight::Settled;
use crate::runs::Run;
use both::Both;
use console::Console;
use page::Page;
use place::Place;
use reduct_oracle::Reading;
use reduct_oracle::shell_line::fill_in_command;
use reduct_session::executor::Executor;
use reduct_session::executor::person::{Person, Talk};
use reduct_session::journal;
use reduct_session::journal::Record;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use serde::{Deserialize, Serialize};
use standing::Standing;
use std::ffi::{OsStr, OsString};
use std::io::IsTerminal;
use std::path::Path;
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// A person is asked instead of a test being run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Asking {
    /// When that was begun, in nanoseconds since 1970: what is answered in one run is not taken for an answer in
    /// another one, which may be about another failure.
    pub since: u64,
    /// How the person is asked.
    #[serde(default)]
    pub by: Means,
}

/// How a person is asked.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Means {
    /// At this terminal, or at the other end of standard input.
    #[default]
    Terminal,
    /// On a page, and at the terminal if there is one.
    Page,
    /// Likewise, and the page is opened.
    Browser,
}

impl Asking {
    /// From now on.
    pub fn now(by: Means) -> Asking {
        let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
        Asking { since: u64::try_from(since.as_nanos()).unwrap_or(u64::MAX), by }
    }
}

/// Nobody is hurried.
const NO_HURRY: Duration = Duration::from_secs(366 * 24 * 3600);

/// What is taken from the word of who asks: that the whole fails, and that nothing or the other side passes.
pub(crate) fn settled() -> Settled {
    let failure = FAILURE.into();
    Settled { reading: Reading::ExitZero, time_limit: NO_HURRY, failure, policy: None }
}

/// The failure, in words.
pub(crate) const FAILURE: &str = "what you say it is";

/// Whether a person is asked in a run, and whether variables of the environment vary in it.
///
/// # Errors
/// If the run cannot be read.
pub fn asks_and_varies_variables(run: &Run) -> Result<(bool, bool), Refusal> {
    let (records, _) = journal::read(&run.journal())?;
    let (job, _) = run.job(&records)?;
    Ok((job.ask.is_some(), job.varies_variables()))
}

/// What takes the last answer of a run back, also of one that had come to its end with it; nothing if it was taken back
/// already and nothing was asked since. Whoever is asked then has to be there: what is taken back and not asked again is
/// lost.
pub(crate) fn taking_back(job: &Job, records: &[Record]) -> Result<Option<Record>, Refusal> {
    let usage = |what: &str, help: &str| Refusal::Usage { what: what.into(), help: help.into() };
    let Some(asking) = job.ask else {
        return Err(usage("only what a person has answered can be taken back", "reduct resume, without --undo"));
    };
    if asking.by == Means::Terminal && nobody_types() {
        return Err(usage(
            "standard input has ended, so nobody would be asked again",
            "reduct resume --undo at a terminal",
        ));
    }
    // The last time it was taken back, it could not be gone on with.
    if matches!(records.last(), Some(Record::Undone { .. })) {
        return Ok(None);
    }
    // The first two were taken for granted, not asked.
    let answers = records.iter().filter_map(|record| match record {
        Record::Outcome { k, .. } => Some(*k),
        _ => None,
    });
    let Some(k) = answers.skip(2).last() else {
        return Err(usage("there is no answer to take back", "reduct resume goes on with the first question"));
    };
    Ok(Some(Record::Undone { k }))
}

/// Whether standard input is at its end, as far as that can be known without reading from it.
fn nobody_types() -> bool {
    let input = rustix::stdio::stdin();
    let Ok(stat) = rustix::fs::fstat(input) else { return true };
    let is_null =
        rustix::fs::stat("/dev/null").is_ok_and(|null| (null.st_mode, null.st_rdev) == (stat.st_mode, stat.st_rdev));
    let mut ready = [PollFd::new(&input, PollFlags::IN)];
    let at_once = Timespec { tv_sec: 0, tv_nsec: 0 };
    let is_closed = matches!(poll(&mut ready, Some(&at_once)), Ok(1..)) && !ready[0].revents().contains(PollFlags::IN);
    is_null || is_closed
}

/// A person, asked in the way that was chosen.
pub(crate) fn lab(job: &Job) -> Result<Box<dyn Executor>, Refusal> {
    let by = job.ask.map(|asking| asking.by).unwrap_or_default();
    let talk: Box<dyn Talk> = match by {
        Means::Terminal => Box::new(console(job)?),
        by => {
            let page = Page::new(job, by == Means::Browser)?;
            let is_alone = !std::io::stdin().is_terminal();
            if is_alone { Box::new(page) } else { Box::new(Both { console: console(job)?, page }) }
        }
    };
    Ok(Box::new(Person::new(talk)))
}

fn console(job: &Job) -> Result<Console, Refusal> {
    let invocation = job.invocation()?;
    Ok(Console::new(Place::new(job)?, invocation.subject, invocation.argv, Standing::of(job)))
}

/// The words of a command that shows what is at `path`: with it in the place of `{}`, or at the end.
fn showing(argv: &[OsString], path: &Path) -> Vec<OsString> {
    use std::os::unix::ffi::OsStrExt;
    let is_named = argv.iter().any(|word| word.as_bytes().windows(2).any(|two| two == b"{}"));
    // Nobody is asked in a project.
    let mut words = fill_in_command(argv, path.as_os_str(), OsStr::new("."));
    if !is_named {
        words.push(path.as_os_str().to_owned());
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
