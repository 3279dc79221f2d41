//! Where a test runs: in a bare folder, or in a copy of the project that the input belongs to; and what the words of a
//! command name there.

use crate::workshop::{Workshop, files_below, listed};
use rustix::process::Signal;
use std::ffi::OsString;
use std::fs::File;
use std::os::unix::fs::symlink;

const HELPER: &str = "def share(total, people):\n    return total / people\n";

const MAIN: &str =
    "import helper\nprint('start')\nfor i in [1, 2, 3]:\n    print(i)\nhelper.share(10, 0)\nprint('end')\n";

/// A program that divides by zero in a module beside it.
fn divides_by_zero() -> Workshop {
    let workshop = Workshop::new();
    workshop.write("helper.py", HELPER);
    workshop.write("main.py", MAIN);
    workshop
}

pub(crate) fn split(words: &str) -> impl Iterator<Item = &str> {
    words.split_whitespace()
}

#[test]
fn what_imports_a_module_beside_it_keeps_its_own_failure() {
    let workshop = divides_by_zero();
    let done = workshop.reduct(split("main.py -- python3 main.py")).run().exits_with(0);
    done.says("The test runs in a copy of")
        .says("ModuleNotFoundError: No module named")
        .says("ZeroDivisionError: division by zero");
    let by_hand = workshop.shell("cp main.reduced.py main.py; python3 main.py").run();
    by_hand.exits_with(1).says("ZeroDivisionError");
    assert!(workshop.read("main.reduced.py").len() < MAIN.len() / 2, "{}", workshop.text("main.reduced.py"));
    assert_eq!(workshop.text("helper.py"), HELPER);
    workshop.reduct(["verify"]).run().exits_with(0);
}

#[test]
fn in_a_bare_folder_it_is_what_it_is_there() {
    let workshop = divides_by_zero();
    let done = workshop.reduct(split("-q --bare main.py -- python3 main.py")).run().exits_with(0);
    // With -q, too, the line says what was taken for the failure.
    done.says("Failure: exit status 1 saying “ModuleNotFoundError");
    // No module has the shortest name either.
    assert_eq!(workshop.text("main.reduced.py").trim(), "import a");
}

#[test]
fn a_script_that_needs_a_file_beside_it_finds_it() {
    for words in ["./test.sh input", "input -- ./test.sh", "--in . ./test.sh input"] {
        let workshop = Workshop::new();
        workshop.write("input", "a\nneedle\nb\n");
        workshop.write("words", "needle\n");
        workshop.script("test.sh", "grep -qf words input");
        workshop.reduct(split(words)).run().exits_with(0).says("Tests ran in copies of");
        assert_eq!(workshop.text("input.reduced"), "needle", "{words}");
    }
}

#[test]
fn what_includes_a_header_beside_it_keeps_its_own_failure() {
    for command in ["gcc -o m m.c && ./m", "gcc -o m m.c; ./m"] {
        let workshop = Workshop::new();
        workshop.write("util.h", "#define LIMIT 3\nint check(int);\n");
        let source = "#include \"util.h\"\n#include <assert.h>\nint check(int x) { return x < LIMIT; }\n\
                      int main(void) {\n  check(1);\n  assert(check(5));\n  return 0;\n}\n";
        workshop.write("m.c", source);
        workshop.reduct(["--by", "lines", "m.c", "-c", command]).run().exits_with(0).says("assertion in m.c");
        let left = workshop.text("m.reduced.c");
        // What a candidate before has left, which did compile, is not run for one that does not.
        assert!(left.contains("assert(check(5))") && !left.contains("check(1)"), "{command}: {left}");
        assert_eq!(workshop.names(), ["m.c", "m.reduced.c", "util.h"]);
    }
}

