//! What is said is so: messages, numbers, and what to do.

use crate::workshop::{Done, PAGE, Workshop, listed};
use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;

const CRASH: &str = "one\nBOOM\nthree\n";

/// A file that fails, and a script that tells it.
fn workshop() -> Workshop {
    let workshop = Workshop::new();
    workshop.write("crash.txt", CRASH);
    workshop.script("t.sh", "grep -q BOOM crash.txt");
    workshop
}

fn split(line: &str) -> Vec<&str> {
    line.split_whitespace().collect()
}

/// Refused as wrong use, with nothing begun.
#[track_caller]
fn refused(workshop: &Workshop, words: &str) -> Done {
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
    let line = said.lines().find(|line| line.starts_with("“-”: not known")).unwrap_or_else(|| panic!("{said}"));
    assert!(line.contains("it failed in another way or was unresolved"), "{line}");
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
fn a_word_that_is_no_command_is_told_so() {
    let workshop = workshop();
    for word in ["summary", "slice", "completions"] {
        refused(&workshop, word)
            .says(&format!("there is no such command: `{word}`"))
            .says("reduct --help")
            .does_not_say("perhaps");
    }
    refused(&workshop, "verfy").says("there is no such command: `verfy`").says("perhaps: reduct verify");
    refused(&workshop, "triag crash.txt").says("there is no such command: `triag`").says("perhaps: reduct triage");
    // A file of that name is a file.
    workshop.write("summary", CRASH);
    refused(&workshop, "summary").says("reduct summary -- COMMAND").does_not_say("no such command");
}

#[test]
fn options_before_the_word_of_a_command_get_the_line_that_was_meant() {
    let workshop = workshop();
    for (line, meant) in [
        ("-j1 isolate good crash.txt -- ./t.sh", "reduct isolate -j1 good crash.txt -- ./t.sh"),
        ("--quiet resume", "reduct resume --quiet"),
        ("-q triage inputs -- ./t.sh", "reduct triage -q inputs -- ./t.sh"),
        // Options that only the command has.
        ("--json log", "reduct log --json"),
        ("--patch fix.patch changes -- ./t.sh", "reduct changes --patch fix.patch -- ./t.sh"),
    ] {
        refused(&workshop, line).says(&format!("give options after the command: {meant}"));
    }
    // What stands behind `--` belongs to the test, and a file of that name is a file.
    refused(&workshop, "--json crash.txt -- log").does_not_say("give options after the command");
    workshop.write("log", CRASH);
    refused(&workshop, "-j1 log").says("reduct log -- COMMAND").does_not_say("give options after the command");
}

#[test]
fn the_help_of_a_command_does_not_offer_what_it_refuses() {
    let workshop = workshop();
    for (command, options) in [
        ("triage inputs", &["--tests=3", "--time=3s", "--stall=3,1", "--until-granularity=2", "--events=e"][..]),
        ("isolate crash.txt", &["--until-granularity=2"]),
        ("minima crash.txt", &["--until-granularity=2"]),
        ("changes a..b", &["--until-granularity=2"]),
        ("env", &["--until-granularity=2"]),
        ("fuzz", &["--stall=3,1", "--until-granularity=2"]),
    ] {
        let word = split(command)[0];
        let help = workshop.reduct([word, "--help"]).run().exits_with(0).stdout;
        for option in options {
            let name = option.split('=').next().unwrap();
            let is_offered = help.lines().any(|line| line.split_whitespace().next() == Some(name));
            assert!(!is_offered, "{word} {name}");
            fs::create_dir_all(workshop.path("inputs")).unwrap();
            let done = workshop.reduct(split(&format!("{command} {option} -- ./t.sh"))).run().exits_with(2);
            done.says(name).does_not_say("unexpected argument");
        }
    }
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
fn times_without_a_unit_are_seconds() {
    let workshop = workshop();
    let done = workshop.reduct(split("--timeout 7 --by lines ./t.sh crash.txt")).run().exits_with(0);
    done.says("at most 7.0 s each");
    workshop.reduct(split("--timeout 2.5 --by lines ./t.sh crash.txt")).run().exits_with(0).says("at most 2.5 s each");
    let workshop = self::workshop();
    for (value, says) in [
        ("0", "no time at all"),
        ("-1", "--timeout"),
        ("1e99", "a number of seconds"),
        ("99999999999", "longer than a year"),
        ("", "a number of seconds"),
    ] {
        let done = workshop.reduct([&format!("--timeout={value}"), "./t.sh", "crash.txt"]).run().exits_with(2);
        done.says(says).does_not_say("panicked");
    }
    assert!(!workshop.exists(".reduct"));
}

#[test]
fn options_of_other_reducers_get_a_tip_that_fits() {
    let workshop = workshop();
    for (words, says) in [
        ("--not-c ./t.sh crash.txt", "--language none parses nothing"),
        ("--also-interesting 2 ./t.sh crash.txt", "keeps other failures in any case"),
        ("--list-passes", "docs/passes.md"),
        ("--input-type=stdin ./t.sh crash.txt", "--stdin the contents"),
        ("--keep x ./t.sh crash.txt", "the test decides what must stay"),
    ] {
        refused(&workshop, words).says(says).does_not_say("a similar argument exists");
    }
    for (words, says) in [
        ("--grammar=x.g4 crash.txt", "--language names one"),
        ("--strategy=minimize crash.txt", "--search names the algorithm"),
        ("--num-threads=2 crash.txt", "--jobs runs N tests at a time"),
        ("-in_place ./t.sh crash.txt", "--in-place replaces the input"),
        ("changes --good v1 --bad v2", "reduct changes GOOD..BAD -- COMMAND"),
        ("bisect start", "reduct changes GOOD..BAD -- COMMAND"),
        ("minimize crash.txt", "to reduce an input: reduct FILE -- COMMAND"),
        // Nothing is like it, and behind `--` stands the test.
        ("--no-kill ./t.sh crash.txt", "unexpected argument '--no-kill' found"),
    ] {
        refused(&workshop, words).says(says).does_not_say("a similar argument").does_not_say("as a value");
    }
    // What is only misspelled keeps its tip.
    refused(&workshop, "--shel x crash.txt").says("a similar argument exists: '--shell'");
}

#[test]
fn options_of_other_reducers_are_taken_where_they_mean_the_same() {
    for jobs in ["--n 3", "-n 3", "--parallelism 3"] {
        let workshop = workshop();
        let words = format!("{jobs} --timeout 10 --by lines ./t.sh crash.txt");
        workshop.reduct(split(&words)).run().exits_with(0).says("3 tests at a time, at most 10.0 s each");
    }
}

#[test]
fn words_in_the_wrong_place_are_put_right() {
    let workshop = workshop();
    let cases = [
        ("redcue crash.txt -- ./t.sh", "perhaps: reduct reduce crash.txt -- ./t.sh"),
        ("-j1 isolaet a crash.txt -- ./t.sh", "perhaps: reduct -j1 isolate a crash.txt -- ./t.sh"),
        ("bisect a crash.txt -- ./t.sh", "reduct changes GOOD..BAD -- COMMAND"),
        ("histroy", "perhaps: reduct history;"),
        ("history 3", "`reduct history show 3` prints what was left at step 3"),
        ("log nowhere", "give a folder that is there"),
        ("changes a crash.txt ./t.sh", "the test is given after `--`: reduct changes a crash.txt -- ./t.sh"),
        ("minima crash.txt ./t.sh", "the test is given after `--`: reduct minima crash.txt -- ./t.sh"),
        ("-- ./t.sh crash.txt", "the input is given before `--`: reduct crash.txt -- ./t.sh crash.txt"),
        ("minima -- ./t.sh", "the input is given before `--`: reduct minima FILE -- ./t.sh"),
        ("--pass-group all crash.txt -- ./t.sh", "--by names the kinds of parts and the passes"),
    ];
    for (words, says) in cases {
        refused(&workshop, words).says(says);
    }
}

#[test]
fn a_variable_says_how_many_tests_run_at_a_time_if_no_option_does() {
    let workshop = workshop();
    let words = |option: &str| workshop.reduct(split(&format!("{option} --force --by lines ./t.sh crash.txt")));
    words("").env("REDUCT_JOBS", "2").run().exits_with(0).says("2 tests at a time");
    words("-j3").env("REDUCT_JOBS", "2").run().exits_with(0).says("3 tests at a time");
    words("").env("REDUCT_JOBS", "many").run().exits_with(2).says("REDUCT_JOBS is many").says("from 1 to 4096");
}

/// Dies by SIGABRT on a file that holds BOOM.
fn dies_by_abort(workshop: &Workshop) {
    workshop.script("p", "[ -r \"$1\" ] || exit 2; grep -q BOOM \"$1\" && kill -ABRT $$; exit 0");
}

#[test]
fn the_placeholder_of_another_fuzzer_is_answered() {
    let workshop = workshop();
    dies_by_abort(&workshop);
    for word in ["@@", "--file=@@", "___FILE___"] {
        let done = refused(&workshop, &format!("crash.txt -- ./p {word}"));
        done.says("has no meaning here: write {} where the path of the candidate belongs");
    }
    // Where the input is named, it may be meant as it is.
    workshop.write("patch", "@@ -1 +1 @@\n");
    let done = workshop.reduct(split("patch -- grep -c @@@ patch")).run();
    done.does_not_say("has no meaning here");
    workshop.reduct(split("crash.txt -- ./p {}")).run().exits_with(0).says("death by SIGABRT");
    // Where nothing has such a path, there is nothing to write in its place.
    workshop.reduct(split("args -- ./t.sh @@")).run().exits_with(3).does_not_say("has no meaning here");
}

#[test]
fn the_status_by_which_a_shell_reports_a_signal_is_answered() {
    let workshop = workshop();
    dies_by_abort(&workshop);
    let tip = "the program itself died by it: --fails-if signal=ABRT";
    workshop.reduct(split("--fails-if exit=134 crash.txt -- ./p {}")).run().exits_with(3).says(tip);
    workshop
        .reduct(split("--fails-if exit=139 crash.txt -- ./p {}"))
        .run()
        .exits_with(3)
        .does_not_say("--fails-if signal");
    workshop
        .reduct(split("--fails-if exit=3 crash.txt -- ./p {}"))
        .run()
        .exits_with(3)
        .does_not_say("--fails-if signal");
    // What is said is what works; and a shell makes that status of it.
    workshop.reduct(split("--fails-if signal=ABRT crash.txt -- ./p {}")).run().exits_with(0);
    let line = "./p crash.txt; exit $?";
    workshop.reduct(["--force", "--fails-if", "exit=134", "crash.txt", "-c", line]).run().exits_with(0);
}

#[test]
fn the_help_says_where_the_other_options_are() {
    let help = workshop().reduct(["--help"]).run().exits_with(0).stdout;
    assert!(help.contains("`reduct COMMAND --help` has those of each other command"), "{help}");
    assert!(!help.contains("--patch"), "an option of `changes` alone");
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
