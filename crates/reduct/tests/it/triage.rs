//! `reduct triage`: failures grouped by why they fail, with real processes.

use crate::workshop::{Workshop, listed};
use serde_json::Value;

/// A reader of brackets and names with three bugs, two of which say the same.
const READER: &str = "echo run >>\"$LOG\"\n\
    if grep -q '\\[\\[' \"$1\"; then echo 'fatal: no such item' >&2; exit 1; fi\n\
    if grep -q 'goto' \"$1\"; then echo 'fatal: no such item' >&2; exit 1; fi\n\
    if grep -q '%' \"$1\"; then kill -SEGV $$; fi\n\
    exit 0";

const INPUTS: [(&str, &str); 7] = [
    ("a.txt", "one\nx = [[1\ntwo\n"),
    ("b.txt", "three four\nlist [[ ]]\n"),
    ("c.txt", "begin\ngoto end\n"),
    ("d.txt", "five\n  goto there\nsix\n"),
    ("e.txt", "100 % of it\n"),
    ("f.txt", "nothing to see\n"),
    ("g.txt", "a % b\nc\n"),
];

fn workshop() -> Workshop {
    let workshop = Workshop::new();
    workshop.script("reader", READER);
    INPUTS.iter().for_each(|(name, text)| drop(workshop.write(format!("inputs/{name}"), text)));
    workshop
}

