//! The fewest switches of a schedule with which a program fails.
//!
//! A switch that is left out changes all that runs after it: nothing is less monotone. So it is asked first what fails by itself:
//! each switch alone. Of the switches that are left by ddmin, and of those close to them (another thread, a point earlier or later),
//! each is asked alone, too; then one is left out and another one replaced by one that is close (iterative context bounding,
//! begun by a run that fails: Musuvathi and Qadeer, PLDI 2007).

use crate::schedule::Switch;
use reduct_core::{Config, Ddmin, Delta, Form, Outcome, Search, Split};
use std::cell::Cell;
use std::collections::HashMap;

/// So many changed switches are asked about at most, and so many sets with one.
const MOST_TRIED: usize = 400;

/// Fewer switches that fail.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Fewest {
    /// The switches.
    pub switches: Vec<Switch>,
    /// Whether they are among those that were given.
    pub as_recorded: bool,
}

/// Looks for the fewest of these switches, in a program with so many threads, with which `test` fails. It fails with all of them,
/// and does not fail with none. Once `most` different tests were asked for, what is close to them is not asked any more: of what is
/// returned then, too, none can be left out.
///
/// # Errors
/// If a test ends with one.
pub fn fewest<E>(
    switches: &[Switch],
    threads: u32,
    most: u64,
    mut test: impl FnMut(&[Switch]) -> Result<Outcome, E>,
) -> Result<Fewest, E> {
    let asked = Cell::new(0);
    let mut known: HashMap<Vec<Switch>, Outcome> = HashMap::new();
    let mut ask = |some: &[Switch]| -> Result<Outcome, E> {
        if let Some(outcome) = known.get(some) {
            return Ok(*outcome);
        }
        let outcome = test(some)?;
        asked.set(asked.get() + 1);
        known.insert(some.to_vec(), outcome);
        Ok(outcome)
    };
    let of = |left: Vec<Switch>| {
        let as_recorded = left.iter().all(|switch| switches.contains(switch));
        Ok(Fewest { switches: left, as_recorded })
    };
    for switch in switches {
        if ask(std::slice::from_ref(switch))? == Outcome::Fail {
            return of(vec![switch.clone()]);
        }
    }
    let mut left = without_any(switches, &mut ask)?;
    if left.len() > 1 {
        let near: Vec<Switch> = left.iter().flat_map(|switch| neighbours(switch, threads)).take(MOST_TRIED).collect();
        for switch in near {
            if asked.get() >= most {
                break;
            }
            if ask(std::slice::from_ref(&switch))? == Outcome::Fail {
                return of(vec![switch]);
            }
        }
    }
    let mut tried = 0;
    while left.len() > 2 && asked.get() < most {
        let mut smaller = None;
        for some in with_one_replaced(&left, threads).take(MOST_TRIED - tried) {
            tried += 1;
            if asked.get() >= most {
                break;
            }
            if ask(&some)? == Outcome::Fail {
                smaller = Some(some);
                break;
            }
        }
        let Some(some) = smaller else { break };
        left = without_any(&some, &mut ask)?;
    }
    of(left)
}

/// Returns some of these switches of which none can be left out.
fn without_any<E>(
    switches: &[Switch],
    ask: &mut impl FnMut(&[Switch]) -> Result<Outcome, E>,
) -> Result<Vec<Switch>, E> {
    let of = |config: &Config| config.iter().map(|Delta(at)| switches[at as usize].clone()).collect::<Vec<Switch>>();
    // Nothing is left out of one, and nothing fails with none.
    let mut search = Ddmin::new(Config::full(switches.len()), Form::Subsets, Split::Book);
    while let Some(config) = search.ask() {
        search.tell(ask(&of(&config))?);
    }
    Ok(of(&search.best()))
}

/// Returns the sets with one switch less, of which another one is replaced by one close to it.
fn with_one_replaced(switches: &[Switch], threads: u32) -> impl Iterator<Item = Vec<Switch>> + '_ {
    let pairs = (0..switches.len()).flat_map(|out| (0..switches.len()).map(move |edited| (out, edited)));
    pairs.filter(|(out, edited)| out != edited).flat_map(move |(out, edited)| {
        beside(&switches[edited], switches[edited].thread, threads).map(move |switch| {
            let kept = switches.iter().enumerate().filter(|(at, _)| *at != out);
            kept.map(|(at, it)| if at == edited { switch.clone() } else { it.clone() }).collect()
        })
    })
}

