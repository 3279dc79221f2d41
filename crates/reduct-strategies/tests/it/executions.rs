//! Executions of a plan whose statements go together, where a search level by level gets on slowly.

use crate::support::{fails_if, file};
use reduct_core::Search;
use reduct_input::Candidate;
use reduct_passes::Pass;
use reduct_strategies::{Method, Plan, Reduction};

fn plan() -> Plan {
    Plan::new(vec![Pass::named("executions").unwrap()], Method::Relevance)
}

/// The same without groups.
fn level_by_level() -> Plan {
    Plan { passes: vec![Pass::named("executions").unwrap()], ..plan() }
}

/// How many tests it takes, and how many executions are left after each; at last, what is left.
fn reduced(text: &str, plan: Plan, fails: impl Fn(&str) -> bool) -> (Vec<usize>, String) {
    let mut search = Reduction::new(file(text.as_bytes()), plan);
    let contents = |candidate: &Candidate| String::from_utf8(candidate.artifact().bytes().to_vec()).unwrap();
    let mut left = vec![];
    while let Some(candidate) = search.ask() {
        search.tell(fails_if(fails(&contents(&candidate))));
        left.push(search.size(&search.best()));
    }
    (left, contents(&search.best()))
}

/// A call of a function that calls itself, with five more statements in each of 100 levels.
fn recursion() -> String {
    let level = |depth: usize| -> String {
        (2..8).map(|line| format!("{:depth$}a.py:{line}_{} some = statement\n", "", depth * 6 + line)).collect()
    };
    (1..=100).map(level).fold("a.py:9_1 f(1)\n".into(), |text, level| text + &level)
}

#[test]
fn in_a_recursion_that_is_needed_other_statements_go_at_once() {
    let text = recursion();
    // The call is the last statement of each level.
    let fails = |left: &str| left.matches("a.py:7_").count() == 100 && left.contains("a.py:9_");
    let (sizes, left) = reduced(&text, plan(), fails);
    let needed: String = text
        .lines()
        .filter(|line| line.contains(":7_") || line.contains(":9_"))
        .map(|line| format!("{line}\n"))
        .collect();
    assert_eq!(left, needed);
    let (slowly, same) = reduced(&text, level_by_level(), fails);
    assert_eq!(same, needed);
    println!("{} and {} tests; {} and {} left after 40", sizes.len(), slowly.len(), sizes[39], slowly[39]);
    assert!(sizes[39] == 101 && slowly[39] > 500);
    assert!(sizes.len() < slowly.len());
}

/// A loop of 200 iterations with five statements each.
fn iterations() -> String {
    let iteration = |number: usize| -> String {
        let time = number * 6;
        let statements: String =
            (2..7).map(|line| format!("  a.py:{line}_{} some = statement\n", time + line)).collect();
        format!(" a.py:1_{time} iteration {number}\n{statements}")
    };
    (1..=200).map(iteration).fold("a.py:1_1 for x in y:\n".into(), |text, iteration| text + &iteration)
}

#[test]
fn in_a_loop_that_is_needed_other_statements_go_at_once() {
    let text = iterations();
    let fails = |left: &str| left.matches("a.py:3_").count() == 200 && left.matches("a.py:5_").count() == 200;
    let (sizes, left) = reduced(&text, plan(), fails);
    let (slowly, same) = reduced(&text, level_by_level(), fails);
    assert_eq!(left, same);
    println!("{} and {} tests; {} and {} left after 50", sizes.len(), slowly.len(), sizes[49], slowly[49]);
    assert!(sizes[49] == 601 && slowly[49] > 1_100);
    assert!(sizes.len() < slowly.len());
}

#[test]
fn where_levels_get_on_well_no_test_is_added() {
    let text = iterations();
    let fails = |left: &str| left.contains("iteration 77\n") && left.contains(&format!("a.py:4_{} ", 77 * 6 + 4));
    assert_eq!(reduced(&text, plan(), fails), reduced(&text, level_by_level(), fails));
    // A short plan is searched level by level in any case.
    let short: String = text.lines().take(120).map(|line| format!("{line}\n")).collect();
    let all = |left: &str| left.matches("a.py:3_").count() == short.matches("a.py:3_").count();
    assert_eq!(reduced(&short, plan(), all), reduced(&short, level_by_level(), all));
}
