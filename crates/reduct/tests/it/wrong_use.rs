//! Wrong use, tests that cannot work, and runs that are no longer what they were: each is refused, with what to do.

use crate::usage::{refused, split, workshop};
use std::fs;

#[test]
fn wrong_use_is_told() {
    for (words, says) in [
        ("", &["Usage"][..]),
        ("input", &["there is no test", "reduct input -- COMMAND"]),
        ("missing -- ./test.sh", &["missing", "No such file"]),
        ("./test.sh missing", &["missing", "No such file"]),
        ("input -- ./missing.sh", &["./missing.sh", "to see it by hand"]),
        ("input -- no-such-program-anywhere", &["no-such-program-anywhere", "to see it by hand"]),
        ("./plain.sh input", &["is not a program", "chmod +x"]),
        ("input -- ./plain.sh", &["plain.sh", "ermission denied"]),
        ("--by cats ./test.sh input", &["cats", "possible values", "lines"]),
        ("--search cats ./test.sh input", &["cats", "possible values", "ddmin"]),
        ("--split cats ./test.sh input", &["cats", "possible values", "joints"]),
        ("--color cats ./test.sh input", &["cats", "possible values", "never"]),
        ("--in-place ./test.sh input other", &["--in-place works on one input", "put the inputs into one folder"]),
        ("--in-place --out x ./test.sh input", &["--in-place", "--out"]),
        ("--stall x ./test.sh input", &["--stall", "100,1"]),
        ("--stall 0,1 ./test.sh input", &["--stall", "at least 1"]),
        ("--stall 10,101 ./test.sh input", &["--stall", "at most 100"]),
        ("--fails-if exit=256 ./test.sh input", &["256", "0 to 255"]),
        ("--fails-if signal=CAT ./test.sh input", &["CAT", "SEGV"]),
        ("--fails-if stdout~[ ./test.sh input", &["regular expression"]),
        ("--fails-if cats ./test.sh input", &["cats", "exit=STATUS"]),
        ("--timeout soon ./test.sh input", &["--timeout", "soon"]),
        ("--memory 3X ./test.sh input", &["--memory", "K, M, G or T"]),
        ("--memory 99999999999G ./test.sh input", &["--memory", "too large"]),
        ("--jobs 0 ./test.sh input", &["--jobs", "1..=4096"]),
        ("--until-granularity 0 ./test.sh input", &["--until-granularity"]),
        ("--cats ./test.sh input", &["--cats"]),
        ("./test.sh pipe", &["pipe", "neither a file nor a folder"]),
        ("./test.sh folder", &["pipe", "neither a file nor a folder"]),
        ("./test.sh input folder/../input", &["folder/../input is given twice", "give it once"]),
        ("./test.sh input sub/input", &["two inputs are called input", "put them into one folder"]),
        ("./test.sh /", &["name"]),
        ("--scratch missing/folder/pipe/../../../input ./test.sh input", &["scratch"]),
        ("--events missing/events ./test.sh input", &["missing/events"]),
        ("-c true input -- true", &["cannot be used with"]),
        ("resume", &["there is no run", "reduct FILE -- COMMAND"]),
        ("verify", &["there is no run", "reduct FILE -- COMMAND"]),
        ("log", &["there is no run", "reduct FILE -- COMMAND"]),
        ("resume missing", &["there is no run in missing"]),
        ("log --events x", &["no test runs here", "--json"]),
    ] {
        let workshop = workshop();
        workshop.write("plain.sh", "#!/bin/sh\n");
        workshop.write("other", "x");
        workshop.write("sub/input", "needle");
        workshop.shell("mkdir folder; mkfifo pipe folder/pipe").run().exits_with(0);
        let done = workshop.reduct(split(words)).run();
        eprintln!("{words}:\n{}", done.stderr);
        refused(&workshop, done, says);
    }
}

