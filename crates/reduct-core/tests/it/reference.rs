//! Each search against a plain loop over vectors, question by question.
//!
//! The loops are written in the style of Example 5.4, from the papers and the docs of the searches,
//! without a look at how these are built. The oracles obey no rule.

use crate::support::{ask_all, config, list, search, whim};
use reduct_core::laws::Chance;
use reduct_core::search::Minimiser;
use reduct_core::{Config, Outcome, Search};

type Set = Vec<u32>;
type Test<'a> = &'a mut dyn FnMut(&Set) -> Outcome;

const FAIL: Outcome = Outcome::Fail;
const PASS: Outcome = Outcome::Pass;

fn minus(c1: &Set, c2: &Set) -> Set {
    c1.iter().copied().filter(|delta| !c2.contains(delta)).collect()
}

fn union(c1: &Set, c2: &Set) -> Set {
    let mut all = [c1.clone(), c2.clone()].concat();
    all.sort_unstable();
    all
}

/// Example 5.5, float and all.
fn split(circumstances: &Set, n: usize) -> Vec<Set> {
    let (mut subsets, mut start) = (vec![], 0);
    for i in 0..n {
        let len_subset = ((circumstances.len() - start) as f64 / (n - i) as f64 + 0.5) as usize;
        subsets.push(circumstances[start..start + len_subset].to_vec());
        start += len_subset;
    }
    subsets
}

/// Even parts, rounded down.
fn even(circumstances: &Set, n: usize) -> Vec<Set> {
    let len = circumstances.len();
    (0..n).map(|i| circumstances[len * i / n..len * (i + 1) / n].to_vec()).collect()
}

/// Example 5.4.
fn ddmin(mut circumstances: Set, test: Test) -> Set {
    let mut n = 2;
    while circumstances.len() >= 2 {
        let complements = split(&circumstances, n).into_iter().map(|subset| minus(&circumstances, &subset));
        match complements.into_iter().find(|complement| test(complement) == FAIL) {
            Some(complement) => {
                circumstances = complement;
                n = (n - 1).max(2);
            }
            None if n == circumstances.len() => break,
            None => n = (n * 2).min(circumstances.len()),
        }
    }
    circumstances
}

/// Figure 1 of Cleve and Zeller.
fn ddmin_subsets(mut c: Set, test: Test) -> Set {
    let mut n = 2;
    while c.len() >= 2 {
        let subsets = split(&c, n);
        if let Some(subset) = subsets.iter().find(|subset| test(subset) == FAIL) {
            (c, n) = (subset.clone(), 2);
        } else if let Some(complement) = subsets.iter().map(|s| minus(&c, s)).find(|rest| test(rest) == FAIL) {
            (c, n) = (complement, (n - 1).max(2));
        } else if n < c.len() {
            n = (2 * n).min(c.len());
        } else {
            break;
        }
    }
    c
}

/// dd with each fact used at once: out of the failing side first, then into the passing side, which
/// at two parts is the same.
fn isolate(full: Set, test: Test) -> (Set, Set) {
    let (mut passing, mut failing, mut n) = (vec![], full, 2);
    'narrower: while minus(&failing, &passing).len() >= 2 {
        let difference = minus(&failing, &passing);
        n = n.min(difference.len());
        let parts = even(&difference, n);
        for part in &parts {
            let rest = minus(&failing, part);
            match test(&rest) {
                PASS => (passing, n) = (rest, 2),
                FAIL => (failing, n) = (rest, (n - 1).max(2)),
                Outcome::Unresolved => continue,
            }
            continue 'narrower;
        }
        for part in parts.iter().filter(|_| n > 2) {
            let more = union(&passing, part);
            match test(&more) {
                FAIL => (failing, n) = (more, 2),
                PASS => (passing, n) = (more, (n - 1).max(2)),
                Outcome::Unresolved => continue,
            }
            continue 'narrower;
        }
        if n == difference.len() {
            break;
        }
        n *= 2;
    }
    (passing, failing)
}

