//! dd+ against its definition, written down as a recursion; its examples and its bound.

use crate::support::{Uses, ask_all, clusters, config, fails_if, holds, list, sample, whim};
use reduct_core::laws::Chance;
use reduct_core::{Config, DdPlus, Delta, Outcome, Search, Split};
use std::collections::{BTreeSet, HashMap};

type Set = BTreeSet<u32>;
type Test<'a> = &'a mut dyn FnMut(&Set) -> Outcome;

const FAIL: Outcome = Outcome::Fail;
const PASS: Outcome = Outcome::Pass;

fn union(one: &Set, other: &Set) -> Set {
    one | other
}

/// `n` parts, each its share of what is left, rounded (Example 5.5 of the book).
fn split(changes: &Set, n: usize) -> Vec<Set> {
    let mut rest: Vec<u32> = changes.iter().copied().collect();
    let share = |len: usize, parts: usize| (len as f64 / parts as f64 + 0.5) as usize;
    (0..n).map(|at| rest.drain(..share(rest.len(), n - at)).collect()).collect()
}

/// dd3, case by case as it is defined; an outcome is asked for when the first case needs it.
fn dd3(changes: &Set, applied: &Set, n: usize, test: Test) -> Set {
    if changes.len() < 2 {
        return changes.clone();
    }
    let parts = split(changes, n);
    let complements: Vec<Set> = parts.iter().map(|part| changes - part).collect();
    let mut of_parts = vec![];
    for part in &parts {
        match test(&union(part, applied)) {
            FAIL => return dd3(part, applied, 2, test),
            outcome => of_parts.push(outcome),
        }
    }
    let mut of_complements = vec![];
    for (at, complement) in complements.iter().enumerate() {
        let outcome = if n == 2 { of_parts[1 - at] } else { test(&union(complement, applied)) };
        if outcome == PASS && of_parts[at] == PASS {
            let one = dd3(&parts[at], &union(complement, applied), 2, test);
            return union(&one, &dd3(complement, &union(&parts[at], applied), 2, test));
        }
        of_complements.push(outcome);
    }
    let all = || (0..n).map(|at| (&parts[at], &complements[at], of_parts[at], of_complements[at]));
    for (part, complement, of_part, of_complement) in all() {
        if of_part == Outcome::Unresolved && of_complement == PASS {
            return dd3(part, &union(complement, applied), 2, test);
        }
    }
    if n == changes.len() {
        return changes.clone();
    }
    let failing = all().filter(|(.., outcome)| *outcome == FAIL);
    let changes = failing.fold(changes.clone(), |changes, (_, complement, ..)| &changes & complement);
    let passing = all().filter(|(_, _, outcome, _)| *outcome == PASS);
    let applied = passing.fold(applied.clone(), |applied, (part, ..)| union(&applied, part));
    dd3(&changes, &applied, changes.len().min(2 * n), test)
}

/// Compares every question and the result; the last question is whether what was found fails.
fn compare(count: usize, oracle: impl Fn(&Config) -> Outcome) -> Config {
    let to_config = |set: &Set| set.iter().copied().map(Delta).collect::<Config>();
    let (mut expected, mut smallest): (Vec<Set>, usize) = (vec![], count);
    let all: Set = (0..count as u32).collect();
    let found = dd3(&all, &Set::new(), 2, &mut |set| {
        let outcome = oracle(&to_config(set));
        expected.push(set.clone());
        smallest = if outcome == FAIL { smallest.min(set.len()) } else { smallest };
        outcome
    });
    if !found.is_empty() && found.len() < smallest {
        expected.push(found.clone());
    }
    let (end, asked) = ask_all(DdPlus::new(Config::full(count), Split::Book), &oracle);
    let asked: Vec<Set> = asked.iter().map(|(config, _)| list(config).into_iter().collect()).collect();
    assert_eq!(asked, expected, "the questions over {count}");
    assert_eq!(end.found(), &to_config(&found), "the result over {count}");
    assert!(end.best().len() <= smallest && (count == 0 || oracle(&end.best()) == FAIL));
    end.best()
}

const COUNTS: [usize; 11] = [0, 1, 2, 3, 4, 5, 8, 13, 16, 31, 40];

#[test]
fn it_asks_what_its_definition_asks() {
    let mut chance = Chance(1999);
    for seed in 0..6000 {
        let count = COUNTS[seed as usize % COUNTS.len()];
        // From all that nothing is unresolved to nearly all that everything is.
        compare(count, whim(seed, count, chance.below(6), chance.below(17)));
    }
    for seed in 0..500 {
        let mut chance = Chance(seed);
        let uses = Uses::chains(&mut chance, 4 + seed as usize % 40, 2);
        compare(uses.needs.len(), |config| uses.test(config));
    }
}

