//! What of a result matters.

use crate::workshop::Workshop;
use serde_json::Value;
use std::fs;

fn explained(workshop: &Workshop) -> Value {
    serde_json::from_slice(&fs::read(workshop.run_folder().join("explain.json")).unwrap()).unwrap()
}

/// What a part of this text may be.
fn may_be(explained: &Value, text: &str) -> String {
    let part = explained["parts"].as_array().unwrap().iter().find(|part| part["text"] == text);
    part.unwrap_or_else(|| panic!("no part {text}: {explained:#}"))["may_be"].as_str().unwrap().to_owned()
}

/// A call with any name, a string of at least four characters, and a number that is not 0.
const TEST: &str = r#"echo >>"$LOG"; grep -qE '^f?[a-z_]+\("[a-z]{4,}", *-?[1-9][0-9]*, *return\)' input.txt"#;

fn workshop() -> Workshop {
    let workshop = Workshop::new();
    workshop.write("input.txt", "before\ncall(\"text\", 7, return)\nafter\n");
    workshop.script("test.sh", TEST);
    workshop.reduct(["--by", "lines", "./test.sh", "input.txt"]).run().exits_with(0);
    workshop.forget_runs();
    workshop
}

#[test]
fn parts_are_free_bound_or_fixed() {
    let workshop = workshop();
    let done = workshop.reduct(["explain", "--color", "never"]).run().exits_with(0);
    let found = explained(&workshop);
    assert_eq!(may_be(&found, "call"), "anything");
    // Without a language every word is a name.
    assert_eq!(may_be(&found, "return"), "exactly");
    // 1, -1 and a large one, but not 0.
    assert_eq!(may_be(&found, "7"), "partly");
    // As long or longer, but not empty.
    assert_eq!(may_be(&found, "\"text\""), "partly");
    assert!(done.stdout.contains("“7” may be “1”, “-1”, “1000000007”, but not “0”"), "{}", done.stdout);
    assert!(done.stdout.contains("....^~~~~~"), "{}", done.stdout);
    // What is counted was run; what the reduction knew was not run again.
    let runs = workshop.runs().len();
    assert!(done.stdout.contains(&format!("({runs} runs)")), "{runs}: {}", done.stdout);
    let neighbour = &found["passing_neighbour"];
    assert!(!neighbour["passing"].as_str().unwrap().is_empty());
    // The input, the result and the claim are untouched.
    assert_eq!(workshop.text("input.reduced.txt"), "call(\"text\", 7, return)\n");
    workshop.reduct(["verify"]).run().exits_with(0);
}

#[test]
fn asked_again_nothing_is_run() {
    let workshop = workshop();
    let first = workshop.reduct(["explain", "-j1"]).run();
    assert_eq!(first.status, 2, "jobs are those of the run: {}", first.stderr);
    let first = workshop.reduct(["explain"]).run().exits_with(0).stdout;
    let runs = workshop.runs().len();
    assert!(runs > 10, "{first}");
    let again = workshop.reduct(["explain"]).run().exits_with(0).stdout;
    assert_eq!(workshop.runs().len(), runs);
    let parts =
        |text: &str| text.lines().filter(|line| !line.contains(" runs)")).map(str::to_owned).collect::<Vec<_>>();
    assert_eq!(parts(&again), parts(&first));
}

#[test]
fn killed_in_the_middle_it_goes_on() {
    let workshop = workshop();
    let undisturbed = {
        let other = self::workshop();
        other.reduct(["explain"]).run().exits_with(0);
        (explained(&other)["parts"].clone(), other.runs().len())
    };
    let mut running = workshop.reduct(["explain"]).start();
    assert!(workshop.wait_for_runs(8, &mut running));
    running.kill();
    running.wait();
    workshop.expect_no_process();
    workshop.reduct(["explain"]).run().exits_with(0);
    assert_eq!(explained(&workshop)["parts"], undisturbed.0);
}

