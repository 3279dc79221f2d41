//! The line of an output that says what went wrong, where there is no report that can be read.

mod failed;
mod words;

use super::output::Output;
use super::wrappers::is_command;
use failed::of_a_test;
use words::{BREAKS, COMPLAINS, DIAGNOSTIC, FAILING, PLACED, PLAIN, RAISED, REMARK, SUMMARY};

/// Returns whether a text says so plainly what went wrong that nobody says it by chance.
pub(super) fn is_plain(text: &str) -> bool {
    exception(text).is_some() || PLAIN.iter().any(|word| text.contains(word))
}

/// Of longer lines only the beginning counts.
const LONGEST_LINE: usize = 400;

/// Returns the line that says what went wrong, and whether it is only that of a program that ran another one.
pub(super) fn diagnostic_line(output: &Output) -> Option<(String, bool)> {
    let [stderr, stdout] = &output.own;
    let found = broken(stderr).or_else(|| broken(stdout)).or_else(|| complaint(stderr)).or_else(|| complaint(stdout));
    let found = found.or_else(|| if output.died { None } else { placed(stderr).or_else(|| placed(stdout)) });
    let found = found.or_else(|| counted(stderr)).or_else(|| counted(stdout));
    let found = found.or_else(|| if output.died { None } else { last(output) });
    let found = found.map(|line| (line, false));
    let found = found.or_else(|| output.ends.first().map(|line| (line.clone(), true)));
    found.map(|(line, passed_on)| (line.trim().chars().take(LONGEST_LINE).collect(), passed_on))
}

/// Returns whether any line of them tells by its words.
pub(super) fn tells(own: &[String; 2]) -> bool {
    own.iter().any(|text| broken(text).or_else(|| complaint(text)).or_else(|| counted(text)).is_some())
}

/// Lines beside the chosen one that say as surely that something else is wrong: one of each kind.
pub(super) fn competing(output: &Output, chosen: &str) -> Vec<String> {
    let words = BREAKS.iter().chain(RAISED);
    let all = words.flat_map(|word| output.own.iter().filter_map(|text| marked(text, word)));
    let mut found: Vec<String> = vec![];
    // What is indented belongs to a report, or is a line of a source.
    for line in all.filter(|line| !line.starts_with(char::is_whitespace)) {
        let line: String = line.trim().chars().take(LONGEST_LINE).collect();
        let kinds = || BREAKS.iter().chain(RAISED).filter(|word| line.contains(**word));
        // What says the same thing in other words: `SUMMARY: AddressSanitizer: …`.
        let is_known = |other: &str| {
            let other = other.to_lowercase();
            kinds().any(|word| other.contains(&word.to_lowercase()))
        };
        if !is_known(chosen) && !found.iter().any(|other| is_known(other)) {
            found.push(line);
        }
    }
    found
}

/// Returns the line of a text that no healthy program prints.
pub(super) fn serious(text: &str) -> Option<String> {
    let raised = || RAISED.iter().find_map(|word| marked(text, word));
    let error = || text.lines().find(|line| DIAGNOSTIC.is_match(line) && !REMARK.is_match(line)).map(str::to_owned);
    broken(text).or_else(raised).or_else(error).map(|line| line.trim().chars().take(LONGEST_LINE).collect())
}

/// Returns what says so by how it ended.
fn broken(text: &str) -> Option<String> {
    exception(text).or_else(|| BREAKS.iter().find_map(|word| marked(text, word)))
}

fn complaint(text: &str) -> Option<String> {
    let failing = || text.lines().find(|line| FAILING.is_match(line)).map(|line| of_a_test(text, line));
    let counts = |line: &str| !REMARK.is_match(line) && !SUMMARY.is_match(line);
    failing()
        .or_else(|| RAISED.iter().find_map(|word| marked(text, word)))
        .or_else(|| COMPLAINS.iter().find_map(|word| first(text, word, counts)))
}

/// Returns the first line that says what is wrong at a place, in whatever words.
fn placed(text: &str) -> Option<String> {
    let tells = |line: &&str| PLACED.is_match(line) && !REMARK.is_match(line) && !line.contains("Warning");
    text.lines().find(tells).map(str::to_owned)
}

