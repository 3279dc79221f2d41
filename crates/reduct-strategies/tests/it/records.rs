//! Events that need others, and how many tests it takes to find those that matter.

use crate::support::{fails_if, file, levels, rebuilt};
use reduct_core::{Config, Delta, Outcome, Question, Search};
use reduct_input::{Candidate, Circumstances, Parts, Subject};
use reduct_passes::Pass;
use reduct_strategies::{Audited, Method, Plan, Reduction};
use std::collections::{BTreeSet, HashSet};
use std::sync::Arc;

/// What is left of a text of events if only these lines are chosen.
fn chosen(text: &str, lines: &[usize]) -> String {
    let parts = levels(&Pass::named("events").unwrap(), &file(text.as_bytes())).remove(0);
    let starts = |at: u32| text[..parts.addresses(Delta(at)).start as usize].matches('\n').count();
    let config: Config = (0..parts.len() as u32).filter(|at| lines.contains(&starts(*at))).map(Delta).collect();
    String::from_utf8(rebuilt(&parts, &config).bytes().to_vec()).unwrap()
}

#[test]
fn what_lacks_what_it_needs_goes_with_it() {
    let calls = "{\"makes\":\"a\"}\n{\"makes\":\"b\",\"needs\":\"a\"}\n{\"needs\":[\"b\"]}\n{\"ends\":\"a\"}\n{}\n";
    let line = |at: usize| calls.split_inclusive('\n').nth(at).unwrap();
    assert_eq!(chosen(calls, &[0, 1, 2, 3, 4]), calls);
    assert_eq!(chosen(calls, &[1, 2, 3, 4]), line(4), "and what needs that, too");
    assert_eq!(chosen(calls, &[0, 2, 3, 4]), [line(0), line(3), line(4)].concat());
    assert_eq!(chosen(calls, &[0]), line(0), "a press may stay without its release");
}

#[test]
fn a_release_needs_a_press_that_was_not_released() {
    let keys = "keydown a\nkeyup a\nkeydown a\nkeyup a\nkeyup b\nkeyup a\n";
    assert_eq!(
        chosen(keys, &[0, 1, 3, 4, 5]),
        "keydown a\nkeyup a\nkeyup b\nkeyup a\n",
        "what the record lacks is not asked for"
    );
    assert_eq!(chosen(keys, &[1, 2, 3]), "keydown a\nkeyup a\n");
    assert_eq!(chosen(keys, &[0, 3]), "keydown a\nkeyup a\n", "any press will do");
}

#[test]
fn an_expectation_goes_with_what_it_waits_for() {
    let session = "expect \"> \"\ntype \"1\"\nexpect \"1\"\nexpect \"> \"\ntype \"2\"\n";
    assert_eq!(chosen(session, &[0, 2, 3, 4]), "expect \"> \"\ntype \"2\"\n");
}

/// A search for what fails, from a text to the smallest, and how many tests it took: the first, of the whole, is not
/// counted, and no test is run twice.
fn reduced(text: &str, kinds: &[&str], fails: impl Fn(&str) -> Outcome) -> (String, usize) {
    let kinds = kinds.iter().map(|name| Pass::named(name).unwrap()).collect();
    let mut search = Reduction::new(file(text.as_bytes()), Plan::new(kinds, Method::Relevance));
    let contents = |candidate: &Candidate| String::from_utf8(candidate.artifact().bytes().to_vec()).unwrap();
    let mut asked = HashSet::new();
    while let Some(candidate) = search.ask() {
        asked.insert(candidate.key());
        search.tell(fails(&contents(&candidate)));
    }
    (contents(&search.best()), asked.len())
}

/// Whether these events are there, in their order.
fn has_all(text: &str, wanted: &[String]) -> bool {
    let mut lines = text.lines();
    wanted.iter().all(|one| lines.any(|line| line == one))
}

/// The numbers of a plain generator, so that placements are the same everywhere.
fn numbers(seed: u64) -> impl FnMut(usize) -> usize {
    let mut state = seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1;
    move |below| {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        (state.wrapping_mul(0x2545_f491_4f6c_dd1d) >> 33) as usize % below
    }
}

