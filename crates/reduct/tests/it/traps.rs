//! The traps that other reducers fell into, one test each or more, numbered as in the list they come from.
//!
//! Not here, and why:
//! * 8, a program that does not start on a newer system: there is no interpreter and nothing to install.
//! * 10, a whole copy written for each candidate: counted in the benchmark.
//! * 16, a cache key of 32 bits: the key is a type of 128 bits; that it tells candidates apart is tested where it is made.
//! * 23, a server that is waited for: no test here is a server; trouble that does not pass is trap 24.
//! * 26, a test that keeps state between runs: each run is a process of its own.

use crate::workshop::{Events, Workshop, listed};
use rustix::process::Signal;
use std::fs;

/// Lines of which only this one matters.
pub(crate) fn lines_with(needle: &str, count: usize) -> String {
    (0..count).map(|n| if n == count * 2 / 3 { format!("{needle}\n") } else { format!("line {n}\n") }).collect()
}

/// A workshop with `input`, 30 lines of which one says `needle`, and a script.
pub(crate) fn with_needle(body: &str) -> Workshop {
    let workshop = Workshop::new();
    workshop.write("input", lines_with("needle", 30));
    workshop.script("test.sh", &format!("cksum <input >>\"$LOG\"\n{body}"));
    workshop
}

fn checksum(workshop: &Workshop, name: &str) -> String {
    workshop.shell(&format!("cksum <{name}")).run().exits_with(0).stdout.trim().to_owned()
}

/// Another word for each candidate, of letters only, for numbers do not tell one message from another.
pub(crate) const SAYS_ANOTHER_THING_EVERY_TIME: &str = "\
grep -q needle input && { echo 'error: in question' >&2; exit 1; }
[ -s input ] || exit 0
echo \"error: $(cksum <input | tr -d ' ' | tr 0-9 a-j)\" >&2
exit 1";

/// Runs until the test hangs, which it does in its sixth run, with children of all sorts.
const HANGS_IN_RUN_6: &str = "\
if [ \"$(wc -l <\"$LOG\")\" -ge 6 ]; then
    sleep 1000 &
    setsid sh -c 'sleep 1001 & echo >\"$WORKSHOP/hangs\"; sleep 1002' &
    sleep 1003
fi
grep -q needle input";

#[test]
fn trap_02_nothing_survives_a_kill_of_reduct() {
    let workshop = with_needle(HANGS_IN_RUN_6);
    let words = ["--by", "lines", "-j1", "--scratch", "../scratch", "./test.sh", "input"];
    let running = workshop.reduct(words).start();
    workshop.eventually("the test hangs", || fs::read(workshop.beside("hangs")).map(drop).map_err(|e| e.to_string()));
    running.kill();
    assert_eq!(running.wait().status, -9);
    workshop.expect_no_process();
    workshop.expect_no_scratch();
    // What it had found is there.
    assert!(workshop.text("input.reduced").contains("needle"));
}

#[test]
fn trap_02_the_next_start_sweeps_what_a_kill_of_all_has_left() {
    let workshop = with_needle(HANGS_IN_RUN_6);
    let words = ["--by", "lines", "-j1", "--scratch", "../scratch", "./test.sh", "input"];
    let running = workshop.reduct(words).start();
    workshop.eventually("the test hangs", || fs::read(workshop.beside("hangs")).map(drop).map_err(|e| e.to_string()));
    // First all are stopped, so that none can clean up after another.
    let ours = |process: &crate::workshop::Process| process.name().starts_with("reduct");
    let all: Vec<_> = workshop.processes().into_iter().filter(ours).collect();
    assert!(all.len() >= 2, "reduct and a supervisor");
    all.iter().for_each(|process| process.kill(Signal::STOP));
    all.iter().for_each(|process| process.kill(Signal::KILL));
    assert_eq!(running.wait().status, -9);
    assert!(!listed(&workshop.scratch()).is_empty(), "something is left to be swept");
    assert!(!workshop.processes().is_empty(), "somebody is left to be swept");
    workshop.script("test.sh", "grep -q needle input");
    workshop.reduct(["--by", "lines", "--scratch", "../scratch", "./test.sh", "input"]).run().exits_with(0);
    workshop.expect_no_process();
    workshop.expect_no_scratch();
}

