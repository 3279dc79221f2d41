//! The line of an output that says what went wrong, where there is no report that can be read.

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

/// Those that nobody uses for anything else.
pub(super) const PLAIN: &[&str] = TELLING.split_at(14).0;

/// The line of the output that says what went wrong: of standard error if it says anything.
pub(super) fn telling_line(stderr: &[u8], stdout: &[u8]) -> Option<String> {
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
pub(super) fn exception(text: &str) -> Option<String> {
    let mut lines = text.lines().skip_while(|line| !line.starts_with("Traceback (most recent call last)"));
    lines.next()?;
    lines.find(|line| !line.starts_with(char::is_whitespace) && !line.is_empty()).map(str::to_owned)
}
