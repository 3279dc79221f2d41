//! Every option, every wrong use, and names of all sorts.

use crate::workshop::{Done, Events, Workshop, files_below, listed};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

const NEEDLE: &str = "echo >>\"$LOG\"\ngrep -q needle input";

/// A file of some lines, of which one holds the needle, and a script that looks for it.
fn workshop() -> Workshop {
    let workshop = Workshop::new();
    workshop.write("input", "one\ntwo (three, four)\nfive needle six\nseven\n");
    workshop.script("test.sh", NEEDLE);
    workshop
}

fn split(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

/// Refused: nothing is written, and it is said what to do.
#[track_caller]
fn refused(workshop: &Workshop, done: Done, says: &[&str]) {
    let done = done.exits_with(2).does_not_say("panicked");
    says.iter().fold(done, |done, text| done.says(text));
    assert!(!workshop.exists(".reduct"), "no run is begun");
    assert!(workshop.names().iter().all(|name| !name.contains("reduced")), "{:?}", workshop.names());
}

#[test]
fn every_option_of_the_help_is_used_here() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it");
    let sources: Vec<String> = listed(&folder)
        .iter()
        .filter(|name| name.ends_with(".rs"))
        .map(|name| fs::read_to_string(folder.join(name)).unwrap())
        .collect();
    let workshop = Workshop::new();
    let all = workshop.reduct(["--help"]).run().exits_with(0).stdout;
    let (_, rest) = all.split_once("Commands:").unwrap();
    let lines = rest.lines().skip(1).take_while(|line| !line.trim().is_empty());
    // The first column names groups.
    let commands: Vec<&str> = lines.flat_map(|line| line[12..].split("  ").next().unwrap().split(", ")).collect();
    assert!(commands.contains(&"reduce") && commands.contains(&"triage") && commands.len() > 15, "{commands:?}");
    let mut unused: Vec<String> = vec![];
    for command in commands {
        let help = workshop.reduct([command, "--help"]).run().exits_with(0).stdout;
        let begins_with_dash = |word: &&str| word.starts_with("--") && word.len() > 2;
        let options: Vec<&str> = help
            .lines()
            .map(str::trim_start)
            .filter(|line| line.starts_with('-'))
            .filter_map(|line| line.split([' ', ',', '[']).find(begins_with_dash))
            .collect();
        assert!(!options.is_empty(), "{help}");
        let is_unused = |option: &&str| !sources.iter().any(|source| source.contains(*option));
        unused.extend(options.into_iter().filter(is_unused).map(|option| format!("{command} {}", &option[2..])));
    }
    assert!(unused.is_empty(), "used nowhere: {unused:?}");
}

#[test]
fn statistics_of_passes_add_up_to_the_run() {
    let workshop = Workshop::new();
    workshop.write("input", "a\nneedle (1, 2)\nb\n");
    let words = ["--stats", "input", "--", "sh", "-c", "! grep -q needle input"];
    let done = workshop.reduct(words).run().exits_with(0);
    let (_, table) = done.stderr.split_once("accepted").expect("a table of passes");
    let rows = table.lines().skip(1).map(|row| row.trim_start_matches('▸').split_whitespace().collect::<Vec<_>>());
    let numbers = |row: &[&str]| Some((row.get(1)?.parse::<usize>().ok()?, row.get(3)?.parse::<usize>().ok()?));
    let rows: Vec<(usize, usize)> = rows.map_while(|row| numbers(&row)).collect();
    let tests: usize = rows.iter().map(|(tests, _)| tests).sum();
    let bytes: usize = rows.iter().map(|(_, bytes)| bytes).sum();
    assert!(rows.len() > 1, "{}", done.stderr);
    done.says(&format!("18 → {} bytes in {tests} tests", 18 - bytes));
}

#[test]
fn help_and_version() {
    let workshop = Workshop::new();
    let help = workshop.reduct(["--help"]).run().exits_with(0).stdout;
    for words in ["Usage:", "Exit status:", "Examples:", "resume", "verify", "log"] {
        assert!(help.contains(words), "{words}: {help}");
    }
    let short = workshop.reduct(["-h"]).run().exits_with(0).stdout;
    assert!(short.len() < help.len());
    for option in ["--version", "-V"] {
        let version = workshop.reduct([option]).run().exits_with(0).stdout;
        assert_eq!(version, format!("reduct {}\n", env!("CARGO_PKG_VERSION")));
    }
}

#[test]
fn the_forms_of_the_command_do_the_same() {
    for form in [
        "./test.sh input",
        "test.sh input",
        "reduce ./test.sh input",
        "input -- ./test.sh",
        "input -- test.sh.folder/test.sh",
        "reduce input -- ./test.sh",
    ] {
        let workshop = workshop();
        workshop.script("test.sh.folder/test.sh", NEEDLE);
        workshop.reduct(split(form)).run().exits_with(0);
        assert_eq!(workshop.text("input.reduced"), "needle", "{form}");
    }
    for option in ["-c", "--shell"] {
        let workshop = workshop();
        workshop.reduct(["input", option, "grep -q needle input | cat; grep -q needle input"]).run().exits_with(0);
        assert_eq!(workshop.text("input.reduced"), "needle");
    }
}

