//! The weave: every version comes out as it went in.

use proptest::prelude::*;
use reduct_core::laws::Chance;
use reduct_core::{Config, Delta};
use reduct_input::{About, Artifact, Candidate, Change, Circumstances, Content, Touched, What};
use reduct_strategies::{Grain, Weave, WeaveBuilder};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

/// What stands where.
type Snapshot = BTreeMap<PathBuf, Content>;

fn file(text: &str) -> Content {
    Content::File { mode: 0o644, bytes: text.into() }
}

fn snapshot(files: &[(&str, &str)]) -> Snapshot {
    files.iter().map(|(path, text)| (PathBuf::from(path), file(text))).collect()
}

fn seen(candidate: &Candidate) -> Snapshot {
    let artifact = candidate.artifact();
    let content = |what: &What| match what {
        What::File { mode, bytes } => Content::File { mode: *mode, bytes: artifact.slice(bytes.clone()).to_vec() },
        What::Link { target } => Content::Link { target: target.clone() },
        What::Folder { mode } => Content::Folder { mode: *mode },
        What::Archive { .. } => unreachable!("no version has one"),
    };
    artifact.entries().iter().map(|entry| (entry.path.clone(), content(&entry.what))).collect()
}

/// What a change must say that makes `after` of all its parents.
fn touched(parents: &[&Snapshot], after: &Snapshot) -> Vec<Touched> {
    let paths: BTreeSet<&PathBuf> = parents.iter().flat_map(|parent| parent.keys()).chain(after.keys()).collect();
    let differs = |path: &&PathBuf| parents.iter().any(|parent| parent.get(*path) != after.get(*path));
    let touch = |path: &PathBuf| Touched { path: path.clone(), from: None, becomes: after.get(path).cloned() };
    paths.into_iter().filter(differs).map(touch).collect()
}

fn change(parents: &[usize], touched: Vec<Touched>) -> Change {
    Change { about: About::default(), parents: parents.to_vec(), touched }
}

/// A line of history.
fn line(versions: &[Snapshot]) -> Weave {
    let mut builder = WeaveBuilder::new(versions[0].clone().into_iter().collect(), Grain::Lines);
    for (at, pair) in versions.windows(2).enumerate() {
        let parents: Vec<usize> = at.checked_sub(1).into_iter().collect();
        builder.add(change(&parents, touched(&[&pair[0]], &pair[1])));
    }
    builder.finish().unwrap()
}

fn deltas(weave: &Weave, changes: &[u32]) -> Config {
    weave.of_changes(&changes.iter().copied().map(Delta).collect())
}

