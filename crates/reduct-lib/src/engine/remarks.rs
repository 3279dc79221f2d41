//! What is to be said of how the tests of a run ran, in words.

use crate::preflight;
use reduct_oracle::Criterion;
use reduct_report::human;
use reduct_session::executor::Opened;

/// Returns what is to be said of a server that does not forget.
pub(super) fn of_leaks(leaks: u64) -> Option<String> {
    let times = human::times(leaks);
    (leaks > 0).then(|| {
        format!(
            "the server keeps something from test to test: {times} it said that a candidate fails, and a fresh one said \
             otherwise, which counts"
        )
    })
}

/// Returns what is to be said if what overflows its stack may do so in one run and not in the next.
pub(super) fn of_addresses(executor: &Opened) -> Option<String> {
    executor.has_random_addresses.then(|| {
        "tests lie at other addresses in memory in each run, as personality(2) is forbidden here: a stack that overflows may \
         do so now and then"
            .into()
    })
}

/// Returns what is to be said if any death of a program that the test runs was taken for the failure.
pub(super) fn of_death(reading: &Criterion) -> Option<String> {
    let Criterion::Same(signature) = reading else { return None };
    let died = preflight::hints::died_somewhere(signature)?;
    Some(format!("A {} counted.", died.trim_start_matches("a ")))
}

/// Returns what is to be said of outcomes that were not run in this run.
pub(super) fn of_borrowed(borrowed: u64) -> Option<String> {
    let outcomes = human::counted(borrowed, "outcomes");
    (borrowed > 0).then(|| format!("The answer rests on {outcomes} of earlier runs (--reuse) that were not run again."))
}

/// Returns what the result says, if that is not what was said at first.
pub(super) fn of_change(reading: &Criterion, said: &str) -> Option<String> {
    let Criterion::Same(signature) = reading else { return None };
    let first = signature.in_full()?;
    // A line that is no report may tell where in the candidate it is.
    let numberless = |text: &str| text.replace(|c: char| c.is_ascii_digit(), "");
    let is_same = if signature.report.is_some() { first == said } else { numberless(&first) == numberless(said) };
    (!is_same).then(|| format!("at first: {first}; the result: {said}"))
}
