//! Whole reductions of the stock programs.

use crate::support::{Stock, has, stock};
use reduct_core::{Outcome, Question, Search};
use reduct_grammars::Languages;
use reduct_input::{Artifact, Candidate};
use reduct_passes::Pass;
use reduct_strategies::{Method, Plan, Reduction};
use std::collections::BTreeSet;
use std::sync::Arc;

/// The result, and how many different candidates were asked about.
fn reduced(
    name: &str,
    text: &[u8],
    plan: Plan,
    grammars: Languages,
    fails: impl Fn(&[u8]) -> bool,
) -> (Vec<u8>, usize) {
    let plan = plan.with_grammars(Arc::new(grammars));
    let mut reduction = Reduction::new(Artifact::of_file(name, text).unwrap(), plan);
    let mut asked = BTreeSet::new();
    while let Some(candidate) = reduction.ask() {
        asked.insert(candidate.key());
        let text = |candidate: &Candidate| candidate.artifact().bytes().to_vec();
        reduction.tell(if fails(&text(&candidate)) { Outcome::Fail } else { Outcome::Pass });
    }
    (reduction.best().artifact().bytes().to_vec(), asked.len())
}

fn nodes() -> Plan {
    Plan::new(vec![Pass::named("nodes").unwrap()], Method::Relevance)
}

fn name(stock: &Stock) -> String {
    stock.path.file_name().unwrap().to_str().unwrap().to_owned()
}

#[test]
fn what_has_to_follow_its_language() {
    for stock in stock() {
        let fails = |text: &[u8]| has(text, b"needle") && stock.errors(text) == 0;
        let (by_nodes, few) = reduced(&name(&stock), &stock.text, nodes(), stock.grammars(), fails);
        let (best, asked) = reduced(&name(&stock), &stock.text, Plan::standard(), stock.grammars(), fails);
        assert!(by_nodes.len() * 4 < stock.text.len() && few < 300, "{}", String::from_utf8_lossy(&by_nodes));
        assert!(best.len() <= 30 && asked < 900, "{}", stock.language.name);
    }
}

/// The book's one-line page as a tree (5.8.3): two tests, whatever else would have been tried cannot be.
#[test]
fn the_tree_of_one_line_of_html() {
    let line = b"<SELECT NAME=\"priority\" MULTIPLE SIZE=7>";
    let crashes = |text: &[u8]| has(text, b"<SELECT") && text.ends_with(b">");
    let (best, asked) = reduced("page.html", line, nodes(), Languages::all(), crashes);
    assert_eq!((best.as_slice(), asked), (&b"<SELECT>"[..], 2));
}

/// What is missing or too much in the middle of a text does not keep it from being reduced.
#[test]
fn damaged_programs() {
    for stock in stock() {
        let middle = stock.text.len() / 2;
        let is_bracket = |byte: &u8| b")]}>".contains(byte);
        let bracket = stock.text[middle..].iter().position(is_bracket).map(|at| middle + at);
        let line = middle + stock.text[middle..].iter().position(|byte| *byte == b'\n').unwrap_or_default();
        let insert = |with: &[u8]| [&stock.text[..line], with, &stock.text[line..]].concat();
        let mut damaged = vec![insert(b" ) } ] @ $ \xff ' \" `` <<<< "), insert(b"\n((((((( {{{{{ [[[ \n")];
        damaged.extend(bracket.map(|at| [&stock.text[..at], &stock.text[at + 1..]].concat()));
        for text in damaged {
            let fails = |text: &[u8]| has(text, b"needle");
            let (best, asked) = reduced(&name(&stock), &text, Plan::standard(), stock.grammars(), fails);
            let language = stock.language.name;
            // A word may have grown together with another one where the blank between them went.
            assert!(best.len() <= 2 * "needle".len(), "{language}: {}", String::from_utf8_lossy(&best));
            assert!(asked < 300, "{language}: {asked}");
        }
    }
}
