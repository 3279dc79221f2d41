//! `--fails-if`: what the failure is, spelled out.

use super::measure::{read_size, read_time};
pub use super::measure::{show_size, show_time};
use super::signature::{frames, output, signal_name, signal_number};
use crate::{Death, Exit, Limit, Observed, Ran};
use regex::bytes::Regex;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::time::Duration;

/// One condition of `--fails-if`: `exit=1`, `signal=SEGV`, `timeout`, `stdout~RE`, `stderr~RE`,
/// `output~RE`, `frame~RE`, `slower-than=2s`, `memory-over=1G`, `differs-from LINE`; with `!` in front, its opposite.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Condition {
    negated: bool,
    what: What,
}

#[derive(Clone, Debug)]
pub(super) enum What {
    Exit(i32),
    Signal(i32),
    Timeout,
    Says(Stream, Regex),
    /// A function of the backtrace, or of a report, has such a name.
    Frame(Regex),
    /// It takes more processor time than this, with all its children.
    SlowerThan(Duration),
    /// It holds more bytes of memory than this at some time.
    MemoryOver(u64),
    /// It exits otherwise, or writes something else, than this line for the shell.
    DiffersFrom(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stream {
    Stdout,
    Stderr,
    Either,
}

impl PartialEq for What {
    fn eq(&self, other: &What) -> bool {
        self.to_string() == other.to_string()
    }
}

impl Eq for What {}

/// What is wrong with a condition.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum BadCondition {
    /// It is none of the forms.
    #[error(
        "`{0}` is no condition: it is one of exit=STATUS, signal=NAME, timeout, stdout~REGEX, stderr~REGEX, output~REGEX, frame~REGEX, slower-than=TIME, memory-over=SIZE, differs-from LINE, with `!` in front for the opposite"
    )]
    Form(String),
    /// The status is no number.
    #[error("`{0}` is no exit status: it is a number from 0 to 255")]
    Status(String),
    /// There is no such signal.
    #[error("`{0}` is no signal: it is a name like SEGV or a number")]
    Signal(String),
    /// It is no time.
    #[error("`{0}` is no time: it is a number and a unit, like 2s or 500ms")]
    Time(String),
    /// It is no size.
    #[error("`{0}` is no size: it is a number and a unit, like 1G or 500M")]
    Size(String),
    /// The regular expression cannot be read.
    #[error("`{0}` is no regular expression: {1}")]
    Regex(String, String),
}

impl std::str::FromStr for Condition {
    type Err = BadCondition;

    fn from_str(text: &str) -> Result<Condition, BadCondition> {
        let (negated, rest) = match text.strip_prefix('!') {
            Some(rest) => (true, rest.trim_start()),
            None => (false, text),
        };
        let what = if rest == "timeout" {
            What::Timeout
        } else if let Some(status) = rest.strip_prefix("exit=") {
            let status = status.parse::<u8>().map_err(|_| BadCondition::Status(status.into()))?;
            What::Exit(i32::from(status))
        } else if let Some(name) = rest.strip_prefix("signal=") {
            What::Signal(signal_number(name).ok_or_else(|| BadCondition::Signal(name.into()))?)
        } else if let Some(time) = rest.strip_prefix("slower-than=") {
            What::SlowerThan(read_time(time).ok_or_else(|| BadCondition::Time(time.into()))?)
        } else if let Some(size) = rest.strip_prefix("memory-over=") {
            What::MemoryOver(read_size(size).ok_or_else(|| BadCondition::Size(size.into()))?)
        } else if let Some(line) = rest.strip_prefix("differs-from ") {
            What::DiffersFrom(line.trim().into())
        } else if let Some(pattern) = rest.strip_prefix("frame~") {
            What::Frame(read_regex(pattern)?)
        } else if let Some((stream, pattern)) = stream(rest) {
            What::Says(stream, read_regex(pattern)?)
        } else {
            return Err(BadCondition::Form(text.into()));
        };
        Ok(Condition { negated, what })
    }
}

fn read_regex(pattern: &str) -> Result<Regex, BadCondition> {
    Regex::new(pattern).map_err(|e| BadCondition::Regex(pattern.into(), e.to_string()))
}

fn stream(text: &str) -> Option<(Stream, &str)> {
    let (stream, pattern) = text.split_once('~')?;
    let stream = match stream {
        "stdout" => Stream::Stdout,
        "stderr" => Stream::Stderr,
        "output" => Stream::Either,
        _ => return None,
    };
    Some((stream, pattern))
}

impl TryFrom<String> for Condition {
    type Error = BadCondition;

    fn try_from(text: String) -> Result<Condition, BadCondition> {
        text.parse()
    }
}

impl From<Condition> for String {
    fn from(condition: Condition) -> String {
        condition.to_string()
    }
}

impl Condition {
    /// Returns the condition that the test does not do what this line for the shell does.
    pub fn differs_from(line: String) -> Condition {
        Condition { negated: false, what: What::DiffersFrom(line) }
    }

    /// Returns whether it is negated, and what it is about.
    pub(super) fn parts(&self) -> (bool, &What) {
        (self.negated, &self.what)
    }

    /// Returns whether it holds of what was observed.
    pub fn holds(&self, observed: &Observed) -> bool {
        let holds = match &self.what {
            What::Exit(status) => observed.exit == Exit::Code(*status),
            What::Signal(number) => observed.exit == Exit::Signal(*number),
            What::Timeout => observed.exit == Exit::Limit(Limit::Time),
            What::Says(stream, regex) => {
                (*stream != Stream::Stderr && regex.is_match(&observed.stdout))
                    || (*stream != Stream::Stdout && regex.is_match(&observed.stderr))
            }
            What::Frame(regex) => {
                let report = output(observed).report();
                frames(observed, report.as_ref()).iter().any(|frame| regex.is_match(frame.name.as_bytes()))
            }
            What::SlowerThan(time) => observed.also.used.processor > *time,
            What::MemoryOver(size) => observed.also.used.memory > *size,
            What::DiffersFrom(_) => reference(observed).is_some_and(|ran| differ(observed, ran)),
        };
        holds != self.negated
    }
}

