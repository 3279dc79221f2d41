//! `cargo xtask bench curve`: how fast inputs shrink, counted in tests that are functions: no process, no clock, the same
//! numbers on every machine.
//!
//! Each input is hard in one way: deep nests, many needed parts, a package of files, a binary with offsets. A change of
//! the engine is judged on all of them, and on the programs of `fixtures/languages`.

#![expect(clippy::print_stdout, reason = "a benchmark prints its table")]

mod inputs;
mod judge;
mod recorded;
mod workers;

use crate::guard::Differences;
use inputs::Input;
use reduct_core::{Outcome, Question, Search};
use reduct_grammars::Languages;
use reduct_strategies::{Plan, Reduction};
use std::collections::HashMap;
use std::fmt::Write;
use std::sync::Arc;

/// More tests than that are not asked; what has not ended by then is said to be cut off.
const MOST: usize = 6_000;

const OPTIONS: [&str; 5] = ["--visits", "--check", "--record", "--jobs", "--uneven"];

/// How a reduction went.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Curve {
    bytes_in: usize,
    bytes_out: usize,
    tests: usize,
    /// Tests until 50, 90 and 99 % of what goes was gone.
    until: [usize; 3],
    /// The sum over all tests of the share that could still go: how many tests it took at full size, as it were.
    area: usize,
    /// The sum of the sizes of all candidates, in sizes of the input.
    cost: usize,
    /// The longest stretch of tests of which each removed less than a thousandth of what was left, while more than a tenth of what goes was still there.
    stall: usize,
    /// Tests after the last success.
    tail: usize,
    ended: bool,
}

/// Runs the inputs of these names, or all. `--visits` says what each visit of a pass did, `--record` writes the table of all,
/// `--check` compares with it, `--jobs` simulates several workers, `--uneven` with tests of uneven length.
pub(crate) fn run(words: &[&str]) -> Result<(), String> {
    let (flags, names): (Vec<&str>, Vec<&str>) = words.iter().partition(|word| word.starts_with("--"));
    if let Some(flag) = flags.iter().find(|flag| !OPTIONS.contains(flag)) {
        return Err(format!("curve has no option {flag}: {}", OPTIONS.join(", ")));
    }
    let all: Vec<Input> = inputs::all();
    if let Some(name) = names.iter().find(|name| all.iter().all(|input| input.name != **name)) {
        let known: Vec<&str> = all.iter().map(|input| &*input.name).collect();
        return Err(format!("no input is called {name}: {}", known.join(", ")));
    }
    let chosen = all.into_iter().filter(|input| names.is_empty() || names.contains(&&*input.name));
    if flags.contains(&"--jobs") || flags.contains(&"--uneven") {
        println!("{}", workers::head());
        chosen.for_each(|input| println!("{}", workers::row(&input, flags.contains(&"--uneven"))));
        return Ok(());
    }
    println!(
        "| input | bytes in | bytes out | tests | to 50 % | to 90 % | to 99 % | area | cost | longest stall | tail |"
    );
    println!("|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|");
    let mut rows = vec![];
    for input in chosen {
        let curve = follow(&input, flags.contains(&"--visits"))?;
        println!("{}", row(&input.name, &curve));
        rows.push((input.name, curve));
    }
    if flags.contains(&"--record") {
        return recorded::write(&rows);
    }
    if flags.contains(&"--check") { recorded::compare(&rows) } else { Ok(()) }
}

/// Follows the small inputs, the programs of `fixtures/languages`, and returns what differs from the table.
pub(crate) fn small() -> Result<Differences, String> {
    recorded::differences(&small_rows()?)
}

fn small_rows() -> Result<Vec<(String, Curve)>, String> {
    let small = inputs::all().into_iter().filter(|input| input.artifact.bytes().len() < 2000);
    small.map(|input| follow(&input, false).map(|curve| (input.name, curve))).collect()
}

fn row(name: &str, curve: &Curve) -> String {
    let Curve { bytes_in, bytes_out, tests, until: [half, most, nearly], area, cost, stall, tail, ended } = curve;
    let more = if *ended { "" } else { "+" };
    format!(
        "| {name} | {bytes_in} | {bytes_out} | {tests}{more} | {half} | {most} | {nearly} | {area} | {cost} | {stall} | {tail} |"
    )
}

