//! Reductions that do not try to remove less than a number of units.

use crate::reductions::{PROGRAM, plan};
use crate::support::{fails_if, file, has};
use reduct_core::Search;
use reduct_input::Candidate;
use reduct_strategies::{Method, Plan, Reduction};

/// M5: what would remove too little is not asked, and counted.
#[test]
fn least() {
    let oracle = |candidate: &Candidate| fails_if(has(candidate.artifact().bytes(), b"return"));
    for least in [1, 2, 10, 100, 10_000] {
        for kinds in [&["brackets", "lines", "chars"][..], &["chars"]] {
            let plan = Plan { min_removal: least, ..plan(kinds, Method::Relevance) };
            let mut reduction = Reduction::new(file(PROGRAM), plan);
            let mut questions = 0;
            while let Some(candidate) = reduction.ask() {
                questions += 1;
                assert!(reduction.best().len() - candidate.len() >= least, "removes at least {least}");
                reduction.tell(oracle(&candidate));
            }
            assert_eq!(reduction.spared() > 0, least > 1, "least {least}");
            assert_eq!(questions == 0, least == 10_000, "least {least}");
            if least == 1 {
                assert_eq!(reduction.best().artifact().bytes(), b"return");
            }
        }
    }
}

/// Counted in parts where all are of one list: three lines at once, or not at all.
#[test]
fn least_in_lines() {
    let text = b"1\n2\n3\n4\n5\n6\n7\n8\nneeded\n";
    let oracle = |candidate: &Candidate| fails_if(has(candidate.artifact().bytes(), b"needed"));
    let plan = Plan { min_removal: 3, ..plan(&["lines"], Method::Ddmin) };
    let mut reduction = Reduction::new(file(text), plan);
    assert_eq!(reduction.size(&reduction.best()), 9);
    while let Some(candidate) = reduction.ask() {
        assert!(reduction.size(&reduction.best()) - reduction.size(&candidate) >= 3);
        reduction.tell(oracle(&candidate));
    }
    assert!(reduction.spared() > 0);
}

/// A million parts that are each too small are passed over without making a candidate of each.
#[test]
fn least_on_a_large_input() {
    let text: Vec<u8> = b"0123456789".iter().copied().cycle().take(1 << 20).collect();
    let plan = Plan { min_removal: 1000, ..plan(&["chars"], Method::Sweep) };
    let reduction = Reduction::new(file(&text), plan);
    assert!(reduction.ask().is_none());
    assert_eq!(reduction.spared(), 1 << 20);
}