#[test]
fn trap_03_what_a_test_leaves_in_the_background_ends_with_it() {
    for left in ["sleep 1000 &", "setsid sh -c 'setsid sleep 1000 & exit' &", "(trap '' TERM HUP; sleep 1000) &"] {
        let workshop = with_needle(&format!("{left}\ngrep -q needle input"));
        let words = ["--by", "lines", "--scratch", "../scratch", "./test.sh", "input"];
        workshop.reduct(words).run().exits_with(0);
        assert_eq!(workshop.text("input.reduced"), "needle\n", "{left}");
        let left: Vec<_> = workshop.processes();
        assert_eq!(left, [], "nobody is left when reduct has ended");
        assert_eq!(listed(&workshop.scratch()), [""; 0]);
    }
}

#[test]
fn trap_04_a_test_need_not_read_what_it_is_given() {
    let workshop = Workshop::new();
    let line = "0123456789abcde\n";
    workshop.write("big", line.repeat((10 << 20) / line.len()));
    workshop.script("test.sh", "[ \"$(wc -c <big)\" -ge 5000000 ]");
    workshop.reduct("--stdin --by lines --tests 12 ./test.sh big".split(' ')).run().exits_with(4);
    let size = workshop.read("big.reduced").len();
    assert!((5_000_000..10 << 20).contains(&size), "{size}");
}

#[test]
fn trap_05_an_interrupt_leaves_the_best_so_far() {
    for signal in [Signal::INT, Signal::TERM, Signal::HUP] {
        let workshop = with_needle(HANGS_IN_RUN_6);
        let words = "--by lines -j1 --scratch ../scratch --events events ./test.sh input";
        let mut running = workshop.reduct(words.split(' ')).start();
        assert!(workshop.wait_for_runs(6, &mut running));
        running.process().kill(signal);
        running.wait().exits_with(130).says("reduct resume");
        let (result, whole) = (workshop.text("input.reduced"), workshop.text("input"));
        assert!(result.contains("needle\n") && result.len() < whole.len(), "{result}");
        let events = Events::read(workshop.path("events"));
        assert_eq!(events.last()["why"], "interrupted");
        assert_eq!(events.last()["bytes"], result.len());
        assert_eq!(workshop.processes(), []);
        assert_eq!(listed(&workshop.scratch()), [""; 0]);
    }
}

