//! `reduct fuzz`: which findings are one, and what stays of those that turn out to be.

use crate::fuzz::{findings, fuzz, workshop};
use crate::workshop::{Workshop, listed};

/// A line is written over what stands behind it. A line that is a little too long changes a mark, which is noticed; a much
/// longer one changes a pointer, which is used before the mark is looked at. A tab is another matter.
const OVERFLOW: &str = r#"
    int main(void) {
        struct { char line[4], mark[4]; char *next; } all = {0};
        volatile char *to = all.line;
        unsigned n = 0;
        for (int c; (c = getchar()) != EOF;) {
            if (c == '\t') raise(SIGFPE);
            if (n < sizeof all) to[n++] = c;
        }
        if (all.next) *(volatile char *)all.next = 0;
        if (all.mark[0]) abort();
        return 0;
    }"#;

/// Two bugs, of which the one shows in what is left when the trigger of the other is gone.
const ASSERTIONS: &str = r#"
    int main(void) {
        int q = 0, z = 0, c;
        while ((c = getchar()) != EOF) q |= c == 'q', z |= c == 'z';
        int alpha = !(q && z), beta = !z;
        assert(alpha);
        assert(beta);
        return 0;
    }"#;

fn with_inputs(program: &str, inputs: &[&str]) -> Workshop {
    let workshop = workshop(program);
    for (number, input) in inputs.iter().enumerate() {
        workshop.write(format!("inputs/{number}"), input);
    }
    workshop
}

const FROM: [&str; 2] = ["--from", "inputs"];

#[test]
fn one_overflow_is_one_finding_and_what_was_filed_of_it_stays() {
    let workshop = with_inputs(OVERFLOW, &[&"a".repeat(16), "bbbbbb", "\t"]);
    let done = workshop.reduct(fuzz(&FROM, &["./prog"])).run().exits_with(0);
    drop(done.says("002-SIGABRT is the same as 001-SIGSEGV, which counts it").says("2 different failures"));
    let why = "the same as 001-SIGSEGV: what is left of 001-SIGSEGV, less one byte, fails as 002-SIGABRT does";
    let [first, second] = &findings(&workshop, "fuzz")[..] else { panic!("the overflow and the tab") };
    assert_eq!((&first["folder"], &first["seen"]), (&"001-SIGSEGV".into(), &2.into()));
    assert_eq!((&first["same"][0]["folder"], &first["same"][0]["why"]), (&"002-SIGABRT".into(), &why.into()));
    assert_eq!(second["folder"], "003-SIGFPE", "no number is given twice");
    // Four fill the line, the fifth changes the mark, the ninth the pointer.
    assert_eq!(workshop.read("fuzz/001-SIGSEGV/reduced").len(), 9);
    assert_eq!(workshop.read("fuzz/002-SIGABRT/reduced").len(), 5);
    assert_eq!(workshop.text("fuzz/002-SIGABRT/input"), "bbbbbb");
    assert_eq!(workshop.text("fuzz/002-SIGABRT/same-as.txt"), format!("{why}\n"));
    workshop.shell("fuzz/002-SIGABRT/repeat.sh").run().exits_with(134);
    let index = workshop.text("fuzz/findings.txt");
    let starts: Vec<&str> = index.lines().map(|line| line.split(": ").next().unwrap()).collect();
    assert_eq!(starts, ["001-SIGSEGV", "  002-SIGABRT", "003-SIGFPE"]);
}

#[test]
fn two_that_say_what_went_wrong_are_two_though_less_of_one_shows_the_other() {
    let workshop = with_inputs(ASSERTIONS, &["xqyz", "xzy"]);
    drop(workshop.reduct(fuzz(&FROM, &["./prog"])).run().exits_with(0).says("2 different failures"));
    let found = findings(&workshop, "fuzz");
    let reduced: Vec<_> = found.iter().map(|filed| filed["reduced"].as_u64().unwrap()).collect();
    assert_eq!(reduced, [2, 1], "q and z, and z alone");
}

#[test]
fn a_result_that_was_taken_away_is_made_again_and_stops_nothing() {
    let workshop = with_inputs(OVERFLOW, &[&"a".repeat(16), "\t"]);
    let first = [&FROM[..], &["--tests", "1"]].concat();
    workshop.reduct(fuzz(&first, &["./prog"])).run().exits_with(0);
    std::fs::remove_file(workshop.path("fuzz/001-SIGSEGV/reduced")).unwrap();
    drop(workshop.reduct(["resume", "fuzz"]).run().exits_with(0).says("2 different failures"));
    assert_eq!(workshop.read("fuzz/001-SIGSEGV/reduced").len(), 9);
    let runs = listed(&workshop.path("fuzz/001-SIGSEGV/.reduct"));
    assert!(["0001-input", "0002-input"].iter().all(|run| runs.iter().any(|name| name == run)), "{runs:?}");
    let sizes: Vec<_> = findings(&workshop, "fuzz").iter().map(|filed| filed["reduced"].as_u64().unwrap()).collect();
    assert_eq!(sizes, [9, 1]);
}
