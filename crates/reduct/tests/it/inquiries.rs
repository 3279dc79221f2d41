//! Runs of `state` and `schedule` survive whatever happens to them, and can be looked at later.

use crate::schedule::BANK;
use crate::workshop::{Call, Done, Events, Workshop, listed};
use rustix::process::Signal;
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;

/// A chain of values.
const CHAIN: &str = "\
import sys
a = int(open(sys.argv[1]).read())
b = a
c = b
d = c
assert d != 5
";

pub(crate) fn confined<'a>(workshop: &'a Workshop, words: &[&str]) -> Call<'a> {
    workshop.reduct(words).env("REDUCT_CONFINE", "auto").env("REDUCT_ALLOW_WRITE", "")
}

pub(crate) fn bank() -> Workshop {
    let workshop = Workshop::new();
    workshop.write("bank.c", BANK);
    workshop.call("cc", ["-g", "-O0", "-pthread", "bank.c", "-o", "bank"]).run().exits_with(0);
    workshop
}

pub(crate) fn chain() -> Workshop {
    let workshop = Workshop::new();
    workshop.write("chain.py", CHAIN);
    workshop.write("good", "4\n");
    workshop.write("bad", "5\n");
    workshop
}

const SCHEDULE: [&str; 3] = ["schedule", "--events", "events"];
const STATE: [&str; 5] = ["state", "--events", "events", "good", "bad"];
pub(crate) const PYTHON: [&str; 4] = ["--", "python3", "chain.py", "{}"];

/// How often the journal has each outcome.
fn outcomes(workshop: &Workshop) -> BTreeMap<String, usize> {
    let text = fs::read_to_string(workshop.run_folder().join("journal")).unwrap_or_default();
    let mut counts = BTreeMap::new();
    for line in text.lines() {
        let record: Value = serde_json::from_str(line.split('\t').next().unwrap()).unwrap();
        if record["t"] == "outcome" {
            *counts.entry(record["k"].to_string()).or_default() += 1;
        }
    }
    counts
}

#[test]
fn any_number_of_jobs_asks_the_same_and_finds_the_same() {
    let of = |jobs: &str| {
        let workshop = bank();
        confined(&workshop, &[&SCHEDULE[..], &["-j", jobs, "--", "./bank"]].concat()).run().exits_with(0);
        let found = workshop.text("bank.schedule.txt").replace(&*workshop.path("").to_string_lossy(), "");
        (found, Events::read(workshop.path("events")).tests())
    };
    let alone = of("1");
    assert!(alone.1.len() > 20, "{}", alone.1.len());
    assert_eq!(of("3"), alone);
    let of = |jobs: &str| {
        let workshop = chain();
        confined(&workshop, &[&STATE[..], &["-j", jobs], &PYTHON].concat()).run().exits_with(0);
        (workshop.text("bad.state/list.txt"), Events::read(workshop.path("events")).tests())
    };
    assert_eq!(of("3"), of("1"));
}

#[test]
fn a_schedule_that_is_killed_goes_on_and_repeats_nothing() {
    let whole = bank();
    confined(&whole, &["schedule", "--", "./bank"]).run().exits_with(0);
    let all = outcomes(&whole);
    let workshop = bank();
    let mut running = confined(&workshop, &["schedule", "-j", "1", "--", "./bank"]).start();
    // After some tests, or the end if it is faster.
    while !running.is_over() && outcomes_so_far(&workshop) < 12 {
        crate::workshop::pause();
    }
    running.kill();
    running.wait();
    confined(&workshop, &["resume"]).run().exits_with(0);
    let again = outcomes(&workshop);
    assert!(again.values().all(|times| *times == 1), "{again:?}");
    assert!(again.len() <= all.len() + 8, "{} {}", again.len(), all.len());
    assert_eq!(workshop.text("bank.schedule.txt").lines().count(), 2);
    confined(&workshop, &["resume"]).run().exits_with(0).says("done already");
    confined(&workshop, &["verify"])
        .run()
        .exits_with(0)
        .says("fails in 10 of 10 runs, and with any one switch left out");
    let log = workshop.reduct(["log"]).run().exits_with(0);
    assert!(log.stdout.contains("T1#6") && log.stdout.contains('✗'), "{}", log.stdout);
    // Another program is none of which anything is known.
    let stopped = bank();
    confined(&stopped, &["schedule", "--tests", "3", "--seed", "7", "--", "./bank"])
        .run()
        .exits_with(4)
        .says("To go on: reduct resume .reduct/");
    stopped.write("bank.c", BANK.replace("60", "70"));
    stopped.call("cc", ["-g", "-pthread", "bank.c", "-o", "bank"]).run().exits_with(0);
    confined(&stopped, &["resume"]).run().exits_with(2).says("relies on").says("bank");
}

