//! Databases of SQLite without some of what is in them are written as if it had never been there.

use crate::support::{chunked, without};
use proptest::prelude::*;
use reduct_core::Config;
use reduct_input::Circumstances;

/// A value of a record. Numbers are of one byte.
enum Value {
    Null,
    Number(u8),
    Text(Vec<u8>),
}

fn text(text: impl Into<Vec<u8>>) -> Value {
    Value::Text(text.into())
}

/// A number of sevens of two bytes at most, the most significant first.
fn sevens(number: usize) -> Vec<u8> {
    if number < 128 { vec![number as u8] } else { vec![(number >> 7) as u8 | 0x80, number as u8 & 0x7f] }
}

fn record(values: &[Value]) -> Vec<u8> {
    let kind = |value: &Value| match value {
        Value::Null => sevens(0),
        Value::Number(_) => sevens(1),
        Value::Text(text) => sevens(13 + 2 * text.len()),
    };
    let contents = |value: &Value| match value {
        Value::Null => vec![],
        Value::Number(number) => vec![*number],
        Value::Text(text) => text.clone(),
    };
    let kinds: Vec<u8> = values.iter().flat_map(kind).collect();
    [vec![kinds.len() as u8 + 1], kinds, values.iter().flat_map(contents).collect()].concat()
}

/// A cell of a table, all of which is in its page.
fn row(number: u8, record: &[u8]) -> Vec<u8> {
    [&sevens(record.len())[..], &[number], record].concat()
}

/// A cell of an index.
fn key(record: &[u8]) -> Vec<u8> {
    [&sevens(record.len())[..], record].concat()
}

/// A page with so many bytes before it, whose cells stand from its end on; `last` is the page below it after all others.
fn page(size: usize, head: &[u8], kind: u8, cells: &[Vec<u8>], last: Option<u8>) -> Vec<u8> {
    let mut start = size;
    let starts: Vec<usize> = cells
        .iter()
        .map(|cell| {
            start -= cell.len();
            start
        })
        .collect();
    let two = |number: usize| (number as u16).to_be_bytes().to_vec();
    let mut all = [head, &[kind, 0, 0], &two(cells.len()), &two(start), &[0]].concat();
    all.extend(last.into_iter().flat_map(|page| [0, 0, 0, page]));
    starts.into_iter().for_each(|start| all.extend(two(start)));
    all.resize(start, 0);
    cells.iter().rev().for_each(|cell| all.extend(cell));
    all
}

/// The head of a file.
fn head(size: usize, pages: u8) -> Vec<u8> {
    let mut head = b"SQLite format 3\0".to_vec();
    head.extend((size as u16).to_be_bytes());
    head.extend([1, 1, 0, 64, 32, 32, 0, 0, 0, 7, 0, 0, 0, pages]);
    head.resize(43, 0);
    head.extend([1, 0, 0, 0, 4]);
    head.resize(59, 0);
    head.push(1);
    head.resize(95, 0);
    head.push(7);
    head.resize(100, 0);
    head
}

