//! What a failure looks like: how the run ended, what it said about it, and where in the program it happened.
//!
//! What it said is read from a report, if it gives one ([`reports`]); else one line of all it prints is taken to tell
//! what went wrong. Both are stripped of what may differ from candidate to candidate: numbers, addresses, folders,
//! quoted text, names of the input. Where it happened are the innermost functions of the program itself.

use super::frames::Frame;
use super::output::Output;
use super::reports::{self, Report};
pub use super::signals::{signal_name, signal_number};
use super::telling;
pub use super::words::Words;
use super::words::{strip, strip_name, strip_text};
use super::wrappers::strip_end;
use crate::executor::{Exit, Limit, Observed};
use serde::{Deserialize, Serialize};
use std::fmt;

/// So many functions tell the place.
const FRAMES: usize = 3;

/// Of longer messages and names only the beginning counts.
const LONGEST: usize = 400;

/// How a run ended, what it said, and where.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Signature {
    /// How it ended.
    pub exit: Exit,
    /// The stripped line that says why, if there is one.
    pub text: Option<String>,
    /// What its report says, if it gave one; then the line does not count.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub report: Option<Said>,
    /// The innermost functions of the program it happened in, each once. None: wherever it happened.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub frames: Vec<String>,
}

/// What a report says.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Said {
    /// The kind of failure.
    pub class: String,
    /// The stripped message. `None`: whatever it says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
}

impl Signature {
    /// The signature of a run; `words` are those of the input.
    pub fn of(observed: &Observed, words: &Words) -> Signature {
        let exit = observed.exit.clone();
        // A run that passes or hangs says nothing about a failure.
        if matches!(exit, Exit::Code(0) | Exit::Limit(_)) {
            return Signature { exit, text: None, report: None, frames: vec![] };
        }
        let output = output(observed);
        let text = telling::telling_line(&output).map(|told| strip_told(told, words));
        let report = output.report();
        let frames = innermost(&frames(observed, report.as_ref()), words);
        Signature { exit, text, report: report.map(|report| Said::of(&report, words)), frames }
    }

    /// Whether a run says so plainly what went wrong that no test script would say it by chance: a sanitizer's
    /// report, an assertion, a panic, an exception.
    pub fn is_plain(observed: &Observed) -> bool {
        output(observed).own.iter().any(|text| telling::is_plain(text))
    }

    /// The same without the text: for failures that say something else every time.
    pub fn without_text(&self) -> Signature {
        Signature { exit: self.exit.clone(), text: None, report: None, frames: vec![] }
    }

    /// The same whoever called the innermost function: of a bug in that, callers only say how it was reached.
    pub fn without_callers(self) -> Signature {
        Signature { frames: self.frames.into_iter().take(1).collect(), ..self }
    }

    /// The same wherever it happens.
    pub fn without_frames(self) -> Signature {
        Signature { frames: vec![], ..self }
    }

    /// What two runs of one failure have in common: what differs between them does not count.
    pub fn common(self, again: &Signature) -> Signature {
        if self.exit != again.exit {
            return self;
        }
        let report = self.report.zip(again.report.as_ref()).filter(|(one, other)| one.class == other.class);
        let report = report.map(|(one, other)| if one == *other { one } else { Said { message: None, ..one } });
        let text = if self.text == again.text { self.text } else { None };
        let frames = if self.frames == again.frames { self.frames } else { vec![] };
        Signature { text, report, frames, exit: self.exit }
    }

    /// Whether this is the failure that `reference` describes: that may name fewer of the functions, innermost first.
    pub fn matches(&self, reference: &Signature) -> bool {
        self.looks_like(reference) && self.frames.starts_with(&reference.frames)
    }

    /// Whether it is that failure, as far as it can be told without its place.
    pub fn looks_like(&self, reference: &Signature) -> bool {
        self.exit == reference.exit
            && match &reference.report {
                Some(said) => self.report.as_ref().is_some_and(|report| report.matches(said)),
                None => reference.text.is_none() || self.text == reference.text,
            }
    }
}