/// Reduces, and counts distinct questions.
fn follow(input: &Input, prints_visits: bool) -> Result<Curve, String> {
    let plan = Plan::standard().with_grammars(Arc::new(Languages::all()));
    let mut search = Reduction::new(input.artifact.clone(), plan);
    let whole = search.best();
    if (input.test)(&input.artifact) != Outcome::Fail {
        return Err(format!("{}: the input does not fail", input.name));
    }
    let mut known = HashMap::from([(whole.key(), Outcome::Fail)]);
    // After each test, the bytes of the best; and how large the candidates were.
    let (mut sizes, mut asked_bytes) = (vec![whole.len()], 0);
    let mut visits = Visits::default();
    while sizes.len() <= MOST {
        let Some(candidate) = search.ask() else { break };
        visits.enter(&search);
        let outcome = match known.get(&candidate.key()) {
            Some(outcome) => *outcome,
            None => {
                let outcome = (input.test)(&candidate.artifact());
                known.insert(candidate.key(), outcome);
                asked_bytes += candidate.len();
                let best = sizes.last().copied().unwrap_or(0);
                sizes.push(if outcome == Outcome::Fail { best.min(candidate.len()) } else { best });
                visits.count(candidate.len(), outcome);
                outcome
            }
        };
        search.tell(outcome);
    }
    visits.enter(&search);
    if prints_visits {
        print!("{}", visits.page);
    }
    Ok(curve(&sizes, asked_bytes, search.ask().is_none()))
}

fn curve(sizes: &[usize], asked_bytes: usize, ended: bool) -> Curve {
    let (first, last) = (sizes[0], sizes[sizes.len() - 1]);
    let gain = (first - last).max(1);
    let until = |percent: usize| sizes.iter().position(|size| (first - size) * 100 >= gain * percent).unwrap_or(0);
    let (mut stall, mut since) = (0, 0);
    for pair in sizes.windows(2) {
        since = if (pair[0] - pair[1]) * 1_000 >= pair[0] { 0 } else { since + 1 };
        if (pair[1] - last) * 10 > gain {
            stall = stall.max(since);
        }
    }
    let left: usize = sizes[1..].iter().map(|size| size - last).sum();
    Curve {
        bytes_in: first,
        bytes_out: last,
        tests: sizes.len() - 1,
        until: [until(50), until(90), until(99)],
        area: left.div_ceil(gain),
        cost: asked_bytes.div_ceil(first.max(1)),
        stall,
        tail: sizes.iter().rev().take_while(|size| **size == last).count() - 1,
        ended,
    }
}

/// What each visit of a pass did, line by line.
#[derive(Default)]
struct Visits {
    now: Option<(&'static str, usize, usize)>,
    before: usize,
    tests: usize,
    hits: usize,
    all: usize,
    page: String,
}

impl Visits {
    fn enter(&mut self, search: &Reduction) {
        let phase = search.phase().map(|phase| (phase.kind, phase.round, phase.level));
        if phase == self.now {
            return;
        }
        let left = search.best().len();
        if let Some((kind, round, level)) = self.now {
            let Visits { before, tests, hits, all, .. } = self;
            let _ =
                writeln!(self.page, "  {all:6} {kind} {round}.{level}: {tests} tests, {hits} hits, {before} -> {left}");
        }
        (self.now, self.before, self.tests, self.hits) = (phase, left, 0, 0);
    }

    fn count(&mut self, _size: usize, outcome: Outcome) {
        self.tests += 1;
        self.all += 1;
        self.hits += usize::from(outcome == Outcome::Fail);
    }
}

#[cfg(test)]
mod tests {
    use super::{curve, recorded, small_rows};

    /// The small ones: a change of more than 3 % has to be argued, and recorded.
    #[test]
    fn small_inputs_take_as_many_tests_as_recorded() {
        let rows = small_rows().unwrap_or_else(|why| panic!("{why}"));
        assert!(rows.len() > 20);
        assert_eq!(recorded::compare(&rows), Ok(()));
    }

    #[test]
    fn a_curve_counts_what_it_says() {
        // 100 bytes to 0: half is gone after 2 tests, 90 % after 5, and the last test changes nothing.
        let counted = curve(&[100, 100, 50, 50, 50, 10, 0, 0], 350, true);
        assert_eq!((counted.tests, counted.until, counted.tail), (7, [2, 5, 6], 1));
        assert_eq!((counted.area, counted.cost, counted.stall), (3, 4, 2));
        // A byte of thousands is no progress.
        assert_eq!(curve(&[9_000, 8_999, 8_998, 8_997, 5_000, 5_000, 100, 0], 9_000, true).stall, 3);
    }
}
