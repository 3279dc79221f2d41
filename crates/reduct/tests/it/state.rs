//! The values in a program that cause a failure.

use crate::check::Check;
use crate::report_kinds::schema;
use crate::workshop::{Done, Workshop};
use serde_json::{Value, json};
use std::path::Path;

fn state(workshop: &Workshop, words: &[&str]) -> Done {
    let words = [&["state"][..], words].concat();
    // What a program does with values that it never had can be anything: copies of all folders are what keeps it from harm.
    workshop.reduct(words).env("REDUCT_CONFINE", "auto").env("REDUCT_ALLOW_WRITE", "").run()
}

/// The places and values of the listing, but for the last line of it, which is the end.
fn chain(done: &Done) -> Vec<(String, String)> {
    let rows = done.stdout.lines().filter(|line| line.contains("   instead of "));
    let row = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let equals = words.iter().position(|word| *word == "=").unwrap();
        (words[1].to_owned(), words[equals - 1..].join(" "))
    };
    rows.map(row).collect()
}

#[track_caller]
fn lists(done: &Done, what: &str) {
    assert!(done.stdout.contains(what), "{what}\n{}", done.stdout);
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(at, value)| ((*at).to_owned(), (*value).to_owned())).collect()
}

#[test]
fn a_chain_of_values_is_found_in_its_order() {
    let workshop = Workshop::new();
    let assignments = |n: usize| (1..n).map(|at| format!("x{} = x{at}\n", at + 1)).collect::<String>();
    let program = |n: usize| {
        format!(
            "import sys\nnoise = 0\nx1 = int(open(sys.argv[1]).read())\n{}noise = 1\nassert x{n} != 5\n",
            assignments(n)
        )
    };
    workshop.write("chain.py", program(6));
    workshop.write("good", "4\n");
    workshop.write("bad", "5\n");
    let done = state(&workshop, &["good", "bad", "--", "python3", "chain.py", "{}"]).exits_with(0);
    let expected: Vec<(String, String)> =
        (1..=6).map(|n| (format!("chain.py:{}", n + 3), format!("x{n} = 5 instead of 4"))).collect();
    assert_eq!(chain(&done), expected);
    lists(&done, "Proved: with each change the program passes");
    lists(&done, "Confirmed: one more run showed the same of each.");
    // Each change alone makes the failing run pass, and is told from the next one.
    for n in 1..=6 {
        let file = format!("bad.state/{n:02}.txt");
        assert!(workshop.text(&file).ends_with(&format!("0 <module>:1 x{n} = 4\n")), "{}", workshop.text(&file));
        workshop.reduct(["step", &file, "--", "python3", "chain.py", "bad"]).run().exits_with(0);
        workshop.write(
            "none.txt",
            workshop.text(&file).lines().take(2).map(|line| line.to_owned() + "\n").collect::<String>(),
        );
        workshop.reduct(["step", "none.txt", "--", "python3", "chain.py", "bad"]).run().exits_with(1);
    }
}

