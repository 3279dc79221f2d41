//! `reduct fuzz`: the failures of the first experiments (Miller et al. 1990; book 5.7), found and reduced.

use crate::workshop::{Workshop, files_below, listed};
use rustix::process::Signal;
use serde_json::Value;
use std::process::Command;

/// A filter with a buffer of 80 characters for a line.
const OVERLONG: &str = r#"
    int main(void) {
        int c, n = 0;
        while ((c = getchar()) != EOF) {
            n = c == '\n' ? 0 : n + 1;
            if (n > 80) abort();
        }
        return 0;
    }"#;

/// A filter with a table of 128 characters.
pub(crate) const EIGHT_BIT: &str = r#"
    int main(void) {
        int c;
        while ((c = getchar()) != EOF) assert(c < 128);
        return 0;
    }"#;

/// Reads a file of commands, of which one needs an argument.
const ONE_COMMAND: &str = r#"
    int main(int argc, char **argv) {
        char line[1000];
        FILE *in = fopen(argv[1], "r");
        while (in && fgets(line, sizeof line, in)) {
            char *verb = strtok(line, " \n"), *what = strtok(NULL, "\n");
            if (verb && !strcmp(verb, "move") && !what) return *(volatile char *)what;
        }
        return 0;
    }"#;

/// Two filters in one: what hangs at a NUL, and says something plain of a tab.
const TWO: &str = r#"
    int main(void) {
        int c;
        while ((c = getchar()) != EOF) {
            if (c == 0) for (;;) pause();
            if (c == '\t') { fprintf(stderr, "terminate called\n"); return 3; }
            if (c == '\r') return 1;
        }
        return 0;
    }"#;

/// With a program of these lines, called `prog`.
pub(crate) fn workshop(body: &str) -> Workshop {
    let workshop = Workshop::new();
    let headers =
        ["assert", "signal", "stdio", "stdlib", "string", "unistd"].map(|name| format!("#include <{name}.h>\n"));
    let source = workshop.beside("prog.c");
    std::fs::write(&source, headers.concat() + body).unwrap();
    let status = Command::new("cc").arg("-w").arg("-o").arg(workshop.path("prog")).arg(source).status().unwrap();
    assert!(status.success());
    workshop
}

