//! PDF: objects with numbers, which name each other by them, and at the end a table that says at which bytes they stand. An object goes with
//! those that only it names, and with what names it; its row in the table is a free one then, which goes later, with the numbers of all
//! behind it lowered. In objects go entries of dictionaries, elements of lists and what is in streams.
//!
//! Tables that are streams themselves are not read: of such a file nothing is known.

mod body;
mod owners;
mod table;

use super::Chunks;
use body::{Body, after_blanks};
use owners::Owners;
use reduct_input::ByteOrder::{Decimal, Digits};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;
use table::{Row, Tables};

/// How far from the beginning of a file its first line may stand.
const HEAD: usize = 1024;

/// The levels: objects by how many others they belong to, free rows, streams, entries by how deep they are, and lines of streams.
const DEEPEST_OBJECT: usize = 8;
const ROWS: usize = 10;
const STREAMS: usize = 11;
const ENTRIES: usize = 12;
const DEEPEST_ENTRY: usize = 12;
const LINES: usize = ENTRIES + DEEPEST_ENTRY + 1;

/// In so many nodes above it a page is counted.
const DEEPEST_PAGE: usize = 8;

/// What stands in the row of an object that is gone.
const FREE: &[u8] = b"0000000000 65535 f";

struct Object {
    /// With the blanks behind it.
    at: Range<usize>,
    /// Its number, in digits.
    name: Range<usize>,
    number: usize,
    /// The row in which it is said where it stands.
    row: usize,
    body: Body,
    /// What is in its stream.
    data: Range<usize>,
}

pub(super) fn chunks(text: &[u8], found: &mut Chunks) {
    let head = &text[..text.len().min(HEAD)];
    let Some(header) = head.windows(5).position(|window| window == b"%PDF-") else { return };
    let Some(tables) = Tables::read(text) else { return };
    let Some(objects) = objects(text, &tables) else { return };
    let numbers: HashMap<usize, usize> = objects.iter().enumerate().map(|(at, object)| (object.number, at)).collect();
    let find = |number: usize| numbers.get(&number).copied();
    places(&tables, &objects, found);
    renumbered(text, &tables, &objects, found);
    whole(text, &tables, &objects, find, found);
    counts(text, &objects, find, found);
    for object in &objects {
        stream(text, object, &objects, find, found);
    }
    for body in objects.iter().map(|object| &object.body).chain(&tables.trailers) {
        for entry in &body.entries {
            found.part(ENTRIES + entry.depth.min(DEEPEST_ENTRY), entry.at.clone());
        }
    }
    between(text, header, &tables, &objects, found);
}

/// Returns the objects in the order in which they stand. `None` if most rows point to something else.
fn objects(text: &[u8], tables: &Tables) -> Option<Vec<Object>> {
    let used = tables.rows.iter().filter(|row| row.is_used).count();
    let mut starts: Vec<(usize, usize, Range<usize>)> = vec![];
    for (at, row) in tables.rows.iter().enumerate().filter(|(_, row)| row.is_used) {
        starts.extend(name(text, row.target, row.number).map(|name| (row.target, at, name)));
    }
    if starts.is_empty() || starts.len() * 2 <= used {
        return None;
    }
    starts.sort_by_key(|(start, row, _)| (*start, *row));
    starts.dedup_by_key(|(start, ..)| *start);
    let tables_at = tables.places.iter().map(|place| place.start);
    let mut ends: Vec<usize> = starts.iter().map(|(start, ..)| *start).chain(tables_at).chain([text.len()]).collect();
    ends.sort_unstable();
    let object = |(start, row, name): (usize, usize, Range<usize>)| {
        let end = ends[ends.partition_point(|end| *end <= start)];
        let body = Body::read(text, after_word(text, name.end..end, b"obj")..end);
        let mut object = Object { at: start..end, number: tables.rows[row].number, name, row, body, data: 0..0 };
        let mut over = object.body.end.start;
        if text[object.body.end.clone()].starts_with(b"stream") {
            object.data = data(text, &object);
            over = object.data.end;
        }
        object.at.end = after_blanks(text, after_word(text, over..end, b"endobj")..end);
        object
    };
    Some(starts.into_iter().map(object).collect())
}

