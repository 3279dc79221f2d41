//! A run survives whatever happens to it, and ends where it would have ended.

use crate::workshop::{Events, Workshop, files_below, listed};
use rustix::process::Signal;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::PathBuf;
use std::sync::LazyLock;

/// 60 lines; what matters is in four of them.
fn story() -> String {
    let line = |n: usize| match n {
        7 => "alpha one two\n".to_owned(),
        22 => "  beta(three, [four])\n".to_owned(),
        23 => "gamma;\n".to_owned(),
        51 => "x delta y\n".to_owned(),
        _ => format!("line {n} (says [nothing], \"really\") at all;\n"),
    };
    (0..60).map(line).collect()
}

pub(crate) const RESULT: &str = "alphabeta(gammadelta";

/// The four words must be there in this order. Each run logs which candidate it saw, whether it ended.
pub(crate) const TEST: &str = "\
sum=$(cksum <input)
echo \"begin $sum\" >>\"$LOG\"
awk '{ all = all $0 } END { exit all !~ /alpha.*beta\\(.*gamma.*delta/ }' input
result=$?
echo \"end $sum\" >>\"$LOG\"
exit $result";

const SEARCH: [&str; 5] = ["--events", "events", "--scratch", "../scratch", "./test.sh"];

pub(crate) fn workshop() -> Workshop {
    let workshop = Workshop::new();
    workshop.write("input", story());
    workshop.script("test.sh", TEST);
    workshop
}

pub(crate) fn words(jobs: &str) -> Vec<&str> {
    [&["-j", jobs][..], &SEARCH, &["input"]].concat()
}

/// The result of a run, and its tests.
type Seen = (Vec<u8>, Vec<(u64, String)>);

/// What is seen of a run that nobody disturbs.
pub(crate) fn undisturbed() -> Seen {
    static RUN: LazyLock<Seen> = LazyLock::new(|| {
        let workshop = workshop();
        workshop.reduct(words("1")).run().exits_with(0);
        (workshop.read("input.reduced"), Events::read(workshop.path("events")).tests())
    });
    RUN.clone()
}

/// How often each candidate was run.
pub(crate) fn counts(runs: &[String]) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for sum in runs.iter().filter_map(|line| line.strip_prefix("begin ")) {
        *counts.entry(sum).or_default() += 1;
    }
    counts
}

/// That nothing is left but the run's folder and the result.
pub(crate) fn nothing_is_left(workshop: &Workshop) {
    workshop.expect_no_process();
    workshop.expect_no_scratch();
    let mut names = workshop.names();
    names.retain(|name| name != "events");
    assert_eq!(names, ["input", "input.reduced", "test.sh"]);
    let run = listed(&workshop.run_folder());
    assert!(run.iter().all(|name| ["input", "journal", "others"].contains(&name.as_str())), "{run:?}");
    assert_eq!(listed(&workshop.path(".reduct")).len(), 2, "the run, and what hides it from git");
}

#[test]
fn the_words_are_what_is_left() {
    let (result, tests) = undisturbed();
    assert_eq!(String::from_utf8_lossy(&result), RESULT);
    assert!(tests.len() > 40, "a search worth being disturbed: {}", tests.len());
}

#[test]
fn after_kill_9_a_run_goes_on_and_repeats_nothing() {
    let (result, tests) = undisturbed();
    // At the end the result is run six times: it must get through that between two kills.
    for after in [8, 20, 60] {
        let workshop = workshop();
        let mut kills = 0;
        let mut running = workshop.reduct(words("1")).start();
        // Each start gets as far again, until one comes to its end.
        while workshop.wait_for_runs(2 * after * (kills + 1), &mut running) {
            running.kill();
            let status = running.wait().status;
            // It may have come to its end before the signal came.
            assert!([-9, 0].contains(&status), "{status}");
            workshop.expect_no_process();
            workshop.expect_no_scratch();
            kills += 1;
            running = workshop.reduct(["resume"]).start();
        }
        running.wait().exits_with(0);
        assert!(kills > 0 || after == 60, "it was disturbed");
        assert_eq!(workshop.read("input.reduced"), result, "after {after}");
        assert_eq!(workshop.logged(), tests, "after {after}");
        let runs = workshop.runs();
        let counts = counts(&runs);
        let again: usize = counts.values().map(|count| count - 1).sum();
        // The whole input a second time; the result five times more, and as often again if that was killed; and what was
        // under way at a kill.
        assert!(again <= 11 + kills, "after {after}: {again} runs again after {kills} kills");
        nothing_is_left(&workshop);
    }
}