#[test]
fn the_candidate_is_handed_over_as_asked() {
    for (how, body) in [
        ("--arg ./test.sh input", "[ $# -eq 1 ] && grep -q needle \"$1\""),
        ("--stdin ./test.sh input", "[ $# -eq 0 ] && grep -q needle"),
        ("--arg --stdin ./test.sh input", "grep -q needle && grep -q needle \"$1\""),
        ("input -- ./test.sh {}", "[ $# -eq 1 ] && grep -q needle \"$1\""),
        ("input -- ./test.sh input", "[ $# -eq 1 ] && grep -q needle \"$1\""),
        ("input -- ./test.sh --in={}:{}", "f=${1#--in=}; [ \"${f%:*}\" = \"${f#*:}\" ] && grep -q needle \"${f%:*}\""),
        ("--arg input -- ./test.sh -x", "[ \"$1\" = -x ] && grep -q needle \"$2\""),
    ] {
        let workshop = workshop();
        workshop.script("test.sh", body);
        workshop.reduct(split(how)).run().exits_with(0);
        assert_eq!(workshop.text("input.reduced"), "needle", "{how}");
    }
}

#[test]
fn what_the_failure_is_can_be_spelled_out() {
    for (conditions, body) in [
        (vec!["exit=3"], "grep -q needle input && exit 3; exit 4"),
        (vec!["signal=SEGV"], "grep -q needle input && kill -SEGV $$; kill -ABRT $$"),
        (vec!["timeout"], "grep -q needle input && exec sleep 1000; exit 1"),
        (vec!["stdout~^found: n.*e"], "printf 'found: '; cat input | grep -o needle; echo needle >&2"),
        (vec!["stderr~found"], "echo found; grep -q needle input && echo found >&2; exit 1"),
        (vec!["output~(found|lost)"], "grep -q needle input && echo lost >&2; exit 9"),
        (vec!["!exit=0"], "grep -q needle input && exit 1; exit 0"),
        (vec!["! stdout~nothing"], "grep -q needle input || echo nothing"),
        (vec!["exit=1", "stderr~found", "!stdout~x"], "grep -q needle input && echo found >&2; exit 1"),
    ] {
        let workshop = workshop();
        workshop.script("test.sh", body);
        let mut words: Vec<&str> = vec!["--by", "lines,words", "--timeout", "700ms"];
        conditions.iter().for_each(|condition| words.extend(["--fails-if", condition]));
        words.extend(["./test.sh", "input"]);
        workshop.reduct(words).run().exits_with(0);
        assert_eq!(workshop.text("input.reduced").trim(), "needle", "{conditions:?}");
    }
}

#[test]
fn what_the_first_run_shows_is_the_failure() {
    for (body, seen) in [
        ("grep -q needle input && exit 3; exit 0", "exit status 3"),
        ("grep -q needle input && kill -SEGV $$; exit 0", "death by SIGSEGV"),
        ("grep -q needle input && exit 0; exit 1", "exit status 0"),
        ("grep -q needle input && { echo 'foo.c:3: error: bad' >&2; exit 1; }; exit 0", "error: bad"),
    ] {
        let workshop = workshop();
        workshop.script("test.sh", body);
        workshop.reduct(split("input -- ./test.sh")).run().exits_with(0).says(seen).says("--fails-if");
        assert_eq!(workshop.text("input.reduced"), "needle", "{body}");
    }
}

#[test]
fn a_hang_can_be_the_failure() {
    let workshop = workshop();
    workshop.script("test.sh", "grep -q needle input && exec sleep 1000; exit 0");
    let words = split("--by lines --timeout 700ms input -- ./test.sh");
    workshop.reduct(words).run().exits_with(0).says("no end within the time limit");
    assert_eq!(workshop.text("input.reduced"), "five needle six\n");
}

#[test]
fn every_kind_search_and_split_ends_at_something_that_fails() {
    let workshop = workshop();
    workshop.write("input", "a (b)\nc needle\nd\n");
    let words = |option: &str, value: &str, rest: &str| -> Vec<String> {
        let line = format!("{option} {value} {rest} --force input -- grep -q needle input");
        split(&line).into_iter().map(str::to_owned).collect()
    };
    for (option, rest) in [("--by", ""), ("--search", "--by chars"), ("--split", "--by chars --search ddmin")] {
        let values = possible(&workshop, option);
        assert!(values.len() > 2, "{values:?}");
        for value in values {
            workshop.reduct(words(option, &value, rest)).run().exits_with(0);
            let result = workshop.text("input.reduced");
            assert!(result.contains("needle"), "{option} {value}: {result}");
            // What is proved follows from what can go.
            if option == "--by" {
                workshop.reduct(["verify"]).run().exits_with(0);
            }
            fs::remove_dir_all(workshop.path(".reduct")).unwrap();
        }
    }
    workshop.reduct(split("--monotone --by chars --search ddmin --force ./test.sh input")).run().exits_with(0);
    assert_eq!(workshop.text("input.reduced"), "needle");
}