/// Ninety-five events, of which three are needed: a key, and a press with its release.
fn session(at: [usize; 3]) -> (String, Vec<String>) {
    let event = |line: usize| match at.iter().position(|place| *place == line) {
        Some(0) => "key alt+p".to_owned(),
        Some(1) => "mousedown 1".to_owned(),
        Some(2) => "mouseup 1".to_owned(),
        _ if line.is_multiple_of(5) => format!("key {}", (b'a' + (line % 26) as u8) as char),
        _ => format!("mousemove {} {}", line * 7 % 640, line * 13 % 480),
    };
    let all: Vec<String> = (0..95).map(event).collect();
    let wanted = at.iter().map(|line| all[*line].clone()).collect();
    (all.iter().map(|event| format!("{event}\n")).collect(), wanted)
}

#[test]
fn three_of_ninety_five_events_are_found_in_at_most_39_tests() {
    let mut counts = vec![];
    for seed in 1..=100 {
        let mut next = numbers(seed);
        let mut places = BTreeSet::new();
        while places.len() < 3 {
            places.insert(next(95));
        }
        let places: Vec<usize> = places.into_iter().collect();
        let (text, wanted) = session([places[0], places[1], places[2]]);
        let (left, tests) = reduced(&text, &["events", "partners", "delays"], |text| fails_if(has_all(text, &wanted)));
        assert_eq!(left.lines().collect::<Vec<_>>(), wanted);
        counts.push(tests);
    }
    counts.sort_unstable();
    println!("median {} of 100, least {}, most {}", counts[50], counts[0], counts[99]);
    assert!(counts[99] <= 39, "{counts:?}");
}

#[test]
fn pairs_go_together() {
    // A key that is held makes all that follows something else.
    let mut text = String::new();
    for key in "abcdefghijklmnopqrst".chars() {
        text += &format!("keydown {key}\nmousemove 1 1\nkeyup {key}\n");
    }
    text += "click 1\n";
    let held = |text: &str| text.matches("keydown").count() != text.matches("keyup").count();
    let (left, tests) = reduced(&text, &["events"], |text| fails_if(text.contains("click") && !held(text)));
    assert_eq!(left, "click 1\n");
    assert!(tests <= 61, "{tests}");
}

#[test]
fn pauses_shrink_as_far_as_the_failure_allows() {
    let pause = |text: &str| {
        let line = text.lines().find_map(|line| line.strip_prefix("sleep "));
        line.map_or(0.0, |number| number.parse::<f64>().unwrap())
    };
    let text = "key a\nsleep 0.25\nkey b\nsleep 3.20\nkey c\n";
    let fails = |text: &str| fails_if(text.contains("key c") && pause(text) >= 0.8);
    let (left, _) = reduced(text, &["events", "partners", "delays"], fails);
    assert_eq!(left, "sleep 0.80\nkey c\n");
    let (left, _) = reduced(text, &["events", "partners", "delays"], |text| fails_if(text.contains("key c")));
    assert_eq!(left, "key c\n");
}

#[test]
fn times_move_together() {
    let text =
        "{\"t\": 1.5, \"do\": 1}\n{\"t\": 2.5, \"do\": 2}\n{\"t\": 9.5, \"do\": 3}\n{\"do\": 4, \"after_ms\": 250}\n";
    let keeps = |text: &str| (1..=4).all(|at| text.contains(&format!("\"do\": {at}")));
    let (left, _) = reduced(text, &["events", "partners", "delays"], |text| fails_if(keeps(text)));
    let all =
        "{\"t\": 1.5, \"do\": 1}\n{\"t\": 1.5, \"do\": 2}\n{\"t\": 1.5, \"do\": 3}\n{\"do\": 4, \"after_ms\": 0}\n";
    assert_eq!(left, all);
    // The second pause is needed, the first is not.
    let gap = |text: &str| {
        let times: Vec<f64> = text.lines().filter_map(|line| line.get(6..9)?.parse().ok()).collect();
        times.len() == 3 && times[2] - times[1] >= 7.0
    };
    let (left, _) = reduced(text, &["events", "partners", "delays"], |text| fails_if(keeps(text) && gap(text)));
    assert_eq!(left, all.replacen("1.5, \"do\": 3", "8.5, \"do\": 3", 1));
}

