//! The last lines of a run.

use super::say;
use crate::cli::diagnostics::warning;
use reduct_lib::{Job, RunReport};
use reduct_report::{difference, excerpt, human};
use reduct_session::event::Why;
use reduct_session::other_failures::Met;
use std::path::{Path, PathBuf};

/// Prints the last lines: where the result is, what else was found.
pub(super) fn conclude(job: &Job, report: &RunReport, quiet: bool) {
    let RunReport { ended, failure, size_before, passing, out, written, found, run, says, .. } = report;
    if quiet {
        // With --quiet, nothing else names the input.
        say(&format!("Failure: {failure}"));
    }
    if ended.confirmed == Some(false) {
        let (help, what) = match ended.again {
            Some(again) if again.may_pass => (
                "the failure got rarer as the input got smaller: make the test show it more often, then begin again",
                "the result fails too seldom",
            ),
            Some(_) => (
                "the test shows something else each time: begin again with --repeat, or make it repeatable first",
                "the result did not fail each time when it was run again, nor did any larger one that was tried",
            ),
            None => (
                "the test shows something else each time: make it repeatable, then begin again",
                "the result did not fail when it was run once more",
            ),
        };
        say(&warning(what, help));
    }
    // What everybody else has read among the last lines.
    if quiet {
        ended.notes.iter().for_each(|note| say(note));
    }
    if let Some(found) = found {
        say(&format!("The file at {} was not written by a run; it is now {}", short(job, out), short(job, found)));
    }
    if let (Some(place), Some(passing)) = (passing, &ended.passing) {
        let removed = difference::removed(&ended.best, passing);
        let (text, bytes) = (excerpt::shorten(&removed.text, 80), human::bytes(removed.bytes));
        if text.is_empty() {
            say(&format!("The difference, without which the test passes: {}", short(job, place)));
            difference::excerpt(passing, &ended.best).iter().for_each(|line| say(&format!("  {line}")));
        } else {
            say(&format!("The difference is “{text}” ({bytes}); without it the test passes: {}", short(job, place)));
        }
    }
    says.iter().for_each(|line| say(line));
    // With --quiet, the user can look at `others/`.
    if !quiet {
        others(job, report).iter().for_each(|line| say(line));
    }
    original(job, report).iter().for_each(|line| say(line));
    if !matches!(ended.why, Why::Done | Why::Granularity(_)) {
        let why = report.starts_over.as_ref();
        let but = |why| format!(", but it starts over: not all could be watched that the test relies on ({why})");
        say(&format!("To go on: reduct resume {}{}", short(job, run), why.map(but).unwrap_or_default()));
    }
    // The very last line is for users who read only that one.
    let sizes = human::sizes(*size_before, (ended.size, ended.unit));
    let tests = human::counted(ended.asked, "tests");
    let place = short(job, out);
    let place = if *written { format!("the result is {place}") } else { format!("it could NOT be written to {place}") };
    say(&format!("{sizes} in {tests}; {place}"));
}

/// Returns lines about the user's own files, if they were changed.
fn original(job: &Job, report: &RunReport) -> Vec<String> {
    let Some(changed) = reduct_lib::named(&report.changed) else { return vec![] };
    let changed = excerpt::clean(&changed);
    let mut lines = vec![format!("⚠ THE ORIGINAL WAS CHANGED while the tests ran: {changed}.")];
    let more = job.goal.other_sources().into_iter().map(|path| job.folder.join(path));
    let inputs: Vec<PathBuf> = job.input_paths().into_iter().chain(more).collect();
    let is_of_an_input = |path: &Path| inputs.iter().any(|input| path.starts_with(input));
    if report.changed.iter().any(|changed| is_of_an_input(&changed.path)) {
        let kept = if job.goal.varies_inputs() {
            format!(": {}", short(job, &report.run.join("input")))
        } else {
            String::new()
        };
        lines.push(format!("  The result was made from a copy of what it was at first{kept}"));
    }
    lines.push("  Let the test write to its own folder only, not to the original by its full path.".into());
    lines
}

/// Returns the other failures that were met, in one line.
fn others(job: &Job, report: &RunReport) -> Option<String> {
    let Met { kept, times, not_kept, place: list } = &report.others;
    let list = short(job, list);
    if kept.is_empty() {
        let times = human::times(*not_kept);
        return (*not_kept > 0).then(|| format!("Other failures were met {times}, by inputs too large to be kept"));
    }
    if job.varies_variables() {
        return Some(format!("Other failures were met, which may name values of variables: they are in {list}"));
    }
    // A death is more than a complaint about what was cut.
    let is_death = |(signature, ..): &&(String, PathBuf, usize)| signature.starts_with("death by");
    let (signature, place, bytes) = kept.iter().find(is_death).or(kept.first())?;
    let (signature, smallest) = (excerpt::shorten(signature, 160), human::bytes(*bytes));
    let place = short(job, place);
    if kept.len() == 1 && *not_kept == 0 {
        let times = if *times > 1 { format!(" {}", human::times(*times)) } else { String::new() };
        return Some(format!(
            "Another failure was met{times}: {signature}; its smallest input ({smallest}) is in {place}"
        ));
    }
    let kinds = human::counted(kept.len(), "kinds");
    let more = if *not_kept > 0 { ", and of others that are not kept" } else { "" };
    // What is kept is of all sessions, and how often something was met of this one.
    let is_of_more = *times < kept.len();
    let times = match *times {
        0 => format!("in earlier sessions, of {kinds}"),
        now if is_of_more => format!("{} in this session, and before: {kinds} in all", human::times(now)),
        now => format!("{}, of {kinds}", human::times(now)),
    };
    Some(format!("Other failures were met {times}{more}: {list}. One of them: {signature} ({smallest})"))
}

fn short(job: &Job, path: &Path) -> String {
    excerpt::path(path.strip_prefix(&job.folder).unwrap_or(path))
}
