//! What a failure looks like: how the run ended, and what it said about it.
//!
//! Of all that a failing run prints one line tells what went wrong. It is found by the words that
//! sanitizers, assertions, compilers and runtimes use, and then stripped of what may differ from
//! candidate to candidate: numbers, addresses, folders, quoted text, names of the input.

use crate::executor::{Exit, Limit, Observed};
use regex::{Captures, Regex};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;
use std::fmt;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::sync::LazyLock;

/// How a run ended, and the stripped line that says why, if there is one.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Signature {
    /// How it ended.
    pub exit: Exit,
    /// What it said.
    pub text: Option<String>,
}

impl Signature {
    /// The signature of a run; `words` are those of the input.
    pub fn of(observed: &Observed, words: &Words) -> Signature {
        // A run that passes or hangs says nothing about a failure.
        let says = !matches!(observed.exit, Exit::Code(0) | Exit::Limit(_));
        let text = says.then(|| telling_line(&observed.stderr, &observed.stdout)).flatten();
        Signature { exit: observed.exit.clone(), text: text.map(|line| strip(&line, words)) }
    }

    /// The same without the text: for failures that say something else every time.
    pub fn without_text(&self) -> Signature {
        Signature { exit: self.exit.clone(), text: None }
    }

    /// Whether this is the failure that `reference` describes.
    pub fn matches(&self, reference: &Signature) -> bool {
        self.exit == reference.exit && (reference.text.is_none() || self.text == reference.text)
    }
}

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", describe(&self.exit))?;
        self.text.as_ref().map_or(Ok(()), |text| write!(f, " saying “{text}”"))
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

/// The words of the input, by hash: what a message may name without being another message.
#[derive(Clone, Debug, Default)]
pub struct Words(HashSet<u64>);

/// Of larger inputs no words are known: eight bytes a word would be a burden.
const LARGEST_WITH_WORDS: usize = 64 << 20;

impl Words {
    /// The words of a text.
    pub fn of(text: &[u8]) -> Words {
        if text.len() > LARGEST_WITH_WORDS {
            return Words::default();
        }
        let words = text.split(|b| !(b.is_ascii_alphanumeric() || *b == b'_'));
        Words(words.filter(|word| !word.is_empty()).map(Words::hash).collect())
    }

    fn contains(&self, word: &str) -> bool {
        self.0.contains(&Words::hash(word.as_bytes()))
    }

    fn hash(word: &[u8]) -> u64 {
        let mut hasher = DefaultHasher::new();
        word.hash(&mut hasher);
        hasher.finish()
    }
}

/// What tells a failure, the surest first. Within a row, the first line that holds it counts.
const TELLING: &[&str] = &[
    "SUMMARY: ",
    "Sanitizer: ",
    "runtime error:",
    "panicked at",
    "internal compiler error",
    "Internal compiler error",
    "INTERNAL ERROR",
    "LLVM ERROR",
    "UNREACHABLE",
    "Assertion",
    "assertion",
    "terminate called",
    "Uncaught",
    "Exception",
    "Segmentation fault",
    "FATAL",
    "Fatal",
    "fatal",
    "ERROR",
    "Error",
    "error",
    "abort",
    "crash",
    "fail",
];

/// The line of the output that says what went wrong: of standard error if it says anything.
fn telling_line(stderr: &[u8], stdout: &[u8]) -> Option<String> {
    let (stderr, stdout) = (String::from_utf8_lossy(stderr), String::from_utf8_lossy(stdout));
    let found = [&stderr, &stdout].into_iter().find_map(|text| exception(text).or_else(|| marked(text)));
    let last = || [&stderr, &stdout].into_iter().find_map(|text| text.lines().rfind(|line| !line.trim().is_empty()));
    found.or_else(|| last().map(str::to_owned)).map(|line| line.trim().chars().take(LONGEST_LINE).collect())
}

/// Of longer lines only the beginning counts.
const LONGEST_LINE: usize = 400;

