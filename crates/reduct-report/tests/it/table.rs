use crate::fixture::whole;
use reduct_core::{Config, Ddmin, Form, Outcome, Question, Search, Split};
use reduct_input::{Artifact, Candidate};
use reduct_passes::Pass;
use reduct_report::{Row, Table};
use reduct_strategies::{Method, Plan, Reduction};
use serde_json::json;
use std::collections::HashSet;
use std::iter;
use std::sync::Arc;

const SELECT: &str = "<SELECT NAME=\"priority\" MULTIPLE SIZE=7>";

/// Fails if and only if `<SELECT[^>]*>` matches.
fn crashes(text: &str) -> bool {
    text.find("<SELECT").is_some_and(|at| text[at..].contains('>'))
}

fn text(candidate: &Candidate) -> String {
    String::from_utf8(candidate.artifact().bytes().to_vec()).unwrap()
}

fn input() -> Artifact {
    Artifact::of_file("select.html", SELECT.as_bytes()).unwrap()
}

/// The whole table of a search, sizes in bytes, and the candidates of its rows.
fn table<S: Search>(
    mut search: S,
    color: bool,
    candidate: impl Fn(S::Question) -> Candidate,
) -> (Vec<String>, Vec<Candidate>) {
    let mut table = Table::new(&candidate(search.best()), "bytes", color, 80);
    let (mut output, mut known, mut candidates, mut n) = (Vec::new(), HashSet::new(), Vec::new(), 0);
    table.input(&mut output).unwrap();
    while let Some(question) = search.ask() {
        n += 1;
        let candidate = candidate(question);
        let outcome = if crashes(&text(&candidate)) { Outcome::Fail } else { Outcome::Pass };
        let cached = !known.insert(candidate.key());
        table.row(&mut output, &Row { n, candidate: &candidate, size: candidate.len(), outcome, cached }).unwrap();
        candidates.push(candidate);
        search.tell(outcome);
    }
    let result = candidate(search.best());
    table.result(&mut output, &result, result.len()).unwrap();
    (String::from_utf8(output).unwrap().lines().map(str::to_owned).collect(), candidates)
}

/// The table of the book: ddmin over 40 characters.
fn example_5_8(color: bool) -> Vec<String> {
    let base = Arc::new(input());
    let search = Ddmin::new(Config::full(SELECT.len()), Form::Complements, Split::Book);
    table(search, color, |config| Candidate::new(base.clone(), Config::full(1), config, 0)).0
}

/// The first rows of the book's table, written by hand: 40 characters, halves, quarters, …
#[test]
fn example_5_8_looks_as_in_the_book() {
    let lines = example_5_8(false);
    let expected = [
        "Input:  <SELECT NAME=\"priority\" MULTIPLE SIZE=7>  (40) ✗",
        "     1  ····················ty\" MULTIPLE SIZE=7>  (20) ✓",
        "     2  <SELECT NAME=\"priori····················  (20) ✓",
        "     3  ··········ME=\"priority\" MULTIPLE SIZE=7>  (30) ✓",
        "     4  <SELECT NA··········ty\" MULTIPLE SIZE=7>  (30) ✗",
        "     5  ····················ty\" MULTIPLE SIZE=7>  (20) ✓ (again)",
        "     6  <SELECT NA····················LE SIZE=7>  (20) ✗",
        "     7  ······························LE SIZE=7>  (10) ✓",
        "     8  <SELECT NA······························  (10) ✓",
    ];
    assert_eq!(lines[..9], expected);
    // 48 tests, 8 of them repeated, between the input and the result.
    assert_eq!(lines.len(), 1 + 48 + 1);
    assert_eq!(lines.iter().filter(|line| line.ends_with("(again)")).count(), 8);
    assert_eq!(lines[49], format!("Result: <SELECT>{}   (8)", " ".repeat(32)));
}

#[test]
fn removed_text_is_grey() {
    let lines = example_5_8(true);
    assert_eq!(lines[2], "     2  <SELECT NAME=\"priori\x1b[90mty\" MULTIPLE SIZE=7>\x1b[0m  (20) ✓");
    let between = "     4  <SELECT NA\x1b[90mME=\"priori\x1b[0mty\" MULTIPLE SIZE=7>  (30) ✗";
    assert_eq!(lines[4], between);
}

