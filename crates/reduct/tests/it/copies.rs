//! The copies of a project in which tests run: what the user does to the project meanwhile is not in them, and no test
//! finds what another one did.

use crate::workshop::Workshop;
use rustix::process::Signal;
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;

fn split(words: &str) -> impl Iterator<Item = &str> {
    words.split_whitespace()
}

const INPUT: &str = "one\ntwo\nneedle\nfour\nfive\nsix\nseven\neight\n";

/// An input, and a test that finds in it what stands in a file beside it.
fn with_words() -> Workshop {
    let workshop = Workshop::new();
    workshop.write("in.txt", INPUT);
    workshop.write("words", "needle\n");
    workshop.script("t.sh", "grep -qf words in.txt");
    workshop
}

#[test]
fn what_is_printed_may_go_to_a_file_of_the_project() {
    for line in [
        "\"$REDUCT\" --in . in.txt -- ./t.sh >out.log 2>err.log",
        "\"$REDUCT\" --in . in.txt -- ./t.sh 2>&1 | tee out.log",
        "\"$REDUCT\" --in . --events events in.txt -- ./t.sh >out.log 2>&1",
    ] {
        let workshop = with_words();
        workshop.shell(line).run().exits_with(0);
        assert_eq!(workshop.text("in.reduced.txt"), "needle", "{line}");
        let said = workshop.text("out.log") + &workshop.shell("cat err.log").run().stdout;
        assert!(said.contains("Proved") && !said.contains("Trouble") && !said.contains("Changed since"), "{said}");
    }
}

#[test]
fn a_file_that_is_edited_during_a_run_is_tested_as_it_was() {
    let workshop = with_words();
    // Each test does to the original what a user might: a slot that is laid later would find it.
    workshop.script("t.sh", "echo edited >\"$H/words\"; rm -f \"$H/gone\"; [ -e gone ] && grep -qf words in.txt");
    workshop.write("gone", "x\n");
    let words = "-j2 --in . in.txt -- ./t.sh";
    let done = workshop.reduct(split(words)).env("H", workshop.home()).run().exits_with(0);
    done.says("Changed in your folder since the run began, and not in its copies: gone, words.");
    assert_eq!(workshop.text("in.reduced.txt"), "needle");
}

#[test]
fn modes_times_and_other_names_of_files_are_undone() {
    let workshop = with_words();
    for name in ["linked", "replaced", "other", "through", "sub/file"] {
        workshop.write(name, "once\n");
    }
    workshop.script("prog", "true");
    fs::set_permissions(workshop.path("sub"), Permissions::from_mode(0o755)).unwrap();
    workshop.shell("touch -d @1000000000 sub sub/file").run().exits_with(0);
    let test = "for f in linked replaced other through; do [ \"$(cat $f)\" = once ] || exit 125; done\n\
                [ \"$(stat -c '%a %Y' sub)\" = '755 1000000000' ] && [ \"$(stat -c %Y sub/file)\" = 1000000000 ] || exit 125\n\
                ./prog && [ ! -e name ] || exit 125\n\
                ln linked name; echo more >>name\n\
                ln -f replaced other; echo more >>other\n\
                ln through name2; echo more >>name2; rm name2\n\
                chmod -x prog; touch sub/file sub; chmod 000 sub\n\
                grep -qf words in.txt";
    workshop.script("t.sh", test);
    workshop.reduct(split("-j1 --in . in.txt -- ./t.sh")).run().exits_with(0);
    assert_eq!(workshop.text("in.reduced.txt"), "needle");
}

#[test]
fn what_was_written_by_a_name_that_nobody_watched_is_undone() {
    for line in [
        "mkdir d; ln data d/x; echo more >>d/x; rm -r d",
        "mkdir -p d/e; ln data d/e/x; echo more >>d/e/x; rm d/e/x",
        "ln data \"$TMPDIR/x\"; echo more >>\"$TMPDIR/x\"",
        "ln data \"$TMPDIR/x\"; echo more >>\"$TMPDIR/x\"; rm \"$TMPDIR/x\"",
    ] {
        let workshop = with_words();
        workshop.write("data", "once\n");
        workshop.script("t.sh", &format!("[ \"$(cat data)\" = once ] || exit 125\n{line}\ngrep -qf words in.txt"));
        // Few files are all looked at after each test, many only for a reason.
        for many in [0, 300] {
            (0..many).for_each(|n| drop(workshop.write(format!("file{n}"), "")));
            workshop.reduct(split("-j1 --in . --force in.txt -- ./t.sh")).run().exits_with(0);
            assert_eq!(workshop.text("in.reduced.txt"), "needle", "{line}");
        }
    }
}

