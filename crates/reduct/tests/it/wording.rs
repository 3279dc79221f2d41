//! What is said is so: messages, numbers, and what to do.

use crate::workshop::{Done, PAGE, Workshop, listed};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;

pub(crate) const CRASH: &str = "one\nBOOM\nthree\n";

/// A file that fails, and a script that tells it.
pub(crate) fn workshop() -> Workshop {
    let workshop = Workshop::new();
    workshop.write("crash.txt", CRASH);
    workshop.script("t.sh", "grep -q BOOM crash.txt");
    workshop
}

pub(crate) fn split(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

/// Refused as wrong use, with nothing begun.
#[track_caller]
pub(crate) fn refused(workshop: &Workshop, words: &str) -> Done {
    let done = workshop.reduct(split(words)).run().exits_with(2).does_not_say("panicked");
    assert!(!workshop.exists(".reduct"), "{words}: a run was begun");
    done
}

#[test]
fn what_no_test_has_shown_is_not_known() {
    let workshop = Workshop::new();
    workshop.write("in.txt", "x - y\n");
    // Whatever else stands there, the test cannot tell.
    workshop.script("t.sh", "grep -q '^x - y$' in.txt && exit 0; exit 125");
    workshop.reduct(split("--by lines ./t.sh in.txt")).run().exits_with(0);
    let said = workshop.reduct(["explain"]).run().exits_with(0).stdout;
    assert!(!said.contains("“-” must be exactly so"), "{said}");
    let line = said.lines().find(|line| line.starts_with("Not known: ")).unwrap_or_else(|| panic!("{said}"));
    assert!(line.contains("“-”") && line.contains("failed in another way or was unresolved"), "{line}");
    // Where one of them passes, it is known.
    workshop.script("t.sh", "grep -q '^x - y$' in.txt && exit 0; grep -q '[-]' in.txt && exit 125; exit 1");
    workshop.reduct(split("--by lines ./t.sh in.txt")).run().exits_with(0);
    let said = workshop.reduct(["explain"]).run().exits_with(0).stdout;
    let line = said.lines().find(|line| line.starts_with("“-” must be exactly so, not ")).expect("it is known");
    assert!(line.contains("not nothing") || line.contains("not “"), "{line}");
}

#[test]
fn a_number_of_tests_is_the_number_that_is_printed() {
    // Of the 48 tests of the book's example, 8 are repeated.
    let workshop = Workshop::with_page();
    for tests in [30, 45] {
        let words = format!("--force --by chars --search ddmin --tests {tests} ./test.sh page.html");
        let done = workshop.reduct(split(&words)).run().exits_with(4);
        done.says(&format!("in {tests} tests; the result is")).says(&format!("Stopped by --tests {tests}"));
    }
    let words = "--force --by chars --search ddmin --tests 48 ./test.sh page.html";
    workshop.reduct(split(words)).run().says("in 48 tests; the result is");
    assert_eq!(PAGE.len(), 40);
}

#[test]
fn one_of_a_thing_is_singular() {
    let workshop = Workshop::new();
    workshop.write("all/a.txt", CRASH);
    workshop.script("parse", "grep -q BOOM \"$1\" && { echo 'error: it is broken' >&2; exit 1; }; exit 0");
    workshop.reduct(split("triage all --no-reduce -- ./parse {}")).run().exits_with(0).says("1 input fails in 1 way;");
    let text = fs::read_to_string(workshop.path("all/.reduct/triage/triage.md"))
        .unwrap_or_else(|_| workshop.text(".reduct/triage/triage.md"));
    assert!(text.starts_with("# 1 input fails in 1 way\n"), "{text}");
}

#[test]
fn each_reason_why_a_script_does_not_start_has_its_words() {
    for (first_line, says) in [
        (
            "#!/bin/nosuchsh\n",
            ["line 1 of ./bad.sh names an interpreter that is not there: /bin/nosuchsh", "correct line 1"],
        ),
        ("#!/bin/sh\r\n", ["line 1 of ./bad.sh ends with a carriage return", r"sed -i 's/\r$//' ./bad.sh"]),
        ("#!/etc/passwd\n", ["names an interpreter that is no program: /etc/passwd", "correct line 1"]),
    ] {
        for words in ["./bad.sh crash.txt", "crash.txt -- ./bad.sh", "isolate crash.txt -- ./bad.sh"] {
            let workshop = workshop();
            workshop.write("bad.sh", format!("{first_line}grep -q BOOM crash.txt\n"));
            fs::set_permissions(workshop.path("bad.sh"), Permissions::from_mode(0o755)).unwrap();
            let done = refused(&workshop, words).says("the test cannot be started");
            says.iter().fold(done, |done, text| done.says(text));
        }
    }
    let workshop = workshop();
    let done = refused(&workshop, "crash.txt -- t.sh");
    done.says("`t.sh` stands in this folder, but a bare name is looked for on the search path only")
        .says("write ./t.sh");
    refused(&workshop, "crash.txt -- no-such-tool").says("there is no program `no-such-tool` on the search path");
    refused(&workshop, "crash.txt -- ./none.sh").says("there is no file `./none.sh`").says("a path is one from");
    workshop.write("plain.sh", "#!/bin/sh\n");
    refused(&workshop, "crash.txt -- ./plain.sh").says("`./plain.sh` is not executable").says("chmod +x ./plain.sh");
    fs::create_dir(workshop.path("folder")).unwrap();
    refused(&workshop, "crash.txt -- ./folder").says("`./folder` is a folder");
    // What starts it may be another program that sees the line end.
    workshop.write("env.sh", "#!/usr/bin/env sh\r\nexit 0\n");
    fs::set_permissions(workshop.path("env.sh"), Permissions::from_mode(0o755)).unwrap();
    let done = workshop.reduct(split("crash.txt -- ./env.sh")).run().exits_with(3);
    done.says("line 1 of ./env.sh ends with a carriage return");
}

#[test]
fn the_program_may_be_the_input() {
    let cases = [
        ("report.sh", "#!/bin/sh\necho fine\necho 'bad total' >&2; exit 3\n", "echo 'bad total' >&2; exit 3\n"),
        (
            "report.pl",
            "#!/usr/bin/perl\nmy $x = 1;\nprint \"fine\\n\";\ndie \"bad total\\n\";\n",
            "#!/usr/bin/perl\ndie \"bad total\\n\";\n",
        ),
        (
            "report.py",
            "#!/usr/bin/env python3\nimport sys\nprint('fine')\nsys.exit('bad total')\n",
            "#!/usr/bin/env python3\nimport sys\nsys.exit('bad total')\n",
        ),
    ];
    let workshop = Workshop::new();
    for (name, text, left) in cases {
        workshop.write(name, text);
        fs::set_permissions(workshop.path(name), Permissions::from_mode(0o755)).unwrap();
        workshop.reduct(split(&format!("--by lines {name} -- ./{name}"))).run().exits_with(0);
        assert_eq!(workshop.text(name.replace('.', ".reduced.")), left);
        assert_eq!(workshop.text(name), text, "it is a copy that is run");
    }
    workshop.write("x", "#!/bin/sh\nexit 3\n");
    let done = workshop.reduct(split("x -- ./x")).run().exits_with(2).says("`./x` is not executable");
    drop(done.says("chmod +x ./x").says("`./x` of the command is run as the candidate"));
}

#[test]
fn what_is_no_test_is_said_with_its_reason() {
    let workshop = workshop();
    workshop.write("nx.sh", "#!/bin/sh\nexit 0\n");
    refused(&workshop, "./nosuch.sh crash.txt").says("`./nosuch.sh` is not there").does_not_say("chmod");
    refused(&workshop, "./nx.sh crash.txt")
        .says("`./nx.sh` is not a program, as it is not executable")
        .says("chmod +x ./nx.sh");
    let done = refused(&workshop, "crash.txt ./t.sh").says("`crash.txt` is not a program, but `./t.sh` is");
    done.says("reduct ./t.sh crash.txt");
    refused(&workshop, "crash.txt t.sh").says("reduct ./t.sh crash.txt");
    refused(&workshop, "crash.txt nx.sh").says("chmod +x ./nx.sh").says("reduct ./nx.sh crash.txt");
    refused(&workshop, "./t.sh").says("give the input, too: reduct ./t.sh FILE");
    // What it says is what works.
    workshop.reduct(split("./t.sh crash.txt")).run().exits_with(0);
}

#[test]
fn a_result_gets_the_folders_it_needs() {
    let workshop = workshop();
    for (out, place) in [
        ("deep/new/result.txt", "deep/new/result.txt"),
        ("other/", "other/crash.txt"),
        ("deep/../deep/more/x", "deep/more/x"),
        ("empty", "empty/crash.txt"),
        // What stands there now is an earlier result.
        ("empty", "empty/crash.txt"),
    ] {
        if !workshop.exists("empty") {
            fs::create_dir(workshop.path("empty")).unwrap();
        }
        workshop.reduct(["-o", out, "./t.sh", "crash.txt"]).run().exits_with(0);
        assert_eq!(workshop.text(place), "BOOM", "{out}");
    }
    // A folder goes into the place of an empty one.
    workshop.write("src/a.txt", CRASH);
    fs::create_dir(workshop.path("void")).unwrap();
    workshop.reduct(["-o", "void/", "src", "--", "grep", "-rq", "BOOM", "{}"]).run().exits_with(0);
    assert_eq!(listed(&workshop.path("void")).len(), 1, "{:?}", listed(&workshop.path("void")));
    // Nothing is made where nothing comes of it.
    let words = ["-o", "never/x", "crash.txt", "-c", "exit 0; cat crash.txt"];
    workshop.reduct(words).run().exits_with(2);
    assert!(!workshop.exists("never"));
    let done = workshop.reduct(["-o", "crash.txt/x", "./t.sh", "crash.txt"]).run().exits_with(2);
    done.says("the result cannot be put into").says("crash.txt is no folder").says("choose another place with --out");
    workshop.reduct(["-o", "./", "./t.sh", "crash.txt"]).run().exits_with(2).says("written over the input");
    assert_eq!(workshop.text("crash.txt"), CRASH);
}

#[test]
fn the_same_input_twice_and_an_empty_one_are_called_so() {
    let workshop = workshop();
    workshop.write("sub/crash.txt", CRASH);
    refused(&workshop, "./t.sh crash.txt ./crash.txt").says("./crash.txt is given twice").says("give it once");
    refused(&workshop, "./t.sh crash.txt sub/crash.txt")
        .says("two inputs are called crash.txt")
        .says("put them into one");
    workshop.write("empty.txt", "");
    fs::create_dir_all(workshop.path("hollow")).unwrap();
    for (name, words) in [
        ("empty.txt", "empty.txt -- cat {}"),
        ("empty.txt", "./t.sh empty.txt"),
        ("hollow", "hollow -- ls {}"),
        ("empty.txt", "minima empty.txt -- cat {}"),
    ] {
        let done = refused(&workshop, words).says(&format!("{name} is empty, so there is nothing to reduce"));
        done.does_not_say("on an empty input too");
    }
}

#[test]
fn braces_in_a_line_for_the_shell_stand_for_any_path() {
    for name in ["in put.txt", "it's \"$HOME\" `x`;#.txt"] {
        for line in [
            "grep -q BOOM {}",
            "grep -q BOOM '{}'",
            "grep -q BOOM \"{}\"",
            "f=\"$(cat '{}')\"; case $f in *BOOM*) ;; *) exit 1;; esac",
        ] {
            let workshop = Workshop::new();
            workshop.write(name, CRASH);
            workshop.reduct([name, "-o", "result", "-c", line]).run().exits_with(0);
            assert_eq!(workshop.text("result"), "BOOM", "{name}: {line}");
        }
    }
    let workshop = Workshop::new();
    workshop.write("in put.txt", CRASH);
    let words = ["in put.txt", "--fails-if", "exit=9", "-c", "grep -c BOOM {}; exit 7"];
    let done = workshop.reduct(words).run().exits_with(3);
    let (_, recipe) = done.stderr.split_once("to see it by hand:").unwrap();
    let seen = workshop.shell(recipe).run().stdout;
    assert!(seen.contains("exit status 7") && seen.starts_with("1\n"), "{seen}\n{recipe}");
    // The other command of a comparison, and the script of an oracle.
    let words = ["in put.txt", "-o", "result", "--differs-from", "sed s/BOOM/boom/ {}", "-c", "cat '{}'"];
    workshop.reduct(words).run().exits_with(0);
    assert!(workshop.text("result").contains("BOOM"));
    workshop.reduct(["oracle", "in put.txt", "-o", "new/o.sh", "-c", "grep -q BOOM '{}'"]).run().exits_with(0);
    workshop.shell("cp 'in put.txt' new; cd new; ./o.sh").run().exits_with(0);
}

/// Each of its cuts is complained about in another way.
const COMPLAINS: &str = "\
grep -q BOOM \"$1\" && { echo 'error: in question' >&2; exit 1; }
[ -s \"$1\" ] || exit 0
echo \"error: $(cksum <\"$1\" | tr -d ' ' | tr 0-9 a-j)\" >&2
exit 1";

#[test]
fn other_failures_are_counted_in_one_line() {
    let workshop = workshop();
    workshop.script("parse", COMPLAINS);
    let done = workshop.reduct(split("--by chars --search ddmin -j1 crash.txt -- ./parse {}")).run().exits_with(0);
    assert_eq!(done.stderr.matches("not followed").count(), 1, "{}", done.stderr);
    let line = done.stderr.lines().find(|line| line.starts_with("Other failures were met ")).expect("they are counted");
    assert_eq!(done.stderr.matches("failures were met").count(), 1, "{}", done.stderr);
    // The file has a line for each kind, and they add up to what was said.
    let list = fs::read_to_string(workshop.run_folder().join("others/list.txt")).unwrap();
    let counts: Vec<usize> =
        list.lines().skip(1).map(|line| line.split_whitespace().next().unwrap().parse().unwrap()).collect();
    let said: usize = line.split_whitespace().nth(4).unwrap().parse().unwrap();
    assert_eq!(counts.iter().sum::<usize>(), said, "{line}\n{list}");
    assert!(line.contains("others/list.txt") && said > 3, "{line}");
    // Of a single kind, its line says all there is.
    workshop.script(
        "parse",
        &COMPLAINS.replace("error: $(cksum <\"$1\" | tr -d ' ' | tr 0-9 a-j)", "error: quite another"),
    );
    let done = workshop.reduct(split("--by chars --search ddmin -j1 crash.txt -- ./parse {}")).run().exits_with(0);
    done.says("times: exit status 1 saying “error: quite another”; its smallest input").does_not_say("kinds");
}

#[test]
fn an_original_that_was_changed_is_seen() {
    let workshop = workshop();
    let original = workshop.path("crash.txt").canonicalize().unwrap().display().to_string();
    let loud = "THE ORIGINAL WAS CHANGED";
    workshop.script("t.sh", &format!("echo x >> '{original}'; grep -q BOOM crash.txt"));
    let done = workshop.reduct(split("-q --by lines ./t.sh crash.txt")).run().exits_with(0);
    done.says(loud)
        .says("tests ran: crash.txt had 15 bytes and has")
        .says("The result was made from a copy")
        .says("write to its own folder only");
    assert_eq!(workshop.text("crash.reduced.txt"), "BOOM\n", "what it was at first is reduced");
    // One that keeps size and times, and one that changes the mode only.
    let keeps = format!(
        "touch -r '{original}' ../stamp; printf z | dd of='{original}' conv=notrunc 2>/dev/null; touch -r ../stamp '{original}'"
    );
    for (does, says) in
        [(&*keeps, "has other contents"), (&*format!("chmod 600 '{original}'"), "had mode 644 and has 600")]
    {
        workshop.write("crash.txt", CRASH);
        fs::set_permissions(workshop.path("crash.txt"), Permissions::from_mode(0o644)).unwrap();
        workshop.script("t.sh", &format!("{does}; grep -q BOOM crash.txt"));
        workshop.reduct(split("--by lines --no-cache ./t.sh crash.txt")).run().exits_with(0).says(loud).says(says);
    }
    // In a folder: one that is new, one that is gone; a refusal says it, too.
    workshop.write("pj/a.txt", CRASH);
    workshop.write("pj/b.txt", "b\n");
    let folder = workshop.path("pj").canonicalize().unwrap().display().to_string();
    workshop.script("t.sh", &format!("mkdir -p '{folder}/new'; rm -f '{folder}/b.txt'; grep -q BOOM pj/a.txt"));
    let done = workshop.reduct(split("--by lines ./t.sh pj")).run().exits_with(0);
    done.says("pj/b.txt is gone").says("pj/new is new");
    workshop.script("t.sh", &format!("echo x >>'{original}'; exit 1"));
    workshop.reduct(split("./t.sh crash.txt")).run().exits_with(3).says(loud);
}

#[test]
fn an_original_that_was_left_alone_is_not_accused() {
    let workshop = workshop();
    workshop.write("pj/a.txt", CRASH);
    workshop.script("t.sh", "touch -c \"$WORKSHOP/home/pj/a.txt\"; grep -rq BOOM .; [ $? -eq 0 ] && exit 0; exit 1");
    // It was touched, not changed; and what reduct itself writes is no test's doing.
    let line = "\"$REDUCT\" --by lines --events pj/events ./t.sh pj 2>pj/log";
    workshop.shell(line).run().exits_with(0);
    let log = workshop.text("pj/log");
    assert!(log.contains("the result is") && !log.contains("WAS CHANGED"), "{log}");
    workshop.reduct(split("--in-place ./t.sh crash.txt")).run().exits_with(0).does_not_say("WAS CHANGED");
}

#[test]
fn a_name_with_a_line_feed_or_an_escape_sequence_is_one_line_on_the_terminal() {
    let workshop = Workshop::new();
    let (folder, name) = ("d\nx", "i\u{1b}[31mn.txt");
    workshop.write(format!("{folder}/{name}"), "one\nneedle\ntwo\n");
    workshop.script("t.sh", "grep -q needle \"$1\"");
    let shown = "d⏎x/i␛[31mn.reduced.txt";
    for option in ["--bare", "--plain"] {
        let words = [option, "--force", &format!("{folder}/{name}"), "--", "./t.sh", "{}"];
        let done = workshop.reduct(words).run().exits_with(0).says(&format!("the result is {shown}"));
        assert!(done.stderr.lines().last().is_some_and(|last| last.ends_with(shown)), "{}", done.stderr);
        workshop.reduct(["verify"]).run().exits_with(0).says(&format!("{shown} (6 bytes) fails"));
    }
    workshop.write("ex/one", "seven\n");
    workshop.script("t.sh", "grep -q seven \"$1\" && { echo no >&2; exit 3; }; exit 0");
    let words =
        ["fuzz", "--examples", "ex", "--tests", "9", "-o", "f\nz", "--fails-if", "exit=3", "--", "./t.sh", "{}"];
    workshop.reduct(words).run().exits_with(0).says("all is in f⏎z");
}