pub(crate) fn fuzz<'a>(words: &[&'a str], command: &[&'a str]) -> Vec<&'a str> {
    [&["fuzz", "--no-backtrace", "--scratch", "../scratch", "-j2"], words, &["--"], command].concat()
}

/// The index, as JSON.
pub(crate) fn findings(workshop: &Workshop, folder: &str) -> Vec<Value> {
    let lines = workshop.text(format!("{folder}/findings.jsonl"));
    lines.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

#[test]
fn an_overlong_line_is_found_and_reduced() {
    let workshop = workshop(OVERLONG);
    let done = workshop.reduct(fuzz(&["--findings", "1", "--tests", "500"], &["./prog"])).run().exits_with(0);
    drop(done.says("found 001-SIGABRT").says("81 bytes").says("1 different failure"));
    let reduced = workshop.read("fuzz/001-SIGABRT/reduced");
    assert_eq!(reduced.len(), 81);
    assert!(!reduced.contains(&b'\n'));
    // The input is what its number says, and the folder has what it takes to see it again.
    let [found] = &findings(&workshop, "fuzz")[..] else { panic!("one is found") };
    let trial = found["trial"].to_string();
    let input = workshop.beside("again");
    workshop.shell(&format!("\"$REDUCT\" fuzz --trial {trial} >'{}'", input.display())).run().exits_with(0);
    assert_eq!(std::fs::read(input).unwrap(), workshop.read("fuzz/001-SIGABRT/input"));
    assert_eq!(workshop.text("fuzz/001-SIGABRT/signature.txt"), "death by SIGABRT\n");
    workshop.shell("fuzz/001-SIGABRT/repeat.sh").run().exits_with(134);
    workshop.shell("fuzz/001-SIGABRT/repeat.sh /dev/null").run().exits_with(0);
    workshop.expect_no_scratch();
}

#[test]
fn an_8_bit_character_is_found_and_reduced() {
    let workshop = workshop(EIGHT_BIT);
    let words = ["--generators", "classic,8bit", "--seed", "7", "--tests", "40", "--events", "events"];
    let done = workshop.reduct(fuzz(&words, &["./prog"])).run().exits_with(0);
    drop(done.says("saying “assertion in prog.c: c < N” in main"));
    let [found] = &findings(&workshop, "fuzz")[..] else { panic!("it is filed once") };
    assert_eq!((&found["standing"], &found["reduced"]), (&"reduced".into(), &1.into()));
    assert!(found["seen"].as_u64().unwrap() > 10, "{found}");
    let reduced = workshop.read(format!("fuzz/{}/reduced", found["folder"].as_str().unwrap()));
    assert!(reduced[0] >= 128);
    let events = workshop.text("events");
    assert!(events.lines().any(|line| line.contains("\"type\":\"reduced\"")), "{events}");
}

#[test]
fn one_bad_command_is_found_in_changed_examples() {
    let workshop = workshop(ONE_COMMAND);
    workshop.write("examples/one", "show all\nmove left\nturn 90\nstop\n");
    workshop.write("examples/two", "turn 45\nmove 10 steps\n");
    let words = ["--examples", "examples", "--generators", "mutate", "--name", "a.turtle", "--findings", "1"];
    workshop.reduct(fuzz(&words, &["./prog", "{}"])).run().exits_with(0).says("found 001-SIGSEGV");
    // The shortest that is the command, and no more: an end of the line is not needed.
    assert_eq!(workshop.text("fuzz/001-SIGSEGV/reduced.turtle"), "move");
    assert!(workshop.exists("fuzz/001-SIGSEGV/a.turtle"));
}

#[test]
fn failures_are_told_apart_and_an_exit_status_is_none_unless_it_is_said() {
    let workshop = workshop(TWO);
    for (name, text) in [("1", "x\0y"), ("2", "a\tb"), ("3", "c\rd"), ("4", "e")] {
        workshop.write(format!("inputs/{name}"), text);
    }
    let all = ["--timeout", "500ms", "--from", "inputs"];
    workshop.reduct(fuzz(&all, &["./prog"])).run().exits_with(0);
    let mut names = listed(&workshop.path("fuzz"));
    names.retain(|name| name.starts_with('0'));
    assert_eq!(names, ["001-hang", "002-exit3-terminate-called"]);
    assert_eq!(workshop.read("fuzz/001-hang/reduced"), b"\0");
    assert_eq!(workshop.read("fuzz/002-exit3-terminate-called/reduced"), b"\t");
    let said = ["--fails-if", "exit=1", "--no-reduce", "--timeout", "500ms", "--from", "inputs", "--out", "said"];
    workshop.reduct(fuzz(&said, &["./prog"])).run().exits_with(0).says("found 001-exit1");
    assert!(!workshop.exists("said/001-exit1/reduced"));
}

#[test]
fn the_same_is_found_at_any_number_of_jobs_and_after_any_interruption() {
    let workshop = workshop(
        &EIGHT_BIT.replace("assert(c < 128);", "{ if (c == 200) abort(); if (c == 7) return *(volatile char *)0; }"),
    );
    let whole = |out: &'static str, jobs: &'static str| {
        [
            "fuzz",
            "--scratch",
            "../scratch",
            "--seed",
            "3",
            "--size",
            "5000",
            "--tests",
            "60",
            "--no-backtrace",
            "-q",
            "--out",
            out,
            jobs,
            "--",
            "./prog",
        ]
    };
    let told = |folder| findings(&workshop, folder);
    workshop.reduct(whole("one", "-j1")).run().exits_with(0);
    workshop.reduct(whole("many", "-j5")).run().exits_with(0);
    assert_eq!(told("one"), told("many"));
    assert_eq!(told("one").len(), 2);
    // Killed in the middle, at several places; then it goes on.
    for (signal, place) in [(Signal::KILL, "001-"), (Signal::INT, "002-")] {
        let words = whole("cut", "-j2");
        let running = workshop.reduct(words).start();
        workshop.eventually("something is filed", || {
            let names = listed(&workshop.path("cut"));
            if names.iter().any(|name| name.starts_with(place)) { Ok(()) } else { Err(format!("{names:?}")) }
        });
        running.process().kill(signal);
        running.wait();
        workshop.reduct(["resume", "cut", "-q", "--tests", "60"]).run().exits_with(0);
        let bytes = |folder| {
            let files = files_below(&workshop.path(folder)).into_iter();
            files
                .filter(|(path, _)| path.ends_with("input") || path.ends_with("reduced"))
                .filter(|(path, _)| path.components().count() == 2)
                .collect::<Vec<_>>()
        };
        assert_eq!(bytes("cut"), bytes("one"));
        let numbers = |all: Vec<Value>| all.iter().map(|one| one["seen"].clone()).collect::<Vec<_>>();
        assert_eq!(numbers(told("cut")), numbers(told("one")));
        std::fs::remove_dir_all(workshop.path("cut")).unwrap();
    }
    workshop.expect_no_process();
    workshop.expect_no_scratch();
}

#[test]
fn what_does_not_repeat_is_kept_and_not_reduced() {
    let workshop = Workshop::new();
    // It dies the second time only: in the first it is seen whether it can be started.
    let [once, twice] = ["once", "twice"].map(|name| workshop.beside(name).display().to_string());
    let body = format!("mkdir '{once}' 2>/dev/null && exit 0; mkdir '{twice}' 2>/dev/null && kill -SEGV $$; exit 0");
    workshop.script("prog", &body);
    workshop.reduct(fuzz(&["--tests", "6"], &["./prog"])).run().exits_with(0).says("did not occur again");
    let [found] = &findings(&workshop, "fuzz")[..] else { panic!("it is kept") };
    assert_eq!(found["standing"], "flaky");
    // What always dies does so without any input.
    workshop.script("dies", "kill -SEGV $$");
    let words = fuzz(&["--tests", "6", "--out", "always"], &["./dies"]);
    workshop.reduct(words).run().exits_with(0).says("it fails on an empty input");
    assert_eq!(findings(&workshop, "always")[0]["seen"], 7);
}

#[test]
fn wrong_use_is_refused_and_nothing_is_made() {
    let workshop = Workshop::new();
    workshop.write("mine/thing", "mine");
    let refused = |words: &[&str], says: &str| {
        workshop.reduct([&["fuzz"], words].concat()).run().exits_with(2).says(says);
        assert!(!workshop.exists("fuzz"));
    };
    refused(&[], "there is nothing to run");
    refused(&["--generators", "mutate", "--", "true"], "has no examples");
    refused(&["--generators", "grammar", "--language", "none", "--examples", "mine", "--", "true"], "in a language");
    refused(&["--examples", "nowhere", "--", "true"], "cannot read");
    refused(&["--out", "mine", "--force", "--", "true"], "exists");
    refused(&["--name", "a/b", "--", "true"], "without folders");
    refused(&["--stall", "5,1", "--", "true"], "--reduce-time");
    refused(&["--stdin", "--arg", "--", "true"], "cannot be used with");
    refused(&["--", "true", "@@"], "here it is {}");
    assert_eq!(workshop.text("mine/thing"), "mine");
    refused(&["--tests", "1", "--", "./no-such"], "cannot be started");
}

#[test]
fn what_it_began_with_is_what_it_goes_on_with() {
    let workshop =
        workshop(&EIGHT_BIT.replace("assert(c < 128);", "if (c >= 128) { if (c % 2) abort(); raise(SIGFPE); }"));
    for (name, byte) in [("1", 129), ("2", 130), ("3", b'x')] {
        workshop.write(format!("inputs/{name}"), [byte]);
    }
    // Interrupted after one trial, by its own limit: the other limit still holds.
    let words = ["--from", "inputs", "--findings", "2", "--tests", "1", "--no-reduce"];
    workshop.reduct(fuzz(&words, &["./prog"])).run().exits_with(0).says("1 different failure in 1 trial");
    let go_on = || workshop.reduct(["resume", "fuzz"]).run().exits_with(0);
    drop(go_on().says("2 different failures in 2 trials").says("To go on"));
    // A further call goes on beyond the limit.
    drop(go_on().says("2 different failures in 3 trials").does_not_say("To go on"));
}

#[test]
fn a_session_that_is_killed_while_it_reduces_its_last_finding_goes_on_to_the_same_goal() {
    let workshop = Workshop::new();
    // Once the failure is filed, each run stops at a gate.
    let [gate, filed] = [workshop.beside("gate"), workshop.path("fuzz/001-SIGSEGV")];
    let wait = format!(
        "[ -d '{}' ] && [ -e '{}' ] && {{ echo here >>\"$LOG\"; sleep 600; }}",
        filed.display(),
        gate.display()
    );
    workshop.script("prog", &format!("{wait}\nif grep -q x; then kill -SEGV $$; fi"));
    for (name, text) in [("1", "a"), ("2", "bcxde"), ("3", "f"), ("4", "g")] {
        workshop.write(format!("inputs/{name}"), text);
    }
    for goal in [["--findings", "1"], ["--tests", "2"]] {
        std::fs::write(&gate, "").unwrap();
        workshop.forget_runs();
        let words = [&["--from", "inputs", "--timeout", "700s"][..], &goal[..]].concat();
        let words = fuzz(&words, &["./prog"]);
        let mut running = workshop.reduct(words).start();
        assert!(workshop.wait_for_runs(1, &mut running));
        running.kill();
        drop(running);
        workshop.expect_no_process();
        std::fs::remove_file(&gate).unwrap();
        let resumed = workshop.reduct(["resume", "fuzz"]).run().exits_with(0);
        drop(resumed.says("1 different failure in 2 trials").says("To go on"));
        assert_eq!(findings(&workshop, "fuzz")[0]["standing"], "reduced");
        assert_eq!(workshop.text("fuzz/001-SIGSEGV/reduced"), "x");
        // A further call goes on beyond the limit.
        drop(workshop.reduct(["resume", "fuzz"]).run().exits_with(0).says("in 4 trials").does_not_say("To go on"));
        std::fs::remove_dir_all(workshop.path("fuzz")).unwrap();
    }
}

#[test]
fn help_says_what_shared_options_mean_here() {
    let help = Workshop::new().shell("\"$REDUCT\" fuzz --help >&2").run().exits_with(0);
    let help = help.says("[default: 5s, times the jobs that share a core]").says("Define a failure: exit=1");
    let help = help.says("tests of reductions do not count").says("docs/FUZZING.md");
    drop(
        help.does_not_say("--stall")
            .does_not_say("--until-granularity")
            .does_not_say("By default, the failure is what the first run"),
    );
}

#[test]
fn to_die_in_another_place_is_another_failure() {
    let workshop = workshop(
        r#"
        static void one(volatile char *p) { *p = 1; }
        static void two(volatile char *p) { *p = 2; }
        int main(void) {
            int c = getchar();
            if (c == 'a') one(0);
            if (c == 'b') two(0);
            return 0;
        }"#,
    );
    for (name, text) in [("1", "a"), ("2", "b"), ("3", "ac")] {
        workshop.write(format!("crashes/{name}"), text);
    }
    let words = ["fuzz", "--scratch", "../scratch", "--no-reduce", "--from", "crashes", "--", "./prog"];
    workshop.reduct(words).run().exits_with(0).says("2 different failures");
    let places: Vec<Value> =
        findings(&workshop, "fuzz").iter().map(|found| found["signature"]["frames"].clone()).collect();
    assert_eq!(places, [["one", "main"], ["two", "main"]].map(Value::from));
}

/// The options of the program fuzz of 1990.
#[test]
fn the_classical_generator_does_what_its_options_say() {
    let workshop = Workshop::new();
    let inputs = |options: &str| -> Vec<Vec<u8>> {
        let line = |trial: u32| format!("\"$REDUCT\" fuzz --generators classic --trial {trial} {options} >../input");
        let input = |trial| {
            workshop.shell(&line(trial)).run().exits_with(0);
            std::fs::read(workshop.beside("input")).unwrap()
        };
        (0..8).map(input).collect()
    };
    let plain = inputs("--length 3000");
    assert!(plain.iter().all(|input| input.len() == 3000 && !input.contains(&0)));
    assert!(plain.iter().flatten().any(|byte| *byte >= 128));
    assert!(inputs("--length 3000 --nul").iter().flatten().any(|byte| *byte == 0));
    let printable = inputs("--length 3000 --printable --epilog quit");
    for input in &printable {
        let body = input.strip_suffix(b"quit").unwrap();
        assert!(body.iter().all(|byte| *byte == b'\n' || (b' '..=b'~').contains(byte)), "{input:?}");
    }
    let lines = inputs("--length 3000 --printable --lines 9");
    for input in &lines {
        let longest = input.split(|byte| *byte == b'\n').map(<[u8]>::len).max().unwrap();
        assert!((1..=9).contains(&longest), "{longest}");
    }
}
