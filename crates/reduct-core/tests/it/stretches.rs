//! Stretches, beside the same as a plain loop over sets, and what they promise.

use crate::support::{ask_all, config, fails_if, list, whim};
use proptest::prelude::*;
use reduct_core::laws::{self, Chance};
use reduct_core::{Config, Delta, Nesting, Outcome, Search, Stretches, run};
use std::collections::BTreeSet;
use std::sync::Arc;

/// A tree of `n` parts: where each ends.
fn tree(n: usize, seed: u64) -> Vec<u32> {
    let mut chance = Chance(seed);
    let mut after = vec![n as u32; n];
    let mut open: Vec<usize> = vec![];
    for part in 0..n {
        while chance.below(3) == 0 {
            let Some(closed) = open.pop() else { break };
            after[closed] = part as u32;
        }
        open.push(part);
    }
    after
}

/// Where parts begin of which each has 1 to 20 bytes before the next one begins.
fn places(n: usize, seed: u64) -> Vec<u32> {
    let mut chance = Chance(seed);
    let mut at = 0;
    let mut places = vec![0];
    for _ in 0..n {
        at += 1 + chance.below(20) as u32;
        places.push(at);
    }
    places
}

fn search(after: &[u32], places: &[u32], worth: usize) -> Stretches {
    Stretches::new(Arc::new(Nesting::new(after.to_vec())), places.into(), 0.01, worth)
}

/// Lines of ten bytes.
fn lines(n: u32) -> Stretches {
    search(&(1..=n).collect::<Vec<_>>(), &(0..=n).map(|at| at * 10).collect::<Vec<_>>(), 1)
}

fn holds(needed: &[u32]) -> impl Fn(&Config) -> Outcome {
    move |config| fails_if(needed.iter().all(|part| config.contains(Delta(*part))))
}

/// How likely a stretch of `2^scale` bytes goes, if one of `2^known` bytes goes with this chance.
fn chance(known: u32, likely: f64, scale: u32) -> f64 {
    match known.cmp(&scale) {
        std::cmp::Ordering::Equal => likely,
        std::cmp::Ordering::Greater => chance(known - 1, likely.sqrt(), scale),
        std::cmp::Ordering::Less => chance(known + 1, likely * likely, scale),
    }
}

/// How much a stretch of so many bytes promises, and into how many times halved pieces it is best cut.
fn promise(known: u32, likely: f64, bytes: u32, stays: bool) -> (f64, u32) {
    let scale = bytes.ilog2();
    let whole = if stays { chance(known, likely, scale) } else { 0.0 };
    let piece = |cuts: u32| {
        let goes = (chance(known, likely, scale - cuts) - whole) / (1.0 - whole);
        (goes * 2f64.powi((scale - cuts) as i32), cuts)
    };
    (0..=scale).map(piece).rev().max_by(|one, other| one.0.total_cmp(&other.0)).unwrap_or_default()
}

