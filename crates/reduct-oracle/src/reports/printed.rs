//! Backtraces that a program's own handler prints, without any report around them.

use super::{gdb, rust};
use crate::frames::Frame;
use crate::regex;
use regex::{Captures, Regex};
use std::sync::LazyLock;

/// `./prog(func+0x1a)[0x55d]`: glibc's `backtrace_symbols`.
static GLIBC: LazyLock<Regex> = LazyLock::new(|| regex(r"^\s*(\S+?)\(([^()+]*)(?:\+0x[0-9a-f]+)?\) ?\[0x[0-9a-f]+\]$"));
/// ` 0# f(int) at /src/x.cpp:5`, ` 0# f in ./prog`: `std::stacktrace` and Boost.
static HASHED: LazyLock<Regex> =
    LazyLock::new(|| regex(r"^\s*\d+# (?:0x[0-9a-fA-F]+ in )?(.+?)(?: at (\S+:\d+)| in (\S+)| \[0x[0-9a-f]+\])?$"));
/// What no list of other things has: where a function is.
static PLACED: LazyLock<Regex> = LazyLock::new(|| regex(r" at \S+:\d+$| in \S*/\S+$| \[0x[0-9a-fA-F]+\]$"));
/// `#0 0x5f in f(int) /src/x.c:5`: as sanitizers write it.
static NUMBERED: LazyLock<Regex> = LazyLock::new(|| {
    regex(r"^\s*#\d+\s+(?:0x[0-9a-f]+\s+(?:in\s+)?|in\s+)(\S.*?)(?:\s+(?:at\s+)?(\S+:\d+)(?::\d+)?|\s+\((\S+)\))?$")
});
/// `#0 /home/u/x.php(12): f()`.
static PHP: LazyLock<Regex> = LazyLock::new(|| regex(r"^#\d+ (/\S+)\((\d+)\): (?:\S+(?:->|::))?(\w+)\("));
/// `   0: f`, with its place on the next line: `std::backtrace`.
static RUST: LazyLock<Regex> = LazyLock::new(|| regex(r"(?m)^\s*0: .*\n\s+at \S+:\d+"));

/// Returns the functions of the first backtrace of a kind that is known, innermost first.
pub fn frames(text: &str) -> Vec<Frame> {
    let place = |found: &Captures<'_>| found.get(2).or(found.get(3)).map_or(String::new(), |at| at.as_str().into());
    let readers: [&dyn Fn() -> Vec<Frame>; 6] = [
        &|| {
            // Of the C library's functions, what returns from a handler has no name there.
            let is_nameless = |found: &Captures<'_>| found[2].is_empty() && LIBC.is_match(&found[1]);
            entries(text, &GLIBC, |found| {
                Frame::native(if is_nameless(found) { NAMELESS } else { &found[2] }, &found[1])
            })
        },
        &|| entries(&hashed(text), &HASHED, |found| Frame::native(&found[1], &place(found))),
        &|| entries(text, &PHP, |found| Frame::managed(&found[3], true, &format!("{}:{}", &found[1], &found[2]))),
        // gdb puts the parameters behind the name, with a space.
        &|| {
            let lines: Vec<&str> = text.lines().skip_while(|line| !line.starts_with("#0 ")).collect();
            let signal = lines.iter().position(|line| line.contains("<signal handler called>"));
            gdb::frames(&lines[signal.unwrap_or(0)..].join("\n"))
        },
        &|| entries(text, &NUMBERED, |found| Frame::native(&found[1], &place(found))),
        &|| RUST.find(text).map_or_else(Vec::new, |found| after_the_signal(rust::entries(&text[found.start()..]))),
    ];
    readers.iter().map(|read| read()).find(|frames| frames.iter().any(|frame| frame.own)).unwrap_or_default()
}

/// Returns the first lines that count from `0#` on and say where a function is.
fn hashed(text: &str) -> String {
    let lines: Vec<&str> = text.lines().collect();
    let is_line = |line: &str, n: usize| line.trim_start().starts_with(&format!("{n}# ")) && HASHED.is_match(line);
    let trace = |begin: usize| {
        let counted = lines[begin..].iter().enumerate().take_while(|(n, line)| is_line(line, *n));
        counted.map(|(_, line)| *line).collect::<Vec<_>>()
    };
    let traces = (0..lines.len()).map(trace);
    traces.into_iter().find(|trace| trace.iter().any(|line| PLACED.is_match(line))).unwrap_or_default().join("\n")
}

