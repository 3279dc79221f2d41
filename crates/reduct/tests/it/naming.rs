//! How a command names its input, and what inputs there can be.

use crate::usage::{split, workshop};
use crate::workshop::{Workshop, files_below};
use std::ffi::OsStr;
use std::fs;
use std::path::PathBuf;

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
