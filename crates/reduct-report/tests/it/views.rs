use crate::fixture::{Paper, Watch, began, ended, every, first, improved, phase, retired, show, whole};
use reduct_core::Outcome;
use reduct_oracle::sampling::{Confidence, Policy};
use reduct_report::{Lines, Screen, claims, summary};
use reduct_session::event::{Again, Event, Observer, Why};
use reduct_strategies::{Caveat, Claim, Evidence, Minimal, Unproved};
use std::io::{self, ErrorKind, Write};
use std::path::Path;

#[test]
fn the_summary_says_what_was_found_and_what_it_took() {
    let mut began = began();
    began.size = 41_958;
    let lines = summary(Some(&began), &ended(Why::Done), Some(Path::new("small\x1b.html")));
    let expected = [
        "Failure: signal 11 ␛[31mred",
        "41,958 → 8 bytes in 61 tests (57 runs, 4 repeats), 3.2 s.",
        "Proved: 1-minimal in lines, tokens and characters: if any one line, token or character is removed, the failure no \
         longer occurs.",
        "Confirmed: one more run showed the same.",
        "The result is small␛.html",
    ];
    assert_eq!(lines, expected);
}

#[test]
fn a_test_that_tells_nothing_of_any_candidate_is_to_be_checked() {
    let mut end = ended(Why::Done);
    let is_said =
        |end: &_| summary(None, end, None).iter().any(|line| line.starts_with("All 61 candidates were unresolved"));
    end.unresolved = 60;
    assert!(!is_said(&end));
    end.unresolved = 61;
    assert!(is_said(&end));
}

#[test]
fn what_stands_at_the_place_of_a_result_and_is_another_is_no_flaky_test() {
    let mut end = ended(Why::Done);
    end.confirmed = Some(false);
    let other = "something else stands at the place of the result.";
    for (runs, said) in [
        (0, format!("NOT confirmed: {other}")),
        (5, format!("NOT confirmed: it failed in 5 of 5 more runs, but {other}")),
    ] {
        end.again = Some(Again::of(runs, runs));
        assert!(summary(None, &end, None).contains(&said), "{:?}", summary(None, &end, None));
    }
    end.again = Some(Again::of(5, 4));
    assert!(summary(None, &end, None).iter().any(|line| line.contains("flaky")));
}

#[test]
fn the_summary_says_what_stopped_the_search() {
    let mut end = ended(Why::Tests(100));
    (end.evidence, end.confirmed) = (Claim::Fails(Unproved::WentBack).into(), None);
    let (asked, runs) = (1, 1);
    (end.asked, end.runs, end.repeated, end.unresolved) = (asked, runs, 0, 1);
    let expected = [
        "8 bytes in 1 test (1 run, 1 unresolved), 3.2 s.",
        "Stopped by --tests 100: smaller may be possible.",
        "Nothing is proved of the result but that it failed.",
    ];
    assert_eq!(summary(None, &end, None), expected);
}

#[test]
fn how_sure_it_is_stands_after_what_is_proved() {
    let mut end = ended(Why::Done);
    end.confidence = Some(Confidence::new(Policy::new(0.5, 0.2, 0.01, 0.01).unwrap()));
    let lines = summary(None, &end, None);
    assert!(lines[1].starts_with("Proved: "));
    assert_eq!(lines[2], "Confidence: nothing was decided.");
}

#[test]
fn sizes_in_parts_are_told_in_bytes_too() {
    let (mut began, mut end) = (began(), ended(Why::Done));
    (began.unit, began.size) = ("lines", 1204);
    (end.unit, end.size, end.best) = ("lines", 1, first(&whole(), 5));
    assert!(summary(Some(&began), &end, None)[1].starts_with("1,204 → 1 line (44 → 5 bytes) in 61 tests"));
}

#[test]
fn the_input_has_as_many_bytes_as_these_tests_say() {
    assert_eq!(whole().len(), 44);
}

