//! Several workers, simulated: tests take one unit of time, or about one, and nothing else takes any.

use super::inputs::Input;
use reduct_core::{Key, Memo, Outcome, Repeats, Speculator};
use reduct_grammars::Languages;
use reduct_strategies::{Plan, Reduction};
use std::collections::HashMap;
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
        let _ = write!(head, " {jobs}: time | runs | in vain | of the work |");
        line.push_str("--:|--:|--:|--:|");
    }
    format!("{head}\n{line}")
}

/// What a reduction by several workers took.
struct Taken {
    time: usize,
    runs: usize,
    /// The time of all workers, and of that what the tests took that the search has asked for, in parts of a unit.
    work: u128,
    useful: u128,
}

/// Returns the row of an input: for each number of workers the units of time, the tests that were run, the share of
/// them that the search never asked for, and the share of the time of all workers that these took. If tests are `uneven`, they take between
/// half and three halves of a unit.
pub(super) fn row(input: &Input, uneven: bool) -> String {
    let mut row = format!("| {} |", input.name);
    let mut needed = 0;
    for jobs in JOBS {
        let Taken { time, runs, work, useful } = simulate(input, jobs, uneven);
        if jobs == 1 {
            needed = runs;
        }
        let share = |all: f64, needed: f64| (all - needed).max(0.0) * 100.0 / all.max(1.0);
        let (vain, of_work) = (share(runs as f64, needed as f64), share(work as f64, useful as f64));
        let _ = write!(row, " {time} | {runs} | {vain:.0} % | {of_work:.0} % |");
    }
    row
}

fn speculator(input: &Input) -> Speculator<Reduction> {
    let plan = Plan::standard().with_grammars(Arc::new(Languages::all()));
    Speculator::new(Reduction::new(input.artifact.clone(), plan), Memo::new(), Repeats::Remembered)
}

/// Begins a test as soon as a worker is free, and stops what is no longer wanted, as a session does. What was stopped counts as run.
fn simulate(input: &Input, jobs: usize, uneven: bool) -> Taken {
    let mut speculator = speculator(input);
    let (mut now, mut taken) = (0, Taken { time: 0, runs: 0, work: 0, useful: 0 });
    // What runs: when it began, when it ends, and what it says then.
    let mut running: Vec<(u128, u128, Key, Outcome)> = vec![];
    let mut lengths: HashMap<Key, u128> = HashMap::new();
    loop {
        while let Some(retired) = speculator.retire() {
            taken.useful += lengths.get(&retired.key).filter(|_| !retired.repeated).copied().unwrap_or(0);
        }
        if speculator.is_done() || speculator.retired() > super::MOST as u64 {
            taken.work += running.iter().map(|(began, ..)| now - began).sum::<u128>();
            return Taken { time: ((now + UNIT / 2) / UNIT) as usize, ..taken };
        }
        let wanted = speculator.wanted(jobs);
        running.retain(|(began, _, key, _)| {
            let stays = wanted.iter().any(|wanted| wanted.key == *key);
            taken.work += if stays { 0 } else { now - began };
            stays
        });
        for wanted in wanted {
            if running.iter().all(|(_, _, key, _)| *key != wanted.key) {
                let length = if uneven { UNIT / 2 + wanted.key.0 % UNIT } else { UNIT };
                lengths.insert(wanted.key, length);
                running.push((now, now + length, wanted.key, (input.test)(&wanted.question.artifact())));
                taken.runs += 1;
            }
        }
        let end = running.iter().map(|(_, ends, ..)| *ends).min().unwrap_or(now);
        now = end;
        // Those that end at one time are taken together.
        for (began, ends, key, outcome) in running.extract_if(.., |(_, ends, ..)| *ends == end) {
            taken.work += ends - began;
            speculator.learn(key, outcome);
        }
    }
}
