//! Exceptions that a program has caught, printed and survived: they are not why it ended.
//!
//! Of an exception that nobody catches, the runtime's report is the last that a program says, and the runtime's status
//! is how it ends. A program that ends with another status, and says itself what is wrong, has survived what it printed before.
//! If it ends with that status and says more, or if another one ran it and may have chosen the status, either may be
//! why: it has survived it, or one that ran it says the rest.

use super::regex;
use super::reports::{FailureReport, Printed};
use regex::Regex;
use std::sync::LazyLock;

/// What the last exception of a text is.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Survival {
    /// Why the program ended.
    Reason,
    /// That, or this line.
    Either(String),
    /// Something that it survived.
    Survived,
}

/// Returns what an exception is that stands in one text beside another one, where programs ended with these statuses.
/// Only where `is_known` that the test is the program that printed it, the status says that it survived.
pub(super) fn standing(printed: &Printed<'_>, beside: &str, statuses: &[i32], is_known: bool) -> Survival {
    let own = |line: &&str| is_error(line) && !is_about(line, &printed.report);
    let is_of_runtime = statuses.iter().any(|status| printed.statuses.contains(status));
    // Of two texts nobody knows the order: the last line of one may be the last of both.
    let last = || beside.lines().rfind(|line| !line.trim().is_empty()).filter(own);
    let said = if printed.runs_on && is_of_runtime { "" } else { printed.rest };
    let later = said.lines().rev().find(own);
    // Of one that was caught the program did not end, nor a test that ends otherwise, whatever is said last.
    let may_end_otherwise = printed.was_caught || !is_of_runtime && !printed.runs_on;
    let last_words = || ending(said).filter(|line| may_end_otherwise && tells(line, &printed.report));
    match later.or_else(|| if is_of_runtime { None } else { last() }) {
        None => last_words().map_or(Survival::Reason, |line| Survival::Either(line.trim().to_owned())),
        Some(_) if is_known && !is_of_runtime => Survival::Survived,
        Some(line) => Survival::Either(line.trim().to_owned()),
    }
}

/// Returns the last line of the text beside one with an exception of which the program did surely not end: whether that
/// was said later nobody knows.
pub(super) fn beside(printed: &Printed<'_>, beside: &str, statuses: &[i32], is_known: bool) -> Option<String> {
    let is_of_runtime = statuses.iter().any(|status| printed.statuses.contains(status));
    let ended_otherwise = printed.was_caught || is_known && !is_of_runtime;
    let line = ending(beside).filter(|line| ended_otherwise && tells(line, &printed.report));
    line.filter(|_| printed.rest.trim().is_empty()).map(|line| line.trim().to_owned())
}

/// Returns whether a line may say something of its own beside this exception.
fn tells(line: &str, report: &FailureReport) -> bool {
    !EMPTY.is_match(line) && !is_about(line, report)
}

/// Returns the last line, if it belongs to nothing else. node names itself last.
fn ending(text: &str) -> Option<&str> {
    let last = text.lines().rfind(|line| !line.trim().is_empty())?;
    let is_of_other = last.starts_with(char::is_whitespace) || last.starts_with("Node.js v") || last == "}";
    if is_of_other { None } else { Some(last) }
}

static COMPLAINS: LazyLock<Regex> = LazyLock::new(|| {
    regex(r"FATAL|[Ff]atal|ERROR|[Ee]rror|[Aa]bort|crash|[Aa]ssertion|Exception|Segmentation|caught signal")
});

/// What only says that something failed, how much, or how another program ended, and messages of no weight.
static EMPTY: LazyLock<Regex> = LazyLock::new(|| {
    regex(concat!(
        r"\b(?:INFO|DEBUG|TRACE|NOTICE|WARN|WARNING)\b|^[^A-Za-z]*(?i:info|debug|notice|note|warn|warning)\b",
        r"|(?i:(?:^|[\s:(])\d+ (?:\S+ )?(?:errors?|failures?|failed|fatal)\b|\bno errors?\b)",
        r"|(?i:\b(?:exit(?:ed)?(?: with)?(?: code| status| value)?|exit code|status|returned)[:=]? ?-?\d+\b)",
        r"|(?i:\b(?:test|step|job|task|command|recipe|target|build|script|process)\b.*\bfailed\b)"
    ))
});

