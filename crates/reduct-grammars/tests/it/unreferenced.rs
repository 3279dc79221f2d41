//! Records to which nothing refers go, with what only they refer to.

use super::references::{joined, made_by};
use std::collections::BTreeSet;

fn made(name: &str, text: &str) -> BTreeSet<String> {
    made_by("unreferenced", name, text)
}

/// Writes taxes, and things of one tax each of which some are sold.
fn shop(taxes: &[usize], things: &[usize], sold: &[usize], note: &str) -> String {
    let taxes = joined(taxes, |at| format!("{{\"id\": \"t{at}\"}}"));
    let things = joined(things, |at| format!("{{\"id\": \"a{at}\", \"tax\": \"t{at}\", \"note\": \"{note}\"}}"));
    let sold = joined(sold, |at| format!("{{\"thing\": \"a{at}\"}}"));
    format!("{{\"taxes\": [{taxes}], \"things\": [{things}], \"sold\": [{sold}]}}")
}

#[test]
fn each_record_goes_with_what_only_it_refers_to() {
    let sold = [0, 2, 4, 6];
    let without = |gone: usize| (0..7).filter(|at| *at != gone).collect::<Vec<usize>>();
    let all: Vec<usize> = (0..7).collect();
    let expected = [1, 3, 5].map(|gone| shop(&without(gone), &without(gone), &sold, ""));
    assert_eq!(made("a.json", &shop(&all, &all, &sold, "")), BTreeSet::from(expected));
    assert!(made("a.json", &shop(&sold, &sold, &sold, "")).is_empty());
}

/// They may be what the text is about: only what is in the same table refers to them.
#[test]
fn a_table_of_which_nothing_is_used_stays() {
    let all: Vec<usize> = (0..8).collect();
    let people = joined(&all, |at| format!("{{\"person\": \"p{at}\", \"by\": \"p{}\"}}", at / 2));
    let text = format!("{{\"people\": [{people}]}}");
    assert!(made("a.json", &text).is_empty());
    let used = text.replace("]}", "], \"person\": \"p3\"}");
    assert_eq!(made("a.json", &used).len(), 4, "p4 to p7, to which nothing refers");
}

/// What names nothing by its key is no reference of a number, but of a word.
#[test]
fn in_doubt_a_word_is_a_use_and_a_number_is_not() {
    let all: Vec<usize> = (1..7).collect();
    let text = |name: &str| {
        let shops = joined(&all, |at| format!("{{\"id\": {}}}", name.replace('N', &at.to_string())));
        let sold = joined(&[1, 2], |at| format!("{{\"shop\": {}}}", name.replace('N', &at.to_string())));
        format!("{{\"shops\": [{shops}], \"sold\": [{sold}], \"other\": {}}}", name.replace('N', "5"))
    };
    assert_eq!(made("a.json", &text("\"sN\"")).len(), 3);
    assert_eq!(made("a.json", &text("90N")).len(), 4);
}

#[test]
fn tables_of_toml_go_as_well() {
    let user = |at: usize| format!("[[user]]\nname = \"u{at}\"\nage = 3{at}\n");
    let rest = "[[job]]\nuser = \"u1\"\n[[job]]\nuser = \"u4\"\n";
    let written = |all: &[usize]| all.iter().map(|at| user(*at)).collect::<String>() + rest;
    let expected = [written(&[1, 3, 4]), written(&[1, 2, 4])];
    assert_eq!(made("a.toml", &written(&[1, 2, 3, 4])), BTreeSet::from(expected));
}

#[test]
fn in_a_large_text_little_waits() {
    let all: Vec<usize> = (0..200).collect();
    let note = "n".repeat(100);
    assert!(made("a.json", &shop(&all, &all, &all[1..], &note)).is_empty());
    assert_eq!(made("a.json", &shop(&all, &all, &all[10..], &note)).len(), 10);
}
