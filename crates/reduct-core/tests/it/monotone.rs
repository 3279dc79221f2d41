//! M8: what is contained in a passed configuration is not run.

use crate::support::{ask_all, bound, clusters, holds, sample, searches, whim};
use reduct_core::laws::{self, Chance};
use reduct_core::search::Minimiser;
use reduct_core::{Config, Ddmin, Form, Monotone, Outcome, Question, Search, Split};

/// Every question of the search inside is either the next one that is asked, or contained in one
/// that was asked and passed.
#[test]
fn what_is_skipped_is_contained_in_what_passed() {
    let mut skipped = 0;
    for seed in 0..80 {
        let count = 2 + seed as usize % 40;
        let oracle = whim(seed, count, 4, 4);
        for (name, search) in searches(&Config::full(count)) {
            let (end, asked) = ask_all(Monotone::new(search.clone(), true), &oracle);
            let (mut inner, mut passed): (Minimiser, Vec<Config>) = (search, vec![]);
            let mut asked = asked.into_iter().peekable();
            while let Some(question) = inner.ask() {
                match asked.next_if(|(next, _)| next.key() == question.key()) {
                    Some((config, outcome)) => {
                        passed.extend((outcome == Outcome::Pass).then_some(config));
                        inner.tell(outcome);
                    }
                    None => {
                        let contained = passed.iter().any(|config| question.is_subset(config));
                        assert!(contained, "{name}, seed {seed}: {question:?} is in nothing that passed");
                        skipped += 1;
                        inner.tell(Outcome::Pass);
                    }
                }
            }
            assert!(asked.next().is_none(), "{name}, seed {seed}: all that was asked is accounted for");
            assert_eq!(end.best(), inner.best(), "{name}, seed {seed}");
        }
    }
    assert!(skipped > 1000, "only {skipped} were skipped, so this shows little");
}

#[test]
fn not_trusted_it_changes_nothing() {
    let oracle = whim(7, 30, 4, 4);
    for (name, search) in searches(&Config::full(30)) {
        let keys = |asked: Vec<(Config, Outcome)>| asked.into_iter().map(|(c, _)| c.key()).collect::<Vec<_>>();
        let plain = keys(ask_all(search.clone(), &oracle).1);
        assert_eq!(keys(ask_all(Monotone::new(search, false), &oracle).1), plain, "{name}");
    }
}

/// The paper says linear; counted out: a complement passes at most once for each subset of each
/// granularity, 2 + 4 + … + 2n < 4n, and at most n fail. The older form asks the subsets besides.
#[test]
fn linear_at_worst() {
    let mut chance = Chance(8);
    for round in 0..150 {
        let count = [16, 100, 128, 255, 256][round % 5];
        let size = 1 + chance.below(count);
        let needed = if round % 2 == 0 { sample(&mut chance, count, size) } else { clusters(&mut chance, count, size) };
        for (form, most) in [(Form::Complements, 5 * count), (Form::Subsets, 9 * count)] {
            let ddmin = Ddmin::new(Config::full(count), form, Split::Book);
            let (end, asked) = ask_all(Monotone::new(ddmin, true), holds(&needed));
            assert_eq!(end.best(), needed, "{form:?}");
            assert!(asked.len() <= most, "{form:?}: {} tests for {size} of {count}", asked.len());
        }
    }
}

#[test]
fn laws_hold() {
    for seed in 0..4 {
        let needed = sample(&mut Chance(seed), 24, 1 + seed as usize);
        for (name, search) in searches(&Config::full(24)) {
            laws::check(Monotone::new(search.clone(), true), holds(&needed), bound(name, 24));
            laws::check(Monotone::new(search, true), whim(seed, 24, 4, 4), bound(name, 24));
        }
    }
}

/// Where monotony holds, nothing is asked that is contained in what passed. (Lanes of waves ask beside the best, of which nothing is known.)
#[test]
fn nothing_known_is_asked() {
    for seed in 0..60 {
        let mut chance = Chance(seed);
        let needed = sample(&mut chance, 40, 1 + seed as usize % 40);
        for (name, search) in searches(&Config::full(40)).into_iter().filter(|(name, _)| *name != "waves") {
            let mut passed: Vec<Config> = vec![];
            for (config, outcome) in ask_all(Monotone::new(search, true), holds(&needed)).1 {
                assert!(!passed.iter().any(|known| config.is_subset(known)), "{name}, seed {seed}: {config:?}");
                passed.extend((outcome == Outcome::Pass).then_some(config));
            }
        }
    }
}
