//! Which line of all that is printed is the failure, with real programs that run others, break, die and hang.

use crate::workshop::{Done, Workshop};
use std::process::Command;

/// Five lines, of which two make tests fail, each in its own way.
const INPUT: &str = "x\nBB\ny\nAAAA\nz\n";

/// With the input, and a script that finds two failures in it; the first is the one that is shown.
fn with_two_failures(first: &str, second: &str) -> Workshop {
    let workshop = Workshop::new();
    workshop.write("input", INPUT);
    workshop
        .script("t.sh", &format!("grep -q AAAA input && {{ {first}\n}}\ngrep -q BB input && {{ {second}\n}}\nexit 0"));
    workshop
}

/// Reduces the input with a line for the shell, in which `$H` is the user's folder.
fn reduce(workshop: &Workshop, line: &str) -> Done {
    let home = workshop.home();
    workshop.reduct(["--no-backtrace", "--jobs", "1", "input", "-c", line]).env("H", home).run()
}

fn result(workshop: &Workshop) -> String {
    workshop.text("input.reduced")
}

#[test]
fn a_test_behind_make_tells_on_standard_output_as_well() {
    let workshop = with_two_failures("echo FAIL sort; exit 1", "echo FAIL hash; exit 1");
    workshop.write("Makefile", "check:\n\t@$(H)/t.sh\necho:\n\t$(H)/t.sh\nsub:\n\t$(MAKE) -f $(H)/Makefile echo\n");
    for target in ["-s check", "echo", "sub"] {
        let done = reduce(&workshop, &format!("make -f $H/Makefile {target}")).exits_with(0);
        done.says("exit status 2 saying “FAIL sort”").does_not_say("***");
        assert_eq!(result(&workshop), "AAAA", "{target}");
    }
}

#[test]
fn what_no_word_marks_tells_more_than_make() {
    let workshop = with_two_failures("echo sum is 5; exit 1", "echo product is 6; exit 1");
    workshop.write("Makefile", "check:\n\t$(H)/t.sh\n");
    reduce(&workshop, "make -f $H/Makefile check").exits_with(0).says("saying “sum is N”");
    assert_eq!(result(&workshop), "AAAA");
}

#[test]
fn of_a_child_that_says_nothing_its_status_tells_and_that_is_said() {
    let workshop = with_two_failures("exit 39", "exit 1");
    workshop.write("Makefile", "check:\n\t@$(H)/t.sh\n");
    let done = reduce(&workshop, "make -f $H/Makefile check").exits_with(0);
    done.says("Error 39").says("may be followed to another failure");
    assert_eq!(result(&workshop), "AAAA");
}

#[test]
fn a_child_that_dies_behind_make_and_a_shell_is_not_one_that_fails() {
    for recipe in ["$(H)/t.sh", "$(H)/t.sh; exit $$?"] {
        let first = "echo error: an old one; echo going on; kill -SEGV $$";
        let workshop = with_two_failures(first, "echo error: an old one; exit 1");
        workshop.write("Makefile", format!("check:\n\t@{recipe}\n"));
        reduce(&workshop, "make -f $H/Makefile check")
            .exits_with(0)
            .says("Segmentation fault”, as the first run showed");
        assert_eq!(result(&workshop), "AAAA", "{recipe}");
    }
}

#[test]
fn the_test_that_failed_tells_and_not_how_many_did() {
    let workshop = Workshop::new();
    workshop.write("input", INPUT);
    let suite = "import unittest\ntext = open('input').read()\nclass Suite(unittest.TestCase):\n    \
                 def test_sort(self): self.assertNotIn('AAAA', text, 'sort')\n    \
                 def test_hash(self): self.assertNotIn('BB', text, 'hash')\n";
    workshop.write("suite.py", suite);
    // The last of several is the one that its report is read of.
    let done = reduce(&workshop, "PYTHONPATH=$H python3 -B -m unittest suite");
    done.exits_with(0).says("AssertionError").says("test_sort");
    assert_eq!(result(&workshop), "AAAA");
}

/// A compiler that complains about its input, and breaks on some; its handler says of which signal.
const COMPILER: &str = r#"
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static void caught(int signal) { printf("Caught signal %d: SIGSEGV\n", signal); fflush(stdout); _Exit(1); }
int main(int argc, char **argv) {
    char line[100];
    int at = 0, errors = 0;
    FILE *file = argc > 1 ? fopen(argv[1], "r") : stdin;
    signal(SIGSEGV, caught);
    while (fgets(line, sizeof line, file)) {
        at++;
        if (line[0] != 'x') errors++, fprintf(stderr, "%s:%d: syntax error: token -> '%c'\n", argv[1], at, line[0]);
        if (strstr(line, "AAAA")) *(volatile int *) 8 = 1;
    }
    return errors > 0;
}
"#;

