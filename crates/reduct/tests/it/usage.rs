//! Every option, and the forms of a command line.

use crate::workshop::{Done, Workshop, listed};
use std::fs;
use std::path::Path;

pub(crate) const NEEDLE: &str = "echo >>\"$LOG\"\ngrep -q needle input";

/// A file of some lines, of which one holds the needle, and a script that looks for it.
pub(crate) fn workshop() -> Workshop {
    let workshop = Workshop::new();
    workshop.write("input", "one\ntwo (three, four)\nfive needle six\nseven\n");
    workshop.script("test.sh", NEEDLE);
    workshop
}

pub(crate) fn split(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

/// Refused: nothing is written, and it is said what to do.
#[track_caller]
pub(crate) fn refused(workshop: &Workshop, done: Done, says: &[&str]) {
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
            // What is proved follows from what can go: some of the kinds for all.
            if option == "--by" && value.len().is_multiple_of(2) {
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
