//! Records of events: played to real programs, at terminals and on displays, recorded, and reduced.

use crate::workshop::Workshop;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::Command;

const SEGV: i32 = -11;

/// A file of the example.
fn example(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/events").join(name)
}

/// A workshop with the program that crashes when it prints, built from the example.
fn with_browser() -> Workshop {
    let workshop = Workshop::new();
    let built = Command::new("cc")
        .args(["-Wall", "-Wextra", "-Werror", "-o"])
        .arg(workshop.path("browser"))
        .arg(example("browser.c"))
        .arg("-lX11")
        .status();
    assert!(built.unwrap().success(), "the example needs a C compiler and libx11-dev");
    workshop
}

/// The lines of a text without comments.
fn events(text: &str) -> Vec<&str> {
    text.lines().filter(|line| !line.starts_with('#')).collect()
}

#[test]
fn the_ninety_five_events_of_the_book_become_three_on_a_real_display() {
    let workshop = with_browser();
    let record = fs::read_to_string(example("print.txt")).unwrap();
    assert_eq!(events(&record).len(), 95);
    workshop.write("print.txt", &record);
    workshop.script("test.sh", "echo run >>\"$LOG\"\nexec \"$REDUCT\" play --x11 \"$1\" -- \"$WORKSHOP/home/browser\"");
    let done = workshop.reduct(["events", "print.txt", "--jobs", "1", "--", "./test.sh", "{}"]).run().exits_with(0);
    assert_eq!(workshop.text("print.reduced.txt"), "key alt+p\nmousedown 1\nmouseup 1\n");
    // Where the player ends is not where the program died.
    // Nor is what it printed before why it died.
    let done = done.says("3 of 95 events are left").says("death by SIGSEGV, as the first run showed");
    done.does_not_say("kill_process").does_not_say("printing");
    let asked = workshop.logged().len();
    assert!(asked <= 39, "{asked} tests");
    workshop.expect_no_process();
}

#[test]
fn a_program_on_a_display_ends_as_it_does_or_survives() {
    let workshop = with_browser();
    workshop.write("crash.txt", "key alt+p\nclick 1\nkey never_reached\n");
    workshop.write("escape.txt", "key alt+p\nkey Escape\nclick 1\ntype \"Hi, there\"\nmousemove 5 5\n");
    workshop.write("unknown.txt", "key hyper_x\n");
    let play = |name: &str| workshop.reduct(["play", "--x11", name, "--", "./browser"]).run();
    assert_eq!(play("crash.txt").status, SEGV);
    assert_eq!(play("escape.txt").status, 0);
    play("unknown.txt").exits_with(125).says("the keyboard has no key `hyper_x`");
    workshop.expect_no_process();
    let no_window = workshop.reduct(["play", "--x11", "crash.txt", "--", "sh", "-c", "exit 7"]).run();
    assert_eq!(no_window.status, 7, "a program that ends before it opens a window has ended");
}

#[test]
fn a_program_at_a_terminal_ends_as_it_does_or_survives() {
    let workshop = Workshop::new();
    workshop.write("lines.txt", "type \"hello\\r\"\nexpect \"got hello\"\ntype \"second\\r\"\n");
    let play = |script: &str| workshop.reduct(["play", "lines.txt", "--", "sh", "-c", script]).run();
    assert_eq!(play("read x; echo got $x; read y; exit 5").status, 5);
    assert_eq!(play("read x; echo got $x; read y; kill -ABRT $$").status, -6);
    assert_eq!(play("read x; echo got $x; read y; read z").status, 0, "it waits for more");
    assert_eq!(play("exit 3").status, 3, "it ended before anything was played");
    play("read x; echo what; read y").exits_with(125).says("nothing in the output is like \"got hello\"");
    assert!(play("test -t 0 && stty size; read x; echo got $x").stdout.starts_with("24 80\r\n"));
    workshop.expect_no_process();
}

#[test]
fn what_cannot_be_played_cannot_be_told() {
    let workshop = Workshop::new();
    for (text, says) in [
        ("frobnicate 1\n", "line 1: `frobnicate` is no event"),
        ("# note\ntype \"open", "line 2: a quote is not closed"),
        ("mousemove 1 1\n", "a terminal has no pointer"),
        ("expect \"(\"\n", "unclosed group"),
    ] {
        workshop.write("s.txt", text);
        workshop.reduct(["play", "s.txt", "--", "cat"]).run().exits_with(125).says(says);
    }
    workshop.write("s.txt", "type \"a\"\n");
    workshop.reduct(["play", "s.txt", "--", "./not-there"]).run().exits_with(125).says("cannot start ./not-there");
    workshop.reduct(["play", "none.txt", "--", "cat"]).run().exits_with(125).says("cannot read none.txt");
}

/// A session with bc of which two lines and the prompt-less answer matter.
const BC: &str = "\
type \"1 + 1\\r\"
expect \"2\"
sleep 0.01
type \"a = 6\\r\"
type \"scale = 3\\r\"
type \"b = 7\\r\"
type \"10 / 3\\r\"
expect \"3\\.333\"
sleep 0.01
type \"a * b\\r\"
expect \"42\"
type \"sqrt(2)\\r\"
key ctrl-d
";