impl Said {
    fn of(report: &Report, words: &Words) -> Said {
        let message: String = report.message.trim().chars().take(LONGEST).collect();
        let message = if report.quotes { strip(&message, words) } else { strip_text(&message, words) };
        Said { class: report.class.chars().take(LONGEST).collect(), message: Some(message) }
    }

    fn matches(&self, reference: &Said) -> bool {
        self.class == reference.class && (reference.message.is_none() || self.message == reference.message)
    }
}

/// What of the output of a run counts.
pub(super) fn output(observed: &Observed) -> Output {
    Output::of(&observed.exit, &observed.stderr, &observed.stdout)
}

/// Whether what a run has printed says where it happened.
pub(crate) fn says_where(exit: &Exit, stderr: &[u8], stdout: &[u8]) -> bool {
    let report = Output::of(exit, stderr, stdout).report();
    report.is_some_and(|report| report.frames.iter().any(|frame| frame.own))
}

/// The line that tells, without what may differ. How a child ended stands as it is: there is nothing else to know it by.
fn strip_told((line, is_passed_on): (String, bool), words: &Words) -> String {
    if is_passed_on { strip_end(&line, |text| strip(text, words)) } else { strip(&line, words) }
}

/// All functions of the backtrace, as far as there is one.
pub(super) fn frames(observed: &Observed, report: Option<&Report>) -> Vec<Frame> {
    let told = report.map(|report| report.frames.clone()).filter(|frames| frames.iter().any(|frame| frame.own));
    told.unwrap_or_else(|| match &observed.also.backtrace {
        Some(Ok(text)) => reports::gdb::frames(text),
        _ => vec![],
    })
}

/// The functions that tell the place. Each counts once, so that a recursion may be less deep.
fn innermost(frames: &[Frame], words: &Words) -> Vec<String> {
    let mut names: Vec<String> = vec![];
    for name in frames.iter().filter(|frame| frame.own).filter_map(|frame| strip_name(&frame.name, words)) {
        let name = name.chars().take(LONGEST).collect();
        if !names.contains(&name) {
            names.push(name);
        }
        if names.len() == FRAMES {
            break;
        }
    }
    names
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", describe(&self.exit))?;
        match (&self.report, &self.text) {
            (Some(Said { class, message }), _) => match message.as_deref().filter(|message| !message.is_empty()) {
                Some(message) => write!(f, " saying “{class}: {message}”")?,
                None => write!(f, " saying “{class}”")?,
            },
            (None, Some(text)) => write!(f, " saying “{text}”")?,
            (None, None) => {}
        }
        if self.frames.is_empty() { Ok(()) } else { write!(f, " in {}", self.frames.join(" ← ")) }
    }
}

/// How a run ended, in words.
pub fn describe(exit: &Exit) -> String {
    match exit {
        Exit::Code(code) => format!("exit status {code}"),
        Exit::Signal(number) => format!("death by SIG{}", signal_name(*number)),
        Exit::Limit(Limit::Time) => "no end within the time limit".into(),
        Exit::Limit(Limit::Memory) => "more memory than allowed".into(),
        Exit::Limit(Limit::Processes) => "more processes than allowed".into(),
        Exit::NotStarted(why) => format!("no start ({why})"),
        Exit::NotBuilt(why) => format!("no build ({why})"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn signature(exit: Exit, stderr: &str, input: &str) -> Signature {
        let observed =
            Observed { exit, stdout: vec![], stderr: stderr.into(), elapsed: Duration::ZERO, also: Default::default() };
        Signature::of(&observed, &Words::of(input.as_bytes()))
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
    fn a_panic_is_its_place_and_its_message() {
        let panic = "\nthread 'main' panicked at src/main.rs:4:9:\nindex out of bounds: the len is 3\nnote: run with\n";
        let text = signature(Exit::Code(101), panic, "").text;
        assert_eq!(text.as_deref(), Some("thread '…' panicked at src/main.rs:N:N: index out of bounds: the len is N"));
    }
}
