//! What a user should know of how the tests of a run ran.

use reduct_input::Candidate;
use reduct_oracle::Criterion;
use reduct_report::run::RunRemark;
use reduct_session::executor::Opened;
use reduct_sources::archives::packed;

/// Returns what is to be said of a server that does not forget.
pub(super) fn of_leaks(leaks: u64) -> Option<RunRemark> {
    (leaks > 0).then_some(RunRemark::ServerRemembers(leaks))
}

/// Returns what is to be said if what overflows its stack may do so in one run and not in the next.
pub(super) fn of_addresses(executor: &Opened) -> Option<RunRemark> {
    executor.has_random_addresses.then_some(RunRemark::RandomAddresses)
}

/// Returns what is to be said if any death of a program that the test runs was taken for the failure.
pub(super) fn of_death(reading: &Criterion) -> Option<RunRemark> {
    let Criterion::Same(signature) = reading else { return None };
    signature.died_somewhere().map(RunRemark::AnyDeath)
}

/// Returns what is to be said if archives were unpacked, whose sizes are not those of what is in them.
pub(super) fn of_archives(original: &Candidate, best: &Candidate) -> Option<RunRemark> {
    let is_unpacked = best.base().has_archives();
    let packed = packed(best).ok().filter(|_| is_unpacked)?;
    Some(RunRemark::Unpacked { before: original.len(), after: packed.len() })
}

/// Returns what is to be said of outcomes that were not run in this run.
pub(super) fn of_borrowed(borrowed: u64) -> Option<RunRemark> {
    (borrowed > 0).then_some(RunRemark::Borrowed(borrowed))
}

/// Returns what the result says, if that is not what was said at first.
pub(super) fn of_change(reading: &Criterion, said: &str) -> Option<RunRemark> {
    let Criterion::Same(signature) = reading else { return None };
    let first = signature.in_full()?;
    // A line that is no report may tell where in the candidate it is.
    let numberless = |text: &str| text.replace(|c: char| c.is_ascii_digit(), "");
    let is_same = if signature.report.is_some() { first == said } else { numberless(&first) == numberless(said) };
    (!is_same).then(|| RunRemark::SaysOtherwise { first, result: said.to_owned() })
}
