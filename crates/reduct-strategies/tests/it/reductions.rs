//! Whole reductions.

use crate::support::{fails_if, file, folder, has, levels};
use reduct_core::{Config, Memo, Outcome, Question, Repeats, Search, laws};
use reduct_input::{Artifact, ArtifactBuilder, Candidate, Circumstances, What};
use reduct_passes::Pass;
use reduct_strategies::{Cut, Method, MethodFacts, Plan, Proof, Reduction};

pub(crate) const PROGRAM: &[u8] = b"#include <a.h>\nint a;\nint f(int x, int y) {\n  if (x) {\n    a = y;\n  } else {\n    b(x, \"c)\");\n  }\n  return x;\n}\n\nint main() {\n  f(1, 2);\n}\n";

/// Fails if `f(` is called or defined and something is returned; is unresolved if brackets do not match.
fn crashes(candidate: &Candidate) -> Outcome {
    let artifact = candidate.artifact();
    let text = artifact.bytes();
    let count = |byte| text.iter().filter(|&&b| b == byte).count();
    if count(b'{') != count(b'}') {
        return Outcome::Unresolved;
    }
    fails_if(has(text, b"f(") && has(text, b"return"))
}

/// In each kind and level, no single part can go.
fn assert_minimal_in_every_kind(best: &Candidate, plan: &Plan, oracle: impl Fn(&Candidate) -> Outcome) {
    assert_eq!(oracle(best), Outcome::Fail);
    for kind in &plan.passes {
        for (level, parts) in levels(kind, &best.artifact()).iter().enumerate() {
            let all = Config::full(parts.len());
            for at in 0..parts.len() {
                let smaller = parts.candidate(&all.without(at..at + 1)).unwrap();
                let gone = parts.addresses(reduct_core::Delta(at as u32));
                assert_ne!(oracle(&smaller), Outcome::Fail, "{} level {level}: {gone:?} can go", kind.name);
            }
        }
    }
}

fn asked(mut reduction: Reduction, oracle: impl Fn(&Candidate) -> Outcome) -> (Reduction, Vec<(Candidate, Outcome)>) {
    let mut asked = vec![];
    while let Some(candidate) = reduction.ask() {
        let outcome = oracle(&candidate);
        asked.push((candidate, outcome));
        reduction.tell(outcome);
    }
    (reduction, asked)
}

pub(crate) fn plan(kinds: &[&str], method: Method) -> Plan {
    Plan::new(kinds.iter().map(|name| Pass::named(name).unwrap()).collect(), method)
}

#[test]
fn laws_hold() {
    let end = laws::check(Reduction::new(file(PROGRAM), Plan::standard()), crashes, 5000);
    assert_minimal_in_every_kind(&end.best(), end.plan(), crashes);
    // Two of these with each method: each of them with every other one.
    let all_kinds = [&["lines"][..], &["tokens"], &["brackets"], &["blocks", "lines", "chars"]];
    for (at, MethodFacts { method, .. }) in Method::ALL.iter().enumerate() {
        for kinds in all_kinds.into_iter().skip(at % 2).step_by(2) {
            laws::check(Reduction::new(file(PROGRAM), plan(kinds, *method)), crashes, 20_000);
        }
    }
}

#[test]
fn the_same_for_any_number_of_jobs() {
    let two = |candidate: &Candidate| fails_if(has(candidate.artifact().bytes(), b"y") && candidate.len() % 7 != 3);
    let whim = |candidate: &Candidate| match (candidate.key().0 % 5, has(candidate.artifact().bytes(), b"x")) {
        _ if candidate.len() == PROGRAM.len() => Outcome::Fail,
        (0, _) => Outcome::Unresolved,
        (1 | 2, true) => Outcome::Fail,
        _ => Outcome::Pass,
    };
    let oracles: [&dyn Fn(&Candidate) -> Outcome; 3] = [&crashes, &two, &whim];
    for oracle in oracles {
        let start = || Reduction::new(file(PROGRAM), Plan::standard());
        let (end, expected) = asked(start(), oracle);
        let expected: Vec<_> = expected.into_iter().map(|(candidate, outcome)| (candidate.key(), outcome)).collect();
        for jobs in [1, 2, 7] {
            let (parallel, transcript, _) =
                laws::parallel(start(), Memo::new(), Repeats::Remembered, oracle, jobs, 7, usize::MAX);
            assert_eq!(transcript, expected);
            assert_eq!(parallel.search().best().artifact(), end.best().artifact());
        }
        assert_minimal_in_every_kind(&end.best(), end.plan(), oracle);
    }
}