/// What the paper promises of tests that are monotone, unambiguous and consistent.
#[test]
fn exact_where_nothing_is_unresolved() {
    let mut chance = Chance(12);
    for count in [1usize, 2, 5, 8, 33, 100, 256] {
        for size in [1, 2, 3, count / 3, count].into_iter().filter(|size| (1..=count).contains(size)) {
            for needed in [sample(&mut chance, count, size), clusters(&mut chance, count, size)] {
                assert_eq!(compare(count, holds(&needed)), needed);
                let (_, asked) = ask_all(DdPlus::new(Config::full(count), Split::Book), holds(&needed));
                let halvings = count.next_power_of_two().ilog2() as usize;
                assert!(asked.len() <= 2 * size * halvings + 1, "{} for {size} of {count}", asked.len());
            }
        }
    }
}

/// Eight changes, of which the last is to blame; 2, 3 and 7 cannot be without each other. Worked out by hand
/// after the definition: nothing can be said of halves; of quarters, 5 and 6 pass and are dispensable, so they
/// stay applied and the other six are tried one by one.
#[test]
fn changes_that_cannot_be_without_each_other() {
    let oracle = |config: &Config| match [2, 3, 7].map(|change| config.contains(Delta(change - 1))) {
        [true, true, true] | [false, false, false] => fails_if(config.contains(Delta(7))),
        _ => Outcome::Unresolved,
    };
    let (end, asked) = ask_all(DdPlus::new(Config::full(8), Split::Book), oracle);
    let shown = |(config, outcome): &(Config, Outcome)| {
        let numbers = list(config).iter().map(|at| (at + 1).to_string()).collect::<String>();
        format!("{numbers}{}", outcome.mark())
    };
    let asked: Vec<String> = asked.iter().map(shown).collect();
    let halves = ["1234?", "5678?"];
    let quarters = ["12?", "34?", "56✓", "78?", "345678?", "125678?", "123478✗", "123456?"];
    let singles = ["156✓", "256?", "356?", "456✓", "567?", "568✗"];
    assert_eq!(asked, [&halves[..], &quarters, &singles, &["8✗"]].concat());
    assert_eq!((end.found(), end.best()), (&config(&[7]), config(&[7])));
}

/// What cannot be without what it needs is preferred with that applied.
#[test]
fn what_is_unresolved_is_searched_with_what_passes() {
    // 3 needs 6.
    let oracle = |config: &Config| match (config.contains(Delta(2)), config.contains(Delta(5))) {
        (true, false) => Outcome::Unresolved,
        (three, _) => fails_if(three),
    };
    let (end, asked) = ask_all(DdPlus::new(Config::full(8), Split::Book), oracle);
    assert_eq!(list(end.found()), [2]);
    assert_eq!(list(&end.best()), [2, 4, 5, 6, 7], "it fails with the half that passed, not by itself");
    assert_eq!(asked.last().map(|(config, outcome)| (list(config), *outcome)), Some((vec![2], Outcome::Unresolved)));
}

/// The length of the longest call of dd3 over `len` changes at granularity `n`, over all answers, also such
/// as no test gives: any number of changes may turn out dispensable.
fn longest(len: usize, n: usize, known: &mut HashMap<(usize, usize), usize>) -> usize {
    if len < 2 {
        return 0;
    }
    let n = n.min(len);
    if let Some(&longest) = known.get(&(len, n)) {
        return longest;
    }
    let borders = Split::Book.borders(&Config::full(len), n);
    let (mut most, all) = (0, if n == 2 { 2 } else { 2 * n });
    for part in 0..n {
        let size = borders.subset(part).len();
        let within = longest(size, 2, known);
        let interfering = if n == 2 { 2 } else { n + part + 1 };
        most = most.max(interfering + within + longest(len - size, 2, known)).max(all + within);
    }
    if n < len {
        most = (0..=len).map(|left| all + longest(left, 2 * n, known)).max().map_or(most, |again| again.max(most));
    }
    known.insert((len, n), most);
    most
}

#[test]
fn no_answers_take_longer_than_its_bound() {
    let mut known = HashMap::new();
    for n in 2..=120 {
        let most = longest(n, 2, &mut known) + 1;
        assert!(most <= 3 * n * n, "{most} over {n}");
    }
}
