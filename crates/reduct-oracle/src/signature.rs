//! What a failure looks like: how the run ended, what it said about it, and where in the program it happened.
//!
//! What it said is read from a report, if it gives one ([`super::reports`]); else one line of all it prints is taken to
//! tell what went wrong. Both are stripped of what may differ from candidate to candidate: numbers, addresses, folders,
//! quoted text, names of the input. Where it happened are the innermost functions of the program itself.

mod backtrace;
mod reported;
mod thin;
mod told;

use super::diagnostic;
use super::frames::{Frame, Spot, Stack, innermost};
use super::output::Output;
use super::regex;
use super::reports::FailureReport;
pub use super::signals::{signal_name, signal_number};
pub use super::slots::HoldsText;
use super::slots::keep;
pub use super::words::InputVocabulary;
use super::words::{is_about_the_candidate, strip, unplaced};
use super::wrappers::strip_end;
use crate::{Death, Exit, Observed};
pub(super) use backtrace::frames;
use backtrace::{innermost as innermost_of, stack};
use regex::Regex;
pub use reported::{ChainedClass, Reported};
use reported::{message, shortened};
use serde::{Deserialize, Serialize};
use std::hash::{Hash, Hasher};
use std::sync::LazyLock;
pub use told::describe;

/// Where a buffer lies, as AddressSanitizer says it.
static REGION: LazyLock<Regex> =
    LazyLock::new(|| regex(r"^(\w*Sanitizer: )(?:heap|stack|dynamic-stack|global)-buffer-"));

/// Before the functions in which a program died.
const DIED_IN: &str = "death in ";

/// How a run ended, what it said, and where.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Signature {
    /// How it ended.
    pub exit: Exit,
    /// The stripped line that says why, if there is one.
    pub text: Option<String>,
    /// What its report says, if it gave one; then that line does not count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub report: Option<Reported>,
    /// The stripped line that may say why as well, where the program may have survived what it reports.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub or: Option<String>,
    /// The death of a program that the test ran, if the program that ran it reports it and ends with a status of its own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hidden: Option<Death>,
    /// The innermost functions of the program it happened in, each once. None: wherever it happened.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub frames: Vec<Spot>,
    /// The message, or else the line, as it was printed.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub verbatim: Option<Box<Verbatim>>,
    /// What gdb shows of the stack, whatever functions tell by their names: what counts where none of the failure looked for does.
    #[serde(default, skip_serializing_if = "Unnamed::is_silent")]
    pub stack: Unnamed,
    /// Whether it was known which files are the input's: else no line tells, and no name that the input has.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub placed: bool,
}

/// What a backtrace shows where names do not tell. What failures look like is compared without it: any two are equal.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Unnamed {
    #[serde(skip)]
    stack: Option<Stack>,
    /// The innermost functions, by the names that they had, if none of them tells.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    innermost: Option<Box<str>>,
}

impl Unnamed {
    fn is_silent(&self) -> bool {
        self.innermost.is_none()
    }
}

impl PartialEq for Unnamed {
    fn eq(&self, _: &Unnamed) -> bool {
        true
    }
}

impl Eq for Unnamed {}

impl Hash for Unnamed {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

/// What was printed, word for word. What failures look like is compared without it: any two are equal.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Verbatim(pub String);

impl PartialEq for Verbatim {
    fn eq(&self, _: &Verbatim) -> bool {
        true
    }
}

impl Eq for Verbatim {}

impl Hash for Verbatim {
    fn hash<H: Hasher>(&self, _: &mut H) {}
}

impl Signature {
    /// Returns the signature of a run; `words` are those of the input.
    pub fn of(observed: &Observed, words: &InputVocabulary) -> Signature {
        let (exit, placed) = (observed.exit.clone(), words.know_files());
        // A run that passes or hangs says nothing about a failure.
        if matches!(exit, Exit::Code(0) | Exit::Limit(_)) {
            let (text, report, or, hidden, verbatim) = Default::default();
            let stack = Unnamed::default();
            return Signature { exit, text, report, or, hidden, frames: vec![], verbatim, stack, placed };
        }
        let output = output_by(observed, words);
        let told = diagnostic::diagnostic_line(&output);
        let line = told.as_ref().map(|(line, _)| line.clone());
        let text = told.map(|told| strip_told(told, words));
        let or = output.or.as_deref().map(|line| strip(&shortened(line), words));
        let report = output.report();
        let frames = frames(observed, report.as_ref());
        let is_anywhere = report.as_ref().is_some_and(overflows);
        let frames: Vec<Frame> = if is_anywhere { frames.into_iter().map(Frame::anywhere).collect() } else { frames };
        let stack = stack(observed);
        let frames = match innermost(&frames, words) {
            none if none.is_empty() => stack.map(Spot::from).into_iter().collect(),
            some => some,
        };
        let is_unnamed = is_unnamed(&frames);
        let named = if is_unnamed { innermost_of(observed) } else { None };
        let stack = Unnamed { stack, innermost: named.map(Into::into) };
        let verbatim = report.as_ref().map(message).or(line).map(|said| Box::new(Verbatim(said)));
        let (hidden, report) = (output.hidden, report.map(|report| Reported::of(&report, words)));
        Signature { exit, text, report, or, hidden, frames, verbatim, stack, placed }
    }

