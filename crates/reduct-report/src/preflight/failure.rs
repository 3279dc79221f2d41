//! What the failure is, as it was read off a run, and what speaks against that.

use reduct_oracle::signature::signal_name;
use reduct_oracle::{Criterion, Observed};

/// Of longer lines only the beginning is shown.
const LONGEST: usize = 60;

/// What the failure is where nobody said it.
pub enum ReadOff<'a> {
    /// The test exits with 0 on the whole input.
    StatusZero,
    /// What the first run showed.
    FirstRun(&'a Criterion),
    /// What the first run showed that failed, of a test that fails now and then.
    FirstThatFailed(&'a Criterion),
}

/// Returns what the failure is, and how to say otherwise.
pub fn read_off(failure: &ReadOff<'_>) -> String {
    match failure {
        ReadOff::StatusZero => "exit status 0, as in scripts for other reducers (--fails-if defines another)".into(),
        ReadOff::FirstRun(reading) => {
            format!("{}, as the first run showed (--fails-if defines another)", reading.describe())
        }
        ReadOff::FirstThatFailed(reading) => {
            format!("{}, as the first run that failed showed (--fails-if defines another)", reading.describe())
        }
    }
}

/// By how little a failure is known.
pub enum Thin {
    /// By a message of hardly anything but words of the input: this line.
    InputWords(String),
    /// By hardly anything of its message.
    Message,
    /// By a line in which any number counts.
    AnyNumber,
    /// By its exit status.
    Status,
}

/// Returns that a failure is known by so little, to follow what it is.
pub fn thin(thin: &Thin) -> String {
    match thin {
        Thin::InputWords(line) => {
            let numbers = if has_number(line) { " (with any numbers)" } else { "" };
            let line = shortened(line);
            format!("; its message has hardly any words but those of the input, so these count{numbers}: “{line}”")
        }
        Thin::Message => {
            "; hardly anything of its message is left to know it by: it may be followed to another failure".into()
        }
        Thin::AnyNumber => {
            "; a line with other numbers counts as the same, so another failure may be taken for it".into()
        }
        Thin::Status => {
            "; only its exit status is known, so another failure with this status would be taken for it".into()
        }
    }
}

/// Returns whether a line has a number that is no part of a word.
fn has_number(line: &str) -> bool {
    let words = line.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty());
    words.into_iter().any(|word| word.bytes().all(|byte| byte.is_ascii_digit()))
}

/// What a first run shows that makes its failure less certain.
pub enum Doubt {
    /// A program that the test runs died by this signal, nobody knows where.
    DiedSomewhere(i32),
    /// The status was passed on by a program that ran another one.
    PassedOn,
    /// It is the status of `timeout`.
    TimedOut,
    /// The run shows these lines of other failures besides.
    AlsoSeen(Vec<String>),
}

/// Returns that a program died by a signal, and nobody knows where.
pub fn died_somewhere(signal: i32) -> String {
    let signal = signal_name(signal);
    format!("a program that the test runs died by SIG{signal}; where is not known, so any such death")
}

/// Returns the words of a doubt, to follow what the failure is.
pub fn doubt(doubt: &Doubt) -> String {
    match doubt {
        Doubt::DiedSomewhere(signal) => format!("; {} counts", died_somewhere(*signal)),
        Doubt::PassedOn => {
            "; only how the program ended is known of it, from the one that ran it: it may be followed to \
                            another failure"
                .into()
        }
        Doubt::TimedOut => "; `timeout` exits with this status if the program does not end".into(),
        Doubt::AlsoSeen(lines) => {
            let lines: Vec<String> = lines.iter().map(|line| format!("“{}”", shortened(line))).collect();
            format!("; also seen: {} (--fails-if 'output~REGEX' chooses another)", lines.join(", "))
        }
    }
}

/// Returns what the failure is, with what the first run showed besides, or why it did not show where a program died.
pub fn with_details(failure: String, reading: &Criterion, first: &Observed) -> String {
    match (&first.also.backtrace, reading.details(first)) {
        (_, Some(details)) => format!("{failure}: {details}"),
        (Some(Err(why)), _) if matches!(reading, Criterion::Same(_)) => {
            format!("{failure}; where it dies does not count: {why} (--no-backtrace says that this is fine)")
        }
        _ => failure,
    }
}

/// Returns the beginning of a line.
pub(super) fn shortened(line: &str) -> String {
    let shown: String = line.chars().take(LONGEST).collect();
    if shown.len() < line.len() { shown + "…" } else { shown }
}
