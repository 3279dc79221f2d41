//! The oracle: from what was observed of a test to an outcome.
//!
//! A pure function of what was observed. What the failure *is* was settled by the first run on the
//! whole input or by `--fails-if`; another failure is not accepted (slippage) but reported.

pub mod broken;
mod codes;
pub mod condition;
mod diagnostic;
pub mod doubts;
mod dying;
pub mod frames;
mod invocation;
mod measure;
mod observation;
mod output;
mod outputs;
mod patterns;
pub mod reports;
mod runtime;
pub mod said;
pub mod sampling;
pub mod script;
pub mod shell_line;
mod signals;
pub mod signature;
mod slots;
mod survived;
mod terminal;
mod vocabulary;
mod whose;
mod words;
mod wrappers;

pub use invocation::{EVERYTHING, Invocation, Limits, Serving};
pub use observation::{Afterwards, Also, Backtraces, Death, Exit, FROM_OUTSIDE, Limit, Observed, Process, Ran, Used};

use condition::Condition;
use patterns::regex;
use reduct_core::Outcome;
use reduct_input::Candidate;
use serde::{Deserialize, Serialize};
use signature::{HoldsText, InputVocabulary, Signature, describe};

/// What counts as the failure in question.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Criterion {
    /// The convention of the reducers: the failure occurs if and only if the test exits with 0.
    ExitZero,
    /// The convention of `git bisect run`: the failure occurs if the test exits with 1 to 124, and does not if
    /// it exits with 0.
    Bisect,
    /// The same, but a run that reports what the versions that are compared do not cannot be told.
    BisectLike(broken::Quiet),
    /// The failure is what the first run showed.
    Same(Signature),
    /// The failure is what all of these conditions say.
    Conditions(Vec<Condition>),
}

/// The convention of the reducers, in words.
const EXIT_ZERO: &str = "the test exits with 0";

/// The convention of `git bisect run`, in words.
const BISECT: &str = "the test exits with 1 to 124, as git bisect run has it";

impl Criterion {
    /// Returns what the failure is, in words.
    pub fn describe(&self) -> String {
        match self {
            Criterion::ExitZero => EXIT_ZERO.into(),
            Criterion::Bisect => BISECT.into(),
            Criterion::BisectLike(quiet) => format!("{BISECT}{quiet}"),
            Criterion::Same(signature) => signature.to_string(),
            Criterion::Conditions(all) => all.iter().map(Condition::to_string).collect::<Vec<_>>().join(" and "),
        }
    }
}

impl Criterion {
    /// Returns of which programs a backtrace is needed to decide.
    pub fn backtraces(&self) -> Backtraces {
        match self {
            Criterion::ExitZero | Criterion::Bisect | Criterion::BisectLike(_) => Backtraces::Never,
            Criterion::Same(signature) if signature.frames.is_empty() => Backtraces::Never,
            Criterion::Same(signature) => signature.death().map_or(Backtraces::Never, Backtraces::Of),
            Criterion::Conditions(all) if all.iter().any(Condition::needs_frames) => Backtraces::Always,
            Criterion::Conditions(_) => Backtraces::Never,
        }
    }

    /// Returns what was seen of a failure beyond what counts, in words.
    pub fn details(&self, observed: &Observed) -> Option<String> {
        match self {
            Criterion::Conditions(all) => all.iter().find_map(|condition| condition.details(observed)),
            _ => None,
        }
    }
}

/// Maps observations to outcomes.
#[derive(Clone, Debug)]
pub struct Oracle {
    reading: Criterion,
    words: InputVocabulary,
    /// A run that passes ends with this status, if it is known.
    passes: Option<i32>,
    /// A run of which this holds does not pass.
    doubted: Option<fn(&Observed) -> bool>,
}

/// What stands in a candidate, for its messages may name it. Its text is put together only if it is asked for.
struct Contents<'a>(&'a Candidate);

impl HoldsText for Contents<'_> {
    fn word(&self, word: &str) -> bool {
        self.0.artifact().bytes().word(word)
    }

    fn text(&self, text: &str) -> bool {
        self.0.artifact().bytes().text(text)
    }
}

