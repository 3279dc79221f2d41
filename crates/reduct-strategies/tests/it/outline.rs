//! Sections of texts that no grammar reads: what is left in the midst of a way to cut them is tried before anything is proved.

use crate::support::{file, levels, without};
use reduct_core::{Config, Delta, Outcome, Search};
use reduct_input::parts::Emptied;
use reduct_input::parts::ItemSets;
use reduct_input::{Artifact, Circumstances, Item, Parts, Spans, Subject};
use reduct_passes::Pass;
use reduct_strategies::{Method, Plan, Reduction};
use std::sync::Arc;

/// A text that can be cut in two ways: lines, which are counted, and groups of ten.
fn text() -> String {
    let mut text = String::from("lines 60\n");
    for group in 0..6 {
        text += "\n";
        for (at, word) in ["la", "be", "ci", "do", "fu", "gy", "ha", "ju", "ko", "mi"].iter().enumerate() {
            text += &format!("{} text stands here and some more of it {group}{at}\n", word.repeat(group + 1));
        }
    }
    text
}

#[test]
fn a_proof_tries_all_sections_of_all_ways() {
    let text = text();
    let base = Arc::new(Artifact::of_file("a.txt", text.as_bytes()).unwrap());
    let levels = (Pass::named("outline").unwrap().propose)(&Subject::new(base.clone(), None));
    assert_eq!(levels.iter().map(|spans| Parts::new(base.clone(), spans.clone()).len()).collect::<Vec<_>>(), [60, 6]);
    for spans in levels {
        let parts = Parts::new(base.clone(), spans);
        for set in (0..parts.len() as u32).step_by(12) {
            let without = Config::full(parts.len()).minus(&Config::from_deltas([Delta(set)]));
            let less = parts.candidate(&without).unwrap().artifact().bytes().to_vec();
            for (method, min_removal) in [(Method::Sweep, 1), (Method::Relevance, 2), (Method::Relevance, 1)] {
                let plan = Plan { method, min_removal, ..Plan::standard() };
                let mut reduction = Reduction::new(Artifact::of_file("a.txt", text.as_bytes()).unwrap(), plan);
                while let Some(candidate) = reduction.ask() {
                    let tested = candidate.artifact().bytes().to_vec();
                    let fails = tested == text.as_bytes() || tested == less;
                    reduction.tell(if fails { Outcome::Fail } else { Outcome::Pass });
                }
                assert_eq!(reduction.best().artifact().bytes(), less, "{method:?} {min_removal} {set}");
            }
        }
    }
}

/// Once all parts of a set have gone, another set goes, and with it what that empties.
#[test]
fn what_is_emptied_goes_too() {
    let base = Arc::new(Artifact::of_file("a.txt", b"abcdef").unwrap());
    let items: Arc<[Item]> = (0..6).map(|at| Item { at: at..at + 1, before: 0..0, first: true, last: true }).collect();
    let sets: Arc<[Arc<[u32]>]> = [&[0, 2][..], &[1], &[3, 4], &[5]].into_iter().map(Arc::from).collect();
    let emptied = |parts: &[u32], set| Emptied { parts: parts.into(), set };
    let emptied = [emptied(&[0, 1], 2), emptied(&[4], 3)].into();
    let parts = Parts::new(base.clone(), Spans::from(ItemSets { items, sets, mends: [].into(), emptied }));
    let left = |gone: &[u32]| {
        let without = Config::full(4).minus(&Config::from_deltas(gone.iter().map(|set| Delta(*set))));
        String::from_utf8(parts.candidate(&without).unwrap().artifact().bytes().to_vec()).unwrap()
    };
    let all: [&[u32]; 5] = [&[], &[0], &[1], &[0, 1], &[2]];
    assert_eq!(all.map(left), ["abcdef", "bdef", "acdef", "", "abc"]);
}

/// With a section goes what describes it, and the lines that name it; what describes the next one stays.
#[test]
fn what_describes_a_section_goes_with_it() {
    let block = |at: usize, gone: usize| {
        let next = (at + 1) % 8;
        let named = if next == gone { String::new() } else { format!("  next: part{next}x\n") };
        format!("\"\"\"\nThe part that stands at {at}.\n\"\"\"\ntype part{at}x {{\n  it: Int\n{named}}}\n\n")
    };
    let blocks = |gone: usize| (0..8).filter(|at| *at != gone).map(|at| block(at, gone)).collect::<String>();
    let text = |gone: usize| format!("of some parts\n\n{}", blocks(gone));
    let levels = levels(&Pass::named("outline").unwrap(), &file(text(8).as_bytes()));
    for gone in 0..8 {
        let less = without(&levels[0], |at| at == gone);
        assert_eq!(String::from_utf8(less).unwrap(), text(gone));
    }
}

/// What is said of how many there are is right, also if the description of one goes as it names another one.
#[test]
fn a_description_that_goes_alone_is_not_counted() {
    let block = |at: usize| {
        let other = (at + 5) % 12;
        format!(
            "# follows item{other}x here\nthing item{at}x begins\n  body of it {}\n  more text here\nendthing\n",
            at * 7
        )
    };
    let text = format!("12 things\n{}", (0..12).map(block).collect::<String>());
    let levels = levels(&Pass::named("outline").unwrap(), &file(text.as_bytes()));
    for gone in 0..12 {
        let less = String::from_utf8(without(&levels[0], |at| at == gone)).unwrap();
        let things = less.lines().filter(|line| line.starts_with("thing ")).count();
        assert!(less.starts_with(&format!("{things} things\n")), "{less}");
        assert_eq!(things, 11);
    }
}
