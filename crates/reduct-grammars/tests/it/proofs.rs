//! What a finished reduction has proved of single tokens, against a naive reference: each token is removed, one after the other.

use crate::support::has;
use reduct_core::{Config, Delta, Outcome, Question, Search};
use reduct_grammars::Languages;
use reduct_input::{Artifact, ArtifactBuilder, Candidate, Circumstances, Grammars, Parts, Subject};
use reduct_passes::Pass;
use reduct_strategies::{Plan, Reduction};
use std::collections::BTreeSet;
use std::path::Path;
use std::sync::Arc;

/// A program of many statements, of which 35 are needed.
fn program() -> Vec<u8> {
    let line = |at: usize| format!("  f{at}({at}, \"text {at}\");\n  g{at}({at});\n");
    format!("int main(void) {{\n{}}}\n", (10..45).map(line).collect::<String>()).into_bytes()
}

fn is_needed(text: &[u8]) -> bool {
    (10..45).all(|at| has(text, format!("f{at}(").as_bytes()))
}

fn errors(text: &[u8]) -> usize {
    Languages::all().errors(Path::new("a.c"), text).unwrap()
}

/// A finished reduction, and how many different candidates it asked about.
fn reduced(prove: bool, fails: impl Fn(&[u8]) -> bool) -> (Reduction, usize) {
    let plan = Plan { prove, ..Plan::standard() }.with_grammars(Arc::new(Languages::all()));
    let mut reduction = Reduction::new(Artifact::of_file("a.c", &program()).unwrap(), plan);
    let mut asked = BTreeSet::new();
    while let Some(candidate) = reduction.ask() {
        asked.insert(candidate.key());
        reduction.tell(if fails(candidate.artifact().bytes()) { Outcome::Fail } else { Outcome::Unresolved });
    }
    (reduction, asked.len())
}

/// Returns what is left without each single token of a result.
fn without_each_token(best: &Candidate) -> Vec<Vec<u8>> {
    let base = Arc::new(best.artifact());
    let subject = Subject::new(base.clone(), Some(Arc::new(Languages::all())));
    let [tokens] = (Pass::named("tokens").unwrap().propose)(&subject).try_into().unwrap();
    let parts = Parts::new(base, tokens);
    let without = |at| parts.candidate(&Config::full(parts.len()).minus(&Config::from_deltas([Delta(at)]))).unwrap();
    (0..parts.len() as u32).map(|at| without(at).artifact().bytes().to_vec()).collect()
}

/// Returns whether the reduction says of its tokens only that none can go that leaves a text that parses.
fn is_limited(reduction: &Reduction) -> bool {
    reduction.tried_plan().passes.iter().any(|pass| pass.name == "tokens" && pass.must_parse)
}

/// Checks what is said of tokens, one by one.
fn check_tokens(reduction: &Reduction, fails: impl Fn(&[u8]) -> bool) {
    let best = reduction.best();
    assert!(fails(best.artifact().bytes()));
    let before = errors(best.artifact().bytes());
    for smaller in without_each_token(&best) {
        let is_claimed = !is_limited(reduction) || errors(&smaller) <= before;
        assert!(!is_claimed || !fails(&smaller), "{}", String::from_utf8_lossy(&smaller));
    }
}

#[test]
fn where_nothing_broken_fails_few_such_are_asked_and_with_prove_all() {
    let fails = |text: &[u8]| is_needed(text) && errors(text) == 0;
    let (quick, few) = reduced(false, fails);
    let (thorough, many) = reduced(true, fails);
    assert_eq!(quick.best().artifact().bytes(), thorough.best().artifact().bytes());
    assert!(is_limited(&quick) && !is_limited(&thorough));
    let tokens = without_each_token(&thorough.best()).len();
    assert!(few + tokens / 2 < many, "{few} {many}");
    check_tokens(&quick, fails);
    check_tokens(&thorough, fails);
}

/// Tokens of the same text that are needed in some places are not asked about in all of them.
#[test]
fn where_something_broken_fails_tokens_of_each_text_are_asked_about() {
    let ((quick, _), (thorough, _)) = (reduced(false, is_needed), reduced(true, is_needed));
    assert_eq!(quick.best().key(), thorough.best().key());
    assert!(is_limited(&quick) && !is_limited(&thorough));
    check_tokens(&quick, is_needed);
    check_tokens(&thorough, is_needed);
}

