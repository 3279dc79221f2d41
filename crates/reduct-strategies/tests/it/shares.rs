//! Questions that do not depend on each other, of a whole reduction: they are named as candidates, and run ahead.

use crate::reductions::plan;
use crate::support::{fails_if, file};
use reduct_core::laws::Chance;
use reduct_core::{Key, Memo, Outcome, Question, Repeats, Search, Speculator, run};
use reduct_input::Candidate;
use reduct_strategies::{Method, Reduction};

/// A text of lines, and those that are needed.
struct Text {
    lines: Vec<String>,
    needed: Vec<usize>,
}

impl Text {
    fn new(count: usize, size: usize) -> Text {
        let mut chance = Chance(71);
        let mut needed: Vec<usize> = (0..size).map(|_| chance.below(count)).collect();
        needed.sort_unstable();
        needed.dedup();
        Text { lines: (0..count).map(|at| format!("line {at} of {}\n", chance.below(9))).collect(), needed }
    }

    fn reduction(&self, method: Method) -> Reduction {
        Reduction::new(file(self.lines.concat().as_bytes()), plan(&["lines"], method))
    }

    fn test(&self, candidate: &Candidate) -> Outcome {
        let artifact = candidate.artifact();
        let left: Vec<&[u8]> = artifact.bytes().split_inclusive(|byte| *byte == b'\n').collect();
        fails_if(self.needed.iter().all(|at| left.contains(&self.lines[*at].as_bytes())))
    }
}

#[test]
fn what_a_share_asks_is_asked_by_the_reduction() {
    let text = Text::new(300, 24);
    let oracle = |candidate: &Candidate| text.test(candidate);
    let mut asked: Vec<Key> = vec![];
    let mut named: Vec<(usize, Key)> = vec![];
    let end = run(text.reduction(Method::Waves), |candidate| {
        asked.push(candidate.key());
        oracle(candidate)
    });
    let (mut reduction, mut at) = (text.reduction(Method::Waves), 0);
    let mut sharing = None;
    while let Some(candidate) = reduction.ask() {
        if reduction.sharing() != sharing {
            sharing = reduction.sharing();
            for share in reduction.shares() {
                let end = run(share, |candidate| {
                    named.push((at, candidate.key()));
                    oracle(candidate)
                });
                assert!(end.shares().is_empty() && end.ask().is_none(), "no other phase follows");
            }
        }
        reduction.tell(oracle(&candidate));
        at += 1;
    }
    assert!(named.len() > 50, "{}", named.len());
    assert!(named.iter().all(|(at, key)| asked[*at..].contains(key)), "all that is named is asked later");
    let left: Vec<usize> = (0..300).filter(|at| text.needed.contains(at)).collect();
    let expected: String = left.iter().map(|at| text.lines[*at].as_str()).collect();
    assert_eq!(end.best().artifact().bytes(), expected.as_bytes());
    assert_eq!(reduction.best().key(), end.best().key());
}

/// Units of time in each of which the workers run what is wanted, and the questions.
fn units(reduction: Reduction, text: &Text, workers: usize) -> (usize, Vec<Key>) {
    let mut speculator = Speculator::new(reduction, Memo::new(), Repeats::Remembered);
    let (mut units, mut questions) = (0, vec![]);
    loop {
        while let Some(retired) = speculator.retire() {
            questions.push(retired.key);
        }
        if speculator.is_done() {
            return (units, questions);
        }
        units += 1;
        for wanted in speculator.wanted(workers) {
            speculator.learn(wanted.key, text.test(&wanted.question));
        }
    }
}

/// The search over the lines, and the proof after it: a long list has lanes by default, a short one has not.
#[test]
fn sixteen_workers_are_much_faster_and_ask_the_same() {
    let text = Text::new(1000, 40);
    let (one, asked) = units(text.reduction(Method::Relevance), &text, 1);
    let (sixteen, the_same) = units(text.reduction(Method::Relevance), &text, 16);
    assert_eq!(asked, the_same);
    assert!(one >= 8 * sixteen, "{one}, {sixteen}");
    let (_, with_lanes) = units(text.reduction(Method::Waves), &text, 16);
    assert_eq!(asked, with_lanes);
    let short = Text::new(200, 40);
    let [(_, asked), (_, with_lanes)] =
        [Method::Relevance, Method::Waves].map(|method| units(short.reduction(method), &short, 1));
    assert_ne!(asked, with_lanes);
}