/// Whatever the published search, over several lists it goes on until none has anything to give.
#[test]
fn one_minimal_where_it_says_so() {
    for MethodFacts { method, .. } in Method::ALL {
        for kinds in
            [&["brackets"][..], &["blocks"], &["brackets", "lines", "tokens"], &["blocks", "chars"], &["chars"]]
        {
            let plan = plan(kinds, *method);
            let (end, _) = asked(Reduction::new(file(PROGRAM), plan.clone()), crashes);
            if plan.proves() == Proof::OneMinimal {
                assert_minimal_in_every_kind(&end.best(), &plan, crashes);
            }
            assert_eq!(crashes(&end.best()), Outcome::Fail);
        }
    }
}

/// The item that matters is in the fourth level; the outer levels have fewer items than the inner.
#[test]
fn inner_levels_are_reduced_by_one_kind_alone() {
    let oracle = |candidate: &Candidate| fails_if(has(candidate.artifact().bytes(), b"needed"));
    for method in [Method::Relevance, Method::Ddmin, Method::Sweep] {
        let (end, _) =
            asked(Reduction::new(file(b"(((a, b, c, needed, d, e, f)))"), plan(&["brackets"], method)), oracle);
        assert_eq!(end.best().artifact().bytes(), b"((( needed,)))", "{method:?}");
    }
}

/// A list of one part is tried too: that nothing at all passes says nothing of one level.
#[test]
fn a_level_with_one_part() {
    let oracle = |candidate: &Candidate| fails_if(has(candidate.artifact().bytes(), b"a\n"));
    for method in [Method::Ddmin, Method::DdminSubsets, Method::Sweep, Method::Relevance] {
        let (end, _) = asked(Reduction::new(file(b"a\n  b\n"), plan(&["blocks"], method)), oracle);
        assert_eq!(end.best().artifact().bytes(), b"a\n", "{method:?}");
    }
}

/// `a` can go only once `d` is gone, which stands in a deeper level: the levels of one kind are gone
/// through again.
#[test]
fn what_goes_in_a_deeper_level_makes_room_above() {
    let oracle = |candidate: &Candidate| {
        let artifact = candidate.artifact();
        let has = |needle: &[u8]| has(artifact.bytes(), needle);
        fails_if(has(b"c") && has(b"e") && (has(b"a") || !has(b"d")))
    };
    for method in [Method::Ddmin, Method::DdminSubsets, Method::Sweep, Method::Relevance] {
        let (end, _) = asked(Reduction::new(file(b"a\nc\n  d\n  e\n"), plan(&["blocks"], method)), oracle);
        assert_eq!(end.best().artifact().bytes(), b"c\n  e\n", "{method:?}");
    }
}

/// Cut off, retold and re-read, a list of tokens may become longer: what is worth asking is reckoned by
/// the list, not by what was counted before.
#[test]
fn tokens_that_become_more() {
    let text = b"it's\n\"b' c d\"";
    let oracle = |candidate: &Candidate| {
        let artifact = candidate.artifact();
        fails_if(has(artifact.bytes(), b"'") && has(artifact.bytes(), b"d") || candidate.len() == text.len())
    };
    let (end, _) = asked(Reduction::new(file(text), plan(&["tokens"], Method::Relevance)), oracle);
    assert_minimal_in_every_kind(&end.best(), end.plan(), oracle);
}

/// Example 5.8 and 5.9 again, on files.
#[test]
fn published_runs_over_one_list() {
    let line = b"<SELECT NAME=\"priority\" MULTIPLE SIZE=7>";
    let select = |candidate: &Candidate| {
        let artifact = candidate.artifact();
        let text = String::from_utf8_lossy(artifact.bytes()).into_owned();
        fails_if(text.match_indices("<SELECT").any(|(at, _)| text[at..].contains('>')))
    };
    let (end, all) = asked(Reduction::new(file(line), plan(&["chars"], Method::Ddmin)), select);
    assert_eq!((all.len(), end.best().artifact().bytes()), (48, &b"<SELECT>"[..]));
    let sizes: Vec<usize> = all.iter().map(|(candidate, _)| end.size(candidate)).collect();
    assert_eq!(sizes[..5], [20, 20, 30, 30, 20]);
    assert_eq!(end.plan().unit(), "characters");

    let (end, all) = asked(Reduction::new(file(line), plan(&["chars"], Method::Isolate)), select);
    assert_eq!((all.len(), end.best().len()), (5, 40));
    assert_eq!(end.passing().expect("there is a passing side").artifact().bytes(), &line[1..]);
    let (end, all) = asked(Reduction::new(file(line), plan(&["chars"], Method::IsolatePaper)), select);
    assert_eq!((all.len(), end.best().len(), end.passing().map(|p| p.len())), (11, 30, Some(29)));
}

