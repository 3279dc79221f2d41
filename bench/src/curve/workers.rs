//! Several workers, simulated: all tests take one unit of time, and nothing else takes any.

use super::inputs::Input;
use reduct_core::{Memo, Repeats, Speculator};
use reduct_grammars::Languages;
use reduct_strategies::{Plan, Reduction};
use std::fmt::Write;
use std::sync::Arc;

/// With how many workers each input is reduced.
const JOBS: [usize; 4] = [1, 2, 4, 16];

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
/// them that the search never asked for.
pub(super) fn row(input: &Input) -> String {
    let mut row = format!("| {} |", input.name);
    let mut needed = 0;
    for jobs in JOBS {
        let (time, runs) = simulate(input, jobs);
        if jobs == 1 {
            needed = runs;
        }
        let vain = (runs.saturating_sub(needed)) as f64 * 100.0 / runs.max(1) as f64;
        let _ = write!(row, " {time} | {runs} | {vain:.0} % |");
    }
    row
}

fn simulate(input: &Input, jobs: usize) -> (usize, usize) {
    let plan = Plan::standard().with_grammars(Arc::new(Languages::all()));
    let search = Reduction::new(input.artifact.clone(), plan);
    let mut speculator = Speculator::new(search, Memo::new(), Repeats::Remembered);
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
