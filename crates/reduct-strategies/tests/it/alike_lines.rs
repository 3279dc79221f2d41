//! Lines of a text that no grammar reads, of which those with the same word at one place go together.

use crate::support::{file, levels};
use reduct_core::{Outcome, Search};
use reduct_input::{Circumstances, Parts};
use reduct_passes::{Pass, Stage};
use reduct_strategies::{Plan, Reduction};
use std::collections::HashSet;

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