/// That it is the program itself that broke: what it broke of is said better by the exception.
static BROKE: LazyLock<Regex> = LazyLock::new(|| {
    regex(r"(?i)\binternal (?:\w+ )?error|\bcrashed\b|\bbug\b|\bunexpected (?:error|exception)|un(?:handled|caught)")
});

/// Returns whether a line says of itself what is wrong. What is indented belongs to something else.
fn is_error(line: &str) -> bool {
    !line.starts_with(char::is_whitespace) && COMPLAINS.is_match(line) && !EMPTY.is_match(line)
}

/// Shorter messages stand in other lines by chance.
const TELLING: usize = 4;

/// Returns whether a line is about this exception.
fn is_about(line: &str, report: &FailureReport) -> bool {
    let kinds = [&report.class].into_iter().chain(report.chain.iter().map(|link| &link.class));
    let names = |class: &String| {
        let name = class.rsplit('.').next().unwrap_or(class);
        !["Error", "Exception"].contains(&name) && line.contains(name)
    };
    let message = report.message.lines().next().unwrap_or("").trim();
    BROKE.is_match(line) || kinds.into_iter().any(names) || message.len() >= TELLING && line.contains(message)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reports;

    const PYTHON: &str = "Traceback (most recent call last):\n  File \"x.py\", line 3, in f\nValueError: no number\n";
    const NODE: &str =
        "TypeError: no number\n    at f (/u/x.js:3:1)\n    at node:internal/main:3:1 {\n  code: 'error'\n}\n";
    const JAVA: &str = "java.lang.IllegalStateException: no number\n\tat X.f(X.java:3)\nCaused by: x.BadError: b\n\t\
                        at X.g(X.java:4)\n\t... 1 more\n";

    fn of(text: &str, beside: &str, statuses: &[i32]) -> Survival {
        standing(&reports::exception(text).unwrap(), beside, statuses, true)
    }

    #[test]
    fn the_program_that_ran_it_may_have_chosen_the_status_and_said_the_rest() {
        let either = Survival::Either("error: cannot process".into());
        for exception in [PYTHON, NODE, JAVA] {
            let of = |text: &str, beside: &str| standing(&reports::exception(text).unwrap(), beside, &[2], false);
            assert_eq!(of(&format!("{exception}error: cannot process\n"), ""), either, "{exception}");
            assert_eq!(of(exception, "error: cannot process\n"), either, "{exception}");
            assert_eq!(of(&format!("error: cannot process\n{exception}"), ""), Survival::Reason, "{exception}");
        }
    }

    #[test]
    fn a_program_that_says_more_and_ends_with_another_status_has_survived() {
        for exception in [PYTHON, NODE, JAVA] {
            let more = format!("error: old\n{exception}going on\nerror: total is wrong\nbye\n");
            assert_eq!(of(&more, "", &[4]), Survival::Survived, "{exception}");
            assert_eq!(of(&more, "", &[1]), Survival::Either("error: total is wrong".into()), "{exception}");
            assert_eq!(of(&more, "", &[2, 1]), Survival::Either("error: total is wrong".into()), "{exception}");
            assert_eq!(of(&format!("{more}{exception}"), "", &[4]), Survival::Reason, "{exception}");
            assert_eq!(of(exception, "sum\nerror: total is wrong\n\n", &[4]), Survival::Survived, "{exception}");
            assert_eq!(of(exception, "error: total is wrong\n", &[1]), Survival::Reason, "{exception}");
            assert_eq!(of(exception, "error: row 3\nsum 5\n", &[4]), Survival::Reason, "{exception}");
        }
    }

    #[test]
    fn what_was_caught_did_not_end_the_program() {
        let frame =
            |name: &str| format!("Traceback (most recent call last):\n  File \"x.py\", line 3, in {name}\nE: no\n");
        let logged = format!("ERROR:root:bad row\n{}", frame("<module>"));
        let marked = "x.js:3\n  throw e;\n  ^\n\nTypeError: no\n    at f (/u/x.js:3:1)\n";
        let rows = [
            (&*frame("f"), true),
            (&*logged, true),
            (&*format!("Exception in thread Thread-2:\n{}", frame("_bootstrap_inner")), true),
            ("Exception in thread \"Thread-2\" x.BadError: no\n\tat X.f(X.java:3)\n", true),
            (&*frame("<module>"), false),
            ("TypeError: no\n    at f (/u/x.js:3:1)\n", true),
            (marked, false),
            ("x.BadError: no\n\tat X.f(X.java:3)\n", true),
            ("Exception in thread \"main\" x.BadError: no\n\tat X.f(X.java:3)\n", false),
        ];
        for (exception, was_caught) in rows {
            let standing = if was_caught { Survival::Either("total too large".into()) } else { Survival::Reason };
            assert_eq!(of(&format!("{exception}total too large\n"), "", &[1]), standing, "{exception}");
            assert_eq!(of(&format!("{exception}INFO bye\n"), "", &[1]), Survival::Reason, "{exception}");
        }
    }

    #[test]
    fn what_is_said_after_one_that_did_not_give_the_status_may_be_why() {
        let exception = "Traceback (most recent call last):\n  File \"x.py\", line 3, in <module>\nE: no\n";
        let text = format!("{exception}value out of range\n");
        let of = |text: &str, status| standing(&reports::exception(text).unwrap(), "", &[status], false);
        assert_eq!(of(&text, 4), Survival::Either("value out of range".into()));
        assert_eq!(of(&text, 1), Survival::Reason);
        let beside = |status, is_known| {
            beside(&reports::exception(exception).unwrap(), "5 rows\ntotal too large\n", &[status], is_known)
        };
        assert_eq!(beside(4, true).as_deref(), Some("total too large"));
        assert_eq!((beside(4, false), beside(1, true)), (None, None));
    }

    #[test]
    fn further_lines_of_a_message_are_no_errors_of_their_own() {
        let of = |raised: &str, message: &str, status| {
            let frame = format!("  File \"x.py\", line 3, in f\n    {raised}\n");
            let text = format!("Traceback (most recent call last):\n{frame}{message}\nerror: row 1\n\nerror: row 2\n");
            standing(&reports::exception(&text).unwrap(), "", &[status], false)
        };
        let either = Survival::Either("error: row 2".into());
        for (raised, message, standing) in [
            ("raise ValueError('no\\nerror: row 1')", "ValueError: no", Survival::Reason),
            ("raise ValueError('\\n'.join(errors))", "ValueError: no", Survival::Reason),
            ("raise ValueError(\"\"\"no", "ValueError: no", Survival::Reason),
            ("check(rows)", "x.RowError: 2 rows:", Survival::Reason),
            ("check(rows)", "x.RowError: ", Survival::Reason),
            ("check(rows)", "x.RowError: no", either),
        ] {
            assert_eq!(of(raised, message, 1), standing, "{raised} {message}");
            assert_eq!(
                of(raised, message, 2),
                Survival::Either("error: row 2".into()),
                "the program that ran it may have printed it"
            );
        }
    }

    #[test]
    fn what_says_nothing_of_its_own_leaves_the_exception_the_reason() {
        let rows = [
            "",
            "INFO bye\n",
            "2026-01-01 ERROR_LOG INFO bye: 0 errors\n",
            "warning: errors were ignored\n",
            "1 error\n",
            "error: no number\n",
            "fatal: ValueError\n",
            "internal error, please report\n",
            "error: test t.py failed\n",
            "error: ./t.py exited with status 1\n",
            "    error: shown\n",
            "Node.js v18.1.0\n",
        ];
        for more in rows {
            assert_eq!(of(&format!("{PYTHON}{more}"), "", &[3]), Survival::Reason, "{more}");
        }
    }
}
