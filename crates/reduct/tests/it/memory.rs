//! What was learned earlier is believed only as long as it is known to be so: helpers change between runs and within them.

use crate::workshop::{Done, Events, Workshop};
use std::fs;
use std::os::unix::fs::PermissionsExt;

/// Four lines, and a test that asks a helper which the command does not name.
fn workshop(helper: &str) -> Workshop {
    let workshop = Workshop::new();
    workshop.write("in.txt", "one\ntwo\nthree\nfour\n");
    workshop.script("t.sh", "echo run >>\"$LOG\"\nsh \"$H/h.sh\"");
    workshop.write("h.sh", helper);
    workshop
}

const TWO: &str = "grep -q two in.txt";
const FOUR: &str = "grep -q four in.txt";
const BOTH: &str = "grep -q two in.txt && grep -q four in.txt";

fn reduct(workshop: &Workshop, words: &[&str]) -> Done {
    workshop.reduct(words).env("H", workshop.home()).run()
}

fn reduce(workshop: &Workshop, more: &[&str]) -> Done {
    let words = [&["-j1", "--by", "lines", "in.txt", "-o", "out.txt"], more, &["--", "./t.sh"]].concat();
    reduct(workshop, &words)
}

#[test]
fn changes_are_blamed_by_the_helper_as_it_is_now() {
    let workshop = Workshop::new();
    workshop.write("o/f", "a\nb\nc\nd\n");
    workshop.write("n/f", "a\nB\nc\nD\n");
    workshop.script("t.sh", "sh \"$H/h.sh\"");
    for (helper, named, other) in [("B", "f:2", "f:4"), ("D", "f:4", "f:2")] {
        workshop.write("h.sh", format!("grep -q {helper} f && exit 1; exit 0"));
        reduct(&workshop, &["changes", "o", "n", "--", "./t.sh"]).exits_with(0).says(named).does_not_say(other);
    }
}

#[test]
fn a_helper_made_stricter_is_asked_about_everything() {
    let workshop = workshop(TWO);
    reduce(&workshop, &[]).exits_with(0);
    assert_eq!(workshop.text("out.txt"), "two\n");
    workshop.write("h.sh", BOTH);
    reduce(&workshop, &[]).exits_with(0).says("1-minimal").does_not_say("earlier");
    assert_eq!(workshop.text("out.txt"), "two\nfour\n");
    reduct(&workshop, &["verify"]).exits_with(0);
}

#[test]
fn a_helper_for_which_the_result_of_before_passes_is_not_called_flaky() {
    let workshop = workshop(TWO);
    reduce(&workshop, &[]).exits_with(0);
    workshop.write("h.sh", FOUR);
    reduce(&workshop, &[]).exits_with(0).does_not_say("flaky");
    assert_eq!(workshop.text("out.txt"), "four\n");
}

#[test]
fn minima_arguments_and_isolations_are_found_by_the_helper_as_it_is_now() {
    let workshop = workshop(TWO);
    workshop.write("good.txt", "one\nthree\n");
    workshop.script("args.sh", "sh \"$H/a.sh\" \"$@\"");
    for (word, other, line) in [("two", "four", TWO), ("four", "two", FOUR)] {
        workshop.write("h.sh", line);
        reduct(&workshop, &["minima", "in.txt", "-o", "minima", "--", "./t.sh"]).exits_with(0);
        assert_eq!(workshop.text("minima/01.txt"), format!("{word}\n"));
        let isolate = ["isolate", "good.txt", "in.txt", "--by", "lines", "-o", "pair", "--", "./t.sh"];
        reduct(&workshop, &isolate).exits_with(0).says(&format!("+ {word}")).does_not_say(&format!("+ {other}"));
        workshop.write("a.sh", format!("for a; do [ $a = {word} ] && exit 1; done; exit 0"));
        reduct(&workshop, &["args", "--", "./args.sh", "one", "two", "four"])
            .exits_with(0)
            .says(&format!("./args.sh {word}"))
            .does_not_say(&format!("./args.sh {other}"));
    }
}

