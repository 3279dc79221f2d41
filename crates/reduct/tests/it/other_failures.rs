//! Traps of other reducers (`traps.rs`): what is another failure than the one that is looked for, or none.

use crate::traps::{SAYS_ANOTHER_THING_EVERY_TIME, with_needle};
use crate::workshop::{Events, PAGE, Workshop, files_below, listed};

#[test]
fn trap_01_an_oracle_that_kills_itself_is_never_interesting() {
    let workshop = with_needle("grep -q needle input || kill -9 $$");
    workshop.reduct("--by lines -j1 --events events ./test.sh input".split(' ')).run().exits_with(0);
    assert_eq!(workshop.text("input.reduced"), "needle\n");
    let tests = Events::read(workshop.path("events")).tests();
    assert!(tests.iter().any(|(_, outcome)| outcome == "unresolved"), "{tests:?}");
    assert!(tests.iter().all(|(size, outcome)| *size == 0 || outcome != "pass"), "{tests:?}");
}

#[test]
fn trap_22_what_cannot_be_told_of_the_empty_input_is_not_a_pass() {
    let workshop = with_needle("grep -q needle input || kill -9 $$");
    workshop.reduct("--by lines -j1 --events events ./test.sh input".split(' ')).run().exits_with(0);
    let events = Events::read(workshop.path("events"));
    assert_eq!(events.of("preflight")[2]["outcome"], "unresolved");
    let told = events.tests();
    let empty: Vec<_> = told.iter().filter(|(size, _)| *size == 0).collect();
    assert!(!empty.is_empty() && empty.iter().all(|(_, outcome)| outcome == "unresolved"), "{told:?}");
}

#[test]
fn trap_01_a_script_that_dies_on_the_whole_input_is_refused() {
    let workshop = with_needle("kill -9 $$");
    workshop.reduct(["./test.sh", "input"]).run().exits_with(3).says("death by SIGKILL");
    assert_eq!(workshop.names(), ["input", "test.sh"]);
}

#[test]
fn trap_15_what_is_kept_beside_the_result_is_bounded() {
    let workshop = with_needle(SAYS_ANOTHER_THING_EVERY_TIME);
    workshop.reduct("--by chars --search ddmin -j1 input -- ./test.sh".split(' ')).run().exits_with(0);
    assert_eq!(workshop.text("input.reduced"), "needle");
    let others = workshop.run_folder().join("others");
    let kept = listed(&others).len();
    assert!((1..=100).contains(&kept), "{kept}");
    let bytes: usize = files_below(&others).values().map(Vec::len).sum();
    assert!(bytes < 100 * (workshop.read("input").len() + 200), "{bytes}");
}

#[test]
fn trap_15_the_same_other_failure_is_not_told_again_and_again() {
    let workshop = Workshop::new();
    workshop.write("page.html", PAGE);
    workshop.script(
        "parse",
        "grep -q '<SELECT[^>]*>' \"$1\" && { echo 'error: in question' >&2; exit 1; }
         [ -s \"$1\" ] || exit 0
         echo 'error: quite another one' >&2; exit 1",
    );
    let words = "--by chars --search ddmin -j1 --events events page.html -- ./parse {}";
    let done = workshop.reduct(words.split(' ')).run().exits_with(0);
    let met = Events::read(workshop.path("events")).tests().iter().filter(|(_, said)| said == "unresolved").count();
    assert!(met > 30, "{met}");
    // Each time a smaller input shows it would be often enough.
    let told = done.stderr.lines().filter(|line| line.contains("quite another one")).count();
    assert!((1..=12).contains(&told), "{told} lines: {}", done.stderr);
}

#[test]
fn trap_22_a_script_that_dies_by_a_signal_is_no_end() {
    let workshop = with_needle(
        "grep -q needle input && exit 0
         case $(($(wc -c <input) % 4)) in 0) kill -SEGV $$;; 1) kill -ABRT $$;; esac
         exit 1",
    );
    workshop.reduct(["--events", "events", "./test.sh", "input"]).run().exits_with(0);
    assert_eq!(workshop.text("input.reduced"), "needle");
    let tests = Events::read(workshop.path("events")).tests();
    assert!(["unresolved", "pass", "fail"].iter().all(|one| tests.iter().any(|(_, outcome)| outcome == one)));
}