    /// Returns whether a run says so plainly what went wrong that no test script would say it by chance: a sanitizer's
    /// report, an assertion, a panic, an exception.
    pub fn is_plain(observed: &Observed) -> bool {
        output(observed).own.iter().any(|text| diagnostic::is_plain(text))
    }

    /// Returns whether a run says in words what went wrong: in a report, or in a line that tells by its words. Else the line that counts
    /// is the last one that was printed, whatever it says.
    pub fn is_told(observed: &Observed) -> bool {
        let output = output(observed);
        output.report().is_some() || diagnostic::tells(&output.own)
    }

    /// Returns the same without the text: for failures that say something else every time.
    pub fn without_text(&self) -> Signature {
        Signature {
            exit: self.exit.clone(),
            text: None,
            report: None,
            or: None,
            hidden: self.hidden,
            frames: vec![],
            verbatim: None,
            stack: Unnamed::default(),
            placed: self.placed,
        }
    }

    /// Returns the same whichever function called the innermost one: of a bug in that, callers only say how it was reached.
    pub fn without_callers(self) -> Signature {
        Signature { frames: self.frames.into_iter().take(1).collect(), ..self }
    }

    /// Returns the same wherever it happens.
    pub fn without_frames(self) -> Signature {
        Signature { frames: vec![], ..self }
    }

    /// Returns the same in whatever memory a buffer lies: on the stack, on the heap, or where it stays.
    #[must_use]
    pub fn in_any_memory(self) -> Signature {
        let anywhere =
            |said: Reported| Reported { class: REGION.replace(&said.class, "${1}buffer-").into_owned(), ..said };
        Signature { report: self.report.map(anywhere), ..self }
    }

    /// Returns what two runs of one failure have in common: what differs between them does not count.
    pub fn common(self, again: &Signature) -> Signature {
        if self.exit != again.exit {
            return self;
        }
        let said = |one: &Signature| one.verbatim.as_deref().map(|Verbatim(said)| unplaced(said).into_owned());
        let says_the_same = said(&self) == said(again);
        let report = self.report.zip(again.report.as_ref()).filter(|(one, other)| one.class == other.class);
        let report = report.map(|(one, other)| one.common(other));
        let text = if self.text == again.text { self.text } else { None };
        let verbatim = self.verbatim.filter(|_| says_the_same);
        let frames = if self.frames == again.frames { self.frames } else { vec![] };
        let or = if self.or == again.or { self.or } else { None };
        let hidden = self.hidden.filter(|_| self.hidden == again.hidden);
        let innermost = self.stack.innermost.filter(|one| again.stack.innermost.as_ref() == Some(one));
        let (exit, stack, placed) = (self.exit, Unnamed { innermost, ..self.stack }, self.placed);
        Signature { text, report, or, hidden, frames, exit, verbatim, stack, placed }
    }

    /// Returns whether this is the failure that `reference` describes: that may name fewer of the functions, innermost
    /// first. If it names none, but what the stack was like, names do not count: an edit gives others.
    pub fn matches(&self, reference: &Signature) -> bool {
        let is_there = match reference.frames.first().and_then(Spot::stack) {
            Some(stack) => self.stack.stack == Some(stack),
            None => self.frames.starts_with(&reference.frames),
        };
        self.looks_like(reference) && is_there
    }