#[test]
fn a_run_is_resumed_from_the_beginning_if_a_helper_has_changed_that_the_command_does_not_name() {
    let workshop = workshop(BOTH);
    reduce(&workshop, &["--tests", "3"]).exits_with(4);
    workshop.write("h.sh", TWO);
    let done = reduct(&workshop, &["resume"]).exits_with(0);
    done.says("h.sh: the outcomes so far are thrown away, and the run starts over").does_not_say("flaky");
    assert_eq!(workshop.text("out.txt"), "two\n");
    reduct(&workshop, &["verify"]).exits_with(0);
    // What was learned since is known.
    workshop.forget_runs();
    let tests = workshop.logged();
    assert_eq!(tests.last().unwrap().1, "pass", "{tests:?}");
    assert!(workshop.runs().is_empty());
}

#[test]
fn a_program_is_watched_wherever_a_script_names_it() {
    let workshop = workshop(TWO);
    let tool = workshop.beside("tools").join("tool");
    fs::create_dir(tool.parent().unwrap()).unwrap();
    let write = |line: &str| {
        fs::write(&tool, format!("#!/bin/sh\n{line}\n")).unwrap();
        fs::set_permissions(&tool, fs::Permissions::from_mode(0o755)).unwrap();
    };
    write(BOTH);
    workshop.script("t.sh", &tool.display().to_string());
    reduce(&workshop, &["--tests", "3"]).exits_with(4);
    // The same again is no change.
    write(BOTH);
    reduct(&workshop, &["resume", "--tests", "4"]).does_not_say("starts over");
    write(TWO);
    reduct(&workshop, &["resume"]).exits_with(0).says("tools/tool: the outcomes so far are thrown away");
    assert_eq!(workshop.text("out.txt"), "two\n");
}

#[test]
fn a_log_that_the_command_names_is_no_part_of_the_test() {
    let workshop = workshop("");
    workshop.write("my.log", "");
    workshop.script("t.sh", &format!("echo run >>\"$LOG\"\necho run >>\"$1\"\n{BOTH}"));
    // In a copy of its project, it would write to a copy of the log.
    let words = ["--bare", "-j1", "--by", "lines", "in.txt", "-o", "out.txt", "--tests", "3", "--", "./t.sh", "my.log"];
    workshop.reduct(words).run().exits_with(4);
    let before = workshop.runs().len();
    workshop.reduct(["resume"]).run().exits_with(0).does_not_say("starts over");
    assert_eq!(workshop.text("out.txt"), "two\nfour\n");
    let (all, known) = (workshop.logged().len(), 3);
    // Those that were known are not run again; the result is, five times.
    assert!(workshop.runs().len() - before <= all - known + 5, "{all} tests, {before} runs before");
    assert_eq!(workshop.text("my.log").lines().count(), workshop.runs().len());
}

#[test]
fn reuse_says_on_how_much_of_earlier_runs_the_answer_rests() {
    let workshop = workshop(BOTH);
    reduce(&workshop, &[]).exits_with(0).does_not_say("earlier runs");
    workshop.forget_runs();
    let done = reduce(&workshop, &["--reuse", "--events", "events"]).exits_with(0);
    // The whole twice, and once in a copy of the project; the empty one once, the result five times at the end.
    assert_eq!(workshop.runs().len(), 9);
    let events = Events::read(workshop.path("events"));
    let number = |name: &str| events.last()[name].as_u64().unwrap();
    assert_eq!(number("runs"), 0);
    let said = done.stderr.split("The answer rests on ").nth(1).unwrap().split(' ').next().unwrap().to_owned();
    let said: u64 = said.parse().unwrap();
    // The preflight was run now: of the questions, the whole and the empty one may be among them.
    let asked = number("asked") - number("repeated");
    assert!((asked - 2..=asked).contains(&said), "{said} of {asked}");
    assert_eq!(workshop.text("out.txt"), "two\nfour\n");
    reduct(&workshop, &["resume"]).exits_with(0);
    assert_eq!(workshop.logged().len() as u64, number("asked"));
}

