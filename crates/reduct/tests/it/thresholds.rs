//! Failures at a threshold: of the stack, of the size, of the time, of how often.

use crate::workshop::{Events, Workshop};
use rustix::process::Signal;
use std::process::Command;

/// Recurses once for each byte of its input.
const DEEP: &str = "#include <stdio.h>
static int down(FILE *in) {
    volatile char room[100];
    int c = fgetc(in);
    room[0] = (char)c;
    return c == EOF ? 0 : down(in) + room[0];
}
int main(int n, char **words) {
    FILE *in = n == 2 ? fopen(words[1], \"r\") : 0;
    return in ? down(in) & 0 : 3;
}
";

fn lines(text: &str) -> usize {
    text.lines().count()
}

/// What the end says where personality(2) is forbidden, as in many containers: then addresses cannot be fixed.
const FORBIDDEN: &str = "as personality(2) is forbidden here";

fn may_fix_addresses() -> bool {
    Command::new("setarch").args(["-R", "true"]).status().unwrap().success()
}

#[test]
fn a_stack_that_overflows_does_so_in_each_run() {
    let workshop = Workshop::new();
    let (source, program) = (workshop.write("deep.c", DEEP), workshop.beside("deep"));
    assert!(Command::new("gcc").arg("-O0").arg("-o").arg(&program).arg(source).status().unwrap().success());
    workshop.script("test.sh", &format!("ulimit -s 128\nexec '{}' input", program.display()));
    workshop.write("input", "abcdefgh\n".repeat(400));
    let words = "-j2 --by lines --no-backtrace --events events input -- ./test.sh";
    if !may_fix_addresses() {
        workshop.reduct(words.split(' ')).run().says(FORBIDDEN);
        return;
    }
    let done = workshop.reduct(words.split(' ')).run().exits_with(0);
    done.says("1-minimal in lines").says("Confirmed: it failed in 5 of 5 more runs.");
    // Each deletion from what is at the threshold passes, so nothing is tried twice.
    let asked = Events::read(workshop.path("events")).last()["asked"].as_u64().unwrap();
    assert!(asked < 1000, "{asked} tests");
    workshop.reduct(["verify"]).run().exits_with(0).says("is 1-minimal in lines");
}

#[test]
fn addresses_are_random_only_if_that_is_asked_for() {
    for (more, count) in [("", 1), ("--aslr", 2)] {
        let workshop = Workshop::new();
        workshop.write("input", "one\nneedle\nthree\n");
        workshop.script("test.sh", "grep -F '[stack]' /proc/self/maps >>\"$LOG\"\ngrep -q needle input");
        let words = format!("--by lines {more} ./test.sh input");
        let done = workshop.reduct(words.split_whitespace()).run().exits_with(0);
        if more.is_empty() && !may_fix_addresses() {
            done.says(FORBIDDEN);
            continue;
        }
        let mut places = workshop.runs();
        assert!(places.len() > 5, "{places:?}");
        places.sort();
        places.dedup();
        assert_eq!(places.len().min(2), count, "{more}: {places:?}");
    }
}

/// Fails if there are 5 lines; if there are fewer, in every other run.
const BY_SIZE: &str = "n=$(wc -l <input)\n[ $n -gt 0 ] || exit 0\nif [ $n -lt 5 ]; then\n\
    echo run >>\"$LOG\"\n[ $(($(wc -l <\"$LOG\") % 2)) = 1 ] || exit 0\nfi\necho 'assertion failed: it is there' >&2\nexit 1";

#[test]
fn a_result_that_fails_now_and_then_is_not_kept() {
    let workshop = Workshop::new();
    workshop.script("test.sh", BY_SIZE);
    let input: String = (0..20).map(|n| format!("{n}\n")).collect();
    workshop.write("input", input);
    let words = "-j1 --by lines --events events input -- ./test.sh";
    let done = workshop.reduct(words.split(' ')).run().exits_with(4).says("the run went back by").says("--repeat");
    done.says("Confirmed: it failed in 5 of 5 more runs.").does_not_say("1-minimal").does_not_say("Proved");
    // The smallest of its steps that has 5 lines.
    let tests = workshop.logged();
    let sizes = tests.iter().filter(|(size, outcome)| *size >= 5 && outcome == "fail").map(|(size, _)| *size);
    assert_eq!(lines(&workshop.text("input.reduced")) as u64, sizes.min().unwrap());
    let ended = Events::read(workshop.path("events"));
    assert_eq!((&ended.last()["confirmed"], &ended.last()["why"]), (&true.into(), &"done".into()));
    assert_eq!(ended.last()["notes"].as_array().unwrap().len(), 1);
    workshop.reduct(["verify"]).run().exits_with(0).says("fails; nothing more was checked");
    workshop.reduct(["resume"]).run().exits_with(0).says("nothing is left to do");
}

#[test]
fn where_not_even_the_whole_input_fails_each_time_nothing_is_confirmed() {
    let workshop = Workshop::new();
    // The two runs before the search fail, and each first one of a candidate.
    workshop.script(
        "test.sh",
        "[ -s input ] || exit 1\nmarks=\"$MARKS/$(cksum <input | tr ' ' -)\"\necho run >>\"$marks\"\n\
         n=$(wc -l <\"$marks\")\n[ $n = 1 ] || { [ $n = 2 ] && [ $(wc -l <input) = 4 ]; }",
    );
    std::fs::create_dir(workshop.beside("marks")).unwrap();
    workshop.write("input", "1\n2\n3\n4\n");
    let call = workshop.reduct("-j1 --by lines ./test.sh input".split(' ')).env("MARKS", workshop.beside("marks"));
    call.run()
        .exits_with(4)
        .says("NOT confirmed: it failed in 0 of 1 more runs")
        .says("--repeat")
        .does_not_say("1-minimal");
}

#[test]
fn a_run_that_was_stopped_says_what_was_confirmed() {
    let workshop = Workshop::new();
    workshop.write("input", "1\n2\nneedle\n4\n5\n6\n7\n8\n");
    workshop.script("test.sh", "grep -q needle input");
    let done = workshop.reduct("-j1 --by lines --tests 2 ./test.sh input".split(' ')).run().exits_with(4);
    let done = done.says("Confirmed: it failed in 5 of 5 more runs.").does_not_say("Proved");
    drop(done.says("The search was not finished, so nothing more is proved."));
    let workshop = Workshop::new();
    workshop.write("input", "1\n2\nneedle\n4\n5\n6\n7\n8\n");
    workshop.script(
        "test.sh",
        "echo run >>\"$LOG\"\n[ $(wc -l <\"$LOG\") -lt 6 ] || exec sleep 1000\ngrep -q needle input",
    );
    let mut running = workshop.reduct("-j1 --by lines ./test.sh input".split(' ')).start();
    assert!(workshop.wait_for_runs(6, &mut running));
    running.process().kill(Signal::INT);
    let done = running.wait().exits_with(130).does_not_say("Proved").does_not_say("Confirmed");
    drop(done.says("Not confirmed: stopped before the result was run again."));
    workshop.expect_no_process();
}

/// Hangs on the needle alone, the first time or each time.
fn hangs(workshop: &Workshop, each_time: bool) -> String {
    let first = if each_time { "true" } else { "[ ! -e \"$LOG\" ]" };
    workshop.script(
        "test.sh",
        &format!("if [ \"$(cat input)\" = needle ] && {first}; then echo run >>\"$LOG\"; exec sleep 1000; fi\ngrep -q needle input"),
    );
    workshop.write("input", "one\nneedle\nthree\n");
    "--by lines --timeout 700ms ./test.sh input".into()
}

#[test]
fn a_test_that_reaches_the_time_limit_once_has_another_run_alone() {
    for jobs in ["-j1", "-j3"] {
        let workshop = Workshop::new();
        let words = format!("{jobs} {}", hangs(&workshop, false));
        let done = workshop.reduct(words.split(' ')).run().exits_with(0).says("1-minimal in lines");
        done.says("run again alone, it ended in time, which counts").says("time limit (700 ms)");
        assert_eq!(workshop.text("input.reduced"), "needle\n");
    }
}

#[test]
fn a_test_that_reaches_the_time_limit_twice_is_counted() {
    let workshop = Workshop::new();
    let words = hangs(&workshop, true);
    let done = workshop.reduct(words.split(' ')).run().exits_with(0);
    drop(done.says("1 test counts as unresolved: it ended at the time limit (700 ms), also when run again alone."));
    assert_eq!(lines(&workshop.text("input.reduced")), 2);
    assert_eq!(workshop.runs().len(), 2);
}

#[test]
fn a_busy_loop_is_ended_by_its_processor_time() {
    let workshop = Workshop::new();
    workshop.write("input", "brake\nneedle\n");
    workshop.script("test.sh", "grep -q needle input || exit 1\ngrep -q brake input && exit 0\nwhile :; do :; done");
    let words = "-j1 --by lines ./test.sh input";
    let done = workshop.reduct(words.split(' ')).run().exits_with(0);
    drop(done.says("1 test counts as unresolved: it ended at the time limit (4.0 s, or 2.0 s of processor time),"));
    assert_eq!(workshop.text("input.reduced"), "brake\nneedle\n");
}

/// Fails in 80 of 100 runs if there are 4 lines, in 60 of 100 if there are fewer, if the needle is there. Chance comes
/// from a seed, in a file.
const SINKS: &str = "grep -q needle input || exit 0\nseed=$(cat \"$LOG\" 2>/dev/null || echo 7)\n\
    seed=$(((seed * 1103515245 + 12345) % 2147483648))\necho $seed >\"$LOG\"\n\
    often=60; [ $(wc -l <input) -lt 4 ] || often=80\n\
    [ $((seed / 65536 % 100)) -ge $often ] || { echo 'assertion failed: a needle' >&2; exit 1; }";

#[test]
fn what_fails_less_often_than_at_first_is_confirmed_if_that_is_often_enough() {
    let workshop = Workshop::new();
    workshop.write("input", "one\ntwo\nneedle\nthree\nfour\nfive\n");
    workshop.script("test.sh", SINKS);
    let done = workshop.reduct("-j1 --by lines --repeat input -- ./test.sh".split(' ')).run().exits_with(0);
    let done = done.says("1-minimal in lines").says("more runs, which is not too seldom.").says("Confidence: 99");
    done.does_not_say("did NOT fail");
    assert_eq!(workshop.text("input.reduced"), "needle\n");
    workshop.reduct(["verify"]).run().exits_with(0).says("is 1-minimal in lines").says("the floor is");
}
