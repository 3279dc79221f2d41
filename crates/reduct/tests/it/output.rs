//! What is printed, and what happens if it cannot be.

use crate::usage::{split, workshop};
use crate::workshop::Workshop;
use std::fs;

#[test]
fn colours_are_where_they_should_be() {
    let workshop = workshop();
    workshop.write("input", "a needle b\n");
    let done = workshop.reduct(["--color", "auto", "./test.sh", "input"]).run().exits_with(0);
    assert!(!done.stderr.contains('\x1b'));
    for (words, no_color, colored) in [
        ("log", "", false),
        ("log --color never", "", false),
        ("log --color always", "", true),
        ("log --color always", "1", true),
        ("log --color auto", "1", false),
    ] {
        let done = workshop.reduct(split(words)).env("NO_COLOR", no_color).run().exits_with(0);
        assert_eq!(done.stdout.contains('\x1b'), colored, "{words} NO_COLOR={no_color}: {}", done.stdout);
        assert!(done.stdout.contains("Result:"));
    }
}

#[test]
fn quiet_says_the_end_only() {
    let workshop = workshop();
    for option in ["-q", "--quiet"] {
        let done = workshop.reduct([option, "./test.sh", "input"]).run().exits_with(0);
        assert_eq!(done.stderr.lines().count(), 2, "{}", done.stderr);
        done.says("Failure: the test exits with 0").says("the result is input.reduced");
    }
    let done = workshop.reduct(["--plain", "./test.sh", "input"]).run().exits_with(0);
    assert!(done.stdout.is_empty());
    done.says("Proved: 1-minimal in");
}

#[test]
fn a_reader_of_the_output_that_ends_stops_nothing() {
    let workshop = workshop();
    workshop.shell("\"$REDUCT\" ./test.sh input 2>&1 | head -1; \"$REDUCT\" log | head -1").run().exits_with(0);
    workshop.eventually("the result is there", || match fs::read(workshop.path("input.reduced")) {
        Ok(bytes) if bytes == b"needle" => Ok(()),
        other => Err(format!("{other:?}")),
    });
    workshop.shell("\"$REDUCT\" ./test.sh input 2>&- >&- <&-").run().exits_with(0);
    workshop.shell("\"$REDUCT\" ./test.sh input 2>/dev/full >/dev/full").run().exits_with(0);
    let log = workshop.shell("\"$REDUCT\" log >/dev/full").run();
    assert_eq!(log.status, 2, "{log:?}");
    log.says("No space left");
}

#[test]
fn events_that_cannot_be_kept_end_it_cleanly() {
    let workshop = workshop();
    let done = workshop.reduct(split("--events /dev/full --patience 0s ./test.sh input")).run().exits_with(4);
    done.says("No space left").does_not_say("panicked");
    assert!(!workshop.exists("input.reduced") || workshop.text("input.reduced").contains("needle"));
    // Events that nobody reads to the end are nobody's loss.
    let line = "mkfifo events; head -c 10 <events >/dev/null & exec \"$REDUCT\" --events events ./test.sh input";
    workshop.shell(line).run().exits_with(0);
    assert_eq!(workshop.text("input.reduced"), "needle");
}

#[test]
fn quiet_is_quiet_about_other_failures_too() {
    let workshop = Workshop::new();
    workshop.write("input", "one\nneedle\nother\n");
    let test = "grep -q needle input && { echo 'assertion failed: needle' >&2; exit 1; }; \
        [ -s input ] && kill -ABRT $$; exit 0";
    let done = workshop.reduct(["-q", "-c", test, "input"]).run().exits_with(0);
    assert_eq!(done.stderr.lines().count(), 2, "{}", done.stderr);
    let done = workshop.reduct(["--no-cache", "-c", test, "input"]).run().exits_with(0).says("Another failure was met");
    assert_eq!(done.stderr.matches("Failure: ").count(), 1, "{}", done.stderr);
}