/// dd as in the paper of 2002, case by case. What was asked at the same granularity is known.
fn isolate_paper(full: Set, test: Test) -> (Set, Set) {
    let (mut passing, mut failing, mut n) = (vec![], full, 2);
    while minus(&failing, &passing).len() >= 2 {
        let difference = minus(&failing, &passing);
        n = n.min(difference.len());
        let parts = split(&difference, n);
        let mut known: Vec<(Set, Outcome)> = vec![];
        let mut ask = |set: &Set| match known.iter().find(|(k, _)| k == set) {
            Some((_, outcome)) => *outcome,
            None => {
                known.push((set.clone(), test(set)));
                known[known.len() - 1].1
            }
        };
        let added: Vec<Set> = parts.iter().map(|part| union(&passing, part)).collect();
        let removed: Vec<Set> = parts.iter().map(|part| minus(&failing, part)).collect();
        if let Some(set) = added.iter().find(|set| ask(set) == FAIL) {
            (failing, n) = (set.clone(), 2);
        } else if let Some(set) = removed.iter().find(|set| ask(set) == PASS) {
            (passing, n) = (set.clone(), 2);
        } else if let Some(set) = added.iter().find(|set| ask(set) == PASS) {
            (passing, n) = (set.clone(), (n - 1).max(2));
        } else if let Some(set) = removed.iter().find(|set| ask(set) == FAIL) {
            (failing, n) = (set.clone(), (n - 1).max(2));
        } else if n < difference.len() {
            n *= 2;
        } else {
            break;
        }
    }
    (passing, failing)
}

/// Each alone, from the back; then all that went alone at once, by halves where that is too much.
fn merge(mut set: Set, test: Test) -> Set {
    fn together(set: &mut Set, group: &Set, test: Test) {
        let rest = minus(set, group);
        if test(&rest) == FAIL {
            *set = rest;
        } else if group.len() > 1 {
            let (front, back) = group.split_at(group.len() / 2);
            together(set, &back.to_vec(), test);
            together(set, &front.to_vec(), test);
        }
    }
    let mut loose: Set = set.iter().rev().copied().filter(|&delta| test(&minus(&set, &vec![delta])) == FAIL).collect();
    loose.reverse();
    if !loose.is_empty() {
        together(&mut set, &loose, test);
    }
    set
}

/// Round and round from the back, until as many in a row stayed as there are.
fn sweep(mut set: Set, test: Test) -> Set {
    let (mut at, mut stayed) = (set.len(), 0);
    while stayed < set.len() {
        at = if at == 0 { set.len() - 1 } else { at - 1 };
        let mut rest = set.clone();
        rest.remove(at);
        if test(&rest) == FAIL {
            (set, stayed) = (rest, 0);
        } else {
            stayed += 1;
        }
    }
    set
}

/// Asks the same of a search and of its reference, and compares every question.
fn compare(name: &str, count: usize, seed: u64, reference: impl Fn(Set, Test) -> (Option<Set>, Set)) {
    let mut chance = Chance(seed);
    let (fail, unresolved) = (chance.below(9), chance.below(8));
    let oracle = whim(seed, count, fail, unresolved);
    let mut expected = vec![];
    let full: Set = (0..count as u32).collect();
    let (passing, failing) = reference(full, &mut |set: &Set| {
        expected.push(set.clone());
        oracle(&config(set))
    });
    let (end, asked) = ask_all(search(name, &Config::full(count)), &oracle);
    let asked: Vec<Set> = asked.iter().map(|(config, _)| list(config)).collect();
    assert_eq!(asked, expected, "{name} over {count}, seed {seed}: the questions");
    assert_eq!(list(&end.best()), failing, "{name} over {count}, seed {seed}: the result");
    if let (Minimiser::Isolate(isolate), Some(passing)) = (&end, passing) {
        assert_eq!(list(&isolate.passing()), passing, "{name} over {count}, seed {seed}: the passing side");
    }
}

#[test]
fn searches_ask_what_plain_loops_ask() {
    for seed in 0..1500 {
        let count = [0, 1, 2, 3, 5, 8, 13, 16, 31, 40][seed as usize % 10];
        compare("ddmin", count, seed, |set, test| (None, ddmin(set, test)));
        compare("ddmin-subsets", count, seed, |set, test| (None, ddmin_subsets(set, test)));
        compare("merge", count, seed, |set, test| (None, merge(set, test)));
        compare("sweep", count, seed, |set, test| (None, sweep(set, test)));
        // A difference needs a failing side that is not the passing one.
        let two_sides = |sides: (Set, Set)| (Some(sides.0), sides.1);
        compare("isolate", count.max(1), seed, |set, test| two_sides(isolate(set, test)));
        compare("isolate-paper", count.max(1), seed, |set, test| two_sides(isolate_paper(set, test)));
    }
}
