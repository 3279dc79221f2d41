//! What somebody at a terminal sees and can do. `script` plays the terminal.

use crate::workshop::{Done, Events, Running, Workshop};

const WORD: &str = "needle";

/// Lines of which one matters; from the given run on, all tests hang until they may go on.
fn workshop(hangs_from: usize) -> Workshop {
    let workshop = Workshop::new();
    let lines: String = (0..40).map(|n| if n == 25 { format!("{WORD}\n") } else { format!("line {n}\n") }).collect();
    workshop.write("input", lines);
    let hang = format!("[ \"$(wc -l <\"$LOG\")\" -lt {hangs_from} ] || [ -e \"$WORKSHOP/go\" ] || sleep 1000");
    workshop.script("test.sh", &format!("echo >>\"$LOG\"\n{hang}\ngrep -q {WORD} input"));
    workshop
}

/// Starts the command on a terminal of 100 columns.
fn on_a_terminal(workshop: &Workshop, words: &str) -> Running {
    let line = format!("stty cols 100 rows 40; exec \"$REDUCT\" {words}");
    workshop.call("script", ["-qefc", &line, "/dev/null"]).with_keys().start()
}

/// Stops a run all of whose tests hang. What is run after that, to confirm the result, need not hang any more.
fn stop(workshop: &Workshop, running: &mut Running) {
    running.press("q");
    std::fs::write(workshop.beside("go"), "").unwrap();
}

/// What was seen on the terminal: `script` shows it on its standard output.
fn seen(done: &Done) -> &str {
    &done.stdout
}

#[test]
fn the_live_view_is_there_while_it_runs_and_gone_in_the_end() {
    let workshop = workshop(8);
    let mut running = on_a_terminal(&workshop, "-j1 --by lines ./test.sh input");
    assert!(workshop.wait_for_runs(8, &mut running));
    running.wait_for("q stop");
    running.wait_for("tests/s");
    stop(&workshop, &mut running);
    let done = running.wait().exits_with(4);
    // The last thing that clears what stands below the cursor takes the view away.
    let end = seen(&done).rsplit("\x1b[J").next().unwrap();
    assert!(end.contains("onfirmed: it failed in") && end.contains("reduct resume"), "{end}");
    assert!(!end.contains("q stop"), "{end}");
}

#[test]
fn q_stops_with_the_best_on_the_disk() {
    let workshop = workshop(8);
    let mut running = on_a_terminal(&workshop, "-j1 --by lines --scratch ../scratch --events events ./test.sh input");
    assert!(workshop.wait_for_runs(8, &mut running));
    running.wait_for("q stop");
    stop(&workshop, &mut running);
    running.wait().exits_with(4);
    let (result, whole) = (workshop.text("input.reduced"), workshop.text("input"));
    assert!(result.contains(WORD) && result.len() < whole.len(), "{result}");
    let events = Events::read(workshop.path("events"));
    assert_eq!(events.last()["why"], "stopped");
    workshop.expect_no_process();
    workshop.expect_no_scratch();
    workshop.reduct(["resume"]).run().exits_with(0);
    assert_eq!(workshop.text("input.reduced"), format!("{WORD}\n"));
}

#[test]
fn s_goes_on_with_the_next_phase() {
    let workshop = workshop(9);
    let mut running = on_a_terminal(&workshop, "-j1 --timeout 10m --by lines,words --events events ./test.sh input");
    assert!(workshop.wait_for_runs(9, &mut running));
    running.wait_for("s skip phase");
    std::fs::write(workshop.beside("go"), "").unwrap();
    running.press("s");
    running.wait().exits_with(0);
    let events = Events::read(workshop.path("events"));
    assert_eq!(events.of("skipped").len(), 1);
    assert_eq!(events.last()["why"], "done");
    assert!(events.last()["proved"].as_str().unwrap().contains("skipped"), "{}", events.last());
    assert!(workshop.text("input.reduced").contains(WORD));
    let tests = events.tests();
    // A replay skips at the same place.
    let table = workshop.reduct(["log", "--json"]).run().exits_with(0).stdout;
    assert_eq!(table.lines().count(), tests.len());
}

#[test]
fn ctrl_c_on_the_terminal_interrupts() {
    let workshop = workshop(8);
    let mut running = on_a_terminal(&workshop, "-j1 --by lines --scratch ../scratch ./test.sh input");
    assert!(workshop.wait_for_runs(8, &mut running));
    running.wait_for("q stop");
    running.press("\x03");
    running.wait().exits_with(130);
    assert!(workshop.text("input.reduced").contains(WORD));
    workshop.expect_no_process();
    workshop.expect_no_scratch();
}

#[test]
fn a_terminal_that_is_closed_leaves_the_best() {
    let workshop = workshop(8);
    let mut running = on_a_terminal(&workshop, "-j1 --by lines --scratch ../scratch --events events ./test.sh input");
    assert!(workshop.wait_for_runs(8, &mut running));
    running.wait_for("q stop");
    running.kill();
    running.wait();
    workshop.expect_no_process();
    workshop.expect_no_scratch();
    assert!(workshop.text("input.reduced").contains(WORD));
    assert_eq!(Events::read(workshop.path("events")).last()["why"], "interrupted");
}

