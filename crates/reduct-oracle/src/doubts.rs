//! What makes it doubtful that a run was read rightly: other lines that say as surely what is wrong, a report behind an
//! exit status of 0.

use super::diagnostic::{competing, diagnostic_line, serious};
use super::output::Output;
use super::regex;
use super::signature::{output, output_by};
use super::words::{InputVocabulary, strip};
use crate::{Exit, Observed};
use regex::Regex;
use std::sync::LazyLock;

/// So many other lines are shown.
const MOST: usize = 3;

/// Lines of a run that say as surely as the one that was chosen that something else went wrong.
pub fn also_seen(observed: &Observed, words: &InputVocabulary) -> Vec<String> {
    let output = output_by(observed, words);
    let chosen = match output.report() {
        // These come with other lines about the same thing.
        Some(report) if ["panic", "internal compiler error"].contains(&&report.class[..]) => return vec![],
        Some(report) => report.in_short(),
        None => diagnostic_line(&output).map_or_else(String::new, |(line, _)| line),
    };
    let others = output.survived.iter().chain(&output.beside);
    let mut all: Vec<String> = others.filter(|line| !chosen.contains(&line[..])).cloned().collect();
    all.extend(competing(&output, &chosen));
    all.truncate(MOST);
    all
}

/// Returns whether all that tells of a run is what a program says of how another one ended that it ran.
pub fn is_passed_on(observed: &Observed) -> bool {
    let output = output(observed);
    output.report().is_none() && diagnostic_line(&output).is_some_and(|(_, is_passed_on)| is_passed_on)
}

static LITERAL: LazyLock<Regex> = LazyLock::new(|| regex(r"[A-Za-z_]{2}\w*"));

/// What a run that ends well says of a failure nevertheless.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Behind {
    /// The line.
    pub line: String,
    /// The condition by which it is the failure; it holds of this run.
    pub condition: String,
}

/// Returns the report or the line of an error in the output of a run that exits with 0, if there is one.
pub fn behind_success(observed: &Observed, words: &InputVocabulary) -> Option<Behind> {
    if observed.exit != Exit::Code(0) {
        return None;
    }
    let output = Output::of(&observed.exit, &observed.stderr, &observed.stdout);
    let streams = [("stderr", &observed.stderr), ("stdout", &observed.stdout)];
    let report = output.report();
    streams.iter().zip(&output.own).find_map(|((stream, bytes), text)| {
        let of_report = report.as_ref().and_then(|report| {
            let holds = |line: &&str| line.contains(&report.class) && line.contains(&report.message);
            text.lines().find(holds).map(|line| line.trim().to_owned())
        });
        let line = of_report.or_else(|| serious(text))?;
        let pattern = pattern(&line, words)?;
        let holds = regex::bytes::Regex::new(&pattern).is_ok_and(|regex| regex.is_match(bytes));
        holds.then(|| Behind { line, condition: format!("{stream}~{pattern}") })
    })
}

static DIGITS: LazyLock<Regex> = LazyLock::new(|| regex("[0-9]+"));

/// A number, while words are taken out of a line.
const NUMBER: char = '\u{1}';

/// Returns a pattern for such a line, whatever words of the input it names. `None` if it would hold of too much.
fn pattern(line: &str, words: &InputVocabulary) -> Option<String> {
    let stripped = strip(&DIGITS.replace_all(line, NUMBER.to_string()), words);
    LITERAL.is_match(&stripped).then(|| {
        let pattern = stripped.replace("'…'", "…").split('…').map(numbered).collect::<Vec<_>>().join(".*");
        pattern.trim_matches(['.', '*', ' ']).trim_end_matches('\\').to_owned()
    })
}

fn numbered(text: &str) -> String {
    text.split(NUMBER).map(regex::escape).collect::<Vec<_>>().join("[0-9]+")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::signature::Signature;
    use std::time::Duration;

    fn seen(code: i32, stderr: &str, stdout: &str) -> Observed {
        let (stderr, stdout) = (stderr.as_bytes().to_vec(), stdout.as_bytes().to_vec());
        Observed { exit: Exit::Code(code), stdout, stderr, elapsed: Duration::ZERO, also: Default::default() }
    }

    #[test]
    fn a_message_without_its_words_is_thin() {
        let of = |text: &str, input: &str| Signature::of(&seen(1, text, ""), &InputVocabulary::of(input.as_bytes()));
        let thin = |text: &str, input: &str| of(text, input).is_thin();
        assert!(thin("could not find the tag", "could not find the tag"));
        assert!(!thin("could not find the tag", "tag"));
        assert!(!thin("Traceback (most recent call last):\nKeyError: 'a'\n", "a"), "its class and place tell");
        assert!(thin(
            "Traceback (most recent call last):\n  File \"x\", line 1, in f\nE: no such tag here\n",
            "no such tag here"
        ));
        for (line, is_thin) in [
            ("invoice.py: error: 'SPRING24'", true),
            ("error: SPRING24", true),
            ("FATAL ERROR: 'SPRING24'", true),
            ("invoice.py: error: no code 'SPRING24'", false),
            ("error 17", false),
            ("price.py: failed", false),
        ] {
            assert_eq!(thin(line, "code SPRING24"), is_thin, "{line}");
        }
        let known = |line: &str| of(line, "code SPRING24").known_by_words();
        assert_eq!(known("a/b.py: error: 'SPRING24'").as_deref(), Some("a/b.py: error: 'SPRING24'"));
        assert_eq!(known("in.json:3: error: 'SPRING24'"), None, "another line would be another one's word");
    }

    #[test]
    fn what_a_pipe_hides_is_found_with_a_pattern_that_holds() {
        let words = InputVocabulary::of(b"price");
        let trace = "Traceback (most recent call last):\n  File \"x\", line 3, in f\nKeyError: 'price' (row 12)\n";
        let found = behind_success(&seen(0, "", trace), &words).unwrap();
        assert_eq!(found.condition, r"stdout~KeyError: .* \(row [0-9]+\)");
        assert_eq!(found.line, "KeyError: 'price' (row 12)");
        let found = behind_success(&seen(0, "x.c:3: error: price is [0.5]\n", ""), &words).unwrap();
        assert_eq!(found.condition, r"stderr~x\.c:[0-9]+: error: .* is \[[0-9]+\.[0-9]+\]");
        for quiet in
            [seen(1, trace, ""), seen(0, "all is well, 0 errors\n", ""), seen(0, "", "x.c:3: warning: error\n")]
        {
            assert_eq!(behind_success(&quiet, &words), None);
        }
    }
}
