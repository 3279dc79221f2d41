//! A person as the test: what is asked, where candidates stand meanwhile, and what is taken for granted.

#[cfg(feature = "page")]
mod both;
mod console;
#[cfg(feature = "page")]
mod page;
mod question_folder;
pub(crate) mod refused;
mod showing;
mod stories;

use crate::Means;
use crate::errors::Refusal;
use crate::job::Job;
#[cfg(feature = "page")]
use both::Both;
use console::Console;
#[cfg(feature = "page")]
use page::Page;
use question_folder::QuestionFolder;
use reduct_report::asking::QuestionScreen;
use reduct_session::executor::Opened;
use reduct_session::executor::person::{Person, Talk};
use reduct_session::journal::JournalRecord;
#[cfg(not(feature = "page"))]
use refused::PageError;
use refused::UndoError;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
#[cfg(feature = "page")]
use std::io::IsTerminal;
pub(crate) use stories::read_stories_by;

/// Returns what takes the last answer of a run back, also of one that had come to its end with it; nothing if it was
/// taken back already and nothing was asked since. The person has to be there then: what is taken back and not
/// asked again is lost.
pub(crate) fn taking_back(job: &Job, records: &[JournalRecord]) -> Result<Option<JournalRecord>, Refusal> {
    let Some(asking) = job.source().person() else {
        return Err(UndoError::NobodyAnswered.into());
    };
    if asking.by == Means::Terminal && nobody_types() {
        return Err(UndoError::NobodyThere.into());
    }
    // The last time it was taken back, it could not be gone on with.
    if matches!(records.last(), Some(JournalRecord::Undone { .. })) {
        return Ok(None);
    }
    // Another branch goes by the answers before it.
    let begin = records.iter().rposition(|record| matches!(record, JournalRecord::Branch { .. }));
    // The first two were taken for granted, not asked.
    let answers = records.iter().enumerate().filter_map(|(at, record)| match record {
        JournalRecord::Outcome { k, .. } => Some((at, *k)),
        _ => None,
    });
    let last = answers.skip(2).last().filter(|(at, _)| begin.is_none_or(|begin| *at > begin));
    let Some((_, k)) = last else { return Err(UndoError::NoAnswer.into()) };
    Ok(Some(JournalRecord::Undone { k }))
}

/// Returns whether standard input is at its end, as far as that can be known without reading from it.
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

/// Returns a person, asked in the way that was chosen.
pub(crate) fn executor(job: &Job, by: Means) -> Result<Box<Opened>, Refusal> {
    // Each part that is to blame takes as many questions as a binary search, and one.
    let halves = job.search.method == "halves" && job.goal.is_reduction() && job.search.by.len() == 1;
    let screen = QuestionScreen::new(halves);
    let talk: Box<dyn Talk> = match by {
        Means::Terminal => Box::new(console(job, screen.clone())?),
        by => on_a_page(job, by == Means::Browser, screen.clone())?,
    };
    Ok(Box::new(Person::open(talk, Box::new(screen))))
}

/// Returns a person who is asked on a page, and at the terminal if there is one.
#[cfg(feature = "page")]
fn on_a_page(job: &Job, opens: bool, screen: QuestionScreen) -> Result<Box<dyn Talk>, Refusal> {
    let page = Page::new(job, opens, screen.clone())?;
    let is_alone = !std::io::stdin().is_terminal();
    Ok(if is_alone { Box::new(page) } else { Box::new(Both { console: console(job, screen)?, page }) })
}

/// Refuses, as there is no page.
#[cfg(not(feature = "page"))]
fn on_a_page(_: &Job, _: bool, _: QuestionScreen) -> Result<Box<dyn Talk>, Refusal> {
    Err(Refusal::Executor(PageError::NotBuilt.to_string()))
}

fn console(job: &Job, screen: QuestionScreen) -> Result<Console, Refusal> {
    let invocation = job.invocation()?;
    Ok(Console::new(QuestionFolder::new(job)?, invocation.subject, invocation.argv, screen))
}
