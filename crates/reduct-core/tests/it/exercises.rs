//! The exercises and examples of the seeds, from `data/exercises.json`.

use crate::support::{ask_all, fails_if, holds, list, search};
use reduct_core::laws::assert_one_minimal;
use reduct_core::search::Minimiser;
use reduct_core::{Config, Ddmin, Delta, Form, Outcome, Question, Search, Split};
use serde::Deserialize;
use std::collections::HashSet;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Case {
    name: String,
    source: String,
    input: Input,
    fails_if: String,
    search: String,
    tests: Option<usize>,
    distinct: Option<usize>,
    sizes: Option<Vec<usize>>,
    outcomes: Option<String>,
    /// Which tests were run before, from 1.
    repeats: Option<Vec<usize>>,
    asked: Option<Vec<String>>,
    result: Option<String>,
    passing: Option<String>,
    passing_len: Option<usize>,
    failing_len: Option<usize>,
    difference: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Input {
    Text(String),
    List(Vec<String>),
}

/// What is varied: pieces of text. Nodes of a tree are written with spaces between them.
struct Subject {
    pieces: Vec<String>,
    between: &'static str,
}

impl Subject {
    fn text(&self, config: &Config) -> String {
        config.iter().map(|Delta(d)| self.pieces[d as usize].as_str()).collect::<Vec<_>>().join(self.between)
    }
}

/// `<SELECT[^>]*>`, as in Exercise 5.2 and the course.
fn has_select_tag(text: &str) -> bool {
    text.match_indices("<SELECT").any(|(at, _)| text[at..].contains('>'))
}

/// The course's function, with its defect: a double quote counts outside of tags too.
fn remove_html_markup(text: &str) -> String {
    let (mut tag, mut quote, mut out) = (false, false, String::new());
    for c in text.chars() {
        match c {
            '<' if !quote => tag = true,
            '>' if !quote => tag = false,
            '"' => quote = !quote,
            '\'' if tag => quote = !quote,
            c if !tag => out.push(c),
            _ => {}
        }
    }
    out
}

/// Figure 5.4: 0 is SELECT, 1 NAME with its value 1.1, 2 MULTIPLE, 3 SIZE with its value 3.1. An
/// attribute stands in the element, and neither it nor its value can be alone.
fn html_tree(text: &str) -> Outcome {
    let has = |node: &str| text.split(' ').any(|n| n == node);
    let feasible = has("1") == has("1.1") && has("3") == has("3.1");
    let rooted = has("0") || text.is_empty();
    if feasible && rooted { fails_if(has("0")) } else { Outcome::Unresolved }
}

fn judge(rule: &str, text: &str) -> Outcome {
    let count = |c| text.chars().filter(|&k| k == c).count();
    match rule.split_once(' ') {
        _ if rule == "select tag" => fails_if(has_select_tag(text)),
        _ if rule == "geegg" => fails_if(count('g') >= 3 || count('e') >= 2),
        _ if rule == "markup is left" => fails_if(remove_html_markup(text).contains('<')),
        _ if rule == "html tree" => html_tree(text),
        Some(("holds", needed)) => fails_if(needed.split(' ').all(|n| text.contains(n))),
        _ => panic!("no such rule: {rule}"),
    }
}

#[test]
fn every_exercise() {
    let cases: Vec<Case> = serde_json::from_str(include_str!("../data/exercises.json")).unwrap();
    cases.iter().for_each(check);
}

fn check(case: &Case) {
    let name = format!("{} ({})", case.name, case.source);
    let subject = match &case.input {
        Input::Text(text) => Subject { pieces: text.chars().map(String::from).collect(), between: "" },
        Input::List(list) if case.fails_if == "html tree" => Subject { pieces: list.clone(), between: " " },
        Input::List(list) => Subject { pieces: list.clone(), between: "" },
    };
    let all = Config::full(subject.pieces.len());
    let test = |config: &Config| judge(&case.fails_if, &subject.text(config));
    assert_eq!(test(&Config::empty()), Outcome::Pass, "{name}: nothing at all passes");
    assert_eq!(test(&all), Outcome::Fail, "{name}: the whole fails");

    let (end, asked) = ask_all(search(&case.search, &all), test);
    let sizes: Vec<usize> = asked.iter().map(|(config, _)| config.len()).collect();
    let outcomes: String = asked.iter().map(|(_, outcome)| outcome.mark()).collect();
    let mut seen = HashSet::new();
    let repeats: Vec<usize> =
        (1..).zip(&asked).filter(|(_, (config, _))| !seen.insert(config.key())).map(|(n, _)| n).collect();
    let texts: Vec<String> = asked.iter().map(|(config, _)| subject.text(config)).collect();
    if let Some(expected) = &case.sizes {
        assert_eq!(&sizes, expected, "{name}: sizes");
    }
    if let Some(expected) = &case.outcomes {
        assert_eq!(&outcomes, expected, "{name}: outcomes");
    }
    if let Some(expected) = case.tests {
        assert_eq!(asked.len(), expected, "{name}: tests");
    }
    if let Some(expected) = case.distinct {
        assert_eq!(seen.len(), expected, "{name}: runs with a cache");
    }
    if let Some(expected) = &case.repeats {
        assert_eq!(&repeats, expected, "{name}: which were asked before");
    }
    if let Some(expected) = &case.asked {
        assert_eq!(&texts, expected, "{name}: what is asked");
    }
    if let Some(expected) = &case.result {
        assert_eq!(&subject.text(&end.best()), expected, "{name}: result");
    }
    match &end {
        Minimiser::Isolate(isolate) => {
            let (passing, failing) = (isolate.passing(), isolate.best());
            assert_eq!(test(&passing), Outcome::Pass, "{name}: the passing side passes");
            assert_eq!(test(&failing), Outcome::Fail, "{name}: the failing side fails");
            assert!(passing.is_subset(&failing), "{name}: and is within the failing one");
            if let Some(expected) = &case.passing {
                assert_eq!(&subject.text(&passing), expected, "{name}: passing side");
            }
            if let Some(expected) = case.passing_len {
                assert_eq!(passing.len(), expected, "{name}: passing side");
            }
            if let Some(expected) = case.failing_len {
                assert_eq!(failing.len(), expected, "{name}: failing side");
            }
            if let Some(expected) = &case.difference {
                assert_eq!(&subject.text(&failing.minus(&passing)), expected, "{name}: difference");
            }
        }
        _ => assert_one_minimal(&end.best(), test),
    }
}

#[derive(Deserialize)]
struct Table {
    source: String,
    rows: Vec<Row>,
}

#[derive(Deserialize)]
struct Row {
    n: usize,
    input: String,
    subsets: Vec<String>,
    complements: Vec<String>,
}

/// Row by row. Parentheses stand around what needs no test: it has the same content as one before,
/// or something before it in the row has failed. The table leaves out the complements of two
/// subsets, which are the subsets again.
#[test]
fn lecture_table() {
    let table: Table = serde_json::from_str(include_str!("../data/lecture.json")).unwrap();
    let text = |config: &Config| config.iter().map(|Delta(d)| ['2', '4', '2', '4'][d as usize]).collect::<String>();
    let crashes = |config: &Config| fails_if(text(config).contains("42"));
    let mut search = Ddmin::new(Config::full(4), Form::Subsets, Split::Book);
    let mut known = HashSet::new();
    for (row, number) in table.rows.iter().zip(1..) {
        let place = format!("row {number} of: {}", table.source);
        assert_eq!(text(&search.best()), row.input, "{place}");
        let mut failed = false;
        for printed in row.subsets.iter().chain(&row.complements) {
            let content = printed.trim_matches(['(', ')']);
            let in_parentheses = content.len() < printed.len();
            if failed {
                assert!(in_parentheses, "{place}: {printed} comes after a failing one");
                continue;
            }
            let asked = search.ask().unwrap();
            assert_eq!(text(&asked), content, "{place}");
            assert_eq!(!known.insert(text(&asked)), in_parentheses, "{place}: whether {printed} is known");
            let outcome = crashes(&asked);
            failed = outcome == Outcome::Fail;
            search.tell(outcome);
        }
        if row.n == 2 {
            for _ in 0..2 {
                let asked = search.ask().unwrap();
                assert!(known.contains(&text(&asked)), "{place}: complements of two are subsets");
                search.tell(crashes(&asked));
            }
        }
    }
    assert!(search.ask().is_none());
    assert_eq!(text(&search.best()), "42");
}

/// The course counts 29 tests by characters (section 29) and 21 (section 18) for the same input. Its
/// own ddmin cuts into chunks of ⌊len/n⌋, and what is left over is one more chunk: so there are more
/// than n, 8 characters at granularity 6 are tried one by one, and again at granularity 8. That is 29
/// with and 21 without the eight repeats. With Example 5.5 for a split it is fewer.
#[test]
fn course_characters() {
    let input: Vec<char> = "<SELECT>foo</SELECT>".chars().collect();
    let fails = |text: &[char]| has_select_tag(&text.iter().collect::<String>());
    let (mut text, mut n, mut tests, mut seen) = (input.clone(), 2, 0, HashSet::new());
    'granularity: while text.len() >= 2 {
        let chunk = text.len() / n;
        for start in (0..text.len()).step_by(chunk) {
            let mut complement = text.clone();
            complement.drain(start..(start + chunk).min(text.len()));
            tests += 1;
            seen.insert(complement.clone());
            if fails(&complement) {
                text = complement;
                n = (n - 1).max(2);
                continue 'granularity;
            }
        }
        if n == text.len() {
            break;
        }
        n = (2 * n).min(text.len());
    }
    assert_eq!((tests, seen.len()), (29, 21));
    assert_eq!(text, "<SELECT>".chars().collect::<Vec<_>>());

    let ours =
        |config: &Config| fails_if(fails(&list(config).into_iter().map(|d| input[d as usize]).collect::<Vec<_>>()));
    let (end, asked) = ask_all(search("ddmin", &Config::full(input.len())), ours);
    assert_eq!(end.best(), Config::full(8));
    assert!(asked.len() < tests, "{} tests", asked.len());
}

/// Book 5.3 and 5.8.3: 896 lines, of which one is to blame: a binary search (at most two tests for a
/// halving). Figure 5.1 takes 12.
#[test]
fn one_line_of_896() {
    let mut fewest = usize::MAX;
    for line in 0..896 {
        let blame = Config::from_deltas([Delta(line)]);
        for form in [Form::Complements, Form::Subsets] {
            let (end, asked) = ask_all(Ddmin::new(Config::full(896), form, Split::Book), holds(&blame));
            assert_eq!(end.best(), blame);
            assert!(asked.len() <= 2 * 10, "line {line}, {form:?}: {} tests for ⌈log₂ 896⌉ = 10", asked.len());
            fewest = fewest.min(asked.len());
        }
        let (end, asked) = ask_all(search("isolate", &Config::full(896)), holds(&blame));
        assert!(asked.len() <= 10, "isolation is a plain binary search");
        assert!(end.best().contains(Delta(line)));
    }
    assert!(fewest <= 12, "the lucky half first: {fewest}");
}
