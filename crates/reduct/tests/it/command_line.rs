//! Words of a command line in the wrong place, and what the help says about them.

use crate::wording::{CRASH, refused, split, workshop};
use std::fs;

#[test]
fn a_word_that_is_no_command_is_told_so() {
    let workshop = workshop();
    for word in ["summary", "slice", "completions"] {
        refused(&workshop, word)
            .says(&format!("there is no such command: `{word}`"))
            .says("reduct --help")
            .does_not_say("perhaps");
    }
    refused(&workshop, "verfy").says("there is no such command: `verfy`").says("perhaps: reduct verify");
    refused(&workshop, "triag crash.txt").says("there is no such command: `triag`").says("perhaps: reduct triage");
    // A file of that name is a file.
    workshop.write("summary", CRASH);
    refused(&workshop, "summary").says("reduct summary -- COMMAND").does_not_say("no such command");
}

#[test]
fn options_before_the_word_of_a_command_get_the_line_that_was_meant() {
    let workshop = workshop();
    for (line, meant) in [
        ("-j1 isolate good crash.txt -- ./t.sh", "reduct isolate -j1 good crash.txt -- ./t.sh"),
        ("--quiet resume", "reduct resume --quiet"),
        ("-q triage inputs -- ./t.sh", "reduct triage -q inputs -- ./t.sh"),
        // Options that only the command has.
        ("--json log", "reduct log --json"),
        ("--patch fix.patch changes -- ./t.sh", "reduct changes --patch fix.patch -- ./t.sh"),
    ] {
        refused(&workshop, line).says(&format!("give options after the command: {meant}"));
    }
    // What stands behind `--` belongs to the test, and a file of that name is a file.
    refused(&workshop, "--json crash.txt -- log").does_not_say("give options after the command");
    workshop.write("log", CRASH);
    refused(&workshop, "-j1 log").says("reduct log -- COMMAND").does_not_say("give options after the command");
}

#[test]
fn the_help_of_a_command_does_not_offer_what_it_refuses() {
    let workshop = workshop();
    for (command, options) in [
        ("triage inputs", &["--tests=3", "--time=3s", "--stall=3,1", "--until-granularity=2", "--events=e"][..]),
        ("isolate crash.txt", &["--until-granularity=2"]),
        ("minima crash.txt", &["--until-granularity=2"]),
        ("changes a..b", &["--until-granularity=2"]),
        ("env", &["--until-granularity=2"]),
        ("fuzz", &["--stall=3,1", "--until-granularity=2"]),
    ] {
        let word = split(command)[0];
        let help = workshop.reduct([word, "--help"]).run().exits_with(0).stdout;
        for option in options {
            let name = option.split('=').next().unwrap();
            let is_offered = help.lines().any(|line| line.split_whitespace().next() == Some(name));
            assert!(!is_offered, "{word} {name}");
            fs::create_dir_all(workshop.path("inputs")).unwrap();
            let done = workshop.reduct(split(&format!("{command} {option} -- ./t.sh"))).run().exits_with(2);
            done.says(name).does_not_say("unexpected argument");
        }
    }
}

#[test]
fn an_option_of_a_new_run_is_answered_by_a_command_about_runs() {
    let workshop = workshop();
    for (line, tip) in [
        ("resume --timeout 5", "begin a new run to change them"),
        ("resume --build-timeout=5", "begin a new run to change them"),
        ("verify --scratch x", "begin a new run to change them"),
        ("verify -j2", "this has no --jobs; `reduct resume` has"),
        ("log --jobs 2", "no test runs here; `reduct resume` has --jobs"),
    ] {
        // The usage names no option that was not meant.
        refused(&workshop, line).says(tip).does_not_say("similar").does_not_say("--time <TIME>");
    }
    refused(&workshop, "resume --n 2").says("there is no run").does_not_say("unexpected");
}

#[test]
fn words_in_the_wrong_place_are_put_right() {
    let workshop = workshop();
    let cases = [
        ("redcue crash.txt -- ./t.sh", "perhaps: reduct reduce crash.txt -- ./t.sh"),
        ("-j1 isolaet a crash.txt -- ./t.sh", "perhaps: reduct -j1 isolate a crash.txt -- ./t.sh"),
        ("bisect a crash.txt -- ./t.sh", "reduct changes GOOD..BAD -- COMMAND"),
        ("histroy", "perhaps: reduct history;"),
        ("history 3", "`reduct history show 3` prints what was left at step 3"),
        ("log nowhere", "give a folder that is there"),
        ("changes a crash.txt ./t.sh", "the test is given after `--`: reduct changes a crash.txt -- ./t.sh"),
        ("minima crash.txt ./t.sh", "the test is given after `--`: reduct minima crash.txt -- ./t.sh"),
        ("verify a .", "give one at a time: reduct verify a"),
        ("-- ./t.sh crash.txt", "the input is given before `--`: reduct crash.txt -- ./t.sh crash.txt"),
        ("minima -- ./t.sh", "the input is given before `--`: reduct minima FILE -- ./t.sh"),
        ("--pass-group all crash.txt -- ./t.sh", "--by names the kinds of parts and the passes"),
    ];
    for (words, says) in cases {
        refused(&workshop, words).says(says);
    }
}

#[test]
fn the_help_says_where_the_other_options_are() {
    let help = workshop().reduct(["--help"]).run().exits_with(0).stdout;
    assert!(help.contains("`reduct COMMAND --help` has those of each other command"), "{help}");
    assert!(!help.contains("--patch"), "an option of `changes` alone");
}

#[test]
fn times_without_a_unit_are_seconds() {
    let workshop = workshop();
    let done = workshop.reduct(split("--timeout 7 --by lines ./t.sh crash.txt")).run().exits_with(0);
    done.says("at most 7.0 s each");
    workshop.reduct(split("--timeout 2.5 --by lines ./t.sh crash.txt")).run().exits_with(0).says("at most 2.5 s each");
    let workshop = self::workshop();
    for (value, says) in [
        ("0", "no time at all"),
        ("-1", "--timeout"),
        ("1e99", "a number of seconds"),
        ("99999999999", "longer than a year"),
        ("", "a number of seconds"),
    ] {
        let done = workshop.reduct([&format!("--timeout={value}"), "./t.sh", "crash.txt"]).run().exits_with(2);
        done.says(says).does_not_say("panicked");
    }
    assert!(!workshop.exists(".reduct"));
}

#[test]
fn a_variable_says_how_many_tests_run_at_a_time_if_no_option_does() {
    let workshop = workshop();
    let words = |option: &str| workshop.reduct(split(&format!("{option} --force --by lines ./t.sh crash.txt")));
    words("").env("REDUCT_JOBS", "2").run().exits_with(0).says("2 tests at a time");
    words("-j3").env("REDUCT_JOBS", "2").run().exits_with(0).says("3 tests at a time");
    words("").env("REDUCT_JOBS", "many").run().exits_with(2).says("REDUCT_JOBS is many").says("from 1 to 4096");
}
