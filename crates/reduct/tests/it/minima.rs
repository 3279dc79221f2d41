//! `reduct minima`: all minimal inputs, with real processes.

use crate::workshop::{Workshop, listed};
use serde_json::Value;

/// The `geegg` of exercise 5.1: three times `g`, or twice `e`.
const GEEGG: &str = "echo run >>\"$LOG\"\n\
    g=$(tr -cd g <\"$1\" | wc -c); e=$(tr -cd e <\"$1\" | wc -c)\n\
    if [ $g -ge 3 ] || [ $e -ge 2 ]; then echo 'assertion failed: geegg' >&2; exit 1; fi";

fn workshop() -> Workshop {
    let workshop = Workshop::new();
    workshop.script("geegg", GEEGG);
    workshop.write("input.txt", "a-debugging-exam");
    workshop
}

fn words(more: &[&'static str]) -> Vec<&'static str> {
    let first = ["minima", "--by", "chars", "--scratch", "../scratch", "input.txt"];
    [&first[..], more, &["--", "./geegg", "{}"]].concat()
}

fn answer(workshop: &Workshop) -> Value {
    serde_json::from_str(&workshop.text("input.minima/minima.json")).unwrap()
}

/// Exercise 5.9 of the book on the input of exercise 5.1.
#[test]
fn exercise_5_9() {
    let workshop = workshop();
    workshop.reduct(words(&[])).run().exits_with(0).says("2 minima").says("there is no other one");
    let mut texts = ["01", "02"].map(|name| workshop.text(format!("input.minima/{name}.txt")));
    texts.sort();
    assert_eq!(texts, ["ee", "ggg"]);
    let answer = answer(&workshop);
    assert_eq!((&answer["complete"], &answer["in_none"]), (&true.into(), &11.into()));
    let some: Vec<&str> = answer["in_some"].as_array().unwrap().iter().filter_map(|p| p["text"].as_str()).collect();
    assert_eq!(some, ["e", "g", "g", "g", "e"]);
    // Two fail as they are, and none of their five single deletions does.
    workshop.reduct(["verify"]).run().exits_with(0).says("no single one of its characters can go (7 tests)");
    workshop.write("input.minima/01.txt", "other");
    workshop.reduct(["verify"]).run().exits_with(1).says("does not fail");
    workshop.expect_no_scratch();
}

#[test]
fn any_number_of_jobs_gives_the_same() {
    let mut seen = vec![];
    for jobs in ["1", "7"] {
        let workshop = workshop();
        workshop.reduct(words(&["-j", jobs])).run().exits_with(0);
        let files = listed(&workshop.path("input.minima"));
        let texts: Vec<_> = files.iter().map(|name| workshop.read(format!("input.minima/{name}"))).collect();
        seen.push((files, texts));
    }
    assert_eq!(seen[0], seen[1]);
}

#[test]
fn killed_in_the_middle_it_goes_on_with_all_that_was_found() {
    let undisturbed = workshop();
    undisturbed.reduct(words(&["-j1"])).run().exits_with(0);
    let all = undisturbed.runs().len();
    let workshop = workshop();
    let mut running = workshop.reduct(words(&["-j1"])).start();
    assert!(workshop.wait_for_runs(all * 2 / 3, &mut running));
    running.kill();
    drop(running);
    workshop.expect_no_process();
    let before = workshop.runs().len();
    workshop.reduct(["resume"]).run().exits_with(0);
    for name in listed(&undisturbed.path("input.minima")) {
        let place = format!("input.minima/{name}");
        assert_eq!(workshop.read(&place), undisturbed.read(&place), "{name}");
    }
    // At most the test that was under way is run twice.
    assert!(workshop.runs().len() <= all + 1, "{before} and then {} of {all}", workshop.runs().len());
}

#[test]
fn a_bound_is_said_and_what_was_found_is_there() {
    let workshop = workshop();
    workshop.reduct(words(&["--most", "1"])).run().exits_with(0).says("one minimum").says("there may be others");
    assert_eq!(listed(&workshop.path("input.minima")), ["01.txt", "minima.json", "minima.txt"]);
    assert_eq!(answer(&workshop)["complete"], false);
    // Over what an earlier run has left, but not over what somebody else has put there.
    workshop.reduct(words(&["--no-cache", "--tests", "3"])).run().exits_with(4).says("reduct resume");
    assert_eq!(listed(&workshop.path("input.minima")), ["minima.json", "minima.txt", "so-far.txt"]);
    workshop.write("input.minima/notes", "mine");
    workshop.reduct(words(&[])).run().exits_with(2).says("exists");
}

/// A part of what passes fails: more than what was found cannot be excluded, and that is said.
#[test]
fn a_test_that_is_not_monotone_has_local_minima() {
    let workshop = Workshop::new();
    workshop.write("list", "bad\nguard\nbad\n");
    workshop.script(
        "check",
        "n=$(grep -c bad \"$1\"); g=$(grep -c guard \"$1\")\n\
         if [ \"$n\" = 2 ] || { [ \"$n\" = 1 ] && [ \"$g\" = 0 ]; }; then exit 1; fi",
    );
    let words = ["minima", "--scratch", "../scratch", "list", "--", "./check", "{}"];
    workshop.reduct(words).run().exits_with(0);
    let answer: Value = serde_json::from_str(&workshop.text("list.minima/minima.json")).unwrap();
    assert_eq!(answer["complete"], answer["monotone"]);
    for name in listed(&workshop.path("list.minima")).iter().filter(|name| name.starts_with('0')) {
        assert_eq!(workshop.text(format!("list.minima/{name}")), "bad\n");
    }
}