/// What an observation means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Verdict {
    /// The outcome.
    pub outcome: Outcome,
    /// If it is another failure than the one in question: what it looks like.
    pub other: Option<String>,
}

impl Verdict {
    fn plain(outcome: Outcome) -> Verdict {
        Verdict { outcome, other: None }
    }
}

/// Statuses by which a test says that it cannot tell: `git bisect`'s, automake's, `timeout`'s, and the
/// shell's for what it cannot start.
pub const CANNOT_TELL: [i32; 5] = [125, 77, 124, 126, 127];

/// From this status on, `git bisect run` has other meanings.
const OTHER_FROM: i32 = 125;

/// Returns whether a run that ended so says something about the failure.
fn tells(exit: &Exit) -> bool {
    match exit {
        Exit::Code(code) => !CANNOT_TELL.contains(code),
        Exit::Signal(_) => true,
        Exit::Limit(_) | Exit::NotStarted(_) | Exit::NotBuilt(_) => false,
    }
}

/// Returns whether a status that elsewhere says that nobody can tell is how a child ended: `timeout` says so of one
/// that hangs, `xargs` of one that dies.
fn is_end_of_child(code: i32, observed: &Observed) -> bool {
    code == output::TIMED_OUT || code == output::DIED && output::is_passed_on_by_xargs(observed)
}

impl Oracle {
    /// Returns an oracle for this reading; `words` are those of the input, which messages may name.
    pub fn new(reading: Criterion, words: InputVocabulary) -> Oracle {
        // As it was told, it is compared.
        let words = match &reading {
            Criterion::Same(signature) if !signature.placed => words.without_files(),
            _ => words,
        };
        Oracle { reading, words, passes: None, doubted: None }
    }

    /// Returns the same oracle, for which a run passes only if it ends with this status.
    pub fn passing_with(self, status: i32) -> Oracle {
        Oracle { passes: Some(status), ..self }
    }

    /// Returns the same oracle, for which nothing can be said of a run that would pass and of which this holds.
    pub fn passing_unless(self, doubted: fn(&Observed) -> bool) -> Oracle {
        Oracle { doubted: Some(doubted), ..self }
    }

    /// Returns what counts as the failure.
    pub fn reading(&self) -> &Criterion {
        &self.reading
    }

    /// Returns what the first run on the whole input means if nothing else was said: a run that exits with 0 speaks the
    /// reducers' convention; any other run shows the failure itself, also a hang or a death that is passed on by a
    /// status. `None` if it says that it cannot tell.
    pub fn read_first(observed: &Observed, words: &InputVocabulary) -> Option<Criterion> {
        match &observed.exit {
            Exit::Code(0) => Some(Criterion::ExitZero),
            Exit::Code(code) if CANNOT_TELL.contains(code) && !is_end_of_child(*code, observed) => None,
            Exit::NotStarted(_) | Exit::NotBuilt(_) | Exit::Limit(Limit::Memory | Limit::Processes | Limit::Disk) => {
                None
            }
            Exit::Code(_) | Exit::Signal(_) | Exit::Limit(Limit::Time) => {
                Some(Criterion::Same(Signature::of(observed, words)))
            }
        }
    }

    /// Returns what the first run on a version that fails means if nothing else was said: an exit status without a
    /// plain message (an assertion, an exception) speaks the convention of `git bisect run`. `None` if it passes, or
    /// says that it cannot tell.
    pub fn read_version(observed: &Observed, words: &InputVocabulary) -> Option<Criterion> {
        match (&observed.exit, Oracle::read_first(observed, words)?) {
            (Exit::Code(0), _) => None,
            (Exit::Code(..OTHER_FROM), Criterion::Same(signature))
                if !Signature::is_plain(observed) && signature.report.is_none() =>
            {
                Some(Criterion::Bisect)
            }
            (_, reading) => Some(reading),
        }
    }

    /// Returns what a run said, word for word, if the failure is told by what the first run said.
    pub fn in_full(&self, observed: &Observed) -> Option<String> {
        match &self.reading {
            Criterion::Same(signature) if signature.is_unnamed() => Signature::died_in(observed),
            Criterion::Same(_) => Signature::of(observed, &self.words).in_full(),
            _ => None,
        }
    }

