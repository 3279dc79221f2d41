//! Lines of a text that no grammar reads, of which those with the same word at one place go together.

use crate::support::{file, levels};
use reduct_core::{Outcome, Search};
use reduct_input::{Circumstances, Parts};
use reduct_passes::{Pass, Stage};
use reduct_strategies::{Plan, Reduction};
use std::collections::{HashMap, HashSet, VecDeque};

/// Steps of so many jobs, a few of which run at a time.
const JOBS: usize = 120;

/// Returns a log: each job begins, does so many things, and ends, and others do something in between.
fn log() -> String {
    let steps = |job: usize| 3 + job * 7 % 5;
    let mut at: Vec<usize> = vec![0; JOBS];
    let (mut text, mut tick) = (String::new(), 0);
    while let Some(first) = (0..JOBS).find(|job| at[*job] < steps(*job)) {
        // Of the six oldest ones each has its turn.
        let job = (first..JOBS).filter(|job| at[*job] < steps(*job)).take(6).cycle().nth(tick * 5 % 6).unwrap_or(first);
        let what = if at[job] == 0 {
            "begins"
        } else if at[job] + 1 == steps(job) {
            "ends"
        } else {
            "works on some part"
        };
        text += &format!("{tick:06} [pool-{}] job=j{} {what}\n", tick % 3, job * 37 % 1000);
        at[job] += 1;
        tick += 1;
    }
    text
}

/// Returns whether each job that is named begins before all else, and ends.
fn is_whole(text: &str) -> bool {
    let mut open = HashSet::new();
    text.lines().all(|line| match line.split_whitespace().skip(2).collect::<Vec<_>>()[..] {
        [job, "begins"] => open.insert(job),
        [job, "ends"] => open.remove(job),
        [job, ..] => open.contains(job),
        [] => false,
    }) && open.is_empty()
}

/// One by one, no line of the log can go but those between the first and the last of a job, and the first and the last one only together.
#[test]
fn jobs_of_which_lines_stand_between_those_of_others_go_as_a_whole() {
    let text = log();
    assert!(text.len() > 16 << 10 && is_whole(&text));
    let needed = |text: &str| [" job=j481 ends", " job=j999 ends"].iter().all(|it| text.contains(it));
    assert!(needed(&text));
    let mut reduction = Reduction::new(file(text.as_bytes()), Plan::standard());
    let mut asked = 0;
    while let Some(candidate) = reduction.ask().filter(|_| reduction.best().len() > 400) {
        asked += 1;
        let text = String::from_utf8(candidate.artifact().bytes().to_vec()).unwrap_or_default();
        reduction.tell(Outcome::from(is_whole(&text) && needed(&text)));
    }
    // Two of 120 are found after 14 tests and more; the search before them has asked as many, and twice as many in vain.
    assert!(asked < JOBS, "{asked} tests, as many as there are jobs");
}

/// Returns how many groups each column of a text has.
fn columns(text: &str) -> Vec<usize> {
    let pass = Pass::of(Stage::Group).find(|pass| pass.name == "alike-lines").unwrap();
    levels(&pass, &file(text.as_bytes())).iter().map(Parts::len).collect()
}

#[test]
fn what_is_a_stretch_of_the_text_or_in_few_lines_is_no_column() {
    let by_minute: String = (0..60).map(|at| format!("12:{:02} event of some kind\n", at / 5)).collect();
    assert_eq!(columns(&by_minute), [0; 0], "each minute is a stretch");
    let thread = |at: usize| format!("12:{:02} [t{}] event\n", at / 5, at % 7);
    assert_eq!(columns(&(0..60).map(thread).collect::<String>()), [7]);
    let seldom =
        |at: usize| if at.is_multiple_of(6) { format!("user={} logs in\n", at % 5) } else { "nothing\n".into() };
    assert_eq!(columns(&(0..60).map(seldom).collect::<String>()), [0; 0], "a column of one line in six");
    let each_its_own: String = (0..60).map(|at| format!("[t{at}] event\n")).collect();
    assert_eq!(columns(&each_its_own), [0; 0]);
}

/// Returns a log of transactions that overlap: each begins, puts two keys in their next versions, and commits.
fn transactions() -> String {
    let mut versions = [0; 40];
    let mut put = |at: usize, which: usize| {
        let key = (at * 7 + which * 11 + at / 3) % 40;
        versions[key] += 1;
        format!("put t{at} k{key} {}\n", versions[key])
    };
    let (mut text, mut open) = (String::new(), VecDeque::new());
    for at in 0..1500 {
        text += &format!("begin t{at}\n");
        text += &(put(at, 0) + &put(at, 1));
        open.push_back(at);
        if open.len() > 2 + at % 3 {
            open.pop_front().into_iter().for_each(|at| text += &format!("commit t{at}\n"));
        }
    }
    open.into_iter().for_each(|at| text += &format!("commit t{at}\n"));
    text
}

/// Returns whether each transaction begins, then puts, and commits, and the versions of each key follow each other from the first one on.
fn is_consistent(text: &str) -> bool {
    let (mut open, mut versions) = (HashSet::new(), HashMap::new());
    text.lines().all(|line| match line.split_whitespace().collect::<Vec<_>>()[..] {
        ["begin", at] => open.insert(at),
        ["commit", at] => open.remove(at),
        ["put", at, key, version] => {
            let known = versions.entry(key).or_insert(0);
            *known += 1;
            open.contains(at) && version == known.to_string()
        }
        _ => false,
    }) && open.is_empty()
}

/// At first no transaction can go, as later versions follow. Once all that is put in other keys has gone, nearly all can, each with two lines.
#[test]
fn what_begins_and_ends_goes_together_once_nothing_is_left_in_it() {
    let text = transactions();
    assert!(text.len() > 16 << 10 && is_consistent(&text));
    let is_needed = |text: &str| text.lines().any(|line| line.starts_with("put") && line.ends_with(" k7 12"));
    assert!(is_needed(&text));
    let mut reduction = Reduction::new(file(text.as_bytes()), Plan::standard());
    let mut asked = 0;
    while let Some(candidate) = reduction.ask().filter(|_| reduction.best().len() > 2000) {
        asked += 1;
        let text = String::from_utf8(candidate.artifact().bytes().to_vec()).unwrap_or_default();
        reduction.tell(Outcome::from(is_consistent(&text) && is_needed(&text)));
    }
    // Without groups of two lines it took 328.
    assert!(asked < 300, "{asked} tests, and there are 1500 transactions");
}

#[test]
fn two_lines_that_stand_apart_are_a_group() {
    let lines = |at: usize| {
        (if at < 30 { format!("begin t{at}\n") } else { String::new() })
            + &at.checked_sub(3).map_or(String::new(), |at| format!("commit t{at}\n"))
    };
    assert_eq!(columns(&(0..33).map(lines).collect::<String>()), [30]);
}
