//! The last lines of a session, the same in every view.

use crate::excerpt::clean;
use crate::human::{self, count, counted, duration};
use crate::words;
use crate::{claims, confidence};
use reduct_session::event::{Again, Began, Ended};
use std::path::Path;

/// Returns what was found, how small it is, what it took, what is proved, and where it is, line by line.
///
/// `began` is missing if the session ended before it knew the failure, `place` if nothing was written.
pub fn summary(began: Option<&Began>, ended: &Ended, place: Option<&Path>) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(began) = began {
        lines.push(format!("Failure: {}", began.failure));
    }
    lines.push(format!("{} in {}, {}.", sizes(began, ended), tests(ended), duration(ended.elapsed)));
    lines.extend(words::why(&ended.why, ended.unit));
    lines.extend(ended.notes.iter().cloned());
    lines.extend(all_unresolved(ended));
    lines.push(match claims::describe(&ended.evidence).trim_end_matches('.') {
        "" => "Nothing is proved of the result but that it failed.".to_owned(),
        proved => match proved.strip_prefix("it fails; ") {
            // That it failed is no proof that it does: that is for what follows to say.
            Some(rest) => format!("{}.", sentence(rest)),
            None => format!("Proved: {proved}."),
        },
    });
    lines.extend(confidence::of(ended).map(|sure| format!("Confidence: {sure}.")));
    lines.extend(confirmation(ended));
    if let Some(place) = place {
        lines.push(format!("The result is {}", place.display()));
    }
    lines.into_iter().map(|line| clean(&line)).collect()
}

/// After fewer tests it is no wonder that none was resolved.
const TELLING: u64 = 8;

/// Returns what is to be checked if the test could tell of no candidate whether it fails.
fn all_unresolved(ended: &Ended) -> Option<String> {
    let is_none_resolved = ended.asked >= TELLING && ended.unresolved == ended.asked;
    is_none_resolved.then(|| {
        format!(
            "All {} candidates were unresolved: the test told of none whether it fails. Run it on a part of the input to see why: \
             something may be missing where it runs, or it may die or reach a limit; --fails-if says what the failure is.",
            count(ended.asked)
        )
    })
}

/// Why a result is not confirmed though it fails.
const OTHER: &str = "something else stands at the place of the result";

/// Returns whether the result failed when it was run again.
fn confirmation(ended: &Ended) -> Option<String> {
    let Some(Again { runs, failed, may_pass, .. }) = ended.again else {
        return ended.confirmed.map(|confirmed| match confirmed {
            true => "Confirmed: one more run showed the same.".to_owned(),
            false => "NOT confirmed: it was not so in one more run: the test is flaky, see --repeat.".to_owned(),
        });
    };
    let more = format!("it failed in {} of {} more runs", count(failed as usize), count(runs as usize));
    Some(match (ended.confirmed, may_pass) {
        (Some(true), false) => format!("Confirmed: {more}."),
        (Some(true), true) => format!("Confirmed: {more}, which is not too seldom."),
        // What was run is what it should be, and not what is there.
        (Some(false), false) if runs == 0 => format!("NOT confirmed: {OTHER}."),
        (Some(false), false) if failed == runs => format!("NOT confirmed: {more}, but {OTHER}."),
        (Some(false), false) => format!("NOT confirmed: {more}: the test is flaky, see --repeat."),
        (Some(false), true) => format!("NOT confirmed: {more}, which is too seldom."),
        (None, _) => "Not confirmed: stopped before the result was run again.".to_owned(),
    })
}

/// Words as a sentence begins.
fn sentence(words: &str) -> String {
    let mut chars = words.chars();
    chars.next().map_or_else(String::new, |first| first.to_uppercase().chain(chars).collect())
}

/// Returns how large it was and is, in the unit of the plan, and in bytes if that is another.
fn sizes(began: Option<&Began>, ended: &Ended) -> String {
    let now = counted(ended.size, ended.unit);
    // Of a difference, the sizes of what differs say nothing.
    if words::is_difference(ended.unit) {
        return began.map_or(now, |began| human::sizes((began.size, began.unit), (ended.size, ended.unit)));
    }
    let bytes = counted(ended.best.len(), "bytes");
    let (unit_is_bytes, began) = (ended.unit == "bytes", began.filter(|began| began.unit == ended.unit));
    let sizes = match began {
        Some(began) if unit_is_bytes => format!("{} → {now}", count(began.size)),
        Some(began) => format!("{} → {now} ({} → {bytes})", count(began.size), count(began.whole.len())),
        None if unit_is_bytes => now,
        None => format!("{now} ({bytes})"),
    };
    match ended.best.entry_count() {
        1 => sizes,
        entries => format!("{sizes} in {}", counted(entries, "entries")),
    }
}

/// Returns how many tests it took, and how many of them were run.
fn tests(ended: &Ended) -> String {
    let mut details = vec![counted(ended.runs, "runs")];
    if ended.repeated > 0 {
        details.push(counted(ended.repeated, "repeats"));
    }
    if ended.unresolved > 0 {
        details.push(format!("{} unresolved", count(ended.unresolved)));
    }
    format!("{} ({})", counted(ended.asked, "tests"), details.join(", "))
}