#[test]
fn trap_05_an_interrupt_waits_for_no_text_that_is_being_read() {
    let workshop = Workshop::new();
    let list: String =
        (0..40).map(|n| format!("key{n}:\n  - {n}\n  - {}\n", if n == 27 { "needle" } else { "hay" })).collect();
    workshop.write("input.yaml", list);
    // What reads texts, a child of the parent of the parent of a test, is stopped in the fourth run: a text is read for ever then.
    let body = "echo run >>\"$LOG\"\nif [ $(wc -l <\"$LOG\") -ge 4 ] && [ ! -e \"$WORKSHOP/stopped\" ]; then\n\
                main=$(cut -d' ' -f4 /proc/$PPID/stat)\nfor child in $(cat /proc/$main/task/*/children); do\n\
                grep -q __parse /proc/$child/cmdline && kill -STOP $child && echo >\"$WORKSHOP/stopped\"\ndone\nfi\n\
                grep -q needle input.yaml && exit 3\nexit 0";
    workshop.script("test.sh", body);
    let words = "input.yaml -j1 --unconfined --bare --events events -- ./test.sh";
    let running = workshop.reduct(words.split(' ')).start();
    workshop.eventually("a text is read", || fs::read(workshop.beside("stopped")).map(drop).map_err(|e| e.to_string()));
    let seen = std::cell::RefCell::new(String::new());
    workshop.eventually("nothing goes on", || {
        let now = fs::read_to_string(format!("/proc/{}/status", running.process().0)).unwrap_or_default();
        if seen.replace(now.clone()) == now { Ok(()) } else { Err(now) }
    });
    // To the process, and then to its group, as `timeout` does.
    running.process().kill(Signal::TERM);
    running.process().kill(Signal::TERM);
    let ended = running.wait().exits_with(130);
    // One that read nothing was stopped, too.
    workshop.processes().iter().for_each(|process| process.kill(Signal::CONT));
    ended.says("reduct resume").says(" bytes in ").does_not_say("crashed or took too long");
    let events = Events::read(workshop.path("events"));
    assert_eq!(events.last()["why"], "interrupted");
    assert_eq!(events.last()["bytes"], workshop.text("input.reduced.yaml").len());
    // Nothing is lost, and nothing is learned from what was not read.
    workshop.reduct(["resume"]).run().exits_with(0);
    let resumed = workshop.text("input.reduced.yaml");
    workshop.reduct(words.replace("-j1", "-j2 --force").split(' ')).run().exits_with(0);
    assert_eq!(workshop.text("input.reduced.yaml"), resumed);
    workshop.expect_no_process();
}

#[test]
fn trap_05_a_second_interrupt_ends_it_at_once() {
    let workshop = with_needle("grep -q needle input");
    // The events go to a pipe that is full and not read: so there is no clean end.
    workshop.shell("mkfifo events").run().exits_with(0);
    let reader = workshop.shell("exec 3<>events; head -c 65536 /dev/zero >&3; echo full; exec sleep 1000");
    let mut reader = reader.start();
    reader.wait_for("full");
    let mut running = workshop.reduct("--events events -j1 ./test.sh input".split(' ')).start();
    assert!(workshop.wait_for_runs(2, &mut running));
    workshop.eventually("it ends", || {
        running.process().kill(Signal::INT);
        match fs::read_to_string(format!("/proc/{}/stat", running.process().0)) {
            Ok(stat) if !stat.contains(") Z ") => Err(stat),
            _ => Ok(()),
        }
    });
    running.wait().exits_with(130);
    reader.kill();
    reader.wait();
    workshop.expect_no_process();
}

#[test]
fn trap_06_each_way_to_end_has_a_status_of_its_own() {
    let workshop = with_needle("grep -q needle input");
    workshop.script("never.sh", "exit 1");
    let before = workshop.names();
    for (words, status) in [
        ("./never.sh input", 3),
        ("input -- ./missing.sh", 2),
        ("./test.sh missing", 2),
        ("input -- sh -c 'exit 1'", 2),
    ] {
        workshop.shell(&format!("\"$REDUCT\" {words}")).run().exits_with(status);
        assert_eq!(workshop.names(), before, "nothing is written: {words}");
        assert!(!workshop.exists(".reduct"), "nothing is written: {words}");
    }
    workshop.reduct(["--tests", "2", "./test.sh", "input"]).run().exits_with(4);
    workshop.reduct(["./test.sh", "input"]).run().exits_with(0);
    assert_eq!(workshop.text("input.reduced").trim(), "needle");
    workshop.write("input.reduced", "something else");
    workshop.reduct(["verify"]).run().exits_with(1);
}

#[test]
fn trap_07_a_million_lines() {
    let workshop = Workshop::new();
    workshop.write("input", lines_with("needle", 1_000_000));
    workshop.script("test.sh", "grep -q needle input");
    workshop.reduct("--by lines --tests 50 ./test.sh input".split(' ')).run();
    assert!(workshop.text("input.reduced").lines().any(|line| line == "needle"));
    assert!(workshop.read("input.reduced").len() < 1000, "a few tests leave a few lines");
    workshop.reduct("--tests 50 --force ./test.sh input".split(' ')).run();
    assert!(workshop.text("input.reduced").contains("needle"));
}

