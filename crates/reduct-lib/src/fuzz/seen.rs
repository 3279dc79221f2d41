//! What of all that is seen of a run is a failure, and which.

use crate::job::Failure;
use reduct_core::Outcome;
use reduct_oracle::signature::{InputVocabulary, Signature, signal_number};
use reduct_oracle::{Criterion, Oracle};
use reduct_oracle::{Exit, Limit, Observed};

/// A failure as it was seen.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct FailureSeen {
    /// What tells it from others, whatever the input.
    pub(super) signature: Signature,
    /// The same as a reduction of this input sees it: what it says may name words of the input.
    pub(super) own: Signature,
}

impl FailureSeen {
    pub(super) fn without_text(&self) -> FailureSeen {
        FailureSeen { signature: self.signature.without_text(), own: self.own.without_text() }
    }
}

/// Returns what was seen of a run that failed. Without conditions, that is one that nobody wants of any input: a death
/// by a signal, no end, a report of a sanitizer, an assertion, a panic, an exception that nobody catches.
pub(super) fn failure(observed: &Observed, failure: &Failure, input: &[u8]) -> Option<FailureSeen> {
    let fails = match failure {
        Failure::Conditions(all) => says(Criterion::Conditions(all.clone()), observed),
        Failure::ExitZero => says(Criterion::ExitZero, observed),
        Failure::Like(signature) => says(Criterion::Same(signature.clone()), observed),
        Failure::Observed => is_a_failure(observed),
    };
    // Of what is made by chance any letter may be a word: with those taken out, each message would be another one.
    fails.then(|| FailureSeen {
        signature: signature(observed, &InputVocabulary::default()),
        own: signature(observed, &InputVocabulary::of(input)),
    })
}

fn says(reading: Criterion, observed: &Observed) -> bool {
    Oracle::new(reading, InputVocabulary::default()).verdict(observed).outcome == Outcome::Fail
}

fn is_a_failure(observed: &Observed) -> bool {
    match observed.exit {
        // From outside: from a shutdown, or from a kernel short of something.
        Exit::Signal(number) => {
            !["KILL", "TERM", "XCPU", "XFSZ"].iter().any(|name| signal_number(name) == Some(number))
        }
        Exit::Limit(Limit::Time) => true,
        Exit::Code(0) => false,
        Exit::Code(code) => is_death(code) || Signature::is_plain(observed),
        _ => false,
    }
}

/// Returns whether a shell says by its status that what it ran died.
fn is_death(code: i32) -> bool {
    let deaths = ["ILL", "TRAP", "ABRT", "BUS", "FPE", "SEGV", "SYS"];
    deaths.iter().any(|name| signal_number(name) == Some(code - 128))
}

/// What glibc says of an allocator or a stack that was written over.
const GLIBC: &[&str] =
    &["*** ", "free(): ", "malloc(): ", "realloc(): ", "double free or corruption", "corrupted ", "munmap_chunk(): "];

/// Returns what tells failures apart. A program that dies without a word about it may have said anything before, which
/// is another thing for each input; where it died is one that tells.
fn signature(observed: &Observed, words: &InputVocabulary) -> Signature {
    let signature = Signature::of(observed, words);
    let of_glibc = || signature.text.as_ref().is_some_and(|text| GLIBC.iter().any(|word| text.contains(word)));
    if Signature::is_plain(observed) || of_glibc() {
        signature
    } else {
        Signature { text: None, or: None, ..signature }
    }
}
