//! Passes of larger parts of a text that no grammar reads, which have another turn while finer ones go on.

use crate::support::file;
use reduct_core::{Outcome, Search};
use reduct_strategies::{Plan, Reduction};

const LINES: usize = 60;

/// Returns lines of a word that is needed and some that are not, in some lines more than in others.
fn text() -> String {
    let word = |line: usize, at: usize| format!(" w{}", (line * 16 + at) * 7919 % 9973);
    let words = |line: usize| (0..5 + line * 7 % 8).map(move |at| word(line, at)).collect::<String>();
    (0..LINES).map(|line| format!("k{line}{}\n", words(line))).collect()
}

/// Returns whether each line begins with what is needed of it.
fn fails(text: &str) -> bool {
    let begins = |(number, line): (usize, &str)| line.split_whitespace().next() == Some(&format!("k{number}")[..]);
    text.lines().count() == LINES && text.lines().enumerate().all(begins)
}

/// Words go for long, some of a line at a time. Lines are asked about again before the pass that comes after words.
#[test]
fn larger_parts_have_a_turn_while_small_ones_go() {
    let whole = text();
    let mut reduction = Reduction::new(file(whole.as_bytes()), Plan::standard());
    let mut kinds: Vec<(&str, usize)> = vec![];
    while let Some(candidate) = reduction.ask().filter(|_| kinds.last().is_none_or(|(kind, _)| *kind != "chars")) {
        let phase = reduction.phase().map_or("", |phase| phase.kind);
        if kinds.last().is_none_or(|(kind, _)| *kind != phase) {
            kinds.push((phase, reduction.best().len()));
        }
        let text = String::from_utf8(candidate.artifact().bytes().to_vec()).unwrap_or_default();
        reduction.tell(Outcome::from(fails(&text)));
    }
    let is_turn = |turn: &[(&str, usize)]| matches!(turn, [("words", _), ("lines", _), ("words", _)]);
    assert!(kinds.windows(3).any(is_turn), "{kinds:?}");
}

/// Of one line of words of which one is needed, ever more go at once: no pass is to take the place of that one.
#[test]
fn what_finds_more_and_more_goes_on() {
    let words = (0..4000).map(|at| format!("w{}", at * 7919 % 9973)).collect::<Vec<_>>();
    let text = words[..2500].join(" ") + " needed " + &words[2500..].join(" ") + "\n";
    let (mut reduction, mut asked) = (Reduction::new(file(text.as_bytes()), Plan::standard()), 0);
    while let Some(candidate) = reduction.ask().filter(|_| reduction.best().len() > 40) {
        asked += 1;
        let text = String::from_utf8(candidate.artifact().bytes().to_vec()).unwrap_or_default();
        reduction.tell(Outcome::from(text.contains("needed")));
    }
    // Some for larger parts, of which there are hardly any, and then two for each halving.
    assert!(asked <= 60, "{asked} tests");
}