/// The search as its description says it, with sets: what was asked, and what is left. With a `largest` stretch it asks next about what promises most.
fn reference(
    after: &[u32],
    places: &[u32],
    worth: f64,
    largest: Option<u32>,
    oracle: impl Fn(&Config) -> Outcome,
) -> Vec<BTreeSet<u32>> {
    let n = after.len() as u32;
    let all: BTreeSet<u32> = (0..n).collect();
    let bytes =
        |parts: &BTreeSet<u32>| -> u32 { parts.iter().map(|at| places[*at as usize + 1] - places[*at as usize]).sum() };
    let likely = |went: f64, asked: f64| (went / asked).min(0.99);
    let depth = |part: u32| (0..part).filter(|outer| after[*outer as usize] > part).count();
    // Parts that hold all the parts after them.
    let around = (0..n).take_while(|part| (part + 1..n).all(|inner| after[*part as usize] > inner)).count();
    let (mut left, mut asked_about, mut pairs) = (all, vec![], 0);
    // Start, end, whether it is known to stay, and of which cut it is a half.
    let mut open = vec![(0, n, true, 0)];
    let (mut went, mut asked, mut vain) = (0.25, 1.0, 0);
    let mut known_scale = largest.map_or(0, u32::ilog2);
    // Which parts were asked about alone, and did not go from what is left.
    let mut known = BTreeSet::new();
    loop {
        let inside = |start: u32, end: u32| left.range(start..end).copied().collect::<BTreeSet<u32>>();
        let class = |at: &usize| bytes(&inside(open[*at].0, open[*at].1)).checked_ilog2();
        let promises = |at: &usize| {
            let bytes = bytes(&inside(open[*at].0, open[*at].1));
            if bytes == 0 { (0.0, 0) } else { promise(known_scale, likely(went, asked), bytes, open[*at].2) }
        };
        let too_large =
            (0..open.len()).find(|at| largest.is_some_and(|most| bytes(&inside(open[*at].0, open[*at].1)) > most));
        let best = match largest {
            Some(_) => {
                (0..open.len()).max_by(|one, other| promises(one).0.total_cmp(&promises(other).0).then(one.cmp(other)))
            }
            None => (0..open.len()).max_by_key(|at| (class(at), *at)),
        };
        let Some(at) = too_large.or(best) else { break };
        let (start, end, stays, pair) = open[at];
        let parts = inside(start, end);
        let size = f64::from(bytes(&parts));
        let rest = f64::from(bytes(&left));
        let (expected, is_whole) = match largest {
            Some(_) => (promises(&at).0, promises(&at).1 == 0),
            None => (size * went / asked, !stays),
        };
        if too_large.is_none() && (parts.is_empty() || expected < worth.max(rest * 0.01)) {
            break;
        }
        let goes = |part: &u32| left.range(*part..after[*part as usize]).all(|inner| *inner < end);
        let gone: BTreeSet<u32> = parts.iter().copied().filter(goes).collect();
        // If only one part goes, with all that is in it: the outermost of those that go.
        let first = gone.iter().min().copied();
        let alone = first.filter(|first| gone.iter().all(|part| *part < after[*first as usize]));
        let is_known = alone.is_some_and(|part| known.contains(&part));
        if too_large.is_none() && is_whole && !is_known && bytes(&gone) > bytes(&parts) / 4 {
            let smaller: BTreeSet<u32> = left.difference(&gone).copied().collect();
            if largest.is_some() {
                went = chance(known_scale, likely(went, asked), bytes(&parts).ilog2()) * asked;
                known_scale = bytes(&parts).ilog2();
            }
            (went, asked) = (went * 0.85, asked * 0.85 + 1.0);
            if oracle(&config(&smaller.iter().copied().collect::<Vec<_>>())) == Outcome::Fail {
                (left, went, vain) = (smaller.clone(), went + 1.0, 0);
                known.clear();
                open.remove(at);
                open.iter_mut().filter(|other| other.3 == pair).for_each(|other| other.2 = true);
            } else {
                vain += 1;
                known.extend(alone);
                open[at].2 = true;
            }
            asked_about.push(smaller);
            continue;
        }
        // The first and the last part that are left, and between them the place to cut.
        let (first, last) = (parts.iter().min().copied(), parts.iter().max().copied());
        let (from, to) = first.zip(last).map_or((0, 0), |(a, b)| (places[a as usize], places[b as usize + 1]));
        let middle = from + (to - from) / 2;
        let off = |part: &u32| places[*part as usize].abs_diff(middle);
        let inner: Vec<u32> = parts.iter().copied().filter(|part| Some(*part) != first).collect();
        let near = inner.iter().copied().filter(|part| off(part) <= (to - from) / 4);
        let best = near.min_by_key(|part| (depth(*part), off(part)));
        let cut = best.or_else(|| inner.iter().copied().min_by_key(|part| off(part)));
        if vain >= 2 && cut.is_some_and(|cut| depth(cut) >= 32 + around) {
            break;
        }
        pairs += 1;
        let halves = cut.map(|cut| [(start, cut, false, pairs), (cut, end, false, pairs)]);
        open.splice(at..=at, halves.into_iter().flatten());
    }
    asked_about
}

fn compare(after: &[u32], places: &[u32], worth: usize, largest: Option<u32>, oracle: impl Fn(&Config) -> Outcome) {
    let search = search(after, places, worth);
    let search = largest.map_or(search.clone(), |largest| search.of_at_most(largest as usize));
    let (_, asked) = ask_all(search, &oracle);
    let asked: Vec<BTreeSet<u32>> = asked.iter().map(|(asked, _)| list(asked).into_iter().collect()).collect();
    assert_eq!(asked, reference(after, places, worth as f64, largest, oracle));
}

