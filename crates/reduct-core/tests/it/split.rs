//! Where configurations are cut.

use crate::support::{ask_all, fails_if, list};
use proptest::prelude::*;
use reduct_core::laws::{Chance, assert_one_minimal};
use reduct_core::{Borders, Config, Ddmin, Delta, Form, Joints, Search, Split};
use std::ops::Range;

fn subsets(split: &Split, len: usize, n: usize) -> Vec<Range<usize>> {
    let borders = split.borders(&Config::full(len), n);
    if let Borders::At(at) = &borders {
        assert_eq!((at.len(), at[0], at[n]), (n + 1, 0, len), "{split:?}: {len} in {n}");
    }
    (0..n).map(|i| borders.subset(i)).collect()
}

/// Example 5.5 as printed, with its float.
fn book(len: usize, n: usize) -> Vec<Range<usize>> {
    let (mut subsets, mut start) = (vec![], 0);
    for i in 0..n {
        let len_subset = ((len - start) as f64 / (n - i) as f64 + 0.5) as usize;
        subsets.push(start..start + len_subset);
        start += len_subset;
    }
    subsets
}

#[test]
fn as_printed() {
    for len in 1..=200 {
        for n in 1..=len {
            assert_eq!(subsets(&Split::Book, len, n), book(len, n), "{len} in {n}");
        }
    }
}

#[test]
fn rounded_down_and_balanced() {
    for len in 1..=200 {
        for n in 1..=len {
            // The first that leave a remainder are the shorter ones.
            let (short, longer) = (len / n, len % n);
            let sizes: Vec<usize> = subsets(&Split::Down, len, n).into_iter().map(|s| s.len()).collect();
            let expected: Vec<usize> = (0..n).map(|i| if i < n - longer { short } else { short + 1 }).collect();
            assert_eq!(sizes, expected, "{len} in {n}");
            for (i, subset) in subsets(&Split::Balanced, len, n).into_iter().enumerate() {
                assert_eq!(subset, len * i / n..len * (i + 1) / n, "{len} in {n}");
            }
        }
    }
}

#[test]
#[should_panic(expected = "cannot be split")]
fn not_into_more_than_there_are() {
    Split::Book.borders(&Config::full(3), 4);
}

#[test]
#[should_panic(expected = "cannot be split")]
fn not_into_none() {
    Split::Book.borders(&Config::full(3), 0);
}

#[test]
fn as_many_as_can_be_counted() {
    let len = u32::MAX as usize;
    for split in [Split::Book, Split::Down, Split::Balanced] {
        let sizes: Vec<usize> = subsets(&split, len, 1000).into_iter().map(|s| s.len()).collect();
        assert!(sizes.iter().all(|size| size.abs_diff(len / 1000) <= 1), "{split:?}");
    }
}

proptest! {
    #[test]
    fn joints_leave_nothing_out(strengths in prop::collection::vec(0u8..4, 1..120), gone in 0usize..60, n in 1usize..120) {
        let all = Config::full(strengths.len());
        let config = all.without(gone.min(strengths.len() - 1)..(gone + 7).min(strengths.len()));
        prop_assume!(!config.is_empty());
        let n = n.min(config.len());
        let borders = Split::Joints(Joints::new(strengths)).borders(&config, n);
        let mut end = 0;
        for i in 0..n {
            let subset = borders.subset(i);
            prop_assert_eq!(subset.start, end);
            prop_assert!(!subset.is_empty());
            end = subset.end;
        }
        prop_assert_eq!(end, config.len());
    }
}

/// By hand: twelve characters in two; the strongest joint within three of the middle.
#[test]
fn joints_are_where_text_is_joined() {
    let halves = |text: &str| {
        let config = Config::full(text.len());
        let borders = Split::Joints(joints(text.as_bytes())).borders(&config, 2);
        (text[borders.subset(0)].to_string(), text[borders.subset(1)].to_string())
    };
    assert_eq!(halves("one two four"), ("one two ".into(), "four".into()), "words are kept together");
    assert_eq!(halves("one\ntwo four"), ("one\n".into(), "two four".into()), "lines before words");
    assert_eq!(halves("one\n\ntwo\nsix"), ("one\n\n".into(), "two\nsix".into()), "paragraphs before lines");
    assert_eq!(halves("onetwothreef"), ("onetwo".into(), "threef".into()), "else in the middle");
}

/// 3 at the start of a paragraph, 2 of a line, 1 of a word.
fn joints(text: &[u8]) -> Joints {
    let strength = |at: usize| match &text[..at] {
        [] | [.., b'\n', b'\n'] => 3,
        [.., b'\n'] => 2,
        [.., b' '] => 1,
        _ => 0,
    };
    Joints::new((0..text.len()).map(strength).collect::<Vec<u8>>())
}

/// M17, Exercise 5.8. Section 5.1 of the book, by characters; what fails is any text with two of its
/// words in it.
#[test]
fn joints_take_fewer_tests_on_prose() {
    let prose = include_bytes!("../data/prose.txt");
    let words: Vec<&[u8]> = prose.split(|b| b.is_ascii_whitespace()).filter(|word| word.len() >= 5).collect();
    let mut chance = Chance(58);
    let (mut with, mut without) = (0, 0);
    for _ in 0..6 {
        let (first, second) = (words[chance.below(words.len())], words[chance.below(words.len())]);
        let fails = |config: &Config| {
            let text: Vec<u8> = list(config).into_iter().map(|d| prose[d as usize]).collect();
            let has = |word: &[u8]| text.windows(word.len()).any(|w| w == word);
            fails_if(has(first) && has(second))
        };
        let all = Config::full(prose.len());
        let ddmin = |split| ask_all(Ddmin::new(all.clone(), Form::Complements, split), fails);
        let (joined, plain) = (ddmin(Split::Joints(joints(prose))), ddmin(Split::Book));
        assert_one_minimal(&joined.0.best(), fails);
        assert!(joined.0.best().iter().all(|Delta(d)| (d as usize) < prose.len()));
        with += joined.1.len();
        without += plain.1.len();
    }
    println!("prose: {with} tests with joints, {without} with the plain split");
    assert!(with < without, "{with} tests with joints, {without} without");
}
