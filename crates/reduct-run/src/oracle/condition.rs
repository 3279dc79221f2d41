//! `--fails-if`: what the failure is, spelled out.

use super::signature::{signal_name, signal_number};
use crate::executor::{Exit, Limit, Observed};
use regex::bytes::Regex;
use serde::{Deserialize, Serialize};
use std::fmt;

/// One condition of `--fails-if`: `exit=1`, `signal=SEGV`, `timeout`, `stdout~RE`, `stderr~RE`,
/// `output~RE`; with `!` in front, its opposite.
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
        "`{0}` is no condition: it is one of exit=STATUS, signal=NAME, timeout, stdout~REGEX, stderr~REGEX, output~REGEX, with `!` in front for the opposite"
    )]
    Form(String),
    /// The status is no number.
    #[error("`{0}` is no exit status: it is a number from 0 to 255")]
    Status(String),
    /// There is no such signal.
    #[error("`{0}` is no signal: it is a name like SEGV or a number")]
    Signal(String),
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
        } else if let Some((stream, pattern)) = stream(rest) {
            let regex = Regex::new(pattern).map_err(|e| BadCondition::Regex(pattern.into(), e.to_string()))?;
            What::Says(stream, regex)
        } else {
            return Err(BadCondition::Form(text.into()));
        };
        Ok(Condition { negated, what })
    }
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
    /// Whether it is negated, and what it is about.
    pub(super) fn parts(&self) -> (bool, &What) {
        (self.negated, &self.what)
    }

    /// Whether it holds of what was observed.
    pub fn holds(&self, observed: &Observed) -> bool {
        let holds = match &self.what {
            What::Exit(status) => observed.exit == Exit::Code(*status),
            What::Signal(number) => observed.exit == Exit::Signal(*number),
            What::Timeout => observed.exit == Exit::Limit(Limit::Time),
            What::Says(stream, regex) => {
                (*stream != Stream::Stderr && regex.is_match(&observed.stdout))
                    || (*stream != Stream::Stdout && regex.is_match(&observed.stderr))
            }
        };
        holds != self.negated
    }
}

impl Condition {
    /// Whether it says of this very end that it is the failure.
    pub fn names(&self, exit: &Exit) -> bool {
        !self.negated
            && match &self.what {
                What::Exit(status) => *exit == Exit::Code(*status),
                What::Timeout => *exit == Exit::Limit(Limit::Time),
                What::Signal(_) | What::Says(..) => false,
            }
    }
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
        }
    }
}

impl fmt::Display for Condition {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", if self.negated { "!" } else { "" }, self.what)
    }
}