#[test]
fn a_result_that_is_run_again_survives_an_interrupt() {
    let workshop = bank();
    // It is replaced, as it was asked for at the beginning.
    workshop.write("bank.schedule.txt", "precious\n");
    let words = ["schedule", "--force", "--tests", "3", "--seed", "7", "--", "./bank"];
    confined(&workshop, &words).run().exits_with(4);
    assert_eq!(workshop.text("bank.schedule.txt"), "precious\n");
    let mut running = confined(&workshop, &["resume", "-j", "1"]).start();
    running.wait_for("Running the result 100 times more.");
    running.process().kill(Signal::INT);
    let done = running.wait().exits_with(130);
    done.says("the schedule so far, which fails, has 1 switch and is in bank.schedule.txt").says("To go on: ");
    let schedule = workshop.text("bank.schedule.txt");
    assert_eq!(schedule.lines().count(), 2, "{schedule}");
    // What was said when the run was stopped before, that nothing fails, holds no more.
    let report: Value = serde_json::from_str(&workshop.reduct(["report", "--json"]).run().stdout).unwrap();
    assert!(report["answer"].is_null(), "{}", report["answer"]);
    let markdown = workshop.reduct(["report", "--markdown"]).run().exits_with(0).stdout;
    assert!(markdown.contains("The thread switches with which it fails"), "{markdown}");
    confined(&workshop, &["resume"]).run().exits_with(0);
    let places = |text: &str| text.split(" at ").next().map(str::to_owned);
    assert_eq!(places(&workshop.text("bank.schedule.txt")), places(&schedule));
}

fn outcomes_so_far(workshop: &Workshop) -> usize {
    let text = fs::read_dir(workshop.path(".reduct")).into_iter().flatten().flatten();
    let journal = text.map(|entry| entry.path().join("journal")).find(|path| path.is_file());
    journal.and_then(|path| fs::read_to_string(path).ok()).map_or(0, |text| text.lines().count())
}

#[test]
fn a_comparison_of_values_that_is_stopped_goes_on() {
    let whole = chain();
    confined(&whole, &[&STATE[..], &PYTHON].concat()).run().exits_with(0);
    let workshop = chain();
    confined(&workshop, &[&STATE[..], &["--tests", "5"], &PYTHON].concat()).run().exits_with(4).says("To go on: ");
    confined(&workshop, &["resume", "--events", "events"]).run().exits_with(0);
    assert_eq!(workshop.text("bad.state/list.txt"), whole.text("bad.state/list.txt"));
    assert_eq!(Events::read(workshop.path("events")).tests(), Events::read(whole.path("events")).tests());
    assert!(outcomes(&workshop).values().all(|times| *times == 1));
    confined(&workshop, &["verify"]).run().exits_with(0).says("4 changes): with each the program passes");
    let log = workshop.reduct(["log"]).run().exits_with(0);
    assert!(log.stdout.contains("a = 4") && log.stdout.contains("d = 4"), "{}", log.stdout);
    // A change that does nothing is not what the run claims.
    let change = workshop.text("bad.state/02.txt");
    workshop.write("bad.state/02.txt", change.replace("= 4", "= 5"));
    confined(&workshop, &["verify"]).run().exits_with(1).says("with 02.txt the program does not pass");
}

