//! Branches that are not needed: how soon they go in a reduction of a program of which all functions are.

use crate::support::{grammars, has};
use reduct_core::{Outcome, Search};
use reduct_input::Artifact;
use reduct_strategies::{Plan, Reduction};

/// A program of 40 functions, each with a call that is needed and eight conditions, the first of which is needed in each fourth function.
fn program() -> (String, Vec<String>) {
    let (mut text, mut needed) = (String::new(), vec![]);
    for function in 0..40 {
        text += &format!("function f{function}(a, b) {{\n  is(here{function});\n");
        needed.push(format!("is(here{function});"));
        for branch in 0..8 {
            text +=
                &format!("  if (a.is{branch}) {{\n    b.put(a, {branch});\n    b.there({function}, {branch});\n  }}\n");
        }
        needed.extend((function % 4 == 0).then(|| format!("b.there({function}, 0);")));
        text += "  return b;\n}\n";
    }
    (text, needed)
}

/// Returns how many tests it takes until at most a third is left.
fn tests_to_a_third(plan: Plan) -> usize {
    let (text, needed) = program();
    let base = Artifact::of_file("a.js", text.as_bytes()).unwrap();
    let mut reduction = Reduction::new(base, plan.with_grammars(grammars()));
    let mut tests = 0;
    while reduction.best().artifact().bytes().len() * 3 > text.len() {
        let candidate = reduction.ask().expect("more than half of it can go");
        let tested = candidate.artifact();
        tests += 1;
        reduction.tell(Outcome::from(needed.iter().all(|call| has(tested.bytes(), call.as_bytes()))));
    }
    tests
}

#[test]
fn branches_go_together_where_all_functions_are_needed() {
    let mut without = Plan::standard();
    without.passes.retain(|pass| pass.name != "branches");
    let (with, without) = (tests_to_a_third(Plan::standard()), tests_to_a_third(without));
    // Ten needed ones of 320, each found by halving, and what comes before them.
    assert!(with <= 10 * 10 + 40 && with * 2 < without, "{with} tests, {without} without");
}
