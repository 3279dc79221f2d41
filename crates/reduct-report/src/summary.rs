//! The last lines of a session, the same in every view.

use crate::excerpt::clean;
use crate::human::{self, count, counted, duration};
use crate::words;
use reduct_run::event::{Began, Ended};
use std::path::Path;

/// What was found, how small it is, what it took, what is proved, and where it is, line by line.
///
/// `began` is missing if the session ended before it knew the failure, `place` if nothing was written.
pub fn summary(began: Option<&Began>, ended: &Ended, place: Option<&Path>) -> Vec<String> {
    let mut lines = Vec::new();
    if let Some(began) = began {
        lines.push(format!("Failure: {}", began.failure));
    }
    lines.push(format!("{} in {}, {}.", sizes(began, ended), tests(ended), duration(ended.elapsed)));
    lines.extend(words::why(&ended.why, ended.unit));
    lines.push(match ended.proved.trim_end_matches('.') {
        "" => "Nothing is proved of the result but that it failed.".to_owned(),
        proved => format!("Proved: {proved}."),
    });
    lines.extend(
        ended.confidence.as_ref().map(|confidence| format!("Confidence: {}.", confidence.trim_end_matches('.'))),
    );
    match ended.confirmed {
        Some(true) => lines.push("Run once more at the end, the result still failed.".to_owned()),
        Some(false) => lines.push("Run once more at the end, the result did NOT fail: the test is flaky.".to_owned()),
        None => {}
    }
    if let Some(place) = place {
        lines.push(format!("The result is {}", place.display()));
    }
    lines.into_iter().map(|line| clean(&line)).collect()
}

/// How large it was and is, in the unit of the plan, and in bytes if that is another.
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

/// How many tests it took, and how many of them were run.
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