#[test]
fn a_session_with_a_real_program_is_reduced() {
    let workshop = Workshop::new();
    workshop.write("session.txt", BC);
    let command = ["events", "session.txt", "--fails-if", "stdout~(?m)^42", "--", "sh", "-c"];
    let line = "\"$REDUCT\" play session.txt -- env TERM=dumb bc -q";
    let done = workshop.reduct(command.into_iter().chain([line])).run().exits_with(0);
    assert_eq!(workshop.text("session.reduced.txt"), "type \"a = 6\\r\"\ntype \"b = 7\\r\"\ntype \"a * b\\r\"\n");
    done.says("3 of 11 events are left");
    let one = workshop.text("session.reduced.txt");
    // The same at one test at a time.
    workshop
        .reduct(
            command
                .into_iter()
                .take(2)
                .chain(["--jobs", "1", "--no-cache", "-o", "one.txt"])
                .chain(command.into_iter().skip(2))
                .chain([line]),
        )
        .run()
        .exits_with(0);
    assert_eq!(workshop.text("one.txt"), one);
    workshop.reduct(["verify"]).run().exits_with(0);
}

#[test]
fn pauses_shrink_to_what_is_needed() {
    let workshop = Workshop::new();
    workshop.write(
        "calls.txt",
        "{\"do\": \"a\", \"after_ms\": 900}\n{\"do\": \"b\", \"after_ms\": 640}\n{\"do\": \"c\"}\n",
    );
    workshop.script(
        "test.sh",
        "wait=$(sed -n '/\"b\"/{s/.*after_ms\": //;s/}//p}' calls.txt)\n[ \"${wait:-0}\" -ge 100 ] && grep -q '\"c\"' calls.txt && exit 1\nexit 0",
    );
    workshop.reduct(["events", "calls.txt", "--", "./test.sh"]).run().exits_with(0);
    assert_eq!(workshop.text("calls.reduced.txt"), "{\"do\": \"b\", \"after_ms\": 160}\n{\"do\": \"c\"}\n");
    let kept = ["events", "calls.txt", "--keep-pauses", "-o", "kept.txt", "--", "./test.sh"];
    workshop.reduct(kept).run().exits_with(0);
    assert_eq!(workshop.text("kept.txt"), "{\"do\": \"b\", \"after_ms\": 640}\n{\"do\": \"c\"}\n");
}

#[test]
fn what_is_typed_is_recorded_and_can_be_played() {
    let workshop = Workshop::new();
    let program = "printf 'name? '; read x; echo \"hello $x\"; printf 'more? '; read y; exit 9";
    let mut recording = workshop.reduct(["record", "-o", "s.txt", "--", "sh", "-c", program]).with_keys().start();
    recording.wait_for("name? ");
    recording.press("reduct\n");
    recording.wait_for("more? ");
    recording.press("no\n");
    recording.wait().exits_with(9);
    let record = workshop.text("s.txt");
    let lines: Vec<&str> = events(&record).into_iter().filter(|line| !line.starts_with("sleep")).collect();
    assert_eq!(
        lines,
        ["size 80x24", "expect \"name\\\\? \"", "type \"reduct\\n\"", "expect \"more\\\\? \"", "type \"no\\n\""]
    );
    let played = workshop.reduct(["play", "s.txt", "--", "sh", "-c", program]).run().exits_with(9);
    assert!(played.stdout.contains("hello reduct"));
    workshop.reduct(["record", "-o", "s.txt", "--", "true"]).run().exits_with(2).says("s.txt is there already");
}

#[test]
fn a_program_that_does_not_start_leaves_no_record_and_spoils_none() {
    let workshop = Workshop::new();
    let failing = |more: &[&str]| {
        let words = ["record", "-o", "s.txt"].iter().chain(more).chain(&["--", "./nothing"]);
        workshop.reduct(words).run().exits_with(2).says("nothing was recorded");
    };
    failing(&[]);
    assert!(!workshop.exists("s.txt"));
    workshop.write("s.txt", "type \"x\"\n");
    failing(&["--force"]);
    assert_eq!(workshop.text("s.txt"), "type \"x\"\n");
}

