//! Lines and other parts that go with their neighbours only.

use crate::support::{fails_if, file, has};
use reduct_core::Search;
use reduct_passes::Pass;
use reduct_strategies::{Method, Plan, Reduction};

fn by_lines() -> Plan {
    Plan::new(vec![Pass::named("lines").unwrap()], Method::Relevance)
}

/// Returns what is left, and after how many tests.
fn reduced(text: &str, plan: Plan, fails: impl Fn(&str) -> bool) -> (String, usize) {
    assert!(fails(text));
    let (mut reduction, mut asked) = (Reduction::new(file(text.as_bytes()), plan), 0);
    while let Some(candidate) = reduction.ask() {
        asked += 1;
        let text = String::from_utf8(candidate.artifact().bytes().to_vec()).unwrap_or_default();
        reduction.tell(fails_if(fails(&text)));
    }
    (String::from_utf8(reduction.best().artifact().bytes().to_vec()).unwrap(), asked)
}

/// Returns so many groups of lines, one line for each step.
fn groups(count: usize, steps: &[&str]) -> String {
    (0..count).flat_map(|at| steps.iter().map(move |step| format!("{step} number {at}\n"))).collect()
}

/// Returns whether all steps of a group follow each other, of each group that is there.
fn is_whole(text: &str, steps: &[&str]) -> bool {
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split(' ').collect()).collect();
    let is_group = |group: &[Vec<&str>]| {
        group.iter().zip(steps).all(|(line, step)| line.len() == 3 && line[0] == *step && line[2] == group[0][2])
    };
    lines.len().is_multiple_of(steps.len()) && lines.chunks(steps.len()).all(is_group)
}

#[test]
fn one_needed_group_of_lines_is_found_by_halves() {
    for steps in [&["begin", "end"][..], &["open", "use", "close"], &["a", "b", "c", "d"]] {
        for needed in [0, 77, 250, 331, 332] {
            let last = format!(" {needed}\n");
            let fails = |text: &str| is_whole(text, steps) && text.contains(&last);
            let (left, asked) = reduced(&groups(333, steps), by_lines(), fails);
            assert_eq!(left.lines().count(), steps.len(), "{steps:?} {needed}: {left}");
            // One of so many lines that could go one by one is found after some 30 tests; if the first ones that are in vain are of the needed
            // group, its neighbours are asked about in vain, too.
            assert!(asked * 5 < 333 * steps.len(), "{steps:?} {needed}: {asked} tests");
        }
    }
}

#[test]
fn a_test_that_takes_even_numbers_of_lines_only_leaves_two() {
    let text: String = (0..1000).map(|at| format!("line {at}.\n")).collect();
    let fails = |text: &str| text.lines().count().is_multiple_of(2) && text.contains("line 777.");
    let (left, asked) = reduced(&text, by_lines(), fails);
    assert_eq!(left.lines().count(), 2);
    assert!(asked <= 100, "{asked} tests");
}

#[test]
fn where_all_lines_are_needed_few_questions_more_are_asked() {
    let text: String = (0..1000).map(|at| format!("line {at}.\n")).collect();
    let (left, asked) = reduced(&text, by_lines(), |candidate| candidate == text);
    assert_eq!(left, text);
    // Each line alone, groups and their halves at first, and one in 40 about neighbours, where 512 lines count as asked about.
    assert!(asked <= 1000 + 3 * 10 + (asked + 512) / 40, "{asked} tests");
}

/// A list of JSON with keys and values in turn.
#[test]
fn keys_go_with_their_values() {
    let items: Vec<String> = (0..300).map(|at| format!("\"key{at}\", {}", at * 7 % 100)).collect();
    let fails = |text: &str| {
        let Some(list) = text.trim().strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) else { return false };
        let items: Vec<&str> = list.split(',').map(str::trim).collect();
        let is_key = |item: &str| item.len() >= 2 && item.starts_with('"') && item.ends_with('"');
        let is_number = |item: &str| !item.is_empty() && item.bytes().all(|byte| byte.is_ascii_digit());
        let is_pair = |pair: &[&str]| pair.len() == 2 && is_key(pair[0]) && is_number(pair[1]);
        items.chunks(2).all(is_pair) && has(text.as_bytes(), b"key201")
    };
    let (left, asked) = reduced(&format!("[{}]\n", items.join(", ")), Plan::standard(), fails);
    let pairs = left.matches(',').count().div_ceil(2);
    // Of lists of fewer than 12 parts no neighbours are asked about.
    assert!(pairs < 6, "{left}");
    assert!(asked <= 150, "{asked} tests: a quarter of one for each item");
}