#[test]
fn reuse_takes_nothing_if_a_helper_has_changed() {
    let workshop = workshop(TWO);
    reduce(&workshop, &[]).exits_with(0);
    workshop.write("h.sh", BOTH);
    reduce(&workshop, &["--reuse"]).exits_with(0).does_not_say("earlier runs");
    assert_eq!(workshop.text("out.txt"), "two\nfour\n");
}

/// What no watch over files can see.
fn with_word(workshop: &Workshop, words: &[&str], word: &str) -> Done {
    workshop.reduct(words).env("WORDS", word).run()
}

const WORDS: &str = "for word in $(printenv WO''RDS); do grep -qx $word in.txt || exit 1; done";

#[test]
fn reuse_that_turns_out_wrong_at_the_end_is_thrown_away() {
    let workshop = workshop("");
    workshop.script("t.sh", WORDS);
    let words = ["--by", "lines", "in.txt", "-o", "out.txt", "--reuse", "--", "./t.sh"];
    with_word(&workshop, &words, "two").exits_with(0);
    let done = with_word(&workshop, &words, "four").exits_with(0);
    done.says("thrown away, and the run starts over").does_not_say("flaky").does_not_say("The answer rests on");
    assert_eq!(workshop.text("out.txt"), "four\n");
    with_word(&workshop, &["verify"], "four").exits_with(0);
}

#[test]
fn reuse_that_contradicts_the_first_runs_is_not_begun_with() {
    let workshop = workshop("");
    workshop.script("t.sh", WORDS);
    let words = ["--by", "lines", "in.txt", "-o", "out.txt", "--reuse", "--", "./t.sh"];
    workshop.write("in.txt", "one\ntwo\n");
    // To be 1-minimal, each line alone has passed.
    with_word(&workshop, &words, "one two").exits_with(0);
    workshop.write("in.txt", "one\n");
    let done = with_word(&workshop, &words, "one").exits_with(0);
    done.says("none of them is used").does_not_say("The answer rests on");
    assert_eq!(workshop.text("out.txt"), "one\n");
}

#[test]
fn a_resumed_run_that_turns_out_wrong_at_the_end_starts_over() {
    let workshop = workshop("");
    workshop.script("t.sh", WORDS);
    // All but the last test are known, and say "two".
    let words = ["--by", "lines", "in.txt", "-o", "out.txt", "--", "./t.sh"];
    with_word(&workshop, &words, "two").exits_with(0);
    let all = workshop.logged().len();
    let most = (all - 1).to_string();
    let words = [&["--tests", &most], &words[..]].concat();
    with_word(&workshop, &words, "two").exits_with(4);
    with_word(&workshop, &["resume"], "four").exits_with(0).says("the run starts over").does_not_say("flaky");
    assert_eq!(workshop.text("out.txt"), "four\n");
}

#[test]
fn a_run_is_resumed_from_the_beginning_if_a_variable_has_changed_that_its_script_reads() {
    let workshop = workshop("");
    workshop.script("t.sh", "for word in $WORDS; do grep -qx $word in.txt || exit 1; done");
    let words = ["-j1", "--tests", "3", "--by", "lines", "in.txt", "-o", "out.txt", "--", "./t.sh"];
    with_word(&workshop, &words, "two").exits_with(4);
    with_word(&workshop, &["resume", "--tests", "4"], "two").does_not_say("starts over");
    let done = with_word(&workshop, &["resume"], "four").exits_with(0);
    done.says("Changed since, in the environment: WORDS: the outcomes so far are thrown away");
    assert_eq!(workshop.text("out.txt"), "four\n");
    // What nobody is known to read is told of; what belongs to a terminal is not.
    with_word(&workshop, &words, "two").exits_with(4);
    let call = workshop
        .reduct(["resume"])
        .env("WORDS", "two")
        .env("MODE", "x")
        .env("SSH_TTY", "x")
        .env("LC_TERMINAL", "x")
        .env("WINDOWPATH", "2");
    let done = call.run().exits_with(0).does_not_say("starts over");
    done.says("Not as when the run began, in the environment: MODE. If the test reads that, begin anew.");
}