proptest! {
    #[test]
    fn it_asks_what_the_plain_loop_asks(
        n in 1usize..70, seed in any::<u64>(), worth in 0usize..12, picks in proptest::collection::vec(any::<u16>(), 0..5),
        largest in proptest::option::of(1u32..500),
    ) {
        let (after, places) = (tree(n, seed), places(n, seed ^ 1));
        let needed: Vec<u32> = picks.iter().map(|pick| u32::from(*pick) % n as u32).collect();
        compare(&after, &places, worth, largest, holds(&needed));
        compare(&after, &places, worth, largest, whim(seed, n, 8, 2));
    }

    /// Whatever the test says; and nothing stays of what went.
    #[test]
    fn laws_hold(n in 1usize..50, seed in any::<u64>(), fail in 1usize..12, largest in proptest::option::of(1usize..500)) {
        let (after, places) = (tree(n, seed), places(n, seed));
        let search = search(&after, &places, 1);
        let search = largest.map_or(search.clone(), |largest| search.of_at_most(largest));
        let end = laws::check(search, whim(seed, n, fail, 2), 2 * n);
        let best = end.best();
        for part in (0..n as u32).filter(|part| !best.contains(Delta(*part))) {
            prop_assert!((part..after[part as usize]).all(|inner| !best.contains(Delta(inner))));
        }
    }

    /// A part of which it says that it is needed cannot go, with all that is in it, from what is left.
    #[test]
    fn what_it_found_to_be_needed_is_so(n in 1usize..60, seed in any::<u64>(), fail in 1usize..12) {
        let (after, places) = (tree(n, seed), places(n, seed));
        let oracle = whim(seed, n, fail, 2);
        let (end, _) = ask_all(search(&after, &places, 1), &oracle);
        for Delta(part) in end.needed().iter() {
            let without = end.best().minus(&Config::from_ranges(std::iter::once(part..after[part as usize])));
            prop_assert_ne!(oracle(&without), Outcome::Fail);
        }
    }
}

/// One needed line among many: a test or two for each halving, wherever it stands.
#[test]
fn one_needed_line_is_found_by_halves() {
    for needed in [0, 1, 300, 511, 512, 800, 1023] {
        let (end, asked) = ask_all(lines(1024), holds(&[needed]));
        assert_eq!(list(&end.best()), [needed]);
        assert!(asked.len() <= 2 * 10, "{needed}: {}", asked.len());
    }
}

/// However deep it stands: what it is in stays, and little else.
#[test]
fn depth_does_not_matter() {
    // Blocks of 64 parts: five in each other, then 59 beside each other in the innermost one.
    let after: Vec<u32> = (0..4096).map(|at| if at % 64 < 5 { (at / 64 + 1) * 64 } else { at + 1 }).collect();
    let places: Vec<u32> = (0..=4096).map(|at| at * 10).collect();
    let needed = 64 * 20 + 30;
    let (end, asked) = ask_all(search(&after, &places, 1), holds(&[needed]));
    let outer: Vec<u32> = (64 * 20..64 * 20 + 5).chain([needed]).collect();
    assert!(outer.iter().all(|part| end.best().contains(Delta(*part))));
    assert!(end.best().len() <= 16 && asked.len() <= 2 * 12, "{} after {}", end.best().len(), asked.len());
}

/// Where needed lines are spread evenly, a later turn comes to the size that goes as often as not, however many larger stretches there are: fewer
/// tests than these are show it.
#[test]
fn stretches_become_as_large_as_what_is_between_needed_lines() {
    for every in [64, 128, 256] {
        let n = 16_384;
        let needed: Vec<u32> = (0..n).filter(|line| line % every == every / 3).collect();
        let places: Vec<u32> = (0..=n).map(|at| at * 10).collect();
        let lines = Nesting::new((1..=n).collect());
        let search = Stretches::new(Arc::new(lines), places.into(), 0.000_1, 1).of_at_most(10 * n as usize / 16);
        let (end, asked) = ask_all(search, holds(&needed));
        let in_vain = asked.iter().take_while(|(_, outcome)| *outcome != Outcome::Fail).count();
        let half = asked.iter().position(|(left, _)| left.len() <= n as usize / 2).expect("half of it goes");
        assert!(in_vain < 16, "{every}: {in_vain} in vain");
        // One test in two or so removes half of what is between two needed lines.
        assert!(half <= 3 * needed.len(), "{every}: {half} tests of {} needed lines", needed.len());
        assert!(needed.iter().all(|line| end.best().contains(Delta(*line))));
    }
}

/// Larger stretches than wanted are cut without a question; of what is left, none is larger.
#[test]
fn no_question_is_about_more_than_wanted() {
    let (end, asked) = ask_all(lines(1024).of_at_most(640), holds(&[1, 300]));
    let mut left = 1024;
    for (question, outcome) in &asked {
        assert!(left - question.len() <= 64, "{left} to {}", question.len());
        left = if *outcome == Outcome::Fail { question.len() } else { left };
    }
    assert!(end.best().len() < 100 && end.largest_whole() <= 640, "{:?}", end.best());
}