#[test]
fn a_signal_that_is_caught_tells_more_than_a_diagnostic() {
    let workshop = Workshop::new();
    workshop.write("input", INPUT);
    workshop.write("compiler.c", COMPILER);
    let built = Command::new("gcc").args(["compiler.c", "-o", "compiler"]).current_dir(workshop.home()).status();
    assert!(built.unwrap().success(), "the test needs a C compiler");
    workshop
        .reduct(["input", "--", "./compiler", "input"])
        .run()
        .exits_with(0)
        .says("saying “Caught signal 11: SIGSEGV”");
    assert_eq!(result(&workshop), "AAAA");
}

/// Prints an exception that it has caught, and goes on; dies of a signal; or fails as it is meant to.
const PROGRAM: &str = r#"
import os, sys, traceback
text = open("input").read()
if "BB" in text:
    try:
        int("no number")
    except ValueError:
        traceback.print_exc()
    print("going on\n" * 20, file=sys.stderr, flush=True)
if "AAAA" in text:
    os.kill(os.getpid(), 11)
sys.exit("x" in text)
"#;

#[test]
fn an_exception_that_was_caught_is_not_why_a_program_died() {
    let workshop = Workshop::new();
    workshop.write("input", INPUT);
    workshop.write("program.py", PROGRAM);
    let rows = [
        ("exec python3 $H/program.py", "death by SIGSEGV, as"),
        ("python3 $H/program.py; exit $?", "exit status 139 saying “Segmentation fault”"),
    ];
    for (line, failure) in rows {
        reduce(&workshop, line).exits_with(0).says(failure).does_not_say("ValueError");
        assert_eq!(result(&workshop), "AAAA", "{line}");
    }
}

#[test]
fn what_was_typed_earlier_is_not_why_an_interpreter_died() {
    let workshop = Workshop::new();
    workshop.write("session.py", "{}['key']\nimport os\nos.kill(os.getpid(), 11)\n");
    let words = ["--no-backtrace", "--by", "lines", "--stdin", "session.py", "--", "python3", "-i", "-q"];
    workshop.reduct(words).run().exits_with(0).says("death by SIGSEGV, as").does_not_say("KeyError");
    assert_eq!(workshop.text("session.reduced.py"), "import os\nos.kill(os.getpid(), 11)\n");
}

#[test]
fn the_last_words_of_a_program_that_aborts_are_why() {
    let workshop = Workshop::new();
    workshop.write("input", INPUT);
    let broken = "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\nint main(void) {\n\
                  static char text[100];\nif (!fread(text, 1, 99, stdin)) return 0;\n\
                  if (strstr(text, \"AAAA\")) { char *p = malloc(9); free(p + 4); }\n\
                  if (strstr(text, \"BB\")) abort();\nreturn 0;\n}\n";
    workshop.write("broken.c", broken);
    let built = Command::new("gcc").args(["-w", "broken.c", "-o", "broken"]).current_dir(workshop.home()).status();
    assert!(built.unwrap().success(), "the test needs a C compiler");
    reduce(&workshop, "exec $H/broken <input").exits_with(0).says("death by SIGABRT saying “free(): invalid pointer”");
    assert_eq!(result(&workshop), "AAAA");
}

#[test]
fn what_only_a_terminal_obeys_is_not_read() {
    let first = r"printf '\033]0;title\007\033[2J\033[1;1H10 %%\r\033[1;31merror:\033[0m bad sort\n'; exit 1";
    let workshop = with_two_failures(first, r"printf '\033[1;31merror:\033[0m bad hash\n'; exit 1");
    reduce(&workshop, "$H/t.sh").exits_with(0).says("saying “error: bad sort”");
    assert_eq!(result(&workshop), "AAAA");
}

#[test]
fn codes_in_which_digits_follow_letters_tell() {
    let workshop = with_two_failures("echo 'error[E0428]: line 3'; exit 1", "echo 'error[E0425]: line 3'; exit 1");
    reduce(&workshop, "$H/t.sh").exits_with(0).says("saying “error[E0428]: line N”");
    assert_eq!(result(&workshop), "AAAA");
    // A script for other reducers leaves all digits alone, and says so.
    let script = workshop.reduct(["oracle", "input", "--", "./t.sh"]).run().exits_with(0).stdout;
    assert!(script.contains("any number will do where the message has a code or a status"), "{script}");
    workshop.script("oracle.sh", script.strip_prefix("#!/bin/sh\n").unwrap());
    assert_eq!(workshop.call("./oracle.sh", [""; 0]).run().status, 0);
}

#[test]
fn what_timeout_says_of_a_hang_is_the_failure_if_it_comes_first() {
    // Of an alarm `timeout` does what it does when the time is over: nobody has to wait for that. It does so once it waits for its
    // child; before, it may not know of it yet, and exits with another status.
    let hangs =
        "echo 1 of 5; until grep -q '^State:.S' /proc/$PPID/status; do :; done; kill -ALRM $PPID; exec sleep 1000";
    let workshop = with_two_failures(hangs, "exit 125");
    let done = workshop.reduct(["input", "--", "timeout", "900", "./t.sh"]).run().exits_with(0);
    done.says("Failure: exit status 124, as the first run showed")
        .says("if the program does not end")
        .does_not_say("1 of 5");
    assert_eq!(result(&workshop), "AAAA");
}