/// Returns the number with which an object begins there, if it is this one.
fn name(text: &[u8], start: usize, number: usize) -> Option<Range<usize>> {
    let rest = text.get(start..)?;
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let name = start..start + digits;
    let second = after_blanks(text, name.end..text.len());
    let digits = text[second..].iter().take_while(|byte| byte.is_ascii_digit()).count();
    let word = after_blanks(text, second + digits..text.len());
    let is_one = digits > 0 && second > name.end && text[word..].starts_with(b"obj");
    (is_one && body::decimal(text, name.clone()) == Some(number)).then_some(name)
}

/// Returns where a word ends, or where all does if it is not there.
fn after_word(text: &[u8], within: Range<usize>, word: &[u8]) -> usize {
    let place = text[within.clone()].windows(word.len()).position(|window| window == word);
    place.map_or(within.end, |place| within.start + place + word.len())
}

/// Returns what is in a stream: as much as it says, if it ends there.
fn data(text: &[u8], object: &Object) -> Range<usize> {
    let Range { end: word, .. } = object.body.end;
    let rest = &text[word..object.at.end];
    let start = word + if rest.starts_with(b"\r\n") { 2 } else { usize::from(rest.starts_with(b"\n")) };
    let length = object.body.value(text, b"Length").map(|named| named.number);
    let said = length.and_then(|length| start.checked_add(length)).filter(|end| *end <= object.at.end);
    let is_end = |end: &usize| text[after_blanks(text, *end..object.at.end)..].starts_with(b"endstream");
    let end = said.filter(is_end).unwrap_or_else(|| {
        let end = after_word(text, start..object.at.end, b"endstream");
        let end = if text[..end].ends_with(b"endstream") { end - b"endstream".len() } else { end };
        let line = [b"\r\n".as_slice(), b"\n", b"\r"].into_iter().find(|line| text[start..end].ends_with(line));
        end - line.map_or(0, <[u8]>::len)
    });
    start..end.max(start)
}

/// Adds all that says where something stands.
fn places(tables: &Tables, objects: &[Object], found: &mut Chunks) {
    for (field, target) in &tables.named {
        found.place(field.clone(), Decimal, *target);
    }
    for row in tables.rows.iter().filter(|row| row.is_used) {
        found.place(row.offset(), Digits, row.target);
    }
    // What is read of an object as its number cannot be another one.
    objects.iter().for_each(|object| found.fix(object.name.clone()));
    tables.places.iter().for_each(|place| found.fix(place.clone()));
}

/// Adds free rows, and all numbers that are other ones without them.
fn renumbered(text: &[u8], tables: &Tables, objects: &[Object], found: &mut Chunks) {
    let mut rows: Vec<&Row> = tables.rows.iter().collect();
    rows.sort_by_key(|row| (row.number, row.at.start));
    // In several tables a number may have several rows.
    let numbers: Vec<&[&Row]> = rows.chunk_by(|row, next| row.number == next.number).collect();
    let starts: Arc<[u32]> = numbers.iter().map(|rows| rows[0].at.start as u32).collect();
    let before = |number: usize| numbers.partition_point(|rows| rows[0].number < number);
    for object in objects {
        found.index(object.name.clone(), &starts, before(object.number));
    }
    let bodies = || objects.iter().map(|object| &object.body).chain(&tables.trailers);
    for named in bodies().flat_map(|body| &body.references) {
        found.index(named.at.clone(), &starts, before(named.number));
    }
    for section in &tables.sections {
        let own = &tables.rows[section.rows.clone()];
        if let Some(first) = own.first() {
            found.index(section.first.clone(), &starts, before(first.number));
        }
        let own: Arc<[u32]> = own.iter().map(|row| row.at.start as u32).collect();
        found.count(section.count.clone(), Decimal, &own);
    }
    for size in tables.trailers.iter().filter_map(|trailer| trailer.value(text, b"Size")) {
        found.index(size.at.clone(), &starts, before(size.number));
    }
    // The first one is the head of the list of those that are free.
    let is_free = |rows: &&[&Row]| rows[0].number > 0 && rows.iter().all(|row| !row.is_used);
    for rows in numbers.iter().copied().filter(is_free) {
        let others: Vec<Range<usize>> = rows[1..].iter().map(|row| row.at.clone()).collect();
        found.replaced(ROWS, rows[0].at.clone(), &others, &[]);
    }
}