#[test]
fn trap_07_a_hundred_thousand_levels() {
    let workshop = Workshop::new();
    let deep = 100_000;
    workshop.write("input", format!("{}needle{}\n", "[".repeat(deep), "]".repeat(deep)));
    workshop.script("test.sh", "grep -q needle input");
    for by in ["--split book", "--by brackets", "--by blocks", "--by tokens", "--by chars --search ddmin"] {
        let words = format!("{by} --tests 50 --time 20s --force ./test.sh input");
        let done = workshop.reduct(words.split(' ')).run();
        assert!([0, 4].contains(&done.status), "{by}: {done:?}");
        assert!(workshop.text("input.reduced").contains("needle"), "{by}");
    }
    // By tokens alone one test is enough; from outside in, fifty are not.
    workshop.reduct("--by tokens --force ./test.sh input".split(' ')).run().exits_with(0);
    assert_eq!(workshop.text("input.reduced"), "needle");
}

#[test]
fn trap_09_a_thousand_lines_of_which_four_matter_take_at_most_120_tests() {
    let workshop = Workshop::new();
    let needed = [17, 333, 334, 901];
    let log: String = (0..1000)
        .map(|n| match needed.iter().position(|needed| *needed == n) {
            Some(at) => format!("needed {at}\n"),
            None => format!("2024-01-01 00:{:02}:{:02} nothing to see\n", n / 60, n % 60),
        })
        .collect();
    workshop.write("log", log);
    workshop.script("test.sh", "echo >>\"$LOG\"; [ \"$(grep -c '^needed' log)\" -eq 4 ]");
    workshop.reduct("--by lines -j1 --events events ./test.sh log".split(' ')).run().exits_with(0);
    assert_eq!(workshop.text("log.reduced"), "needed 0\nneeded 1\nneeded 2\nneeded 3\n");
    let asked = Events::read(workshop.path("events")).last()["asked"].as_u64().unwrap();
    assert!(asked <= 120, "{asked} tests");
    assert!(workshop.runs().len() <= 120 + 8, "{} runs", workshop.runs().len());
}

#[test]
fn trap_11_256_jobs_give_what_one_gives() {
    let results = ["1", "256"].map(|jobs| {
        let workshop = Workshop::with_page();
        workshop.write("page.html", "<SELECT SIZE=7>");
        let words = ["--by", "chars", "--search", "ddmin", "-j", jobs, "--events", "events", "./test.sh", "page.html"];
        workshop.reduct(words).run().exits_with(0);
        (workshop.read("page.reduced.html"), Events::read(workshop.path("events")).tests())
    });
    assert_eq!(results[0].0, b"<SELECT>");
    assert_eq!(results[0], results[1]);
}

#[test]
fn trap_11_jobs_that_share_a_core_have_the_time_for_it() {
    let cores = reduct_system::cores::usable();
    let limit = |jobs: usize, more: &str| {
        let workshop = Workshop::with_page();
        let words = format!("--by lines -j {jobs} --events events {more} ./test.sh page.html");
        workshop.reduct(words.split_whitespace()).run().exits_with(0);
        Events::read(workshop.path("events")).of("began")[0]["time_limit_ms"].as_u64().unwrap()
    };
    // No limit is shorter than two seconds for a test that has a core for itself.
    assert!(limit(cores, "") >= 2_000);
    assert!(limit(4 * cores, "") >= 8_000);
    assert_eq!(limit(4 * cores, "--timeout 3s"), 3_000);
}