/// Later phases make their candidates from new bases, and the rows still line up.
#[test]
fn rows_show_the_candidate_in_every_phase() {
    let kinds = ["words", "chars"].iter().filter_map(|name| Pass::named(name)).collect();
    let reduction = Reduction::new(input(), Plan::new(kinds, Method::Ddmin));
    let (lines, candidates) = table(reduction, false, |candidate| candidate);
    let bases: HashSet<_> = candidates.iter().map(|candidate| Arc::as_ptr(candidate.base())).collect();
    assert!(bases.len() > 1);
    for (line, candidate) in lines[1..].iter().zip(&candidates) {
        let shown: String = line.chars().skip(8).take(40).collect();
        assert_eq!(shown.replace('·', ""), text(candidate), "{line}");
        assert!(shown.chars().zip(SELECT.chars()).all(|(s, original)| s == '·' || s == original), "{line}");
    }
}

#[test]
fn wide_characters_keep_the_columns() {
    let base = Arc::new(Artifact::of_file("a", "a日本\x1bz\n".as_bytes()).unwrap());
    let whole = Candidate::whole(base.clone());
    let mut table = Table::new(&whole, "bytes", false, 80);
    let less = Candidate::new(base, Config::full(1), Config::from_ranges([0..1, 4..7, 8..9]), 0);
    let mut output = Vec::new();
    table.input(&mut output).unwrap();
    let row = Row { n: 1, candidate: &less, size: 5, outcome: Outcome::Unresolved, cached: false };
    table.row(&mut output, &row).unwrap();
    let expected = "Input:  a日本␛z⏎  (10) ✗\n     1  a··本·z·   (5) ?\n";
    assert_eq!(String::from_utf8(output).unwrap(), expected);
}

/// Of a text of many lines, what was removed is shown, from the best so far.
#[test]
fn larger_inputs_show_what_was_removed() {
    let contents = "first line\nsecond \x1b[2J line\nthird line\n".repeat(100);
    let base = Arc::new(Artifact::of_file("a", contents.as_bytes()).unwrap());
    let whole = Candidate::whole(base.clone());
    let of = |range| Candidate::new(base.clone(), Config::full(1), Config::from_ranges(iter::once(range)), 0);
    let (half, less) = (of(0..2000), of(11..2000));
    let mut table = Table::new(&whole, "bytes", false, 80);
    let mut output = Vec::new();
    table.input(&mut output).unwrap();
    for (n, candidate) in [(1, &half), (2, &less)] {
        let row = Row { n, candidate, size: candidate.len(), outcome: Outcome::Fail, cached: n == 2 };
        table.row(&mut output, &row).unwrap();
    }
    table.result(&mut output, &less, less.len()).unwrap();
    let text = String::from_utf8(output).unwrap();
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].starts_with("Input:  3,900 bytes: \"first line⏎second ␛[2J"), "{text}");
    assert!(lines[1].starts_with("     1  −1,900 bytes: \""), "{text}");
    assert!(lines[2].starts_with("     2  −11 bytes: \"first line⏎\" "), "{text}");
    assert!(lines[2].ends_with(" (1,989) ✗ (again)"), "{text}");
    assert!(lines[3].starts_with("Result: 1,989 bytes: \"second ␛[2J line⏎"), "{text}");
    assert!(lines.iter().all(|line| line.chars().count() <= 80), "{text}");
    assert!(!text.contains('\x1b'));
}

#[test]
fn rows_for_scripts_have_the_text_if_it_is_text() {
    let candidate = Candidate::whole(Arc::new(Artifact::of_file("a", b"<SELECT>").unwrap()));
    let row = Row { n: 48, candidate: &candidate, size: 8, outcome: Outcome::Fail, cached: false };
    let expected = json!({"n": 48, "size": 8, "outcome": "fail", "cached": false, "bytes": 8, "text": "<SELECT>"});
    assert_eq!(row.json(), expected);
    let evil = whole();
    assert!(Row { candidate: &evil, ..row }.json().get("text").is_none());
}