/// Joints make no difference to what is proved, only to how many questions it takes.
#[test]
fn cut_at_joints() {
    let prose =
        b"When in the course of debugging\nit becomes necessary\n\nfor one line to be dissolved,\nall others may go.\n";
    let count = |cut| {
        let words: [&[u8]; 5] = [b"course", b"debugging", b"becomes", b"dissolved", b"others"];
        let counts = words.map(|word| {
            let plan = Plan { cut, ..plan(&["chars"], Method::Ddmin) };
            let oracle = |candidate: &Candidate| fails_if(has(candidate.artifact().bytes(), word));
            let (end, all) = asked(Reduction::new(file(prose), plan), oracle);
            assert_eq!(end.best().artifact().bytes(), word);
            all.len()
        });
        counts.iter().sum::<usize>()
    };
    assert!(count(Cut::Joints) < count(Cut::Book));
    assert_eq!(Cut::ALL.iter().filter_map(|(name, cut)| Cut::named(name).filter(|c| c == cut)).count(), 3);
}

fn fifty_files() -> Artifact {
    let names: Vec<String> = (0..50).map(|n| format!("src/{n:02}.c")).collect();
    let mut entries: Vec<(&str, &[u8])> =
        vec![("doc/", b""), ("doc/a", b"text\n"), ("doc/b", b"text\n"), ("src/", b"")];
    entries
        .extend(names.iter().map(|name| (name.as_str(), if name == "src/31.c" { &b"crash\n"[..] } else { b"fine\n" })));
    folder(&entries)
}

/// Whole folders first; then the one file of fifty in about log₂ 50 questions.
#[test]
fn folders_first() {
    let crash = |candidate: &Candidate| fails_if(has(candidate.artifact().bytes(), b"crash"));
    let mut reduction = Reduction::new(fifty_files(), Plan::standard());
    let (mut by_files, mut levels) = (0, vec![]);
    while let Some(candidate) = reduction.ask() {
        let here = reduction.phase().unwrap();
        if here.kind == "files" && here.round == 1 {
            by_files += 1;
            levels.push(here.level);
        }
        if by_files == 1 {
            let all_of_a_folder = candidate.pieces().all(|(entry, _)| entry.path.starts_with("doc"))
                || candidate.pieces().all(|(entry, _)| entry.path.starts_with("src"));
            assert!(all_of_a_folder, "a whole folder goes first");
        }
        reduction.tell(crash(&candidate));
    }
    assert!(levels.is_sorted());
    // Two folders, then one of fifty: twice the bound of ⌈log₂ 50⌉ + 1.
    assert!(by_files <= 2 + 2 * 7, "{by_files} questions for one file of 50");
    let best = reduction.best();
    assert_eq!(best.artifact().bytes(), b"crash");
    let paths: Vec<_> = best.artifact().entries().iter().map(|entry| entry.path.clone()).collect();
    assert!(paths.iter().any(|path| path.ends_with("31.c")) && paths.len() <= 2, "{paths:?}");
    assert_minimal_in_every_kind(&best, reduction.plan(), crash);
}

/// A link, the permission to run and an empty folder stay if the failure needs them.
#[test]
fn what_is_no_text_stays_if_needed() {
    let mut builder = ArtifactBuilder::default();
    builder.folder("bin", 0o755);
    builder.file("bin/run", 0o755, b"#!/bin/sh\necho\n").unwrap();
    builder.file("bin/walk", 0o644, b"echo\n").unwrap();
    builder.link("current", "bin").link("other", "bin");
    builder.folder("empty", 0o700).folder("hollow", 0o755);
    let oracle = |candidate: &Candidate| {
        let artifact = candidate.artifact();
        let what =
            |path: &str| artifact.entries().iter().find(|entry| entry.path.ends_with(path)).map(|e| e.what.clone());
        let runs = matches!(what("bin/run"), Some(What::File { mode: 0o755, .. }));
        let linked = matches!(what("current"), Some(What::Link { target }) if target.ends_with("bin"));
        let empty = matches!(what("empty"), Some(What::Folder { mode: 0o700 }));
        fails_if(runs && linked && empty)
    };
    let (end, _) = asked(Reduction::new(builder.finish(), Plan::standard()), oracle);
    let left = end.best().artifact();
    let paths: Vec<_> = left.entries().iter().map(|entry| entry.path.to_str().unwrap()).collect();
    assert_eq!(paths, ["bin", "bin/run", "current", "empty"]);
    assert!(left.bytes().is_empty());
    assert_minimal_in_every_kind(&end.best(), end.plan(), oracle);
}