#[test]
fn two_environments_are_compared_where_inputs_do_not_differ() {
    let workshop = Workshop::new();
    let program = "\
import os, sys
noise = 1
mode = os.environ.get('MODE', 'odd')
kind = mode + sys.argv[1]
assert kind not in ('odd1', 'bad3'), 'odd'
";
    workshop.write("prog.py", program);
    let program = ["--", "python3", "prog.py", "1"];
    let done = state(&workshop, &[&["--good-env", "MODE=fine"], &program[..]].concat()).exits_with(0);
    let expected =
        pairs(&[("prog.py:4", "mode = 'odd' instead of 'fine'"), ("prog.py:5", "kind = 'odd1' instead of 'fine1'")]);
    assert_eq!(chain(&done), expected);
    lists(&done, "With the value that it has with MODE=fine, the program passes.");
    // What is printed does the same in another shell.
    lists(&done, "again: reduct step --env MODE prog.state/01.txt -- python3 prog.py 1");
    let words = ["step", "--env", "MODE", "prog.state/01.txt", "--", "python3", "prog.py", "1"];
    workshop.reduct(words).env("MODE", "bad").run().exits_with(0);
    done.says("no MODE: Recorded: 4 statement executions");
    workshop.reduct(["verify"]).run().exits_with(0);
    // A variable may also be one that must not be there; arguments may differ, too.
    let words = ["state", "--good-env", "MODE", "--good-args", "2", "--", "python3", "prog.py", "1"];
    let done = workshop.reduct(words).env("REDUCT_CONFINE", "auto").env("REDUCT_ALLOW_WRITE", "").env("MODE", "odd");
    let done = done.run().exits_with(0);
    lists(&done, "With the value that it has with no MODE 2, the program passes.");
    assert_eq!(chain(&done).last(), Some(&("prog.py:5".into(), "kind = 'odd1' instead of 'odd2'".into())));
    // A value may be a secret: the line that is printed has its name.
    lists(&done, "again: reduct step --env MODE=\"$MODE\" ");
    // The run that fails keeps its own, whatever it is where the search goes on.
    let words = ["state", "--tests", "1", "--force", "--good-env", "MODE=fine", "--", "python3", "prog.py", "3"];
    let begun = workshop.reduct(words).env("REDUCT_CONFINE", "auto").env("REDUCT_ALLOW_WRITE", "").env("MODE", "bad");
    begun.run().exits_with(4);
    let done = workshop.reduct(["resume"]).run().exits_with(0);
    let expected =
        pairs(&[("prog.py:4", "mode = 'bad' instead of 'fine'"), ("prog.py:5", "kind = 'bad3' instead of 'fine3'")]);
    assert_eq!(chain(&done), expected);
    workshop.reduct(["verify"]).run().exits_with(0);
    // It must pass there, and fail here.
    state(&workshop, &[&["--good-env", "MODE=odd"], &program[..]].concat())
        .exits_with(2)
        .says("with MODE=odd, the failure occurs, too: exit status 1")
        .says("--good-args and --good-env must say with what the program passes");
    state(&workshop, &["--good-env", "MODE=odd", "--", "python3", "prog.py", "2"])
        .exits_with(2)
        .says("the command, as it stands, must be the one that fails");
    state(&workshop, &[&["--good-env", "=odd"], &program[..]].concat()).exits_with(2).says("has no name: =odd");
}

#[test]
fn another_wrong_output_than_the_failure_is_pointed_out() {
    let workshop = Workshop::new();
    let program = "\
import os
rate, fee = map(int, os.environ.get('RATES', '3x5').split('x'))
total = 100 * rate + fee
print('total', total)
";
    workshop.write("prog.py", program);
    let words = |fails_if| ["--force", "--good-env", "RATES=2x4", "--fails-if", fails_if, "--", "python3", "prog.py"];
    // 305 is the failure, 204 is right, and with one of two values changed, the total is 205 or 304, which is neither.
    let done = state(&workshop, &words("stdout~total 305")).exits_with(0);
    let found = chain(&done);
    assert_eq!((found.len(), &*found[0].0), (2, "prog.py:3"));
    assert_eq!(found[1], ("prog.py:4".into(), "total = 305 instead of 204".into()));
    lists(
        &done,
        "With 01.txt the program passes, but prints something else than with RATES=2x4. If that is wrong, too: ",
    );
    let report = workshop.reduct(["report", "--json"]).run().exits_with(0).stdout;
    let report: Value = serde_json::from_str(&report).unwrap();
    assert_eq!(report["claim"]["caveats"], json!([{ "kind": "prints-other", "changes": 1 }]));
    assert_eq!(Check::of(&schema("run.schema.json"), &report), Vec::<String>::new());
    let done = state(&workshop, &words("!stdout~total 204")).exits_with(0);
    assert!(!done.stdout.contains("something else"), "{}", done.stdout);
}

#[test]
fn values_are_changed_in_functions_and_containers() {
    let workshop = Workshop::new();
    let program = "\
import sys
def largest(numbers):
    best = None
    for number in numbers:
        best = number if best is None or number > best else best
    return best
def main(path):
    numbers = [int(word) for word in open(path).read().split()]
    found = largest(numbers)
    table = {'found': found}
    if table['found'] > 100:
        raise ValueError('too large')
main(sys.argv[1])
";
    workshop.write("prog.py", program);
    workshop.write("good", "3 20 7\n");
    workshop.write("bad", "3 200 7\n");
    // The name of the input may stand in the command instead of {}.
    let done = state(&workshop, &["good", "bad", "--out", "found", "--", "python3", "prog.py", "bad"]).exits_with(0);
    let found = chain(&done);
    // The first one is the name of the input.
    assert_eq!(found[0].0, "prog.py:8");
    let found = found[1..].to_vec();
    let expected = pairs(&[
        ("prog.py:9", "numbers = [3, 200, 7] instead of [3, 20, 7]"),
        ("prog.py:4", "number = 200 instead of 20"),
        ("prog.py:4", "best = 200 instead of 20"),
        ("prog.py:10", "found = 200 instead of 20"),
        ("prog.py:11", "table = {'found': 200} instead of {'found': 20}"),
    ]);
    // The loop goes on over the list that is changed: it is the cause until the number was taken from it. In the next
    // iteration, the best one is.
    assert_eq!(found, expected);
    done.says("too large");
    assert_eq!(workshop.text("prog.py"), program);
}