/// Returns what is left of complaints: how many there were, and remarks.
fn counted(text: &str) -> Option<String> {
    COMPLAINS.iter().find_map(|word| first(text, word, |_| true))
}

/// Returns the last line of the program itself.
fn last(output: &Output) -> Option<String> {
    let [stderr, stdout] = &output.own;
    let of = |text: &str| text.lines().rfind(|line| !line.trim().is_empty()).map(str::to_owned);
    // The program that ran it has printed its command before.
    let is_echo = |line: &String| !output.ends.is_empty() && is_command(line);
    of(stderr)
        .or_else(|| of(stdout).filter(|line| !is_echo(line)))
        .or_else(|| if output.ends.is_empty() { of(stdout) } else { None })
}

/// Returns the first line that holds the word and is none of a compiler about its input.
fn marked(text: &str, word: &str) -> Option<String> {
    first(text, word, |line| !DIAGNOSTIC.is_match(line) && !REMARK.is_match(line))
}

fn first(text: &str, word: &str, counts: impl Fn(&str) -> bool) -> Option<String> {
    // Most texts hold few of the words.
    if !text.contains(word) {
        return None;
    }
    let mut lines = text.lines().skip_while(|line| !(line.contains(word) && counts(line)));
    let line = lines.next()?;
    // Rust prints the place first and the message on a line of its own.
    let more = if word == "panicked at" && line.ends_with(':') { lines.next() } else { None };
    Some([line, more.unwrap_or("")].join(" "))
}

