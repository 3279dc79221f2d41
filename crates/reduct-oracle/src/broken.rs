//! Reports of what the failure in question never showed.
//!
//! A mix of two versions may be no program any more: a line that is indented as nobody wrote it, a name that nobody
//! defines. A test fails with it as with any other, and by its status alone nobody can tell that from the failure in
//! question. What such a run prints tells: where neither version prints a report of that kind, it says nothing of the
//! failure.

use super::terminal::plain;
use super::words::unplaced;
use super::{Criterion, diagnostic, regex, reports};
use crate::{Exit, Observed};
use regex::Regex;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::LazyLock;

/// Kinds of what a run reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Complaint {
    /// A program that cannot be read, built or linked, or a name in it that stands for nothing.
    Broken,
    /// An exception, an assertion, a death.
    Raised,
}

const COMPLAINTS: [Complaint; 2] = [Complaint::Broken, Complaint::Raised];

static NUMBER: LazyLock<Regex> = LazyLock::new(|| regex(r"[0-9]+"));

/// Lines that say of a program that it cannot be run as it is.
static BROKEN: LazyLock<[Regex; 5]> = LazyLock::new(|| {
    [
        // Python, Ruby, JavaScript: the classes, at the begin of a line, as test runners set them off, or at the end.
        regex(concat!(
            r"(?m)^(?:E +|FAILED .* - |ERROR .* - |Uncaught |# |\s*error: ')?(?:\w+\.)*",
            r"(?:SyntaxError|IndentationError|TabError|ImportError|ModuleNotFoundError|NameError|UnboundLocalError",
            r"|ReferenceError)\b"
        )),
        regex(r"(?m)\((?:SyntaxError|NameError|LoadError)\)$|^\S+\.rb:\d+: syntax error"),
        // Perl, PHP, Lua.
        regex(concat!(
            r"(?m)^(?:syntax error at \S+ line \d+|Undefined subroutine |Can't locate \S+ in @INC|Global symbol ",
            r"|Bareword |(?:Missing|Unmatched) right |Can't find string terminator ",
            r"|(?:PHP )?Parse error: |.*Call to undefined function |lua\S*: \S+:\d+: .* (?:expected|near) )"
        )),
        // Shells.
        regex(r"(?m)^\S+: (?:line )?\d+: (?:.*[Ss]yntax error|.*unexpected EOF|\S+: (?:command )?not found$)"),
        // Compilers and linkers.
        regex(concat!(
            r"(?m)^[^\s:(]+[:(]\d+(?:[:,]\d+)*\)?:? (?:fatal |syntax )?error\b|^error(?:\[E\d+\]: |: could not compile )",
            r"|^\S+\.go:\d+:\d+: |: undefined reference to |: ld returned \d+ exit status$"
        )),
    ]
});

/// Where the status alone tells a failure: what a run may not report for it to count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Quiet {
    /// Kinds of reports that neither version shows.
    without: Vec<Complaint>,
    /// What the version that fails says of a program that is broken, if it is: of another one, this is not said.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    says: Option<String>,
}

/// Returns what a run says of programs that are broken, line by line, without places and numbers.
fn complaints(observed: &Observed) -> Vec<String> {
    let texts = [plain(&observed.stderr), plain(&observed.stdout)];
    let lines = texts.iter().flat_map(|text| text.lines()).filter(|line| BROKEN.iter().any(|form| form.is_match(line)));
    lines.map(|line| NUMBER.replace_all(&unplaced(line), "N").into_owned()).collect()
}

impl Complaint {
    /// Returns whether a run reports anything of this kind, on whatever stream and whether or not the program survived
    /// it.
    fn is_shown(self, observed: &Observed) -> bool {
        match self {
            Complaint::Broken => !complaints(observed).is_empty(),
            Complaint::Raised => {
                let texts = [plain(&observed.stderr), plain(&observed.stdout)];
                texts.iter().any(|text| diagnostic::is_plain(text))
                    || reports::read(texts[0].as_bytes(), texts[1].as_bytes()).is_some()
            }
        }
    }
}

impl Quiet {
    /// Returns whether a run that fails reports what the version that fails does not: then it cannot be told.
    pub(super) fn is_broken_by(&self, observed: &Observed) -> bool {
        let says_other = |said: &String| {
            let all = complaints(observed);
            !all.is_empty() && !all.contains(said)
        };
        self.without.iter().any(|kind| kind.is_shown(observed)) || self.says.as_ref().is_some_and(says_other)
    }
}

// The words of a failure are its name: scripts, reports and the journal know it by them.
const NOTHING_BROKEN: &str = ", with no report of a syntax error or an unknown name";
const NOTHING_RAISED: &str = ", with no report of an exception";
const NEITHER: &str = ", with no report of an exception, a syntax error or an unknown name";
const IF_BROKEN: &str = "if anything is broken";

impl fmt::Display for Quiet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.without[..] {
            [] => {}
            [Complaint::Broken] => f.write_str(NOTHING_BROKEN)?,
            [Complaint::Raised] => f.write_str(NOTHING_RAISED)?,
            _ => f.write_str(NEITHER)?,
        }
        self.says.as_ref().map_or(Ok(()), |line| write!(f, ", saying “{line}” {IF_BROKEN}"))
    }
}