impl Condition {
    /// Returns whether it says of this very end that it is the failure.
    pub fn names(&self, observed: &Observed) -> bool {
        let exit = &observed.exit;
        !self.negated
            && match &self.what {
                What::Exit(status) => *exit == Exit::Code(*status),
                What::Timeout => *exit == Exit::Limit(Limit::Time),
                // What was stopped had used that much already.
                What::SlowerThan(_) => *exit == Exit::Limit(Limit::Time) && self.holds(observed),
                What::MemoryOver(_) => *exit == Exit::Limit(Limit::Memory) && self.holds(observed),
                What::Signal(_) | What::Says(..) | What::Frame(_) | What::DiffersFrom(_) => false,
            }
    }

    /// Returns whether enough was seen to say whether it holds: that the other command accepts the candidate, that
    /// where it died is known.
    pub fn can_tell(&self, observed: &Observed) -> bool {
        match &self.what {
            What::DiffersFrom(_) => reference(observed).is_some(),
            What::Frame(_) => match &observed.also.backtrace {
                Some(Ok(_)) => true,
                asked => {
                    let report = output(observed).report();
                    let did_not_die = asked.is_none() && Death::of(&observed.exit).is_none();
                    did_not_die || !frames(observed, report.as_ref()).is_empty()
                }
            },
            _ => true,
        }
    }

    /// Returns whether it takes a backtrace to decide.
    pub fn needs_frames(&self) -> bool {
        matches!(self.what, What::Frame(_))
    }

    /// Returns the line for the shell with which the test is compared.
    pub fn reference(&self) -> Option<&str> {
        if let What::DiffersFrom(line) = &self.what { Some(line) } else { None }
    }

    /// Returns the processor time it is about.
    pub fn time(&self) -> Option<Duration> {
        if let What::SlowerThan(time) = self.what { Some(time) } else { None }
    }

    /// Returns the memory it is about.
    pub fn memory(&self) -> Option<u64> {
        if let What::MemoryOver(size) = self.what { Some(size) } else { None }
    }

    /// Returns what was measured of it, if it is about what can be measured.
    pub fn measured(&self, observed: &Observed) -> Option<Measured> {
        let used = &observed.also.used;
        match &self.what {
            What::SlowerThan(limit) => Some(Measured::Time { took: used.processor, limit: *limit }),
            What::MemoryOver(limit) => Some(Measured::Memory { held: used.memory, limit: *limit }),
            What::Frame(_) => {
                let report = output(observed).report();
                let names: Vec<String> =
                    frames(observed, report.as_ref()).into_iter().map(|frame| frame.name).take(SHOWN).collect();
                Some(match (&observed.also.backtrace, names.is_empty()) {
                    (_, false) => Measured::Backtrace(names),
                    (Some(Err(why)), true) => Measured::NoPlace(why.clone()),
                    (_, true) => Measured::NoDeath,
                })
            }
            _ => None,
        }
    }

    /// Returns what was seen of it, in words, if that is more than that it holds.
    pub(super) fn details(&self, observed: &Observed) -> Option<String> {
        let ran = self.reference().and_then(|_| reference(observed))?;
        let status =
            (observed.exit != ran.exit).then(|| format!("{} instead of 0", super::signature::describe(&observed.exit)));
        let output = (observed.stdout != ran.stdout).then(|| "another standard output".to_owned());
        let all: Vec<String> = status.into_iter().chain(output).collect();
        (!all.is_empty()).then(|| all.join(" and "))
    }
}

/// What was measured of a condition.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Measured {
    /// Processor time, with that of all children.
    Time {
        /// How much it took.
        took: Duration,
        /// Above which the condition holds.
        limit: Duration,
    },
    /// Bytes of memory.
    Memory {
        /// How many it held at its peak.
        held: u64,
        /// Above which the condition holds.
        limit: u64,
    },
    /// The functions it died in, innermost first.
    Backtrace(Vec<String>),
    /// It died, but where is not known, for this reason.
    NoPlace(String),
    /// It did not die, so there is no backtrace.
    NoDeath,
}

/// So many functions of a backtrace are shown.
const SHOWN: usize = 8;

/// Returns what the other command did, if it accepts the candidate: only then is a difference one.
fn reference(observed: &Observed) -> Option<&Ran> {
    observed.also.reference.as_deref().filter(|ran| ran.exit == Exit::Code(0))
}

fn differ(observed: &Observed, ran: &Ran) -> bool {
    observed.exit != ran.exit || observed.stdout != ran.stdout
}

impl fmt::Display for What {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            What::Exit(status) => write!(f, "exit={status}"),
            What::Signal(number) => write!(f, "signal={}", signal_name(*number)),
            What::Timeout => f.write_str("timeout"),
            What::Says(Stream::Stdout, regex) => write!(f, "stdout~{regex}"),
            What::Says(Stream::Stderr, regex) => write!(f, "stderr~{regex}"),
            What::Says(Stream::Either, regex) => write!(f, "output~{regex}"),
            What::Frame(regex) => write!(f, "frame~{regex}"),
            What::SlowerThan(time) => write!(f, "slower-than={}", show_time(*time)),
            What::MemoryOver(size) => write!(f, "memory-over={}", show_size(*size)),
            What::DiffersFrom(line) => write!(f, "differs-from {line}"),
        }
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.negated { "!" } else { "" }, self.what)
    }
}