/// Broken texts fail by chance: some tests are found out to be such, some are not.
#[test]
fn what_is_said_holds_whatever_fails() {
    let (mut limited, mut others) = (0, 0);
    for (seed, prove) in (0..6u64).map(|seed| (seed, seed == 0)) {
        let fails = |text: &[u8]| {
            let hash = text.iter().fold(seed, |hash, byte| (hash ^ u64::from(*byte)).wrapping_mul(0x0100_0000_01b3));
            is_needed(text) && (errors(text) == 0 || (hash >> 20) % (8 << (seed % 6 * 2)) == 0)
        };
        let (reduction, _) = reduced(prove, fails);
        check_tokens(&reduction, fails);
        *if is_limited(&reduction) { &mut limited } else { &mut others } += 1;
    }
    assert!(limited > 0 && others > 0, "{limited} {others}");
}

/// A claim about characters says of which: each text, what it has in which characters are tried, and the bytes of that.
#[test]
fn characters_are_called_by_what_they_are_of() {
    let both = "characters of strings and comments";
    for (name, text, unit, tried) in [
        ("a.sql", "CREATE TABLE f(d,a,e REFERENCES t10(b));", None, ""),
        ("a.sql", "SELECT 'ab', 12;", Some("characters of strings"), "'ab'"),
        ("a.c", "int f; // ab", Some("characters of comments"), "// ab"),
        ("a.c", "char *f = \"ab\"; /* c */", Some(both), "\"ab\"/* c */"),
        ("a.js", "f = /ab/;", None, ""),
        ("a.html", "<b class=\"ab\" id=c>text</b>", Some("characters of strings"), "\"ab\""),
        ("a.xml", "<b c=\"ab\">text</b>", Some("characters of strings"), "\"ab\""),
        ("a.yaml", "a: plain\nb: 'ab'\n", Some("characters of strings"), "'ab'"),
        ("a.json", "{\"a\": 12}", Some("characters of strings"), "\"a\""),
        ("a.unknown", "ab 'c'", Some("characters"), "ab 'c'"),
    ] {
        let base = Arc::new(Artifact::of_file(name, text.as_bytes()).unwrap());
        let subject = Subject::new(base.clone(), Some(Arc::new(Languages::all())));
        let chars = Pass::named("chars").unwrap();
        let parts = (chars.propose)(&subject).into_iter().next().map(|spans| Parts::new(base, spans));
        assert_eq!(parts.is_some(), unit.is_some(), "{text}");
        if let (Some(parts), Some(unit)) = (parts, unit) {
            let at = |part| text.get(parts.addresses(Delta(part)).start as usize..).unwrap().chars().next().unwrap();
            assert_eq!((0..parts.len() as u32).map(at).collect::<String>(), tried);
            assert_eq!(chars.unit_in(&subject), unit, "{text}");
            assert!(chars.is_of_unit(unit) && chars.is_of_unit("characters"));
        }
    }
}

#[test]
fn characters_of_a_folder_are_also_those_of_texts_in_no_known_language() {
    let mut files = ArtifactBuilder::default();
    files.file("a.c", 0o644, b"char *f = \"a\";").unwrap().file("b.unknown", 0o644, b"b").unwrap();
    let subject = Subject::new(Arc::new(files.finish()), Some(Arc::new(Languages::all())));
    let unit = Pass::named("chars").unwrap().unit_in(&subject);
    assert_eq!(unit, "characters of strings and texts in no known language");
}

/// What a grammar reads has nodes; the words are of the other texts.
#[test]
fn words_of_a_folder_are_those_of_texts_in_no_known_language() {
    let mut files = ArtifactBuilder::default();
    files.file("Makefile", 0o644, b"OBJS = a.o b/c.o\n").unwrap().file("a.c", 0o644, b"int a, b;").unwrap();
    files.file("z", 0o644, b"last\tone").unwrap();
    let base = Arc::new(files.finish());
    let subject = Subject::new(base.clone(), Some(Arc::new(Languages::all())));
    let words = Pass::named("words").unwrap();
    assert_eq!(words.unit_in(&subject), "words of texts in no known language");
    let parts = Parts::new(base.clone(), (words.propose)(&subject).remove(0));
    let text = |part| String::from_utf8_lossy(base.slice(parts.addresses(Delta(part)))).into_owned();
    let all: Vec<String> = (0..parts.len() as u32).map(text).collect();
    assert_eq!(all, ["OBJS ", "= ", "a.o ", "b/c.o\n", "last\t", "one"]);
}