impl Criterion {
    /// Returns the same, if the status alone tells the failure: but of a run that reports what neither `failing`, runs
    /// of one version of which some fail, nor `passing` does, it cannot be told.
    #[must_use]
    pub fn as_quiet_as(self, failing: &[Observed], passing: &Observed) -> Criterion {
        let is_new = |kind: &Complaint| !failing.iter().chain([passing]).any(|observed| kind.is_shown(observed));
        let without: Vec<Complaint> = COMPLAINTS.into_iter().filter(is_new).collect();
        let mut failing = failing.iter().filter(|observed| observed.exit != Exit::Code(0)).map(complaints);
        let first = if complaints(passing).is_empty() { failing.next() } else { None };
        let others: Vec<Vec<String>> = failing.collect();
        let is_lasting = |line: &String| others.iter().all(|other| other.contains(line));
        let says = first.into_iter().flatten().find(is_lasting);
        match self {
            Criterion::Bisect if !without.is_empty() || says.is_some() => {
                Criterion::BisectLike(Quiet { without, says })
            }
            other => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Exit;
    use std::time::Duration;

    fn seen(stderr: &str) -> Observed {
        let (exit, stderr) = (Exit::Code(1), stderr.into());
        Observed { exit, stdout: vec![], stderr, elapsed: Duration::ZERO, also: Default::default() }
    }

    #[test]
    fn programs_that_cannot_be_run_are_told_by_what_runs_them() {
        let broken = [
            "  File \"a.py\", line 3\n    last = 1\nIndentationError: unindent does not match any outer level\n",
            "Traceback (most recent call last):\n  File \"a.py\", line 1, in <module>\nNameError: name 'x' is not defined\n",
            "E   ModuleNotFoundError: No module named 'x'\n",
            "/x/a.js:3\n}\n^\n\nSyntaxError: Unexpected token '}'\n    at wrapSafe (a.js:1:2)\n",
            "a.rb:3: syntax error, unexpected end-of-input\n",
            "a.rb:2:in `f': undefined local variable or method `x' for main:Object (NameError)\n",
            "syntax error at a.pl line 3, near \"}\"\n",
            "Undefined subroutine &main::f called at a.pl line 2.\n",
            "./t.sh: 3: Syntax error: \"fi\" unexpected\n",
            "./t.sh: line 3: syntax error near unexpected token `fi'\n",
            "./t.sh: line 3: f: command not found\n",
            "./t.sh: 3: f: not found\n",
            "a.c:3:5: error: 'x' undeclared\n",
            "a.ts(3,5): error TS2304: Cannot find name 'x'.\n",
            "error[E0425]: cannot find value `x`\n --> src/main.rs:3:5\n",
            "./a.go:3:5: undefined: x\n",
            "/usr/bin/ld: a.o: in function `main':\na.c:(.text+0x5): undefined reference to `f'\n",
        ];
        for text in broken {
            assert!(Complaint::Broken.is_shown(&seen(text)), "{text}");
        }
        let others = ["", "sum 3.5\n", "ValueError: no\n", "a.c:3:5: warning: unused\n", "the file was not found\n"];
        for text in others {
            assert!(!Complaint::Broken.is_shown(&seen(text)), "{text}");
        }
    }

    #[test]
    fn what_a_version_reports_is_not_new() {
        let raised = seen("Traceback (most recent call last):\n  File \"a.py\", line 1, in f\nKeyError: 'x'\n");
        let (quiet, broken) = (seen("sum 3.5\n"), seen("a.c:3:5: error: 'x' undeclared\n"));
        let of = |failing: &Observed, passing: &Observed| {
            let reading = Criterion::Bisect.as_quiet_as(&[failing.clone(), failing.clone()], passing);
            reading.describe().replace("the test exits with 1 to 124, as git bisect run has it", "")
        };
        assert_eq!(of(&quiet, &quiet), ", with no report of an exception, a syntax error or an unknown name");
        assert_eq!(of(&quiet, &raised), ", with no report of a syntax error or an unknown name");
        assert_eq!(of(&quiet, &broken), ", with no report of an exception");
        let said = ", saying “a.c:N:N: error: 'x' undeclared” if anything is broken";
        assert_eq!(of(&broken, &raised), said);
        assert_eq!(of(&broken, &quiet), format!(", with no report of an exception{said}"));
        assert_eq!(Criterion::ExitZero.as_quiet_as(&[], &quiet), Criterion::ExitZero);
    }

    #[test]
    fn of_a_build_that_breaks_another_error_is_another_failure() {
        let text = |name| format!("a.c:7:1: error: '{name}' undeclared\nmake: *** [Makefile:2: a] Error 1\n");
        let reading = Criterion::Bisect.as_quiet_as(&[seen(&text("x"))], &seen(""));
        let Criterion::BisectLike(quiet) = reading else { panic!("{reading:?}") };
        assert!(!quiet.is_broken_by(&seen(&text("x").replace('7', "9"))));
        assert!(!quiet.is_broken_by(&seen("the sum is 3\n")));
        assert!(quiet.is_broken_by(&seen(&text("y"))));
    }
}
