//! Backtraces that a program's own handler prints, without any report around them.

use super::{gdb, rust};
use crate::oracle::frames::Frame;
use crate::oracle::regex;
use regex::{Captures, Regex};
use std::sync::LazyLock;

/// `./prog(func+0x1a)[0x55d]`: glibc's `backtrace_symbols`.
static GLIBC: LazyLock<Regex> = LazyLock::new(|| regex(r"^\s*(\S+?)\(([^()+]*)(?:\+0x[0-9a-f]+)?\) ?\[0x[0-9a-f]+\]$"));
/// ` 0# f(int) at /src/x.cpp:5`, ` 0# f in ./prog`: `std::stacktrace` and Boost.
static HASHED: LazyLock<Regex> =
    LazyLock::new(|| regex(r"^\s*\d+# (?:0x[0-9a-fA-F]+ in )?(.+?)(?: at (\S+:\d+)| in (\S+)| \[0x[0-9a-f]+\])?$"));
/// `#0 0x5f in f(int) /src/x.c:5`: as sanitizers write it.
static NUMBERED: LazyLock<Regex> = LazyLock::new(|| {
    regex(r"^\s*#\d+\s+(?:0x[0-9a-f]+\s+(?:in\s+)?|in\s+)(\S.*?)(?:\s+(?:at\s+)?(\S+:\d+)(?::\d+)?|\s+\((\S+)\))?$")
});
/// `#0 /home/u/x.php(12): f()`.
static PHP: LazyLock<Regex> = LazyLock::new(|| regex(r"^#\d+ (/\S+)\((\d+)\): (?:\S+(?:->|::))?(\w+)\("));
/// `   0: f`, with its place on the next line: `std::backtrace`.
static RUST: LazyLock<Regex> = LazyLock::new(|| regex(r"(?m)^\s*0: .*\n\s+at \S+:\d+"));

/// The functions of the first backtrace of a kind that is known, innermost first.
pub fn frames(text: &str) -> Vec<Frame> {
    let place = |found: &Captures<'_>| found.get(2).or(found.get(3)).map_or(String::new(), |at| at.as_str().into());
    let readers: [&dyn Fn() -> Vec<Frame>; 6] = [
        &|| entries(text, &GLIBC, |found| Frame::native(&found[2], &found[1])),
        &|| entries(text, &HASHED, |found| Frame::native(&found[1], &place(found))),
        &|| entries(text, &PHP, |found| Frame::managed(&found[3], true, &format!("{}:{}", &found[1], &found[2]))),
        // gdb puts the parameters behind the name, with a space.
        &|| {
            let lines: Vec<&str> = text.lines().skip_while(|line| !line.starts_with("#0 ")).collect();
            gdb::frames(&lines.join("\n"))
        },
        &|| entries(text, &NUMBERED, |found| Frame::native(&found[1], &place(found))),
        &|| RUST.find(text).map_or_else(Vec::new, |found| rust::entries(&text[found.start()..])),
    ];
    let found = readers.iter().map(|read| read()).find(|frames| frames.iter().any(|frame| frame.own));
    found.map_or_else(Vec::new, after_the_signal)
}

fn entries(text: &str, pattern: &Regex, frame: impl Fn(&Captures<'_>) -> Frame) -> Vec<Frame> {
    let lines = text.lines().skip_while(|line| !pattern.is_match(line));
    lines.map_while(|line| pattern.captures(line)).map(|found| frame(&found)).collect()
}

/// So many functions a handler may have.
const HANDLER: usize = 8;

/// Without the handler: what the C library called stands before what it interrupted.
fn after_the_signal(frames: Vec<Frame>) -> Vec<Frame> {
    let is_interrupted = |two: &[Frame]| !two[0].own && two[1].own;
    match frames.windows(2).position(is_interrupted) {
        Some(at) if at < HANDLER => frames[at + 1..].to_vec(),
        _ => frames,
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
        assert_eq!(own("PHP Fatal error\n#0 /u/x.php(12): Till->price(3)\n#1 {main}\n"), ["price /u/x.php:12"]);
        assert_eq!(
            own(
                "   0: p::price\n             at ./src/main.rs:3:5\n   1: p::main\n             at ./src/main.rs:9:1\n"
            ),
            ["p::price ./src/main.rs:3", "p::main ./src/main.rs:9"]
        );
        for nothing in ["", "#0 of 12 done\n#1 of 12 done\n", "f(x) [1]\n", "0: nothing\n"] {
            assert_eq!(own(nothing), [""; 0], "{nothing}");
        }
    }
}
