//! Edits, passes, trials and normal forms, in a small language of the tests' own.

use crate::lisp::Lisp;
use crate::support::{fails_if, file, has};
use proptest::prelude::*;
use reduct_core::{Config, Outcome, Search, laws, run};
use reduct_input::parts::Edits;
use reduct_input::{Candidate, Circumstances, Class, Edit, Parts, Splice, Subject, levels};
use reduct_passes::{Pass, Proposals};
use reduct_strategies::{Method, Plan, Reduction};
use std::sync::Arc;

fn splice(at: std::ops::Range<u32>, with: &[u8]) -> Splice {
    Splice { at, with: with.into() }
}

fn made(text: &[u8], edits: &[Edit], which: &[usize]) -> Option<Vec<u8>> {
    let parts = Parts::new(Arc::new(file(text)), Edits(edits.into()));
    let left = (0..edits.len()).filter(|at| !which.contains(at)).map(|at| reduct_core::Delta(at as u32));
    Some(parts.candidate(&Config::from_deltas(left))?.artifact().bytes().to_vec())
}

#[test]
fn edits_are_made_together() {
    let text = b"int f(int unused) { return 100; } f(1);";
    let parameter = Edit::new(vec![splice(36..37, b""), splice(6..16, b"")]).unwrap();
    let number = Edit::replace(27..30, b"0").unwrap();
    let body = Edit::replace(18..33, b"{}").unwrap();
    let call = Edit::delete(34..39).unwrap();
    let edits = [parameter, number, body, call];
    assert_eq!(made(text, &edits, &[]).unwrap(), text);
    assert_eq!(made(text, &edits, &[0]).unwrap(), b"int f() { return 100; } f();");
    assert_eq!(made(text, &edits, &[1]).unwrap(), b"int f(int unused) { return 0; } f(1);");
    assert_eq!(made(text, &edits, &[0, 1, 3]).unwrap(), b"int f() { return 0; } ");
    // A number in a body that is replaced cannot be another number; one in a call that goes, goes.
    assert_eq!(made(text, &edits, &[1, 2]), None);
    assert_eq!(made(text, &edits, &[0, 2, 3]).unwrap(), b"int f() {} ");
}

#[test]
fn what_is_no_edit() {
    assert_eq!(Edit::new(vec![]), None);
    assert_eq!(Edit::delete(3..3), None);
    assert_eq!(Edit::new(vec![splice(0..2, b""), splice(1..3, b"")]), None);
}

#[test]
fn the_order_of_results_is_size_then_text() {
    let base = file(b"b1 long");
    let shrinks = |at, with: &[u8]| Edit::replace(at, with).unwrap().shrinks(&base);
    assert!(shrinks(0..2, b"z"));
    assert!(shrinks(0..2, b"a9"));
    assert!(!shrinks(0..2, b"b1"));
    assert!(!shrinks(0..2, b"b2"));
    assert!(!shrinks(0..2, b"aaa"));
}

proptest! {
    /// Against a naive reference: apply the splices to the text from the back.
    #[test]
    fn what_edits_make_of_a_text(
        text in proptest::collection::vec(b'a'..=b'z', 1..40),
        cuts in proptest::collection::vec((0usize..40, 1usize..6, proptest::collection::vec(b'A'..=b'Z', 0..4)), 0..8),
        chosen in 0u32..256,
    ) {
        let edits: Vec<Edit> = cuts
            .into_iter()
            .filter(|(at, len, _)| at + len <= text.len())
            .filter_map(|(at, len, with)| Edit::replace(at as u32..(at + len) as u32, &with))
            .collect();
        for level in levels(edits) {
            let which: Vec<usize> = (0..level.len()).filter(|at| chosen >> at & 1 == 1).collect();
            let mut expected = text.clone();
            let mut splices: Vec<&Splice> = which.iter().flat_map(|at| level[*at].splices()).collect();
            splices.sort_by_key(|splice| std::cmp::Reverse(splice.at.start));
            for splice in splices {
                expected.splice(splice.at.start as usize..splice.at.end as usize, splice.with.iter().copied());
            }
            prop_assert_eq!(made(&text, &level, &which).expect("nothing of a level touches"), expected);
        }
    }
}

/// Every `(copy x)` by `x x`, which makes it larger when the word is long.
fn copies(subject: &Subject) -> Proposals {
    edits_of(subject, |text| {
        let word = text.strip_prefix(b"(copy ")?.strip_suffix(b")")?;
        Some([word, b" ", word].concat())
    })
}

/// Every word by `w`.
fn words(subject: &Subject) -> Proposals {
    edits_of(subject, |text| (text != b"w" && text.iter().all(u8::is_ascii_alphanumeric)).then(|| b"w".to_vec()))
}

fn edits_of(subject: &Subject, with: impl Fn(&[u8]) -> Option<Vec<u8>>) -> Proposals {
    let tree = subject.trees().iter();
    let nodes = tree.flat_map(|tree| (1..tree.len()).map(move |at| tree.range(at)));
    let edits = nodes.filter_map(|range| Edit::replace(range.clone(), &with(subject.text(range))?));
    levels(edits).into_iter().map(|level| Edits(level.into()).into()).collect()
}

fn kind(name: &'static str, outline: fn(&Subject) -> Proposals) -> Pass {
    Pass::rewriting(name, "", 0.5, outline)
}

fn plan(names: &[&str]) -> Plan {
    let kinds = names.iter().map(|name| Pass::named(name).unwrap()).collect();
    Plan::new(kinds, Method::Relevance).with_grammars(Arc::new(Lisp))
}

