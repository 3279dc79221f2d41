//! What the failure is, without a script: where a program dies, how long it takes, what it differs from.
//!
//! These need a C compiler and gdb.

use crate::workshop::{Done, Workshop, files_below};
use std::fs;
use std::process::Command;

/// Dies in one place if the input holds `omega`, in another one if it holds `alpha` too.
const TWO_PLACES: &str = r#"
#include <stdio.h>
#include <string.h>
static int *volatile nowhere;
__attribute__((noinline)) static void write_both(int n) { nowhere[n] = 1; }
__attribute__((noinline)) static void write_one(int n) { nowhere[n] = 2; }
int main(int argc, char **argv) {
    char text[1000] = "";
    FILE *file = argc > 1 ? fopen(argv[1], "r") : stdin;
    fread(text, 1, 999, file);
    if (strstr(text, "omega")) {
        if (strstr(text, "alpha")) write_both(argc); else write_one(argc);
        fclose(file);
    }
    return 0;
}
"#;
const INPUT: &str = "one\nalpha\ntwo\nomega\n";

/// With the program, compiled with these options, and an input that reaches the first place.
fn two_places(options: &[&str]) -> Workshop {
    let workshop = Workshop::new();
    let source = workshop.write("program/two.c", TWO_PLACES);
    let program = workshop.path("program/two");
    let status = Command::new("cc").args(options).arg("-w").arg(&source).arg("-o").arg(&program).status().unwrap();
    assert!(status.success());
    workshop.write("in.txt", INPUT);
    workshop
}

/// The first lines of the other failures that were met.
fn others(workshop: &Workshop) -> Vec<String> {
    let folder = workshop.run_folder().join("others");
    let all = if folder.exists() { files_below(&folder) } else { Default::default() };
    let signatures = all.iter().filter(|(path, _)| path.ends_with("signature.txt"));
    signatures.map(|(_, text)| String::from_utf8_lossy(text).trim().to_owned()).collect()
}

#[test]
fn a_reduction_never_leaves_the_place_where_the_program_dies() {
    for options in [&["-g"][..], &[]] {
        let workshop = two_places(options);
        let done = workshop.reduct(["in.txt", "--by", "lines", "--", "program/two", "{}"]).run().exits_with(0);
        done.says("death by SIGSEGV in write_both ← main");
        assert_eq!(workshop.text("in.reduced.txt"), "alpha\nomega\n", "{options:?}");
        // With debugging information, the line is known as well.
        let place = if options.is_empty() { "" } else { " at two.c:6" };
        assert_eq!(others(&workshop), [format!("death by SIGSEGV in write_one ← main{place}")]);
    }
}

#[test]
fn without_a_backtrace_it_slips() {
    let workshop = two_places(&["-g"]);
    let words = ["in.txt", "--by", "lines", "--no-backtrace", "--", "program/two", "{}"];
    workshop.reduct(words).run().exits_with(0).does_not_say("write_both");
    assert_eq!(workshop.text("in.reduced.txt"), "omega\n");
    assert!(others(&workshop).is_empty());
}

#[test]
fn what_a_shell_starts_dies_in_a_place_too_and_an_interrupted_run_goes_on() {
    let workshop = two_places(&["-g"]);
    let program = workshop.path("program/two").display().to_string();
    let line = format!("{program} <in.txt");
    let words = ["in.txt", "--by", "lines", "--tests", "2", "-c", &line];
    workshop.reduct(words).run().exits_with(4).says("exit status 139").says("in write_both ← main");
    workshop.reduct(["resume"]).run().exits_with(0);
    assert_eq!(workshop.text("in.reduced.txt"), "alpha\nomega\n");
    workshop.reduct(["verify"]).run().exits_with(0);
}

/// A copy of a project beside it has files of the same names: the place is in the one that is reduced.
#[test]
fn the_line_of_a_file_that_is_reduced_is_not_the_failure() {
    let workshop = Workshop::new();
    let source = "int unused;\nint more;\nint main(void) {\n    *(volatile int *)0 = 0;\n}\n";
    for folder in ["project", "copy of it"] {
        workshop.write(format!("{folder}/src/main.c"), source);
    }
    let line = "cd project && cc -g -w src/main.c -o it && exec ./it";
    let words = ["project", "--by", "lines", "--", "bash", "-c", line];
    workshop.reduct(words).run().exits_with(0).says("death by SIGSEGV").does_not_say("main.c:4");
    assert_eq!(workshop.text("project.reduced/src/main.c"), "int main(void) {\n    *(volatile int *)0 = 0;\n}\n");
}

/// Lines of which the status tells nothing of how the program died that they run.
const HIDES: [&str; 2] = ["$H/program/two in.txt || exit 1", "make -s -f $H/Makefile"];

fn behind_another_status(line: &str, options: &[&str]) -> (Workshop, Done) {
    let workshop = two_places(&["-g"]);
    workshop.write("Makefile", "all:\n\t@$(H)/program/two in.txt\n");
    workshop.write("in.txt", "alpha\nomega\n");
    let words = ["in.txt", "--bare", "--by", "lines", "-c", line];
    let done = workshop.reduct(words.iter().chain(options)).env("H", workshop.home()).run().exits_with(0);
    (workshop, done)
}

#[test]
fn that_nobody_knows_where_a_program_died_is_said_first_and_last() {
    for line in HIDES {
        let (workshop, done) = behind_another_status(line, &["--no-backtrace"]);
        let died = "program that the test runs died by SIGSEGV; where is not known, so any such death";
        done.says(&format!("; a {died} counts")).says(&format!("\nA {died} counted.\n"));
        assert_eq!(workshop.text("in.reduced.txt"), "omega\n", "{line}");
    }
}

