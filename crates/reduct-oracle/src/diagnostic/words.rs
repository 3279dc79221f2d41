//! The words and the forms of lines that say that something is wrong.

use crate::regex;
use regex::Regex;
use std::sync::LazyLock;

/// How programs end that break, the surest first. Within a row, the first line that holds it counts. They tell wherever
/// they stand: no diagnostic tells more.
pub(super) const BREAKS: &[&str] = &[
    "Sanitizer: ",
    "runtime error:",
    "panicked at",
    "internal compiler error",
    "Internal compiler error",
    "Internal Compiler Error",
    "INTERNAL COMPILER ERROR",
    "Compiler Internal Error",
    "INTERNAL ERROR",
    "LLVM ERROR",
    "UNREACHABLE",
    "entered unreachable code",
    "terminate called",
    "Caught signal",
    "caught signal",
    "eceived signal",
    "signal SIG",
    "fatal error has been detected",
    "Segmentation fault",
    "segmentation fault",
    "Segmentation violation",
    "stack smashing detected",
    "double free or corruption",
    "free(): invalid",
    "malloc(): ",
    "core dumped",
    "Fatal Python error",
    "FATAL ERROR: ",
    "ASSERTION FAILED",
    "Assertion failed",
    "assertion failed",
];

/// What else says that something is wrong with the program, and not with what it was given.
pub(super) const RAISED: &[&str] = &["Assertion", "assertion", "Uncaught", "Exception"];

/// Words with which a program names itself or its complaint.
pub(super) const COMPLAINS: &[&str] =
    &["FATAL", "Fatal", "fatal", "ERROR", "Error", "error", "abort", "crash", "FAIL", "fail"];

/// Those that nobody uses for anything else.
pub(super) const PLAIN: [&str; 15] = [
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
    "Caught signal",
];

/// Which test of many has failed, as test runners say it.
pub(super) static FAILING: LazyLock<Regex> = LazyLock::new(|| {
    regex(concat!(
        r"^(?:(?:FAILED|ERROR) \S+\.py(?:::.*| - .*)?$|--- FAIL: |not ok \d+ - |\[  FAILED  \] \S+\.|test \S+ \.\.\. FAILED",
        r"|\s+● .+|\s*✖ \S.*|FAIL: \S|ERROR: \S+ \(\S+\)$)"
    ))
});

/// A diagnostic of a compiler. What it names is of the input: `error: 'SIGSEGV' undeclared`.
pub(super) static DIAGNOSTIC: LazyLock<Regex> =
    LazyLock::new(|| regex(r"^[^\s:(]+[:(]\d+(?:[:,]\d+)*\)?:? (?:(?:fatal |syntax )?error|warning|note)\b"));
/// What does not say what went wrong, whatever it names: remarks, lines of the input that a compiler shows, and titles.
pub(super) static REMARK: LazyLock<Regex> = LazyLock::new(|| {
    regex(r"^(?:[^\s:(]+[:(]\d+(?:[:,]\d+)*\)?:? (?:warning|note)\b|\s*\d*\s*\||=+ (?:FAILURES|ERRORS) =+$)")
});

/// A place in a file, and what is wrong there.
pub(super) static PLACED: LazyLock<Regex> = LazyLock::new(|| regex(r"^[^\s:(]+:\d+(?:[:.]\d+)*: \S"));
/// How many things were wrong.
pub(super) static SUMMARY: LazyLock<Regex> =
    LazyLock::new(|| regex(r"(?i)(?:^|[\s:(])\d+ (?:\S+ )?(?:errors?|failures?|failed|fatal)\b"));
