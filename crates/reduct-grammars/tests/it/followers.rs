//! What goes by itself in scripts of SMT-LIB, beside a plain reading of what is left: a command a line, and names of a letter
//! and digits.

use crate::support::grammars;
use reduct_core::{Config, Delta};
use reduct_input::{Artifact, Circumstances, Parts, Subject};
use reduct_passes::{Pass, Stage};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Sorts, functions that use functions and sorts, assertions with and without uses, scopes.
fn script() -> String {
    let mut lines: Vec<String> = vec!["(set-logic ALL)".into(), "(declare-sort s0 0)".into()];
    lines.extend((0..12).map(|at| format!("(declare-const x{at} {})", if at % 3 == 0 { "s0" } else { "Int" })));
    lines.push("(define-fun f0 ((a9 Int)) Int (+ a9 x1))".into());
    lines.push("(define-fun f1 ((a9 Int) (b9 Int)) Bool (< (f0 a9) (f0 b9) x2))".into());
    lines.push("(declare-const y0 Bool)".into());
    for at in 0..24 {
        lines.push("(push 1)".into());
        lines.push(format!("(assert (= x{} x{}))", at % 12, (at + 3) % 12));
        lines.push(format!("(assert (or (f1 {at} {}) (< (f0 x4) x5 x7) true))", at * at));
        lines.push("(push 2)\n(assert (and true (> 1 0)))\n(check-sat)\n(pop 2)\n(pop 1)".into());
    }
    lines.push("(assert (f1 x8 x10))\n(declare-const x1 Bool)\n(assert (and x1 x1))\n(check-sat)\n".into());
    lines.join("\n")
}

fn names(text: &str) -> BTreeSet<&str> {
    let words = text.split(|sign: char| !sign.is_ascii_alphanumeric());
    let is_name = |word: &&str| word.len() > 1 && word.as_bytes()[1..].iter().all(u8::is_ascii_digit);
    words.filter(is_name).filter(|word| word.starts_with(['s', 'x', 'f', 'y'])).collect()
}

/// What is wrong with a script: uses before a declaration, and scopes that are not opened or not ended.
fn wrong(text: &str) -> Vec<String> {
    let (mut known, mut open, mut found) = (BTreeSet::new(), vec![], vec![]);
    for line in text.lines() {
        let mut used = names(line);
        if line.starts_with("(de") {
            let own = line.split(' ').nth(1).unwrap();
            used.remove(own);
            known.insert(own.to_owned());
        }
        found.extend(used.into_iter().filter(|name| !known.contains(*name)).map(|name| format!("{name} in {line}")));
        match line.split_once(' ') {
            Some(("(push", levels)) => open.push(levels),
            Some(("(pop", levels)) if open.pop() != Some(levels) => found.push(line.to_owned()),
            _ => {}
        }
    }
    found.extend(open.into_iter().map(str::to_owned));
    found
}

/// The parts of all levels of the passes of a stage.
fn all_parts(text: &str, stage: Stage) -> Vec<Parts> {
    let base = Arc::new(Artifact::of_file("a.smt2", text.as_bytes()).unwrap());
    let subject = Subject::new(base.clone(), Some(grammars()));
    let proposals =
        Pass::of(stage).flat_map(|pass| (pass.propose)(&subject)).map(|spans| Parts::new(base.clone(), spans));
    proposals.filter(|parts| !parts.are_edits()).collect()
}

fn left(parts: &Parts, config: &Config) -> String {
    String::from_utf8(parts.candidate(config).unwrap().artifact().bytes().to_vec()).unwrap()
}

#[test]
fn whatever_goes_what_is_left_is_declared_and_scopes_are_whole() {
    let text = script();
    assert_eq!(wrong(&text), [""; 0]);
    assert!(!all_parts(&text, Stage::Stretches).is_empty());
    let mut state = 7u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    };
    for parts in [Stage::Tree, Stage::Stretches].into_iter().flat_map(|stage| all_parts(&text, stage)) {
        assert_eq!(left(&parts, &Config::full(parts.len())), text);
        for _ in 0..60 {
            let (one, other) = (next() % parts.len() as u64, next() % parts.len() as u64);
            let stretch = one.min(other) as usize..one.max(other) as usize + 1;
            let scattered = Config::from_deltas((0..parts.len() as u32).filter(|_| next() % 4 > 0).map(Delta));
            for config in [Config::full(parts.len()).without(stretch), scattered] {
                let left = left(&parts, &config);
                assert_eq!(wrong(&left), [""; 0], "{left}");
            }
        }
    }
}

