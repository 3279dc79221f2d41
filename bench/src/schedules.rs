//! Searches on a simulated place that loses tests, meets trouble, answers late and out of order, and is stopped, paused and
//! asked to take answers back at any moment: the answer is that of a quiet place with one slot, whatever happens.
//!
//! A schedule is made from its number, so that one that is not as it should be can be made again: `--from N --count 1`.

#![expect(clippy::print_stdout, reason = "a benchmark prints what it comes to")]

mod place;
mod problem;
mod record;
mod schedule;

use crate::words::{number, refuse_unknown};
use schedule::{Answer, Schedule};
use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::rc::Rc;
use std::time::{Duration, Instant};

/// The numbers of slots that schedules have.
const SLOTS: [usize; 3] = [1, 2, 8];

/// After this time it is said how far it is.
const NEWS: Duration = Duration::from_secs(60);

/// Runs so many schedules: `[--count N] [--from N]`.
///
/// # Errors
/// If an answer is another one, a test is repeated, or a search does not end.
pub(crate) fn run(words: &[&str]) -> Result<(), String> {
    refuse_unknown(words, &["--count", "--from"], &[])?;
    let (count, from) = (number(words, "--count", 100_000)?, number(words, "--from", 0)?);
    let mut expected = Expected::default();
    let (mut seen, mut bad) = (schedule::Seen::default(), 0);
    let mut news = Instant::now();
    for n in from..from.saturating_add(count) {
        let schedule = Schedule::of_number(n, &SLOTS);
        match one(&schedule, &mut expected) {
            Ok(more) => seen.add(&more),
            Err(what) => {
                bad += 1;
                println!("schedule {n} ({} at {} slots): {what}", schedule.problem.name, schedule.slots);
            }
        }
        if news.elapsed() > NEWS {
            println!("{} schedules, bad {bad}", n - from + 1);
            news = Instant::now();
        }
    }
    println!("{count} schedules from {from}, bad {bad}: {seen}");
    if bad == 0 { Ok(()) } else { Err("the promises are broken".into()) }
}

/// The answers of a quiet place with one slot, by problem.
#[derive(Default)]
struct Expected(BTreeMap<&'static str, Rc<Answer>>);

impl Expected {
    /// Returns the answer. It is kept where it does not depend on chance.
    fn of(&mut self, schedule: &Schedule) -> Rc<Answer> {
        let problem = schedule.problem;
        if problem.is_flaky {
            return Rc::new(Schedule::quiet(problem, schedule.seed).answer());
        }
        let quiet = || {
            let answer = Schedule::quiet(problem, 0).answer();
            assert_eq!(String::from_utf8_lossy(&answer.best), problem.left, "the quiet answer to {}", problem.name);
            Rc::new(answer)
        };
        Rc::clone(self.0.entry(problem.name).or_insert_with(quiet))
    }
}

/// Runs one schedule. Returns what happened in it.
fn one(schedule: &Schedule, expected: &mut Expected) -> Result<schedule::Seen, String> {
    let expected = expected.of(schedule);
    let played = catch_unwind(AssertUnwindSafe(|| schedule.play(&expected)));
    played.unwrap_or_else(|panic| {
        let said = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
        Err(format!("it panics: {}", said.unwrap_or("without a word")))
    })
}

#[cfg(test)]
mod tests {
    /// The short form. With `cargo xtask bench schedules`, it takes as long as it is let.
    #[test]
    fn faulty_schedules_give_the_quiet_answer() {
        super::run(&["--count", "100"]).unwrap();
    }
}
