//! Isolating differences and finding causes: the seeds' cases, histories, laws.

use proptest::prelude::*;
use reduct_core::laws::{self, Chance};
use reduct_core::{Config, Delta, Outcome, Search};
use reduct_input::{About, Artifact, Candidate, Change, Circumstances, Content, Touched};
use reduct_strategies::{Causes, Grain, Isolation, Level, Weave, WeaveBuilder};
use std::path::PathBuf;

const LINES: &[Level] = &Level::ALL;

/// Runs a search; returns it, and how many questions it asked.
fn run<S: Search>(mut search: S, test: impl Fn(&S::Question) -> Outcome) -> (S, usize) {
    let mut asked = 0;
    while let Some(question) = search.ask() {
        asked += 1;
        search.tell(test(&question));
    }
    (search, asked)
}

fn text(candidate: &Candidate) -> String {
    String::from_utf8_lossy(candidate.artifact().bytes()).into_owned()
}

fn verdict(fails: bool) -> Outcome {
    if fails { Outcome::Fail } else { Outcome::Pass }
}

fn page(text: &str) -> Artifact {
    Artifact::of_file("page.html", text.as_bytes()).unwrap()
}

fn file(path: &str, text: &str) -> Touched {
    let content = Content::File { mode: 0o644, bytes: text.into() };
    Touched { path: path.into(), from: None, becomes: Some(content) }
}

/// `count` changes, each of a file of its own, in a line.
fn patches(count: usize) -> Weave {
    let mut builder = WeaveBuilder::new(vec![], Grain::Lines);
    for at in 0..count {
        let parents = at.checked_sub(1).into_iter().collect();
        builder.add(Change { about: About::default(), parents, touched: vec![file(&format!("f{at:04}"), "x\n")] });
    }
    builder.finish().unwrap()
}

fn has(candidate: &Candidate, change: usize) -> bool {
    let path = PathBuf::from(format!("f{change:04}"));
    candidate.pieces().any(|(entry, _)| entry.path == path)
}

fn changes(weave: &Weave, config: &Config) -> Vec<usize> {
    let mut all: Vec<usize> = config.iter().map(|delta| weave.change_of(delta)).collect();
    all.dedup();
    all
}

fn causes(weave: Weave) -> Causes {
    Causes::new(weave, Config::empty(), LINES, 10, None)
}

/// Example 5.9 of the book: 39 characters pass, 40 fail, in 5 runs.
#[test]
fn example_5_9() {
    let failing = page("<SELECT NAME=\"priority\" MULTIPLE SIZE=7>");
    let crashes = |candidate: &Candidate| {
        let text = text(candidate);
        verdict(text.find("<SELECT").is_some_and(|at| text[at..].contains('>')))
    };
    for grains in [&[Grain::Chars][..], &[Grain::Lines, Grain::Words, Grain::Chars]] {
        let isolation = Isolation::new(&page(""), &failing, grains, None).unwrap();
        let (end, asked) = run(isolation, crashes);
        assert_eq!(text(&end.best()), "<SELECT NAME=\"priority\" MULTIPLE SIZE=7>");
        assert_eq!(text(&end.passing()), "SELECT NAME=\"priority\" MULTIPLE SIZE=7>");
        assert!(asked <= 5, "{grains:?}: {asked}");
        assert!(grains.len() > 1 || asked == 5);
    }
}

/// Eight patches that fail if and only if the third and the sixth are in.
#[test]
fn eight_patches_of_which_two_interfere() {
    let (end, asked) = run(causes(patches(8)), |c| verdict(has(c, 2) && has(c, 5)));
    let [cause] = end.found() else { panic!("{:?}", end.found()) };
    let mut found: Vec<usize> = cause.parts.iter().flat_map(|part| changes(end.weave(), part)).collect();
    found.sort_unstable();
    assert_eq!(found, [2, 5]);
    assert_eq!((cause.alone, cause.undone), (Outcome::Fail, Some(Outcome::Pass)));
    assert_eq!(changes(end.weave(), &cause.failing), [2, 5]);
    assert!(cause.passing.is_subset(&cause.failing) && cause.passing.len() < cause.failing.len());
    assert!(asked <= 12, "{asked}");
}

#[test]
fn two_independent_causes_are_told_apart() {
    let (end, _) = run(causes(patches(100)), |c| verdict(has(c, 17) || (has(c, 40) && has(c, 80))));
    let found: Vec<Vec<usize>> = end
        .found()
        .iter()
        .map(|cause| {
            let mut all: Vec<usize> = cause.parts.iter().flat_map(|part| changes(end.weave(), part)).collect();
            all.sort_unstable();
            all
        })
        .collect();
    assert_eq!(found, [vec![17], vec![40, 80]]);
    let undone: Vec<_> = end.found().iter().map(|cause| cause.undone).collect();
    assert_eq!(undone, [Some(Outcome::Fail), Some(Outcome::Pass)]);
}

/// A thousand commits that build on each other: ten tests besides the two ends.
#[test]
fn a_thousand_ordered_commits() {
    for culprit in [0usize, 1, 499, 617, 998, 999] {
        let mut builder = WeaveBuilder::new(vec![], Grain::Lines);
        for at in 0..1000usize {
            let parents = at.checked_sub(1).into_iter().collect();
            let version = file("version", &format!("version {at}\n"));
            builder.add(Change { about: About::default(), parents, touched: vec![version] });
        }
        let fails = |candidate: &Candidate| {
            let text = text(candidate);
            let number = text.trim().strip_prefix("version ").and_then(|number| number.parse::<usize>().ok());
            verdict(number.is_some_and(|number| number >= culprit))
        };
        let mut seen = std::collections::BTreeSet::new();
        let test = |candidate: &Candidate| fails(candidate);
        let mut search = causes(builder.finish().unwrap());
        while let Some(question) = search.ask() {
            seen.insert(text(&question));
            search.tell(test(&question));
        }
        let [cause] = search.found() else { panic!("{:?}", search.found()) };
        assert_eq!(changes(search.weave(), &cause.parts[0]), [culprit]);
        assert!(seen.len() <= 10, "{culprit}: {}", seen.len());
    }
}