#[test]
fn skip() {
    let oracle = |candidate: &Candidate| fails_if(has(candidate.artifact().bytes(), b"return"));
    let mut reduction = Reduction::new(file(PROGRAM), plan(&["brackets", "lines", "chars"], Method::Relevance));
    let mut places = vec![];
    while let Some(candidate) = reduction.ask() {
        let here = reduction.phase().unwrap();
        if places.last() != Some(&here) {
            places.push(here);
        }
        reduction.tell(oracle(&candidate));
        if places.len() < 4 && reduction.phase().as_ref() == places.last() {
            let before = reduction.best().key();
            reduction.skip();
            assert_eq!(reduction.best().key(), before, "what was found is kept");
            assert_ne!(reduction.phase().as_ref(), places.last(), "it goes on elsewhere");
        }
        assert_eq!(oracle(&reduction.best()), Outcome::Fail);
    }
    assert!(reduction.skipped() > 0);
    let (skipped, best) = (reduction.skipped(), reduction.best().key());
    reduction.skip();
    assert!(reduction.ask().is_none() && reduction.best().key() == best);
    assert_eq!(reduction.skipped(), skipped, "nothing is left to give up");
}

#[test]
fn nothing_to_reduce() {
    for artifact in [file(b""), folder(&[]), folder(&[("d/", b"")])] {
        for MethodFacts { method, .. } in Method::ALL {
            let names = ["files", "brackets", "blocks", "lines", "words", "tokens", "chars", "bytes"];
            let reduction = Reduction::new(artifact.clone(), plan(&names, *method));
            assert!(reduction.ask().is_none() && reduction.phase().is_none(), "{method:?}");
            assert_eq!(reduction.best().artifact(), artifact);
        }
    }
}

#[test]
#[should_panic(expected = "at least one kind")]
fn a_plan_without_kinds() {
    Reduction::new(file(b"x"), plan(&[], Method::Sweep));
}

/// Brackets nested deeper than a stack is.
#[test]
fn deep_brackets_are_reduced() {
    let depth = 300;
    let text = ["(".repeat(depth).as_bytes(), b"a, needed", ")".repeat(depth).as_bytes()].concat();
    let oracle = |candidate: &Candidate| fails_if(has(candidate.artifact().bytes(), b"needed"));
    let (end, _) = asked(Reduction::new(file(&text), Plan::standard()), oracle);
    assert_eq!(end.best().artifact().bytes(), b"needed");
}

#[test]
fn names() {
    for MethodFacts { name, method, .. } in Method::ALL {
        assert_eq!(Method::named(name), Some(*method));
        assert_eq!(method.name(), *name);
    }
    assert_eq!(Method::named("magic"), None);
    assert_eq!(Plan::standard().unit(), "bytes");
}

#[test]
fn a_guess_is_asked_first_and_taken_only_if_it_fails() {
    let names: Vec<String> = (0..40).map(|n| format!("{n:02}")).collect();
    let whole = folder(&names.iter().map(|name| (name.as_str(), &b"some text"[..])).collect::<Vec<_>>());
    let needs = |needed: &'static [&'static str]| {
        move |candidate: &Candidate| {
            let names: Vec<_> = candidate.pieces().map(|(entry, _)| entry.path.display().to_string()).collect();
            fails_if(needed.iter().all(|name| names.iter().any(|there| there == name)))
        }
    };
    let guess = {
        let base = std::sync::Arc::new(whole.clone());
        let (at, bytes) = ([3, 5, 30], [3, 5, 30].map(|n| base.files().nth(n).unwrap().1));
        let entries = Config::from_ranges(at.map(|n| n as u32..n as u32 + 1));
        Candidate::new(base, entries, Config::from_ranges(bytes), 0)
    };
    let begin = || Reduction::new(whole.clone(), plan(&["files"], Method::Relevance)).guessing(guess.clone());
    for (needed, is_right) in [(&["03", "30"][..], true), (&["03", "31"], false)] {
        let without = Reduction::new(whole.clone(), plan(&["files"], Method::Relevance));
        let (_, usual) = asked(without, needs(needed));
        let (end, asked) = asked(begin(), needs(needed));
        assert_eq!(asked[0].0.key(), guess.key());
        assert_eq!(end.best().entry_count(), 2);
        // A wrong one costs its test.
        assert!(if is_right { asked.len() < usual.len() } else { asked.len() == usual.len() + 1 });
        laws::check(begin(), needs(needed), 1000);
    }
}

