//! What a server says: a greeting when it has started, and one line for each question.

use crate::faults::Breach;
use reduct_oracle::Exit;

/// The version of what is said between reduct and a server.
pub(super) const VERSION: &str = "1";

/// How a greeting begins.
const GREETING: &str = "reduct ";

/// A longer line is no answer.
pub(super) const LONGEST: usize = 4096;

/// The status that stands for "cannot tell".
pub(super) const CANNOT_TELL: i32 = 125;

/// An answer.
#[derive(Debug, PartialEq, Eq)]
pub(crate) struct ServerAnswer {
    /// As which end of a test it counts.
    pub exit: Exit,
    /// Whether what was written to standard error belongs to it, as that of a test does.
    pub is_run: bool,
}

/// Checks whether a line greets in the version spoken here; else what is wrong with it.
pub(crate) fn greeting(line: &[u8]) -> Result<(), Breach> {
    match std::str::from_utf8(line).ok().and_then(|line| line.trim_end().strip_prefix(GREETING)) {
        Some(VERSION) => Ok(()),
        Some(other) => Err(Breach::OtherVersion(shown(other.as_bytes()))),
        None => Err(Breach::NoGreeting(shown(line))),
    }
}

/// Returns what a line says of a test. `None` if it is no answer.
pub(crate) fn answer(line: &[u8]) -> Option<ServerAnswer> {
    let words: Vec<&str> = std::str::from_utf8(line).ok()?.split_ascii_whitespace().collect();
    let (exit, is_run) = match words[..] {
        ["pass"] => (Exit::Code(0), false),
        ["fail"] => (Exit::Code(1), false),
        ["unresolved"] => (Exit::Code(CANNOT_TELL), false),
        ["exit", status] => (Exit::Code(status.parse::<u8>().ok()?.into()), true),
        ["signal", number] => (Exit::Signal(number.parse().ok().filter(|number| (1..=64).contains(number))?), true),
        _ => return None,
    };
    Some(ServerAnswer { exit, is_run })
}

/// Returns the beginning of a line, for a message.
pub(super) fn shown(line: &[u8]) -> String {
    let text: String = String::from_utf8_lossy(line).chars().filter(|c| !c.is_control()).take(80).collect();
    format!("`{text}`")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn answers_are_words_statuses_and_signals() {
        let said = |line: &str| answer(line.as_bytes()).map(|answer| (answer.exit, answer.is_run));
        assert_eq!(said("pass"), Some((Exit::Code(0), false)));
        assert_eq!(said("fail\r"), Some((Exit::Code(1), false)));
        assert_eq!(said("unresolved"), Some((Exit::Code(125), false)));
        assert_eq!(said("exit 0"), Some((Exit::Code(0), true)));
        assert_eq!(said("exit 255"), Some((Exit::Code(255), true)));
        assert_eq!(said("signal 11"), Some((Exit::Signal(11), true)));
        for line in ["", "FAIL", "fail 1", "exit", "exit 256", "exit -1", "signal 0", "signal 65", "exit 1 2"] {
            assert_eq!(said(line), None, "{line}");
        }
        assert_eq!(answer(b"fail\xff"), None);
    }

    #[test]
    fn only_this_version_is_greeted() {
        assert_eq!(greeting(b"reduct 1"), Ok(()));
        assert_eq!(greeting(b"reduct 1\r"), Ok(()));
        assert!(greeting(b"reduct 2").unwrap_err().to_string().contains("version `2`"));
        assert!(greeting(b"Hello\x1b[2J").unwrap_err().to_string().contains("says `Hello[2J`"));
        assert!(greeting(b"\xff").is_err());
    }
}