/// Opens and closes of so many files, in some order, with reads of them between.
fn calls(seed: u64, count: usize) -> Vec<String> {
    let mut next = numbers(seed);
    let mut calls: Vec<String> = vec![];
    for file in 0..count {
        let open = next(calls.len() + 1);
        calls.insert(open, format!("open f{file}"));
        let close = open + 1 + next(calls.len() - open);
        calls.insert(close, format!("close f{file}"));
        for _ in 0..next(3) {
            let place =
                open + 1 + next(calls[open..].iter().position(|call| *call == format!("close f{file}")).unwrap());
            calls.insert(place, format!("read f{file}"));
        }
    }
    calls
}

/// What a strict program says of calls: reading and closing needs what is open, and at the end nothing is.
fn strict(text: &str) -> bool {
    let mut open = BTreeSet::new();
    let sound = text.lines().all(|line| match line.split_once(' ') {
        Some(("open", file)) => open.insert(file),
        Some(("close", file)) => open.remove(file),
        Some((_, file)) => open.contains(file),
        None => true,
    });
    sound && open.is_empty()
}

#[test]
fn what_only_goes_together_is_learned_from_tests_that_cannot_tell() {
    let mut counts = vec![];
    for seed in 1..=100 {
        let calls = calls(seed, 20);
        let text: String = calls.iter().map(|call| format!("{call}\n")).collect();
        let wanted = numbers(seed + 1000)(20);
        let fails = |text: &str| match strict(text) {
            false => Outcome::Unresolved,
            true => fails_if(text.contains(&format!("open f{wanted}\n"))),
        };
        let (left, tests) = reduced(&text, &["events", "partners"], fails);
        assert_eq!(left, format!("open f{wanted}\nclose f{wanted}\n"), "seed {seed}");
        counts.push(tests);
    }
    counts.sort_unstable();
    println!("median {} of 100, least {}, most {}", counts[50], counts[0], counts[99]);
    assert!(counts[99] <= 125, "{counts:?}");
}

#[test]
fn partners_without_a_name_are_found() {
    for seed in 1..=30 {
        let mut next = numbers(seed);
        let (mut text, mut depth) = (String::new(), 0);
        for at in 0..60 {
            match next(3) {
                0 => (text, depth) = (text + "begin\n", depth + 1),
                1 if depth > 0 => (text, depth) = (text + "commit\n", depth - 1),
                _ => text += &format!("put {at}\n"),
            }
        }
        text += "crash\n";
        text += &"commit\n".repeat(depth);
        let fails = |text: &str| {
            let mut open = 0i32;
            let sound = text.lines().all(|line| {
                open += i32::from(line == "begin") - i32::from(line == "commit");
                open >= 0
            });
            if !sound || open != 0 { Outcome::Unresolved } else { fails_if(text.contains("crash")) }
        };
        let (left, tests) = reduced(&text, &["events", "partners"], fails);
        assert_eq!(left, "crash\n", "seed {seed}: {tests}\n{text}");
    }
}

