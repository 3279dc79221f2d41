//! What a run may take: how it is stopped early, and what limits a test.

use crate::usage::{split, workshop};
use crate::workshop::{Events, Workshop, files_below};
use std::path::Path;

#[test]
fn early_stops_say_what_stopped_them_and_what_was_confirmed() {
    for (option, why) in [
        ("--tests 3", "--tests 3"),
        ("--time 700ms", "--time"),
        ("--stall 4,60", "the last 4 tests removed less than 60 %"),
        ("--until-granularity 8", "nothing that removes 8 lines or more is left to try"),
    ] {
        let workshop = workshop();
        workshop.write("input", (0..200).map(|n| format!("needle {n}\n")).collect::<String>());
        // Each line is needed but for some, so that it takes a while.
        let body = "sleep 0.01; [ $(grep -c needle input) -ge 150 ]";
        workshop.script("test.sh", body);
        let words = format!("--by lines {option} --events events ./test.sh input");
        let done = workshop.reduct(split(&words)).run().exits_with(4);
        let end: Vec<&str> = done.stderr.lines().rev().take(8).collect();
        assert!(end.iter().any(|line| line.contains(why)), "{option}: {}", done.stderr);
        assert!(end.iter().any(|line| line.contains("Confirmed: it failed in")), "{option}: {}", done.stderr);
        assert!(!done.stderr.contains("Proved:"), "{option}: {}", done.stderr);
        // A run keeps its granularity, so that there is nothing to go on with.
        let goes_on = !option.starts_with("--until-granularity");
        assert!(
            !goes_on || end.iter().any(|line| line.contains("To go on: reduct resume")),
            "{option}: {}",
            done.stderr
        );
        assert!(workshop.text("input.reduced").lines().count() >= 150, "{option}");
        assert_eq!(Events::read(workshop.path("events")).last()["confirmed"], true, "{option}");
        workshop.reduct(["verify"]).run().exits_with(0).says("fails");
    }
}

#[test]
fn what_kept_to_its_granularity_is_not_said_to_go_on() {
    let workshop = workshop();
    let done = workshop.reduct(split("--by chars --until-granularity 8 ./test.sh input")).run().exits_with(4);
    let result = workshop.read("input.reduced");
    workshop.reduct(["resume"]).run();
    assert_eq!(workshop.read("input.reduced"), result, "there is nothing to go on with");
    done.does_not_say("To go on: reduct resume");
}

#[test]
fn a_number_of_tests_is_kept_to() {
    let workshop = workshop();
    workshop.reduct(split("-j1 --no-cache --tests 3 --events events ./test.sh input")).run().exits_with(4);
    assert_eq!(Events::read(workshop.path("events")).tests().len(), 3);
    // Before the search, in it, and of the best after it.
    assert_eq!(workshop.runs().len(), 3 + 3 + 5);
}

#[test]
fn a_resumed_run_may_be_stopped_too_but_keeps_its_granularity() {
    let workshop = workshop();
    workshop.reduct(split("--tests 2 ./test.sh input")).run().exits_with(4);
    workshop.reduct(split("resume --until-granularity 4")).run().exits_with(2).says("keeps the granularity");
    workshop.reduct(split("resume --tests 4 --plain")).run().exits_with(4);
    workshop.reduct(split("resume --stall 1,100 --quiet")).run().exits_with(4);
    workshop.reduct(split("resume --time 5m")).run().exits_with(0);
    assert_eq!(workshop.text("input.reduced"), "needle");
    workshop.reduct(["resume"]).run().exits_with(0).says("done already");
    assert_eq!(workshop.text("input.reduced"), "needle");
}

#[test]
fn limits_of_a_test() {
    for (option, body, exit) in [
        ("--timeout 700ms", "sleep 1000", r#"{"limit":"time"}"#),
        ("--memory 40M", "x=$(head -c 80000000 /dev/zero | tr '\\0' a); sleep 1000", r#"{"limit":"memory"}"#),
        ("--processes 5", "for i in 1 2 3 4 5 6 7; do sleep 1000 & done; wait", r#"{"limit":"processes"}"#),
        ("--file-size 1M", "head -c 3000000 /dev/zero >big; exit $?", r#"{"code":153}"#),
    ] {
        let workshop = workshop();
        workshop.script("test.sh", &format!("grep -q needle input && exit 0\n[ -s input ] && exit 1\n{body}"));
        let words = format!("{option} --by lines --events events ./test.sh input");
        workshop.reduct(split(&words)).run().exits_with(0);
        let events = Events::read(workshop.path("events"));
        assert_eq!(events.of("preflight")[2]["exit"].to_string(), exit, "{option}");
        assert_eq!(workshop.text("input.reduced"), "five needle six\n", "{option}");
        assert_eq!(workshop.processes(), [], "{option}");
    }
}

#[test]
fn a_scratch_folder_is_where_it_should_be_and_is_gone_in_the_end() {
    let workshop = workshop();
    workshop.script("test.sh", "pwd >>\"$LOG\"; grep -q needle input");
    workshop.reduct(split("--scratch ../scratch/of/mine ./test.sh input")).run().exits_with(0);
    let runs = workshop.runs();
    assert!(runs.iter().all(|place| Path::new(place).starts_with(workshop.scratch().join("of/mine"))), "{runs:?}");
    assert_eq!(files_below(&workshop.scratch()).len(), 0);
}

#[test]
fn a_resumed_run_may_have_another_number_of_jobs_and_the_same_result() {
    let workshop = workshop();
    workshop.reduct(split("-j1 --tests 2 ./test.sh input")).run().exits_with(4);
    workshop
        .reduct(split("resume --timeout 3s"))
        .run()
        .exits_with(2)
        .says("a run keeps its test, where that runs, its failure");
    workshop.reduct(split("verify --tests 3")).run().exits_with(2).says("this has no --tests; `reduct resume` has");
    workshop.reduct(split("history -j3")).run().exits_with(2).says("no test runs here; `reduct resume` has --jobs");
    workshop.reduct(split("log --output x")).run().exits_with(2).does_not_say("tip:");
    workshop.reduct(split("resume -o other")).run().exits_with(2).says("a run keeps the place of its result");
    workshop.reduct(split("history -o page.html")).run().exits_with(2).says("`reduct report -o FILE` writes a page");
    workshop.reduct(split("resume -j0")).run().exits_with(2);
    let resume = |words: &str| workshop.reduct(split(words)).env("REDUCT_JOBS", "2").run();
    resume("resume --tests 3 --plain").exits_with(4).says("1 test at a time");
    resume("resume -j3 --plain").exits_with(0).says("3 tests at a time");
    workshop.reduct(split("play --timeout 3s x -- y")).run().exits_with(2).does_not_say("a run keeps");
    assert_eq!(workshop.text("input.reduced"), "needle");
}

/// A program that raises a signal dies of it, whatever a shell far above ignores.
#[test]
fn signals_that_a_parent_ignores_end_tests() {
    let workshop = Workshop::new();
    workshop.write("input", "a\nneedle\nb\n");
    workshop.script("test.sh", "grep -q needle input && kill -SEGV $$\nexit 0");
    let line = "trap '' SEGV BUS PIPE HUP; exec \"$REDUCT\" --by lines input -- ./test.sh";
    workshop.shell(line).run().exits_with(0);
    assert_eq!(workshop.text("input.reduced"), "needle\n");
}
