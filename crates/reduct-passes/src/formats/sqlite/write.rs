//! Writing a database of SQLite anew: no page is free, and each tree takes as few as it can.

use super::database::{Database, Entry, HEAD, Payload};
use super::record::{put, with_integer};
use std::ops::Range;

/// Which value of a row of the schema is the root of a tree.
const ROOT: usize = 3;

/// The heads of pages: of leaves, and of those with pages below them.
const LEAF: usize = 8;
const INNER: usize = 12;

/// A cell has at least so many bytes.
const LEAST_CELL: usize = 4;

/// What a database is to be written with.
pub(super) struct Kept<'a> {
    pub(super) database: &'a Database,
    /// The size of its pages.
    pub(super) page: usize,
    /// Its objects, by number, with the entries of their trees.
    pub(super) objects: Vec<(usize, Vec<&'a Entry>)>,
}

/// Returns the file. `None` if a row of the schema cannot be written.
pub(super) fn file(kept: &Kept) -> Option<Vec<u8>> {
    let database = kept.database;
    let mut writer = Writer { page: kept.page, usable: kept.page - database.reserved, pages: vec![vec![]] };
    let mut schema = vec![];
    for (object, _) in &kept.objects {
        let object = &database.objects[*object];
        let row = &object.entry;
        let payload = match object.tree {
            Some(_) => with_integer(&row.payload, ROOT, writer.add())?,
            None => row.payload.clone(),
        };
        schema.push(Entry { at: row.at.clone(), rowid: row.rowid, payload });
    }
    writer.tree(1, false, schema.iter());
    let mut root = 2;
    for (object, entries) in &kept.objects {
        if let Some(tree) = &database.objects[*object].tree {
            writer.tree(root, tree.is_keys, entries.iter().copied());
            root += 1;
        }
    }
    Some(writer.finish(&database.head))
}

/// A page below another one, with what stands between it and the next: the largest row in it, or an entry.
struct Child {
    page: u32,
    after: Vec<u8>,
}

struct Writer {
    page: usize,
    usable: usize,
    pages: Vec<Vec<u8>>,
}

impl Writer {
    /// Adds a page, and returns its number, which counts from one.
    fn add(&mut self) -> u32 {
        self.pages.push(vec![]);
        self.pages.len() as u32
    }

    /// Returns how many bytes of cells and of where they are a page has room for.
    fn room(&self, page: u32, head: usize) -> usize {
        self.usable - head - if page == 1 { HEAD } else { 0 }
    }