#[test]
fn a_test_that_cannot_work_is_diagnosed() {
    for (words, body, says) in [
        ("--bare ./test.sh input", "[ -e helper ] && grep -q needle input", "only in a copy of your folder"),
        ("--bare input -- ./test.sh", "[ -e helper ] && grep -q needle input", "only in a copy of your folder"),
        ("./test.sh input", "grep -q needle \"$1\"", "--arg"),
        ("input -- ./test.sh", "grep -q needle \"$1\" 2>/dev/null", "--arg"),
        ("./test.sh input", "grep -q needle", "--stdin"),
        ("input -- ./test.sh", "grep -q needle", "--stdin"),
        ("./test.sh input", "exit 1", "does not occur on the whole input"),
        ("./test.sh input", "echo 'so it is' >&2; exit 1", "so it is"),
        ("./test.sh input", "exit 125", "exit status 125"),
        ("input -- ./test.sh", "exit 125", "cannot tell"),
        ("input -- ./test.sh", "no-such-program input", "126 that a program cannot be run, 127 that it is missing"),
        ("./test.sh input", "no-such-program input", "not found"),
        ("--fails-if signal=SEGV ./test.sh input", "exit 0", "signal=SEGV"),
    ] {
        let workshop = workshop();
        workshop.write("helper", "");
        workshop.script("test.sh", body);
        let done = workshop.reduct(split(words)).run();
        eprintln!("{words} {body}:\n{}", done.stderr);
        done.exits_with(3).says(says).says("to see it by hand").does_not_say("panicked");
        assert_eq!(workshop.names(), ["helper", "input", "test.sh"], "{body}");
        assert!(!workshop.exists(".reduct"), "{body}");
    }
}

#[test]
fn the_recipe_shows_by_hand_what_was_seen() {
    let workshop = workshop();
    workshop.script("test.sh", "grep -q needle \"$1\"; exit 7");
    let done = workshop.reduct(["input", "--fails-if", "exit=0", "--", "./test.sh", "{}", "it's a word"]).run();
    let done = done.exits_with(3);
    let (_, recipe) = done.stderr.split_once("to see it by hand:").unwrap();
    let seen = workshop.shell(recipe).run().stdout;
    assert!(seen.contains("exit status 7"), "{seen}\n{recipe}");
}

#[test]
fn a_flaky_test_is_called_flaky() {
    let workshop = workshop();
    let body = "if [ -e \"$WORKSHOP/odd\" ]; then rm \"$WORKSHOP/odd\"; exit 1; else : >\"$WORKSHOP/odd\"; exit 0; fi";
    workshop.script("test.sh", body);
    workshop
        .reduct(split("-j1 ./test.sh input"))
        .run()
        .exits_with(3)
        .says("flaky")
        .says("in 4 of 8 runs")
        .says("--repeat");
    assert!(!workshop.exists(".reduct"));
}

#[test]
fn a_run_whose_test_was_changed_is_not_resumed_as_if_it_were_the_same() {
    let workshop = workshop();
    workshop.write("input", (0..60).map(|n| format!("{n}\n")).collect::<String>());
    workshop.script("test.sh", "grep -qx 17 input && grep -qx 42 input");
    workshop.reduct(split("--by lines --tests 9 ./test.sh input")).run().exits_with(4);
    workshop.script("test.sh", "grep -qx 3 input");
    // What is known was said by another test: it is not worth anything now.
    workshop.reduct(["resume"]).run().exits_with(0).says("test.sh: the outcomes so far are thrown away");
    assert_eq!(workshop.text("input.reduced"), "3\n");
}

#[test]
fn a_run_whose_input_was_changed_is_not_resumed() {
    let workshop = workshop();
    workshop.reduct(split("--tests 2 ./test.sh input")).run().exits_with(4);
    fs::write(workshop.run_folder().join("input/input"), "needle, but another one").unwrap();
    let before = workshop.read("input.reduced");
    for command in ["resume", "verify", "log"] {
        workshop.reduct([command]).run().exits_with(2).says("not what the run began with").says("begin again");
    }
    fs::remove_dir_all(workshop.run_folder().join("input")).unwrap();
    workshop.reduct(["resume"]).run().exits_with(2);
    assert_eq!(workshop.read("input.reduced"), before);
}
