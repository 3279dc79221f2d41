//! Exceptions that programs catch, print and survive, and those that end them.

use crate::workshop::{Done, Workshop};

const INPUT: &str = "no\n7\n";

/// Prints what it could not read, goes on, and ends with a status of its own as the sum is too large.
const PYTHON: &str = "import sys, traceback\ntotal = 0\n\
     for line in open(sys.argv[1]):\n    try: total += int(line)\n    except ValueError: traceback.print_exc()\n\
     if total > 6:\n    print('error: total is wrong', file=sys.stderr)\n    sys.exit(STATUS)\n";
const NODE: &str = "let total = 0;\n\
     function read(line) { if (isNaN(line)) throw new TypeError('no number'); return Number(line); }\n\
     for (const line of require('fs').readFileSync(process.argv[2], 'utf8').split('\\n'))\n\
     try { total += read(line); } catch (e) { console.error(SHOWN); }\n\
     if (total > 6) { console.error('error: total is wrong'); process.exit(4); }\n";
const JAVA: &str = "import java.nio.file.*;\n\
     public class T {\n    public static void main(String[] given) throws Exception {\n        int total = 0;\n        \
     for (String line : Files.readAllLines(Paths.get(given[0])))\n            \
     try { total += Integer.parseInt(line); } catch (NumberFormatException e) { e.printStackTrace(); }\n        \
     if (total > 6) { System.out.println(\"error: total is wrong\"); System.exit(4); }\n    }\n}\n";

fn reduced(workshop: &Workshop, command: &[&str]) -> (Done, String) {
    workshop.write("in.txt", INPUT);
    let words = ["--bare", "--by", "lines", "--force", "in.txt", "--"].into_iter().chain(command.iter().copied());
    (workshop.reduct(words).env("H", workshop.home()).run().exits_with(0), workshop.text("in.reduced.txt"))
}

#[test]
fn an_exception_that_python_survived_does_not_outrank_the_error_it_ended_with() {
    let workshop = Workshop::new();
    workshop.write("t.py", PYTHON.replace("STATUS", "4"));
    let (done, result) = reduced(&workshop, &["python3", "t.py", "in.txt"]);
    let done = done.says("Failure: exit status 4 saying “error: total is wrong”");
    done.says("also seen: “ValueError: invalid literal for int() with base 10: 'no").does_not_say("(2 bytes)");
    assert_eq!(result, "7\n");
}

#[test]
fn an_exception_that_node_survived_does_not_outrank_the_error_it_ended_with() {
    for shown in ["e", "e.stack"] {
        let workshop = Workshop::new();
        workshop.write("t.js", NODE.replace("SHOWN", shown));
        let (done, result) = reduced(&workshop, &["node", "t.js", "in.txt"]);
        done.says("Failure: exit status 4 saying “error: total is wrong”").says("also seen: “TypeError: no number”");
        assert_eq!(result, "7\n", "{shown}");
    }
}

/// The error stands on standard output here, the exceptions on standard error.
#[test]
fn an_exception_that_java_survived_does_not_outrank_the_error_it_ended_with() {
    let workshop = Workshop::new();
    workshop.write("T.java", JAVA);
    workshop.call("javac", ["T.java"]).run().exits_with(0);
    let home = workshop.home();
    let command = ["java", "-Xshare:auto", "-XX:TieredStopAtLevel=1", "-cp", home.to_str().unwrap(), "T", "in.txt"];
    let (done, result) = reduced(&workshop, &command);
    done.says("Failure: exit status 4 saying “error: total is wrong”").says("also seen: “java.lang.NumberFormat");
    assert_eq!(result, "7\n");
}

/// Either may be why: the program went on, or one that ran it said the rest. So both stay.
#[test]
fn of_an_exception_and_an_error_behind_the_status_of_the_runtime_both_count() {
    let workshop = Workshop::new();
    workshop.write("t.py", PYTHON.replace("STATUS", "1"));
    let (done, result) = reduced(&workshop, &["python3", "t.py", "in.txt"]);
    done.says("exit status 1 saying “ValueError: ").says("and “error: total is wrong” in <module> at t.py:4");
    assert_eq!(result, "no\n7\n");
}