fn entries(text: &str, pattern: &Regex, frame: impl Fn(&Captures<'_>) -> Frame) -> Vec<Frame> {
    let lines = text.lines().skip_while(|line| !pattern.is_match(line));
    let frames = lines.map_while(|line| pattern.captures(line)).map(|found| frame(&found));
    after_the_signal(frames.collect())
}

/// So many functions a handler may have.
const HANDLER: usize = 8;

/// A function without a name.
const NAMELESS: &str = "??";
static LIBC: LazyLock<Regex> = LazyLock::new(|| regex(r"(?:^|/)(?:libc|libpthread|libsystem_\w+)[.-]"));
/// To what a handler returns.
static TRAMPOLINE: LazyLock<Regex> = LazyLock::new(|| regex(r"^(?:_*restore_rt|_sigtramp|killpg)$"));
/// What may be that, or raises a signal, where what follows is the program's.
static RAISES: LazyLock<Regex> =
    LazyLock::new(|| regex(r"^(?:\?\?|(?:__GI_)?_*(?:raise|gsignal|abort|t?g?kill|pthread_kill\w*))$"));

/// Returns the frames without those of a signal handler. What the C library calls otherwise, as a comparison that sorts, may
/// have failed itself.
fn after_the_signal(frames: Vec<Frame>) -> Vec<Frame> {
    let is_end = |at: &usize| {
        let (frame, rest) = (&frames[*at], &frames[at + 1..]);
        let before_own = rest.first().is_some_and(|next| next.own) && RAISES.is_match(&frame.name);
        !frame.own && (before_own || TRAMPOLINE.is_match(&frame.name) && rest.iter().any(|frame| frame.own))
    };
    match (0..frames.len().min(HANDLER)).find(is_end) {
        Some(at) => frames[at + 1..].to_vec(),
        None => frames,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn own(text: &str) -> Vec<String> {
        let place = |frame: &Frame| frame.at.as_ref().map_or(String::new(), |(file, line)| format!(" {file}:{line}"));
        frames(text).iter().filter(|frame| frame.own).map(|frame| frame.name.clone() + &place(frame)).collect()
    }

    #[test]
    fn backtraces_of_handlers() {
        let libc = "/lib/x86_64-linux-gnu/libc.so.6";
        let glibc = format!(
            "caught\n./p(handler+0x25)[0x55d]\n{libc}(+0x3c050)[0x7f6]\n./p(price+0xc)[0x55e]\n./p(main+0x2)[0x55f]\n\
             {libc}(__libc_start_main+0x85)[0x7f7]\n./p(_start+0x21)[0x550]\n"
        );
        assert_eq!(own(&glibc), ["price", "main"]);
        let died = "./p(die+0x25) [0x55d]\n./p(price+0xc) [0x55e]\n./p(main+0x2) [0x55f]\n";
        assert_eq!(own(died), ["die", "price", "main"], "no signal was caught");
        assert_eq!(
            own(" 0# price(int) at /src/x.cpp:5\n 1# main at /src/x.cpp:9\n"),
            ["price /src/x.cpp:5", "main /src/x.cpp:9"]
        );
        assert_eq!(
            own("#0 0x55d in price(int) /src/x.cpp:5:3\n#1 0x55e in main x.cpp:9\n"),
            ["price /src/x.cpp:5", "main x.cpp:9"]
        );
        assert_eq!(own("#0  price (n=3) at x.c:5\n#1  0x55e in main () at x.c:9\n"), ["price x.c:5", "main x.c:9"]);
        assert_eq!(
            own("#0  price (n=3) at /a b/x.c:5\n#1  main () at /a b/x.c:9\n"),
            ["price /a b/x.c:5", "main /a b/x.c:9"]
        );
        let in_folder =
            "#0  price (n=3) at /p/asan/x.c:5\n#1  main () at /p/asan/x.c:9\n#2  f () from /lib/libc.so.6\n";
        assert_eq!(own(in_folder), ["price /p/asan/x.c:5", "main /p/asan/x.c:9"]);
        assert_eq!(own("PHP Fatal error\n#0 /u/x.php(12): Till->price(3)\n#1 {main}\n"), ["price /u/x.php:12"]);
        assert_eq!(
            own(
                "   0: p::price\n             at ./src/main.rs:3:5\n   1: p::main\n             at ./src/main.rs:9:1\n"
            ),
            ["p::price ./src/main.rs:3", "p::main ./src/main.rs:9"]
        );
        for nothing in [
            "",
            "1# processed in k1\n",
            "0# read k0\n1# processed in k1\n",
            "1# f at x.c:3\n",
            "#0 of 12 done\n#1 of 12 done\n",
            "f(x) [1]\n",
            "0: nothing\n",
        ] {
            assert_eq!(own(nothing), [""; 0], "{nothing}");
        }
    }

    #[test]
    fn what_a_library_calls_is_no_handler() {
        let libc = "/lib/x86_64-linux-gnu/libc.so.6";
        let line = |place: &str, symbol: &str| format!("{place}({symbol}+0x25)[0x55d]\n");
        let trace = |symbols: &[(&str, &str)]| symbols.iter().map(|(at, name)| line(at, name)).collect::<String>();
        let sorts = [("./p", "cmp_a"), (libc, ""), (libc, "qsort_r"), ("./p", "sort_all"), ("./p", "main")];
        assert_eq!(own(&trace(&sorts)), ["cmp_a", "sort_all", "main"]);
        assert_eq!(own(&trace(&[("./p", "die"), ("./p", ""), ("./p", "main")])), ["die", "main"]);
        for signal in [&[(libc, "")][..], &[(libc, "killpg")], &[(libc, ""), (libc, "raise"), (libc, "abort")]] {
            let all = [&[("./p", "handler")], signal, &sorts].concat();
            assert_eq!(own(&trace(&all)), ["cmp_a", "sort_all", "main"], "{signal:?}");
        }
        let gdb = "#0  report () at x.c:2\n#1  <signal handler called>\n#2  price (n=3) at x.c:5\n";
        assert_eq!(own(gdb), ["price x.c:5"]);
        assert_eq!(own("0# read k0\n0# f in ./p\n1# main in ./p\n"), ["f", "main"]);
    }
}