/// Returns the exception that ends a Python traceback.
fn exception(text: &str) -> Option<String> {
    let mut lines = text.lines().skip_while(|line| !line.starts_with("Traceback (most recent call last)"));
    lines.next()?;
    lines.find(|line| !line.starts_with(char::is_whitespace) && !line.is_empty()).map(str::to_owned)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Exit;

    fn told(exit: &Exit, stderr: &str, stdout: &str) -> Option<String> {
        diagnostic_line(&Output::of(exit, stderr.as_bytes(), stdout.as_bytes())).map(|(line, _)| line)
    }

    fn line(stderr: &str, stdout: &str) -> Option<String> {
        told(&Exit::Code(2), stderr, stdout)
    }

    #[test]
    fn the_compiler_tells_and_not_what_called_it() {
        let error = "x.c:3:5: error: unknown type name";
        let all = format!("cc -c x.c\n{error}\nmake[1]: *** [Makefile:2: x.o] Error 1\nmake: *** [all] Error 2\n");
        assert_eq!(line(&all, "").as_deref(), Some(error));
        // make writes to standard error what the compiler says on standard output.
        let make = "make: *** [Makefile:2: x.o] Error 1\n";
        assert_eq!(line(make, error).as_deref(), Some(error));
        let alone = line(make, "cc -c x.c\n");
        assert_eq!(alone.as_deref(), Some("make: *** [Makefile:2: x.o] Error 1"), "if nobody else tells");
        let none = "make: *** No rule to make target 'x.c', needed by 'x.o'.  Stop.\n";
        assert!(line(none, "").is_some_and(|line| line.contains("No rule")));
    }

    #[test]
    fn a_summary_tells_less_than_what_it_counts() {
        let placed = "d.txt:2: hour out of range";
        assert_eq!(line(&format!("{placed}\ncheck: 1 problem(s)\n"), "").as_deref(), Some(placed));
        assert_eq!(line(&format!("{placed}\n1 error found\n"), "").as_deref(), Some(placed));
        assert_eq!(line("1 error found\n", "FAIL sort\n").as_deref(), Some("FAIL sort"));
        assert_eq!(line("2 errors found\n", "ok\n").as_deref(), Some("2 errors found"));
    }

    #[test]
    fn a_test_that_failed_is_told_with_what_it_died_of() {
        let tap =
            "TAP version 13\nnot ok 1 - related exist\n  ---\n  location: 'a.js:3:1'\n  error: 'no name'\n  ...\n";
        assert_eq!(line("", tap).as_deref(), Some("not ok 1 - related exist: no name"));
        let cut = "E       ZeroDivisionError: division by zero\nFAILED tests/test_a.py::test_of_a_long_name\n";
        let told = "FAILED tests/test_a.py::test_of_a_long_name - ZeroDivisionError";
        assert_eq!(line("", cut).as_deref(), Some(told));
    }

    #[test]
    fn what_begins_alike_and_tells_counts() {
        let found = "0 errors found";
        let npm = "npm ERR! code ELIFECYCLE\nnpm ERR! errno 1\nnpm ERR! Failed at the x@1.0.0 test script.";
        let failed = "AssertionError: 1 is not 2";
        let rows = [
            // A harness of its own.
            ("FAILED: Error 7 in the engine", found, "FAILED: Error 7 in the engine"),
            // ninja, old and new.
            ("", "FAILED: error.o \ncc -c x.c\nx.c:1: error: no type", "x.c:1: error: no type"),
            ("", "FAILED: [code=1] error.o \nerror.c:1: error: no type", "error.c:1: error: no type"),
            // npm about what it ran, and about itself.
            (npm, failed, failed),
            ("npm error code 1\nnpm error command failed\nnpm error fatal", failed, failed),
            ("npm ERR! code E404\nnpm ERR! 404 is an error", found, "npm ERR! 404 is an error"),
        ];
        for (stderr, stdout, tells) in rows {
            assert_eq!(line(stderr, stdout).as_deref(), Some(tells));
        }
    }

    #[test]
    fn what_no_word_marks_tells_more_than_the_program_that_ran_it() {
        let rows = [
            ("make: *** [M:4: x] Error 1", "./t.sh x\nFAIL sort\n", "FAIL sort"),
            ("make: *** [M:4: x] Error 1", "./t.sh x\nthe sum is 5\n", "the sum is 5"),
            ("", "[1/1] ./t.sh\nFAILED: b \n./t.sh x\nthe sum is 5\nninja: build stopped: no.\n", "the sum is 5"),
            ("npm warn old\n", "> x@1.0.0 test\n> node t.js\n\nthe sum is 5\n", "the sum is 5"),
            ("Errors while running CTest\n", "    Start 2: b\nFAIL sort\n\t  2 - b (Failed)\n", "FAIL sort"),
            ("make: *** [M:4: x] Error 139\n", "", "make: *** [M:4: x] Error 139"),
            ("Errors while running CTest\n", "The following tests FAILED:\n\t 2 - b (SEGFAULT)\n", "2 - b (SEGFAULT)"),
            ("", "error: could not compile `x` (lib)\n", "error: could not compile `x` (lib)"),
        ];
        for (stderr, stdout, tells) in rows {
            assert_eq!(line(stderr, stdout).as_deref(), Some(tells));
        }
    }

    #[test]
    fn what_breaks_tells_more_than_what_is_wrong_with_the_input() {
        let caught = "Caught signal 11: SIGSEGV";
        let rows = [
            ("c.c:1: error 101: no\nc.c:2: syntax error: token\nCaught signal 11: SIGSEGV\n", "", caught),
            ("x.c:1: error: no\n", "Caught signal 11: SIGSEGV\n", caught),
            (
                "error: no\nx.c:1:2: internal compiler error: in f, at g.c:3\n",
                "",
                "x.c:1:2: internal compiler error: in f, at g.c:3",
            ),
            // What only names it.
            ("x.c:1:2: error: no\nx.c:3:4: error: 'Assertion' undeclared\n", "", "x.c:1:2: error: no"),
            ("x.c:1:2: error: no\n    3 | f(\"panicked at\");\n", "", "x.c:1:2: error: no"),
            ("x.c:1: warning: unused 'error'\nx.c:2: error: no\n", "", "x.c:2: error: no"),
        ];
        for (stderr, stdout, tells) in rows {
            assert_eq!(line(stderr, stdout).as_deref(), Some(tells));
        }
    }

    #[test]
    fn the_test_that_failed_tells_more_than_how_many_did() {
        let pytest = "E   assert 3 == 4\n\nt.py:5: AssertionError\n=== short test summary info ===\n";
        let rows = [
            (
                format!("{pytest}FAILED t.py::test_x - assert 3 == 4\n=== 1 failed in 0.01s ===\n"),
                "FAILED t.py::test_x - assert 3 == 4",
            ),
            (
                format!("{pytest}FAILED t.py::test_x - KeyError: 'abc...\n1 failed in 0.01s\n"),
                "FAILED t.py::test_x - KeyError",
            ),
            (format!("{pytest}FAILED t.py::test_x - asse...\n1 failed in 0.01s\n"), "FAILED t.py::test_x - assert"),
            ("--- FAIL: TestX (0.00s)\n    x_test.go:5: no\nFAIL\nFAIL\tx\t0.003s\n".into(), "--- FAIL: TestX (0.00s)"),
            ("ok 1 - a\nnot ok 2 - b\n# fail 1\n".into(), "not ok 2 - b"),
            ("[  FAILED  ] Suite.Name (0 ms)\n 1 FAILED TEST\n".into(), "[  FAILED  ] Suite.Name (0 ms)"),
        ];
        for (stdout, tells) in rows {
            assert_eq!(line("", &stdout).as_deref(), Some(tells));
        }
    }

    #[test]
    fn a_death_has_only_last_words() {
        let before = "Traceback (most recent call last):\nValueError: no\nerror: no\n";
        assert_eq!(told(&Exit::Signal(11), before, "fail"), None);
        assert_eq!(
            told(&Exit::Signal(6), &format!("{before}free(): invalid pointer\n"), ""),
            Some("free(): invalid pointer".into())
        );
        let shell = format!("{before}Segmentation fault\n");
        assert_eq!(told(&Exit::Code(139), &shell, "").as_deref(), Some("Segmentation fault"));
        assert_eq!(told(&Exit::Code(1), &shell, "").as_deref(), Some("ValueError: no"), "the shell has gone on");
        let make = format!("{before}make: *** [M:2: x] Segmentation fault\n");
        assert_eq!(told(&Exit::Code(2), &make, "").as_deref(), Some("make: *** [M:2: x] Segmentation fault"));
        let ignored = "make: [M:2: x] Segmentation fault (ignored)\nerror: bad\nmake: *** [M:3: x] Error 1\n";
        assert_eq!(told(&Exit::Code(2), ignored, "").as_deref(), Some("error: bad"));
        assert_eq!(told(&Exit::Signal(11), "Segmentation fault\nloading\n", ""), None, "of a child, earlier");
        // What `timeout` cut off says nothing; what xargs says of a child does.
        assert_eq!(told(&Exit::Code(124), before, ""), None);
        let xargs = format!("{before}xargs: ./p: terminated by signal 11\n");
        assert_eq!(told(&Exit::Code(125), &xargs, "").as_deref(), Some("xargs: ./p: terminated by signal 11"));
    }

    #[test]
    fn a_program_called_from_python_tells_more_than_python() {
        let call = "Traceback (most recent call last):\n  File \"x.py\", line 1, in f\nsubprocess.CalledProcessError: Command 'cc' returned non-zero exit status 1.\n";
        assert_eq!(line(&format!("x.c:1: error: no\n{call}"), "").as_deref(), Some("x.c:1: error: no"));
        assert!(line(&format!("compiling\n{call}"), "").is_some_and(|line| line.starts_with("subprocess.Called")));
    }

    #[test]
    fn lines_compete_if_they_say_other_things_as_surely() {
        let of = |stderr: &str| {
            let output = Output::of(&Exit::Code(1), stderr.as_bytes(), b"");
            let (chosen, _) = diagnostic_line(&output).unwrap();
            competing(&output, &chosen)
        };
        let all = "x.c:1: error: no\nUncaught TypeError\nCaught signal 6\nLLVM ERROR: broken\nLLVM ERROR: again\n";
        assert_eq!(of(all), ["Caught signal 6", "Uncaught TypeError"]);
        assert_eq!(of("==1==ERROR: AddressSanitizer: SEGV\nSUMMARY: AddressSanitizer: SEGV\n"), Vec::<String>::new());
        assert_eq!(of("x.c:1: error: no\n"), Vec::<String>::new());
    }
}