    /// Returns the outcome of a test of the whole input, or of what may hold any of its words.
    pub fn verdict(&self, observed: &Observed) -> Verdict {
        self.passed(observed, self.judge(observed, &self.words))
    }

    /// Returns the outcome of a test of a candidate.
    pub fn verdict_on(&self, observed: &Observed, candidate: &Candidate) -> Verdict {
        self.passed(observed, self.judge(observed, &Contents(candidate)))
    }

    /// Returns a verdict, or that nothing can be said if the run passes otherwise than it should.
    fn passed(&self, observed: &Observed, verdict: Verdict) -> Verdict {
        let is_other = self.passes.is_some_and(|status| observed.exit != Exit::Code(status))
            || self.doubted.is_some_and(|doubted| doubted(observed));
        if verdict.outcome == Outcome::Pass && is_other { Verdict::plain(Outcome::Unresolved) } else { verdict }
    }

    /// Returns the outcome of a test of what holds these words.
    fn judge(&self, observed: &Observed, candidate: &dyn HoldsText) -> Verdict {
        // The test was not run: what the build says is no failure of it, and no other one either.
        if matches!(observed.exit, Exit::NotBuilt(_)) {
            return Verdict::plain(Outcome::Unresolved);
        }
        match &self.reading {
            Criterion::ExitZero => match observed.exit {
                Exit::Code(0) => Verdict::plain(Outcome::Fail),
                Exit::Code(code) if !CANNOT_TELL.contains(&code) => Verdict::plain(Outcome::Pass),
                _ => self.unresolved(observed),
            },
            Criterion::BisectLike(quiet)
                if matches!(observed.exit, Exit::Code(1..OTHER_FROM)) && quiet.is_broken_by(observed) =>
            {
                Verdict { outcome: Outcome::Unresolved, other: Some(Signature::of(observed, &self.words).to_string()) }
            }
            Criterion::Bisect | Criterion::BisectLike(_) => match observed.exit {
                Exit::Code(0) => Verdict::plain(Outcome::Pass),
                Exit::Code(code) if (1..OTHER_FROM).contains(&code) => Verdict::plain(Outcome::Fail),
                _ => self.unresolved(observed),
            },
            Criterion::Same(reference) => {
                let seen = Signature::of(observed, &self.words);
                match observed.exit {
                    _ if seen.matches(reference) && seen.names_alike(reference, &self.words, candidate) => {
                        Verdict::plain(Outcome::Fail)
                    }
                    Exit::Code(0) => Verdict::plain(Outcome::Pass),
                    // It may be that failure, or another one: nobody knows where it happened.
                    _ if seen.looks_like(reference) && seen.frames.is_empty() => Verdict::plain(Outcome::Unresolved),
                    // The same status with another message, or another death: another failure.
                    _ if seen.matches(reference) => {
                        let other = seen.in_full().map(|said| format!("{} saying {said}", describe(&seen.exit)));
                        Verdict { outcome: Outcome::Unresolved, other }
                    }
                    Exit::Code(_) if seen.exit == reference.exit => {
                        Verdict { outcome: Outcome::Unresolved, other: Some(seen.told_beside(reference)) }
                    }
                    _ => self.unresolved(observed),
                }
            }
            Criterion::Conditions(all) => match observed.exit {
                _ if !all.iter().all(|condition| condition.can_tell(observed)) => Verdict::plain(Outcome::Unresolved),
                // What reached a limit or cannot tell is not the failure because some other is excluded.
                _ if all.iter().all(|condition| condition.holds(observed))
                    && (tells(&observed.exit) || all.iter().any(|condition| condition.names(observed))) =>
                {
                    Verdict::plain(Outcome::Fail)
                }
                Exit::Code(code) if !CANNOT_TELL.contains(&code) => Verdict::plain(Outcome::Pass),
                _ => self.unresolved(observed),
            },
        }
    }

    fn unresolved(&self, observed: &Observed) -> Verdict {
        let died = matches!(observed.exit, Exit::Signal(_));
        let other = died.then(|| Signature::of(observed, &self.words).to_string());
        Verdict { outcome: Outcome::Unresolved, other }
    }
}

/// Runs the examples of the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
