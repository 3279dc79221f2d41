//! Reports of what the failure in question never showed.
//!
//! A mix of two versions may be no program any more: a line that is indented as nobody wrote it, a name that nobody
//! defines. A test fails with it as with any other, and by its status alone nobody can tell that from the failure in
//! question. What such a run prints tells: where neither version prints a report of that kind, it says nothing of the
//! failure.

use super::terminal::plain;
use super::{Reading, regex, reports, telling};
use crate::executor::Observed;
use regex::Regex;
use serde::{Deserialize, Serialize};
use std::sync::LazyLock;

/// Kinds of what a run reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Kind {
    /// A program that cannot be read, built or linked, or a name in it that stands for nothing.
    Broken,
    /// An exception, an assertion, a death.
    Raised,
}

const KINDS: [Kind; 2] = [Kind::Broken, Kind::Raised];

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

impl Kind {
    /// Whether a run reports anything of this kind, on whatever stream and whether or not the program survived it.
    fn is_shown(self, observed: &Observed) -> bool {
        let texts = [plain(&observed.stderr), plain(&observed.stdout)];
        match self {
            Kind::Broken => texts.iter().any(|text| BROKEN.iter().any(|line| line.is_match(text))),
            Kind::Raised => {
                texts.iter().any(|text| telling::is_plain(text))
                    || reports::read(texts[0].as_bytes(), texts[1].as_bytes()).is_some()
            }
        }
    }

    /// Whether a run reports anything of these kinds.
    pub(super) fn is_any_shown(kinds: &[Kind], observed: &Observed) -> bool {
        kinds.iter().any(|kind| kind.is_shown(observed))
    }

    /// What it is that is reported, in words.
    pub(super) fn describe(kinds: &[Kind]) -> &'static str {
        match kinds {
            [Kind::Broken] => "a syntax error or an unknown name",
            [Kind::Raised] => "an exception",
            _ => "an exception, a syntax error or an unknown name",
        }
    }
}

impl Reading {
    /// The same, if the status alone tells the failure: but of a run that reports what none of these versions does, of
    /// which some fail and some pass, it cannot be told.
    #[must_use]
    pub fn as_quiet_as<'a>(self, versions: impl Iterator<Item = &'a Observed> + Clone) -> Reading {
        let is_new = |kind: &Kind| !versions.clone().any(|observed| kind.is_shown(observed));
        let kinds: Vec<Kind> = KINDS.into_iter().filter(is_new).collect();
        match self {
            Reading::Bisect if !kinds.is_empty() => Reading::BisectWithout(kinds),
            other => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::executor::Exit;
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
            assert!(Kind::Broken.is_shown(&seen(text)), "{text}");
        }
        let others = ["", "sum 3.5\n", "ValueError: no\n", "a.c:3:5: warning: unused\n", "the file was not found\n"];
        for text in others {
            assert!(!Kind::Broken.is_shown(&seen(text)), "{text}");
        }
    }

    #[test]
    fn what_a_version_reports_is_not_new() {
        let raised = seen("Traceback (most recent call last):\n  File \"a.py\", line 1, in f\nKeyError: 'x'\n");
        let (quiet, broken) = (seen("sum 3.5\n"), seen("a.c:3:5: error: 'x' undeclared\n"));
        let of = |versions: [&Observed; 2]| Reading::Bisect.as_quiet_as(versions.into_iter());
        assert_eq!(of([&quiet, &quiet]), Reading::BisectWithout(vec![Kind::Broken, Kind::Raised]));
        assert_eq!(of([&quiet, &raised]), Reading::BisectWithout(vec![Kind::Broken]));
        assert_eq!(of([&broken, &quiet]), Reading::BisectWithout(vec![Kind::Raised]));
        assert_eq!(of([&broken, &raised]), Reading::Bisect);
        assert_eq!(Reading::ExitZero.as_quiet_as([&quiet].into_iter()), Reading::ExitZero);
    }
}
