//! Where results and runs are kept, and what must not be lost there.

use crate::usage::{NEEDLE, refused, split, workshop};
use crate::workshop::{Workshop, files_below, listed};

#[test]
fn where_no_run_can_be_kept_no_test_is_run() {
    let workshop = workshop();
    workshop.write(".reduct", "");
    let done = workshop.reduct(["input", "--", "./test.sh"]).run().exits_with(2);
    done.says("no run can be kept in").says("--state DIR");
    assert_eq!(workshop.runs().len(), 0);
    workshop.reduct(["--state", "runs", "input", "--", "./test.sh"]).run().exits_with(0);
}

#[test]
fn the_result_goes_where_it_should() {
    let workshop = workshop();
    workshop.reduct(split("--events input ./test.sh input")).run().exits_with(2).says("would overwrite");
    assert!(workshop.text("input").len() > "needle".len());
    workshop.write("sub/page.tar.html", "needle\nx\n");
    workshop.script("any.sh", "grep -rq needle .");
    for (words, place) in [
        ("./any.sh sub/page.tar.html", "sub/page.tar.reduced.html"),
        ("-o here ./any.sh input", "here"),
        ("--out sub/here ./any.sh input", "sub/here"),
        ("./any.sh input sub/page.tar.html", "reduced"),
        ("./any.sh sub", "sub.reduced"),
    ] {
        let done = workshop.reduct(split(words)).run().exits_with(0);
        assert!(workshop.exists(place), "{words}");
        assert!(done.stderr.trim_end().ends_with(&format!("the result is {place}")), "{}", done.stderr);
    }
}

#[test]
fn what_stands_at_the_place_of_the_result_is_not_replaced_unless_it_is_ours() {
    let workshop = workshop();
    workshop.write("input.reduced", "somebody's work");
    let done = workshop.reduct(["./test.sh", "input"]).run().exits_with(2);
    done.says("input.reduced exists").says("--out").says("--force");
    assert_eq!(workshop.text("input.reduced"), "somebody's work");
    assert!(!workshop.exists(".reduct"));
    assert_eq!(workshop.runs().len(), 0, "seen before any test is run");
    workshop.reduct(["--force", "./test.sh", "input"]).run().exits_with(0);
    assert_eq!(workshop.text("input.reduced"), "needle");
    workshop.reduct(["./test.sh", "input"]).run().exits_with(0);
    // Edited, it is somebody's work again.
    workshop.write("input.reduced", "needle, and what I found out about it");
    workshop.reduct(["./test.sh", "input"]).run().exits_with(2).says("--force");
    workshop.write("folder/mine", "x");
    workshop.reduct(split("--out folder ./test.sh input")).run().exits_with(2).says("folder exists");
    assert_eq!(workshop.text("folder/mine"), "x");
}

#[test]
fn an_output_that_cannot_be_made_is_told_before_anything_is_run() {
    let workshop = workshop();
    let done = workshop.reduct(split("--patience 1s --out input/result ./test.sh input")).run();
    refused(&workshop, done, &["input is no folder", "--out"]);
    assert_eq!(workshop.runs().len(), 0);
}

#[test]
fn a_result_that_could_not_be_written_is_not_said_to_be_there() {
    let workshop = workshop();
    // The folder of the result goes away while it is made.
    workshop.script("test.sh", &format!("rm -rf \"$WORKSHOP/home/there\"\n{NEEDLE}"));
    workshop.write("there/file", "");
    let done = workshop.reduct(split("--patience 300ms --out there/result ./test.sh input")).run().exits_with(4);
    assert!(!workshop.exists("there/result"));
    done.says("No such file").does_not_say("the result is there/result");
}

#[test]
fn a_result_in_the_place_of_its_input_is_refused_or_keeps_the_original() {
    for out in ["input", "./input", "sub/../input", "link", "folder/result"] {
        let workshop = workshop();
        workshop.write("folder/file", "needle\n");
        workshop.write("sub/file", "");
        std::os::unix::fs::symlink("input", workshop.path("link")).unwrap();
        workshop.script("test.sh", "grep -rq needle .");
        let input = if out.starts_with("folder") { "folder" } else { "input" };
        let all = || files_below(&workshop.path(input).parent().unwrap().join("folder"));
        let (before, whole) = (all(), workshop.read("input"));
        let done = workshop.reduct(["--force", "--out", out, "./test.sh", input]).run();
        let kept = workshop.exists("input.orig") && workshop.read("input.orig") == whole;
        assert!(workshop.read("input") == whole || kept, "{out}: the original is gone");
        assert_eq!(all(), before, "{out}: the original folder was written to");
        assert!([0, 2].contains(&done.status), "{done:?}");
    }
}

#[test]
fn what_is_written_is_whole_and_only_what_should_be() {
    let workshop = workshop();
    workshop.reduct(["./test.sh", "input"]).run().exits_with(0);
    assert_eq!(workshop.names(), ["input", "input.reduced", "test.sh"]);
    assert_eq!(listed(&workshop.run_folder()), ["input", "journal"]);
}

#[test]
fn a_result_that_another_run_has_replaced_is_said_to_be_another() {
    let workshop = Workshop::new();
    workshop.write("input", "aaa\nbbb\n");
    for word in ["aaa", "bbb"] {
        let line = format!("grep -q {word} input");
        workshop.reduct(["input", "-c", &line]).run().exits_with(0);
    }
    let runs = listed(&workshop.path(".reduct"));
    let first = runs.iter().find(|name| name.starts_with("0001")).unwrap();
    let said = "another run has replaced it";
    workshop.reduct(["verify", &format!(".reduct/{first}")]).run().exits_with(1).says("does not fail").says(said);
    workshop.reduct(["verify"]).run().exits_with(0).does_not_say(said);
    refused(&Workshop::with_page(), workshop.reduct(["input", "--timeout", "0s", "-c", "true"]).run(), &["no time"]);
}