/// A change that does not build without its neighbours is found all the same.
#[test]
fn what_cannot_be_built_moves_no_side() {
    let builds = |c: &Candidate| !(has(c, 10) ^ has(c, 11)) && !(has(c, 11) ^ has(c, 12));
    let test = |c: &Candidate| if builds(c) { verdict(has(c, 11)) } else { Outcome::Unresolved };
    let (end, _) = run(causes(patches(64)), test);
    let [cause] = end.found() else { panic!("{:?}", end.found()) };
    assert_eq!(changes(end.weave(), &cause.parts[0]), [10, 11, 12]);
    assert_eq!(cause.undone, Some(Outcome::Pass));
}

#[test]
fn a_function_is_found_by_its_name_a_line_by_its_text() {
    let old = "int one() {\n  return 1;\n}\n\nint two() {\n  int a = 2;\n  return a;\n}\n";
    let new = old.replace("return 1", "return 0 + 1").replace("int a = 2;", "int a = 3;\n  a -= 2;");
    let isolation = Isolation::new(&page(old), &page(&new), &[Grain::Lines, Grain::Words, Grain::Chars], None).unwrap();
    // What `two` returns must be 2; what is written otherwise does not build.
    let returns = |candidate: &Candidate| {
        let text = text(candidate);
        let (_, two) = text.split_once("int two() {\n")?;
        match two {
            "  int a = 2;\n  return a;\n}\n" => Some(2),
            "  int a = 3;\n  return a;\n}\n" => Some(3),
            "  int a = 2;\n  a -= 2;\n  return a;\n}\n" => Some(0),
            "  int a = 3;\n  a -= 2;\n  return a;\n}\n" => Some(1),
            _ => None,
        }
    };
    let test = |candidate: &Candidate| returns(candidate).map_or(Outcome::Unresolved, |value| verdict(value != 2));
    let (end, asked) = run(isolation, test);
    assert_eq!(returns(&end.passing()), Some(2));
    let (passing, failing) = (text(&end.passing()), text(&end.best()));
    let differs = passing.lines().filter(|line| !failing.contains(line)).count();
    assert!(differs <= 1 && failing.lines().count() - passing.lines().count() <= 1, "{passing}{failing}");
    assert!(asked < 100, "{asked}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    /// Whatever the outcomes are, the sides are what they are said to be, at any number of jobs.
    #[test]
    fn laws_hold_for_causes(count in 1usize..16, whim in any::<u64>()) {
        let oracle = |candidate: &Candidate| {
            let there: Vec<usize> = (0..count).filter(|change| has(candidate, *change)).collect();
            match there.len() {
                0 => Outcome::Pass,
                n if n == count => Outcome::Fail,
                _ => match Chance(there.iter().fold(whim, |seed, at| (seed ^ (*at as u64 + 1)).wrapping_mul(0x9E37_79B9_7F4A_7C15))).below(8) {
                    0..=2 => Outcome::Fail,
                    3..=5 => Outcome::Pass,
                    _ => Outcome::Unresolved,
                },
            }
        };
        let end = laws::check(causes(patches(count)), oracle, 60 * count * count + 60);
        prop_assert!(!end.found().is_empty());
        for cause in end.found() {
            let test = |config: &Config| oracle(&end.candidate(config).unwrap());
            prop_assert_eq!(test(&cause.failing), Outcome::Fail);
            prop_assert_eq!(test(&cause.passing), Outcome::Pass);
            prop_assert!(cause.passing.is_subset(&cause.failing));
            if cause.alone == Outcome::Fail {
                let all = cause.parts.iter().fold(Config::empty(), |all, part| all.union(part));
                prop_assert_eq!(test(&all), Outcome::Fail);
            }
        }
    }

    #[test]
    fn laws_hold_for_isolations(old in "[ab\n]{0,12}", new in "[abc\n]{1,16}", whim in any::<u64>()) {
        prop_assume!(old != new);
        let oracle = |candidate: &Candidate| {
            let there = text(candidate);
            let seed = there.bytes().fold(whim, |seed, byte| (seed ^ u64::from(byte)).wrapping_mul(0x9E37_79B9_7F4A_7C15));
            match Chance(seed).below(8) {
                _ if there == old => Outcome::Pass,
                _ if there == new => Outcome::Fail,
                0..=2 => Outcome::Fail,
                3..=5 => Outcome::Pass,
                _ => Outcome::Unresolved,
            }
        };
        let grains = [Grain::Lines, Grain::Words, Grain::Chars];
        let isolation = Isolation::new(&page(&old), &page(&new), &grains, None).unwrap();
        let end = laws::check(isolation, oracle, 4000);
        prop_assert_eq!(oracle(&end.best()), Outcome::Fail);
        prop_assert_eq!(oracle(&end.passing()), Outcome::Pass);
    }
}

/// That deltas are counted from 0, as everywhere.
#[test]
fn deltas_are_in_the_order_of_the_changes() {
    let weave = patches(3);
    let order: Vec<usize> = (0..weave.len() as u32).map(|at| weave.change_of(Delta(at))).collect();
    assert!(order.is_sorted());
}