/// A package whose test reads a fixture, in which there is a user without a name among many.
fn with_a_fixture() -> Workshop {
    let workshop = Workshop::new();
    workshop.write("app.py", "def name(user):\n    return user['name'].strip()\n");
    workshop.write("tests/__init__.py", "");
    let test = "import json, os, unittest, app\n\
                class Names(unittest.TestCase):\n    def test_all(self):\n        \
                with open(os.path.join('tests', 'data', 'users.json')) as f:\n            users = json.load(f)\n        \
                self.assertEqual([], [user['id'] for user in users if not app.name(user)])\n";
    workshop.write("tests/test_app.py", test);
    let users: Vec<String> =
        (0..8).map(|n| format!(r#"{{"id": {n}, "name": "{}"}}"#, if n == 5 { "" } else { "x" })).collect();
    workshop.write("tests/data/users.json", format!("[{}]", users.join(",\n")));
    workshop
}

#[test]
fn a_fixture_is_reduced_from_inside_its_project() {
    let workshop = with_a_fixture();
    let words = "--by nodes tests/data/users.json -- python3 -m unittest -q tests.test_app";
    let done = workshop.reduct(split(words)).run().exits_with(0);
    done.says("The test runs in a copy of").says("AssertionError");
    let left: serde_json::Value = serde_json::from_slice(&workshop.read("tests/data/users.reduced.json")).unwrap();
    let names: Vec<_> = left.as_array().unwrap().iter().map(|user| user["name"].as_str().unwrap().to_owned()).collect();
    assert_eq!(names, [""]);
}

#[test]
fn all_circumstances_are_reduced_where_the_failure_is() {
    let workshop = with_a_fixture();
    let words = "all --whole tests/data/users.json -- python3 -m unittest -q tests.test_app";
    let done = workshop.reduct(split(words)).env("PATH", std::env::var_os("PATH").unwrap()).run().exits_with(0);
    done.says("AssertionError").says("1 matters: tests/data/users.json");
}

#[test]
fn what_a_command_does_to_a_file_in_an_input_it_does_to_the_candidate() {
    let workshop = Workshop::new();
    workshop.write("src/main.c", "int main(void) { return 0; } /* needle */\n");
    workshop.write("src/other.c", "int other;\n");
    let before = files_below(&workshop.path("src"));
    workshop.reduct(split("src -- sed -i s/needle/gone/ src/main.c")).run();
    let full = workshop.path("src/main.c");
    let words = ["src", "--", "sed", "-i", "s/needle/gone/"].map(OsString::from);
    workshop.reduct(words.into_iter().chain([full.clone().into()])).run();
    let line = format!("sed -i s/needle/gone/ {}", full.display());
    workshop.reduct(["src", "-c", &line]).run();
    assert_eq!(files_below(&workshop.path("src")), before);
}

#[test]
fn a_file_in_an_input_is_the_candidates_however_it_is_named() {
    let workshop = Workshop::new();
    workshop.write("sub/pj/c.txt", "x\nBOOM\ny\n");
    workshop.write("sub/pj/d.txt", "z\n");
    symlink("sub/pj", workshop.path("link")).unwrap();
    let full = workshop.path("sub/pj/c.txt").display().to_string();
    for named in ["sub/pj/c.txt", "./sub/../sub/pj/c.txt", "../home/sub/pj/c.txt", "link/c.txt", &full] {
        workshop.reduct(["--force", "sub/pj", "--", "grep", "-q", "BOOM", named]).run().exits_with(0);
        let left = files_below(&workshop.path("sub/pj.reduced"));
        assert_eq!(left.into_values().collect::<Vec<_>>(), [b"BOOM".to_vec()], "{named}");
    }
    let line = format!("grep -q BOOM '{full}'");
    workshop.reduct(["--force", "sub/pj", "-c", &line]).run().exits_with(0);
    assert_eq!(files_below(&workshop.path("sub/pj.reduced")).len(), 1);
}

#[test]
fn an_input_that_is_the_program_is_the_candidate() {
    let workshop = Workshop::new();
    workshop.script("report", "true one\nkill -SEGV $$\ntrue two");
    let full = workshop.path("report").display().to_string();
    for program in ["./report", &full] {
        workshop.reduct(["--force", "--by", "lines", "report", "--", program]).run().exits_with(0).says("SIGSEGV");
        let left = workshop.text("report.reduced");
        assert!(left.contains("kill -SEGV $$") && !left.contains("true"), "{program}: {left}");
    }
}

#[test]
fn pwd_is_where_the_test_runs() {
    let workshop = Workshop::new();
    workshop.write("in.txt", "a\nneedle\nb\n");
    let line = "test -z \"$OLDPWD\" && python3 -c 'import os; assert \"needle\" in open(os.environ[\"PWD\"] + \"/in.txt\").read()'";
    let call = workshop.reduct(["--bare", "--by", "lines", "in.txt", "--", "env", "-u", "NOTHING", "sh", "-c", line]);
    call.env("OLDPWD", "/").env("PWD", workshop.home()).run().exits_with(0);
    assert_eq!(workshop.text("in.reduced.txt").trim(), "needle");
}

#[test]
fn a_project_can_be_named_from_below_it() {
    let workshop = Workshop::new();
    workshop.write("limit", "needle\n");
    workshop.write("sub/in.txt", "a\nneedle\nb\n");
    let line = "grep -q \"$(cat ../limit)\" in.txt && [ -e ../sub/in.txt ]";
    let call = workshop.reduct(["--in", "..", "in.txt", "-c", line]).within(workshop.path("sub"));
    call.run().exits_with(0).does_not_say("panicked");
    assert_eq!(workshop.text("sub/in.reduced.txt"), "needle");
    let call = workshop.reduct(["--in", "sub", "limit", "-c", "true"]);
    call.run().exits_with(2).says("the input does not stand in").says("--in");
    workshop.reduct(["--in", "limit", "limit", "-c", "true"]).run().exits_with(2).says("is no folder");
    workshop.reduct(["--in", ".", "--bare", "limit", "-c", "true"]).run().exits_with(2);
}

/// A file of more bytes than are copied unasked: a hole, which takes no room; nobody is to read it.
fn grow(workshop: &Workshop) {
    File::create(workshop.path("large")).unwrap().set_len(600 << 20).unwrap();
}

#[test]
fn what_is_missing_in_a_bare_folder_is_not_reduced_where_the_project_is_too_large() {
    let workshop = divides_by_zero();
    grow(&workshop);
    let done = workshop.reduct(split("main.py -- python3 main.py")).run().exits_with(2);
    done.says("is too large to be copied for a look: it has more than 512 MB")
        .says("No module named 'helper'")
        .says("--in DIR")
        .says("--bare");
    assert!(!workshop.exists("main.reduced.py"));
    workshop.write("names.sh", "echo \"bad input, see docs/rules.txt\" >&2; exit 3\n");
    workshop.write("docs/rules.txt", "rules\n");
    workshop.reduct(split("main.py -- sh names.sh main.py")).run().exits_with(2).says("docs/rules.txt");
}

#[test]
fn what_was_not_seen_as_the_project_is_too_large_is_said_at_the_end() {
    let workshop = Workshop::new();
    workshop.write("in.txt", "a\nneedle\nb\n");
    grow(&workshop);
    let done = workshop.reduct(split("in.txt -- grep -q needle in.txt")).run().exits_with(0);
    let (_, end) = done.stderr.split_once("11 → 6 bytes").unwrap();
    assert!(end.contains("Not seen: whether the test needs more of your folder"), "{}", done.stderr);
    assert_eq!(workshop.text("in.reduced.txt"), "needle");
}

#[test]
fn a_run_in_a_project_goes_on_there() {
    let workshop = divides_by_zero();
    workshop.reduct(split("-j1 --tests 5 main.py -- python3 main.py")).run().exits_with(4);
    workshop.reduct(["resume"]).run().exits_with(0).says("ZeroDivisionError").says("Tests ran in copies of");
    workshop.reduct(["verify"]).run().exits_with(0);
    workshop.reduct(["explain"]).run().exits_with(0);
}

#[test]
fn a_comparison_in_a_project_is_made_there() {
    let workshop = divides_by_zero();
    workshop.write("good.py", MAIN.replace("10, 0", "10, 5"));
    let done = workshop.reduct(split("isolate good.py main.py -- python3 main.py")).run().exits_with(0);
    done.says("The test runs in a copy of").says("ZeroDivisionError");
    workshop.reduct(split("minima main.py -- python3 main.py")).run().exits_with(0).says("ZeroDivisionError");
    workshop.reduct(["verify"]).run().exits_with(0);
}

#[test]
fn a_copy_is_laid_once_and_each_test_finds_it_as_it_was() {
    let workshop = Workshop::new();
    workshop.write("in.txt", (0..40).map(|n| format!("{n}\n")).collect::<String>());
    for name in ["beside", "log", "gone/file"] {
        workshop.write(name, "once\n");
    }
    // What was there is as it was: not longer, not gone, not something else. What a test makes is no hindrance.
    // A copy is told by the time too: the number of a file that went is given to a new one.
    let test = "stat -c '%i %z' beside >>\"$LOG\"\n[ $(wc -l <log) -eq 1 ] && [ -f gone/file ] && mkdir -p made/deep || exit 125\n\
                echo twice >>log; rm -r gone; echo >made/deep/product\n\
                grep -qx 17 in.txt && grep -qx 33 in.txt";
    workshop.script("test.sh", test);
    workshop.reduct(split("-j2 --in . --scratch ../scratch --by lines ./test.sh in.txt")).run().exits_with(0);
    assert_eq!(workshop.text("in.reduced.txt"), "17\n33\n");
    let mut copies = workshop.runs();
    // The result is confirmed by five runs, of a copy each.
    let confirming = copies.split_off(copies.len() - 5);
    assert!(copies.len() > 15 && confirming.iter().all(|copy| !copies.contains(copy)), "{copies:?} {confirming:?}");
    copies.sort();
    copies.dedup();
    assert!(copies.len() <= 2, "a copy for each slot: {copies:?}");
    assert_eq!(workshop.text("log"), "once\n");
    assert_eq!(listed(&workshop.path("gone")), ["file"]);
    workshop.expect_no_scratch();
}

#[test]
fn a_command_that_never_opens_its_input_is_told_of() {
    let workshop = Workshop::new();
    workshop.write("in.txt", "needle\n");
    workshop.write("other.txt", "needle\n");
    let done = workshop.reduct(["in.txt", "--", "sh", "-c", "exit 3"]).run().exits_with(2);
    done.says("the command never opened the input").says("exit status 3");
    let done = workshop.reduct(split("in.txt -- grep -q needle other.txt in.txt")).run().exits_with(2);
    done.says("the failure occurs on an empty input too").says("`other.txt` of the command is run as");
}

#[test]
fn no_advice_is_given_that_would_be_refused() {
    let workshop = Workshop::new();
    workshop.write("in.txt", "needle\n");
    workshop.script("test.sh", "[ $# -gt 0 ]");
    let done = workshop.reduct(split("in.txt -- ./test.sh")).run().exits_with(2);
    done.does_not_say("gets the path of the input as its argument");
}

#[test]
fn a_refusal_is_said_before_it_is_explained_and_signals_are_obeyed() {
    let workshop = Workshop::new();
    workshop.write("in.txt", "needle\n");
    workshop.script("test.sh", "[ $# -eq 0 ] || sleep 100000\nexit 1");
    let mut running = workshop.reduct(split("--scratch ../scratch ./test.sh in.txt")).start();
    running.wait_for("the failure does not occur on the whole input. Looking for why");
    running.process().kill(Signal::TERM);
    running.wait().exits_with(3).says("to see it by hand");
    // Nobody interrupts: it ends all the same.
    let words = "--scratch ../scratch ./test.sh in.txt";
    workshop.reduct(split(words)).run().exits_with(3).does_not_say("--arg");
    workshop.expect_no_process();
    workshop.expect_no_scratch();
}

#[test]
fn what_one_candidate_leaves_is_found_by_no_other() {
    let workshop = Workshop::new();
    workshop.write("in.txt", "one\ntwo BOOM\nthree\nfour\n");
    workshop.write("lib.sh", "grep -q BOOM in.txt && touch \"crash-$(md5sum <in.txt | cut -c1-8)\"\n");
    workshop.script(
        "test.sh",
        ". ./lib.sh\nmkdir out || exit 5\nfor f in crash-*; do [ -e \"$f\" ] && { echo crashed >&2; exit 1; }; done\nexit 0",
    );
    for jobs in ["-j1", "-j2"] {
        workshop.reduct(["in.txt", jobs, "--force", "--", "./test.sh"]).run().exits_with(0).says("copy of");
        assert_eq!(workshop.text("in.reduced.txt"), "BOOM", "{jobs}");
    }
}

#[test]
fn a_script_that_hides_what_is_missing_runs_in_its_project() {
    let workshop = Workshop::new();
    workshop.write("in.txt", "a\nneedle\nb\n");
    workshop.script("prog", "! grep -q needle \"$1\"");
    // In a bare folder there is no ./prog, and any byte will do.
    workshop.script("test.sh", "[ -s in.txt ] && ! ./prog in.txt >/dev/null 2>&1");
    let done = workshop.reduct(split("in.txt -- ./test.sh")).run().exits_with(0);
    done.says("The test runs in a copy of").says("it opens prog there");
    assert_eq!(workshop.text("in.reduced.txt"), "needle");
}

#[test]
fn a_script_that_needs_nothing_else_runs_in_a_bare_folder() {
    let workshop = Workshop::new();
    workshop.write("in.txt", "a\nneedle\nb\n");
    workshop.write("other.txt", "needle\n");
    workshop.script("test.sh", "grep -q needle in.txt");
    let done = workshop.reduct(split("in.txt -- ./test.sh")).run().exits_with(0);
    done.does_not_say("copies of").does_not_say("Not seen");
    assert_eq!(workshop.text("in.reduced.txt"), "needle");
}

#[test]
fn what_fails_now_and_then_is_not_taken_for_what_is_missing_in_a_bare_folder() {
    let workshop = Workshop::new();
    workshop.write("in.txt", "a\nneedle\nb\n");
    // Without an input nothing is missing: so that what is missing might be taken for the failure.
    workshop.write("main.sh", "[ -s in.txt ] || exit 0\n. ./helper.sh\n");
    // Every other run fails; the first of all passes, which is the one in the copy.
    let helper = "echo >>\"$LOG\"\nif grep -q needle in.txt && [ $(($(wc -l <\"$LOG\") % 2)) -eq 0 ]; then\n  \
                  echo helper: bad needle >&2; exit 3; fi\n";
    workshop.write("helper.sh", helper);
    let done = workshop.reduct(split("-j1 --repeat --by lines in.txt -- sh main.sh in.txt")).run().exits_with(0);
    done.says("saying “helper: bad").says("The test runs in a copy of");
    assert_eq!(workshop.text("in.reduced.txt"), "needle\n");
    // Without --repeat, it is said to be flaky, and nothing is reduced.
    workshop.forget_runs();
    let done = workshop.reduct(split("-j1 --force --by lines in.txt -- sh main.sh in.txt")).run().exits_with(3);
    done.says("the test is flaky");
}