#[test]
fn the_number_of_tests_is_a_bound() {
    let workshop = workshop();
    let done = workshop.reduct(["explain", "--tests", "3"]).run().exits_with(0);
    assert!(done.stdout.starts_with("call"), "{}", done.stdout);
    assert!(done.stdout.contains("3 tests"), "{}", done.stdout);
    assert_eq!(explained(&workshop)["tests"], 3);
    assert!(done.stdout.contains("not known"), "{}", done.stdout);
}

#[test]
fn what_cannot_be_told_is_not_the_failure() {
    let workshop = Workshop::new();
    workshop.write("input.txt", "needle 5\n");
    // Whatever is not the whole, and has a 5, cannot be told.
    workshop.script("test.sh", "grep -qx 'needle 5' input.txt && exit 0; grep -q 5 input.txt && exit 125; exit 1");
    workshop.reduct(["--by", "lines", "./test.sh", "input.txt"]).run().exits_with(0);
    workshop.reduct(["explain"]).run().exits_with(0);
    let found = explained(&workshop);
    // Of other words nothing was seen to pass, so nothing was shown; of other numbers it was.
    assert_eq!(may_be(&found, "needle"), "unknown");
    assert_eq!(may_be(&found, "5"), "exactly");
}

#[test]
fn only_what_is_finished_is_explained() {
    let workshop = Workshop::new();
    workshop.reduct(["explain"]).run().exits_with(2);
    workshop.write("input.txt", (0..100).map(|n| format!("line {n}\n")).collect::<String>());
    workshop.reduct(["--tests", "2", "input.txt", "--", "grep", "-q", "line 50", "input.txt"]).run();
    workshop.reduct(["explain"]).run().exits_with(2).says("not finished");
}

#[test]
fn a_result_is_explained_at_once_if_asked_for() {
    let workshop = Workshop::new();
    workshop.write("input", "one\nkey = 12\ntwo\n");
    workshop.script("test.sh", "grep -q 'key = -*[0-9]' input");
    let done = workshop.reduct(["--explain", "--by", "lines", "./test.sh", "input"]).run().exits_with(0);
    let done = done.says("must be exactly so").says("The passing neighbour").says("the result is input.reduced");
    assert!(done.stderr.trim_end().lines().last().unwrap().ends_with("the result is input.reduced"), "{}", done.stderr);
    assert_eq!(may_be(&explained(&workshop), "12"), "anything");
    assert_eq!(may_be(&explained(&workshop), "key"), "exactly");
    // Each part that must be exactly so has a neighbour of its own, which passes.
    let all = explained(&workshop);
    let neighbours = all["passing_neighbours"].as_array().unwrap();
    let exactly = all["parts"].as_array().unwrap().iter().filter(|part| part["may_be"] == "exactly").count();
    assert_eq!(neighbours.len(), exactly);
    for neighbour in neighbours {
        workshop.write("input", neighbour["passing"].as_str().unwrap());
        assert_eq!(workshop.call("./test.sh", [""; 0]).run().status, 1, "{neighbour}");
    }
    assert!(fs::read_to_string(workshop.run_folder().join("explain.txt")).unwrap().contains("must be exactly so"));
    // What is not done is not explained.
    workshop.write("input", "one\nkey = 12\ntwo\n");
    let words = ["--explain", "--no-cache", "--tests", "1", "./test.sh", "input"];
    workshop.reduct(words).run().exits_with(4).says("Not explained");
}

#[test]
fn what_cannot_be_explained_is_refused_with_the_reason() {
    let workshop = Workshop::new();
    workshop.reduct(["args", "--", "sh", "-c", "exit 1", "a", "b"]).run();
    workshop.reduct(["args", "--", "grep", "-q", "-e", "[", "-x"]).run().exits_with(0);
    workshop.reduct(["explain"]).run().exits_with(2).says("only files that were reduced can be explained");
}