fn words(more: &[&'static str]) -> Vec<&'static str> {
    [&["triage", "--no-backtrace", "--scratch", "../scratch", "inputs"], more, &["--", "./reader", "{}"]].concat()
}

fn json(workshop: &Workshop, name: &str) -> Value {
    serde_json::from_str(&workshop.text(format!("inputs/.reduct/triage/{name}"))).unwrap()
}

fn groups(workshop: &Workshop) -> Vec<Vec<String>> {
    let json = json(workshop, "triage.json");
    let names = |group: &Value| -> Vec<String> {
        let mut names: Vec<String> =
            group["members"].as_array().unwrap().iter().map(|m| m["name"].as_str().unwrap().to_owned()).collect();
        names.sort();
        names
    };
    let mut groups: Vec<Vec<String>> = json["groups"].as_array().unwrap().iter().map(names).collect();
    groups.sort();
    groups
}

#[test]
fn failures_are_grouped_by_cause_and_nothing_is_reduced_twice() {
    let workshop = workshop();
    let done = workshop.reduct(words(&["-j1", "--why", "a.txt", "c.txt"])).run().exits_with(0);
    drop(
        done.says("6 inputs fail in 3 ways; 1 does not").says("a.txt and c.txt are not the same: they fail alike, but"),
    );
    assert_eq!(groups(&workshop), [["a.txt", "b.txt"], ["c.txt", "d.txt"], ["e.txt", "g.txt"]]);
    let first = json(&workshop, "triage.json");
    assert_eq!(first["not_failing"][0]["name"], "f.txt");
    let groups_folder = workshop.path("inputs/.reduct/triage/groups");
    assert_eq!(listed(&groups_folder).len(), 3);
    let sarif = json(&workshop, "triage.sarif");
    assert_eq!((&sarif["version"], sarif["runs"][0]["results"].as_array().unwrap().len()), (&"2.1.0".into(), 3));
    // Again: nothing is new, so each input is run once to see that.
    workshop.forget_runs();
    workshop.reduct(words(&["-j2"])).run().exits_with(0).says("7 inputs run; 6 reductions known from before");
    assert_eq!(workshop.runs().len(), 7);
    assert_eq!(json(&workshop, "triage.json"), first);
    // One more input: it is the only one that is reduced.
    workshop.write("inputs/h.txt", "zero\ngoto\n");
    workshop.reduct(words(&[])).run().exits_with(0).says("7 inputs fail in 3 ways");
    assert!(groups(&workshop).contains(&vec!["c.txt".into(), "d.txt".into(), "h.txt".into()]));
    // Another test has seen nothing yet.
    let before = workshop.runs().len();
    workshop.script("reader", &format!("{READER}\n# changed"));
    workshop.reduct(words(&[])).run().exits_with(0).says("7 inputs fail in 3 ways");
    assert!(workshop.runs().len() >= before + 8 + 7);
    // The originals are as they were, and no other folder was written to.
    assert_eq!(workshop.text("inputs/a.txt"), INPUTS[0].1);
    assert_eq!(workshop.names(), ["inputs", "reader"]);
}

/// Fails on a key that is a dot, if all else is a heading or a number. Such texts are no TOML: half of a heading is not
/// tried with it, and without one there is more amiss than before.
const DOTS: &str = "echo run >>\"$LOG\"\n\
    grep -qv -e '^\\.=$' -e '^\\[[a-z][a-z]*\\]$' -e '^[a-z]* = [0-9]*$' \"$1\" && exit 0\n\
    if grep -q '^\\.=' \"$1\"; then echo 'fatal: no such item' >&2; exit 1; fi\n\
    exit 0";

#[test]
fn what_is_left_of_one_is_looked_for_in_another() {
    let workshop = Workshop::new();
    workshop.script("reader", DOTS);
    workshop.write("inputs/a.toml", ".=\n");
    workshop.write("inputs/b.toml", "[development]\n.=\n");
    let off = workshop.reduct(words(&["--cross-tests", "0"])).run().exits_with(0);
    off.says("2 inputs fail in 2 ways");
    workshop.forget_runs();
    let on = workshop.reduct(words(&["--why", "b.toml", "a.toml"])).run().exits_with(0);
    drop(
        on.says("2 inputs fail in 1 way").says("b.toml still fails alike if only what a.toml is made of is left of it"),
    );
    // All else is known, but for what each input shows.
    assert_eq!(workshop.runs().len(), 2 + 1);
    let why = &json(&workshop, "triage.json")["groups"][0]["members"][1]["why"];
    assert!(why.as_str().unwrap().contains("still fails alike"), "{why}");
    workshop.reduct(words(&[])).run().exits_with(0).says("2 inputs fail in 1 way");
    assert_eq!(workshop.runs().len(), 2 + 1 + 2);
}

#[test]
fn a_program_that_a_script_calls_is_noticed_when_it_is_built_anew() {
    let workshop = workshop();
    let program = workshop.path("reader").display().to_string();
    workshop.script("wrapper", &format!("exec '{program}' \"$1\""));
    let triage = |test: &[&str]| {
        let words = ["triage", "--no-backtrace", "--scratch", "../scratch", "inputs"];
        workshop.reduct([&words, test].concat()).run()
    };
    let test = ["--", "./wrapper", "{}"];
    triage(&test).exits_with(0).says("6 inputs fail in 3 ways; 1 does not");
    // One bug is gone, another says something else: what is left of these inputs is found anew.
    let built = READER.replace("goto", "gone").replace("kill -SEGV $$", "echo 'fatal: bad sign' >&2; exit 2");
    workshop.script("reader", &built);
    workshop.forget_runs();
    let done = triage(&test).exits_with(0).says("4 inputs fail in 2 ways; 3 do not");
    // Also those that look as before: nobody knows what the program says now of what was left out of them.
    drop(done.does_not_say("known from before"));
    assert!(workshop.runs().len() > INPUTS.len() + 2);
    assert_eq!(groups(&workshop), [["a.txt", "b.txt"], ["e.txt", "g.txt"]]);
    // All are gone, which is seen by running each once.
    workshop.script("reader", "echo run >>\"$LOG\"; exit 0");
    workshop.forget_runs();
    triage(&test).exits_with(3).says("0 inputs fail in 0 ways; 7 do not");
    assert_eq!(workshop.runs().len(), INPUTS.len());
}

#[test]
fn a_program_named_in_a_line_for_the_shell_is_a_part_of_the_test() {
    let workshop = workshop();
    let line = format!("'{}' {{}}; exit $?", workshop.path("reader").display());
    let triage = || {
        workshop.forget_runs();
        let words = ["triage", "--no-backtrace", "--scratch", "../scratch", "inputs", "-c", &line];
        workshop.reduct(words).run().exits_with(0)
    };
    triage().says("6 inputs fail in 3 ways");
    triage().says("6 reductions known");
    // It fails as before, so that only its contents tell.
    workshop.script("reader", &format!("{READER}\n# changed"));
    drop(triage().says("6 inputs fail in 3 ways").does_not_say("known from before"));
}

#[test]
fn the_same_at_any_number_of_jobs() {
    let mut seen = vec![];
    for jobs in ["1", "5"] {
        let workshop = workshop();
        workshop.reduct(words(&["-j", jobs])).run().exits_with(0);
        seen.push(
            ["triage.json", "triage.md", "triage.sarif"].map(|n| workshop.text(format!("inputs/.reduct/triage/{n}"))),
        );
    }
    assert_eq!(seen[0], seen[1]);
}

#[test]
fn killed_in_the_middle_it_goes_on() {
    let undisturbed = workshop();
    undisturbed.reduct(words(&["-j1"])).run().exits_with(0);
    let all = undisturbed.runs().len();
    let workshop = workshop();
    let mut running = workshop.reduct(words(&["-j1"])).start();
    assert!(workshop.wait_for_runs(all / 2, &mut running));
    running.kill();
    drop(running);
    workshop.expect_no_process();
    let before = workshop.runs().len();
    workshop.reduct(words(&["-j1"])).run().exits_with(0);
    assert_eq!(json(&workshop, "triage.json"), json(&undisturbed, "triage.json"));
    // What was done is not done again, but for what shows each input and what is left of it.
    let again = workshop.runs().len() - before;
    assert!(again < all - before + 2 * INPUTS.len() + 6, "{before} and then {again}; undisturbed {all}");
}

#[test]
fn as_they_are_and_with_nothing_that_fails() {
    let workshop = workshop();
    workshop.reduct(words(&["--no-reduce"])).run().exits_with(0).says("6 inputs fail in 2 ways");
    assert_eq!(workshop.runs().len(), INPUTS.len());
    let words = ["triage", "--scratch", "../scratch", "inputs", "--", "true"];
    workshop.reduct(words).run().exits_with(3).says("0 inputs fail");
    workshop.reduct(["triage", "inputs"]).run().exits_with(2).says("there is no test");
}

#[test]
fn no_more_tests_than_were_asked_for_reduce_an_input() {
    let workshop = workshop();
    let runs = |tests: &'static str| {
        workshop.forget_runs();
        let out = ["--out", tests, "--reduce-tests", tests, "--cross-tests", "0", "-j1"];
        workshop.reduct(words(&out)).run().exits_with(0);
        let _ = std::fs::remove_dir_all(workshop.path("inputs/.reduct"));
        workshop.runs().len()
    };
    let (one, five, all) = (runs("1"), runs("5"), runs("1000"));
    assert!(one < five && five < all, "{one} {five} {all}");
    // Six inputs fail. Reducing one asks four questions more, and what is smaller by them is run five times more at the end.
    assert!(five <= one + (4 + 5) * 6, "{one} {five}");
}
