//! What a program has said of its own death: what it printed before it died is not why it died, unless it is the last
//! it said, and of a kind with which programs end.

use super::regex;
use regex::Regex;
use std::sync::LazyLock;

/// Programs that watch another one report a death anywhere in the output.
static WATCHER: LazyLock<Regex> =
    LazyLock::new(|| regex(r"(?m)^(?:.*(?:ERROR|WARNING): \w+Sanitizer|\w*Sanitizer:DEADLYSIGNAL|==\d+== )"));

/// What ends a program: libraries, runtimes, assertions, handlers of signals.
static LAST_WORDS: LazyLock<Regex> = LazyLock::new(|| {
    regex(concat!(
        r"^\*\*\* .*\*\*\*|^(?:free|malloc|realloc|calloc|munmap_chunk|mremap_chunk|malloc_consolidate)\(\): ",
        r"|^(?:double free or corruption|corrupted (?:size|double-linked|unsorted))",
        r"|(?i:\bassertion\b.*fail|\bassert failed|^check failed: |\] check failed: )|panicked at|terminate called",
        r"|^Fatal Python error: |FATAL ERROR: |A fatal error has been detected by|^panic: |^fatal error: |ERROR \*\*: ?",
        r"|LLVM ERROR|UNREACHABLE|(?i:internal compiler error|compiler internal error|internal error)",
        r"|^Stack dump:|^PLEASE submit a bug report|(?i:caught signal|segmentation fault|bus error)|SIG(?:SEGV|ABRT|BUS|FPE|ILL)",
        r"|: runtime error: |^Uncaught |^Unhandled exception"
    ))
});

/// What may come after it: backtraces, maps of memory, advice.
static AFTER: LazyLock<Regex> = LazyLock::new(|| {
    regex(concat!(
        r"^(?:\s|$|#|=+|-{3,}|[0-9a-f]+-[0-9a-f]+ |\d+[.:]|0x|\[(?:signal |0x|\d+\] )|@ 0x|\*\*\*|note: |(?i:stack|backtrace)",
        r"|P(?:LEASE|lease) |Current thread|Thread |Extension modules|goroutine |created by |exit status |r[a-z0-9]{1,2} +0x",
        r"|SUMMARY: |Aborted|core dumped|\S+\(.*\) ?\[0x|[\w./*()]+\((?:0x|\.\.\.|\{|\)))"
    ))
});

/// What follows the message of a panic of Rust, which may have any lines.
const AFTER_PANIC: [&str; 2] = ["note: run with `RUST_BACKTRACE", "stack backtrace:"];

/// A message of a panic is looked for so many lines above.
const LONGEST_PANIC: usize = 100;

/// A program that aborts has printed the reason.
static ABORTS: LazyLock<Regex> = LazyLock::new(|| regex(r"(?i)\b(?:abort|fatal)"));
const SIGABRT: i32 = 6;

/// Returns the last words of a program that died of `signal`; nothing if what it said last is none.
pub(super) fn last_words(text: &str, signal: i32) -> &str {
    if let Some(found) = WATCHER.find(text) {
        return &text[found.start()..];
    }
    let lines: Vec<&str> = text.split_inclusive('\n').collect();
    let is_place_of_panic = |line: &&str| line.contains("panicked at");
    let (mut begin, mut above) = (None, lines.len());
    while let Some(at) = above.checked_sub(1) {
        let line = lines[at].trim_end();
        let is_message = || at > 0 && is_place_of_panic(&lines[at - 1]);
        above = at;
        if LAST_WORDS.is_match(line) || signal == SIGABRT && begin.is_none() && ABORTS.is_match(line) {
            begin = Some(at);
        } else if AFTER_PANIC.iter().any(|said| line.starts_with(said)) {
            let first = at.saturating_sub(LONGEST_PANIC);
            above = lines[first..at].iter().rposition(is_place_of_panic).map_or(at, |place| first + place + 1);
        } else if !AFTER.is_match(line) && !is_message() {
            break;
        }
    }
    // LLVM says above it what cannot be reached.
    let begin = begin.map(|at| if at > 0 && lines[at].starts_with("UNREACHABLE") { at - 1 } else { at });
    begin.map_or("", |at| &text[lines[..at].iter().map(|line| line.len()).sum()..])
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIGSEGV: i32 = 11;

    #[test]
    fn what_was_printed_before_is_not_why_it_died() {
        let traceback = "Traceback (most recent call last):\n  File \"x.py\", line 3, in f\nValueError: no\n";
        let going_on = "loading\n".repeat(20);
        let rows = [
            String::new(),
            "printing\n".into(),
            traceback.into(),
            format!("{traceback}{going_on}"),
            format!("x: x.c:3: f: Assertion `x' failed.\n{going_on}"),
            format!("thread 'a' panicked at src/x.rs:1:2:\nno\n{going_on}"),
            "error: no such command\n> ".into(),
        ];
        for text in rows {
            assert_eq!(last_words(&text, SIGSEGV), "", "{text}");
        }
    }

    #[test]
    fn what_programs_end_with_is() {
        let rows = [
            "free(): invalid pointer\n",
            "*** stack smashing detected ***: terminated\n",
            "p: x.c:3: f: Assertion `x' failed.\n",
            "terminate called after throwing an instance of 'int'\n  what():  no\n",
            "thread 'main' panicked at src/x.rs:1:2:\nno\nwith two lines\nnote: run with `RUST_BACKTRACE=1` to see\n",
            "thread 'main' panicked at src/x.rs:1:2:\nno\n",
            "panic: no\n\ngoroutine 1 [running]:\nmain.f(...)\n\t/x.go:3\nexit status 2\n",
            "Fatal Python error: Aborted\n\nCurrent thread 0x7f (most recent call first):\n  File \"x\", line 1 in f\n",
            "no such thing\nUNREACHABLE executed at x.cpp:3!\nPLEASE submit a bug report\nStack dump:\n0.\tProgram\n",
            "Caught signal 11: SIGSEGV\n./p(f+0x1a) [0x4011]\n./p(main+0x2) [0x4022]\n",
            "==12==ERROR: AddressSanitizer: SEGV on unknown address\nREAD\n==12==ABORTING\nand more\n",
        ];
        for text in rows {
            assert_eq!(last_words(&format!("printing\n{text}"), SIGSEGV), text);
        }
        let aborted = "x.c:3: the stack is not empty, aborted\n";
        assert_eq!(last_words(aborted, SIGABRT), aborted);
        assert_eq!(last_words(aborted, SIGSEGV), "");
    }
}