#[test]
fn what_the_user_may_not_read_is_left_out_and_stops_nothing() {
    let workshop = with_words();
    workshop.write("secret", "x");
    fs::set_permissions(workshop.path("secret"), Permissions::from_mode(0o000)).unwrap();
    // Root reads it all the same, unless it gives up that right.
    let line = "set -- \"$REDUCT\" --in . in.txt -- ./t.sh\n\
                [ \"$(id -u)\" != 0 ] || set -- setpriv --bounding-set -dac_override,-dac_read_search \"$@\"\n\
                exec \"$@\"";
    let done = workshop.shell(line).run().exits_with(0);
    done.says("secret cannot be read: it is left out of the copy.").does_not_say("Trouble");
    assert_eq!(workshop.text("in.reduced.txt"), "needle");
}

#[test]
fn what_is_added_to_the_project_has_a_resumed_run_start_over() {
    let workshop = with_words();
    workshop.write("in.txt", "one\ntwo\nneedle\nfour\n");
    workshop.script("t.sh", "for f in words*; do grep -qf $f in.txt || exit 1; done");
    workshop.reduct(split("-j1 --tests 3 --in . --by lines in.txt -- ./t.sh")).run().exits_with(4);
    workshop.write("words.more", "four\n");
    workshop
        .reduct(["resume"])
        .run()
        .exits_with(0)
        .says("the outcomes so far are thrown away, and the run starts over");
    assert_eq!(workshop.text("in.reduced.txt"), "needle\nfour\n");
}

#[test]
fn a_file_of_the_project_counts_for_a_resumed_run_if_the_test_looks_at_it() {
    // It does not open it, but asks how old it is.
    let test = "[ asked -nt words ] && exit 125\ngrep -qf words in.txt";
    for (changed, looks) in [("asked", true), ("sub/notes", false)] {
        let workshop = with_words();
        workshop.write("asked", "");
        workshop.write("sub/notes", "x");
        workshop.shell("touch -d 2001-01-01 asked words sub/notes").run().exits_with(0);
        workshop.script("t.sh", test);
        workshop.reduct(split("-j1 --tests 3 --in . --by lines in.txt -- ./t.sh")).run().exits_with(4);
        workshop.shell(&format!("echo needle >>{changed}; touch -d 2001-01-01 {changed}")).run().exits_with(0);
        let resumed = workshop.reduct(["resume"]).run().exits_with(0);
        if looks {
            resumed.says(&format!("Changed since: {changed}: the outcomes so far are thrown away"));
        } else {
            resumed
                .says("the test does not look at it: sub/notes.")
                .says("outcomes known from earlier")
                .does_not_say("starts over");
        }
        assert_eq!(workshop.text("in.reduced.txt"), "needle\n");
    }
}

#[test]
fn logs_of_a_run_have_it_not_start_over() {
    // What is the shell's, what is the run's own, and what is written by the test.
    for own in ["--events events", "--in-place"] {
        let workshop = with_words();
        workshop.script("t.sh", "echo run >>\"$H/test.log\"; grep -qf words in.txt");
        let line = format!(
            "\"$REDUCT\" -j1 --tests 3 {own} --in . in.txt -- ./t.sh >out.log 2>&1\n\"$REDUCT\" resume >>out.log 2>&1"
        );
        workshop.shell(&line).env("H", workshop.home()).run().exits_with(0);
        let said = workshop.text("out.log");
        assert!(said.contains("Proved") && !said.contains("starts over"), "{own}: {said}");
    }
}

#[test]
fn a_run_in_a_project_that_is_killed_leaves_nothing() {
    let workshop = with_words();
    workshop.script("t.sh", "grep -qf words in.txt || exit 1; [ -s in.txt ] && echo run >>\"$LOG\"; sleep 1000");
    let words = "-j2 --timeout 1000s --scratch ../scratch --in . in.txt -- ./t.sh";
    let mut running = workshop.reduct(split(words)).start();
    assert!(workshop.wait_for_runs(1, &mut running));
    running.process().kill(Signal::KILL);
    workshop.expect_no_process();
    workshop.expect_no_scratch();
}

