//! Traps of other reducers (`traps.rs`): what happens when space, descriptors or folders are missing.

use crate::traps::{lines_with, with_needle};
use crate::workshop::{Events, Workshop};
use std::fs;

/// Runs a line as root of a mount namespace of its own, in the user's folder.
fn apart(workshop: &Workshop, line: &str) -> crate::workshop::Done {
    workshop.call("unshare", ["-rm", "sh", "-ec", line]).run()
}

#[test]
fn trap_24_no_space_for_candidates_at_all() {
    let workshop = with_needle("grep -q needle input");
    let line = "mount -t tmpfs -o size=16k none ../scratch
                exec \"$REDUCT\" --scratch ../scratch --patience 300ms ./test.sh input";
    apart(&workshop, line).exits_with(4).says("no space").does_not_say("panicked");
    assert_eq!(workshop.names(), ["input", "test.sh"]);
}

#[test]
fn trap_24_no_space_for_candidates_any_more() {
    let workshop = with_needle(
        "grep -q needle input; result=$?
         [ \"$(wc -l <\"$LOG\")\" -ge 7 ] && [ ! -e \"$WORKSHOP/space\" ] && head -c 16000000 /dev/zero >full
         exit $result",
    );
    let line = "mount -t tmpfs -o size=8m none ../scratch
                exec \"$REDUCT\" -j1 --by lines --scratch ../scratch --patience 300ms ./test.sh input";
    apart(&workshop, line).exits_with(4).says("no space").says("reduct resume");
    let result = workshop.text("input.reduced");
    assert!(result.contains("needle") && result.len() < workshop.read("input").len(), "{result}");
    // With space it goes on.
    fs::write(workshop.beside("space"), "").unwrap();
    workshop.reduct(["resume"]).run().exits_with(0);
    assert_eq!(workshop.text("input.reduced"), "needle\n");
}

#[test]
fn trap_24_space_that_comes_back_is_waited_for() {
    let workshop = with_needle(
        "grep -q needle input; result=$?
         [ \"$(wc -l <\"$LOG\")\" -eq 7 ] && head -c 16000000 /dev/zero >full
         exit $result",
    );
    let line = "mount -t tmpfs -o size=8m none ../scratch
                exec \"$REDUCT\" -j1 --by lines --scratch ../scratch --events events ./test.sh input";
    apart(&workshop, line).exits_with(0);
    assert_eq!(workshop.text("input.reduced"), "needle\n");
    assert_eq!(Events::read(workshop.path("events")).of("trouble").len(), 1);
}

#[test]
fn trap_24_no_space_for_the_journal() {
    let workshop = with_needle("grep -q needle input");
    let line = "mkdir .reduct; mount -t tmpfs -o size=16k none .reduct
                exec \"$REDUCT\" -j1 --patience 300ms --by chars --search ddmin ./test.sh input";
    let long = "a needle that is rather long, so that it takes a lot of tests to see that nothing can go";
    workshop.write("input", format!("{}{long}\n", lines_with("x", 50)));
    workshop.script("test.sh", &format!("grep -q '{long}' input"));
    // The result has room where it goes.
    apart(&workshop, line).exits_with(4).says("no space").does_not_say("panicked").does_not_say("could NOT be written");
    let result = workshop.text("input.reduced");
    assert!(result.contains(long) && result.len() < workshop.read("input").len(), "{result}");
}

#[test]
fn trap_24_no_place_for_the_journal() {
    let workshop = with_needle("grep -q needle input");
    let line = "mkdir .reduct; mount -t tmpfs -o ro none .reduct; exec \"$REDUCT\" ./test.sh input";
    apart(&workshop, line).exits_with(2).says("Read-only").says(".reduct").does_not_say("panicked");
    assert_eq!(workshop.names(), ["input", "test.sh"]);
}

#[test]
fn trap_24_no_null_device() {
    let workshop = with_needle("grep -q needle input");
    let line = "mount -t tmpfs none /dev; exec \"$REDUCT\" --by lines ./test.sh input";
    apart(&workshop, line).exits_with(0);
    assert_eq!(workshop.text("input.reduced"), "needle\n");
}

#[test]
fn trap_24_no_descriptors() {
    let workshop = with_needle("grep -q needle input");
    for most in [5, 10, 16] {
        let line = format!("ulimit -n {most}; exec \"$REDUCT\" -j 16 --force --patience 300ms ./test.sh input");
        let done = workshop.shell(&line).run().does_not_say("panicked");
        assert!([0, 2, 4].contains(&done.status), "{most}: {done:?}");
        assert!(done.status == 0 || !done.stderr.is_empty(), "{most}: it says why");
        workshop.expect_no_process();
    }
}

#[test]
fn trap_24_a_test_that_is_gone_for_a_while_spoils_no_later_run() {
    let workshop = with_needle(
        "[ \"$(wc -l <\"$LOG\")\" -eq 7 ] && mv \"$WORKSHOP/home/test.sh\" \"$WORKSHOP/away\"
         grep -q needle input",
    );
    workshop.reduct("--by lines -j1 --patience 300ms ./test.sh input".split(' ')).run().exits_with(4);
    fs::rename(workshop.beside("away"), workshop.path("test.sh")).unwrap();
    workshop.reduct("--by lines -j1 ./test.sh input".split(' ')).run().exits_with(0);
    assert_eq!(workshop.text("input.reduced"), "needle\n");
}

#[test]
fn trap_24_a_folder_that_is_gone() {
    let workshop = with_needle("grep -q needle input");
    let line = "mkdir gone; cd gone; rmdir ../gone; exec \"$REDUCT\" ../test.sh ../input";
    workshop.shell(line).run().exits_with(2).says("current folder").does_not_say("panicked");
    assert_eq!(workshop.names(), ["input", "test.sh"]);
}