/// The possible values of an option, as a wrong one is told.
fn possible(workshop: &Workshop, option: &str) -> Vec<String> {
    let told = workshop.reduct([option, "no-such-thing", "./test.sh", "input"]).run().exits_with(2).stderr;
    let (_, rest) = told.split_once("[possible values: ").unwrap();
    rest.split_once(']').unwrap().0.split(',').map(|value| value.trim().to_owned()).collect()
}

#[test]
fn where_no_run_can_be_kept_no_test_is_run() {
    let workshop = workshop();
    workshop.write(".reduct", "");
    let done = workshop.reduct(["input", "--", "./test.sh"]).run().exits_with(2);
    done.says("no run can be kept in").says("--state DIR");
    assert_eq!(workshop.runs().len(), 0);
    workshop.reduct(["--state", "runs", "input", "--", "./test.sh"]).run().exits_with(0);
}

#[test]
fn the_result_goes_where_it_should() {
    let workshop = workshop();
    workshop.reduct(split("--events input ./test.sh input")).run().exits_with(2).says("would overwrite");
    assert!(workshop.text("input").len() > "needle".len());
    workshop.write("sub/page.tar.html", "needle\nx\n");
    workshop.script("any.sh", "grep -rq needle .");
    for (words, place) in [
        ("./any.sh sub/page.tar.html", "sub/page.tar.reduced.html"),
        ("-o here ./any.sh input", "here"),
        ("--out sub/here ./any.sh input", "sub/here"),
        ("./any.sh input sub/page.tar.html", "reduced"),
        ("./any.sh sub", "sub.reduced"),
    ] {
        let done = workshop.reduct(split(words)).run().exits_with(0);
        assert!(workshop.exists(place), "{words}");
        assert!(done.stderr.trim_end().ends_with(&format!("the result is {place}")), "{}", done.stderr);
    }
}

#[test]
fn what_stands_at_the_place_of_the_result_is_not_replaced_unless_it_is_ours() {
    let workshop = workshop();
    workshop.write("input.reduced", "somebody's work");
    let done = workshop.reduct(["./test.sh", "input"]).run().exits_with(2);
    done.says("input.reduced exists").says("--out").says("--force");
    assert_eq!(workshop.text("input.reduced"), "somebody's work");
    assert!(!workshop.exists(".reduct"));
    assert_eq!(workshop.runs().len(), 0, "seen before any test is run");
    workshop.reduct(["--force", "./test.sh", "input"]).run().exits_with(0);
    assert_eq!(workshop.text("input.reduced"), "needle");
    workshop.reduct(["./test.sh", "input"]).run().exits_with(0);
    // Edited, it is somebody's work again.
    workshop.write("input.reduced", "needle, and what I found out about it");
    workshop.reduct(["./test.sh", "input"]).run().exits_with(2).says("--force");
    workshop.write("folder/mine", "x");
    workshop.reduct(split("--out folder ./test.sh input")).run().exits_with(2).says("folder exists");
    assert_eq!(workshop.text("folder/mine"), "x");
}

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
fn an_output_that_cannot_be_made_is_told_before_anything_is_run() {
    let workshop = workshop();
    let done = workshop.reduct(split("--patience 1s --out input/result ./test.sh input")).run();
    refused(&workshop, done, &["input is no folder", "--out"]);
    assert_eq!(workshop.runs().len(), 0);
}

#[test]
fn a_result_that_could_not_be_written_is_not_said_to_be_there() {
    let workshop = workshop();
    // The folder of the result goes away while it is made.
    workshop.script("test.sh", &format!("rm -rf \"$WORKSHOP/home/there\"\n{NEEDLE}"));
    workshop.write("there/file", "");
    let done = workshop.reduct(split("--patience 300ms --out there/result ./test.sh input")).run().exits_with(4);
    assert!(!workshop.exists("there/result"));
    done.says("No such file").does_not_say("the result is there/result");
}