#[test]
fn what_stands_at_the_place_of_the_result_is_the_result_or_that_is_said() {
    let workshop = with_words();
    workshop.script("t.sh", "echo other >\"$H/in.reduced.txt\"; grep -q needle in.txt");
    let done = workshop.reduct(split("--bare --by lines ./t.sh in.txt")).env("H", workshop.home()).run().exits_with(4);
    done.says("NOT confirmed: it failed in 5 of 5 more runs, but something else stands at the place of the result.")
        .says("Proved: nothing: something else stands at its place.")
        .does_not_say("flaky");
}

#[test]
fn where_no_pass_has_an_edit_that_is_said() {
    let workshop = with_words();
    let done = workshop.reduct(split("--in . --by aliases ./t.sh in.txt")).run();
    done.exits_with(0).says("the passes know no edit").does_not_say("none of 0");
}

#[test]
fn a_comparison_says_that_it_was_confirmed() {
    let workshop = with_words();
    workshop.write("good.txt", "one\n");
    let words = ["isolate", "good.txt", "in.txt", "-c", "! grep -q needle *.txt"];
    workshop.reduct(words).run().exits_with(0).says("Confirmed: one more run showed the same.");
}

#[test]
fn a_file_of_the_project_above_the_user_is_none_that_a_test_has_made() {
    let workshop = Workshop::new();
    let main = "import os, sys\nsys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))\nimport check\n\
                check.check(open('in.txt').read())\n";
    workshop.write("lib/main.py", main);
    let check = "def check(text):\n    if 'alpha' in text and 'beta' in text:\n        raise ValueError('bad')\n\
                 \x20   if 'alpha' in text:\n        raise ValueError('bad')\n";
    workshop.write("lib/check.py", check);
    workshop.write("sub/in.txt", "one\nalpha\nbeta\ntwo\n");
    let words = "--in .. --by lines in.txt -- python3 ../lib/main.py";
    workshop.reduct(split(words)).within("sub").run().exits_with(0).says("ValueError");
    // The other line of that file is another failure.
    assert_eq!(workshop.text("sub/in.reduced.txt"), "alpha\nbeta\n");
}

/// What a build makes beside its sources is not made again by the next test that finds it.
#[test]
fn what_a_test_makes_in_a_folder_that_is_reduced_is_found_by_no_other() {
    let workshop = Workshop::new();
    workshop.write("in/a", "needle\n");
    workshop.write("in/b", "other\n");
    workshop
        .script("t.sh", "cd in || exit 125; [ -e made ] || { grep -q needle a && cp a made; }; grep -q needle made");
    workshop.reduct(split("-j1 --in . in -- ./t.sh")).run().exits_with(0).says("Proved");
    assert_eq!(workshop.text("in.reduced/a"), "needle");
    workshop.reduct(["verify"]).run().exits_with(0);
}

/// A folder that a test makes anew, as for a clean build, is another one than was there before.
#[test]
fn what_a_test_makes_in_a_folder_that_it_has_made_itself_is_found_by_no_other() {
    for made in ["mkdir -p in/d", "rm -rf in/d; mkdir in/d"] {
        let workshop = Workshop::new();
        workshop.write("in/a", "needle\n");
        workshop.write("in/d/b", "other\n");
        let test = format!(
            "[ -e in/d/x ] && exit 3\nhas=; [ -e in/d/b ] && has=1\n{made}\n[ $has ] && touch in/d/x\ngrep -q needle in/a"
        );
        workshop.script("t.sh", &test);
        workshop.reduct(split("-j1 --in . in -- ./t.sh")).run().exits_with(0).says("Proved");
        assert_eq!(workshop.text("in.reduced/a"), "needle", "{made}");
        workshop.reduct(["verify"]).run().exits_with(0);
    }
}

/// Where it is outside of the input, it stays: a build of the project goes on where it was.
#[test]
fn a_result_is_confirmed_where_nothing_stands_that_other_tests_have_made() {
    let workshop = Workshop::new();
    workshop.write("in.txt", "one\nneedle\nthree\n");
    workshop.script(
        "t.sh",
        "[ -s in.txt ] || exit 125\n[ -e made ] || { grep -q needle in.txt && echo x >made; }; [ -e made ]",
    );
    let done = workshop.reduct(split("-j1 --in . in.txt -- ./t.sh")).run().exits_with(4);
    done.says("the run went back by").says("These runs had fresh copies of the project").does_not_say("Proved");
    assert!(workshop.text("in.reduced.txt").contains("needle"));
    workshop.reduct(["verify"]).run().exits_with(0);
}
