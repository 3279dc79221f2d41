//! `--repeat` for reductions: tests that fail in every other run.

use crate::workshop::Workshop;

/// Exits with 1 and a message in every other run, if the word is there. Runs are counted in a file.
const EVERY_OTHER: &str = "echo run >>\"$LOG\"\nn=$(wc -l <\"$LOG\")\n\
    if grep -q needle input && [ $((n % 2)) = 0 ]; then echo 'assertion failed: a needle' >&2; exit 1; fi";

const INPUT: &str = "one\ntwo\nneedle\nthree\n";

fn workshop() -> Workshop {
    let workshop = Workshop::new();
    workshop.script("test.sh", EVERY_OTHER);
    workshop.write("input", INPUT);
    workshop
}

fn words(more: &[&'static str]) -> Vec<&'static str> {
    let first = ["-j1", "--by", "lines", "--repeat", "--scratch", "../scratch", "input"];
    [&first[..], more, &["--", "./test.sh"]].concat()
}

#[test]
fn a_flaky_failure_is_reduced_and_audited() {
    let workshop = workshop();
    let done = workshop.reduct(words(&[])).run().exits_with(0);
    assert_eq!(workshop.text("input.reduced"), "needle\n");
    let done = done.says("assertion failed").says("1-minimal in lines").says("Confidence: 99");
    drop(done.says("that nothing was overlooked").says("runs more: a share of").says("the floor is"));
    let checked = workshop.reduct(["verify"]).run().exits_with(0).says("is 1-minimal in lines");
    checked.says("Confidence: 99").says("runs more: a share of");
    workshop.reduct(["log"]).run().exits_with(0);
    workshop.reduct(["oracle", "--run", "."]).run().exits_with(2).says("now and then");
    // Somebody changes it so that more could go.
    workshop.write("input.reduced", "one\nneedle\n");
    workshop.reduct(["verify"]).run().exits_with(1).says("can be smaller");
}

#[test]
fn stopped_in_the_middle_it_goes_on_to_the_same() {
    let workshop = workshop();
    workshop.reduct(words(&["--tests", "2"])).run().exits_with(4).says("reduct resume");
    workshop.reduct(["resume"]).run().exits_with(0).says("1-minimal in lines").says("Confidence: 99");
    assert_eq!(workshop.text("input.reduced"), "needle\n");
    workshop.expect_no_scratch();
}

#[test]
fn what_shows_no_failure_of_its_own_is_refused() {
    let workshop = workshop();
    workshop.script("test.sh", "exit 1");
    workshop.reduct(words(&[])).run().exits_with(3).says("showed nothing that the empty one does not show");
    assert!(!workshop.exists("input.reduced"), "nothing was changed");
}
