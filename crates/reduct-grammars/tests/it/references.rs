//! Things that have names go with all that refers to them by these names.

use crate::support::{grammars, has};
use reduct_core::{Config, Delta, Outcome, Search};
use reduct_input::{Artifact, Circumstances, Parts, Subject};
use reduct_passes::Pass;
use reduct_strategies::{Plan, Reduction};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Returns what each set makes of a text that goes alone.
fn made(name: &str, text: &str) -> BTreeSet<String> {
    made_by("references", name, text)
}

/// Returns what each set of a pass makes of a text.
pub(super) fn made_by(pass: &str, name: &str, text: &str) -> BTreeSet<String> {
    let base = Arc::new(Artifact::of_file(name, text.as_bytes()).unwrap());
    let subject = Subject::new(base.clone(), Some(grammars()));
    let spans = (Pass::named(pass).unwrap().propose)(&subject);
    let parts = spans.into_iter().map(|spans| Parts::new(base.clone(), spans));
    let without = |parts: &Parts, set| {
        let config = Config::full(parts.len()).minus(&Config::from_deltas([Delta(set)]));
        String::from_utf8(parts.candidate(&config).unwrap().artifact().bytes().to_vec()).unwrap()
    };
    parts.flat_map(|parts| (0..parts.len() as u32).map(|set| without(&parts, set)).collect::<Vec<_>>()).collect()
}

/// Returns whether one set of a pass makes one text of another, but for blanks.
pub(super) fn makes(pass: &str, name: &str, before: &str, after: &str) -> bool {
    let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
    made_by(pass, name, before).iter().any(|made| words(made) == words(after))
}

/// Writes the same with every thing but one, for each of them.
pub(super) fn without_each(things: usize, written: &dyn Fn(&[usize]) -> String) -> BTreeSet<String> {
    let all: Vec<usize> = (0..things).collect();
    let left = |gone: usize| all.iter().copied().filter(|at| *at != gone).collect::<Vec<usize>>();
    all.iter().map(|gone| written(&left(*gone))).collect()
}

pub(super) fn joined(all: &[usize], write: impl Fn(usize) -> String) -> String {
    all.iter().map(|at| write(*at)).collect::<Vec<_>>().join(", ")
}

#[test]
fn a_record_goes_with_its_entry_in_an_index() {
    let written = |all: &[usize]| {
        let nodes = joined(all, |at| format!("{{\"id\": \"n{at}\", \"w\": \"some {at}\"}}"));
        let index = joined(all, |at| format!("\"n{at}\": \"entry {at}\""));
        format!("{{\"nodes\": [{nodes}], \"index\": {{{index}}}}}")
    };
    let all: Vec<usize> = (0..9).collect();
    assert_eq!(made("a.json", &written(&all)), without_each(9, &written));
}

#[test]
fn an_element_goes_with_those_that_refer_to_it() {
    let written = |all: &[usize]| {
        let items: String =
            all.iter().map(|at| format!("<item id=\"n{at}\"><name>Item {at}</name></item>\n")).collect();
        let entries: String = all.iter().map(|at| format!("<entry ref=\"n{at}\"/>\n")).collect();
        format!("<all>\n{items}{entries}</all>\n")
    };
    let all: Vec<usize> = (0..9).collect();
    assert_eq!(made("a.xml", &written(&all)), without_each(9, &written));
}

/// Of a record that refers to another one, the reference goes, and not the record. Each refers to two of those before it.
#[test]
fn references_go_from_records_that_stay() {
    let written = |all: &[usize]| {
        let is_there = |at: &usize| all.contains(at);
        let record = |at: usize| {
            let links: Vec<usize> = (at.saturating_sub(2)..at).filter(is_there).collect();
            format!("{{\"id\": \"n{at}\", \"links\": [{}]}}", joined(&links, |to| format!("\"n{to}\"")))
        };
        format!("[{}]", joined(all, record))
    };
    let all: Vec<usize> = (0..12).collect();
    let made = made("a.json", &written(&all));
    let expected = without_each(12, &written);
    // To the last one none refers: it goes alone, by other passes.
    assert!(made.is_subset(&expected) && made.len() == 11, "{made:#?}");
}

/// Three tables whose records have the same numbers as names. A customer goes with its orders, an order with its payment, and what refers to these in turn.
#[test]
fn records_go_with_what_refers_to_them_in_turn() {
    const CUSTOMERS: usize = 5;
    let written = |is_there: &dyn Fn(usize, usize) -> bool| {
        let customers: Vec<usize> = (0..CUSTOMERS).filter(|at| is_there(0, *at)).collect();
        let of_there = |at: &usize| is_there(1, *at) && customers.contains(&(at % CUSTOMERS));
        let orders: Vec<usize> = (0..3 * CUSTOMERS).filter(of_there).collect();
        let record = |at: usize| format!("{{\"id\": {at}, \"name\": \"some {at}\"}}");
        let order = |at: usize| format!("{{\"id\": {at}, \"customer_id\": {}, \"qty\": {}}}", at % CUSTOMERS, at % 4);
        let payment = |at: usize| format!("{{\"id\": {at}, \"order\": {at}}}");
        let (customers, payments) = (joined(&customers, record), joined(&orders, payment));
        format!(
            "{{\"customers\": [{customers}], \"orders\": [{}], \"payments\": [{payments}]}}",
            joined(&orders, order)
        )
    };
    let without = |table: usize, gone: usize| written(&|of, at| (of, at) != (table, gone));
    let customers = (0..CUSTOMERS).map(|at| without(0, at));
    let expected: BTreeSet<String> = customers.chain((0..3 * CUSTOMERS).map(|at| without(1, at))).collect();
    let made = made("a.json", &written(&|_, _| true));
    // The reference may be what goes, too, and not the record.
    let others: Vec<&String> =
        made.difference(&expected).filter(|text| text.matches("customer_id").count() == 15).collect();
    assert_eq!(expected.difference(&made).collect::<Vec<_>>(), Vec::<&String>::new());
    assert_eq!(others, Vec::<&String>::new());
}