/// The result, without the white space that a list's items do not take with them.
fn text_of(reduction: &Reduction) -> String {
    let text = String::from_utf8(reduction.best().artifact().bytes().to_vec()).unwrap();
    text.split_whitespace().collect::<Vec<_>>().join(" ").replace(" )", ")")
}

const PROGRAM: &[u8] = b"(define (f a b) (plus a (times b c)))\n(define g (f (f one two) three))\n(print (g x))\n";

#[test]
fn a_tree_is_searched_and_never_broken() {
    let oracle = |candidate: &Candidate| {
        let artifact = candidate.artifact();
        assert!(Lisp.parse(std::path::Path::new(""), artifact.bytes()).is_some(), "only what parses is tried");
        fails_if(has(artifact.bytes(), b"(times"))
    };
    use reduct_input::Grammars;
    let end = laws::check(Reduction::new(file(PROGRAM), plan(&["nodes", "hoist"])), oracle, 500);
    assert_eq!(text_of(&end), "(times)");
}

#[test]
fn hoisting_finds_what_is_wrapped() {
    let oracle = |candidate: &Candidate| fails_if(has(candidate.artifact().bytes(), b"times"));
    let end = laws::check(Reduction::new(file(b"((((times)))) "), plan(&["hoist"])), oracle, 500);
    assert_eq!(text_of(&end).trim(), "times");
}

/// Fails as long as the secret is there twice; the copy has to be made before the rest can go.
fn needs_two(candidate: &Candidate) -> Outcome {
    let artifact = candidate.artifact();
    let text = artifact.bytes();
    let twice = text.windows(6).filter(|word| word == b"secret").count() == 2;
    let copied = has(text, b"(copy secret)") && has(text, b"helper");
    fails_if(twice || copied)
}

#[test]
fn what_grows_is_tried_and_kept_if_it_ends_smaller() {
    let growing = vec![kind("copies", copies)];
    let with = Plan { growing, ..plan(&["nodes"]) };
    let text = b"(helper that is long) (copy secret) (rest)";
    let end = laws::check(Reduction::new(file(text), plan(&["nodes"])), needs_two, 500);
    assert_eq!(text_of(&end), "(helper) (copy secret)");
    let end = laws::check(Reduction::new(file(text), with), needs_two, 500);
    assert_eq!(text_of(&end), "secret secret");
}

#[test]
fn what_grows_and_leads_nowhere_is_undone() {
    let oracle = |candidate: &Candidate| fails_if(has(candidate.artifact().bytes(), b"longword"));
    let keeps = |candidate: &Candidate| {
        let artifact = candidate.artifact();
        let text = artifact.bytes();
        fails_if(text == b"(copy longword)" || text == b"longword longword")
    };
    for (oracle, expected) in [(&oracle as &dyn Fn(&Candidate) -> Outcome, "longword"), (&keeps, "(copy longword)")] {
        let plan = Plan { growing: vec![kind("copies", copies)], ..plan(&["nodes", "hoist"]) };
        let end = laws::check(Reduction::new(file(b"(copy longword)"), plan), oracle, 500);
        assert_eq!(text_of(&end), expected);
    }
}

#[test]
fn the_normal_form_comes_last_and_once() {
    let plan = Plan { normal: vec![kind("words", words)], ..plan(&["nodes"]) };
    let oracle = |candidate: &Candidate| {
        let artifact = candidate.artifact();
        fails_if(artifact.bytes().iter().filter(|byte| **byte == b'(').count() >= 2)
    };
    let end = laws::check(Reduction::new(file(b"(a (b c)) (d)"), plan), oracle, 500);
    assert_eq!(text_of(&end).matches('(').count(), 2);
    assert!(!text_of(&end).contains(|c: char| c.is_ascii_alphanumeric() && c != 'w'), "{}", text_of(&end));
}

#[test]
fn a_name_is_found_by_what_it_is() {
    let subject = Subject::new(Arc::new(file(PROGRAM)), Some(Arc::new(Lisp)));
    let tree = &subject.trees()[0];
    let names = (0..tree.len()).filter(|at| tree.is(*at, Class::NAME)).count();
    assert_eq!(names, 19);
    let end = run(Reduction::new(file(b""), plan(&["nodes"])), |_| Outcome::Pass);
    assert!(end.ask().is_none());
}

#[test]
fn a_long_text_is_read_once_it_has_failed() {
    use reduct_input::Grammars;
    let text: String = (0..3000).map(|n| format!("(define w{n}\n  (f one)\n two)\n")).collect();
    let text = text.replace("(define w2100\n", "(define times\n");
    let parses = |candidate: &Candidate| Lisp.errors(std::path::Path::new(""), candidate.artifact().bytes()) == Some(0);
    let mut reduction = Reduction::new(file(text.as_bytes()), plan(&["lines"]));
    let mut refused = 0;
    while let Some(candidate) = reduction.ask() {
        if reduction.phase().is_none_or(|phase| phase.round > 1) || reduction.best().len() <= 1 << 15 {
            break;
        }
        let (before, fails) = (reduction.best().len(), has(candidate.artifact().bytes(), b"times"));
        reduction.tell(fails_if(fails));
        assert!(parses(&reduction.best()), "what breaks the text comes last");
        if fails && !parses(&candidate) {
            assert_eq!(reduction.best().len(), before);
            refused += 1;
        }
    }
    assert!(refused > 0 && reduction.best().len() < text.len() / 2, "{refused}, {}", reduction.best().len());
}
