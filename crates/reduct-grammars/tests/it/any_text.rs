//! Any text can be read, or is refused; none takes for ever.

use crate::support::stock;
use proptest::prelude::*;
use reduct_grammars::{LANGUAGES, Languages};
use reduct_input::parts::Items;
use reduct_input::{Artifact, Role, Tree};
use reduct_input::{Grammars, Subject};
use reduct_passes::Pass;
use std::path::Path;
use std::sync::Arc;

/// Reads a text in one language; whatever is read has the form of a tree, and its parts that of parts.
pub fn read(grammars: Languages, text: &[u8]) -> Option<Tree> {
    let path = Path::new("input");
    let tree = grammars.parse(path, text);
    // What is nested too deep for a scanner is not read at all.
    let Some(errors) = grammars.errors(path, text) else {
        assert!(tree.is_none());
        return None;
    };
    if let Some(tree) = &tree {
        assert_eq!(tree.range(0), 0..text.len() as u32);
        for at in 1..tree.len() {
            let parent = tree.parent(at).unwrap();
            assert!(parent < at && at < tree.node(parent).after as usize);
            let (own, around) = (tree.range(at), tree.range(parent));
            assert!(around.start <= own.start && own.start <= own.end && own.end <= around.end);
        }
        let is_wrong = (1..tree.len()).any(|at| tree.node(at).role == Role::Error);
        assert!(!is_wrong || errors > 0);
    }
    let subject = Subject::new(Arc::new(Artifact::of_file("input", text).unwrap()), Some(Arc::new(grammars)));
    for spans in (Pass::named("nodes").unwrap().propose)(&subject) {
        let Some(Items(items)) = spans.get::<Items>() else { panic!("nodes are items") };
        let apart = items.windows(2).all(|pair| pair[0].at.end <= pair[1].at.start);
        assert!(apart && items.iter().all(|item| !item.at.is_empty()), "{items:?}");
    }
    tree
}

#[test]
fn empty_and_foreign_texts() {
    for language in LANGUAGES {
        let grammars = Languages::only(language.name).unwrap();
        for text in [&b""[..], b"\n", b"\0", b"\xff\xfe\0a", b"\xef\xbb\xbf", b"\xc3", &[0xff; 100]] {
            read(grammars, text);
        }
    }
}

/// Brackets, tags and statements in each other: no recursion, and no reading without end.
#[test]
fn deeply_nested_texts() {
    let nested = |language: &str| {
        let grammars = Languages::only(language).unwrap();
        grammars.parse(Path::new("input"), "(".repeat(100_000).as_bytes());
        for (open, close) in [("(", ")"), ("[", "]"), ("{", "}"), ("<a>", "</a>"), ("if (1) ", ""), ("a:\n ", "")] {
            for levels in [300, 1_000] {
                let text = open.repeat(levels) + &close.repeat(levels);
                read(grammars, text.as_bytes());
                read(grammars, &text.as_bytes()[..text.len() / 2]);
            }
        }
    };
    std::thread::scope(|threads| LANGUAGES.iter().for_each(|language| drop(threads.spawn(|| nested(language.name)))));
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 24, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn random_bytes(text in proptest::collection::vec(any::<u8>(), 0..300)) {
        for language in LANGUAGES {
            read(Languages::only(language.name).unwrap(), &text);
        }
    }

    #[test]
    fn signs_and_words(text in "([(){}<>;:,.=\\-'\"/*#&|!? \n\t]|if|a|0|let|end|\u{e9}){0,80}") {
        for language in LANGUAGES {
            read(Languages::only(language.name).unwrap(), text.as_bytes());
        }
    }

    #[test]
    fn pieces_of_programs(from in 0.0..1.0, to in 0.0..1.0, without in 0.0..1.0) {
        for stock in stock() {
            let at = |share: f64| (stock.text.len() as f64 * share) as usize;
            let piece = &stock.text[at(f64::min(from, to))..at(f64::max(from, to))];
            read(stock.grammars(), piece);
            let hole = [&stock.text[..at(without * 0.8)], &stock.text[at(without * 0.8 + 0.1)..]].concat();
            read(stock.grammars(), &hole);
        }
    }
}

/// A text of YAML with so many blocks within each other: the scanner of its grammar fails at 255.
#[test]
fn blocks_of_yaml_within_each_other_end_nothing() {
    let yaml = Languages::only("yaml").unwrap();
    let path = Path::new("a.yaml");
    for depth in [100, 119, 121, 254, 255, 256, 1000, 40_000] {
        let sequences = "- ".repeat(depth) + "x\n";
        let mappings: String = (0..depth.min(1000)).map(|n| format!("{}k:\n", " ".repeat(n))).collect();
        let both: String = (0..depth.min(1000)).map(|n| format!("{0}k:\n{0}- a: 1\n", " ".repeat(n))).collect();
        for text in [sequences, mappings, both, "? ".repeat(depth) + "x", "- ? ".repeat(depth), "a: ".repeat(depth)] {
            let tree = yaml.parse(path, text.as_bytes());
            assert_eq!(tree.is_some(), yaml.errors(path, text.as_bytes()).is_some());
            assert!(depth < 254 || tree.is_none(), "{depth}");
        }
    }
    let flat: String = (0..1000).map(|n| format!("k{n}: {{a: 1, b: [1, 2]}}\nl{n}:\n- a\n- b: c\n")).collect();
    assert!(yaml.parse(path, flat.as_bytes()).is_some());
}