    /// Returns whether a failure that matches `reference` names the same, or what its candidate holds in the place of
    /// names that the input held.
    pub fn names_alike(&self, reference: &Signature, input: &InputVocabulary, candidate: &dyn HoldsText) -> bool {
        // What is said of a place in the candidate speaks the candidate's words, also those that stand for its own:
        // the types of what it says, for one.
        let is_of_program = |said: &str| match reference.frames.first() {
            Some(spot) if reference.report.is_some() => spot.at.is_some(),
            _ => !is_about_the_candidate(said, input),
        };
        let counts = |said: &str| match &reference.report {
            Some(report) => report.message.is_some() && is_of_program(said),
            None => reference.text.is_some() && is_of_program(said),
        };
        match (reference.verbatim.as_deref(), self.verbatim.as_deref()) {
            (Some(Verbatim(wanted)), Some(Verbatim(said))) if counts(wanted) => {
                keep([wanted, said], input, candidate, reference.known_by_words().is_some())
            }
            _ => true,
        }
    }

    /// Returns the signal of which a program died that the test ran, if nobody knows where: any such death counts then.
    pub fn died_somewhere(&self) -> Option<i32> {
        let says_where = self.report.is_some() || !self.frames.is_empty();
        self.hidden.filter(|_| !says_where).map(Death::signal)
    }

    /// Returns whether no function tells where it happened, but what the stack was like.
    pub fn is_unnamed(&self) -> bool {
        is_unnamed(&self.frames)
    }

    /// Returns the death of a program, if there was one: of the test, or of what it ran.
    pub(crate) fn death(&self) -> Option<Death> {
        Death::of(&self.exit).or(self.hidden)
    }

    /// Returns what a run of such a failure says, with the functions that it died in, by the names that they have in this run.
    pub fn died_in(observed: &Observed) -> Option<String> {
        innermost_of(observed).map(|innermost| format!("{DIED_IN}{innermost}"))
    }

    /// Returns what it said, word for word, and where.
    pub fn in_full(&self) -> Option<String> {
        if let Some(innermost) = &self.stack.innermost {
            return Some(format!("{DIED_IN}{innermost}"));
        }
        let Verbatim(said) = self.verbatim.as_deref()?;
        let class = self.report.as_ref().map(|said| said.class.as_str());
        let said = unplaced(said);
        let said = [class, Some(said.trim()).filter(|said| !said.is_empty())];
        let said = said.into_iter().flatten().collect::<Vec<_>>().join(": ");
        let place = self.frames.first().and_then(Spot::place).map(|place| format!(" at {place}"));
        Some(format!("“{said}”{}", place.unwrap_or_default()))
    }