/// Returns a switch at its point and the two beside it, to each other thread; then the same of other threads, which often execute
/// the same function.
fn neighbours(switch: &Switch, threads: u32) -> impl Iterator<Item = Switch> + '_ {
    let others = (0..threads).filter(|thread| *thread != switch.thread);
    std::iter::once(switch.thread).chain(others).flat_map(move |thread| beside(switch, thread, threads))
}

fn beside(switch: &Switch, thread: u32, threads: u32) -> impl Iterator<Item = Switch> + '_ {
    let points = [Some(switch.point), switch.point.checked_sub(1).filter(|point| *point > 0), Some(switch.point + 1)];
    points.into_iter().flatten().flat_map(move |point| {
        let others = (0..threads).filter(move |to| *to != thread);
        others.map(move |to| {
            // What is not where it was recorded has no place that is known.
            let is_recorded = point == switch.point && thread == switch.thread;
            let place = if is_recorded { switch.place.clone() } else { "?".into() };
            Switch { thread, point, to, place }
        })
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::convert::Infallible;

    fn switch(thread: u32, point: u64, to: u32) -> Switch {
        Switch { thread, point, to, place: "?".into() }
    }

    fn found(switches: &[Switch], fails: impl Fn(&[Switch]) -> bool) -> (Fewest, usize) {
        let mut tests = 0;
        let found = fewest(switches, 4, u64::MAX, |some| {
            tests += 1;
            Ok::<_, Infallible>(if fails(some) { Outcome::Fail } else { Outcome::Pass })
        });
        (found.unwrap(), tests)
    }

    #[test]
    fn one_that_fails_alone_is_found_though_leaving_out_one_after_the_other_would_not() {
        let all: Vec<Switch> = (0..11).map(|at| switch(1, 10 * at + 1, 2)).collect();
        // With a few left out it passes; alone, the seventh fails.
        let (fewest, tests) = found(&all, |some| some.len() > 8 || *some == all[6..7]);
        assert_eq!((fewest.switches, tests), (all[6..7].to_vec(), 7));
    }

    #[test]
    fn another_thread_or_a_point_beside_it_may_fail_alone() {
        let all = vec![switch(1, 5, 2), switch(2, 9, 3)];
        let (fewest, _) = found(&all, |some| some.len() == 2 || *some == [switch(2, 10, 0)]);
        assert_eq!(fewest, Fewest { switches: vec![switch(2, 10, 0)], as_recorded: false });
    }

    #[test]
    fn after_enough_tests_what_is_close_is_left_alone() {
        let all: Vec<Switch> = (0..9).map(|at| switch(at % 3, 10 + u64::from(at), 3)).collect();
        let needed = [&all[1], &all[4], &all[8]];
        for most in [0, 1, 50] {
            let mut tests = 0;
            let found = fewest(&all, 4, most, |some| {
                tests += 1;
                let is_needed = needed.iter().all(|switch| some.contains(switch));
                Ok::<_, Infallible>(if is_needed { Outcome::Fail } else { Outcome::Pass })
            });
            // None of them can be left out.
            assert_eq!(found.unwrap().switches.iter().collect::<Vec<_>>(), needed);
            assert!(tests < 60, "{tests}");
        }
    }

    #[test]
    fn of_several_that_are_needed_together_none_can_be_left_out() {
        let all: Vec<Switch> = (0..9).map(|at| switch(at % 3, 10 + u64::from(at), 3)).collect();
        let all_of = |some: &[Switch], these: &[usize]| these.iter().all(|at| some.contains(&all[*at]));
        let (fewest, _) = found(&all, |some| all_of(some, &[1, 4, 8]));
        assert_eq!(fewest.switches, [all[1].clone(), all[4].clone(), all[8].clone()]);
        // Two do where one of them goes to another thread.
        let other = Switch { to: 0, ..all[8].clone() };
        let (fewest, tests) = found(&all, |some| all_of(some, &[1, 4, 8]) || *some == [all[4].clone(), other.clone()]);
        assert_eq!(fewest, Fewest { switches: vec![all[4].clone(), other.clone()], as_recorded: false });
        assert!(tests < 400, "{tests}");
    }
}