#[test]
fn outcomes_are_not_believed_where_not_all_was_seen_that_the_test_opens() {
    let workshop = workshop("");
    fs::create_dir(workshop.path("many")).unwrap();
    for n in 0..4100 {
        fs::write(workshop.path(format!("many/{n}")), "").unwrap();
    }
    workshop.script("t.sh", "cat \"$H\"/many/* >/dev/null; grep -qx two in.txt");
    let words = ["--bare", "--tests", "3"];
    reduce(&workshop, &words).exits_with(4);
    let seen = "Not all could be watched that the test relies on (it opens more than 4096 files): ";
    reduce(&workshop, &["--bare", "--reuse"]).exits_with(0).says(&format!("{seen}no outcome of earlier runs is used."));
    // Nobody is sent to go on without a word of what that costs.
    let done = reduce(&workshop, &words).exits_with(4);
    assert!(done.stderr.lines().any(|line| {
        line.starts_with("To go on: reduct resume") && line.contains(", but it starts over: not all could be watched")
    }));
    reduct(&workshop, &["resume"]).exits_with(0).says(&format!("{seen}the outcomes so far are thrown away"));
    assert_eq!(workshop.text("out.txt"), "two\n");
}

#[test]
fn an_explanation_is_refused_if_a_helper_has_changed() {
    let workshop = workshop(TWO);
    reduce(&workshop, &[]).exits_with(0);
    workshop.write("h.sh", BOTH);
    reduct(&workshop, &["explain"]).exits_with(2).says("h.sh, which has changed").says("reduct verify");
}

#[test]
fn a_triage_reduces_again_what_a_changed_helper_was_asked_about() {
    let workshop = workshop(TWO);
    fs::create_dir(workshop.path("crashes")).unwrap();
    fs::rename(workshop.path("in.txt"), workshop.path("crashes/in.txt")).unwrap();
    let words = ["triage", "crashes", "--fails-if", "exit=0", "--", "./t.sh"];
    let reduced = || {
        let runs = crate::workshop::files_below(&workshop.path("crashes/.reduct"));
        let left: Vec<_> = runs.into_iter().filter(|(path, _)| path.ends_with("reduced/in.txt")).collect();
        String::from_utf8(left[0].1.clone()).unwrap()
    };
    reduct(&workshop, &words).exits_with(0);
    assert!(reduced().contains("two") && !reduced().contains("four"), "{}", reduced());
    // The whole fails just as before.
    workshop.write("h.sh", BOTH);
    reduct(&workshop, &words).exits_with(0);
    assert!(reduced().contains("two") && reduced().contains("four"), "{}", reduced());
}

#[test]
fn what_a_run_had_come_to_is_kept_when_it_starts_over() {
    let workshop = Workshop::new();
    workshop.script("t.sh", "grep -q BOOM \"$1\" && exit 3; exit 0");
    workshop.write("in.txt", "a\nb\nBOOM\nc\nd\n");
    workshop.reduct(["--tests", "8", "in.txt", "--", "./t.sh", "{}"]).run().exits_with(4);
    let result = workshop.text("in.reduced.txt");
    assert!(result.len() < workshop.text("in.txt").len());
    workshop.script("t.sh", "grep -q BOOM \"$1\" && exit 3; exit 0 # another one");
    let done = workshop.reduct(["resume", "--tests", "0"]).run();
    done.says("The earlier result of the run is kept as");
    assert_eq!(fs::read_to_string(workshop.run_folder().join("before-1/in.reduced.txt")).unwrap(), result);
}