/// make and the shells in between are followed to the program that dies.
#[test]
fn behind_make_and_another_status_a_program_dies_in_a_place_too() {
    for line in HIDES {
        let (workshop, done) = behind_another_status(line, &[]);
        done.says("in write_both ← main").does_not_say("where is not known");
        assert_eq!(workshop.text("in.reduced.txt"), "alpha\nomega\n", "{line}");
    }
}

#[test]
fn without_gdb_it_is_said_once_and_any_place_will_do() {
    let workshop = two_places(&["-g"]);
    fs::create_dir(workshop.path("empty")).unwrap();
    let words = ["in.txt", "--by", "lines", "--", "program/two", "{}"];
    let done = workshop.reduct(words).env("PATH", workshop.path("empty")).run().exits_with(0);
    let done = done.says("death by SIGSEGV").says("gdb is not installed");
    assert!(done.stderr.matches("gdb is not installed").count() <= 2, "{}", done.stderr);
    assert_eq!(workshop.text("in.reduced.txt"), "omega\n");
}

#[test]
fn a_function_of_the_backtrace_can_be_the_failure() {
    let workshop = two_places(&["-g"]);
    let words = ["in.txt", "--by", "lines", "--fails-if", "frame~^write_both$", "--", "program/two", "{}"];
    workshop.reduct(words).run().exits_with(0);
    assert_eq!(workshop.text("in.reduced.txt"), "alpha\nomega\n");
}

#[test]
fn what_differs_from_another_command_fails_where_that_accepts() {
    let workshop = Workshop::new();
    workshop.write("in.txt", "keep\n12\nab\nCD\n");
    // Upper case is what differs; and the other command wants its word.
    let reference = "grep -q keep in.txt && cat in.txt";
    let words = ["in.txt", "--by", "lines", "--differs-from", reference, "-c", "tr a-j A-J <in.txt"];
    let done = workshop.reduct(words).run().exits_with(0);
    done.says("differs-from grep -q keep in.txt").says("another standard output");
    assert_eq!(workshop.text("in.reduced.txt"), "keep\n");
    // Another program to compare with makes another test: what was seen with the one before is not taken for it.
    let words = ["in.txt", "--by", "lines", "--force", "--differs-from", "./other", "-c", "cat in.txt"];
    for (other, result) in [("sed s/a/x/ in.txt", "ab\n"), ("sed s/p/x/ in.txt", "keep\n")] {
        workshop.script("other", other);
        workshop.reduct(words).run().exits_with(0);
        assert_eq!(workshop.text("in.reduced.txt"), result);
    }
    // The status differs, the output does not.
    workshop.write("st.txt", "a\nb\nc\n");
    let words = ["st.txt", "--by", "lines", "--differs-from", "true", "-c", "! grep -q b st.txt"];
    workshop.reduct(words).run().exits_with(0).says("exit status 1 instead of 0");
    assert_eq!(workshop.text("st.reduced.txt"), "b\n");
}

#[test]
fn a_script_is_replaced_only_if_that_was_said_and_searches_are_no_matter_of_it() {
    let workshop = Workshop::new();
    workshop.write("in.txt", "a\nbad\n");
    let words = ["oracle", "in.txt", "-o", "test.sh", "-c", "! grep bad in.txt"];
    workshop.reduct(words).run().exits_with(0);
    workshop.reduct(words).run().exits_with(2).says("test.sh exists").says("--force");
    workshop.reduct(["oracle", "--force", "in.txt", "-o", "test.sh", "-c", "! grep bad in.txt"]).run().exits_with(0);
    workshop.reduct(["in.txt", "-c", "! grep bad in.txt"]).run().exits_with(0);
    workshop.reduct(["oracle", "--run", ".", "-o", "test.sh"]).run().exits_with(2).says("--force");
    workshop.reduct(["oracle", "--run", ".", "-o", "test.sh", "--force"]).run().exits_with(0);
    let help = workshop.reduct(["oracle", "--help"]).run().exits_with(0);
    for option in ["--tests", "--stall", "--until-granularity", "--jobs", "--no-cache"] {
        assert!(!help.stdout.contains(option), "{option}: {}", help.stdout);
    }
    workshop.reduct(["oracle", "in.txt", "--tests", "3", "-c", "false"]).run().exits_with(2).says("are for searches");
}

#[test]
fn what_takes_too_much_fails_by_processor_time_and_by_memory() {
    let workshop = Workshop::new();
    workshop.write("in.txt", "a\nslow\nlarge\nb\n");
    workshop.script(
        "test.sh",
        "if grep -q slow in.txt; then i=0; while [ $i -lt 100000 ]; do i=$((i+1)); done; fi\n\
         if grep -q large in.txt; then head -c 60000000 /dev/zero | tail -n 1 | wc -c; fi\nexit 0",
    );
    for (condition, result) in [("slower-than=30ms", "slow\n"), ("memory-over=40M", "large\n")] {
        let words = ["in.txt", "--by", "lines", "--force", "--fails-if", condition, "--", "./test.sh"];
        workshop.reduct(words).run().exits_with(0).says(condition);
        assert_eq!(workshop.text("in.reduced.txt"), result);
    }
    let words = ["in.txt", "--force", "--fails-if", "slower-than=1h", "--timeout", "3h", "--", "true"];
    let done = workshop.reduct(words).run().exits_with(3);
    drop(done.says("measured: it took").says("of processor time, not more than 3600s"));
    let words = ["in.txt", "--force", "--fails-if", "frame~nowhere", "--", "true"];
    workshop.reduct(words).run().exits_with(3).says("measured: there is no backtrace: it did not die");
    let words = ["in.txt", "--timeout", "1s", "--fails-if", "slower-than=2s", "--", "./test.sh"];
    workshop.reduct(words).run().exits_with(2).says("no test can be seen to be slower-than=2s");
}