#[test]
fn lines_come_at_once_and_then_once_a_second() {
    let (watch, paper) = (Watch::default(), Paper::default());
    let mut lines = Lines::new(paper.clone(), watch.clock());
    show(&mut lines, &every()[..1]);
    assert_eq!(paper.text(), "the whole input: fail (signal 11), 12 ms\n");
    show(&mut lines, &[Event::Began(Box::new(began())), phase()]);
    assert_eq!(paper.text().lines().count(), 3);
    for n in 1..=1234 {
        watch.pass(3);
        show(&mut lines, &[retired(n, Outcome::Pass)]);
    }
    watch.pass(1000);
    show(&mut lines, &[improved(1235, 11, 44)]);
    let text = paper.text();
    // 3.7 seconds of tests, and the one after the pause.
    assert_eq!(text.lines().count(), 3 + 3 + 1, "{text}");
    assert_eq!(text.lines().last(), Some("    4s     1,234 tests     44 → 11 bytes (25.0 %)   lines, round 1"));
    show(&mut lines, &every()[9..]);
    let text = paper.text();
    assert!(text.contains("Another failure, not followed: other ␛[5mblinking␍ (44 bytes)\n"), "{text}");
    assert!(text.contains("Trouble: no space␛[0m; trying again in 2.0 s\n"), "{text}");
    assert!(text.ends_with("Confirmed: one more run showed the same.\n"), "{text}");
}

#[test]
fn nothing_of_the_input_reaches_the_terminal_as_it_is() {
    let (watch, paper) = (Watch::default(), Paper::default());
    show(&mut Lines::new(paper.clone(), watch.clock()).result_at("a\x1bb"), &every());
    assert!(!paper.text().chars().any(|c| c.is_control() && c != '\n'));

    let paper = Paper::default();
    let mut screen = Screen::new(paper.clone(), watch.clock()).sized_by(Box::new(|| (80, 24)));
    for event in every() {
        watch.pass(200);
        screen.on(&event).unwrap();
    }
    // Only what the screen itself sends: moving up, clearing, styles, synchronised output.
    for sequence in paper.text().split('\x1b').skip(1) {
        let end = sequence.find(|c: char| c.is_ascii_alphabetic()).unwrap();
        assert!(sequence.starts_with('['), "{sequence:?}");
        assert!("ABJKmhl".contains(&sequence[end..=end]), "{sequence:?}");
        assert!(["[2J", "[31m", "[5m"].iter().all(|evil| !sequence.starts_with(evil)), "{sequence:?}");
    }
    assert!(!paper.text().contains(['\x07', '\u{9b}']));
}

/// What a pipe is that nobody reads any more.
struct Closed;

impl Write for Closed {
    fn write(&mut self, _: &[u8]) -> io::Result<usize> {
        Err(ErrorKind::BrokenPipe.into())
    }

    fn flush(&mut self) -> io::Result<()> {
        Err(ErrorKind::BrokenPipe.into())
    }
}

#[test]
fn a_view_that_nobody_sees_does_not_stop_the_search() {
    let watch = Watch::default();
    show(&mut Lines::new(Closed, watch.clock()), &every());
    show(&mut Screen::new(Closed, watch.clock()), &every());
}

#[test]
fn a_claim_is_the_same_in_words_and_as_data() {
    let mut minimal = Minimal::of(vec!["lines", "nodes", "tokens"]);
    (minimal.checked, minimal.edits, minimal.edits_checked) = (vec!["nodes"], 2, true);
    let mut evidence = Evidence::from(Claim::OneMinimal(minimal));
    evidence.caveats.push(Caveat::ByPersonsWord { unresolved: 3 });
    assert_eq!(
        claims::describe(&evidence),
        "by your answers, assuming that the whole input fails and that the empty or passing one passes, and that candidates of which you could \
         not tell do not fail: 1-minimal in lines, nodes and tokens: if any one line or token is removed, or any one node that leaves a text that \
         parses, the failure no longer occurs, and none of 2 edits that the passes know \
         leaves a text that parses and fails"
    );
    let data = serde_json::json!({
        "kind": "one-minimal", "units": ["lines", "nodes", "tokens"], "only_where_it_parses": ["nodes"],
        "edits_tried": 2, "groups_tried": 0, "caveats": [{ "kind": "by-persons-word", "unresolved": 3 }],
    });
    assert_eq!(claims::data(&evidence), data);
}

#[test]
fn of_a_result_that_is_not_minimal_it_is_said_why_no_more_is_claimed() {
    for (why, words, name) in [
        (Unproved::ByMethod, "it fails; nothing is proved about its size", "method"),
        (
            Unproved::MinRemoval { least: 16, unit: "bytes" },
            "it fails; removing fewer than 16 bytes at once was not tried",
            "min-removal",
        ),
        (Unproved::WentBack, "", "went-back"),
    ] {
        let evidence = Claim::Fails(why).into();
        assert_eq!(claims::describe(&evidence), words);
        assert_eq!(claims::data(&evidence)["why_no_more"], name);
    }
}
