//! PDF: whatever goes, the table says where each object stands that is left, and streams and trees of pages are as long as they say.

use crate::support::{chunked, comes_apart, fails_if, file, has, without};
use proptest::prelude::*;
use reduct_core::{Search, run};
use reduct_input::{Candidate, Circumstances};
use reduct_strategies::{Plan, Reduction};
use std::collections::BTreeMap;

/// The level of rows in documents of pages: before it objects go that nothing owns, the node, pages, and what is on them.
const ROWS: usize = 4;

fn row(place: usize) -> String {
    format!("{place:010} 00000 n \n")
}

/// Writes a file of objects, with a free row for each that is not there.
fn pdf(objects: &[Option<String>], trailer: &str) -> Vec<u8> {
    let (mut text, mut rows) = ("%PDF-1.4\n".to_string(), "0000000000 65535 f \n".to_string());
    for (number, object) in (1..).zip(objects) {
        rows += &object.as_ref().map_or("0000000000 65535 f \n".to_string(), |_| row(text.len()));
        if let Some(object) = object {
            text += &format!("{number} 0 obj\n{object}\nendobj\n");
        }
    }
    let (count, place) = (objects.len() + 1, text.len());
    text += &format!("xref\n0 {count}\n{rows}trailer\n<< /Size {count} {trailer} >>\nstartxref\n{place}\n%%EOF\n");
    text.into_bytes()
}

/// Pages with what is on them, or none in their place: 1 names the tree of pages, 2 is the tree, then there are the pages, what is on them, and a font.
fn document(pages: &[Option<String>]) -> Vec<u8> {
    let count = pages.len();
    let there = || pages.iter().enumerate().filter(|(_, page)| page.is_some());
    let kids: String = there().map(|(at, _)| format!("{} 0 R ", at + 3)).collect();
    let node = format!("<< /Type /Pages /Count {} /Kids [{kids}] >>", there().count());
    let mut objects = vec![Some("<< /Type /Catalog /Pages 2 0 R >>".to_string()), Some(node)];
    let font = 3 + 2 * count;
    objects.extend(pages.iter().enumerate().map(|(at, page)| {
        let contents = 3 + count + at;
        let resources = format!("/Resources << /Font << /F {font} 0 R >> >>");
        page.as_ref().map(|_| format!("<< /Type /Page /Parent 2 0 R /Contents {contents} 0 R {resources} >>"))
    }));
    let stream = |lines: &String| format!("<< /Length {} >>\nstream\n{lines}\nendstream", lines.len());
    objects.extend(pages.iter().map(|page| page.as_ref().map(stream)));
    objects.push(Some("<< /Type /Font /Name (a \\) 1 0 R) >>".to_string()));
    pdf(&objects, "/Root 1 0 R")
}

fn pages(count: usize) -> Vec<Option<String>> {
    let line = |page: usize, line: usize| format!("(page {page}, line {line} with words) Tj\n");
    (0..count).map(|page| Some((0..page + 1).map(|at| line(page, at)).collect())).collect()
}

/// Reads a file whose offsets, lengths and counts are true.
fn read(text: &[u8]) -> Option<BTreeMap<usize, String>> {
    let text = std::str::from_utf8(text).ok()?;
    let place: usize = text.rsplit_once("startxref\n")?.1.split_once('\n')?.0.parse().ok()?;
    let mut rows = text.get(place..)?.strip_prefix("xref\n0 ")?.lines();
    let count: usize = rows.next()?.parse().ok()?;
    let mut objects = BTreeMap::new();
    for (number, row) in (0..count).zip(rows.by_ref()) {
        let words: Vec<&str> = row.split(' ').collect();
        if words.get(2) == Some(&"n") {
            let object = text.get(words[0].parse().ok()?..)?.strip_prefix(&format!("{number} 0 obj\n"))?;
            objects.insert(number, object.split_once("endobj")?.0.to_string());
        }
    }
    let after = |object: &str, key: &str| object.split_once(key)?.1.split([' ', '/', ']', '>']).next()?.parse().ok();
    let is_true = |object: &String| match (object.split_once("stream\n"), object.split_once("/Kids [")) {
        (Some((head, data)), _) => {
            data.get(after(head, "/Length ").unwrap_or(usize::MAX)..).is_some_and(|rest| rest.trim() == "endstream")
        }
        (_, Some((head, kids))) => {
            let kids = kids.split(']').next().unwrap_or("").split(" 0 R").filter_map(|kid| kid.trim().parse().ok());
            let kids: Vec<usize> = kids.collect();
            after(head, "/Count ") == Some(kids.len()) && kids.iter().all(|kid| objects.contains_key(kid))
        }
        _ => true,
    };
    (rows.next() == Some("trailer") && objects.values().all(is_true)).then_some(objects)
}