#[test]
fn a_declaration_goes_with_the_last_of_what_needs_it() {
    let text = script();
    for parts in [Stage::Tree, Stage::Stretches].into_iter().flat_map(|stage| all_parts(&text, stage)) {
        let left = left(&parts, &Config::empty());
        // Of all that is declared, only what nothing uses is a part of its own.
        let declared = left.lines().filter(|line| line.starts_with("(de"));
        assert!(declared.eq(["(declare-const y0 Bool)"].into_iter().filter(|line| left.contains(line))), "{left}");
    }
}

#[test]
fn assertions_come_first_and_stretches_are_within_them() {
    let text = script();
    let shown = |parts: &Parts| -> Vec<String> {
        let of = |at: u32| parts.base().slice(parts.addresses(Delta(at)));
        (0..parts.len() as u32).map(|at| String::from_utf8_lossy(of(at)).trim().to_owned()).collect()
    };
    let asserted: Vec<_> = text.lines().filter(|line| line.starts_with("(assert ")).collect();
    assert_eq!(shown(&all_parts(&text, Stage::Tree)[0]), asserted);
    let stretches = shown(&all_parts(&text, Stage::Stretches)[0]);
    assert_eq!(stretches.iter().filter(|part| part.starts_with("(assert ")).count(), asserted.len());
    assert!(
        stretches.len() > asserted.len() && stretches.iter().all(|part| asserted.iter().any(|it| it.contains(part)))
    );
}

#[test]
fn what_only_uses_itself_goes_as_a_part_of_its_own() {
    let used_once = "(define-fun f0 ((a9 Int)) Int (+ a9 1))";
    let recursive = "(define-fun-rec f1 ((a9 Int)) Int (ite (> a9 0) (f1 (f0 a9)) 0))";
    let each_other = "(define-funs-rec ((f2 ((a9 Int)) Int) (f3 ((a9 Int)) Int)) ((f3 a9) (f2 a9)))";
    let datatype = "(declare-datatype s0 ((c0) (c1 (x2 s0))))";
    let used = "(define-fun-rec f4 ((a9 Int)) Int (ite (> a9 0) (f4 a9) 0))";
    let asserted = "(assert (> (f4 3) 4))\n(assert (not (= c0 (c1 c0))))";
    let first = "(declare-const x0 Int)\n(declare-const x1 Int)";
    // In short texts, nothing follows anything.
    let many: String = (0..120).map(|at| format!("(assert (> x{} {at}))\n", at % 2)).collect();
    let text = [first, used_once, recursive, each_other, datatype, used, asserted, &many].join("\n");
    let all = [Stage::Tree, Stage::Stretches].into_iter().flat_map(|stage| all_parts(&text, stage));
    for parts in all {
        for part in 0..parts.len() {
            let left = left(&parts, &Config::full(parts.len()).without(part..part + 1));
            let at = parts.addresses(Delta(part as u32));
            let removed = String::from_utf8_lossy(parts.base().slice(at)).into_owned();
            for own in ["(define-fun-rec f1", "(define-funs-rec", "(declare-datatype"] {
                assert!(removed.contains(own) || left.contains(own), "{own} went with {removed}");
            }
            assert_eq!(left.contains("(define-fun f0"), left.contains("(f0 a9)"), "{removed}");
            assert_eq!(left.contains("(define-fun-rec f4"), left.contains("(f4 3)"), "{removed}");
        }
    }
    let whole = all_parts(&text, Stage::Tree).pop().unwrap();
    let shown = |at: u32| String::from_utf8_lossy(whole.base().slice(whole.addresses(Delta(at)))).trim().to_owned();
    let shown: Vec<String> = (0..whole.len() as u32).map(shown).collect();
    for own in [recursive, each_other, datatype] {
        assert!(shown.iter().any(|part| part == own), "{own} is no part: {shown:?}");
    }
}