#[test]
fn an_exception_that_ended_the_program_is_why_also_behind_another_program() {
    let workshop = Workshop::new();
    workshop.write(
        "t.py",
        "import atexit, sys\natexit.register(lambda: print('INFO bye', file=sys.stderr))\n\
         for line in open('in.txt'):\n    if line != '7\\n': int(line)\n",
    );
    workshop.write("Makefile", "check:\n\t@python3 $(H)/t.py\n");
    let rows = [
        ("exec python3 $H/t.py", 1),
        ("make -f $H/Makefile check", 2),
        ("make -f $H/Makefile check || exit 7", 7),
        ("python3 $H/t.py; exit 3", 3),
        ("echo error: old; python3 $H/t.py >&2; echo 1 error; exit 3", 3),
    ];
    for (line, status) in rows {
        let (done, result) = reduced(&workshop, &["sh", "-c", line]);
        let done = done.says(&format!("Failure: exit status {status} saying “ValueError: "));
        // A run ahead of its turn may meet that as another failure.
        let failure = done.stderr.lines().find(|line| line.starts_with("Failure: ")).unwrap();
        assert!(!failure.contains("INFO"), "{failure}");
        assert_eq!(result, "no\n", "{line}");
    }
}

/// The last one is marked by the runtime.
#[test]
fn the_exception_that_ended_node_is_why_and_not_one_before() {
    let workshop = Workshop::new();
    workshop.write("t.js", NODE.replace("SHOWN", "e").replace("process.exit(4)", "throw new RangeError('too much')"));
    let (done, result) = reduced(&workshop, &["node", "t.js", "in.txt"]);
    done.says("exit status 1 saying “RangeError: too much” in Object.<anonymous> at t.js:5");
    assert_eq!(result, "7\n");
}

/// The parent of the program chose the status and said the rest: the exception stays why, so no other one is followed.
#[test]
fn an_exception_stays_why_before_the_error_of_the_program_that_ran_it() {
    let workshop = Workshop::new();
    workshop.write(
        "t.py",
        "import sys\ndef check(row):\n    if 'bad' in row: return {}['price']\n    return row.split()[0]\n\
         for line in open(sys.argv[1]): check(line)\n",
    );
    workshop.write("in.txt", "one\nbad two\n\nthree\n");
    workshop.script("t.sh", "python3 $H/t.py \"$1\" || { echo \"error: cannot process $1\" >&2; exit 2; }\n");
    let words = "--bare --force in.txt -- ./t.sh in.txt".split(' ');
    let done = workshop.reduct(words).env("H", workshop.home()).run().exits_with(0);
    done.says("saying “KeyError: '…'” and “error: cannot process in.txt” in check ← <module> at t.py:3");
    assert_eq!(workshop.text("in.reduced.txt"), "bad");
}

/// Whether the program or its parent said the last line is not known: both stay.
#[test]
fn of_a_program_that_another_one_ran_an_exception_and_a_later_error_both_count() {
    let workshop = Workshop::new();
    workshop.write("t.py", PYTHON.replace("STATUS", "4"));
    let (done, result) = reduced(&workshop, &["sh", "-c", "python3 $H/t.py in.txt"]);
    done.says("exit status 4 saying “ValueError: ").says("and “error: total is wrong” in <module> at t.py:4");
    assert_eq!(result, "no\n7\n");
}

#[test]
fn further_lines_of_a_message_need_not_stay() {
    let workshop = Workshop::new();
    workshop.write(
        "t.py",
        "import sys\nerrors = ['error: ' + line for line in open(sys.argv[1]) if 'bad' in line]\n\
         if errors: raise ValueError('the rows:\\n' + ''.join(errors))\n",
    );
    workshop.write("in.txt", "one\nbad two\nthree\nbad as four\n");
    let words = "--bare --force in.txt -- python3 t.py in.txt".split(' ');
    let done = workshop.reduct(words).run().exits_with(0);
    done.says("saying “ValueError: the rows:” in <module> at t.py:3").does_not_say("error: bad");
    assert_eq!(workshop.text("in.reduced.txt"), "bad");
}

