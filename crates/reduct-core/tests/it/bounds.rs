//! M18: best and worst cases of ddmin.
//!
//! The published bounds are (n² + 7n)/2 for the book's form (Proposition A.13) and n² + 3n for the
//! older one. The slides derive 4n + n(n−1)/2: a first phase in which every test is unresolved,
//! 2 + 4 + … + 2n < 4n, then a second in which always the last complement fails, n−1 + n−2 + … + 1.
//! That counts the subsets in the first phase and leaves them out in the second, and takes n for a
//! power of two. Counted out, with 2 + 4 + … the powers of two below n:
//!
//! * book's form: (2 + 4 + …) + n complements, the last of which fails; then all complements at
//!   granularity n−1, n−2, … 2, the last of which fails each time: n(n−1)/2 − 1 more. For a power of
//!   two that is (n² + 3n − 6)/2, and always less than published.
//! * older form: twice that, with the subsets. For a power of two n² + 3n − 6, which is within the
//!   published bound; just above a power of two nearly n² + 5n, which is not.
//!
//! `longest` shows that no answers whatever can draw it out further. A test that answers the same
//! when asked the same cannot even do that: prefixes asked in the first phase cannot fail as last
//! complements in the second; there the last but one fails, which saves one test each. For a power of
//! two these are the prefixes of length n/2, 3n/4, … n−2 (last complements), log₂ n − 1 of them, and
//! in the older form also n/4, n/8, … 2 (first subsets), log₂ n − 2 of them.

use crate::support::{config, fails_if, holds, list};
use reduct_core::{Config, Ddmin, Delta, Form, Outcome, Search, Split};
use std::collections::HashMap;

fn derived(form: Form, n: usize) -> usize {
    first_phase(form, n) + second_phase(form, n)
}

fn times(form: Form, complements: usize) -> usize {
    if form == Form::Subsets { 2 * complements } else { complements }
}

fn first_phase(form: Form, n: usize) -> usize {
    let powers: usize = (1..).map(|k| 1 << k).take_while(|&power| power < n).sum();
    times(form, powers + n)
}

fn second_phase(form: Form, n: usize) -> usize {
    times(form, n * (n - 1) / 2 - 1)
}

/// The length of the longest run over `len` deltas at granularity `n`, over all answers.
fn longest(form: Form, len: usize, n: usize, known: &mut HashMap<(usize, usize), usize>) -> usize {
    if len < 2 {
        return 0;
    }
    let n = n.min(len);
    if let Some(&longest) = known.get(&(len, n)) {
        return longest;
    }
    let before = if form == Form::Subsets { n } else { 0 };
    let mut most = before + n + if n < len { longest(form, len, 2 * n, known) } else { 0 };
    let borders = Split::Book.borders(&Config::full(len), n);
    for i in 0..n {
        let size = borders.subset(i).len();
        if form == Form::Subsets {
            most = most.max(i + 1 + longest(form, size, 2, known));
        }
        most = most.max(before + i + 1 + longest(form, len - size, (n - 1).max(2), known));
    }
    known.insert((len, n), most);
    most
}

/// Runs a search against an adversary, who sees the question and what is left.
fn against(form: Form, n: usize, mut adversary: impl FnMut(&Config, &Config) -> Outcome) -> usize {
    let mut search = Ddmin::new(Config::full(n), form, Split::Book);
    let mut tests = 0;
    while let Some(question) = search.ask() {
        tests += 1;
        search.tell(adversary(&question, &search.best()));
    }
    tests
}

const FORMS: [Form; 2] = [Form::Complements, Form::Subsets];

#[test]
fn worst_case() {
    for n in [4, 5, 8, 9, 16, 31, 32, 33, 64] {
        for form in FORMS {
            // Every test is unresolved until all single deltas are tried; from then on the last one is
            // the one that can go.
            let (mut single, mut count) = (false, 0);
            let tests = against(form, n, |_, left| {
                let turns = if form == Form::Subsets { 2 * left.len() } else { left.len() };
                count += 1;
                if !single && count < first_phase(form, n) {
                    return Outcome::Unresolved;
                }
                if !single || count == turns {
                    (single, count) = (true, 0);
                    return Outcome::Fail;
                }
                Outcome::Unresolved
            });
            assert_eq!(tests, derived(form, n), "{form:?} over {n}");
            assert_eq!(tests, longest(form, n, 2, &mut HashMap::new()), "{form:?} over {n}: no answers take longer");
            if n.is_power_of_two() {
                let as_in_the_heading = if form == Form::Subsets { n * n + 3 * n - 6 } else { (n * n + 3 * n - 6) / 2 };
                assert_eq!(tests, as_in_the_heading, "{form:?} over {n}");
            }
        }
    }
}

#[test]
fn worst_case_of_a_test_that_repeats_itself() {
    for n in [4, 8, 16, 32, 64] {
        for form in FORMS {
            let mut known: HashMap<Vec<u32>, Outcome> = HashMap::new();
            let tests = against(form, n, |question, left| {
                let without = |back: usize| list(&left.without(left.len() - back..left.len() - back + 1));
                let asked = list(question);
                let fails =
                    left.len() > 2 && (asked == without(1) || asked == without(2) && known.contains_key(&without(1)));
                *known.entry(asked).or_insert(if fails { Outcome::Fail } else { Outcome::Unresolved })
            });
            let log = n.ilog2() as usize;
            let saved = if form == Form::Subsets { 2 * log - 3 } else { log - 1 };
            assert_eq!(tests, derived(form, n) - saved, "{form:?} over {n}");
        }
    }
}

/// No answers at all make any run longer than published: in the book's form for any length, in the
/// older one for powers of two.
#[test]
fn no_run_is_longer_than_published() {
    for n in 2..80 {
        let longest = FORMS.map(|form| longest(form, n, 2, &mut HashMap::new()));
        assert_eq!(longest, FORMS.map(|form| derived(form, n)), "over {n}");
        assert!(longest[0] <= (n * n + 7 * n) / 2, "over {n}");
        let older = if n.is_power_of_two() { n * n + 3 * n } else { n * n + 5 * n };
        assert!(longest[1] <= older, "over {n}");
    }
    assert!(derived(Form::Subsets, 9) > 9 * 9 + 3 * 9, "the published bound is not for every length");
}

/// Proposition A.14 and the slides: one delta to blame, and every configuration with it fails. At
/// most 2·log₂ n, and log₂ n with luck: the first of two tests always fails.
#[test]
fn best_case() {
    for log in 1..=12 {
        let n = 1 << log;
        let most = |form| {
            let tests = (0..n as u32).map(|at| {
                let blame = config(&[at]);
                let mut test = holds(&blame);
                against(form, n, |question, _| test_of(&mut test, question))
            });
            (tests.clone().min().unwrap(), tests.max().unwrap())
        };
        if log <= 8 {
            assert_eq!(FORMS.map(most), [(log, 2 * log), (log, 2 * log)], "over {n}");
        }
        let lucky = Config::from_deltas([Delta(n as u32 - 1)]);
        assert_eq!(against(Form::Complements, n, |q, _| fails_if(lucky.is_subset(q))), log);
    }
}

fn test_of(test: &mut impl FnMut(&Config) -> Outcome, question: &Config) -> Outcome {
    test(question)
}
