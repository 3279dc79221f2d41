//! The passes against what their own documents show, against cases by hand, and against the laws.
//!
//! The document of a pass, at the head of its file, has two blocks, `## Before` and `## After`: some of the
//! edits of one level, made together, must turn the one into exactly the other. Further cases are
//! `fixtures/passes/<pass>/<case>.<extension>`, with the sections `=== before` and `=== after`; what stands before these is
//! what the failure says, as is the block `## The message`. Files of a folder stand after lines `==> NAME <==`.

use crate::support::{grammars, root};
use proptest::prelude::*;
use reduct_core::{Config, Delta};
use reduct_input::parts::{Edits, ItemSets, Items, Roots};
use reduct_input::{Artifact, ArtifactBuilder, Circumstances, Edit, Parts, Spans, Splice, Subject};
use reduct_passes::{Pass, Proposals, Stage};
use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// How many decisions are made about the edits of a level before it is given up.
const PATIENCE: usize = 200_000;

#[test]
fn every_pass_does_what_its_document_shows() {
    let mut wrong = vec![];
    for pass in Pass::documented() {
        let text = std::fs::read_to_string(file_of(&pass)).unwrap();
        let (language, before) = block(&text, "## Before").unwrap_or_else(|| panic!("{}: no ## Before", pass.name));
        let (_, after) = block(&text, "## After").unwrap_or_else(|| panic!("{}: no ## After", pass.name));
        for heading in ["## What it tries", "## When it helps"] {
            assert!(text.contains(&format!("//! {heading}\n")), "{}: no {heading}", pass.name);
        }
        let said = block(&text, "## The message").map_or_else(String::new, |(_, message)| message);
        let file = format!("case.{}", extension(&language));
        // A block ends with a line end, which a pass may remove, too.
        let ends = [&*after, after.trim_end_matches('\n')];
        let [whole, open] = ends.map(|after| what_is_wrong(&pass, (pass.name, &file), &said, &before, after));
        wrong.extend(whole.filter(|_| open.is_some()));
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn every_case_by_hand() {
    let mut wrong = vec![];
    for folder in files_in(&root().join("fixtures/passes")) {
        let pass = named(&folder);
        for case in files_in(&folder) {
            let text = std::fs::read_to_string(&case).unwrap();
            let (said, before) = text.split_once("=== before\n").expect("a case begins with === before");
            let (before, after) = before.split_once("=== after\n").expect("a case has === after");
            let name = case.file_name().unwrap().to_str().unwrap();
            wrong.extend(what_is_wrong(&pass, (&format!("{}/{name}", pass.name), name), said, before, after));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n\n"));
}

#[test]
fn every_pass_keeps_the_laws_on_every_language() {
    for path in files_in(&root().join("fixtures/languages")).into_iter().filter(|path| path.is_file()) {
        let (name, text) = (path.file_name().unwrap().to_str().unwrap(), std::fs::read(&path).unwrap());
        let mut two = ArtifactBuilder::default();
        two.file(name, 0o644, &text).unwrap().file(format!("x/{name}"), 0o644, &text).unwrap();
        check_laws(&two.finish());
    }
}

#[test]
fn what_goes_takes_no_blanks_of_the_next_file_or_the_one_before() {
    for [first, second] in [[&b"A\0AA"[..], b"\t"], [b"int a;\n  ", b"int b;\n"], [b"int a;\n", b"\n int b;"]] {
        let mut two = ArtifactBuilder::default();
        two.file("x.c", 0o644, first).unwrap().file("x/x.c", 0o644, second).unwrap();
        check_laws(&two.finish());
    }
}

#[test]
fn files_that_go_as_a_whole_are_two_changes() {
    let mut two = ArtifactBuilder::default();
    two.file("x.smt2", 0o644, b"#").unwrap().file("x/x.smt2", 0o644, b"0##").unwrap();
    check_laws(&two.finish());
}

/// White space that goes leaves the grammar the same tokens: what it reads has the same kinds, and the same texts but for white space.
#[test]
fn tokens_stay_without_blanks() {
    let pass = Pass::documented().find(|pass| pass.name == "blank").unwrap();
    let fixtures = files_in(&root().join("fixtures/languages")).into_iter().filter(|path| path.is_file());
    let by_hand = [
        ("x.smt2", "(assert (= a #x00000002))\n(check-sat)"),
        ("x.js", "a\n(b)\nreturn\n[c]"),
        ("x.rb", "f -1\ng [2]\nh (3)"),
        ("x.py", "if a: b = (1)\n(c)"),
        ("x.css", "a .b > #c { d : e f }"),
        ("x.sh", "a (\n) { [ -f $x ] && b 2 > c ; }"),
    ];
    let texts =
        fixtures.map(|path| (path.file_name().unwrap().to_str().unwrap().to_owned(), std::fs::read(&path).unwrap()));
    for (name, text) in texts.chain(by_hand.map(|(name, text)| (name.to_owned(), text.as_bytes().to_vec()))) {
        let subject = subject(Artifact::of_file(&name, &text).unwrap());
        let outline = (pass.propose)(&subject);
        let all: Vec<Edit> =
            outline.iter().flat_map(|spans| edits(&pass, subject.artifact(), spans).into_owned()).collect();
        let mut gone = vec![false; text.len()];
        for splice in all.iter().filter(|edit| edit.splices().len() == 1).map(|edit| &edit.splices()[0]) {
            let is_indentation = splice.at.start > 0 && text[splice.at.start as usize - 1] == b'\n';
            if splice.with.is_empty() && !is_indentation {
                gone[splice.at.start as usize..splice.at.end as usize].fill(true);
            }
        }
        if name.ends_with(".py") {
            let ends = (0..text.len() - 1).filter(|at| text[*at..].starts_with(b"\n(c)"));
            assert!(ends.into_iter().all(|at| !gone[at]), "{name}: a line end is a token");
        }
        let without: Vec<u8> = text.iter().zip(gone).filter(|(_, gone)| !gone).map(|(byte, _)| *byte).collect();
        assert_eq!(tokens(&name, &text), tokens(&name, &without), "{name}: {}", String::from_utf8_lossy(&without));
    }
}

/// The kinds of all that has nothing in it, with their texts without white space.
fn tokens(name: &str, text: &[u8]) -> Option<Vec<(String, String)>> {
    let tree = grammars().parse(Path::new(name), text)?;
    let leaves = (1..tree.len()).filter(|at| tree.node(*at).after as usize == at + 1);
    let token = |at: usize| {
        let range = tree.range(at);
        let text = String::from_utf8_lossy(&text[range.start as usize..range.end as usize]);
        (tree.kind(at).to_owned(), text.split_whitespace().collect::<String>())
    };
    Some(leaves.map(token).filter(|(_, text)| !text.is_empty()).collect())
}

/// Each term is in the one before, and equal to a constant that stands in it once more.
#[test]
fn what_is_put_in_places_of_constants_does_not_grow_with_depth() {
    let put = |pass: &str, depth: usize| -> usize {
        let declared: String = (0..depth).map(|at| format!("(declare-const x{at} Bool)\n")).collect();
        let begun: String = (0..depth).map(|at| format!("(and x{at} (= x{at} ")).collect();
        let text = declared + "(assert " + &begun + "true" + &"))".repeat(depth) + ")";
        let subject = subject(Artifact::of_file("x.smt2", text.as_bytes()).unwrap());
        let pass = Pass::documented().find(|it| it.name == pass).unwrap();
        let of = |spans: &Spans| edits(&pass, subject.artifact(), spans).to_vec();
        let edits: Vec<Edit> = (pass.propose)(&subject).iter().flat_map(of).collect();
        edits.iter().flat_map(Edit::splices).map(|splice| splice.with.len()).sum()
    };
    let (some, many) = (put("smt-equalities", 500), put("smt-equalities", 1000));
    assert!(some > 0 && many < 2 * some, "{some} bytes, {many} if twice as deep");
}

#[test]
fn nothing_has_no_edits() {
    for name in ["x", "x.c", "x.py", "x.html"] {
        let subject = subject(Artifact::of_file(name, b"").unwrap());
        assert!(Pass::of(Stage::Rewrite).all(|pass| (pass.propose)(&subject).is_empty()));
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 96, ..ProptestConfig::default() })]

    #[test]
    fn every_pass_keeps_the_laws_on_any_bytes(
        name in prop::sample::select(vec!["x", "x.c", "x.cpp", "x.py", "x.js", "x.rs", "x.json", "x.html", "x.smt2"]),
        bytes in prop::collection::vec(any::<u8>(), 0..200),
        lively in "[ \n\t(){}<>\\[\\],;:=\"'/*#&.+a-c0-9-]{0,200}",
    ) {
        let mut two = ArtifactBuilder::default();
        two.file(name, 0o644, &bytes).unwrap().file(format!("x/{name}"), 0o644, lively.as_bytes()).unwrap();
        check_laws(&two.finish());
    }
}

/// A class in a short file, its methods and its constructor used in a longer one: each edit is of nodes of its own file.
#[test]
fn a_class_that_a_longer_file_uses() {
    let cases = [
        ("js", "class A { f() { return 1; } }", "x.f(); new A(1);"),
        ("py", "class A:\n def __init__(self, a): self.a = a\n", "A(1).f()"),
        ("py", "class A:\n def f(self): self.g(1)\n", "A(1).f()"),
        ("rb", "class A\n def f\n  1\n end\nend\n", "A.new(1).f"),
        ("php", "<?php class A { function f() { return 1; } }", "$x->f(); new A(1);"),
    ];
    for (extension, class, uses) in cases {
        let begin = if extension == "php" { "<?php " } else { "" };
        let longer = format!("{begin}{}{uses}\n", "q(1);\n".repeat(40));
        let mut two = ArtifactBuilder::default();
        two.file(format!("a.{extension}"), 0o644, class.as_bytes()).unwrap();
        two.file(format!("b.{extension}"), 0o644, longer.as_bytes()).unwrap();
        check_laws(&two.finish());
    }
}

/// Its edits shrink, change no two files in one place, and within a level do not touch; and they are always the
/// same.
fn check_laws(artifact: &Artifact) {
    let subject = subject(artifact.clone());
    let files: Vec<_> = artifact.files().map(|(_, addresses, _)| addresses).collect();
    for pass in Pass::documented().filter(|pass| pass.stage != Stage::Normalise) {
        let outline = (pass.propose)(&subject);
        let all =
            |levels: &Proposals| levels.iter().map(|spans| edits(&pass, artifact, spans).to_vec()).collect::<Vec<_>>();
        assert_eq!(all(&outline), all(&(pass.propose)(&subject)), "{}: the same twice", pass.name);
        for spans in &outline {
            let edits = edits(&pass, artifact, spans);
            assert!(!edits.is_empty(), "{}: levels without edits are left out", pass.name);
            let mut taken = vec![];
            for edit in edits.iter() {
                assert!(edit.shrinks(artifact), "{}: {edit:?} shrinks", pass.name);
                let within = |at: &Range<u32>| files.iter().any(|file| file.start <= at.start && at.end <= file.end);
                let each = edit.splices().iter().all(|splice| within(&splice.at));
                assert!(each, "{}: each change of {edit:?} is within one file", pass.name);
                taken.extend(edit.splices().iter().map(|splice| (splice.at.start, splice.at.end)));
            }
            taken.sort_unstable();
            // A part may be in several sets.
            let are_sets = has_parts_in_common(spans);
            let are_apart = are_sets || taken.windows(2).all(|two| two[0].1 <= two[1].0);
            assert!(are_apart, "{}: no two edits touch", pass.name);
            if are_sets {
                let parts = Parts::new(Arc::new(artifact.clone()), spans.clone());
                let size = parts.size(&Config::full(parts.len()));
                assert!(size <= artifact.bytes().len(), "{}: what sets have in common counts once", pass.name);
            }
        }
    }
}

/// Why no edits of one level make the one text of the other where the failure says this; `None` if some do.
fn what_is_wrong(pass: &Pass, (name, file): (&str, &str), said: &str, before: &str, after: &str) -> Option<String> {
    let bytes = |text: &str| if file.ends_with(".hex") { decoded(text) } else { text.as_bytes().to_vec() };
    let artifact = |text: &str| match text.starts_with("==> ") {
        true => folder_of(text),
        false => Artifact::of_file(file, &bytes(text)).expect("a case is small"),
    };
    let (artifact, wanted) = (Arc::new(artifact(before)), artifact(after));
    let said: Vec<String> = said.lines().map(str::to_owned).collect();
    let outline = (pass.propose)(&Subject::new(artifact.clone(), Some(grammars())).with_said(said.into()));
    for spans in &outline {
        let edits = edits(pass, &artifact, spans);
        let parts = Parts::new(artifact.clone(), spans.clone());
        let made = if has_parts_in_common(spans) {
            // One alone makes it, or all of them.
            let makes = |at: &usize| which(&edits[*at..=*at], artifact.bytes(), wanted.bytes()) == Some(vec![0]);
            let all = || (0..parts.len() as u32).collect();
            (0..edits.len()).find(makes).map(|at| if at < parts.len() { vec![at as u32] } else { all() })
        } else {
            which(&edits, artifact.bytes(), wanted.bytes())
        };
        let Some(made) = made else { continue };
        let config = Config::full(parts.len()).minus(&Config::from_deltas(made.into_iter().map(Delta)));
        let candidate = parts.candidate(&config).expect("edits of a level can be made together");
        let (made, wanted) = (candidate.artifact(), &wanted);
        let names = |artifact: &Artifact| artifact.entries().iter().map(|entry| entry.path.clone()).collect::<Vec<_>>();
        assert_eq!((made.bytes(), names(&made)), (wanted.bytes(), names(wanted)), "{name}");
        return None;
    }
    let offers: Vec<String> = outline
        .iter()
        .enumerate()
        .flat_map(|(level, spans)| {
            edits(pass, &artifact, spans).into_owned().into_iter().map(move |edit| (level, edit))
        })
        .map(|(level, edit)| format!("{level}: {}", show(&edit, artifact.bytes())))
        .collect();
    Some(format!("{name}: no edits of a level make\n{after}of\n{before}but there are\n{}", offers.join("\n")))
}

/// A folder of several files, each after a line with its name.
fn folder_of(text: &str) -> Artifact {
    let mut folder = ArtifactBuilder::default();
    for file in text.split("==> ").skip(1) {
        let (name, text) = file.split_once(" <==\n").expect("a name stands on a line of its own");
        folder.file(format!("folder/{name}"), 0o644, text.as_bytes()).expect("a case is small");
    }
    folder.finish()
}

/// The bytes that hexadecimal numbers name.
fn decoded(text: &str) -> Vec<u8> {
    text.split_whitespace().map(|byte| u8::from_str_radix(byte, 16).expect("a byte in hexadecimal digits")).collect()
}

/// Which edits, made together, turn the one text into the other.
fn which(edits: &[Edit], before: &[u8], after: &[u8]) -> Option<Vec<u32>> {
    let mut splices: Vec<(&Splice, usize)> =
        edits.iter().enumerate().flat_map(|(at, edit)| edit.splices().iter().map(move |s| (s, at))).collect();
    splices.sort_by_key(|(splice, _)| splice.at.start);
    let mut choices: BTreeMap<usize, bool> = BTreeMap::new();
    let mut patience = PATIENCE;
    let found = agree(&splices, before, 0, after, &mut choices, &mut patience);
    found.then(|| choices.into_iter().filter_map(|(at, made)| made.then_some(at as u32)).collect())
}

/// Decides splice by splice, as long as what has come of it is what is wanted.
fn agree(
    splices: &[(&Splice, usize)],
    before: &[u8],
    at: usize,
    wanted: &[u8],
    choices: &mut BTreeMap<usize, bool>,
    patience: &mut usize,
) -> bool {
    *patience = patience.saturating_sub(1);
    let Some(((splice, edit), rest)) = splices.split_first() else { return &before[at..] == wanted };
    // Two may have white space between them in common.
    let between = before.get(at..splice.at.start as usize);
    let Some(wanted) = between.and_then(|between| wanted.strip_prefix(between)) else { return false };
    let known = choices.get(edit).copied();
    for made in [true, false] {
        if *patience == 0 || known.is_some_and(|known| known != made) {
            continue;
        }
        let piece = if made { &splice.with } else { &before[splice.at.start as usize..splice.at.end as usize] };
        let Some(wanted) = wanted.strip_prefix(piece) else { continue };
        choices.insert(*edit, made);
        if agree(rest, before, splice.at.end as usize, wanted, choices, patience) {
            return true;
        }
        if known.is_none() {
            choices.remove(edit);
        }
    }
    false
}

fn show(edit: &Edit, text: &[u8]) -> String {
    let splice = |splice: &Splice| {
        let from = String::from_utf8_lossy(&text[splice.at.start as usize..splice.at.end as usize]);
        format!("{:?} -> {:?}", from, String::from_utf8_lossy(&splice.with))
    };
    edit.splices().iter().map(splice).collect::<Vec<_>>().join(" and ")
}

fn edits<'a>(pass: &Pass, artifact: &Artifact, spans: &'a Spans) -> Cow<'a, [Edit]> {
    let alone = |at: usize| Config::from_deltas([Delta(at as u32)]);
    if let Some(Edits(edits)) = spans.get::<Edits>() {
        return Cow::Borrowed(edits);
    }
    if let Some(sets) = spans.get::<ItemSets>() {
        let each = (0..sets.sets.len()).map(alone);
        return Cow::Owned(each.filter_map(|set| Edit::new(sets.leaving_out(artifact, &set))).collect());
    }
    if spans.get::<Items>().is_some() {
        let parts = Parts::new(Arc::new(artifact.clone()), spans.clone());
        let each = (0..parts.len()).map(|at| parts.changes(Delta(at as u32)).to_vec());
        return Cow::Owned(each.filter_map(Edit::new).collect());
    }
    let roots = spans.get::<Roots>().unwrap_or_else(|| panic!("{}: {spans:?} are no edits", pass.name));
    // More goes with all of them than with each.
    let some = (0..roots.roots.len()).map(alone).chain([Config::full(roots.roots.len())]);
    Cow::Owned(some.filter_map(|some| Edit::new(roots.leaving_out(artifact, &some))).collect())
}

