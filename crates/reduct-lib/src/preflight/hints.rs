//! What a first run shows besides the failure that is read off it, and what to do if that was meant.

use crate::job::{Failure, Job};
use crate::shell::quoted;
use reduct_oracle::doubts::{also_seen, behind_success, is_passed_on};
use reduct_oracle::signature::{InputVocabulary, Signature, signal_name};
use reduct_oracle::{Criterion, Oracle};
use reduct_oracle::{Exit, Observed};
use std::ffi::OsStr;

/// Of longer lines only the beginning is shown.
const LONGEST: usize = 60;

/// Returns how little a failure is known by, if it is by little: what the last lines claim is about no more.
pub(super) fn thin(signature: &Signature) -> String {
    if let Some(line) = signature.known_by_words() {
        let line = shortened(&line);
        return format!("; hardly anything but words of the input is in its message, so these are kept: “{line}”");
    }
    if signature.is_thin() {
        return "; hardly anything of its message is left to know it by: it may be followed to another failure".into();
    }
    let is_by_status = matches!(signature.exit, Exit::Code(_)) && signature.says_nothing();
    match &signature.text {
        Some(_) if is_by_status => "; in such a line, any number counts: another failure may be taken for it".into(),
        None if is_by_status => {
            "; only the exit status is known of it: another failure with that would be taken for it".into()
        }
        _ => String::new(),
    }
}

/// Returns what is said of a death behind a status of the test's own, if nobody knows where it was.
pub(crate) fn died_somewhere(signature: &Signature) -> Option<String> {
    let signal = signal_name(signature.died_somewhere()?);
    Some(format!("a program that the test runs died by SIG{signal}; where is not known, so any such death"))
}

/// Returns what speaks against the failure that was read off a first run.
pub(super) fn doubts(job: &Job, reading: &Criterion, first: &Observed) -> String {
    let (Failure::Observed, Criterion::Same(signature)) = (&job.failure, reading) else { return String::new() };
    let mut doubts = String::new();
    if let Some(died) = died_somewhere(signature) {
        doubts += &format!("; {died} counts");
    } else if is_passed_on(first) && signature.frames.is_empty() {
        doubts += "; only how the program ended is known of it, from the one that ran it: it may be followed to another \
                   failure";
    } else if matches!(first.exit, Exit::Code(124)) {
        doubts += "; `timeout` says so of what does not end";
    }
    let also: Vec<String> = also_seen(first, &InputVocabulary::default().run_by(&job.command))
        .iter()
        .map(|line| format!("“{}”", shortened(line)))
        .collect();
    if !also.is_empty() {
        doubts += &format!("; also seen: {} (--fails-if 'output~REGEX' chooses another)", also.join(", "));
    }
    doubts
}

/// Returns the option by which a report behind an exit status of 0 is the failure, on a line of its own. It is tried:
/// it holds of the whole input, and not of the empty one, as far as that was run.
pub(super) fn behind(whole: &Observed, empty: Option<&Observed>, words: &InputVocabulary) -> String {
    let Some(found) = behind_success(whole, words) else { return String::new() };
    let Ok(condition) = found.condition.parse() else { return String::new() };
    let oracle = Oracle::new(Criterion::Conditions(vec![condition]), words.clone());
    let fails = |observed: &Observed| oracle.verdict(observed).outcome == reduct_core::Outcome::Fail;
    if !fails(whole) || empty.is_some_and(fails) {
        return String::new();
    }
    let option = quoted(OsStr::new(&found.condition));
    format!(
        "\non the whole input, its output shows “{}”: --fails-if {option} takes that as the failure",
        shortened(&found.line)
    )
}

fn shortened(line: &str) -> String {
    let shown: String = line.chars().take(LONGEST).collect();
    if shown.len() < line.len() { shown + "…" } else { shown }
}
