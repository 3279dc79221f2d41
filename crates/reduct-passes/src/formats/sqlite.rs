//! Databases of SQLite: what is in their tables and indexes is read, and a file written anew with what is left.
//!
//! First goes what no table has, as free pages. Then go tables with their indexes and triggers, and indexes, views and triggers alone; then rows with what indexes
//! have of them; and at last pages get smaller. In a file whose pages are damaged, none of that is offered.

mod database;
mod read;
mod record;
mod write;

use crate::pass::Proposals;
use database::{Database, Entry, MAGIC, Object, Sort};
use reduct_input::parts::{Remade, Remake};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::sync::Arc;
use write::Kept;

/// The smallest pages, and how much of each at most may be reserved for something else.
const SMALLEST: usize = 512;
const RESERVED: usize = 32;

/// Larger files take too long to be written for each test.
const LARGEST: usize = 1 << 26;

/// Returns whether a file is such a database.
pub(super) fn is_one(text: &[u8]) -> bool {
    text.starts_with(MAGIC)
}

/// Returns the parts of a file, which begins at an address, level by level.
pub(super) fn propose(text: &[u8], start: u32) -> Proposals {
    let Some(database) = is_one(text).then(|| read::database(text)).flatten().filter(|_| text.len() <= LARGEST) else {
        return vec![];
    };
    let (database, file) = (Arc::new(database), start..start + text.len() as u32);
    let level = |parts: Vec<(Part, Range<u32>)>| {
        let (parts, at): (Vec<Part>, Vec<_>) =
            parts.into_iter().map(|(part, at)| (part, at.start + start..at.end + start)).unzip();
        let by = Arc::new(Rest { database: database.clone(), parts });
        (!at.is_empty()).then(|| Remade { file: file.clone(), parts: at.into(), by }.into())
    };
    let whole = |part| {
        let rest = Rest { database: database.clone(), parts: vec![part] };
        let length = rest.without(&[0]).map_or(usize::MAX, |file| file.len());
        if length < text.len() { vec![(part, 0..(text.len() - length) as u32)] } else { vec![] }
    };
    let has_room = database.page > SMALLEST && database.reserved <= RESERVED;
    let pages = if has_room { whole(Part::Pages) } else { vec![] };
    let levels = [whole(Part::Layout), objects(&database), rows(&database), pages];
    levels.into_iter().filter_map(level).collect()
}

/// What can go.
#[derive(Clone, Copy, Debug)]
enum Part {
    /// What is in no tree, and where all stands.
    Layout,
    /// An object with what is about it.
    Object(usize),
    /// An entry of the tree of an object.
    Row(usize, usize),
    /// That pages are larger than the smallest ones.
    Pages,
}

/// Returns the objects that can go.
fn objects(database: &Database) -> Vec<(Part, Range<u32>)> {
    let goes = |object: &Object| object.sort != Sort::Automatic;
    let objects = database.objects.iter().enumerate().filter(|(_, object)| goes(object));
    objects.map(|(at, object)| (Part::Object(at), object.entry.at.clone())).collect()
}

/// Returns the rows that can go: those of tables whose rows have numbers, by which indexes name them, and of others without indexes.
fn rows(database: &Database) -> Vec<(Part, Range<u32>)> {
    let mut rows = vec![];
    for (object, table) in database.objects.iter().enumerate().filter(|(_, object)| object.sort == Sort::Table) {
        let has_index = || database.objects.iter().any(|other| other.table == table.table && other.sort.is_index());
        let Some(tree) = table.tree.as_ref().filter(|tree| !tree.is_keys || !has_index()) else { continue };
        rows.extend(tree.entries.iter().enumerate().map(|(at, row)| (Part::Row(object, at), row.at.clone())));
    }
    rows
}

/// Writes what is left of a database.
#[derive(Debug)]
struct Rest {
    database: Arc<Database>,
    parts: Vec<Part>,
}

/// What goes of a database.
#[derive(Default)]
struct Gone<'a> {
    objects: BTreeSet<usize>,
    /// Tables and views that go with all that is about them.
    tables: BTreeSet<&'a [u8]>,
    /// By object, which of its entries.
    entries: BTreeSet<(usize, usize)>,
    /// By table, the numbers of the rows that go, which indexes name.
    rows: BTreeMap<&'a [u8], BTreeSet<i64>>,
}

impl Remake for Rest {
    fn without(&self, gone: &[usize]) -> Option<Vec<u8>> {
        let database = &*self.database;
        let (mut page, mut goes) = (database.page, Gone::default());
        for part in gone {
            match self.parts[*part] {
                Part::Layout => {}
                Part::Pages => page = SMALLEST,
                Part::Object(at) => {
                    goes.objects.insert(at);
                    let object = &database.objects[at];
                    if matches!(object.sort, Sort::Table | Sort::View) {
                        goes.tables.insert(&object.table);
                    }
                }
                Part::Row(at, entry) => {
                    goes.entries.insert((at, entry));
                    let table = &database.objects[at];
                    let row = table.tree.as_ref().and_then(|tree| tree.entries.get(entry)).map(|row| row.rowid);
                    goes.rows.entry(&table.table).or_default().extend(row);
                }
            }
        }
        let stays =
            |(at, object): &(usize, &Object)| !goes.objects.contains(at) && !goes.tables.contains(&object.table[..]);
        let objects = database.objects.iter().enumerate().filter(stays);
        let objects = objects.map(|(at, object)| (at, goes.rest_of(at, object))).collect();
        write::file(&Kept { database, page, objects })
    }
}

impl Gone<'_> {
    /// Returns what stays in the tree of an object.
    fn rest_of<'a>(&self, at: usize, object: &'a Object) -> Vec<&'a Entry> {
        let rows = self.rows.get(&object.table[..]).filter(|_| object.sort.is_index());
        let entries = object.tree.iter().flat_map(|tree| tree.entries.iter().enumerate());
        let goes = |entry: usize, row: i64| {
            self.entries.contains(&(at, entry)) || rows.is_some_and(|rows| rows.contains(&row))
        };
        entries.filter(|(entry, row)| !goes(*entry, row.rowid)).map(|(_, row)| row).collect()
    }
}