fn text(weave: &Weave, config: &Config, path: &str) -> String {
    match &seen(&weave.candidate(config).unwrap())[&PathBuf::from(path)] {
        Content::File { bytes, .. } => String::from_utf8_lossy(bytes).into_owned(),
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_change_can_be_there_without_those_before_it() {
    let weave = line(&[
        snapshot(&[("a", "one\ntwo\nthree\nfour\nfive\n")]),
        snapshot(&[("a", "ONE\ntwo\nthree\nfour\nfive\n")]),
        snapshot(&[("a", "ONE\ntwo\nthree\nfour\nfive\nsix\n")]),
        snapshot(&[("a", "ONE\ntwo\nfour\nfive\nsix\n")]),
    ]);
    assert_eq!(text(&weave, &deltas(&weave, &[1]), "a"), "one\ntwo\nthree\nfour\nfive\nsix\n");
    assert_eq!(text(&weave, &deltas(&weave, &[0, 2]), "a"), "ONE\ntwo\nfour\nfive\n");
}

#[test]
fn what_changes_a_line_needs_what_made_it() {
    let weave =
        line(&[snapshot(&[("a", "one\n")]), snapshot(&[("a", "one\nnew\n")]), snapshot(&[("a", "one\nnewer\n")])]);
    assert!(weave.candidate(&deltas(&weave, &[1])).is_none(), "there is nothing that it could change");
    assert!(weave.closed(&deltas(&weave, &[1])).is_empty());
    assert_eq!(weave.with_needs(&deltas(&weave, &[1])), Config::full(2));
    assert!(weave.without(&Config::full(2), &deltas(&weave, &[0])).is_empty());
}

#[test]
fn a_line_within_a_new_function_needs_the_function() {
    let function = "fn new() {\n    begin();\n    end();\n}\n";
    let weave = line(&[
        snapshot(&[("a", "old\n")]),
        snapshot(&[("a", &format!("old\n{function}"))]),
        snapshot(&[("a", &format!("old\n{}", function.replace("    end", "    log();\n    end")))]),
    ]);
    assert!(weave.candidate(&deltas(&weave, &[1])).is_none());
}

#[test]
fn a_renamed_file_is_the_same_file() {
    let root = snapshot(&[("old", "one\ntwo\n")]);
    let mut builder = WeaveBuilder::new(root.into_iter().collect(), Grain::Lines);
    let renamed = Touched { path: "new".into(), from: Some("old".into()), becomes: Some(file("one\nTWO\n")) };
    let gone = Touched { path: "old".into(), from: None, becomes: None };
    builder.add(change(&[], vec![gone, renamed]));
    let weave = builder.finish().unwrap();
    let all = Config::full(weave.len());
    let after = seen(&weave.candidate(&all).unwrap());
    assert_eq!(after, snapshot(&[("new", "one\nTWO\n")]));
    // The line alone, in the file under its old name.
    let alone: Vec<Snapshot> =
        all.iter().filter_map(|delta| weave.candidate(&Config::from_deltas([delta]))).map(|c| seen(&c)).collect();
    assert!(alone.contains(&snapshot(&[("old", "one\nTWO\n")])), "{alone:?}");
}

#[test]
fn two_files_change_places() {
    let root = snapshot(&[("a", "1\n"), ("b", "2\n")]);
    let mut builder = WeaveBuilder::new(root.into_iter().collect(), Grain::Lines);
    let moved = |path: &str, from: &str, text| Touched {
        path: path.into(),
        from: Some(from.into()),
        becomes: Some(file(text)),
    };
    builder.add(change(&[], vec![moved("b", "a", "1\n"), moved("a", "b", "2\n")]));
    let weave = builder.finish().unwrap();
    let after = seen(&weave.candidate(&Config::full(weave.len())).unwrap());
    assert_eq!(after, snapshot(&[("a", "2\n"), ("b", "1\n")]));
}

#[test]
fn a_file_becomes_a_link_a_folder_and_a_binary() {
    let link = Snapshot::from([("x".into(), Content::Link { target: "elsewhere".into() })]);
    let folder = snapshot(&[("x/y", "in it\n")]);
    let binary = Snapshot::from([("x".into(), Content::File { mode: 0o755, bytes: vec![0, 1, 2, 0xff, 0] })]);
    let versions = [snapshot(&[("x", "text\n")]), link, folder, binary, snapshot(&[("x", "text\nagain\n")])];
    let weave = line(&versions);
    for (at, version) in versions.iter().enumerate() {
        let upto = deltas(&weave, &(0..at as u32).collect::<Vec<_>>());
        assert_eq!(&seen(&weave.candidate(&upto).unwrap()), version, "{at}");
    }
}

#[test]
fn two_lines_replaced_by_three_are_told_apart() {
    let old = Artifact::of_file("a", b"let width = 10;\nlet height = 20;\n").unwrap();
    let new = Artifact::of_file("a", b"let width = 11;\nlet depth = 5;\nlet height = 21;\n").unwrap();
    let weave = WeaveBuilder::between(&old, &new, Grain::Lines).unwrap();
    let each = |at: u32| text(&weave, &Config::from_deltas([Delta(at)]), "a");
    let all: BTreeSet<String> = (0..weave.len() as u32).map(each).collect();
    let expected = [
        "let width = 11;\nlet height = 20;\n",
        "let width = 10;\nlet depth = 5;\nlet height = 20;\n",
        "let width = 10;\nlet height = 21;\n",
    ];
    assert_eq!(all, expected.map(String::from).into());
}

/// A snapshot that differs a little from another.
fn edited(from: &Snapshot, chance: &mut Chance) -> Snapshot {
    let mut after = from.clone();
    for _ in 0..1 + chance.below(3) {
        let path = PathBuf::from(["a", "b", "d/c", "d/e"][chance.below(4)]);
        match chance.below(8) {
            0 => {
                after.remove(&path);
            }
            1 => {
                after.insert(path, Content::Link { target: "a".into() });
            }
            2 => {
                after.insert(path, Content::File { mode: 0o755, bytes: vec![0; 1 + chance.below(3)] });
            }
            _ => {
                let mut lines: Vec<String> = match after.get(&path) {
                    Some(Content::File { bytes, .. }) => {
                        String::from_utf8_lossy(bytes).split_inclusive('\n').map(String::from).collect()
                    }
                    _ => vec![],
                };
                let at = chance.below(lines.len() + 1);
                let end = (at + chance.below(3)).min(lines.len());
                let new = (0..chance.below(3)).map(|_| format!("{}\n", chance.below(5)));
                lines.splice(at..end, new.collect::<Vec<_>>());
                after.insert(path, file(&lines.concat()));
            }
        }
    }
    after
}

proptest! {
    /// A history with branches and merges, some of which mention nothing that both sides did alike.
    #[test]
    fn every_version_comes_out_as_it_went_in(seed in any::<u64>(), count in 1usize..14) {
        let mut chance = Chance(seed);
        let root = snapshot(&[("a", "1\n2\n3\n4\n"), ("b", "1\n1\n")]);
        let mut versions: Vec<Snapshot> = vec![];
        let mut builder = WeaveBuilder::new(root.clone().into_iter().collect(), Grain::Lines);
        for at in 0..count {
            let mut parents: BTreeSet<usize> = BTreeSet::new();
            for _ in 0..chance.below(3) {
                parents.extend(at.checked_sub(1 + chance.below(3)));
            }
            let before: Vec<&Snapshot> = match parents.len() {
                0 => vec![&root],
                _ => parents.iter().map(|parent| &versions[*parent]).collect(),
            };
            let after = if parents.len() > 1 && chance.below(2) == 0 {
                before[0].clone()
            } else {
                edited(before[chance.below(before.len())], &mut chance)
            };
            builder.add(change(&parents.iter().copied().collect::<Vec<_>>(), touched(&before, &after)));
            versions.push(after);
        }
        let weave = builder.finish().unwrap();
        for (version, upto) in versions.iter().zip(weave.upto().iter()) {
            let config = weave.of_changes(upto);
            prop_assert_eq!(&weave.closed(&config), &config);
            prop_assert_eq!(&seen(&weave.candidate(&config).unwrap()), version);
        }
        prop_assert_eq!(seen(&weave.candidate(&Config::empty()).unwrap()), root);
        // What is closed can be, unless two files claim a place.
        let some: Config = (0..weave.len() as u32).map(Delta).filter(|_| chance.below(2) == 0).collect();
        let closed = weave.closed(&some);
        prop_assert!(closed.is_subset(&some));
        prop_assert_eq!(weave.closed(&closed), closed.clone());
        prop_assert_eq!(weave.with_needs(&closed), closed);
    }

    #[test]
    fn the_difference_of_two_texts_is_exact_in_every_grain(old in ".{0,40}", new in ".{0,40}") {
        for grain in [Grain::Lines, Grain::Words, Grain::Chars] {
            let [old, new] = [&old, &new].map(|text| Artifact::of_file("t", text.as_bytes()).unwrap());
            let weave = WeaveBuilder::between(&old, &new, grain).unwrap();
            prop_assert_eq!(weave.candidate(&Config::empty()).unwrap().artifact(), old);
            prop_assert_eq!(weave.candidate(&Config::full(weave.len())).unwrap().artifact(), new);
        }
    }
}
