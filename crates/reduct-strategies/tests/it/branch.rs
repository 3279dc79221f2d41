//! A search that keeps a part of where it began.

use reduct_core::{Config, Outcome, Question, Search, run};
use reduct_input::{Artifact, Candidate, Extract, FirstPlaces};
use reduct_strategies::{Branched, Plan, Reduction};
use std::sync::Arc;

fn whole(text: &str) -> Candidate {
    Candidate::whole(Arc::new(Artifact::of_file("list", text.as_bytes()).expect("it is small")))
}

fn reduction(from: &Candidate) -> Reduction {
    Reduction::new(from.artifact(), Plan::standard())
}

fn has(word: &'static str) -> impl FnMut(&Candidate) -> Outcome {
    move |candidate| {
        let text = candidate.artifact().bytes().to_vec();
        if text.windows(word.len()).any(|at| at == word.as_bytes()) { Outcome::Fail } else { Outcome::Pass }
    }
}

fn keeping(from: &Candidate, addresses: std::ops::Range<u32>) -> Branched<Reduction> {
    let base = Arc::new(from.artifact());
    let extract = Extract { bytes: Config::from_ranges([addresses]), entries: Config::empty() };
    let origin = FirstPlaces::first(&base);
    Branched::keeping(reduction(from), base, origin, extract)
}

#[test]
fn what_must_stay_stays_and_all_else_goes() {
    let begin = whole("one\ntwo\nthree\nfour\nfive\n");
    let mut asked = 0;
    let mut test = has("five");
    let ended = run(keeping(&begin, 4..7), |candidate| {
        asked += 1;
        let text = String::from_utf8(candidate.artifact().bytes().to_vec()).unwrap();
        assert!(text.contains("two"), "{text:?} was asked");
        test(candidate)
    });
    assert_eq!(ended.best().artifact().bytes(), b"twofive");
    assert!(asked > 0);
}

#[test]
fn a_branch_without_anything_that_must_stay_is_the_search_itself() {
    let begin = whole("one\ntwo\nthree\nfour\nfive\n");
    let plain = run(reduction(&begin), has("five"));
    let branched = run(keeping(&begin, 0..0), has("five"));
    assert_eq!(plain.best().key(), branched.best().key());
}

#[test]
fn what_is_known_to_be_smaller_is_gone_on_from_if_the_branch_ends_larger() {
    let begin = whole("one\ntwo\nthree\nfour\nfive\n");
    let smaller = reduction(&whole("five"));
    let ended = run(keeping(&begin, 0..4).or_else(smaller), has("five"));
    assert_eq!(ended.best().artifact().bytes(), b"five");
    // What is gone on from is searched to its end, whatever its bytes were at first.
    let reducible = reduction(&whole("a five"));
    let ended = run(keeping(&begin, 0..4).or_else(reducible), has("five"));
    assert_eq!(ended.best().artifact().bytes(), b"five");
    assert!(!ended.has_lost_track());
    let larger = reduction(&whole("one five"));
    let ended = run(keeping(&begin, 0..0).or_else(larger), has("five"));
    assert_eq!(ended.best().artifact().bytes(), b"five");
}
