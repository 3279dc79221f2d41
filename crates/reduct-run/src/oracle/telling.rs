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
    let texts = [&stderr, &stdout];
    let scripted = texts.iter().any(|text| text.lines().any(is_script_of_npm));
    let passes_on = |line: &str| only_passes_on(line) || scripted && is_npm(line);
    let own = texts.map(|text| text.lines().filter(|line| !passes_on(line)).collect::<Vec<_>>().join("\n"));
    // What make says of a compiler that failed is the same whatever the compiler said.
    let of_program = own.iter().find_map(|text| exception(text).or_else(|| marked(text)));
    let found = of_program.or_else(|| texts.into_iter().find_map(|text| marked(text)));
    let last = || [&stderr, &stdout].into_iter().find_map(|text| text.lines().rfind(|line| !line.trim().is_empty()));
    found.or_else(|| last().map(str::to_owned)).map(|line| line.trim().chars().take(LONGEST_LINE).collect())
}

/// Whether a line says no more than that something that was started has failed: it says so itself.
fn only_passes_on(line: &str) -> bool {
    is_step_of_ninja(line)
        || PASSES_ON.iter().any(|(begins, holds)| line.trim_start().starts_with(begins) && line.contains(holds))
}

/// `FAILED: [code=1] x.o y.o `: ninja ends each name with a space, and newer ones say the status. Others begin so what
/// they have to tell.
fn is_step_of_ninja(line: &str) -> bool {
    line.strip_prefix("FAILED: ").is_some_and(|rest| rest.starts_with("[code=") || rest.ends_with(' '))
}

/// Whether npm says it, at length.
fn is_npm(line: &str) -> bool {
    line.starts_with("npm ERR!") || line.starts_with("npm error")
}

/// Whether npm says that it is a script that has failed, and not npm itself.
fn is_script_of_npm(line: &str) -> bool {
    is_npm(line) && ["code ELIFECYCLE", "Lifecycle script `", "command failed"].iter().any(|word| line.contains(word))
}

/// How lines begin, and what they hold, by which programs say that what they started has failed.
const PASSES_ON: [(&str, &str); 7] = [
    ("make", ": *** ["),
    ("gmake", ": *** ["),
    ("ninja: build stopped: ", ""),
    ("collect2: error: ld returned ", ""),
    ("error: could not compile `", ""),
    ("error: Recipe `", " failed"),
    ("error: linking with `", " failed"),
];

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_compiler_tells_and_not_who_called_it() {
        let error = "x.c:3:5: error: unknown type name";
        let all = format!("cc -c x.c\n{error}\nmake[1]: *** [Makefile:2: x.o] Error 1\nmake: *** [all] Error 2\n");
        assert_eq!(telling_line(all.as_bytes(), b"").as_deref(), Some(error));
        // make writes to standard error what the compiler says on standard output.
        let make = b"make: *** [Makefile:2: x.o] Error 1\n";
        assert_eq!(telling_line(make, error.as_bytes()).as_deref(), Some(error));
        let alone = telling_line(make, b"cc -c x.c\n");
        assert_eq!(alone.as_deref(), Some("make: *** [Makefile:2: x.o] Error 1"), "if nobody else tells");
        let none = b"make: *** No rule to make target 'x.c', needed by 'x.o'.  Stop.\n";
        assert!(telling_line(none, b"").is_some_and(|line| line.contains("No rule")));
    }

    #[test]
    fn what_begins_alike_and_tells_counts() {
        let found = "0 errors found";
        let npm = "npm ERR! code ELIFECYCLE\nnpm ERR! errno 1\nnpm ERR! Failed at the x@1.0.0 test script.";
        let failed = "AssertionError: 1 is not 2";
        let rows = [
            // A harness of its own.
            ("FAILED: Error 7 in the engine", found, "FAILED: Error 7 in the engine"),
            // ninja, old and new.
            ("", "FAILED: error.o \ncc -c x.c\nx.c:1: error: no type", "x.c:1: error: no type"),
            ("", "FAILED: [code=1] error.o \nerror.c:1: error: no type", "error.c:1: error: no type"),
            // npm about what it ran, and about itself.
            (npm, failed, failed),
            ("npm error code 1\nnpm error command failed\nnpm error fatal", failed, failed),
            ("npm ERR! code E404\nnpm ERR! 404 is an error", found, "npm ERR! 404 is an error"),
        ];
        for (stderr, stdout, tells) in rows {
            assert_eq!(telling_line(stderr.as_bytes(), stdout.as_bytes()).as_deref(), Some(tells));
        }
    }
}