#[test]
fn what_stands_at_the_place_of_the_changes_is_kept() {
    let workshop = chain();
    let run = |words: &[&str]| confined(&workshop, &[&["state", "good", "bad"], words, &PYTHON].concat()).run();
    run(&[]).exits_with(0).does_not_say("is kept");
    let whole = workshop.text("bad.state/list.txt");
    // A part does not replace the whole of an earlier run, but the part that the same run has written; and the whole replaces that.
    run(&["--tests", "5", "--force"])
        .exits_with(4)
        .says("What stood at bad.state is kept: it is now .reduct/0002-bad/found-1");
    assert_eq!(workshop.text(".reduct/0002-bad/found-1/list.txt"), whole);
    assert_ne!(workshop.text("bad.state/list.txt"), whole);
    confined(&workshop, &["resume", "--tests", "1"]).run().exits_with(4).does_not_say("is kept");
    confined(&workshop, &["resume"]).run().exits_with(0).does_not_say("is kept");
    assert_eq!(workshop.text("bad.state/list.txt"), whole);
    // What somebody has put there is kept in any case.
    workshop.write("bad.state/mine.txt", "mine\n");
    run(&["--force"]).exits_with(0).says("is kept: it is now .reduct/0003-bad/found-1");
    assert_eq!(workshop.text(".reduct/0003-bad/found-1/mine.txt"), "mine\n");
    assert_eq!(listed(&workshop.path("bad.state")), ["01.txt", "02.txt", "03.txt", "04.txt", "list.txt"]);
    fs::remove_dir_all(workshop.path("bad.state")).unwrap();
    // Also while it runs.
    let put = format!(
        "{CHAIN}import os\nos.makedirs({0:?}, exist_ok=True)\nopen({0:?} + '/mine.txt', 'w').close()\n",
        workshop.path("bad.state")
    );
    workshop.write("chain.py", put);
    let done = workshop.reduct([&["state", "good", "bad"][..], &PYTHON].concat()).env("REDUCT_CONFINE", "off").run();
    done.exits_with(0).says("is kept: it is now .reduct/0004-bad/found-1");
    assert_eq!(listed(&workshop.path(".reduct/0004-bad/found-1")), ["mine.txt"]);
}

/// Compares values, and interrupts that in the run of the program with this number, which hangs.
fn interrupted(workshop: &Workshop, number: usize) -> Done {
    let log = workshop.path("runs");
    let hangs = format!(
        "import os, time\nos.write(os.open({log:?}, os.O_WRONLY | os.O_CREAT | os.O_APPEND), b'r')\n\
         if os.stat({log:?}).st_size == {number}: time.sleep(1000)\n"
    );
    workshop.write("chain.py", CHAIN.replace("a = ", &(hangs + "a = ")));
    let words = [&["state", "-j1", "--timeout", "1000s", "good", "bad"][..], &PYTHON].concat();
    let running = workshop.reduct(words).env("REDUCT_CONFINE", "off").start();
    let hangs = || fs::read(&log).is_ok_and(|it| it.len() == number).then_some(()).ok_or_else(String::new);
    workshop.eventually("a run hangs", hangs);
    running.process().kill(Signal::INT);
    running.wait().exits_with(130)
}

#[test]
fn an_early_interruption_is_not_silent() {
    // The second input is recorded: there is no run yet to go on with.
    let workshop = chain();
    interrupted(&workshop, 3).says("stopped before the search began: interrupted").does_not_say("To go on");
    // After that and a run with nothing changed, variables are looked at on both sides, before the first test.
    for side in [6, 7] {
        let workshop = chain();
        interrupted(&workshop, side).says("interrupted").says("To go on: reduct resume .reduct/0001-bad");
        workshop.reduct(["resume"]).env("REDUCT_CONFINE", "off").run().exits_with(0);
        assert!(listed(&workshop.path("bad.state")).contains(&"04.txt".to_owned()));
    }
}

#[test]
fn an_interruption_leaves_the_changes_so_far() {
    let workshop = chain();
    let done = interrupted(&workshop, 16);
    done.says("Stopped early: ").says(" so far, each of which passed once, in bad.state.").says("To go on: ");
    assert!(listed(&workshop.path("bad.state")).contains(&"01.txt".to_owned()));
    workshop.reduct(["resume"]).env("REDUCT_CONFINE", "off").run().exits_with(0);
    assert!(listed(&workshop.path("bad.state")).contains(&"04.txt".to_owned()));
}

#[test]
fn what_a_run_has_left_is_compared() {
    let workshop = Workshop::new();
    workshop.write(
        "prog.py",
        "import sys\ntext = open(sys.argv[1]).read()\nfor line in text.split('\\n'):\n    assert 'x' not in line\n",
    );
    workshop.write("bad", "1\n2 x\n3\n4\n");
    workshop.reduct(["bad", "--", "python3", "prog.py", "{}"]).run().exits_with(0);
    // The result and what passes beside it, with the command of the run.
    let done = confined(&workshop, &["state", ".reduct"]).run().exits_with(0);
    assert!(done.stdout.contains("text = 'x'   instead of ''"), "{}", done.stdout);
    assert!(workshop.exists("bad.state/01.txt"));
    workshop.write("good", "1\n");
    workshop.reduct(["isolate", "good", "bad", "--force", "--", "python3", "prog.py", "{}"]).run().exits_with(0);
    confined(&workshop, &["state", ".reduct", "--out", "more"]).run().exits_with(0);
    assert!(workshop.exists("more/01.txt"));
    confined(&workshop, &["state", ".reduct"]).run().exits_with(2).says("has not left an input that passes");
}
