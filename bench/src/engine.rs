//! How many questions the core asks and takes in a second, and what it keeps for that: no process, no
//! file, an oracle that costs next to nothing.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

use crate::heap;
use crate::lists::certified::Certified;
use crate::overhead::processor_time;
use reduct_core::laws::Chance;
use reduct_core::search::Minimiser;
use reduct_core::{Config, Delta, Learned, Memo, Outcome, Relevance, Repeats, Speculator, run as to_end};
use std::time::Duration;

const DELTAS: usize = 100_000;
const NEEDED: usize = 100;
/// How many lists are searched.
const LISTS: usize = 60;

pub(crate) fn run() -> Result<(), String> {
    println!(
        "{LISTS} lists of {DELTAS} deltas, {NEEDED} of them needed; relevance, then a sweep; by processor time.\n"
    );
    println!("| driver | questions | questions a second | peak heap | bytes a delta |\n|---|--:|--:|--:|--:|");
    row("`run`", |start, test| {
        to_end(start, test);
    });
    row("`Speculator`, 1 job", |start, test| {
        let mut speculator = Speculator::new(start, Memo::new(), Repeats::Remembered);
        while !speculator.is_done() {
            for wanted in speculator.wanted(1) {
                speculator.learn(wanted.key, test(&wanted.question));
            }
            while speculator.retire().is_some() {}
        }
    });
    Ok(())
}

fn row(name: &str, search: impl Fn(Certified, &mut dyn FnMut(&Config) -> Outcome)) {
    let mut chance = Chance(7);
    let (mut questions, mut time, mut peak) = (0_u64, Duration::ZERO, 0);
    for _ in 0..LISTS {
        let needed = needed(&mut chance);
        let mut test = |config: &Config| {
            questions += 1;
            if needed.is_subset(config) { Outcome::Fail } else { Outcome::Pass }
        };
        heap::reset();
        let begin = processor_time();
        let list = Config::full(DELTAS);
        let relevance = Relevance::new(list, Learned::new(DELTAS));
        search(Certified::new(Minimiser::Relevance(relevance)), &mut test);
        time += processor_time() - begin;
        peak = peak.max(heap::peak());
    }
    let rate = questions as f64 / time.as_secs_f64();
    println!("| {name} | {questions} | {rate:.0} | {peak} B | {:.1} |", peak as f64 / DELTAS as f64);
}

fn needed(chance: &mut Chance) -> Config {
    let mut chosen = std::collections::BTreeSet::new();
    while chosen.len() < NEEDED {
        chosen.insert(Delta(chance.below(DELTAS) as u32));
    }
    chosen.into_iter().collect()
}
