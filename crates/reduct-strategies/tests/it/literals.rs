//! Long texts in quotes among statements: their lines go before the statements are asked about one by one.

use reduct_core::{Outcome, Search};
use reduct_input::{Artifact, Class, Grammar, Grammars, KindInfo, Node, Role, Slot, Tree};
use reduct_strategies::{Plan, Reduction};
use std::path::Path;
use std::sync::Arc;

const ROOT: u16 = 0;
const STATEMENT: u16 = 1;
const STRING: u16 = 2;

/// A language of lines, one of which may hold a text in three quotes that has lines of its own.
#[derive(Debug)]
struct Lines;

impl Grammars for Lines {
    fn parse(&self, _: &Path, text: &[u8]) -> Option<Tree> {
        let text = std::str::from_utf8(text).ok()?;
        let kind = |name: &str, class| KindInfo { name: name.into(), named: true, class, shortest: vec![] };
        let kinds = vec![kind("text", Class::default()), kind("line", Class::STATEMENT), kind("string", Class::STRING)];
        let slot = Slot { required: false, multiple: true, types: vec![STATEMENT] };
        let grammar = Grammar { language: "lines", kinds, fields: vec![], slots: vec![((ROOT, 0), slot)] };
        let node = |kind, role, parent, start: usize, end: usize| {
            let (start, end) = (start as u32, end as u32);
            Node { kind, field: 0, role, parent, after: 0, start, end }
        };
        let mut nodes = vec![node(ROOT, Role::Root, 0, 0, text.len())];
        let mut at = 0;
        while at < text.len() {
            let rest = &text[at..];
            let line = rest.find('\n').unwrap_or(rest.len());
            let quote = rest[..line].find("\"\"\"");
            let closing = quote.and_then(|quote| rest[quote + 3..].find("\"\"\"").map(|at| quote + at + 6));
            let own = nodes.len() as u32;
            let end = at + closing.unwrap_or(line);
            nodes.push(node(STATEMENT, Role::Item, 0, at, end));
            quote.zip(closing).into_iter().for_each(|(quote, closing)| {
                nodes.push(node(STRING, Role::Mandatory, own, at + quote, at + closing));
            });
            nodes[own as usize].after = nodes.len() as u32;
            nodes.iter_mut().skip(own as usize + 1).for_each(|inner| inner.after = own + 2);
            at = end + 1;
        }
        nodes[0].after = nodes.len() as u32;
        Some(Tree { grammar: Arc::new(grammar), nodes })
    }

    fn errors(&self, _: &Path, text: &[u8]) -> Option<usize> {
        let quotes = text.windows(3).filter(|signs| signs == b"\"\"\"").count();
        Some(quotes % 2)
    }
}

/// Statements of which all are needed, and a text of as many lines in the midst.
fn text(count: usize) -> String {
    let statement = |at: usize| format!("statement number {at} of the program;\n");
    let row = |at: usize| format!("row {at}, with some words;\n");
    let rows: String = (0..count).map(row).collect();
    let (before, after) = (0..count / 2, count / 2..count);
    let before: String = before.map(statement).collect();
    let after: String = after.map(statement).collect();
    format!("{before}table = \"\"\"\n{rows}\"\"\"\n{after}")
}

/// Two needed lines of `n` are found by halves: in twice the logarithm of `n` for each, and as many for what comes before it. To ask about each statement takes `n`.
#[test]
fn the_lines_of_a_long_text_go_before_each_statement_is_asked_about() {
    let count = 512;
    let artifact = Artifact::of_file("a.lines", text(count).as_bytes()).unwrap();
    let mut search = Reduction::new(artifact, Plan::standard().with_grammars(Arc::new(Lines)));
    let mut tests = 0;
    while tests < count / 4 {
        let Some(candidate) = search.ask() else { break };
        let artifact = candidate.artifact();
        let text = String::from_utf8_lossy(artifact.bytes()).into_owned();
        let statements = text.lines().filter(|line| line.starts_with("statement number ")).count();
        let rows = ["row 100,", "row 333,"].iter().all(|row| text.contains(row));
        search.tell(Outcome::from(statements == count && rows && text.contains("table = \"\"\"")));
        tests += 1;
    }
    let left = search.best().artifact();
    // The first one may stand behind the quotes.
    let rows = String::from_utf8_lossy(left.bytes()).matches("row ").count();
    assert_eq!(rows, 2, "after {tests} tests");
}