#[test]
fn a_definition_goes_with_pointers_to_it() {
    let written = |all: &[usize]| {
        let types = joined(all, |at| format!("\"N{at}\": {{\"type\": \"some {at}\"}}"));
        let uses = joined(all, |at| format!("{{\"$ref\": \"#/definitions/N{at}\"}}"));
        format!("{{\"definitions\": {{{types}}}, \"anyOf\": [{uses}]}}")
    };
    let all: Vec<usize> = (0..7).collect();
    assert_eq!(made("a.json", &written(&all)), without_each(7, &written));
}

#[test]
fn tables_and_keys_of_toml_have_names() {
    let written = |all: &[usize]| {
        let tables: String = all.iter().map(|at| format!("[[node]]\nid = \"n{at}\"\nw = {at}\n\n")).collect();
        let entries: String = all.iter().map(|at| format!("\"n{at}\" = \"entry {at}\"\n")).collect();
        format!("{tables}[index]\n{entries}")
    };
    let all: Vec<usize> = (0..6).collect();
    assert_eq!(made("a.toml", &written(&all)), without_each(6, &written));
}

/// A list and a mapping stand behind one key, of which one refers to the other.
#[test]
fn keys_of_yaml_go_with_a_list_behind_the_same_key() {
    let written = |all: &[usize]| {
        let jobs: String = all.iter().map(|at| format!("  job_{at}:\n    image: of {at}\n")).collect();
        let listed: String = all.iter().map(|at| format!("    - job_{at}\n")).collect();
        format!("jobs:\n{jobs}stages:\n  - name: all\n    jobs:\n{listed}")
    };
    let all: Vec<usize> = (0..9).collect();
    assert_eq!(made("a.yaml", &written(&all)), without_each(9, &written));
}

#[test]
fn numbers_of_records_are_kept_true() {
    let written = |all: &[usize]| {
        let nodes = joined(all, |at| format!("{{\"id\": \"n{at}\", \"w\": \"some {at}\"}}"));
        let index = joined(all, |at| format!("\"n{at}\": \"entry {at}\""));
        let count = all.len();
        format!("{{\"nodes\": {{\"count\": {count}, \"rows\": [{nodes}]}}, \"index\": {{{index}}}}}")
    };
    let all: Vec<usize> = (0..10).collect();
    assert_eq!(made("a.json", &written(&all)), without_each(10, &written));
}

/// Words that are there by chance, or of which each is there once, refer to nothing.
#[test]
fn other_words_are_no_names() {
    let texts: Vec<String> =
        (0..20).map(|at| format!("{{\"one\": \"a{at}\", \"two\": \"b{at}\", \"three\": \"c\"}}")).collect();
    assert_eq!(made("a.json", &format!("[{}]", texts.join(", "))), BTreeSet::new());
}

/// Neither a node nor its entry can go alone. The tree would ask about each of them in vain.
#[test]
fn records_of_an_index_go_in_few_tests() {
    const NODES: usize = 200;
    let all: Vec<usize> = (0..NODES).collect();
    let nodes = joined(&all, |at| format!("{{\"id\": \"n{at}x\", \"w\": {at}, \"t\": true}}"));
    let index = joined(&all, |at| format!("\"n{at}x\": \"node {at} of many\""));
    let text = format!("{{\"nodes\": [{nodes}],\n\"index\": {{{index}}}}}");
    let fails = |text: &[u8]| {
        let text = String::from_utf8_lossy(text);
        let Some((nodes, index)) = text.split_once("\"index\"") else { return false };
        let names = |text: &str| -> BTreeSet<String> {
            text.split('"').filter(|word| word.starts_with('n') && word.ends_with('x')).map(str::to_owned).collect()
        };
        let (ids, entries) = (names(nodes), names(index));
        ids == entries && ids.contains("n123x") && has(text.as_bytes(), b"\"w\": 123")
    };
    assert!(fails(text.as_bytes()));
    let mut reduction = Reduction::new(
        Artifact::of_file("a.json", text.as_bytes()).unwrap(),
        Plan::standard().with_grammars(grammars()),
    );
    let mut asked = 0;
    while reduction.best().artifact().bytes().len() * 50 > text.len() {
        let candidate = reduction.ask().expect("a fiftieth of it is enough");
        reduction.tell(Outcome::from(fails(candidate.artifact().bytes())));
        asked += 1;
    }
    // A test for each node would be 200.
    assert!(asked <= 50, "{asked}");
}

/// What is nested deeply takes neither time nor memory in the square of its depth: only a few parts around a word are looked at.
#[test]
fn words_in_deep_nests_are_looked_at_from_near() {
    const DEPTH: usize = 100_000;
    let text = "{\"key\": 1, \"next\": ".repeat(DEPTH) + "0" + &"}".repeat(DEPTH);
    assert_eq!(made("a.json", &text), BTreeSet::new());
    let text = format!("x = {};\n", vec!["1"; DEPTH].join(" + "));
    assert_eq!(made("a.js", &text), BTreeSet::new());
}
