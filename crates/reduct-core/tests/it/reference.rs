//! Each search against a plain loop over vectors, question by question.
//!
//! The loops are written in the style of Example 5.4, from the papers and the docs of the searches,
//! without a look at how these are built. The oracles obey no rule.

use crate::support::{ask_all, config, list, search, weights, whim};
use reduct_core::laws::Chance;
use reduct_core::search::Minimiser;
use reduct_core::{Config, Outcome, Search};
use std::collections::BTreeMap;

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

/// QuickXplain from the back: the shortest beginning that fails together with what is needed ends in what is needed.
fn halves(all: Set, test: Test) -> Set {
    let (mut front, mut needed): (Set, Set) = (all, vec![]);
    loop {
        // The empty set passes unasked.
        if front.is_empty() || !needed.is_empty() && test(&needed) == FAIL {
            return needed;
        }
        let (mut passes, mut fails) = (0, front.len());
        while fails - passes > 1 {
            let middle = passes + (fails - passes) / 2;
            if test(&union(&front[..middle].to_vec(), &needed)) == FAIL { fails = middle } else { passes = middle }
        }
        needed = union(&vec![front[passes]], &needed);
        front.truncate(passes);
    }
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

/// Algorithm 1 of the ProbDD paper, ties in order: sort, take the prefix that maximises what is gained on
/// average, raise by Bayes' rule. A probability of 0.8 or a failure alone decides.
fn probdd(mut set: Set, test: Test) -> Set {
    let mut p: BTreeMap<u32, f64> = set.iter().map(|&delta| (delta, 0.1)).collect();
    while !p.is_empty() {
        let mut order: Set = p.keys().copied().collect();
        order.sort_by(|a, b| p[a].total_cmp(&p[b]));
        let all_go = |size: usize| order[..size].iter().fold(1.0, |product, delta| product * (1.0 - p[delta]));
        let gain = |size: usize| size as f64 * all_go(size);
        let mut size = 1;
        // Of sizes that gain the same, the larger one.
        while size < order.len() && gain(size + 1) >= gain(size) * (1.0 - 1e-9) {
            size += 1;
        }
        try_group(&mut set, &order[..size], all_go(size), &mut p, test);
    }
    set
}

/// W_ProbDD as in its authors' program: by expected weight, then probability; all prefixes are looked at.
fn wprobdd(mut set: Set, weights: &[u32], test: Test) -> Set {
    let mut p: BTreeMap<u32, f64> = set.iter().map(|&delta| (delta, 0.25)).collect();
    let weight = |delta: u32| f64::from(weights[delta as usize].max(1));
    while !p.is_empty() {
        let mut order: Set = p.keys().copied().collect();
        order.sort_by(|a, b| p[a].total_cmp(&p[b]));
        order.sort_by(|&a, &b| ((p[&a] - 1.0) * weight(a)).total_cmp(&((p[&b] - 1.0) * weight(b))));
        let (mut size, mut most) = (0, 0.0);
        let (mut sum, mut product, mut all_go) = (0.0, 1.0, 1.0);
        for (at, &delta) in order.iter().enumerate() {
            sum += weight(delta);
            product *= 1.0 - p[&delta];
            if sum * product > most {
                (size, most, all_go) = (at + 1, sum * product, product);
            }
        }
        try_group(&mut set, &order[..size], all_go, &mut p, test);
    }
    set
}

fn try_group(set: &mut Set, group: &[u32], all_go: f64, p: &mut BTreeMap<u32, f64>, test: Test) {
    let rest = minus(set, &group.to_vec());
    let goes = test(&rest) == FAIL;
    if goes {
        *set = rest;
    }
    for delta in group {
        let raised = p[delta] / (1.0 - all_go);
        if goes || group.len() == 1 || raised >= 0.8 {
            p.remove(delta);
        } else {
            p.insert(*delta, raised);
        }
    }
}

/// CDD as in the paper: the size maximises s·(1 − p)^s, found by trying them all.
fn cdd(mut set: Set, test: Test) -> Set {
    let mut counters: BTreeMap<u32, i32> = set.iter().map(|&delta| (delta, 0)).collect();
    while let Some(&least) = counters.values().min() {
        let p = 0.1 / (1.0 - (-1.0_f64).exp()).powi(least);
        let gain = |size: usize| size as f64 * (1.0 - p.min(1.0)).powi(size as i32);
        // Of sizes that gain the same, the larger one.
        let size = (1..=20).fold(1, |best, size| if gain(size) >= gain(best) - 1e-9 { size } else { best });
        let mut order: Set = counters.keys().copied().collect();
        order.sort_by_key(|delta| counters[delta]);
        order.truncate(if p < 1.0 { size } else { 1 });
        let rest = minus(&set, &order);
        let goes = test(&rest) == FAIL;
        if goes {
            set = rest;
        }
        for delta in &order {
            match counters.remove(delta) {
                Some(counter) if !goes && order.len() > 1 => counters.insert(*delta, counter + 1),
                _ => None,
            };
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
        compare("halves", count, seed, |set, test| (None, halves(set, test)));
        compare("merge", count, seed, |set, test| (None, merge(set, test)));
        compare("probdd", count, seed, |set, test| (None, probdd(set, test)));
        compare("wprobdd", count, seed, |set, test| (None, wprobdd(set, &weights(count), test)));
        compare("cdd", count, seed, |set, test| (None, cdd(set, test)));
        compare("sweep", count, seed, |set, test| (None, sweep(set, test)));
        // A difference needs a failing side that is not the passing one.
        let two_sides = |sides: (Set, Set)| (Some(sides.0), sides.1);
        compare("isolate", count.max(1), seed, |set, test| two_sides(isolate(set, test)));
        compare("isolate-paper", count.max(1), seed, |set, test| two_sides(isolate_paper(set, test)));
    }
}