#[test]
fn the_terminal_is_as_it_was() {
    let workshop = workshop(8);
    let line = "stty -a >before; \"$REDUCT\" -j1 --by lines ./test.sh input; stty -a >after";
    let mut running = workshop.call("script", ["-qefc", line, "/dev/null"]).with_keys().start();
    assert!(workshop.wait_for_runs(8, &mut running));
    running.wait_for("q stop");
    stop(&workshop, &mut running);
    running.wait();
    assert_eq!(workshop.text("before"), workshop.text("after"));
    assert!(workshop.text("before").contains(" icanon"));
}

/// What would do something to a terminal: a title, a clipboard, a bell, a cursor far away, C1 controls.
const EVIL: &str = "\x1b]0;owned\x07\x1b]52;c;b3duZWQ=\x07\x1b[2J\x1b[31;1H\u{9b}5n";

#[test]
fn escape_sequences_of_an_input_do_not_reach_the_terminal() {
    for how in ["--by lines", "--by lines --plain", "--by chars --search ddmin"] {
        let workshop = Workshop::new();
        let line = |n: usize| if n == 5 { format!("needle {EVIL}\n") } else { format!("{EVIL} {n}\n") };
        workshop.write("input", (0..10).map(line).collect::<String>());
        // Another failure says them too.
        workshop.script(
            "test.sh",
            "grep -q needle input && { echo error: in question $(cat input) >&2; exit 1; }
             [ -s input ] || exit 0
             printf 'error: another \\033]0;owned\\007\\n' >&2; exit 1",
        );
        let words = format!("{how} --force input -- ./test.sh");
        let done = on_a_terminal(&workshop, &words).wait().exits_with(0);
        for piece in ["\x1b]", "\x07", "\x1b[2J", "\x1b[31;1H", "\u{9b}"] {
            assert!(!seen(&done).contains(piece), "{how}: {piece:?} in {:?}", seen(&done));
        }
        let table = on_a_terminal(&workshop, "log --color always");
        let done = table.wait().exits_with(0);
        for piece in ["\x1b]", "\x07", "\x1b[2J", "\x1b[31;1H", "\u{9b}"] {
            assert!(!seen(&done).contains(piece), "log: {piece:?} in {:?}", seen(&done));
        }
    }
}

#[test]
fn an_evil_name_or_message_does_not_reach_the_terminal() {
    let workshop = Workshop::new();
    workshop.write("in\x1b]0;owned\x07put", "one\nneedle\n");
    workshop.script("check", "grep -q needle \"$1\" && { printf 'error: \\033]0;owned\\007\\n' >&2; exit 1; }; exit 0");
    let done = on_a_terminal(&workshop, "\"$(echo in*put)\" -- ./check {}").wait().exits_with(0);
    assert!(!seen(&done).contains('\x07'), "{:?}", seen(&done));
    workshop.script("check", "printf 'error: \\033]0;owned\\007\\n' >&2; exit 1");
    let done =
        on_a_terminal(&workshop, "--force \"$(echo in*put)\" --fails-if exit=0 -- ./check {}").wait().exits_with(3);
    assert!(!seen(&done).contains('\x07'), "{:?}", seen(&done));
}

/// Whether there is a colour, and not only bold or faint.
fn is_colored(seen: &str) -> bool {
    let codes = seen.split("\x1b[").skip(1).filter_map(|rest| {
        let end = rest.find(|c: char| c.is_ascii_alphabetic())?;
        rest[end..].starts_with('m').then(|| rest[..end].split(';').filter_map(|n| n.parse::<u32>().ok()))
    });
    codes.flatten().any(|code| matches!(code, 30..=38 | 40..=48 | 90..=107))
}

const COLORS: [(&str, &str, bool); 4] =
    [("", "", true), ("NO_COLOR=1", "", false), ("", "--color never", false), ("NO_COLOR=1", "--color always", true)];

#[test]
fn without_colour_the_live_view_has_none() {
    for (before, words, expected) in COLORS {
        let workshop = workshop(8);
        let line = format!("{before} exec \"$REDUCT\" {words} -j1 --timeout 10m --by lines ./test.sh input");
        let mut running = workshop.call("script", ["-qefc", &line, "/dev/null"]).with_keys().start();
        assert!(workshop.wait_for_runs(8, &mut running));
        // By now it shows what was removed last.
        running.wait_for(" ago ");
        std::fs::write(workshop.beside("go"), "").unwrap();
        running.press("q");
        let done = running.wait().exits_with(4);
        assert_eq!(is_colored(seen(&done)), expected, "{before} {words}: {:?}", seen(&done));
    }
}

#[test]
fn without_colour_what_is_refused_has_none() {
    for (before, words, expected) in COLORS {
        let workshop = workshop(usize::MAX);
        let line = format!("{before} exec \"$REDUCT\" {words} --plain input -- true");
        let done = workshop.call("script", ["-qefc", &line, "/dev/null"]).run();
        assert!([2, 3].contains(&done.status), "{done:?}");
        assert_eq!(is_colored(seen(&done)), expected, "{before} {words}: {:?}", seen(&done));
    }
}