#[test]
fn a_result_in_the_place_of_its_input_is_refused_or_keeps_the_original() {
    for out in ["input", "./input", "sub/../input", "link", "folder/result"] {
        let workshop = workshop();
        workshop.write("folder/file", "needle\n");
        workshop.write("sub/file", "");
        std::os::unix::fs::symlink("input", workshop.path("link")).unwrap();
        workshop.script("test.sh", "grep -rq needle .");
        let input = if out.starts_with("folder") { "folder" } else { "input" };
        let all = || files_below(&workshop.path(input).parent().unwrap().join("folder"));
        let (before, whole) = (all(), workshop.read("input"));
        let done = workshop.reduct(["--force", "--out", out, "./test.sh", input]).run();
        let kept = workshop.exists("input.orig") && workshop.read("input.orig") == whole;
        assert!(workshop.read("input") == whole || kept, "{out}: the original is gone");
        assert_eq!(all(), before, "{out}: the original folder was written to");
        assert!([0, 2].contains(&done.status), "{done:?}");
    }
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
fn early_stops_say_what_stopped_them_and_what_was_confirmed() {
    for (option, why) in [
        ("--tests 3", "--tests 3"),
        ("--time 700ms", "--time"),
        ("--stall 4,60", "the last 4 tests removed less than 60 %"),
        ("--until-granularity 8", "nothing that removes 8 lines or more is left to try"),
    ] {
        let workshop = workshop();
        workshop.write("input", (0..200).map(|n| format!("needle {n}\n")).collect::<String>());
        // Each line is needed but for some, so that it takes a while.
        let body = "sleep 0.01; [ $(grep -c needle input) -ge 150 ]";
        workshop.script("test.sh", body);
        let words = format!("--by lines {option} --events events ./test.sh input");
        let done = workshop.reduct(split(&words)).run().exits_with(4);
        let end: Vec<&str> = done.stderr.lines().rev().take(8).collect();
        assert!(end.iter().any(|line| line.contains(why)), "{option}: {}", done.stderr);
        assert!(end.iter().any(|line| line.contains("Confirmed: it failed in")), "{option}: {}", done.stderr);
        assert!(!done.stderr.contains("Proved:"), "{option}: {}", done.stderr);
        // A run keeps its granularity, so that there is nothing to go on with.
        let goes_on = !option.starts_with("--until-granularity");
        assert!(
            !goes_on || end.iter().any(|line| line.contains("To go on: reduct resume")),
            "{option}: {}",
            done.stderr
        );
        assert!(workshop.text("input.reduced").lines().count() >= 150, "{option}");
        assert_eq!(Events::read(workshop.path("events")).last()["confirmed"], true, "{option}");
        workshop.reduct(["verify"]).run().exits_with(0).says("fails");
    }
}

#[test]
fn what_kept_to_its_granularity_is_not_said_to_go_on() {
    let workshop = workshop();
    let done = workshop.reduct(split("--by chars --until-granularity 8 ./test.sh input")).run().exits_with(4);
    let result = workshop.read("input.reduced");
    workshop.reduct(["resume"]).run();
    assert_eq!(workshop.read("input.reduced"), result, "there is nothing to go on with");
    done.does_not_say("To go on: reduct resume");
}

#[test]
fn a_number_of_tests_is_kept_to() {
    let workshop = workshop();
    workshop.reduct(split("-j1 --no-cache --tests 3 --events events ./test.sh input")).run().exits_with(4);
    assert_eq!(Events::read(workshop.path("events")).tests().len(), 3);
    // Before the search, in it, and of the best after it.
    assert_eq!(workshop.runs().len(), 3 + 3 + 5);
}

#[test]
fn a_resumed_run_may_be_stopped_too_but_keeps_its_granularity() {
    let workshop = workshop();
    workshop.reduct(split("--tests 2 ./test.sh input")).run().exits_with(4);
    workshop.reduct(split("resume --until-granularity 4")).run().exits_with(2).says("keeps the granularity");
    workshop.reduct(split("resume --tests 4 --plain")).run().exits_with(4);
    workshop.reduct(split("resume --stall 1,100 --quiet")).run().exits_with(4);
    workshop.reduct(split("resume --time 5m")).run().exits_with(0);
    assert_eq!(workshop.text("input.reduced"), "needle");
    workshop.reduct(["resume"]).run().exits_with(0).says("done already");
    assert_eq!(workshop.text("input.reduced"), "needle");
}

#[test]
fn a_run_is_found_by_its_folder_or_by_a_folder_with_runs() {
    let workshop = workshop();
    workshop.reduct(["./test.sh", "input"]).run().exits_with(0);
    workshop.write("elsewhere/file", "");
    let run = workshop.run_folder().file_name().unwrap().to_string_lossy().into_owned();
    for place in ["..", "../.reduct", &format!("../.reduct/{run}"), workshop.home().to_str().unwrap()] {
        workshop.reduct(["verify", place]).within("elsewhere").run().exits_with(0);
        workshop.reduct(["log", place]).within("elsewhere").run().exits_with(0);
        workshop.reduct(["resume", place]).within("elsewhere").run().exits_with(0);
    }
}

#[test]
fn limits_of_a_test() {
    for (option, body, exit) in [
        ("--timeout 700ms", "sleep 1000", r#"{"limit":"time"}"#),
        ("--memory 40M", "x=$(head -c 80000000 /dev/zero | tr '\\0' a); sleep 1000", r#"{"limit":"memory"}"#),
        ("--processes 5", "for i in 1 2 3 4 5 6 7; do sleep 1000 & done; wait", r#"{"limit":"processes"}"#),
        ("--file-size 1M", "head -c 3000000 /dev/zero >big; exit $?", r#"{"code":153}"#),
    ] {
        let workshop = workshop();
        workshop.script("test.sh", &format!("grep -q needle input && exit 0\n[ -s input ] && exit 1\n{body}"));
        let words = format!("{option} --by lines --events events ./test.sh input");
        workshop.reduct(split(&words)).run().exits_with(0);
        let events = Events::read(workshop.path("events"));
        assert_eq!(events.of("preflight")[2]["exit"].to_string(), exit, "{option}");
        assert_eq!(workshop.text("input.reduced"), "five needle six\n", "{option}");
        assert_eq!(workshop.processes(), [], "{option}");
    }
}

#[test]
fn a_scratch_folder_is_where_it_should_be_and_is_gone_in_the_end() {
    let workshop = workshop();
    workshop.script("test.sh", "pwd >>\"$LOG\"; grep -q needle input");
    workshop.reduct(split("--scratch ../scratch/of/mine ./test.sh input")).run().exits_with(0);
    let runs = workshop.runs();
    assert!(runs.iter().all(|place| Path::new(place).starts_with(workshop.scratch().join("of/mine"))), "{runs:?}");
    assert_eq!(files_below(&workshop.scratch()).len(), 0);
}

fn named(name: &[u8]) -> PathBuf {
    OsStr::from_bytes(name).into()
}

#[test]
fn names_of_all_sorts() {
    let names: [&[u8]; 11] = [
        b"with space",
        b"it's \"quoted\"",
        b"two\nlines",
        b"a\tb\rc",
        b"log",
        b"resume",
        b"{}",
        b"*?[a]",
        b".hidden",
        b"$HOME;`id`",
        "n\u{e4}del.t\u{e4}xt".as_bytes(),
    ];
    names.into_iter().for_each(can_be_called);
}

#[test]
fn names_that_are_not_text() {
    for name in [&b"caf\xe9"[..], b"\xff\xfe"] {
        can_be_called(name);
    }
}

/// That a file of this name can be reduced, and the run be looked at.
fn can_be_called(name: &[u8]) {
    let workshop = workshop();
    let name = named(name);
    workshop.write(&name, "one\nneedle\n");
    workshop.script("check", "[ $# -eq 1 ] && grep -q needle \"$1\"");
    let place = Path::new(".").join(&name);
    let words: Vec<OsString> =
        vec!["--out".into(), "result".into(), place.into(), "--".into(), "./check".into(), "{}".into()];
    let done = workshop.reduct(words).run();
    assert_eq!(done.status, 0, "{name:?}: {}", done.stderr);
    assert_eq!(workshop.text("result"), "needle", "{name:?}");
    workshop.reduct(["resume"]).run().exits_with(0);
    workshop.reduct(["verify"]).run().exits_with(0);
    workshop.reduct(["log"]).run().exits_with(0);
    // Nothing of a name reaches a terminal as it is.
    assert!(!done.stderr.contains('\x1b'), "{name:?}");
}

#[test]
fn names_that_begin_with_a_dash() {
    let workshop = workshop();
    workshop.write("-x", "one\nneedle\n");
    workshop.reduct(split("./-x -- grep -q needle -- {}")).run().exits_with(0);
    assert_eq!(workshop.text("-x.reduced"), "needle");
}

#[test]
fn the_default_place_of_the_result_keeps_the_name() {
    for (name, result) in [("two words.c", "two words.reduced.c"), ("a.b.c", "a.b.reduced.c"), (".c", ".c.reduced")] {
        let workshop = workshop();
        workshop.write(name, "one\nneedle\n");
        workshop.script("check", "grep -q needle \"$1\"");
        workshop.reduct(["--arg", "./check", name]).run().exits_with(0);
        assert_eq!(workshop.text(result), "needle");
    }
}

#[test]
fn names_of_all_sorts_within_a_folder() {
    let workshop = workshop();
    let names: [&[u8]; 5] = [b"a b", b"caf\xe9", b"two\nlines", b"-rf", b"log"];
    for name in names {
        workshop.write(Path::new("folder").join(named(name)), "needle\nmore\n");
        workshop.write(Path::new("folder/in").join(named(name)), "nothing\n");
    }
    workshop.script("check", "[ \"$(grep -rlZ needle folder | tr -dc '\\0' | wc -c)\" -eq 5 ]");
    workshop.reduct(["./check", "folder"]).run().exits_with(0);
    let files = files_below(&workshop.path("folder.reduced"));
    assert_eq!(files.len(), 5, "{files:?}");
    assert!(files.values().all(|text| text.trim_ascii() == b"needle"), "{files:?}");
    assert!(names.iter().all(|name| files.contains_key(&named(name))), "{files:?}");
    workshop.reduct(["verify"]).run().exits_with(0);
}

#[test]
fn a_folder_whose_name_is_not_text() {
    let workshop = workshop();
    let folder = named(b"caf\xe9");
    workshop.write(folder.join("input"), "one\nneedle\n");
    workshop.script(folder.join("test.sh"), NEEDLE);
    workshop.reduct(["./test.sh", "input"]).within(&folder).run().exits_with(0);
    assert_eq!(workshop.text(folder.join("input.reduced")), "needle");
    workshop.reduct(["resume"]).within(&folder).run().exits_with(0);
}

/// A program, its data and an input, each in a folder or not.
fn workbench() -> Workshop {
    let workshop = workshop();
    workshop.script("tools/check", "grep -qf \"$1\" \"$2\"");
    workshop.write("sub/input", "one\nneedle\n");
    workshop.write("patterns", "needle\n");
    workshop
}

#[test]
fn relative_paths_in_the_command_are_those_of_the_user() {
    let workshop = workbench();
    for words in [
        "sub/input -- tools/check patterns sub/input",
        "sub/input -- ./tools/check ./patterns sub/input",
        "sub/input -- ./tools/check patterns {}",
        "sub/input -- ./tools/check patterns input",
    ] {
        workshop.reduct(split(words)).run().exits_with(0);
        assert_eq!(workshop.text("sub/input.reduced"), "needle", "{words}");
        fs::remove_file(workshop.path("sub/input.reduced")).unwrap();
    }
    // From another folder, resumed from a third.
    workshop.write("deep/er/file", "");
    workshop.reduct(split("--tests 1 ../sub/input -- ../tools/check ../patterns ../sub/input")).within("deep").run();
    workshop.reduct(["resume", ".."]).within("deep/er").run().exits_with(0);
    assert_eq!(workshop.text("sub/input.reduced"), "needle");
}

#[test]
fn an_input_that_the_command_spells_otherwise_is_the_candidate() {
    let workshop = workbench();
    for words in [
        "sub/input -- ./tools/check patterns ./sub/input",
        "./sub/input -- ./tools/check patterns sub/input",
        "sub//input -- ./tools/check patterns sub/input",
        "sub/../sub/input -- ./tools/check patterns sub/input",
    ] {
        workshop.reduct(split(words)).run().exits_with(0);
        assert_eq!(workshop.text("sub/input.reduced"), "needle", "{words}");
        fs::remove_file(workshop.path("sub/input.reduced")).unwrap();
    }
}

#[test]
fn an_input_that_the_command_names_in_full_is_the_candidate_or_is_told_of() {
    let workshop = workshop();
    let input = workshop.path("input");
    let words = [OsStr::new("input"), "--".as_ref(), "grep".as_ref(), "-q".as_ref(), "needle".as_ref(), input.as_ref()];
    let done = workshop.reduct(words).run();
    if done.status == 0 {
        assert_eq!(workshop.text("input.reduced"), "needle");
    } else {
        // It saw the whole input each time, whatever the candidate.
        done.exits_with(2).says("the failure occurs on an empty input too").does_not_say("--arg");
    }
}

#[test]
fn of_a_folder_with_many_files_only_one_is_left() {
    let workshop = Workshop::new();
    for n in 0..150 {
        workshop.write(format!("project/{}/{n}.c", n % 7), format!("int f{n};\n"));
    }
    workshop.write("project/.reduct/0001/journal", "not part of it");
    workshop.script("test.sh", "echo >>\"$LOG\"; [ ! -e project/.reduct ] && grep -rq 'f77;' project");
    workshop.reduct(split("-j1 ./test.sh project")).run().exits_with(0);
    let files = files_below(&workshop.path("project.reduced"));
    assert_eq!(files.into_iter().collect::<Vec<_>>(), [("0/77.c".into(), b"f77;".to_vec())]);
    assert!(workshop.runs().len() < 80, "{} runs", workshop.runs().len());
    workshop.reduct(["verify"]).run().exits_with(0);
}

#[test]
fn a_folder_from_within() {
    let workshop = Workshop::new();
    workshop.write("project/a", "needle\nx\n");
    workshop.write("project/b", "y\n");
    workshop.script("test.sh", "grep -rq needle .");
    workshop.reduct(["../test.sh", "."]).within("project").run().exits_with(0);
    let files = files_below(&workshop.path("project.reduced"));
    assert_eq!(files.into_iter().collect::<Vec<_>>(), [("a".into(), b"needle".to_vec())]);
}

#[test]
fn several_files_are_reduced_together() {
    let workshop = Workshop::new();
    workshop.write("a.txt", "one\nalpha\n");
    workshop.write("sub/b.txt", "two\nbeta\n");
    workshop.write("c.txt", "three\n");
    workshop.script("test.sh", "cat \"$@\" 2>/dev/null | grep -q alpha && grep -q beta b.txt");
    for words in ["a.txt sub/b.txt c.txt -- ./test.sh a.txt c.txt", "--force a.txt sub/b.txt c.txt -- ./test.sh a.txt"]
    {
        workshop.reduct(split(words)).run().exits_with(0);
        let files = files_below(&workshop.path("reduced"));
        let expected = [("a.txt".into(), b"alpha".to_vec()), ("b.txt".into(), b"beta".to_vec())];
        assert_eq!(files.into_iter().collect::<Vec<(PathBuf, _)>>(), expected, "{words}");
    }
    workshop.reduct(["verify"]).run().exits_with(0);
}

#[test]
fn an_input_that_is_a_link_is_what_it_points_to() {
    let workshop = workshop();
    std::os::unix::fs::symlink("input", workshop.path("link")).unwrap();
    workshop.script("test.sh", "grep -q needle link");
    workshop.reduct(["--in-place", "./test.sh", "link"]).run().exits_with(0);
    assert!(fs::symlink_metadata(workshop.path("link")).unwrap().is_symlink(), "it stays one");
    assert_eq!(workshop.text("link"), "needle");
    let kept = workshop.names().into_iter().find(|name| name.ends_with(".orig")).expect("the original is kept");
    assert!(workshop.text(kept).starts_with("one\n"));
}

#[test]
fn a_claim_is_checked() {
    let workshop = workshop();
    workshop.reduct(["./test.sh", "input"]).run().exits_with(0);
    let checked = workshop.reduct(["verify"]).run().exits_with(0);
    checked.says("is 1-minimal in");
    workshop.write("input.reduced", "nothing");
    workshop.reduct(["verify"]).run().exits_with(1).says("does not fail");
    workshop.write("input.reduced", "more\nneedle");
    workshop.reduct(["verify"]).run().exits_with(1).says("can be smaller");
    workshop.write("input.reduced", "needle");
    workshop.reduct(["verify"]).run().exits_with(0);
    fs::remove_file(workshop.path("input.reduced")).unwrap();
    workshop.reduct(["verify"]).run().exits_with(2).says("input.reduced");
}

#[test]
fn colours_are_where_they_should_be() {
    let workshop = workshop();
    workshop.write("input", "a needle b\n");
    let done = workshop.reduct(["--color", "auto", "./test.sh", "input"]).run().exits_with(0);
    assert!(!done.stderr.contains('\x1b'));
    for (words, no_color, colored) in [
        ("log", "", false),
        ("log --color never", "", false),
        ("log --color always", "", true),
        ("log --color always", "1", true),
        ("log --color auto", "1", false),
    ] {
        let done = workshop.reduct(split(words)).env("NO_COLOR", no_color).run().exits_with(0);
        assert_eq!(done.stdout.contains('\x1b'), colored, "{words} NO_COLOR={no_color}: {}", done.stdout);
        assert!(done.stdout.contains("Result:"));
    }
}

#[test]
fn quiet_says_the_end_only() {
    let workshop = workshop();
    for option in ["-q", "--quiet"] {
        let done = workshop.reduct([option, "./test.sh", "input"]).run().exits_with(0);
        assert_eq!(done.stderr.lines().count(), 2, "{}", done.stderr);
        done.says("Failure: the test exits with 0").says("the result is input.reduced");
    }
    let done = workshop.reduct(["--plain", "./test.sh", "input"]).run().exits_with(0);
    assert!(done.stdout.is_empty());
    done.says("Proved: 1-minimal in");
}

#[test]
fn who_stops_listening_stops_nothing() {
    let workshop = workshop();
    workshop.shell("\"$REDUCT\" ./test.sh input 2>&1 | head -1; \"$REDUCT\" log | head -1").run().exits_with(0);
    workshop.eventually("the result is there", || match fs::read(workshop.path("input.reduced")) {
        Ok(bytes) if bytes == b"needle" => Ok(()),
        other => Err(format!("{other:?}")),
    });
    workshop.shell("\"$REDUCT\" ./test.sh input 2>&- >&- <&-").run().exits_with(0);
    workshop.shell("\"$REDUCT\" ./test.sh input 2>/dev/full >/dev/full").run().exits_with(0);
    let log = workshop.shell("\"$REDUCT\" log >/dev/full").run();
    assert_eq!(log.status, 2, "{log:?}");
    log.says("No space left");
}

#[test]
fn events_that_cannot_be_kept_end_it_cleanly() {
    let workshop = workshop();
    let done = workshop.reduct(split("--events /dev/full --patience 0s ./test.sh input")).run().exits_with(4);
    done.says("No space left").does_not_say("panicked");
    assert!(!workshop.exists("input.reduced") || workshop.text("input.reduced").contains("needle"));
    // Events that nobody reads to the end are nobody's loss.
    let line = "mkfifo events; head -c 10 <events >/dev/null & exec \"$REDUCT\" --events events ./test.sh input";
    workshop.shell(line).run().exits_with(0);
    assert_eq!(workshop.text("input.reduced"), "needle");
}

#[test]
fn what_is_written_is_whole_and_only_what_should_be() {
    let workshop = workshop();
    workshop.reduct(["./test.sh", "input"]).run().exits_with(0);
    assert_eq!(workshop.names(), ["input", "input.reduced", "test.sh"]);
    assert_eq!(listed(&workshop.run_folder()), ["input", "journal"]);
}

/// Nothing says where the candidate is, so the test never sees it.
#[test]
fn a_command_that_names_no_input_is_told_how_it_gets_one() {
    let workshop = Workshop::new();
    workshop.write("a.in", "one\nneedle\n");
    workshop.script("calc", "exit 3");
    let done = workshop.reduct(split("a.in -- ./calc")).run();
    assert!([2, 3].contains(&done.status), "{done:?}");
    done.says("the command does not name the input").says("--stdin (the contents go to standard input)").says("a.in");
    for words in ["a.in -- ./calc {}", "a.in -- ./calc a.in", "--stdin a.in -- ./calc", "--arg a.in -- ./calc"] {
        workshop.reduct(split(words)).run().does_not_say("does not name the input");
    }
}

#[test]
fn an_input_is_named_by_a_line_with_escapes_and_quotes_too() {
    let workshop = Workshop::new();
    let name = "my prog (1).vm";
    workshop.write(name, "one\nneedle\n");
    // It fails on everything, so that it is refused, and said why.
    for line in [r"cat <my\ prog\ \(1\).vm >x; exit 3", "cat <'my prog'\\ \"(1).vm\" >x; exit 3"] {
        let done = workshop.reduct([name, "-c", line]).run().exits_with(2);
        done.says("the failure occurs on an empty input too").does_not_say("does not name the input");
    }
    workshop
        .reduct([name, "-c", "cat <my* >x; exit 3"])
        .run()
        .exits_with(2)
        .says("the command does not name the input");
    // In full, it is the candidate.
    let full = workshop.path(r"my\ prog\ \(1\).vm").display().to_string();
    let line = format!("! grep -q needle {full}");
    workshop.reduct(["--by", "lines", name, "-c", &line]).run().exits_with(0);
    assert_eq!(workshop.text("my prog (1).reduced.vm"), "needle\n");
}

#[test]
fn only_what_a_shell_gets_behind_c_is_a_line() {
    let workshop = Workshop::new();
    workshop.write("in.txt", "one\nneedle\n");
    workshop.write("conf", "needle\n");
    workshop.script("p.sh", "[ \"$1\" = -c ] && grep -qf \"$2\" \"$3\" && exit 3; exit 0");
    workshop.reduct(split("in.txt --bare --by lines -- ./p.sh -c conf in.txt")).run().exits_with(0);
    assert_eq!(workshop.text("in.reduced.txt"), "needle\n");
}

#[test]
fn a_command_in_one_word_a_link_to_nothing_and_a_success_are_told_of() {
    let workshop = Workshop::new();
    workshop.write("in.txt", "one\n");
    workshop.script("t.sh", "exit 0");
    for line in ["./t.sh in.txt", "sh t.sh in.txt"] {
        let done = workshop.reduct(["in.txt", "--", line]).run().exits_with(2);
        done.says("that is one word, with blanks in it").says(&format!("-c '{line}'"));
    }
    workshop.reduct(["in.txt", "--", "./no.sh in.txt"]).run().exits_with(2).does_not_say("that is one word");
    std::os::unix::fs::symlink("nowhere", workshop.path("link")).unwrap();
    let done = workshop.reduct(split("link -- ./t.sh link")).run();
    done.says("link is a link that leads nowhere: to nowhere");
    for test in ["exit 0", "cat in.txt"] {
        workshop.script("t.sh", test);
        let done = workshop.reduct(split("in.txt -- ./t.sh in.txt")).run().exits_with(2);
        done.says("exit status 0 counts as the failure, as in scripts for other reducers");
        let done = workshop.reduct(split("in.txt --fails-if exit=0 -- ./t.sh in.txt")).run().exits_with(2);
        done.does_not_say("scripts for other reducers");
    }
}

#[test]
fn quiet_is_quiet_about_other_failures_too() {
    let workshop = Workshop::new();
    workshop.write("input", "one\nneedle\nother\n");
    let test = "grep -q needle input && { echo 'assertion failed: needle' >&2; exit 1; }; \
        [ -s input ] && kill -ABRT $$; exit 0";
    let done = workshop.reduct(["-q", "-c", test, "input"]).run().exits_with(0);
    assert_eq!(done.stderr.lines().count(), 2, "{}", done.stderr);
    let done = workshop.reduct(["--no-cache", "-c", test, "input"]).run().exits_with(0).says("Another failure was met");
    assert_eq!(done.stderr.matches("Failure: ").count(), 1, "{}", done.stderr);
}

#[test]
fn a_result_that_another_run_has_replaced_is_said_to_be_another() {
    let workshop = Workshop::new();
    workshop.write("input", "aaa\nbbb\n");
    for word in ["aaa", "bbb"] {
        let line = format!("grep -q {word} input");
        workshop.reduct(["input", "-c", &line]).run().exits_with(0);
    }
    let runs = listed(&workshop.path(".reduct"));
    let first = runs.iter().find(|name| name.starts_with("0001")).unwrap();
    let said = "another run has replaced it";
    workshop.reduct(["verify", &format!(".reduct/{first}")]).run().exits_with(1).says("does not fail").says(said);
    workshop.reduct(["verify"]).run().exits_with(0).does_not_say(said);
    refused(&Workshop::with_page(), workshop.reduct(["input", "--timeout", "0s", "-c", "true"]).run(), &["no time"]);
}