#[test]
fn values_that_are_needed_together_are_found_together() {
    let workshop = Workshop::new();
    // The message names what the program was given.
    workshop.write("told.py", "import sys\na = open(sys.argv[1]).read()\nif a == 'odd\\n':\n    raise ValueError(a)\n");
    workshop.write("good", "fine\n");
    workshop.write("bad", "odd\n");
    let done = state(&workshop, &["good", "bad", "--", "python3", "told.py", "{}"]).exits_with(0);
    lists(&done, "1 value: ");
    workshop.write(
        "prog.py",
        "import sys\na, b = map(int, open(sys.argv[1]).read().split())\nc = 1\nif a == 3 or b == 4:\n    sys.exit(7)\n",
    );
    workshop.write("good", "1 2\n");
    workshop.write("bad", "3 4\n");
    let done = state(&workshop, &["good", "bad", "--", "python3", "prog.py", "{}"]).exits_with(0);
    lists(&done, "2 values: ");
    done.says("exit status 7");
    let change = workshop.text("bad.state/01.txt");
    assert!(change.ends_with("0 <module>:1 a = 1\n0 <module>:1 b = 2\n"), "{change}");
    // There is a result of an earlier call: it is replaced.
    let done = state(&workshop, &["good", "bad", "--tests", "2", "--", "python3", "prog.py", "{}"]).exits_with(4);
    lists(&done, "No cause was found");
    assert!(!workshop.exists("bad.state/01.txt"));
}

#[test]
fn a_result_of_isolate_has_both_inputs() {
    let workshop = Workshop::new();
    workshop.write(
        "prog.py",
        "import sys\ntext = open(sys.argv[1]).read()\nfor line in text.split('\\n'):\n    assert 'x' not in line\n",
    );
    workshop.write("good", "one\ntwo\nthree\n");
    workshop.write("bad", "1\n2 x\n3\n4\n");
    workshop.reduct(["isolate", "good", "bad", "--", "python3", "prog.py", "{}"]).run().exits_with(0);
    let done = state(&workshop, &["bad.isolated", "--", "python3", "prog.py", "{}"]).exits_with(0);
    assert_eq!(chain(&done).first().map(|(place, _)| place.as_str()), Some("prog.py:3"));
    assert!(workshop.exists("bad.state/01.txt"));
    state(&workshop, &["bad.state", "--", "python3", "prog.py", "{}"])
        .exits_with(2)
        .says("is no result of reduct isolate");
}

#[test]
fn what_cannot_be_compared_is_refused() {
    let workshop = Workshop::new();
    workshop.write("prog.py", "import sys\nx = len(open(sys.argv[1]).read())\nassert x < 3\n");
    workshop.write("good", "1\n");
    workshop.write("bad", "1234\n");
    workshop.write("bad.state", "precious");
    workshop.write("lib/none.py", "");
    workshop.write("dice.py", "import random, sys\nfor i in range(random.randrange(10 ** 4)): pass\nassert open(sys.argv[1]).read() == '1\\n'\n");
    let refused = |words: &[&str], says: &str| {
        state(&workshop, words).exits_with(2).says(says);
    };
    refused(&["good", "bad", "--", "python3", "prog.py", "{}"], "bad.state is there, and is no result of reduct state");
    assert_eq!(workshop.text("bad.state"), "precious");
    let out = ["--out", "x", "--", "python3"];
    let with = |inputs: &[&'static str], rest: &[&'static str]| [inputs, &out[..], rest].concat();
    refused(&with(&["bad", "good"], &["prog.py", "{}"]), "with good, nothing fails: exit status 0");
    refused(&with(&["bad", "bad"], &["prog.py", "{}"]), "with bad, the failure occurs, too: exit status 1");
    refused(&with(&["good", "bad"], &["prog.py"]), "the command does not name the input");
    refused(&with(&["good", "none"], &["prog.py", "{}"]), "none");
    refused(&with(&["good", "bad", "--only", "lib"], &["prog.py", "{}"]), "none is looked into");
    refused(&with(&["good", "bad"], &["dice.py", "{}"]), "does not execute the same twice");
    refused(&with(&["good", "bad", "--reuse"], &["prog.py", "{}"]), "--reuse is not for reduct state");
    assert!(!workshop.exists("x") && !Path::new(&workshop.path(".reduct")).exists());
}
