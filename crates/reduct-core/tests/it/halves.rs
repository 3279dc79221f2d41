//! A person as the oracle (book 5.2, 5.3): how many questions it takes.

use crate::support::{ask_all, holds, sample, search};
use reduct_core::laws::{Chance, assert_one_minimal};
use reduct_core::{Config, Delta, Search};

const LINES: usize = 896;

/// M21: at most 12 questions when one line of 896 is to blame, at any position.
#[test]
fn one_line_of_896_takes_eleven_questions_at_most() {
    let mut total = 0;
    for line in 0..LINES as u32 {
        let blame = Config::from_deltas([Delta(line)]);
        let (end, asked) = ask_all(search("halves", &Config::full(LINES)), holds(&blame));
        assert_eq!(end.best(), blame);
        // ⌈log₂ 896⌉ to find it, one more to know that it is the only one.
        assert!(asked.len() <= 11, "line {line}: {} questions", asked.len());
        total += asked.len();
    }
    assert!(total <= 11 * LINES, "{total}");
}

#[test]
fn each_needed_line_takes_a_binary_search_and_one_question() {
    let mut chance = Chance(21);
    for round in 0..2000 {
        let needed = sample(&mut chance, 1 + round % LINES, 1 + (round % 7).min(round % LINES));
        let whole = Config::full(1 + round % LINES);
        let (end, asked) = ask_all(search("halves", &whole), holds(&needed));
        assert_eq!(end.best(), needed);
        assert_one_minimal(&end.best(), holds(&needed));
        let search = whole.len().next_power_of_two().ilog2() as usize;
        assert!(asked.len() <= needed.len() * (search + 1), "{} of {}: {}", needed.len(), whole.len(), asked.len());
    }
}

/// What `bench/ask.md` says: run with `--ignored --nocapture`.
#[test]
#[ignore = "measures"]
fn questions_by_search() {
    for needed in 1..=3 {
        for name in ["halves", "relevance", "isolate", "ddmin", "probdd"] {
            let mut chance = Chance(needed as u64);
            let (mut total, mut most) = (0, 0);
            for line in 0..LINES {
                let blame = if needed == 1 {
                    Config::from_deltas([Delta(line as u32)])
                } else {
                    sample(&mut chance, LINES, needed)
                };
                let search = reduct_core::Monotone::new(search(name, &Config::full(LINES)), true);
                let (end, asked) = ask_all(search, holds(&blame));
                assert!(blame.is_subset(&end.best()));
                (total, most) = (total + asked.len(), most.max(asked.len()));
            }
            let mean = total as f64 / LINES as f64;
            println!("{needed} of {LINES}: {name:10} mean {mean:.1}, most {most}");
        }
    }
}
