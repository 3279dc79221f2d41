//! What is printed of a run, and the lines of its events, as they were accepted: beside the tests that look for one
//! sentence each, this is what a user sees of it all.
//!
//! Times, counts of runs and the name of the folder are masked, and lines that come with time are left out (`guide.rs`).

use crate::guide::printed;
use crate::help::is_as_expected;
use crate::workshop::Workshop;

/// Runs these commands one after the other in one folder, and compares what they print with what was accepted.
fn prints(workshop: &Workshop, name: &str, commands: &[&str]) {
    let mut text = String::new();
    for command in commands {
        let lines = printed(workshop, &format!("{command}; echo \"exit status $?\""));
        text += &format!("$ {command}\n{}\n\n", lines.join("\n"));
    }
    is_as_expected(&format!("messages/{name}.txt"), &format!("{}\n", text.trim_end()));
}

/// A file of which one word matters, and a program that dies of it.
fn with_a_needle() -> Workshop {
    let workshop = Workshop::new();
    workshop.write("input", "one\ntwo (three, four)\nfive needle six\nseven\n");
    workshop.script("p", "grep -q needle \"$1\" && { echo 'fatal: a needle' >&2; exit 3; }\nexit 0");
    workshop
}

#[test]
fn of_a_reduction_and_what_follows_it() {
    let commands = [
        "reduct -j1 input -- ./p {}",
        "reduct verify",
        "reduct resume",
        "reduct explain",
        "reduct -j1 --force --tests 3 -q input -- ./p {}",
        "printf 'seven\\n' >input.reduced; reduct verify",
    ];
    prints(&with_a_needle(), "reduce", &commands);
}

#[test]
fn of_a_difference_and_of_all_minima() {
    let workshop = with_a_needle();
    workshop.write("good", "one\ntwo (three, four)\nfive pins six\nseven\n");
    workshop.write("both", "a\nneedle 1\nb\nneedle 2\n");
    let commands = [
        "reduct isolate -j1 good input -- ./p {}",
        "reduct verify",
        "reduct minima -j1 both -- ./p {}",
        "reduct verify",
    ];
    prints(&workshop, "isolate-minima", &commands);
}

#[test]
fn of_changes_to_blame() {
    let workshop = Workshop::new();
    workshop.write("old/file", "one\ntwo\nthree\nfour\n");
    workshop.write("new/file", "one\nTWO\nthree\nneedle\nfour\n");
    let commands = ["reduct changes -j1 old new -c '! grep -q needle file'", "reduct verify"];
    prints(&workshop, "changes", &commands);
}

#[test]
fn of_a_session_of_fuzzing() {
    let workshop = Workshop::new();
    workshop.script("q", "grep -q '[0-9]' && kill -SEGV $$\nexit 0");
    prints(&workshop, "fuzz", &["reduct fuzz -j1 --no-backtrace --findings 1 --tests 200 -q -- ./q"]);
}

#[test]
fn of_a_triage() {
    let workshop = with_a_needle();
    workshop.write("inputs/a", "a needle\nb\n");
    workshop.write("inputs/b", "c\nno needle\n");
    workshop.write("inputs/fine", "one\n");
    let commands = [
        "reduct triage -j1 --scratch ../scratch inputs -- ./p {}",
        "reduct triage -j1 --scratch ../scratch --why a b inputs -- ./p {}",
    ];
    prints(&workshop, "triage", &commands);
}

#[test]
fn of_what_is_refused() {
    let workshop = with_a_needle();
    workshop.write("empty", "");
    let commands = [
        "reduct input",
        "reduct -j1 isolate input -- ./p {}",
        "reduct verfy",
        "reduct empty -- ./p {}",
        "reduct nothing -- ./p {}",
        "reduct input -- ./nothing {}",
        "reduct input --colour never -- ./p {}",
        "reduct input --not-c -- ./p {}",
        "reduct triage --tests 3 . -- ./p {}",
        "reduct input -j1 -- true",
        "reduct verify",
    ];
    prints(&workshop, "refused", &commands);
}

/// The lines of events, with times masked, and how often there was time to run the result again.
#[test]
fn of_the_events_of_a_run() {
    let workshop = with_a_needle();
    let words = ["-j1", "--by", "lines", "--timeout", "10s", "--events", "e", "input", "--", "./p", "{}"];
    workshop.reduct(words).run().exits_with(0);
    let text: String = workshop.text("e").lines().map(|line| masked(line) + "\n").collect();
    is_as_expected("messages/events.jsonl", &text);
}

/// A line without how long something took, and how often (from two to five times) there was time to run the result again.
fn masked(line: &str) -> String {
    let Some((before, rest)) = line.split_once("\"ms\":") else { return line.to_owned() };
    let rest = rest.trim_start_matches(|c: char| c.is_ascii_digit());
    let all = ["2", "3", "4", "5"].map(|runs| format!("\"again\":{{\"runs\":{runs},\"failed\":{runs}}}"));
    let rest = all.iter().fold(rest.to_owned(), |rest, again| rest.replace(again, "\"again\":ALL"));
    format!("{before}\"ms\":0{rest}")
}
