//! What a run takes from earlier runs of the same test.

use crate::durable::{RESULT, TEST, counts, words, workshop};
use crate::workshop::{Events, Workshop};

#[test]
fn a_second_run_of_the_same_test_with_reuse_runs_almost_nothing() {
    let workshop = workshop();
    workshop.reduct(words("1")).run().exits_with(0);
    let tests = Events::read(workshop.path("events")).tests();
    workshop.forget_runs();
    workshop.reduct([words("1"), vec!["--reuse"]].concat()).run().exits_with(0);
    let runs = workshop.runs();
    // The whole once in a copy of the folder and twice bare, the empty once, the result five times at the end.
    assert_eq!(counts(&runs).values().sum::<usize>(), 9, "{runs:?}");
    assert_eq!(Events::read(workshop.path("events")).tests(), tests);
    assert_eq!(workshop.text("input.reduced"), RESULT);
}

#[test]
fn what_a_changed_script_would_say_is_not_known() {
    let workshop = workshop();
    workshop.reduct(words("1")).run().exits_with(0);
    let first = workshop.runs().len();
    for (what, option) in [("a changed script", "--reuse"), ("--no-cache", "--no-cache")] {
        workshop.forget_runs();
        workshop.script("test.sh", &format!("{TEST}\n# {what}"));
        workshop.reduct([words("1"), vec![option]].concat()).run().exits_with(0);
        assert!(workshop.runs().len() >= first, "{what}: {} runs", workshop.runs().len());
    }
}

#[test]
fn with_no_cache_a_second_run_runs_all_again_also_when_resumed() {
    let workshop = workshop();
    let words = [words("1"), vec!["--no-cache"]].concat();
    workshop.reduct(&words).run().exits_with(0);
    let (first, tests) = (workshop.runs().len(), Events::read(workshop.path("events")).tests());
    workshop.forget_runs();
    workshop.reduct(&words).run().exits_with(0);
    assert_eq!(workshop.runs().len(), first);
    workshop.forget_runs();
    let mut running = workshop.reduct(&words).start();
    assert!(workshop.wait_for_runs(30, &mut running));
    running.kill();
    running.wait();
    workshop.reduct(["resume", "--events", "events"]).run().exits_with(0);
    assert_eq!(Events::read(workshop.path("events")).tests(), tests);
    assert_eq!(workshop.text("input.reduced"), RESULT);
    let resumed = workshop.runs().len();
    assert!(resumed <= first + 2, "what is known is not run again: {resumed} lines, {first} undisturbed");
}

/// What the test itself writes is no part of it, however often its line says so.
#[test]
fn what_a_line_writes_does_not_make_it_another_test() {
    let workshop = Workshop::new();
    workshop.write("input", "one\ntwo\nneedle\nthree\nfour\n");
    let made = workshop.beside("made").display().to_string();
    let line =
        format!("cp input '{made}.c'; cat input >{made}; chmod +x {made}; test -x {made} && grep -q needle {made}");
    let words = ["--scratch", "../scratch", "--by", "lines", "--tests", "2", "-j1", "input", "-c", &line];
    workshop.reduct(words).run().exits_with(4);
    workshop.reduct(["resume"]).run().exits_with(0);
    assert_eq!(workshop.text("input.reduced"), "needle\n");
}
