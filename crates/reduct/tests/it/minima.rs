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
    let done = workshop.reduct(words(&[])).run().exits_with(0).says("2 minima").says("there is no other one");
    let mut texts = ["01", "02"].map(|name| workshop.text(format!("input.minima/{name}.txt")));
    texts.sort();
    assert_eq!(texts, ["ee", "ggg"]);
    let answer = answer(&workshop);
    assert_eq!((&answer["complete"], &answer["in_none"]), (&true.into(), &11.into()));
    done.says(&format!("in {} tests", answer["tests"]));
    let some: Vec<&str> = answer["in_some"].as_array().unwrap().iter().filter_map(|p| p["text"].as_str()).collect();
    assert_eq!(some, ["e", "g", "g", "g", "e"]);
    // Two fail as they are, and none of their five single deletions does.
    workshop
        .reduct(["verify"])
        .run()
        .exits_with(0)
        .says("is 1-minimal in characters: if any one character is removed, the failure no longer occurs (7 tests)");
    workshop.write("input.minima/01.txt", "other");
    workshop.reduct(["verify"]).run().exits_with(1).says("does not fail");
    workshop.expect_no_scratch();
}

/// As a reduction by one list, it takes all characters, whatever the language.
#[test]
fn characters_are_all_of_them_in_a_known_language_too() {
    let workshop = Workshop::new();
    workshop.write("a.html", "<b class=\"xyz\">hello</b>");
    let test = "grep -q x a.html && grep -q h a.html";
    workshop.reduct(["minima", "--by", "chars", "a.html", "-c", test]).run().exits_with(0);
    assert_eq!(workshop.text("a.minima/01.html"), "xh");
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

/// Whether some of what failed is part of what passed, as the script has noted it: the lines, and the outcome.
fn is_seen_not_to_be_monotone(runs: &[String]) -> bool {
    let of = |outcome: &str| runs.iter().filter_map(|run| run.strip_suffix(outcome)).collect::<Vec<_>>();
    let is_part = |part: &str, whole: &str| part.split(' ').all(|line| whole.split(' ').any(|other| other == line));
    of(" passes").iter().any(|passed| of(" fails").iter().any(|failed| is_part(failed, passed)))
}

/// A part of what passes may fail. If that was seen, it is said, and nothing else is: the script notes what it has
/// shown. What is listed is minimal in any case.
#[test]
fn a_test_that_is_not_monotone_has_local_minima() {
    let mut said = vec![];
    for (lines, condition) in [
        ("bad1 guard bad2", "[ $(has bad) = 2 ] || { [ $(has bad) = 1 ] && [ $(has guard) = 0 ]; }"),
        ("bad guard1 guard2", "[ $(has bad) = 1 ] && [ $(has guard) != 1 ]"),
        ("x1 x2 bad x3 guard1 guard2 x4", "[ $(has bad) = 1 ] && [ $(has guard) != 1 ]"),
        ("a b c", "[ $(has a) = 1 ] && { [ $(has b) = 0 ] || [ $(has c) = 1 ]; }"),
        ("x1 bad1 x2 bad2", "[ $(has bad) = 2 ]"),
    ] {
        let workshop = Workshop::new();
        workshop.write("list", lines.replace(' ', "\n") + "\n");
        let check = format!(
            "has() {{ grep -c \"$1\" \"$list\"; }}; list=$1; all=$(tr '\\n' ' ' <\"$1\")\n\
             if {condition}; then echo \"${{all}}fails\" >>\"$LOG\"; exit 1; fi; echo \"${{all}}passes\" >>\"$LOG\""
        );
        workshop.script("check", &check);
        let words = ["minima", "-j1", "--by", "lines", "--scratch", "../scratch", "list", "--", "./check", "{}"];
        let done = workshop.reduct(words).run().exits_with(0);
        let answer: Value = serde_json::from_str(&workshop.text("list.minima/minima.json")).unwrap();
        let seen = is_seen_not_to_be_monotone(&workshop.runs());
        assert_eq!(answer["monotone"], !seen, "{lines}: {:?}", workshop.runs());
        assert_eq!(done.stderr.contains("distinct local minima"), seen, "{lines}: {}", done.stderr);
        assert!(!(seen && answer["complete"] == true), "{lines}");
        said.push(seen);
        // Each one fails, and without any single line it does not.
        let fails = |lines: &[&str]| {
            workshop.write("one", lines.concat());
            workshop.call("./check", ["one"]).run().status == 1
        };
        for name in listed(&workshop.path("list.minima")).iter().filter(|name| name.starts_with('0')) {
            let minimum = workshop.text(format!("list.minima/{name}"));
            let lines: Vec<&str> = minimum.split_inclusive('\n').collect();
            assert!(fails(&lines), "{name}");
            for at in 0..lines.len() {
                assert!(!fails(&[&lines[..at], &lines[at + 1..]].concat()), "{name} without its line {at}");
            }
        }
    }
    assert!(said.contains(&true) && said.contains(&false), "{said:?}");
}