#[test]
fn after_kill_9_with_many_jobs_a_run_goes_on() {
    let (result, tests) = undisturbed();
    for (jobs, after) in [("2", 10), ("7", 30)] {
        let workshop = workshop();
        let mut running = workshop.reduct(words(jobs)).start();
        let mut kills = 0;
        while kills < 4 && workshop.wait_for_runs(2 * after * (kills + 1), &mut running) {
            running.kill();
            assert_eq!(running.wait().status, -9);
            kills += 1;
            running = workshop.reduct(["resume"]).start();
        }
        running.wait().exits_with(0);
        assert_eq!(workshop.read("input.reduced"), result, "-j {jobs}");
        assert_eq!(workshop.logged(), tests, "-j {jobs}");
        nothing_is_left(&workshop);
    }
}

#[test]
fn after_an_interrupt_a_run_goes_on_and_repeats_nothing() {
    let (result, tests) = undisturbed();
    let workshop = workshop();
    let mut running = workshop.reduct(words("1")).start();
    let mut stops = 0;
    while workshop.wait_for_runs(24 * (stops + 1), &mut running) {
        running.process().kill(Signal::INT);
        let done = running.wait();
        stops += 1;
        if done.status == 0 {
            break;
        }
        done.exits_with(130);
        assert!(workshop.text("input.reduced").contains("alpha"));
        running = workshop.reduct(["resume"]).start();
    }
    workshop.reduct(["resume"]).run().exits_with(0);
    assert_eq!(workshop.read("input.reduced"), result);
    assert_eq!(workshop.logged(), tests);
    let runs = workshop.runs();
    let again: usize = counts(&runs).values().map(|count| count - 1).sum();
    // As after a kill.
    assert!(again <= 10 + stops, "{again} runs again after {stops} interrupts");
}

#[test]
fn stopping_after_a_few_tests_again_and_again_ends_at_the_same() {
    let (result, _) = undisturbed();
    let workshop = workshop();
    let mut words = words("1");
    words.extend(["--tests", "7"]);
    workshop.reduct(words).run().exits_with(4);
    for tests in (14..).step_by(25) {
        let done = workshop.reduct(["resume", "--tests", &tests.to_string()]).run();
        if done.status == 0 {
            break;
        }
        done.exits_with(4);
        assert!(tests < 2000, "it comes to an end");
    }
    assert_eq!(workshop.read("input.reduced"), result);
    // Each stop runs what is on disk again, to be able to say that it fails.
    let runs = workshop.runs();
    assert!(counts(&runs).len() > 40);
    nothing_is_left(&workshop);
}

#[test]
fn any_number_of_jobs_gives_the_same() {
    let (result, tests) = undisturbed();
    for jobs in ["2", "16"] {
        let workshop = workshop();
        workshop.reduct(words(jobs)).run().exits_with(0);
        assert_eq!(workshop.read("input.reduced"), result, "-j {jobs}");
        assert_eq!(Events::read(workshop.path("events")).tests(), tests, "-j {jobs}");
    }
}