/// A search that ends says what size is best asked about next, and where those of that size end that it has not asked about; the next one asks
/// about these.
#[test]
fn a_later_search_goes_on_before_what_was_asked_about() {
    let (end, asked) = ask_all(lines(1024).of_at_most(640), |_| Outcome::Pass);
    let gone = |question: &Config| Config::full(1024).minus(question).iter().map(|Delta(at)| at).collect::<Vec<_>>();
    let first = gone(&asked[0].0);
    assert_eq!(first.last(), Some(&1023), "it begins at the end");
    let place = end.end_of_largest();
    assert!(end.largest_whole() <= first.len() * 10 && place < 10_240, "{} up to {place}", end.largest_whole());
    let later = lines(1024).of_at_most_before(end.largest_whole(), place);
    let next = gone(&later.ask().expect("there is more to ask"));
    assert_eq!(next.last().map(|at| (*at as usize + 1) * 10), Some(place));
    assert!(next.len() * 10 <= end.largest_whole() && next.len() * 20 > end.largest_whole(), "{} lines", next.len());
    assert!(asked.iter().all(|(question, _)| gone(question) != next), "it is new");
}

/// In as many steps as there are parts, about: with all stretches looked at for each cut, these would be ten thousand million.
#[test]
fn many_stretches_are_cut_at_once() {
    let (end, asked) = ask_all(lines(200_000).of_at_most(20), |_| Outcome::Pass);
    assert!(end.largest_whole() <= 20 && asked.is_empty());
}

/// What is cut to twice the least that is asked about leaves something to ask about.
#[test]
fn stretches_of_twice_the_least_are_asked_about() {
    for n in [64, 1000, 5000] {
        let search = lines(n);
        let least = search.least();
        assert!(search.of_at_most(2 * least).ask().is_some(), "{n}");
        assert!(lines(n).of_at_most(least / 4).ask().is_none(), "{n}");
    }
}

/// Where nothing goes, as hardly any stretch of a program does that must compile, a handful of tests show it.
#[test]
fn it_gives_up_after_a_handful_of_tests() {
    for n in [10, 100, 10_000] {
        let (end, asked) = ask_all(lines(n), |_| Outcome::Unresolved);
        assert_eq!(end.best().len(), n as usize);
        assert!(asked.len() <= 4, "{n}: {}", asked.len());
    }
}

/// In a nest, what is needed deep inside is left to a search that takes shells off by halves.
#[test]
fn a_deep_nest_is_left_alone() {
    // 500 levels, each with a statement before and after the next one.
    let mut after = vec![];
    let closes = |level: u32| 1500 - level;
    for level in 0..500 {
        after.extend([closes(level), 2 * level + 2]);
    }
    after.extend((1000..1500).map(|part| part + 1));
    let places: Vec<u32> = (0..=1500).map(|at| at * 10).collect();
    let (_, asked) = ask_all(search(&after, &places, 1), holds(&[998, 1000]));
    assert!(asked.len() <= 3, "{}", asked.len());
}

/// What is around everything makes nothing deep: one needed line in forty wrappers is found as without them.
#[test]
fn wrappers_around_everything_do_not_count() {
    let n = 1024;
    let wrapped = |wrappers: u32| {
        let after: Vec<u32> = (0..wrappers + n).map(|at| if at < wrappers { wrappers + n } else { at + 1 }).collect();
        let places: Vec<u32> = (0..=wrappers + n).map(|at| at * 10).collect();
        // Two needed lines on both sides of the first cut, so that two tests are in vain at once.
        let needed = [wrappers + 300, wrappers + 800];
        let (end, asked) = ask_all(search(&after, &places, 1), holds(&needed));
        assert!(needed.iter().all(|part| end.best().contains(Delta(*part))));
        (end.best().len() - wrappers as usize, asked.len())
    };
    let (_, plain) = wrapped(0);
    for wrappers in [1, 34, 40, 100] {
        let (left, asked) = wrapped(wrappers);
        assert!(left <= 64 && asked <= plain + 4, "{wrappers}: {left} after {asked}, {plain} without");
    }
}

/// The same on a million parts, quickly: nothing is quadratic.
#[test]
fn a_million_parts_are_no_matter() {
    let end = run(lines(1_000_000), holds(&[654_321]));
    assert_eq!(list(&end.best()), [654_321]);
}
