//! What exits with 0 in a bare folder, and fails in a copy of its project: whether that is what is looked for, or how a
//! reducer script says that it is not there.

use super::super::recipe::recipe;
use crate::errors::Refusal;
use crate::job::{Failure, Job, TestPlace};
use reduct_oracle::Oracle;
use reduct_oracle::signature::{InputVocabulary, Signature, describe};
use reduct_oracle::{Death, Exit, Observed};
use reduct_report::preflight::advice::{Advice, advise};
use reduct_report::preflight::place::fails_in_copy_only;

/// Returns whether a run fails so that no script would do so to say that it found nothing.
fn fails_plainly(observed: &Observed) -> bool {
    match observed.exit {
        Exit::Signal(_) => true,
        Exit::Code(1..) => Death::of(&observed.exit).is_some() || Signature::is_plain(observed),
        _ => false,
    }
}

/// Returns what a run says of something that is there already, as an earlier run by hand may have left it in the
/// folder.
pub(super) fn left_over(observed: &Observed) -> Option<String> {
    let is_death = Death::of(&observed.exit).is_some();
    let is_refusal = matches!(observed.exit, Exit::Code(1..)) && !is_death;
    let text = [&observed.stderr[..], &observed.stdout[..]].concat();
    let text = String::from_utf8_lossy(&text);
    let line = text.lines().find(|line| ["File exists", "EEXIST"].iter().any(|says| line.contains(says)))?;
    is_refusal.then(|| line.trim().to_owned())
}

/// Returns whether what ended so in a copy fails there, though it exits with 0 in a bare folder, where it misses
/// nothing.
///
/// # Errors
/// If nobody knows which of the two is looked for.
pub(super) fn fails_there(
    job: &Job,
    words: &InputVocabulary,
    (project, in_copy): (&TestPlace, Option<&Observed>),
) -> Result<bool, Refusal> {
    let ends_otherwise = |other: &&Observed| matches!(other.exit, Exit::Code(1..) | Exit::Signal(_) | Exit::Limit(_));
    // What fails now and then may do so anywhere; and a failure that was defined needs no guess.
    let is_unknown = job.failure == Failure::Observed && !job.repeat;
    let (Some(other), TestPlace::Copy(copied)) = (in_copy.filter(ends_otherwise).filter(|_| is_unknown), project)
    else {
        return Ok(false);
    };
    if left_over(other).is_some() {
        return Ok(false);
    }
    if fails_plainly(other) {
        return Ok(true);
    }
    let shown = Oracle::read_first(other, words).map(|reading| reading.describe());
    let shown = shown.unwrap_or_else(|| describe(&other.exit));
    let recipe = recipe(job);
    Err(Refusal::Usage {
        what: fails_in_copy_only(&copied.top, &shown),
        help: advise([Advice::ChooseFailure, Advice::Lines(&recipe)]),
    })
}