#[test]
fn any_pages_go_with_what_is_on_them() {
    let all = pages(6);
    let text = document(&all);
    let levels = chunked(&text);
    assert_eq!(levels[..4].iter().map(|level| level.len()).collect::<Vec<_>>(), [2, 1, 6, 6]);
    for chosen in 0..64 {
        let left = |at: usize| all[at].clone().filter(|_| chosen >> at & 1 == 0);
        let expected = document(&(0..6).map(left).collect::<Vec<_>>());
        assert_eq!(without(&levels[2], |at| chosen >> at & 1 == 1), expected);
    }
}

#[test]
fn all_numbers_are_lower_without_free_rows() {
    for chosen in 1..63 {
        let left: Vec<_> =
            pages(6).into_iter().enumerate().map(|(at, page)| page.filter(|_| chosen >> at & 1 == 1)).collect();
        let there: Vec<_> = left.iter().filter(|page| page.is_some()).cloned().collect();
        let rows = &chunked(&document(&left))[ROWS];
        assert_eq!(rows.len(), 2 * (6 - there.len()));
        assert_eq!(without(rows, |_| true), document(&there));
    }
}

#[test]
fn streams_are_as_long_as_they_say_and_so_is_what_is_before_the_others() {
    let all = pages(12);
    let levels = chunked(&document(&all));
    let lines = &levels[levels.len() - 2];
    assert_eq!(lines.len(), 78);
    let mut next = 0;
    let shorter = |page: &Option<String>| {
        let left = page.as_ref()?.split_inclusive('\n').filter(|_| {
            next += 1;
            (next - 1) % 3 == 0
        });
        Some(left.collect())
    };
    let expected: Vec<_> = all.iter().map(shorter).collect();
    assert_eq!(without(lines, |at| at % 3 != 0), document(&expected));
}

/// A tree of two nodes, the first of two pages; the last object is how long a stream is.
fn nested(pages: &[usize], stream: &str) -> Vec<u8> {
    let kids: String = pages.iter().map(|page| format!("{page} 0 R ")).collect();
    let there = |page: usize| pages.contains(&page).then(|| "<< /Type /Page /Parent 3 0 R >>".to_string());
    let objects = [
        Some("<< /Pages 2 0 R /Data 7 0 R >>".to_string()),
        Some(format!("<< /Kids [3 0 R 6 0 R ] /Count {} >>", pages.len() + 1)),
        Some(format!("<< /Kids [{kids}] /Count {} /Parent 2 0 R >>", pages.len())),
        there(4),
        there(5),
        Some("<< /Type /Page /Parent 2 0 R >>".to_string()),
        Some(format!("<< /Length 8 0 R >>\nstream\n{stream}\nendstream")),
        Some(stream.len().to_string()),
    ];
    pdf(&objects, "/Root 1 0 R")
}

#[test]
fn pages_are_counted_in_all_nodes_above_them() {
    let levels = chunked(&nested(&[4, 5], "data"));
    assert_eq!(without(&levels[3], |at| at == 0), nested(&[5], "data"));
    assert_eq!(without(&levels[3], |at| at == 1), nested(&[4], "data"));
}

