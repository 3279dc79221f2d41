//! Several workers, simulated: tests take one unit of time, or about one, and nothing else takes any.

use super::inputs::Input;
use reduct_core::{Key, Memo, Outcome, Repeats, Speculator};
use reduct_grammars::Languages;
use reduct_strategies::{Plan, Reduction};
use std::fmt::Write;
use std::sync::Arc;

/// With how many workers each input is reduced.
const JOBS: [usize; 4] = [1, 2, 4, 16];

/// As long as a test takes on average, where they take more and less.
const UNIT: u128 = 1024;

/// Returns the head of the table.
pub(super) fn head() -> String {
    let mut head = String::from("| input |");
    let mut line = String::from("|---|");
    for jobs in JOBS {
        let _ = write!(head, " {jobs}: time | runs | in vain |");
        line.push_str("--:|--:|--:|");
    }
    format!("{head}\n{line}")
}

/// Returns the row of an input: for each number of workers the units of time, the tests that were run, and the share of
/// them that the search never asked for. If tests are `uneven`, they take between half and three halves of a unit.
pub(super) fn row(input: &Input, uneven: bool) -> String {
    let mut row = format!("| {} |", input.name);
    let mut needed = 0;
    for jobs in JOBS {
        let (time, runs) = if uneven { simulate_uneven(input, jobs) } else { simulate(input, jobs) };
        if jobs == 1 {
            needed = runs;
        }
        let vain = (runs.saturating_sub(needed)) as f64 * 100.0 / runs.max(1) as f64;
        let _ = write!(row, " {time} | {runs} | {vain:.0} % |");
    }
    row
}

fn speculator(input: &Input) -> Speculator<Reduction> {
    let plan = Plan::standard().with_grammars(Arc::new(Languages::all()));
    Speculator::new(Reduction::new(input.artifact.clone(), plan), Memo::new(), Repeats::Remembered)
}

fn simulate(input: &Input, jobs: usize) -> (usize, usize) {
    let mut speculator = speculator(input);
    let (mut time, mut runs) = (0, 0);
    loop {
        while speculator.retire().is_some() {}
        if speculator.is_done() || speculator.retired() > super::MOST as u64 {
            return (time, runs);
        }
        let wanted = speculator.wanted(jobs);
        time += 1;
        runs += wanted.len();
        for wanted in wanted {
            speculator.learn(wanted.key, (input.test)(&wanted.question.artifact()));
        }
    }
}

/// Begins a test as soon as a worker is free, and stops what is no longer wanted, as a session does. What was stopped counts as run.
fn simulate_uneven(input: &Input, jobs: usize) -> (usize, usize) {
    let mut speculator = speculator(input);
    let (mut now, mut runs) = (0, 0);
    // What runs: when it ends, and what it says then.
    let mut running: Vec<(u128, Key, Outcome)> = vec![];
    loop {
        while speculator.retire().is_some() {}
        if speculator.is_done() || speculator.retired() > super::MOST as u64 {
            return (((now + UNIT / 2) / UNIT) as usize, runs);
        }
        let wanted = speculator.wanted(jobs);
        running.retain(|(_, key, _)| wanted.iter().any(|wanted| wanted.key == *key));
        for wanted in wanted {
            if running.iter().all(|(_, key, _)| *key != wanted.key) {
                let ends = now + UNIT / 2 + wanted.key.0 % UNIT;
                running.push((ends, wanted.key, (input.test)(&wanted.question.artifact())));
                runs += 1;
            }
        }
        let first = (0..running.len()).min_by_key(|at| (running[*at].0, running[*at].1)).unwrap_or(0);
        let (ends, key, outcome) = running.swap_remove(first);
        now = ends;
        speculator.learn(key, outcome);
    }
}
