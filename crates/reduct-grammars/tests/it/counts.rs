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

/// The same with decimals, in each format: totals of orders, and one of these, with the sums worked out in cents.
#[test]
fn a_sum_is_kept_true_and_what_adds_up_sums() {
    type Write = fn(&[(usize, Vec<i64>)]) -> String;
    fn money(cents: i64) -> String {
        format!("{}.{:02}", cents / 100, cents % 100)
    }
    fn total(lines: &[i64]) -> String {
        money(lines.iter().sum())
    }
    fn grand(orders: &[(usize, Vec<i64>)]) -> String {
        money(orders.iter().flat_map(|(_, lines)| lines).sum())
    }
    let json: Write = |orders| {
        let line = |cents: &i64| format!("{{\"amount\": {}}}", money(*cents));
        let order = |(at, lines): &(usize, Vec<i64>)| {
            let written: Vec<String> = lines.iter().map(line).collect();
            format!("{{\"no\": \"o{at}\", \"lines\": [{}], \"total\": {}}}", written.join(", "), total(lines))
        };
        let all: Vec<String> = orders.iter().map(order).collect();
        format!("{{\"grand_total\": \"{}\", \"orders\": [{}]}}", grand(orders), all.join(", "))
    };
    let yaml: Write = |orders| {
        let line = |cents: &i64| format!("      - amount: {}\n", money(*cents));
        let order = |(at, lines): &(usize, Vec<i64>)| {
            let written: String = lines.iter().map(line).collect();
            format!("  - no: o{at}\n    total: {}\n    lines:\n{written}", total(lines))
        };
        format!("grand_total: {}\norders:\n{}", grand(orders), orders.iter().map(order).collect::<String>())
    };
    let xml: Write = |orders| {
        let line = |cents: &i64| format!("<line amount=\"{}\"/>\n", money(*cents));
        let order = |(at, lines): &(usize, Vec<i64>)| {
            let written: String = lines.iter().map(line).collect();
            format!("<order no=\"o{at}\">\n<total>{}</total>\n{written}</order>\n", total(lines))
        };
        format!("<all grand=\"{}\">\n{}</all>\n", grand(orders), orders.iter().map(order).collect::<String>())
    };
    let orders: Vec<(usize, Vec<i64>)> =
        [vec![1250, 199, 5], vec![7, 333], vec![100, 2001, 47, 8], vec![90, 415]].into_iter().enumerate().collect();
    for (name, write) in [("a.json", json), ("a.yaml", yaml), ("a.xml", xml)] {
        let mut expected = BTreeSet::new();
        for at in 0..orders.len() {
            expected.insert(write(&[&orders[..at], &orders[at + 1..]].concat()));
            for line in 0..orders[at].1.len() {
                let mut without = orders.clone();
                without[at].1.remove(line);
                expected.insert(write(&without));
            }
        }
        assert_eq!(made_by("counts", name, &write(&orders)), expected, "{name}");
    }
}

/// How many there are in all lists, beside how many there are in each.
#[test]
fn a_number_counts_what_is_in_several_lists() {
    let orders = |all: &[usize]| joined(all, |at| format!("{{\"id\": \"o{at}\", \"open\": true}}"));
    let write = |shops: &[(usize, Vec<usize>)], counts: bool| {
        let count = |orders: &[usize]| if counts { format!("\"count\": {}, ", orders.len()) } else { String::new() };
        let shop = |(at, of): &(usize, Vec<usize>)| {
            format!("{{\"name\": \"s{at}\", {}\"orders\": [{}]}}", count(of), orders(of))
        };
        let all: usize = shops.iter().map(|(_, orders)| orders.len()).sum();
        let shops: Vec<String> = shops.iter().map(shop).collect();
        format!("{{\"count\": {all}, \"shops\": [{}]}}", shops.join(", "))
    };
    let shops: Vec<(usize, Vec<usize>)> =
        [vec![0, 1, 2, 3], vec![4, 5], vec![6, 7, 8, 9, 10], vec![11, 12], vec![13, 14, 15]]
            .into_iter()
            .enumerate()
            .collect();
    for counts in [true, false] {
        let without_shop = |at: usize| write(&[&shops[..at], &shops[at + 1..]].concat(), counts);
        let made = made_by("counts", "a.json", &write(&shops, counts));
        assert!((0..5).all(|at| made.contains(&without_shop(at))), "{made:#?}");
        // Orders go alone where their shop counts them.
        let mut fewer = shops.clone();
        fewer[2].1.remove(1);
        assert_eq!(made.contains(&write(&fewer, counts)), counts, "{made:#?}");
    }
}

/// What is once the sum of two numbers is so by chance, unless its key says so.
#[test]
fn numbers_that_add_up_by_chance_are_no_sums() {
    let text = |key: &str, last: usize| format!("{{\"{key}\": {last}, \"of\": [{{\"a\": 11}}, {{\"a\": 15}}]}}");
    assert_eq!(made_by("counts", "a.json", &text("year", 26)), BTreeSet::new());
    assert_eq!(made_by("counts", "a.json", &text("total", 27)), BTreeSet::new());
    assert_eq!(made_by("counts", "a.json", &text("total", 26)).len(), 2);
}
