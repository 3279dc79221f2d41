//! A journal that is cut, damaged or in use.

use crate::durable::{RESULT, TEST, counts, nothing_is_left, undisturbed, words, workshop};
use crate::workshop::{Events, Workshop};
use rustix::process::Signal;
use std::fs;
use std::path::PathBuf;

/// Runs to the end. Returns where the journal is, what it holds, and where its first record ends.
fn journal(workshop: &Workshop) -> (PathBuf, Vec<u8>, usize) {
    workshop.reduct(words("1")).run().exits_with(0);
    let journal = workshop.run_folder().join("journal");
    let whole = fs::read(&journal).unwrap();
    let head = whole.iter().position(|byte| *byte == b'\n').unwrap() + 1;
    (journal, whole, head)
}

#[test]
fn a_journal_that_is_cut_anywhere_goes_on() {
    let (result, tests) = undisturbed();
    let workshop = workshop();
    let (journal, whole, head) = journal(&workshop);
    // Spread over the journal, at no particular places.
    let cuts = (1..6).map(|n| head + (n * 7919 * 131) % (whole.len() - head)).chain([head, whole.len() - 1]);
    for cut in cuts {
        fs::write(&journal, &whole[..cut]).unwrap();
        fs::remove_file(workshop.path("input.reduced")).unwrap();
        workshop.reduct(["resume", "--events", "events"]).run().exits_with(0);
        assert_eq!(workshop.read("input.reduced"), result, "cut at {cut}");
        assert_eq!(Events::read(workshop.path("events")).tests(), tests, "cut at {cut}");
    }
    nothing_is_left(&workshop);
}

#[test]
fn a_run_that_was_killed_before_it_knew_its_failure_is_a_run_like_any_other() {
    let workshop = workshop();
    let (journal, whole, head) = journal(&workshop);
    fs::write(&journal, &whole[..head]).unwrap();
    workshop.reduct(["resume"]).run().exits_with(0);
    assert_eq!(workshop.text("input.reduced"), RESULT);
    workshop.reduct(["verify"]).run().exits_with(0);
    // What it found out is worth something to the next run, which may replace its result.
    workshop.forget_runs();
    workshop.reduct([words("1"), vec!["--reuse"]].concat()).run().exits_with(0);
    // The whole input once in a copy of the folder, as the test is a script that stands there, and twice bare; the empty one;
    // and the result five times.
    assert_eq!(counts(&workshop.runs()).values().sum::<usize>(), 9);
}

#[test]
fn a_journal_with_a_wrong_byte_is_used_up_to_there() {
    let (result, tests) = undisturbed();
    let workshop = workshop();
    let (journal, whole, head) = journal(&workshop);
    for at in [head + 3, whole.len() / 2, whole.len() - 3] {
        let mut wrong = whole.clone();
        wrong[at] ^= 0x10;
        fs::write(&journal, wrong).unwrap();
        workshop.reduct(["resume", "--events", "events"]).run().exits_with(0);
        assert_eq!(workshop.read("input.reduced"), result, "wrong at {at}");
        assert_eq!(Events::read(workshop.path("events")).tests(), tests, "wrong at {at}");
    }
}

#[test]
fn a_journal_without_its_first_record_is_refused() {
    let workshop = workshop();
    workshop.reduct(words("1")).run().exits_with(0);
    let before = workshop.read("input.reduced");
    for text in ["", "not a journal\n", "{\"t\":\"resumed\"}\n"] {
        fs::write(workshop.run_folder().join("journal"), text).unwrap();
        for command in ["resume", "verify", "log"] {
            // An empty one is of a run that was killed before it wrote anything: no run at all.
            let says = if text.is_empty() { "there is no run" } else { "journal" };
            workshop.reduct([command]).run().exits_with(2).says(says).does_not_say("panicked");
        }
    }
    assert_eq!(workshop.read("input.reduced"), before);
}

#[test]
fn two_processes_do_not_work_on_one_run() {
    let workshop = workshop();
    let hang = "[ \"$(wc -l <\"$LOG\")\" -lt 20 ] || [ -e \"$WORKSHOP/go\" ] || sleep 1000";
    workshop.script("test.sh", &TEST.replace("result=$?", &format!("result=$?\n{hang}")));
    let mut first = workshop.reduct(words("1")).start();
    assert!(workshop.wait_for_runs(20, &mut first));
    let journal = fs::read(workshop.run_folder().join("journal")).unwrap();
    workshop.reduct(["resume"]).run().exits_with(2).says("another process");
    assert!(fs::read(workshop.run_folder().join("journal")).unwrap().starts_with(&journal), "it is left alone");
    first.process().kill(Signal::INT);
    first.wait().exits_with(130);
    fs::write(workshop.beside("go"), "").unwrap();
    workshop.reduct(["resume"]).run().exits_with(0);
    assert_eq!(workshop.text("input.reduced"), RESULT);
}