/// Adds objects as a whole.
fn whole(text: &[u8], tables: &Tables, objects: &[Object], find: impl Fn(usize) -> Option<usize>, found: &mut Chunks) {
    let mut named: Vec<Vec<Range<usize>>> = vec![vec![]; objects.len()];
    for body in objects.iter().map(|object| &object.body).chain(&tables.trailers) {
        for reference in &body.references {
            if let Some((target, entry)) = find(reference.number).zip(reference.entry) {
                named[target].push(body.entries[entry].at.clone());
            }
        }
    }
    let bodies: Vec<&Body> = objects.iter().map(|object| &object.body).collect();
    let owners = Owners::of(text, &bodies, find);
    for (at, object) in objects.iter().enumerate() {
        let depth = owners.depths[at];
        let all = if depth <= DEEPEST_OBJECT { owners.with_all(at) } else { vec![at] };
        let mut also = vec![];
        for one in all {
            found.writes(object.at.start, tables.rows[objects[one].row].at.start, FREE);
            also.extend((one != at).then(|| objects[one].at.clone()));
            also.extend(named[one].iter().cloned());
        }
        found.replaced(depth.min(DEEPEST_OBJECT + 1), object.at.clone(), &also, &[]);
    }
}

/// Adds how many pages there are below nodes of the tree of pages, where it is true.
fn counts(text: &[u8], objects: &[Object], find: impl Fn(usize) -> Option<usize>, found: &mut Chunks) {
    let is_kid = |key: &Range<usize>| &text[key.clone()] == b"Kids";
    let mut above: Vec<Option<usize>> = vec![None; objects.len()];
    let mut kids = vec![];
    for (at, object) in objects.iter().enumerate() {
        for named in object.body.references.iter().filter(|named| is_kid(&named.key)) {
            if let Some(kid) = find(named.number) {
                above[kid] = above[kid].or(Some(at));
                kids.push((at, kid, named.at.start as u32));
            }
        }
    }
    let mut is_node = vec![false; objects.len()];
    kids.iter().for_each(|(node, ..)| is_node[*node] = true);
    let mut pages: Vec<Vec<u32>> = vec![vec![]; objects.len()];
    for (node, _, start) in kids.iter().filter(|(_, kid, _)| !is_node[*kid]) {
        let up = std::iter::successors(Some(*node), |node| above[*node]);
        up.take(DEEPEST_PAGE).for_each(|node| pages[node].push(*start));
    }
    for (object, mut pages) in objects.iter().zip(pages) {
        pages.sort_unstable();
        pages.dedup();
        if let Some(count) = object.body.value(text, b"Count").filter(|count| count.number == pages.len()) {
            found.count(count.at.clone(), Decimal, &pages.into());
        }
    }
}

/// Adds a stream, its lines, and how long it is.
fn stream(text: &[u8], object: &Object, objects: &[Object], find: impl Fn(usize) -> Option<usize>, found: &mut Chunks) {
    let data = object.data.clone();
    if data.is_empty() {
        return;
    }
    found.part(STREAMS, data.clone());
    let mut start = data.start;
    for line in text[data.clone()].split_inclusive(|byte| *byte == b'\n') {
        found.part(LINES, start..start + line.len());
        start += line.len();
    }
    let named = object.body.references.iter().find(|named| &text[named.key.clone()] == b"Length");
    let elsewhere = named.and_then(|named| find(named.number)).and_then(|other| objects[other].body.first.clone());
    let own = object.body.value(text, b"Length").map(|named| named.at.clone());
    let field = own.or(elsewhere).filter(|field| body::decimal(text, field.clone()) == Some(data.len()));
    if let Some(field) = field {
        found.size(field, Decimal, data, 1);
    }
}

/// Adds what is in no object and no table, and all bytes but those of rows.
fn between(text: &[u8], header: usize, tables: &Tables, objects: &[Object], found: &mut Chunks) {
    let line = text[header..].iter().position(|byte| matches!(byte, b'\n' | b'\r')).unwrap_or(0);
    let mut taken: Vec<Range<usize>> = objects.iter().map(|object| object.at.clone()).collect();
    taken.extend(tables.places.iter().cloned());
    taken.sort_by_key(|at| at.start);
    let mut end = after_blanks(text, header + line..text.len());
    found.part(0, 0..header);
    for at in &taken {
        if at.start > end {
            found.part(0, end..at.start);
        }
        end = end.max(at.end);
    }
    let mut rows: Vec<Range<usize>> = tables.rows.iter().map(|row| row.at.clone()).collect();
    rows.sort_by_key(|row| row.start);
    let mut start = 0;
    for row in rows {
        found.contents(start..row.start.max(start), 1);
        start = row.end.max(start);
    }
    found.contents(start..text.len(), 1);
}
