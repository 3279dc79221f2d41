//! What holds for all generators.

#![allow(clippy::unwrap_used, reason = "a test says what holds")]

use reduct_fuzz::{Classic, Example, Generator, Lacking, Settings, Source};
use reduct_grammars::Languages;
use reduct_input::Grammars;
use std::collections::HashSet;
use std::path::Path;

const PROGRAM: &str = "int f(int a) { if (a > 1) { return f(a - 1); } return (a + 2) * 3; }\nint x = f(40);\n";

fn examples() -> Vec<Example> {
    let path = Path::new("a.c");
    let of = |text: &str| Example { bytes: text.into(), tree: Languages::all().parse(path, text.as_bytes()) };
    vec![of(PROGRAM), of("char *s = \"text\";\n"), of("")]
}

fn only(generator: Generator, seed: u64, largest: usize) -> Source {
    Source::new(Settings { seed, generators: vec![generator], largest, ..Settings::default() }, examples()).unwrap()
}

#[test]
fn a_trial_is_the_same_whenever_it_is_asked_for() {
    let one = Source::new(Settings { seed: 5, ..Settings::default() }, examples()).unwrap();
    let other = one.clone();
    let forth: Vec<_> = (0..80).map(|k| one.trial(k)).collect();
    let back: Vec<_> = (0..80).rev().map(|k| other.trial(k)).collect();
    assert!(forth.iter().eq(back.iter().rev()));
    let names: HashSet<&str> = forth.iter().map(|trial| trial.generator.name()).collect();
    assert_eq!(names.len(), Generator::ALL.len(), "all take turns");
}

/// SplitMix64 as it was published: the first numbers from seed 1234567 (Rosetta Code's table).
#[test]
fn chance_is_splitmix() {
    let mut chance = reduct_fuzz::Randomness::new(1_234_567);
    let first = [6_457_827_717_110_365_317_u64, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423];
    assert!(first.iter().all(|expected| chance.number() == *expected));
}

#[test]
fn trials_differ_and_keep_to_their_size() {
    for (name, generator, _) in Generator::ALL {
        for largest in [1, 10, 1000, 50_000] {
            let source = only(*generator, 1, largest);
            let trials: Vec<Vec<u8>> = (0..200).map(|k| source.trial(k).bytes).collect();
            assert!(trials.iter().all(|bytes| bytes.len() <= largest), "{name} {largest}");
            let different: HashSet<&Vec<u8>> = trials.iter().collect();
            assert!(largest < 1000 || different.len() > 100, "{name}: {}", different.len());
        }
        assert_ne!(only(*generator, 1, 900).trial(9), only(*generator, 2, 900).trial(9), "{name}: seeds tell");
    }
}

#[test]
fn the_classic_program_does_as_its_parameters_say() {
    let with = |classic: Classic| {
        let settings = Settings { generators: vec![Generator::Classic], classic, ..Settings::default() };
        Source::new(settings, vec![]).unwrap().trial(0).bytes
    };
    let length = Some(200_000);
    let all = with(Classic { length, ..Classic::default() });
    assert_eq!(all.len(), 200_000);
    assert_eq!(all.iter().collect::<HashSet<_>>().len(), 255, "all but NUL");
    let nul = with(Classic { length, nul: true, ..Classic::default() });
    assert_eq!(nul.iter().collect::<HashSet<_>>().len(), 256);
    let printable = with(Classic { length, printable: true, ..Classic::default() });
    assert!(printable.iter().all(|byte| (32..127).contains(byte) || *byte == b'\n'));
    let lines =
        with(Classic { length, printable: true, lines: Some(70), epilog: b"quit\n".into(), ..Classic::default() });
    assert!(lines.ends_with(b"quit\n"));
    let lengths: HashSet<usize> = lines[..200_000].split(|byte| *byte == b'\n').map(<[u8]>::len).collect();
    assert_eq!(lengths, (0..=70).collect(), "lines of all lengths up to that");
}

#[test]
fn long_lines_are_longer_than_buffers() {
    let source = only(Generator::LongLines, 3, 100_000);
    let longest = |k| source.trial(k).bytes.split(|byte| *byte == b'\n').map(<[u8]>::len).max().unwrap();
    let lengths: Vec<usize> = (0..100).map(longest).collect();
    for buffer in [80, 256, 516, 1024, 2121, 16384] {
        assert!(lengths.iter().any(|length| *length > buffer), "{buffer}");
    }
}

#[test]
fn most_of_what_the_grammar_makes_is_still_in_the_language() {
    let source = only(Generator::Grammar, 4, 20_000);
    let trials: Vec<_> = (0..200).map(|k| source.trial(k).bytes).collect();
    let read = trials.iter().filter(|text| Languages::all().errors(Path::new("a.c"), text) == Some(0)).count();
    assert!(read * 2 > trials.len(), "{read} of {}", trials.len());
    let depth = |text: &Vec<u8>| text.windows(2).filter(|pair| pair == b"f(" || pair == b"((").count();
    assert!(trials.iter().map(depth).max() > Some(50), "something is nested deeply");
}

#[test]
fn a_generator_without_anything_to_work_on_is_refused() {
    let asked = |generator| Settings { generators: vec![generator], ..Settings::default() };
    assert_eq!(Source::new(asked(Generator::Mutate), vec![]).unwrap_err(), Lacking(Generator::Mutate));
    let plain = vec![Example { bytes: b"text".into(), tree: None }];
    assert_eq!(Source::new(asked(Generator::Grammar), plain.clone()).unwrap_err(), Lacking(Generator::Grammar));
    let source = Source::new(Settings::default(), plain).unwrap();
    assert!(!source.generators().contains(&Generator::Grammar) && source.generators().contains(&Generator::Mutate));
}