#[test]
fn trap_25_a_test_that_accepts_everything_says_nothing() {
    for test in ["true", "exit 0", ": >input"] {
        let workshop = with_needle(test);
        let done = workshop.reduct(["./test.sh", "input"]).run().exits_with(2);
        done.says("the failure occurs on an empty input too").says("--fails-if");
        assert_eq!(workshop.runs().len(), 3, "the whole twice, the empty once; there is no more to a project");
        assert_eq!(workshop.names(), ["input", "test.sh"]);
        assert!(!workshop.exists(".reduct"));
    }
}

#[test]
fn trap_25_a_command_that_exits_with_0_whatever_happens_says_nothing() {
    let workshop = with_needle("exit 0");
    for command in ["true", "./test.sh"] {
        let done = workshop.reduct(["input", "--", command]).run().exits_with(2);
        done.says("the failure occurs on an empty input too").says("the command does not name the input");
    }
}

/// Checks that a find was kept with this input, and named at the end.
fn finds(workshop: &Workshop, stderr: &str, words: &str, input: &str) {
    let others = workshop.run_folder().join("others");
    let all = files_below(&others);
    let signatures: Vec<_> = all
        .iter()
        .filter(|(path, text)| path.ends_with("signature.txt") && String::from_utf8_lossy(text).contains(words))
        .collect();
    let [(path, _)] = signatures[..] else { panic!("{all:?}") };
    let place = path.with_file_name("input").join("input");
    assert_eq!(String::from_utf8_lossy(&all[&place]), input);
    let end = stderr.lines().rev().take(4).any(|line| line.contains("Another failure was met") && line.contains(words));
    assert!(end, "{stderr}");
}

#[test]
fn trap_27_another_message_is_not_the_failure() {
    let workshop = Workshop::new();
    workshop.write("input", "x\nalpha\ny\nbeta\nz\n");
    workshop.script(
        "parse",
        "grep -q beta \"$1\" || exit 0
         grep -q alpha \"$1\" && { echo 'error: tree is not balanced' >&2; exit 1; }
         echo 'error: list is empty' >&2; exit 1",
    );
    let done = workshop.reduct("--by lines -j1 input -- ./parse {}".split(' ')).run().exits_with(0);
    assert_eq!(workshop.text("input.reduced"), "alpha\nbeta\n");
    finds(&workshop, &done.stderr, "list is empty", "beta\n");
}

#[test]
fn trap_27_another_signal_is_not_the_failure() {
    let workshop = Workshop::new();
    workshop.write("input", "x\nalpha\ny\nbeta\nz\n");
    workshop.script(
        "parse",
        "grep -q beta \"$1\" || exit 0
         grep -q alpha \"$1\" && kill -SEGV $$
         kill -ABRT $$",
    );
    let done = workshop.reduct("--by lines -j1 input -- ./parse {}".split(' ')).run().exits_with(0);
    assert_eq!(workshop.text("input.reduced"), "alpha\nbeta\n");
    finds(&workshop, &done.stderr, "SIGABRT", "beta\n");
}

#[test]
fn trap_27_another_status_is_not_the_failure() {
    let workshop = Workshop::new();
    workshop.write("page.html", PAGE);
    // 3 is in question; 4 is something else that occurs on anything shorter but not on nothing.
    workshop.script("parse", "grep -q '<SELECT[^>]*>' \"$1\" && exit 3; [ -s \"$1\" ] && exit 4; exit 0");
    let words = "--by chars --search ddmin -j1 --events events page.html -- ./parse {}";
    workshop.reduct(words.split(' ')).run().exits_with(0);
    assert_eq!(workshop.text("page.reduced.html"), "<SELECT>");
    assert_eq!(Events::read(workshop.path("events")).tests().len(), 48);
}