/// One of several exceptions at once is another failure than all of them.
#[test]
fn several_exceptions_at_once_are_told_by_each_of_them() {
    let workshop = Workshop::new();
    workshop.write(
        "t.py",
        "import sys\ndef key(x):\n    if x == 'k': raise KeyError(x)\n\
         def value(x):\n    if x == 'v': raise ValueError(x)\n\
         errors = []\nfor line in open(sys.argv[1]):\n    for read in key, value:\n        \
         try: read(line.strip())\n        except Exception as error: errors.append(error)\n\
         if errors: raise ExceptionGroup('many', errors)\n",
    );
    workshop.write("in.txt", "one\nk\ntwo\nv\n");
    let done = workshop.reduct("--bare --force in.txt -- python3 t.py in.txt".split(' ')).run().exits_with(0);
    done.says("saying “ExceptionGroup: many (N sub-exceptions)” in <module> at t.py:11");
    assert_eq!(workshop.text("in.reduced.txt"), "k\nv");
}

/// The program says no word of an error, and goes on to end otherwise: with the status of the runtime, or its own.
#[test]
fn what_is_said_after_an_exception_that_was_caught_stays() {
    let python = "import logging, sys, traceback\ndef number(row): return int(row)\nrows = []\n\
         def read(row):\n    try: rows.append(number(row))\n    except ValueError: SHOWN\n\
         for row in open(sys.argv[1]): read(row)\n\
         if sum(rows) > 100: print('total too large', file=sys.stderr); sys.exit(STATUS)\n\
         if not rows and open(sys.argv[1]).read(): print('no rows', file=sys.stderr); sys.exit(STATUS)\n";
    let node = "const text = require('fs').readFileSync(process.argv[2], 'utf8'), rows = [];\n\
         function number(row) { if (isNaN(row)) throw new TypeError('no number'); return Number(row); }\n\
         for (const row of text.split('\\n'))\n    \
         try { if (row) rows.push(number(row)); } catch (error) { console.error(error); }\n\
         if (rows.some(row => row > 100)) { console.error('total too large'); process.exit(STATUS); }\n\
         if (!rows.length && text) { console.error('no rows'); process.exit(STATUS); }\n";
    let (logged, printed) = ("logging.exception('bad row')", "traceback.print_exc()");
    let rows = [(python, logged, "1"), (python, printed, "4"), (node, "", "1"), (node, "", "4")];
    for (program, shown, status) in rows {
        let workshop = Workshop::new();
        workshop.write("t", program.replace("SHOWN", shown).replace("STATUS", status));
        workshop.write("in.txt", "5\nno\n200\n");
        let command = if program == node { "node" } else { "python3" };
        let words = ["--bare", "--by", "lines", "--force", "in.txt", "--", command, "t", "in.txt"];
        let done = workshop.reduct(words).run().exits_with(0);
        done.says(&format!("Failure: exit status {status} saying “")).says("and “total too large” in number ← ");
        assert_eq!(workshop.text("in.reduced.txt"), "no\n200\n", "{command} {status}");
    }
}

/// A test that goes on from a program that failed ends of something else, which it says with no word of an error.
#[test]
fn what_a_test_says_after_a_program_that_failed_stays() {
    let workshop = Workshop::new();
    workshop.write("one.py", "import sys\nfor row in open(sys.argv[1]): int(row)\n");
    workshop.script(
        "t.sh",
        "python3 $H/one.py \"$1\"\ngrep -q 200 \"$1\" && { echo 'value out of range' >&2; exit 4; }\n\
         grep -q no \"$1\" && { echo 'unknown letters' >&2; exit 4; }\nexit 0",
    );
    workshop.write("in.txt", "5\nno\n200\n");
    let words = ["--bare", "--by", "lines", "--force", "in.txt", "--", "./t.sh", "in.txt"];
    let done = workshop.reduct(words).env("H", workshop.home()).run().exits_with(0);
    done.says("exit status 4 saying “ValueError: ").says("and “value out of range” in <module> at one.py:2");
    assert_eq!(workshop.text("in.reduced.txt"), "no\n200\n");
}

/// Nobody knows whether standard output was written before or after: it is said.
#[test]
fn a_last_line_on_standard_output_is_seen_beside_an_exception_that_was_caught() {
    let workshop = Workshop::new();
    workshop
        .write("t.py", PYTHON.replace("error: total is wrong', file=sys.stderr", "too large'").replace("STATUS", "4"));
    let (done, _) = reduced(&workshop, &["python3", "t.py", "in.txt"]);
    done.says("exit status 4 saying “ValueError: ").says("also seen: “too large”");
}