#[test]
fn the_length_of_a_stream_may_be_another_object() {
    let pieces = chunked(&nested(&[4], "0123456789ABC")).pop().unwrap();
    let text = nested(&[4], "0123456789ABC");
    let stream = text.windows(10).position(|window| window == b"0123456789").unwrap();
    let starts: Vec<usize> = (0..pieces.len()).filter(|at| (stream..stream + 5).contains(at)).collect();
    assert_eq!(without(&pieces, |at| starts.contains(&at)), nested(&[4], "56789ABC"));
}

#[test]
fn of_several_tables_numbers_go_in_all() {
    let first = pdf(&[Some("<< /Pages 4 0 R >>".to_string()), None, None, Some("<< >>".to_string())], "/Root 1 0 R");
    let added = |text: Vec<u8>, first: usize, rows: usize, previous: usize| {
        let mut text = String::from_utf8(text).unwrap();
        let place = text.len();
        let rows = "0000000000 65535 f \n".repeat(rows);
        let count = rows.len() / 20;
        text += &format!("xref\n{first} {count}\n{rows}trailer\n<< /Prev {previous} >>\nstartxref\n{place}\n%%EOF\n");
        text.into_bytes()
    };
    let place = |text: &[u8]| text.windows(5).position(|window| window == b"xref\n").unwrap();
    let text = added(first.clone(), 3, 1, place(&first));
    let rows = chunked(&text).into_iter().find(|level| has(&without(level, |_| true), b"xref\n0 3\n")).unwrap();
    let expected = pdf(&[Some("<< /Pages 2 0 R >>".to_string()), Some("<< >>".to_string())], "/Root 1 0 R");
    let previous = place(&expected);
    assert_eq!(without(&rows, |_| true), added(expected, 2, 0, previous));
}

#[test]
fn where_most_offsets_are_wrong_nothing_is_known() {
    let text = String::from_utf8(document(&pages(3))).unwrap();
    assert!(chunked(text.replace("%PDF-1.4\n", "%PDF-1.4\n\n").as_bytes()).is_empty());
    assert!(!chunked(text.as_bytes()).is_empty());
    assert!(chunked(text.replace("%PDF", "%FDP").as_bytes()).is_empty());
}

#[test]
fn of_many_pages_one_is_left() {
    let base = file(&document(&pages(40)));
    let is_failing =
        |text: &[u8]| read(text).is_some_and(|all| all.values().any(|it| it.contains("(page 31, line 7 ")));
    let search = Reduction::new(base, Plan::standard());
    let mut tests = 0;
    let search = run(search, |candidate: &Candidate| {
        tests += 1;
        fails_if(is_failing(candidate.artifact().bytes()))
    });
    let left = search.best().artifact().bytes().to_vec();
    assert!(is_failing(&left));
    assert!(left.len() < 200 && tests < 800, "{} bytes after {tests} tests: {}", left.len(), left.escape_ascii());
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_bytes_in_a_file_of_objects(
        is_nested in any::<bool>(), missing in 0..60usize,
        changes in prop::collection::vec((0..9000usize, prop_oneof![
            Just(b'0'), Just(b'9'), Just(b'['), Just(b'<'), Just(b'>'), Just(b'('), Just(b'%'), Just(b' '), any::<u8>()
        ]), 0..8),
        choice in prop::collection::vec(any::<bool>(), 1..40),
    ) {
        let text = if is_nested { nested(&[4, 5], "some data") } else { document(&pages(5)) };
        comes_apart(text, &changes, missing, &choice);
    }

    #[test]
    fn whatever_goes_of_objects_offsets_are_true(choice in prop::collection::vec(any::<bool>(), 1..40)) {
        let text = document(&pages(9));
        for level in &chunked(&text)[2..4] {
            prop_assert!(read(&without(level, |at| choice[at % choice.len()])).is_some());
        }
    }
}
