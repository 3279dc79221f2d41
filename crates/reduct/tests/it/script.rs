//! `reduct oracle`: scripts that tell a failure without reduct.

use crate::workshop::Workshop;
use std::path::Path;
use std::process::Command;

/// What a script says of a file with these contents, in a folder of its own.
fn exit_status(script: &Path, name: &str, contents: &str) -> i32 {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join(name), contents).unwrap();
    let status = Command::new(script).current_dir(folder.path()).status().unwrap();
    let left = std::fs::read_dir(folder.path()).unwrap().count();
    assert_eq!(left, 1, "the script leaves nothing behind");
    status.code().unwrap()
}

/// Compiles as a compiler of one rule does: names that nobody declared are errors, in quotes and with a place.
const COMPILER: &str = "test -s x.c || exit 0\nn=$(grep -n 'use ' x.c | head -n 1)\ntest -n \"$n\" || exit 0\n\
    echo \"$PWD/x.c:${n%%:*}:4: error: '${n##*use }' is not declared [0x7f$$]\" >&2\nexit 1";

#[test]
fn a_message_is_told_without_its_numbers_folders_and_names() {
    let workshop = Workshop::new();
    let compiler = workshop.script("cc", COMPILER);
    workshop.write("x.c", "int a\nuse b\n");
    let done = workshop.reduct(["oracle", "-o", "t.sh", "x.c", "--", "./cc", "x.c"]).run();
    drop(done.exits_with(0));
    let script = workshop.path("t.sh");
    let text = workshop.text("t.sh");
    assert!(text.contains("# cvise ./t.sh x.c\n") && text.contains("is not declared"), "{text}");
    assert_eq!(exit_status(&script, "x.c", "int a\nuse b\n"), 0);
    assert_eq!(exit_status(&script, "x.c", "\n\n\nuse another\n"), 0);
    assert_eq!(exit_status(&script, "x.c", "int a\n"), 1);
    assert_eq!(exit_status(&script, "x.c", ""), 1);
    // Another failure with the same status.
    workshop.script("cc", "echo 'x.c:1:1: error: out of luck' >&2; exit 1");
    assert_eq!(exit_status(&script, "x.c", "use b\n"), 1);
    std::fs::write(&compiler, format!("#!/bin/sh\n{COMPILER}\n")).unwrap();
    // A reducer takes it as it is, also this one.
    let words = ["--by", "lines,chars", "--scratch", "../scratch", "./t.sh", "x.c"];
    workshop.reduct(words).run().exits_with(0);
    assert_eq!(workshop.text("x.reduced.c"), "use ");
    // It is not written over anything.
    workshop.reduct(["oracle", "-o", "t.sh", "x.c", "--", "./cc", "x.c"]).run().exits_with(2).says("t.sh exists");
    workshop.reduct(["oracle", "--run", ".", "-o", "again.sh"]).run().exits_with(0);
    assert!(workshop.text("again.sh").contains("[ \"$status\" -eq 0 ] || exit 1"));
}

#[test]
fn conditions_are_told() {
    let tell = |conditions: &[&str], test: &str| {
        let workshop = Workshop::new();
        workshop.script("t", test);
        workshop.write("in put", "kill\n");
        let mut words = vec!["oracle".to_owned(), "-o".into(), "o.sh".into(), "--timeout".into(), "1s".into()];
        words.extend(conditions.iter().flat_map(|condition| ["--fails-if".to_owned(), (*condition).into()]));
        words.extend(["in put", "--", "./t", "{}"].map(str::to_owned));
        workshop.reduct(words).run().exits_with(0);
        let script = workshop.path("o.sh");
        ["kill\n", "", "odd\n"].map(|contents| exit_status(&script, "in put", contents) == 0)
    };
    let dies = "grep -q kill \"$1\" && kill -s SEGV $$; exit 3";
    assert_eq!(tell(&["signal=SEGV"], dies), [true, false, false]);
    assert_eq!(tell(&["!exit=3"], dies), [true, false, false]);
    let hangs = "grep -q kill \"$1\" && exec sleep 100; exit 0";
    assert_eq!(tell(&["timeout"], hangs), [true, false, false]);
    let says = "cat \"$1\"; grep -q kill \"$1\" && echo 'Bad-Thing [7]: xx yy' >&2; exit 9";
    assert_eq!(tell(&[r"stderr~(?im)^bad-thing \[\d+\]: (?:x+|z)\s\w*?$"], says), [true, false, false]);
    assert_eq!(tell(&["output~[^a-z]7", "!stdout~odd"], says), [true, false, false]);
    assert_eq!(tell(&["exit=9", "stdout~[a-z]", "!stdout~d{2}"], says), [true, false, false]);
    // What cannot tell is not the failure because some other is excluded; unless it is named.
    let cannot = "grep -q odd \"$1\" && exit 125; grep -q kill \"$1\" && exit 4; exit 0";
    assert_eq!(tell(&["!exit=0"], cannot), [true, false, false]);
}

#[test]
fn what_cannot_be_told_is_refused() {
    let workshop = Workshop::new();
    workshop.script("t", "cat input; test ! -s input");
    workshop.write("input", "one\ntwo\n");
    let words = ["oracle", "-o", "o.sh", "--fails-if", r"stdout~one\ntwo", "input", "--", "./t"];
    workshop.reduct(words).run().exits_with(2).says("goes across lines");
    // The ends of all that was printed are not those of a line.
    let words = ["oracle", "-o", "o.sh", "--fails-if", "!stdout~^two", "--fails-if", "stdout~o", "input", "--", "./t"];
    workshop.reduct(words).run().exits_with(3).says("of the whole input it would say that it does not fail");
    assert!(!workshop.exists("o.sh"));
}
