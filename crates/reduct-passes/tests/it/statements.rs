//! Statements with all their executions, against a plain reference.

use crate::support::{file, levels};
use proptest::prelude::*;
use reduct_core::Config;
use reduct_input::{Circumstances, Parts};
use reduct_passes::Pass;
use std::collections::BTreeMap;

/// What is left by each edit that leaves out a statement, in their order, and by all of them.
fn offered(plan: &str) -> (Vec<String>, Option<String>) {
    let pass = Pass::documented().find(|pass| pass.name == "statements").unwrap();
    let lists = levels(&pass, &file(plan.as_bytes()));
    assert!(lists.len() < 2, "it is one list");
    let left = |parts: &Parts, config: &Config| {
        let candidate = parts.candidate(config).expect("any statements can go together");
        String::from_utf8(candidate.artifact().bytes().to_vec()).unwrap()
    };
    let of_list = |parts: &Parts| {
        let all = Config::full(parts.len());
        let each = (0..parts.len()).map(|at| left(parts, &all.without(at..at + 1))).collect();
        (each, Some(left(parts, &Config::empty())))
    };
    lists.first().map_or((vec![], None), of_list)
}

/// An execution: how deep it is, its statement, and whether it is an iteration.
type Execution = (usize, u8, bool);

/// Deepens by one at most from line to line.
fn executions() -> impl Strategy<Value = Vec<Execution>> {
    prop::collection::vec((0..5_usize, 0..5_u8, prop::bool::weighted(0.2)), 0..40).prop_map(|mut all| {
        let mut before = None;
        for (depth, ..) in &mut all {
            *depth = (*depth).min(before.map_or(0, |before| before + 1));
            before = Some(*depth);
        }
        all
    })
}

/// The line of an execution: of the fourth statement, the second one on its line, in a file whose name is like a line of a plan.
fn line(time: usize, (depth, statement, is_iteration): Execution) -> String {
    let place = ["a.py:1", "a.py:11", "b c.py:1", "d:7_x:3.2", "a.py:1.2"][statement as usize];
    let text = if is_iteration { format!("iteration {time}") } else { "iteration = 1".into() };
    format!("{:depth$}{place}_{time} {text}\n", "")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn with_a_statement_go_all_its_executions_and_what_belongs_to_them(all in executions()) {
        let text = |is_left: &dyn Fn(usize) -> bool| -> String {
            all.iter().enumerate().filter(|(at, _)| is_left(*at)).map(|(at, one)| line(at + 1, *one)).collect()
        };
        // An execution goes if it, or one that it belongs to, is of the statement.
        let owner = |at: usize| (0..at).rev().find(|before| all[*before].0 < all[at].0);
        let goes_with = |statement: (u8, bool), at: usize| {
            std::iter::successors(Some(at), |at| owner(*at)).any(|at| (all[at].1, all[at].2) == statement)
        };
        let mut times: BTreeMap<(u8, bool), Vec<usize>> = BTreeMap::new();
        for (at, (_, statement, is_iteration)) in all.iter().enumerate() {
            times.entry((*statement, *is_iteration)).or_default().push(at);
        }
        let mut often: Vec<((u8, bool), Vec<usize>)> = times.into_iter().filter(|(_, at)| at.len() >= 4).collect();
        often.sort_by_key(|(_, at)| at[0]);
        let expected: Vec<String> =
            often.iter().map(|(statement, _)| text(&|at| !goes_with(*statement, at))).collect();
        let (each, without_all) = offered(&text(&|_| true));
        prop_assert_eq!(&each, &expected);
        let none = text(&|at| !often.iter().any(|(statement, _)| goes_with(*statement, at)));
        prop_assert_eq!(without_all.is_some(), !expected.is_empty());
        prop_assert_eq!(without_all.unwrap_or(none.clone()), none);
    }

    /// Other texts have no statements, and nothing of them is read beyond its end.
    #[test]
    fn what_is_no_line_of_a_plan_is_of_no_statement(lines in prop::collection::vec("[a:_.1 #]{0,6}x", 0..30)) {
        prop_assert_eq!(offered(&lines.join("\n")).0, Vec::<String>::new());
    }
}

#[test]
fn of_a_recursion_all_but_the_first_level_go_with_the_call() {
    let level = |depth: usize| {
        let blanks = " ".repeat(depth);
        format!("{blanks}a.py:2_{} b = n\n{blanks}a.py:3_{} f(n + 1)\n", 2 * depth + 2, 2 * depth + 3)
    };
    let plan: String = (0..6).map(level).collect();
    let (each, _) =
        offered(&format!("a.py:9_1 f(1)\n{}", plan.lines().map(|line| format!(" {line}\n")).collect::<String>()));
    let calls: String =
        (0..6).map(|depth| format!(" {}a.py:3_{} f(n + 1)\n", " ".repeat(depth), 2 * depth + 3)).collect();
    assert_eq!(each, [format!("a.py:9_1 f(1)\n{calls}"), "a.py:9_1 f(1)\n a.py:2_2 b = n\n".into()]);
    assert_eq!(offered(&plan.lines().take(6).collect::<Vec<_>>().join("\n")).0, Vec::<String>::new(), "three are few");
}