/// Questions that do not depend on each other are run ahead, and those of all tests are among them.
#[test]
fn any_number_of_jobs_gives_the_same_with_waves() {
    let run = |jobs: &str| {
        let workshop = workshop();
        let words = [&["--search", "waves", "--by", "lines"], &words(jobs)[..]].concat();
        workshop.reduct(words).run().exits_with(0);
        let runs: BTreeSet<String> = workshop.runs().into_iter().filter(|run| run.starts_with("begin")).collect();
        (workshop.read("input.reduced"), Events::read(workshop.path("events")).tests(), runs)
    };
    let (result, tests, runs) = run("1");
    let (again, the_same, more_runs) = run("4");
    assert_eq!(again, result);
    assert_eq!(the_same, tests);
    assert!(runs.is_subset(&more_runs));
}

#[test]
fn tests_that_take_a_different_time_each_give_the_same() {
    let (result, tests) = undisturbed();
    let workshop = workshop();
    workshop.script("test.sh", &format!("sleep 0.0$(($(cksum <input | cut -c1-3) % 7))\n{TEST}"));
    workshop.reduct(words("7")).run().exits_with(0);
    assert_eq!(workshop.read("input.reduced"), result);
    assert_eq!(Events::read(workshop.path("events")).tests(), tests);
}

#[test]
fn a_supervisor_that_is_killed_changes_nothing() {
    let (result, tests) = undisturbed();
    for jobs in ["1", "3"] {
        let workshop = workshop();
        // The parent of a test is its supervisor.
        let body = "case $(wc -l <\"$LOG\") in 2[0-3]|4[0-3]) kill -9 $PPID; sleep 1000;; esac";
        workshop.script("test.sh", &TEST.replace("result=$?", &format!("result=$?\n{body}")));
        // One that is confined cannot send it a signal.
        workshop.reduct(["--unconfined"].into_iter().chain(words(jobs))).run().exits_with(0);
        assert!(workshop.runs().len() > 44, "some were killed");
        assert_eq!(workshop.read("input.reduced"), result, "-j {jobs}");
        assert_eq!(Events::read(workshop.path("events")).tests(), tests, "-j {jobs}");
        nothing_is_left(&workshop);
    }
}

#[test]
fn a_run_in_place_that_is_killed_goes_on_with_the_original() {
    let workshop = workshop();
    let words = [words("1"), vec!["--in-place", "--by", "lines"]].concat();
    let mut running = workshop.reduct(words).start();
    assert!(workshop.wait_for_runs(2 * 12, &mut running));
    running.kill();
    running.wait();
    assert_eq!(workshop.text("input.orig"), story());
    workshop.reduct(["resume"]).run().exits_with(0);
    assert_eq!(workshop.text("input").lines().count(), 4);
    assert_eq!(workshop.text("input.orig"), story());
}

#[test]
fn a_folder_that_is_killed_goes_on() {
    let workshop = Workshop::new();
    for n in 0..20 {
        workshop.write(format!("project/{n}.c"), format!("int f{n};\nint g{n};\n"));
    }
    workshop.script("test.sh", "echo >>\"$LOG\"; cat project/*.c | grep -q f7 && cat project/*.c | grep -q g13");
    let words = ["-j1", "--events", "events", "./test.sh", "project"];
    workshop.reduct(words).run().exits_with(0);
    let result = files_below(&workshop.path("project.reduced"));
    let expected = [("13.c", "g13"), ("7.c", "f7")].map(|(name, text)| (PathBuf::from(name), text.as_bytes().to_vec()));
    assert_eq!(result, BTreeMap::from(expected));
    for after in [6, 15] {
        fs::remove_dir_all(workshop.path(".reduct")).unwrap();
        fs::remove_dir_all(workshop.path("project.reduced")).unwrap();
        workshop.forget_runs();
        let mut running = workshop.reduct(words).start();
        assert!(workshop.wait_for_runs(after, &mut running));
        running.kill();
        running.wait();
        workshop.reduct(["resume"]).run().exits_with(0);
        assert_eq!(files_below(&workshop.path("project.reduced")), result);
        workshop.expect_no_process();
    }
}
