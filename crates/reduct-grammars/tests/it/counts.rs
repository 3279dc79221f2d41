//! Numbers that say how many parts a list has stay true when parts go.

use super::references::{joined, made_by, without_each};
use std::collections::BTreeSet;

fn all(things: usize) -> Vec<usize> {
    (0..things).collect()
}

#[test]
fn a_member_beside_a_list_counts_it() {
    let written = |all: &[usize]| {
        let items = joined(all, |at| format!("{{\"a\": {}}}", 20 + at));
        format!("{{\"name\": \"some\", \"total\": {}, \"items\": [{items}]}}", all.len())
    };
    assert_eq!(made_by("counts", "a.json", &written(&all(11))), without_each(11, &written));
}

#[test]
fn an_attribute_of_an_element_counts_what_is_in_it() {
    let written = |all: &[usize]| {
        let items: String = all.iter().map(|at| format!("  <item>some {at}</item>\n")).collect();
        format!("<list count=\"{}\">\n{items}</list>\n", all.len())
    };
    assert_eq!(made_by("counts", "a.xml", &written(&all(10))), without_each(10, &written));
}

#[test]
fn members_of_another_object_count_lists_beside_it() {
    let written = |all: &[usize]| {
        let (items, other) = (joined(all, |at| format!("\"a{at}\"")), all.len());
        format!("{{\"counts\": {{\"items\": {other}, \"users\": 4}}, \"items\": [{items}], \"users\": [5, 6, 7, 8]}}")
    };
    let made = made_by("counts", "a.json", &written(&all(10)));
    assert!(without_each(10, &written).is_subset(&made) && made.len() == 14, "{made:#?}");
}

/// The same in each of several records: each number counts its own list.
#[test]
fn each_record_counts_its_own_parts() {
    let record = |of: usize, all: &[usize]| {
        let items = joined(all, |at| format!("\"r{of}a{at}\""));
        format!("{{\"n\": {}, \"items\": [{items}]}}", all.len())
    };
    let text = |changed: usize, left: &[usize]| {
        let record = |of: usize| record(of, if of == changed { left } else { &[0, 1, 2] });
        format!("[{}]", joined(&all(5), record))
    };
    let without = |of: usize| without_each(3, &move |left: &[usize]| text(of, left));
    let expected: BTreeSet<String> = (0..5).flat_map(without).collect();
    assert_eq!(made_by("counts", "a.json", &text(9, &[])), expected);
}

/// A key whose numbers say how long a list is only now and then counts nothing.
#[test]
fn other_numbers_count_nothing() {
    let records = joined(&all(9), |at| format!("{{\"w\": {}, \"list\": [4, 5, {at}]}}", at % 3 + 2));
    assert_eq!(made_by("counts", "a.json", &format!("[{records}]")), BTreeSet::new());
}