    /// Returns whether it is that failure, as far as it can be told without its place.
    pub fn looks_like(&self, reference: &Signature) -> bool {
        self.exit == reference.exit
            && (reference.or.is_none() || self.or == reference.or)
            && (reference.hidden.is_none() || self.hidden == reference.hidden)
            && match &reference.report {
                Some(said) => self.report.as_ref().is_some_and(|report| report.matches(said)),
                None => reference.text.is_none() || self.text == reference.text,
            }
    }
}

fn is_unnamed(frames: &[Spot]) -> bool {
    frames.first().is_some_and(|spot| spot.stack().is_some())
}

/// Returns what of the output of a run counts, of whatever command.
pub(super) fn output(observed: &Observed) -> Output {
    Output::of(&observed.exit, &observed.stderr, &observed.stdout)
}

/// Returns what of the output of a run counts, if its command is known.
pub(super) fn output_by(observed: &Observed, words: &InputVocabulary) -> Output {
    Output::run_by(words.command(), &observed.exit, &observed.stderr, &observed.stdout)
}

/// Returns the death of a program that the test ran, if what a run has printed tells of it and its status does not.
pub fn hidden_death(exit: &Exit, stderr: &[u8], stdout: &[u8]) -> Option<Death> {
    Output::of(exit, stderr, stdout).hidden
}

/// Returns whether what a run has printed says where it happened.
pub fn says_where(exit: &Exit, stderr: &[u8], stdout: &[u8]) -> bool {
    let report = Output::of(exit, stderr, stdout).report();
    report.is_some_and(|report| report.frames.iter().any(|frame| frame.own))
}

/// Returns the line that tells, without what may differ. How a child ended stands as it is: there is nothing else to
/// know it by.
fn strip_told((line, is_passed_on): (String, bool), words: &InputVocabulary) -> String {
    if is_passed_on { strip_end(&line, |text| strip(text, words)) } else { strip(&line, words) }
}

/// What engines of JavaScript say of a full stack.
const FULL_STACK: &str = "Maximum call stack size exceeded";

/// Returns whether the stack was full: in which line of a recursion is chance.
fn overflows(report: &FailureReport) -> bool {
    ["RecursionError", "StackOverflowError"].iter().any(|class| report.class.ends_with(class))
        || report.message.contains(FULL_STACK)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn signature(exit: Exit, stderr: &str, input: &str) -> Signature {
        let observed =
            Observed { exit, stdout: vec![], stderr: stderr.into(), elapsed: Duration::ZERO, also: Default::default() };
        Signature::of(&observed, &InputVocabulary::of(input.as_bytes()))
    }

    #[test]
    fn numbers_folders_quotes_and_names_of_the_input_do_not_tell() {
        let one =
            signature(Exit::Code(1), "/tmp/a/0/x.c:12:3: error: no member named 'foo' in struct alpha", "alpha beta");
        let two =
            signature(Exit::Code(1), "/tmp/a/1/x.c:7:44: error: no member named 'q' in struct beta", "alpha beta");
        assert_eq!(one, two);
        assert_eq!(one.text.as_deref(), Some("x.c:N:N: error: no member named '…' in struct …"));
    }

    #[test]
    fn another_message_is_another_failure() {
        let one = signature(Exit::Code(1), "ERROR 17: tree is not balanced", "");
        let two = signature(Exit::Code(1), "ERROR 17: list is empty", "");
        assert!(!two.matches(&one));
        assert!(two.matches(&one.without_text()));
    }

    #[test]
    fn an_exception_is_what_a_traceback_ends_with() {
        let trace =
            "Traceback (most recent call last):\n  File \"x.py\", line 3, in <module>\n    f()\nKeyError: 'b'\n";
        assert_eq!(signature(Exit::Code(1), trace, "").text.as_deref(), Some("KeyError: '…'"));
    }

    #[test]
    fn a_hidden_death_is_told_without_a_comma_at_the_end() {
        let seen = signature(Exit::Code(1), "loading\nSegmentation fault\n", "");
        let seen = Signature { text: None, ..seen };
        assert_eq!(seen.to_string(), "exit status 1, of a program that died by SIGSEGV");
        let spot = Spot { name: "f".into(), at: None, column: None };
        let placed = Signature { frames: vec![spot], ..seen };
        assert_eq!(placed.to_string(), "exit status 1, of a program that died by SIGSEGV, in f");
    }

    #[test]
    fn a_panic_is_its_place_and_its_message() {
        let panic = "\nthread 'main' panicked at src/main.rs:4:9:\nindex out of bounds: the len is 3\nnote: run with\n";
        let text = signature(Exit::Code(101), panic, "").text;
        assert_eq!(text.as_deref(), Some("thread '…' panicked at src/main.rs:N:N: index out of bounds: the len is N"));
    }

    #[test]
    fn another_failure_of_the_same_words_is_told_by_what_differs() {
        let spot = |name: &str, line| Spot { name: name.into(), at: Some(("C.java".into(), line)), column: None };
        let seen = signature(Exit::Code(1), "error: p failed\n", "");
        let at = |line| Signature { frames: vec![spot("atom", 3), spot("expr", line)], ..seen.clone() };
        let told = at(9).told_beside(&at(8));
        assert!(told.starts_with("exit status 1, in expr at C.java:9 instead of C.java:8, saying “error: p"), "{told}");
        let died = Signature { hidden: Death::hidden(&Exit::Code(1), 11), ..seen.clone() };
        assert_eq!(seen.told_beside(&died), "exit status 1 saying “error: p failed”, and no program died");
        assert_eq!(seen.told_beside(&at(8)), seen.to_string());
    }
}