/// A digest of a text, so that what a test says of it depends on nothing else.
fn digest(seed: u64, text: &str) -> u64 {
    let mix = |digest: u64, byte: u8| (digest ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
    let digest = text.bytes().fold(0xcbf2_9ce4_8422_2325 ^ seed, mix);
    digest ^ (digest >> 29)
}

/// How many groups of events the tests point to in the end, and how many of them were not asked.
fn pointed_to(text: &str, kinds: &[&str], fails: impl Fn(&str) -> Outcome) -> (usize, usize) {
    let kinds = kinds.iter().map(|name| Pass::named(name).unwrap()).collect();
    let mut search = Reduction::new(file(text.as_bytes()), Plan::new(kinds, Method::Relevance));
    let contents = |candidate: &Candidate| String::from_utf8(candidate.artifact().bytes().to_vec()).unwrap();
    let mut asked = HashSet::new();
    while let Some(candidate) = search.ask() {
        asked.insert(contents(&candidate));
        search.tell(fails(&contents(&candidate)));
    }
    let result = Arc::new(search.best().artifact());
    let subject = Subject::new(result.clone(), None).with_unmet_needs(search.unmet_needs().clone());
    let (mut groups, mut missed) = (0, 0);
    for parts in
        (Pass::named("partners").unwrap().propose)(&subject).into_iter().map(|spans| Parts::new(result.clone(), spans))
    {
        for group in Config::full(parts.len()).iter() {
            let without = parts.candidate(&Config::full(parts.len()).minus(&Config::from_deltas([group])));
            groups += 1;
            missed += usize::from(!asked.contains(&contents(&without.unwrap())));
        }
    }
    (groups, missed)
}

#[test]
fn every_group_that_the_tests_point_to_is_tried() {
    let mut all = 0;
    for seed in 1..=300 {
        let mut next = numbers(seed);
        let timed = seed % 2 == 0;
        let event = |at: usize| match timed {
            true => format!("{{\"t\": {}, \"do\": {at}}}\n", at * 3),
            false => format!("do {at} with {}\n", at / 2),
        };
        let text: String = (0..14).map(event).collect();
        let wanted: Vec<String> =
            (0..4).map(|_| format!("do{} {}", if timed { "\":" } else { "" }, next(14))).collect();
        // Whether it can tell is as good as drawn.
        let fails = |text: &str| match digest(seed, text) % 3 {
            0 => fails_if(wanted.iter().all(|one| text.contains(one))),
            1 if text.lines().count() > 8 => fails_if(wanted.iter().all(|one| text.contains(one))),
            _ => Outcome::Unresolved,
        };
        let (groups, missed) = pointed_to(&text, &["events", "partners", "delays"], fails);
        assert_eq!(missed, 0, "of {groups} groups, seed {seed}");
        all += groups;
    }
    assert!(all > 1000, "{all}: there is something to try");
}

#[test]
fn an_audit_asks_no_more_than_it_counted() {
    let text: String = calls(1, 6).iter().map(|call| format!("{call}\n")).collect();
    let kinds = ["events", "partners"].map(|name| Pass::named(name).unwrap()).to_vec();
    let mut search = Audited::new(file(text.as_bytes()), Plan::new(kinds, Method::Relevance), 0.01);
    let mut audited = HashSet::new();
    while let Some(candidate) = search.ask() {
        let text = String::from_utf8(candidate.artifact().bytes().to_vec()).unwrap();
        if candidate.certainty().bits() > 0 {
            audited.insert(text.clone());
        }
        let wanted = fails_if(text.contains("open f3\n"));
        search.tell(if strict(&text) { wanted } else { Outcome::Unresolved });
    }
    let left = search.best().artifact();
    assert_eq!(left.bytes(), b"open f3\nclose f3\n");
    assert_eq!(audited, HashSet::from(["open f3\n".to_owned(), "close f3\n".to_owned()]));
}

#[test]
fn the_least_that_goes_at_once_is_counted_in_events() {
    let text: String = calls(2, 30).iter().map(|call| format!("{call}\n")).collect();
    let kinds = ["events", "partners"].map(|name| Pass::named(name).unwrap()).to_vec();
    let plan = Plan { min_removal: 5, ..Plan::new(kinds, Method::Relevance) };
    assert_eq!(plan.unit(), "events");
    let mut search = Reduction::new(file(text.as_bytes()), plan);
    let lines = |candidate: &Candidate| candidate.artifact().bytes().iter().filter(|byte| **byte == b'\n').count();
    let mut asked = 0;
    while let Some(candidate) = search.ask() {
        let (before, after) = (lines(&search.best()), lines(&candidate));
        assert!(before - after >= 5, "from {before} to {after}");
        let text = String::from_utf8(candidate.artifact().bytes().to_vec()).unwrap();
        search.tell(if strict(&text) { fails_if(text.contains("open f7\n")) } else { Outcome::Unresolved });
        asked += 1;
    }
    assert!(asked > 10, "{asked} asked");
    assert!(lines(&search.best()) >= 2);
}

#[test]
#[ignore = "measures how long it takes"]
fn how_long_counting_events_takes() {
    let mut text = String::new();
    for at in 0..100_000 {
        text += &format!("mousemove {} {}\n", at % 640, at % 480);
    }
    let kinds = ["events", "partners", "delays"].map(|name| Pass::named(name).unwrap()).to_vec();
    let search = Reduction::new(file(text.as_bytes()), Plan::new(kinds, Method::Relevance));
    let start = std::time::Instant::now();
    let size = search.size(&search.ask().unwrap());
    let counted = start.elapsed();
    let kind = Pass::named("events").unwrap();
    let parts = levels(&kind, &search.ask().unwrap().artifact()).remove(0).len();
    println!("{size} events counted in {counted:?}, read in {:?}", start.elapsed() - counted);
    assert_eq!(size, parts);
}