fn marked(text: &str) -> Option<String> {
    TELLING.iter().find_map(|word| {
        let mut lines = text.lines().skip_while(|line| !line.contains(word));
        let line = lines.next()?;
        // Rust prints the place first and the message on a line of its own.
        let more = if *word == "panicked at" && line.ends_with(':') { lines.next() } else { None };
        Some([line, more.unwrap_or("")].join(" "))
    })
}

/// The exception that ends a Python traceback.
fn exception(text: &str) -> Option<String> {
    let mut lines = text.lines().skip_while(|line| !line.starts_with("Traceback (most recent call last)"));
    lines.next()?;
    lines.find(|line| !line.starts_with(char::is_whitespace) && !line.is_empty()).map(str::to_owned)
}

static QUOTED: LazyLock<Regex> = LazyLock::new(|| regex(r#"'[^']*'|"[^"]*"|`[^`']*['`]|‘[^’]*’|“[^”]*”"#));
static FOLDERS: LazyLock<Regex> = LazyLock::new(|| regex(r#"(?:/[^\s/:'"()<>,]+)+/"#));
static NUMBERS: LazyLock<Regex> = LazyLock::new(|| regex(r"0x[0-9a-fA-F]+|[0-9]+"));
static WORDS: LazyLock<Regex> = LazyLock::new(|| regex(r"[A-Za-z_][A-Za-z0-9_]*"));

fn regex(pattern: &str) -> Regex {
    Regex::new(pattern).expect("a constant pattern is well formed")
}

/// The line without what may differ from candidate to candidate.
fn strip(line: &str, words: &Words) -> String {
    let line = FOLDERS.replace_all(line, "");
    let line = QUOTED.replace_all(&line, "'…'");
    let line = WORDS.replace_all(
        &line,
        |found: &Captures<'_>| {
            if words.contains(&found[0]) { "…".to_owned() } else { found[0].to_owned() }
        },
    );
    NUMBERS.replace_all(&line, "N").into_owned()
}

const SIGNALS: &[(&str, i32)] = &[
    ("HUP", 1),
    ("INT", 2),
    ("QUIT", 3),
    ("ILL", 4),
    ("TRAP", 5),
    ("ABRT", 6),
    ("BUS", 7),
    ("FPE", 8),
    ("KILL", 9),
    ("USR1", 10),
    ("SEGV", 11),
    ("USR2", 12),
    ("PIPE", 13),
    ("ALRM", 14),
    ("TERM", 15),
    ("STKFLT", 16),
    ("CHLD", 17),
    ("XCPU", 24),
    ("XFSZ", 25),
    ("SYS", 31),
];

/// The name of a signal without `SIG`, or its number.
pub fn signal_name(number: i32) -> String {
    SIGNALS.iter().find(|(_, known)| *known == number).map_or_else(|| number.to_string(), |(name, _)| (*name).into())
}

/// The number of a signal, by name with or without `SIG`, or by number.
pub fn signal_number(name: &str) -> Option<i32> {
    let upper = name.to_ascii_uppercase();
    let short = upper.strip_prefix("SIG").unwrap_or(&upper);
    let known = SIGNALS.iter().find(|(known, _)| *known == short).map(|(_, number)| *number);
    known.or_else(|| short.parse().ok().filter(|number| (1..=64).contains(number)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn signature(exit: Exit, stderr: &str, input: &str) -> Signature {
        let observed = Observed { exit, stdout: vec![], stderr: stderr.into(), elapsed: Duration::ZERO };
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

    #[test]
    fn signals_by_name_and_number() {
        for (name, number) in [("SEGV", 11), ("SIGSEGV", 11), ("sigabrt", 6), ("9", 9), ("40", 40)] {
            assert_eq!(signal_number(name), Some(number));
        }
        assert_eq!(signal_number("SIGNOSE"), None);
        assert_eq!(signal_number("65"), None);
        assert_eq!(signal_name(11), "SEGV");
        assert_eq!(signal_name(40), "40");
    }
}