fn has_parts_in_common(spans: &Spans) -> bool {
    spans.get::<ItemSets>().is_some() || spans.get::<Roots>().is_some()
}

fn subject(artifact: Artifact) -> Subject {
    Subject::new(Arc::new(artifact), Some(grammars())).with_said(["needle = 42".to_owned()].into())
}

/// The file of a pass: `c-arrays` is `rewrite/c/arrays.rs`, others are in `rewrite/any` or `events`.
fn file_of(pass: &Pass) -> PathBuf {
    let source = root().join("crates/reduct-passes/src");
    let name = pass.name.replace('-', "_");
    let of_language = name.split_once('_').map(|(language, name)| source.join("rewrite").join(language).join(name));
    let others = ["rewrite/any", "events"].map(|folder| source.join(folder).join(&name));
    let mut files = of_language.into_iter().chain(others).map(|path| path.with_extension("rs"));
    files.find(|path| path.is_file()).unwrap_or_else(|| panic!("{}: there is no file of this name", pass.name))
}

/// The pass that a folder is named after.
fn named(path: &Path) -> Pass {
    let name = path.file_stem().and_then(|name| name.to_str()).expect("names are plain");
    let with = name.replace('_', "-");
    let pass = Pass::documented().find(|pass| pass.name == name || pass.name == with);
    pass.unwrap_or_else(|| panic!("{}: there is no pass of this name", path.display()))
}

/// The language and the text of the code block after a heading of a document at the head of a file.
fn block(file: &str, heading: &str) -> Option<(String, String)> {
    let document: Vec<&str> = file
        .lines()
        .map_while(|line| line.strip_prefix("//!"))
        .map(|line| line.strip_prefix(' ').unwrap_or(line))
        .collect();
    let mut lines =
        document.into_iter().skip_while(|line| *line != heading).skip_while(|line| !line.starts_with("```"));
    let language = lines.next()?.trim_start_matches('`').to_owned();
    let text = lines.take_while(|line| *line != "```").map(|line| format!("{line}\n")).collect();
    Some((language, text))
}

/// What files of a language end in.
fn extension(language: &str) -> &str {
    match language {
        "python" => "py",
        "javascript" => "js",
        "typescript" => "ts",
        "rust" => "rs",
        "ruby" => "rb",
        "bash" => "sh",
        "llvm" => "ll",
        "text" => "",
        other => other,
    }
}

/// What is in a folder, in the order of the names; nothing if there is no such folder.
fn files_in(folder: &Path) -> Vec<PathBuf> {
    let entries = std::fs::read_dir(folder).into_iter().flatten();
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.sort();
    paths
}