#[test]
fn a_recording_ends_with_its_program_and_is_nobody_elses() {
    let workshop = Workshop::new();
    // Somebody else has the terminal for longer.
    let program = "setsid sleep 20 & exit 3";
    let began = std::time::Instant::now();
    workshop.reduct(["record", "-o", "s.txt", "--", "sh", "-c", program]).run().exits_with(3);
    assert!(began.elapsed() < std::time::Duration::from_secs(15));
    let mode = fs::metadata(workshop.path("s.txt")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
}

#[test]
fn a_recording_leaves_the_terminal_as_it_was() {
    let workshop = Workshop::new();
    // The program breaks its own terminal and is killed; that of the user is another one.
    let line = "stty -g >before; \"$REDUCT\" record -o s.txt -- sh -c 'stty raw -echo; kill -9 $$'; echo $? >status; stty -g >after";
    workshop.call("script", ["-qec", line, "/dev/null"]).run().exits_with(0);
    assert_eq!(workshop.text("before"), workshop.text("after"));
    assert_eq!(workshop.text("status").trim(), "137");
    workshop.expect_no_process();
}

/// A workshop with a record of which two events matter, and a test that stops for ever in its `stop`th run.
fn with_forty_events(stop: usize) -> Workshop {
    let workshop = Workshop::new();
    workshop.write("s.txt", (0..40).map(|at| format!("type \"{at}\\r\"\n")).collect::<String>());
    let script = format!(
        "cksum <s.txt >>\"$LOG\"\n[ \"$(wc -l <\"$LOG\")\" -eq {stop} ] && exec tail -f /dev/null\n\
         grep -q '\"7\\\\' s.txt && grep -q '\"31\\\\' s.txt && exit 1\nexit 0"
    );
    workshop.script("test.sh", &script);
    workshop
}

#[test]
fn a_killed_reduction_of_events_goes_on_where_it_was() {
    const KILLED_IN: usize = 8;
    let words = ["events", "s.txt", "--jobs", "1", "--timeout", "100s", "--", "./test.sh"];
    let whole = with_forty_events(0);
    whole.reduct(words).run().exits_with(0);
    let workshop = with_forty_events(KILLED_IN);
    let mut running = workshop.reduct(words).start();
    assert!(workshop.wait_for_runs(KILLED_IN, &mut running), "it does not end: {}", running.so_far());
    running.kill();
    running.wait();
    let before = workshop.runs();
    assert_eq!(before[..], whole.runs()[..KILLED_IN], "it was in the middle of the search");
    workshop.reduct(["resume"]).run().exits_with(0);
    assert_eq!(workshop.text("s.reduced.txt"), "type \"7\\r\"\ntype \"31\\r\"\n");
    // The run that was killed is made again, and none before it.
    assert_eq!(workshop.runs()[KILLED_IN..], whole.runs()[KILLED_IN - 1..]);
    workshop.expect_no_process();
}

/// Cannot tell if something is closed that is not open, or left open; fails if `b` is written to.
const STRICT: &str = "awk '$1 == \"open\" { if (o[$2]++) exit 125 }
    $1 == \"write\" { if (!o[$2]) exit 125; if ($2 == \"b\") bad = 1 }
    $1 == \"close\" { if (!o[$2]) exit 125; delete o[$2] }
    END { for (f in o) exit 125; exit bad }' calls.txt; code=$?
[ $code = 1 ] && echo 'error: b is written to' >&2
exit $code";

#[test]
fn events_that_only_go_together_go_together() {
    let workshop = Workshop::new();
    let names = ["a", "b", "c", "d", "e", "f"];
    let mut calls: Vec<String> = names.iter().map(|name| format!("open {name}")).collect();
    calls.extend(names.iter().map(|name| format!("write {name}")));
    calls.extend(names.iter().map(|name| format!("close {name}")));
    workshop.write("calls.txt", calls.iter().map(|call| format!("{call}\n")).collect::<String>());
    workshop.script("test.sh", STRICT);
    let run = |jobs: &str, out: &str| {
        workshop.reduct(["events", "calls.txt", "--jobs", jobs, "--no-cache", "-o", out, "--", "./test.sh"]).run()
    };
    let done = run("1", "one.txt").exits_with(0);
    assert_eq!(workshop.text("one.txt"), "open b\nwrite b\nclose b\n");
    done.says("3 of 18 events are left").says("1-minimal in events").says("groups of events that the tests point to");
    run("3", "three.txt").exits_with(0);
    assert_eq!(workshop.text("three.txt"), workshop.text("one.txt"));
    workshop.reduct(["verify"]).run().exits_with(0);
}

#[test]
fn a_recording_of_nobody_ends() {
    let workshop = Workshop::new();
    let program = "cat >/dev/null; cat >/dev/null; cat";
    let done = workshop.reduct(["record", "-o", "s.txt", "--", "sh", "-c", program]).run();
    done.exits_with(2).says("standard input is at its end, and the program waits for more");
    workshop.reduct(["record", "-o", "t.txt", "--", "cat"]).run().exits_with(0);
    workshop.expect_no_process();
}

/// A program that sleeps is taken to wait, after a time that can be said.
#[test]
fn a_program_that_sleeps_before_it_speaks_is_given_the_time_that_was_said() {
    let workshop = Workshop::new();
    workshop.write("s.txt", "expect \"go\"\ntype \"x\\n\"\n");
    let slow = "sleep 1; echo go; read x; exit 5";
    assert_eq!(workshop.reduct(["play", "--idle", "60s", "s.txt", "--", "sh", "-c", slow]).run().status, 5);
    workshop.reduct(["play", "s.txt", "--", "sh", "-c", slow]).run().exits_with(125).says("nothing in the output");
}