/// No line can go, but of each line all words but one: a search that asked about every line first would take 64 tests before it
/// removed anything.
#[test]
fn a_pass_that_asks_in_vain_waits_for_one_that_removes() {
    let text: String = (0..64).map(|line| format!("keep{line}x a b c d e f\n")).collect();
    let keeps = |candidate: &Candidate| {
        let artifact = candidate.artifact();
        fails_if((0..64).all(|line| has(artifact.bytes(), format!("keep{line}x").as_bytes())))
    };
    let (end, asked) =
        asked(Reduction::new(file(text.as_bytes()), plan(&["lines", "words", "chars"], Method::Relevance)), keeps);
    let first = asked.iter().position(|(_, outcome)| *outcome == Outcome::Fail).unwrap();
    assert!(first <= 16, "{first} tests in vain");
    assert_minimal_in_every_kind(&end.best(), end.plan(), keeps);
}

/// Where no line can go, but each number can be shorter, the search of the tree is not gone through to its end first.
#[test]
fn passes_after_the_tree_have_their_turn_where_it_is_in_vain() {
    let point =
        |at: usize| format!("v {}.{} -{}.{} {}\n", at % 7, at * 37 % 9973, at % 5, at * 91 % 9929, at * 7 % 1000);
    let text: String = (0..2000).map(point).collect();
    let number = |word: &str| word.parse::<f64>().is_ok();
    let is_point =
        |line: &str| line.strip_prefix("v ").is_some_and(|it| it.split(' ').filter(|it| number(it)).count() == 3);
    let fails = |text: &str| text.lines().filter(|line| is_point(line)).count() == 2000;
    assert!(fails(&text));
    let (mut reduction, mut asked) = (Reduction::new(file(text.as_bytes()), Plan::standard()), 0);
    while let Some(candidate) = reduction.ask().filter(|_| reduction.best().len() * 4 > text.len() * 3) {
        asked += 1;
        let text = String::from_utf8(candidate.artifact().bytes().to_vec()).unwrap_or_default();
        reduction.tell(Outcome::from(fails(&text)));
    }
    assert!(asked < 700, "{asked} tests, and there are 2000 lines");
}

/// Two thousand records of JSON, and words of sixteen that stand far apart.
fn records_and_needed() -> (String, Vec<String>) {
    let record =
        |at: usize| format!("  {{\"id\": {at}, \"name\": \"n{}\", \"tags\": [{}, {}]}}", at * 7919, at % 13, at % 17);
    let records: Vec<String> = (0..2000).map(record).collect();
    let needed = (0..16).map(|at| format!("\"n{}\"", (at * 125 + at * 31 % 120) * 7919)).collect();
    (format!("[\n{}\n]\n", records.join(",\n")), needed)
}

#[test]
fn what_is_needed_far_apart_leaves_stretches_between_that_go() {
    let (text, needed) = records_and_needed();
    let fails = |text: &str| needed.iter().all(|one| text.contains(one));
    assert!(fails(&text) && text.len() > 100_000);
    let (mut reduction, mut asked) = (Reduction::new(file(text.as_bytes()), Plan::standard()), 0);
    while let Some(candidate) = reduction.ask().filter(|_| reduction.best().len() * 2 > text.len()) {
        asked += 1;
        let text = String::from_utf8(candidate.artifact().bytes().to_vec()).unwrap_or_default();
        reduction.tell(Outcome::from(fails(&text)));
    }
    // A few for what is larger, and then two for each of sixteen that are a thirty-second of it.
    assert!(asked <= 48, "{asked} tests");
}

#[test]
fn a_pass_that_is_given_up_in_its_first_turn_is_not_called_again() {
    let (text, _) = records_and_needed();
    let mut reduction = Reduction::new(file(text.as_bytes()), Plan::standard());
    let mut given_up = 0;
    // Nothing can go.
    for _ in 0..40 {
        if reduction.ask().is_none() {
            break;
        }
        if reduction.phase().is_some_and(|phase| phase.kind == "stretches") && given_up == 0 {
            reduction.tell(Outcome::Pass);
            reduction.disable();
            given_up += 1;
        } else {
            reduction.tell(Outcome::Pass);
        }
    }
    assert_eq!(reduction.disabled_names(), ["stretches"]);
}
