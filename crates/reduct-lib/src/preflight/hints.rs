//! What a first run shows besides the failure that is read off it, and what to do if that was meant.

use crate::job::{Failure, Job};
use crate::shell::quoted;
use reduct_oracle::doubts::{also_seen, behind_success, is_passed_on};
use reduct_oracle::signature::{InputVocabulary, Signature};
use reduct_oracle::{Criterion, Oracle};
use reduct_oracle::{Exit, Observed};
use reduct_report::preflight::advice::Advice;
use reduct_report::preflight::failure::{Doubt, Thin};
use std::ffi::OsStr;

/// Returns how little a failure is known by, if it is by little: what the last lines claim is about no more.
pub(super) fn thin(signature: &Signature) -> Option<Thin> {
    if let Some(line) = signature.known_by_words() {
        return Some(Thin::InputWords(line));
    }
    if signature.is_thin() {
        return Some(Thin::Message);
    }
    let is_by_status = matches!(signature.exit, Exit::Code(_)) && signature.says_nothing();
    is_by_status.then_some(if signature.text.is_some() { Thin::AnyNumber } else { Thin::Status })
}

/// Returns what speaks against the failure that was read off a first run.
pub(super) fn doubts(job: &Job, reading: &Criterion, first: &Observed) -> Vec<Doubt> {
    let (Failure::Observed, Criterion::Same(signature)) = (&job.failure, reading) else { return vec![] };
    let mut doubts = vec![];
    if let Some(signal) = signature.died_somewhere() {
        doubts.push(Doubt::DiedSomewhere(signal));
    } else if is_passed_on(first) && signature.frames.is_empty() {
        doubts.push(Doubt::PassedOn);
    } else if matches!(first.exit, Exit::Code(124)) {
        doubts.push(Doubt::TimedOut);
    }
    let also = also_seen(first, &InputVocabulary::default().run_by(&job.command));
    if !also.is_empty() {
        doubts.push(Doubt::AlsoSeen(also));
    }
    doubts
}

/// Returns the condition by which a report behind an exit status of 0 is the failure. It is tried: it holds of the whole
/// input, and not of the empty one, as far as that was run.
pub(super) fn behind(whole: &Observed, empty: Option<&Observed>, words: &InputVocabulary) -> Option<Advice<'static>> {
    let found = behind_success(whole, words)?;
    let condition = found.condition.parse().ok()?;
    let oracle = Oracle::new(Criterion::Conditions(vec![condition]), words.clone());
    let fails = |observed: &Observed| oracle.verdict(observed).outcome == reduct_core::Outcome::Fail;
    let holds = fails(whole) && !empty.is_some_and(fails);
    holds.then(|| Advice::Behind { line: found.line, condition: quoted(OsStr::new(&found.condition)) })
}