#[test]
fn what_xargs_says_of_a_child_is_the_failure_if_it_comes_first() {
    let rows = [
        ("kill -SEGV $$", "exit status 125 saying “xargs: t.sh: terminated by signal 11”"),
        ("exit 255", "exit status 124 saying “xargs: t.sh: exited with status 255; aborting”"),
    ];
    for (first, failure) in rows {
        let workshop = with_two_failures(first, "exit 2");
        reduce(&workshop, "echo x | xargs $H/t.sh").exits_with(0).says(failure);
        assert_eq!(result(&workshop), "AAAA");
    }
    // From anybody else it says that nobody can tell.
    let workshop = with_two_failures("exit 125", "exit 1");
    let done = reduce(&workshop, "$H/t.sh");
    assert_ne!(done.status, 0);
    done.says("cannot tell");
}

#[test]
fn a_report_behind_a_pipe_is_offered_as_a_condition_that_holds() {
    let workshop = Workshop::new();
    workshop.write("input", INPUT);
    workshop.write("p.py", "for line in open('input'): 1 // (line.strip() != 'AAAA')\n");
    let refused = reduce(&workshop, "python3 $H/p.py 2>&1 | cat").exits_with(2);
    let option = "--fails-if 'stdout~ZeroDivisionError: integer division or modulo by zero' takes that as the failure";
    refused.says("occurs on an empty input too").says(option);
    // As it is offered.
    let line = "$REDUCT input --fails-if 'stdout~ZeroDivisionError: integer division or modulo by zero' \
                -c \"python3 $H/p.py 2>&1 | cat\"";
    workshop.shell(line).env("H", workshop.home()).run().exits_with(0);
    assert_eq!(result(&workshop), "AAAA");
    // Of a program that is well, nothing is offered.
    workshop.write("p.py", "print('0 errors')\n");
    reduce(&workshop, "python3 $H/p.py | cat").exits_with(2).does_not_say("takes that as the failure");
}

#[test]
fn lines_that_say_other_things_as_surely_are_shown() {
    let workshop = with_two_failures("echo Uncaught TypeError; echo 'Caught signal 11'; exit 1", "exit 2");
    let done = reduce(&workshop, "$H/t.sh").exits_with(0).says("saying “Caught signal 11”");
    done.says("also seen: “Uncaught TypeError” (--fails-if 'output~REGEX' chooses another)");
    let workshop = with_two_failures("echo error: bad sort; exit 1", "exit 2");
    reduce(&workshop, "$H/t.sh").exits_with(0).does_not_say("also seen");
}

#[test]
fn a_message_of_which_nothing_is_left_is_said_to_tell_little() {
    let workshop = Workshop::new();
    workshop.write("input", "could not find the tag\nAAAA\n");
    workshop.script("t.sh", "grep -q AAAA input && { echo input:3: could not find the tag; exit 1; }\nexit 0");
    let done = reduce(&workshop, "$H/t.sh").exits_with(0);
    // Above what is proved, in the last lines.
    let (_, end) = done.stderr.rsplit_once("Failure: ").unwrap();
    assert!(end.contains("its message has hardly any words but those of the input"), "{end}");
    assert_eq!(result(&workshop), "AAAA");
}

#[test]
fn a_message_of_nothing_but_a_word_of_the_input_keeps_that() {
    let workshop = Workshop::new();
    workshop.write("input", "[{\"id\": 1},\n {\"id\": 2, \"code\": \"SPRING24\"},\n {\"id\": 3}]\n");
    workshop.write(
        "p.py",
        "import json, sys\n\
         try:\n    for o in json.load(open('input')): o['id'], 'code' in o and {'SPRING': 1}[o['code']]\n\
         except Exception as e: sys.exit(f'p.py: error: {e}')\n",
    );
    let done = reduce(&workshop, "python3 $H/p.py").exits_with(0);
    done.says("so these count: “p.py: error: 'SPRING24'”");
    let said = workshop.shell("cp input.reduced input; python3 p.py").run().stderr;
    assert_eq!(said, "p.py: error: 'SPRING24'\n");
}

#[test]
fn of_what_says_nothing_the_status_is_said_to_be_all() {
    let workshop = with_two_failures("exit 1", "exit 2");
    let status = "only its exit status is known, so another failure with this status would be taken for it";
    reduce(&workshop, "$H/t.sh").exits_with(0).says(status);
    let workshop = with_two_failures("echo error 7; exit 1", "exit 2");
    reduce(&workshop, "$H/t.sh")
        .exits_with(0)
        .says("a line with other numbers counts as the same")
        .does_not_say(status);
    let workshop = with_two_failures("echo error: bad sort; exit 1", "exit 2");
    reduce(&workshop, "$H/t.sh")
        .exits_with(0)
        .does_not_say(status)
        .does_not_say("a line with other numbers counts as the same");
}