#[test]
fn trap_14_a_test_that_loops_for_ever_ends_at_the_limit() {
    let workshop = Workshop::new();
    workshop.write("input", "a\nneedle\nb\n");
    workshop.script("test.sh", "grep -q needle input && exit 0\ntrap '' TERM\nwhile :; do :; done");
    let words = "--by lines --timeout 1s --events events ./test.sh input";
    workshop.reduct(words.split(' ')).run().exits_with(0);
    assert_eq!(workshop.text("input.reduced"), "needle\n");
    let tests = Events::read(workshop.path("events")).tests();
    assert!(tests.iter().all(|(size, outcome)| *size == 0 || outcome != "pass"), "{tests:?}");
    assert_eq!(workshop.processes(), []);
}

#[test]
fn trap_17_every_improvement_is_strictly_smaller() {
    let texts = ["f(a, [b, {c: needle}], \"x y\") + g();\n".repeat(5), lines_with("needle", 50), "needle ".repeat(40)];
    for text in texts {
        let workshop = with_needle("grep -q needle input");
        workshop.write("input", &text);
        workshop.reduct(["--events", "events", "./test.sh", "input"]).run().exits_with(0);
        let events = Events::read(workshop.path("events"));
        let sizes: Vec<u64> = [text.len() as u64]
            .into_iter()
            .chain(events.of("improved").iter().map(|event| event["bytes"].as_u64().unwrap()))
            .collect();
        assert!(sizes.len() > 1 && sizes.is_sorted_by(|before, after| before > after), "{sizes:?}");
        assert_eq!(*sizes.last().unwrap(), workshop.read("input.reduced").len() as u64);
    }
}

#[test]
fn trap_18_the_result_is_run_once_more_from_the_disk() {
    for how in ["", "--tests 5", "--no-cache", "--until-granularity 20"] {
        let workshop = with_needle("grep -q needle input");
        let done = workshop.shell(&format!("\"$REDUCT\" {how} -j1 --events events ./test.sh input")).run();
        assert!([0, 4].contains(&done.status), "{done:?}");
        assert_eq!(workshop.runs().last(), Some(&checksum(&workshop, "input.reduced")), "{how}");
        assert_eq!(Events::read(workshop.path("events")).last()["confirmed"], true);
    }
}

#[test]
fn trap_18_a_result_that_does_not_fail_again_is_not_called_one() {
    // It fails as long as nobody has seen the smallest.
    let workshop = with_needle(
        "grep -q needle input || exit 1
         [ \"$(cat input)\" = needle ] || exit 0
         [ -e \"$WORKSHOP/seen\" ] && exit 1
         : >\"$WORKSHOP/seen\"",
    );
    let done = workshop.reduct("--by lines -j1 ./test.sh input".split(' ')).run().exits_with(4);
    // It goes back to what was the best before.
    let done = done.says("failed in only 0 of 1 more runs").says("went back by one step").says("--repeat");
    drop(done.does_not_say("Proved"));
    assert!(workshop.text("input.reduced").lines().count() > 1);
}

#[test]
fn trap_20_what_is_not_tried_or_not_kept_is_said() {
    let workshop = with_needle("grep -q needle input");
    let done = workshop.reduct("--until-granularity 20 ./test.sh input".split(' ')).run().exits_with(4);
    done.says("Removing fewer than 20 bytes at once was not tried");
    // More kinds of other failures than are kept: the end says that there were more.
    let workshop = with_needle(SAYS_ANOTHER_THING_EVERY_TIME);
    let words = "--by chars --search ddmin -j1 input -- ./test.sh";
    let done = workshop.reduct(words.split(' ')).run().exits_with(0);
    let kept = listed(&workshop.run_folder().join("others")).iter().filter(|name| *name != "list.txt").count();
    let (_, end) = done.stderr.split_once("Proved: ").unwrap();
    assert_eq!(end.matches("failures were met").count(), 1);
    drop(done.says(&format!("of {kept} kinds, and of others that are not kept")));
    let quiet = workshop.reduct(["-q", "--no-cache"].into_iter().chain(words.split(' '))).run().exits_with(0);
    quiet.does_not_say("other failure");
}