/// What the schema says of an object.
struct Object(&'static str, &'static str, &'static str, u8);

const TABLE: &str = "table";
const INDEX: &str = "index";

/// A file with these objects, the numbers of whose rows begin with that of the first, and the pages behind the schema.
fn file(size: usize, objects: &[(u8, Object)], pages: &[Vec<u8>]) -> Vec<u8> {
    let described = |(number, Object(kind, name, table, root)): &(u8, Object)| {
        let root = if *root == 0 { Value::Null } else { Value::Number(*root) };
        row(*number, &record(&[text(*kind), text(*name), text(*table), root, text(format!("create {name}"))]))
    };
    let cells: Vec<_> = objects.iter().map(described).collect();
    let first = page(size, &head(size, pages.len() as u8 + 1), 13, &cells, None);
    [first, pages.concat()].concat()
}

/// The rows of a table, and the keys of its index.
fn rows(numbers: &[u8]) -> (Vec<Vec<u8>>, Vec<Vec<u8>>) {
    let name = |number: u8| format!("{number:030}");
    let rows = numbers.iter().map(|number| row(*number, &record(&[text(name(*number))])));
    let keys = numbers.iter().map(|number| key(&record(&[text(name(*number)), Value::Number(*number)])));
    (rows.collect(), keys.collect())
}

/// A table with an index.
fn indexed(size: usize, numbers: &[u8]) -> Vec<u8> {
    let (rows, keys) = rows(numbers);
    let objects = [(1, Object(TABLE, "t", "t", 2)), (2, Object(INDEX, "i", "t", 3))];
    file(size, &objects, &[page(size, &[], 13, &rows, None), page(size, &[], 10, &keys, None)])
}

#[test]
fn rows_go_with_their_keys() {
    let levels = chunked(&indexed(512, &[1, 2, 5]));
    assert_eq!(levels.iter().map(Circumstances::len).collect::<Vec<_>>(), [2, 3]);
    assert_eq!(without(&levels[1], |at| at == 1), indexed(512, &[1, 5]));
    assert_eq!(without(&levels[1], |_| true), indexed(512, &[]));
}

#[test]
fn tables_go_with_their_indexes_and_roots_follow() {
    let ((t, i), (u, _)) = (rows(&[1]), rows(&[7, 8]));
    let objects = [
        (1, Object(TABLE, "t", "t", 2)),
        (2, Object(INDEX, "i", "t", 3)),
        (3, Object("view", "v", "v", 0)),
        (4, Object(TABLE, "u", "u", 4)),
    ];
    let leaf = |kind, cells: &[Vec<u8>]| page(512, &[], kind, cells, None);
    let levels = chunked(&file(512, &objects, &[leaf(13, &t), leaf(10, &i), leaf(13, &u)]));
    let left = [(3, Object("view", "v", "v", 0)), (4, Object(TABLE, "u", "u", 2))];
    assert_eq!(without(&levels[0], |at| at == 0), file(512, &left, &[leaf(13, &u)]));
    let left = [(1, Object(TABLE, "t", "t", 2)), (4, Object(TABLE, "u", "u", 3))];
    assert_eq!(without(&levels[0], |at| at == 1 || at == 2), file(512, &left, &[leaf(13, &t), leaf(13, &u)]));
}

#[test]
fn free_pages_go() {
    let whole = indexed(512, &[1, 2]);
    let mut text = whole.clone();
    text.extend([0; 512]);
    // Four pages, of which the fourth is the first of one that is free.
    (text[31], text[35], text[39]) = (4, 4, 1);
    let levels = chunked(&text);
    assert_eq!(levels[0].len(), 1);
    assert_eq!(without(&levels[0], |_| true), whole);
}

/// Of 504 bytes of a leaf, a row takes 36 and a key 37: 14 rows or 13 keys. Of 28 keys 13 are in the first leaf, one is above, and of the others the last one
/// but one is above the last.
#[test]
fn pages_get_smaller() {
    let numbers: Vec<u8> = (1..=28).collect();
    let levels = chunked(&indexed(4096, &numbers));
    let (rows, keys) = rows(&numbers);
    let below = |page: u8, after: &[u8]| [&[0, 0, 0, page], after].concat();
    let pages = [
        page(512, &[], 5, &[below(4, &[14])], Some(5)),
        page(512, &[], 2, &[below(6, &keys[13]), below(7, &keys[26])], Some(8)),
        page(512, &[], 13, &rows[..14], None),
        page(512, &[], 13, &rows[14..], None),
        page(512, &[], 10, &keys[..13], None),
        page(512, &[], 10, &keys[14..26], None),
        page(512, &[], 10, &keys[27..], None),
    ];
    let objects = [(1, Object(TABLE, "t", "t", 2)), (2, Object(INDEX, "i", "t", 3))];
    let small = file(512, &objects, &pages);
    assert_eq!(without(levels.last().unwrap(), |_| true), small);
    // Read again, it is the same, and rows go from it as from the other.
    let levels = chunked(&small);
    assert_eq!(levels.iter().map(Circumstances::len).collect::<Vec<_>>(), [2, 28]);
    assert_eq!(without(&levels[1], |at| at != 13), indexed(512, &[14]));
}

/// A record of 2003 bytes does not fit into a page of 512, of which 477 are the most that one of a table may have there. The least are 500 · 32 / 255 - 23 = 39,
/// and so many are there, as with what is left of full pages of 508 it would be 39 + 1964 mod 508 = 479.
#[test]
fn long_records_go_on_elsewhere() {
    let long = record(&[text(vec![b'x'; 2000])]);
    assert_eq!(long.len(), 2003);
    let objects = || [(1, Object(TABLE, "t", "t", 2))];
    let whole = file(4096, &objects(), &[page(4096, &[], 13, &[row(1, &long)], None)]);
    let cell = [&sevens(2003)[..], &[1], &long[..39], &[0, 0, 0, 3]].concat();
    let mut pages = vec![page(512, &[], 13, &[cell], None)];
    for (at, contents) in long[39..].chunks(508).enumerate() {
        let next = if at < 3 { at as u8 + 4 } else { 0 };
        let mut more = [&[0, 0, 0, next], contents].concat();
        more.resize(512, 0);
        pages.push(more);
    }
    assert_eq!(pages.len(), 5);
    let small = file(512, &objects(), &pages);
    assert_eq!(without(chunked(&whole).last().unwrap(), |_| true), small);
    let empty = file(512, &objects(), &[page(512, &[], 13, &[], None)]);
    assert_eq!(without(&chunked(&small)[1], |_| true), empty);
}

#[test]
fn what_is_damaged_is_not_taken_apart() {
    let mut text = indexed(512, &[1, 2]);
    // The first page of the table is none.
    text[512] = 7;
    assert!(chunked(&text).is_empty());
    // A hundred rows that are all the same cell, which would be read once for each of them.
    let mut text = indexed(1024, &[1, 2]);
    let start = u16::from_be_bytes([text[1024 + 8], text[1024 + 9]]);
    text[1024 + 4] = 100;
    (0..100).for_each(|at| text[1032 + 2 * at..1034 + 2 * at].copy_from_slice(&start.to_be_bytes()));
    assert!(chunked(&text).is_empty());
}

proptest! {
    /// What is damaged may be read as something that takes more pages: then there is no candidate.
    #[test]
    fn any_database_comes_apart(
        changes in prop::collection::vec((any::<usize>(), any::<u8>()), 0..6),
        missing in 0..600usize,
        choice in prop::collection::vec(any::<bool>(), 1..20),
    ) {
        let mut text = indexed(512, &[1, 2, 3, 9]);
        let length = text.len();
        changes.iter().for_each(|(at, byte)| text[at % length] = *byte);
        text.truncate(length - missing);
        for parts in chunked(&text) {
            let all = Config::full(parts.len());
            let whole = parts.candidate(&all).unwrap().artifact();
            prop_assert_eq!(whole.bytes(), &text[..]);
            let kept: Config = all.iter().filter(|part| choice[part.0 as usize % choice.len()]).collect();
            let left = parts.candidate(&kept).map_or(0, |left| left.len());
            prop_assert!(left <= text.len());
        }
    }
}
