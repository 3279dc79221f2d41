//! Trees of the stock programs.

use crate::support::{Stock, parts, replaced, shown, stock};
use reduct_grammars::{LANGUAGES, Languages, grammar_of, language_of};
use reduct_input::{Grammars, Role};
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::Path;

#[test]
fn stock_programs_follow_their_languages() {
    let mut bad = vec![];
    for stock in stock() {
        assert_eq!(Languages::all().of(&stock.path, &stock.text).map(|l| l.name), Some(stock.language.name));
        let errors = stock.errors(&stock.text);
        if errors > 0 {
            let tree = stock.tree();
            let shown = shown(&tree, &stock.text);
            let lines: Vec<_> = shown.lines().filter(|line| line.contains(" Error ")).collect();
            bad.push(format!("{}: {errors} {lines:?}", stock.language.name));
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

#[test]
fn nodes_are_nested_and_ascend() {
    for stock in stock() {
        let tree = stock.tree();
        assert_eq!((tree.range(0), tree.node(0).after as usize), (0..stock.text.len() as u32, tree.len()));
        assert_eq!((tree.node(0).role, tree.parent(0)), (Role::Root, None));
        for at in 0..tree.len() {
            let mut end = tree.range(at).start;
            let mut next = at + 1;
            for child in tree.children(at) {
                assert_eq!((tree.parent(child), child), (Some(at), next), "{}", stock.language.name);
                assert!(tree.range(child).start >= end && tree.range(child).end <= tree.range(at).end);
                end = tree.range(child).end;
                next = tree.node(child).after as usize;
            }
            assert_eq!(next, tree.node(at).after as usize);
        }
    }
}

/// What may go, alone and with its separator, leaves a text that follows its language: mostly. A rule that
/// says otherwise too often costs no runs, but time.
#[test]
fn what_can_go_mostly_can() {
    let mut bad = vec![];
    for stock in stock() {
        let (mut good, mut all) = (0, 0);
        let mut failed: BTreeMap<String, usize> = BTreeMap::new();
        for (part, gone, without) in parts(&stock.path, &stock.text, stock.grammars()).into_iter().flatten() {
            all += 1;
            if stock.errors(&without) == 0 {
                good += 1;
            } else {
                let part: String = part.chars().take(60).collect();
                *failed.entry(format!("{} {part:?}", what(&stock, &gone))).or_default() += 1;
            }
        }
        let mut failed: Vec<_> = failed.into_iter().collect();
        failed.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
        let worst: Vec<_> = failed.iter().take(30).map(|(what, count)| format!("   {count} {what}")).collect();
        if good * 10 < all * 7 {
            bad.push(format!("{} {good}/{all}\n{}", stock.language.name, worst.join("\n")));
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

/// What begins at an address and can go, and what it is in.
fn what(stock: &Stock, gone: &Range<u32>) -> String {
    let tree = stock.tree();
    let can_go = |at: &usize| matches!(tree.node(*at).role, Role::Item | Role::ItemOfMany | Role::Optional);
    let at = (1..tree.len()).filter(can_go).find(|at| tree.range(*at).start >= gone.start).unwrap_or(1);
    let parent = tree.parent(at).unwrap_or(0);
    format!("{} [{}] {} {:?}", tree.kind(parent), tree.field(at), tree.kind(at), tree.node(at).role)
}

/// Each of the shortest texts can stand for some node that it says it can stand for, if there is one.
#[test]
fn shortest_texts_can_stand() {
    let mut bad = vec![];
    for stock in stock() {
        let tree = stock.tree();
        let texts =
            stock.language.shortest.iter().flat_map(|(name, texts)| texts.iter().map(move |text| (name, *text)));
        for (name, text) in texts {
            let all: Vec<_> = (1..tree.len()).filter(|at| tree.shortest(*at).iter().any(|own| own == text)).collect();
            let stands = |at: &usize| stock.errors(&replaced(&stock.text, tree.range(*at), text.as_bytes())) == 0;
            if !all.is_empty() && !all.iter().any(stands) {
                bad.push(format!("{}: {text:?} stands for no {name} of {}", stock.language.name, all.len()));
            }
        }
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

/// The files of languages name what there is.
#[test]
fn names_are_of_the_grammar() {
    let mut bad = vec![];
    for language in LANGUAGES {
        let grammar = grammar_of(language);
        let kinds = language.classes.iter().map(|(name, _)| *name);
        let kinds = kinds.chain(language.shortest.iter().map(|(name, _)| *name));
        let kinds = kinds.chain(language.roles.iter().flat_map(|(parent, _, child, _)| [*parent, *child]));
        let kinds = kinds.filter(|name| !name.ends_with('*'));
        // Some lists are those of the language that a language extends.
        let extended = ["c", "javascript"].map(|name| LANGUAGES.iter().find(|language| language.name == name));
        let extended: Vec<_> = extended.into_iter().flatten().map(|language| grammar_of(language)).collect();
        let is_known = |name: &str| grammar.kind(name).or(extended.iter().find_map(|other| other.kind(name))).is_some();
        let unknown = kinds.filter(|name| !name.is_empty() && *name != "jsx_namespace_name" && !is_known(name));
        bad.extend(unknown.map(|name| format!("{}: {name}", language.name)));
        let fields = language.roles.iter().map(|(_, field, ..)| *field);
        let unknown = fields.filter(|name| !name.is_empty() && grammar.field(name).is_none());
        bad.extend(unknown.map(|name| format!("{}: [{name}]", language.name)));
    }
    assert!(bad.is_empty(), "{}", bad.join("\n"));
}

#[test]
fn languages_are_guessed() {
    let guessed = |path: &str, text: &str| language_of(Path::new(path), text.as_bytes()).map(|language| language.name);
    assert_eq!(guessed("a.h", "struct s;\n"), Some("c"));
    assert_eq!(guessed("a.h", "#pragma once\n  namespace a {}\n"), Some("cpp"));
    assert_eq!(guessed("a.C", ""), Some("cpp"));
    assert_eq!(guessed("A.PY", ""), Some("python"));
    assert_eq!(guessed("run", "#!/usr/bin/env python3.11 -u\n"), Some("python"));
    assert_eq!(guessed("run", "#!/bin/sh\n"), Some("bash"));
    assert_eq!(guessed("input", "\u{feff} <!DOCTYPE HTML>"), Some("html"));
    assert_eq!(guessed("input", "<?xml version=\"1.0\"?>"), Some("xml"));
    assert_eq!(guessed("input", "int main() {}"), None);
    assert_eq!(guessed("a.txt", ""), None);
    assert!(Languages::only("python").is_some() && Languages::only("elvish").is_none());
    let forced = Languages::only("json").unwrap();
    assert_eq!(forced.errors(Path::new("a.c"), b"[1, 2]"), Some(0));
}
