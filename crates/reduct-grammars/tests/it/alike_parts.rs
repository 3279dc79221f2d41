//! Parts that begin alike, some of which go: what is left of lists in which they stand, and how soon they go in a reduction.

use crate::support::{grammars, has};
use reduct_core::laws::Chance;
use reduct_core::{Config, Delta, Outcome, Search};
use reduct_input::{Artifact, Circumstances, Parts, Subject};
use reduct_passes::{Pass, Stage};
use reduct_strategies::{Plan, Reduction};
use std::collections::HashSet;
use std::sync::Arc;

/// Returns the groups of a text.
fn groups(name: &str, text: &str) -> Vec<Parts> {
    let base = Arc::new(Artifact::of_file(name, text.as_bytes()).unwrap());
    let subject = Subject::new(base.clone(), Some(grammars()));
    let spans = Pass::of(Stage::GroupParts).flat_map(|pass| (pass.propose)(&subject));
    spans.map(|spans| Parts::new(base.clone(), spans)).collect()
}

fn left(parts: &Parts, config: &Config) -> String {
    String::from_utf8(parts.candidate(config).unwrap().artifact().bytes().to_vec()).unwrap()
}

/// Members of objects stand first, last, between others and alone. Whichever go, the commas go that separate them, and only these: what is left
/// is what a list of the other members would be written as.
#[test]
fn separators_go_with_parts_whatever_stands_beside_them() {
    let members = |at: usize| -> Vec<String> {
        let own: Vec<String> = (0..=at % 3).map(|own| format!("\"r{at}x{own}\": {at}")).collect();
        let other = |name: &str| format!("\"{name}\": {at}");
        match at % 5 {
            0 => own,
            1 => [own, vec![other("a")]].concat(),
            2 => [vec![other("a")], own].concat(),
            3 => [vec![other("a")], own, vec![other("b"), other("c")]].concat(),
            _ => [vec![other("a"), other("b")], own.clone(), vec![other("c")]].concat(),
        }
    };
    let written = |keeps: &dyn Fn(&str) -> bool| {
        let object = |at: usize| {
            let kept: Vec<String> = members(at).into_iter().filter(|member| keeps(member)).collect();
            format!("{{{}}}", kept.join(", "))
        };
        format!("[{}]", (0..60).map(object).collect::<Vec<_>>().join(",\n"))
    };
    let text = written(&|_| true);
    let all = groups("a.json", &text);
    let parts = all.iter().max_by_key(|parts| parts.len()).expect("members are a group");
    let mut chance = Chance(7);
    for _ in 0..50 {
        let config = Config::from_deltas((0..parts.len() as u32).map(Delta).filter(|_| chance.below(3) == 0));
        let addresses = |delta: &Delta| parts.addresses(*delta);
        let gone: HashSet<String> = Config::full(parts.len())
            .minus(&config)
            .iter()
            .map(|delta| text[addresses(&delta).start as usize..].split([',', '}']).next().unwrap().to_owned())
            .collect();
        assert_eq!(left(parts, &config), written(&|member| !gone.contains(member)));
    }
}

/// An object of many keys, each of which is there once, and a list of many members that are alike: only these are a group. A copy of the object for each
/// of its keys would take more memory than there is.
#[test]
fn keys_that_are_there_once_are_no_groups() {
    let keys: Vec<String> = (0..50_000).map(|at| format!("\"key{at}\": {at}")).collect();
    let rows: Vec<String> = (0..20_000).map(|at| format!("{{\"row\": {at}}}")).collect();
    let text = format!("{{{},\n\"rows\": [{}]}}", keys.join(",\n"), rows.join(",\n"));
    let all = groups("a.json", &text);
    let starts = |parts: &Parts| {
        let begins = |at| text[parts.addresses(Delta(at)).start as usize..].starts_with(['"', '{']);
        (0..parts.len() as u32).all(begins)
    };
    assert!(!all.is_empty() && all.iter().all(|parts| parts.len() == rows.len() && starts(parts)));
}

/// Records of which each refers to others by links of these kinds, and each that is referred to has to be there; of 10 the note is needed, and of
/// each kind three links. Returns how many tests it takes to come to a tenth, of this many references.
fn tests_of_references(kinds: &[&str]) -> (usize, usize) {
    const RECORDS: usize = 400;
    let mut chance = Chance(3);
    let mut text = String::from("<records>\n");
    for at in 0..RECORDS {
        text += &format!("<record id=\"r{at}\">\n");
        for kind in kinds {
            for link in 0..3 {
                let mark = if link == 0 { format!(" is=\"{kind}{at}x\"") } else { String::new() };
                text += &format!("<{kind} ref=\"r{}\"{mark}/>\n", chance.below(RECORDS));
            }
        }
        text += &format!("<note>About mark{at}x.</note>\n</record>\n");
    }
    text += "</records>\n";
    let links = kinds.iter().flat_map(|kind| [50, 170, 310].map(|at| format!("{kind}{at}x")));
    let needed: Vec<String> = (0..10).map(|at| format!("mark{}x", at * 40 + 7)).chain(links).collect();
    let fails = |text: &[u8]| {
        let text = std::str::from_utf8(text).unwrap();
        let values = |name: &str| {
            let start = format!("{name}=\"");
            text.split(&start).skip(1).map(|rest| rest.split('"').next().unwrap()).collect::<HashSet<&str>>()
        };
        // A link without a target and a record without a name are not valid either.
        let is_whole = |tag: &str, name: &str| {
            text.split(&format!("<{tag}")).skip(1).all(|rest| {
                let own = rest.split('>').next().unwrap();
                own.starts_with('s') || own.contains(&format!("{name}=\""))
            })
        };
        let is_valid = is_whole("record", "id") && kinds.iter().all(|kind| is_whole(kind, "ref"));
        is_valid
            && values("ref").is_subset(&values("id"))
            && needed.iter().all(|mark| has(text.as_bytes(), mark.as_bytes()))
    };
    assert!(fails(text.as_bytes()));
    let mut reduction = Reduction::new(
        Artifact::of_file("a.xml", text.as_bytes()).unwrap(),
        Plan::standard().with_grammars(grammars()),
    );
    let mut asked = 0;
    while reduction.best().artifact().bytes().len() * 10 > text.len() {
        let candidate = reduction.ask().expect("a tenth of it is enough");
        reduction.tell(if fails(candidate.artifact().bytes()) { Outcome::Fail } else { Outcome::Pass });
        asked += 1;
    }
    (asked, RECORDS * 3 * kinds.len())
}

/// None of the records can go before the references to it, which the tree would ask about one by one. As a group nearly all of them go in some tests for
/// each that has to stay.
#[test]
fn references_go_together_where_records_cannot() {
    let (asked, references) = tests_of_references(&["link"]);
    assert!(asked * 2 <= references, "{asked} tests for {references} references");
}

#[test]
fn references_of_several_kinds_go_together() {
    let (asked, references) = tests_of_references(&["link", "uses", "via"]);
    assert!(asked * 6 <= references, "{asked} tests for {references} references");
}