    /// Writes a tree whose root is this page.
    fn tree<'a>(&mut self, root: u32, is_keys: bool, entries: impl Iterator<Item = &'a Entry>) {
        let (mut cells, mut rows) = (vec![], vec![]);
        for entry in entries {
            cells.push(self.cell(entry, is_keys));
            rows.push(entry.rowid);
        }
        let size = |cell: &Vec<u8>| 2 + cell.len().max(LEAST_CELL);
        let kind = if is_keys { 10 } else { 13 };
        if cells.iter().map(size).sum::<usize>() <= self.room(root, LEAF) {
            return self.write(root, kind, &cells, None);
        }
        let sizes: Vec<usize> = cells.iter().map(size).collect();
        // No page below the root is the first one.
        let leaves = leaves(&sizes, self.room(0, LEAF), is_keys);
        let mut children = vec![];
        for leaf in leaves {
            let after = match is_keys {
                true => cells.get(leaf.end).cloned().unwrap_or_default(),
                false => {
                    let mut row = vec![];
                    put(rows[leaf.end - 1].cast_unsigned(), &mut row);
                    row
                }
            };
            let page = self.add();
            self.write(page, kind, &cells[leaf], None);
            children.push(Child { page, after });
        }
        self.inner(root, if is_keys { 2 } else { 5 }, children);
    }

    /// Writes the pages above these.
    fn inner(&mut self, root: u32, kind: u8, mut children: Vec<Child>) {
        loop {
            let size = |child: &Child| 2 + 4 + child.after.len();
            let sizes: Vec<usize> = children.iter().map(size).collect();
            if sizes[..sizes.len() - 1].iter().sum::<usize>() <= self.room(root, INNER) {
                return self.write_inner(root, kind, &children);
            }
            let mut above = vec![];
            for node in nodes(&sizes, self.room(0, INNER)) {
                let page = self.add();
                let after = children[node.end - 1].after.clone();
                self.write_inner(page, kind, &children[node]);
                above.push(Child { page, after });
            }
            children = above;
        }
    }

    fn write_inner(&mut self, page: u32, kind: u8, children: &[Child]) {
        let Some((last, others)) = children.split_last() else { return };
        let cells: Vec<Vec<u8>> =
            others.iter().map(|child| [&child.page.to_be_bytes()[..], &child.after].concat()).collect();
        self.write(page, kind, &cells, Some(last.page));
    }

    /// Writes a page: its cells from its end on, and before them where each begins.
    fn write(&mut self, page: u32, kind: u8, cells: &[Vec<u8>], last: Option<u32>) {
        let mut bytes = vec![0; self.page];
        let head = if page == 1 { HEAD } else { 0 };
        let mut pointer = head + if last.is_some() { INNER } else { LEAF };
        let mut start = self.usable;
        for cell in cells {
            start -= cell.len().max(LEAST_CELL);
            bytes[start..start + cell.len()].copy_from_slice(cell);
            bytes[pointer..pointer + 2].copy_from_slice(&(start as u16).to_be_bytes());
            pointer += 2;
        }
        bytes[head] = kind;
        bytes[head + 3..head + 5].copy_from_slice(&(cells.len() as u16).to_be_bytes());
        // The largest number does not fit, and is written as 0.
        bytes[head + 5..head + 7].copy_from_slice(&(start as u16).to_be_bytes());
        if let Some(last) = last {
            bytes[head + 8..head + 12].copy_from_slice(&last.to_be_bytes());
        }
        self.pages[page as usize - 1] = bytes;
    }

    /// Returns a cell without the page below it, and writes the pages on which it goes on.
    fn cell(&mut self, entry: &Entry, is_keys: bool) -> Vec<u8> {
        let mut cell = vec![];
        put(entry.payload.len() as u64, &mut cell);
        if !is_keys {
            put(entry.rowid.cast_unsigned(), &mut cell);
        }
        let local = Payload::new(self.usable, is_keys).local(entry.payload.len());
        let (here, elsewhere) = entry.payload.split_at(local);
        cell.extend_from_slice(here);
        let mut pages = elsewhere.chunks(self.usable - 4).peekable();
        if pages.peek().is_some() {
            cell.extend_from_slice(&(self.pages.len() as u32 + 1).to_be_bytes());
        }
        while let Some(contents) = pages.next() {
            let next = if pages.peek().is_some() { self.pages.len() as u32 + 2 } else { 0 };
            let mut bytes = [&next.to_be_bytes()[..], contents].concat();
            bytes.resize(self.page, 0);
            self.pages.push(bytes);
        }
        cell
    }

    /// Returns the file, with what its head says of it.
    fn finish(self, head: &[u8]) -> Vec<u8> {
        let pages = self.pages.len() as u32;
        let mut file = self.pages.concat();
        file[..HEAD].copy_from_slice(head);
        let mut set = |at: usize, bytes: &[u8]| file[at..at + bytes.len()].copy_from_slice(bytes);
        set(16, &(if self.page == 1 << 16 { 1 } else { self.page as u16 }).to_be_bytes());
        set(28, &pages.to_be_bytes());
        // No page is free, and none says what others are.
        set(32, &[0; 8]);
        set(52, &[0; 4]);
        set(64, &[0; 4]);
        // The number of pages counts if it was written with the last change.
        set(92, &head[24..28]);
        file
    }
}

/// Returns which cells of these sizes each leaf has. Between leaves of keys, one stands in the page above.
fn leaves(sizes: &[usize], room: usize, is_keys: bool) -> Vec<Range<usize>> {
    let between = usize::from(is_keys);
    let (mut leaves, mut start, mut used): (Vec<Range<usize>>, _, _) = (vec![], 0, 0);
    for (at, size) in sizes.iter().enumerate() {
        if at < start {
            continue;
        }
        if at > start && used + size > room {
            leaves.push(start..at);
            (start, used) = (at + between, 0);
        }
        used += if at < start { 0 } else { *size };
    }
    match leaves.last_mut() {
        // The last cell is not between leaves: the one before it is.
        Some(last) if start == sizes.len() => {
            last.end -= 1;
            leaves.push(sizes.len() - 1..sizes.len());
        }
        _ => leaves.push(start..sizes.len()),
    }
    leaves
}

/// Returns which pages each page above has below it, two at least, if a cell for each has this size. The last one takes none.
fn nodes(sizes: &[usize], room: usize) -> Vec<Range<usize>> {
    let (mut nodes, mut start, mut used): (Vec<Range<usize>>, _, _) = (vec![], 0, 0);
    for at in 1..sizes.len() {
        // The one before has a cell if this one is on the same page.
        used += sizes[at - 1];
        if used > room {
            nodes.push(start..at);
            (start, used) = (at, 0);
        }
    }
    if let Some(last) = nodes.last_mut().filter(|last| start + 1 == sizes.len() && last.len() > 2) {
        last.end -= 1;
        start -= 1;
    }
    nodes.push(start..sizes.len());
    nodes
}
