//! Reading a database of SQLite: its objects with what is in their trees.

use super::database::{Database, Entry, HEAD, MAGIC, Object, Payload, Sort, Tree};
use super::record::{integer, values, varint};
use crate::formats::number;
use reduct_input::ByteOrder::Big;

/// The types of pages.
const INNER_KEYS: u8 = 2;
const INNER_ROWS: u8 = 5;
const LEAF_KEYS: u8 = 10;
const LEAF_ROWS: u8 = 13;

/// The encoding of texts that is read. In others, the types of objects are other bytes.
const UTF_8: usize = 1;

/// Returns a database that is whole in all that is looked at.
pub(super) fn database(text: &[u8]) -> Option<Database> {
    let head = text.get(..HEAD).filter(|head| head.starts_with(MAGIC))?;
    let page = number(head, 16..18, Big).map(|size| if size == 1 { 1 << 16 } else { size })?;
    let is_size = page.is_power_of_two() && page >= 512 && text.len().is_multiple_of(page);
    let reserved = usize::from(head[20]);
    let usable = page.checked_sub(reserved).filter(|usable| is_size && *usable >= 480)?;
    if number(head, 56..60, Big) != Some(UTF_8) {
        return None;
    }
    let mut reader = Reader { text, page, usable, seen: vec![false; text.len() / page], left: text.len() };
    let schema = reader.tree(1)?;
    let mut objects = vec![];
    for entry in schema.entries {
        objects.push(reader.object(entry)?);
    }
    let head = head.to_vec();
    Some(Database { head, page, reserved, objects })
}

struct Reader<'a> {
    text: &'a [u8],
    page: usize,
    usable: usize,
    /// Which pages were read: none is part of two things.
    seen: Vec<bool>,
    /// How many bytes cells may still have: none is part of two cells.
    left: usize,
}

/// What is still to be read of a tree.
enum Next {
    Page(usize),
    Entry(Entry),
}

impl<'a> Reader<'a> {
    /// Returns where a page begins that was not read yet, which count from one.
    fn page(&mut self, page: usize) -> Option<usize> {
        let at = page.checked_sub(1)?;
        let seen = self.seen.get_mut(at)?;
        (!std::mem::replace(seen, true)).then_some(at * self.page)
    }

    /// Returns all entries of a tree in their order.
    fn tree(&mut self, root: usize) -> Option<Tree> {
        let (mut entries, mut left) = (vec![], vec![Next::Page(root)]);
        let start = root.checked_sub(1)?.checked_mul(self.page)?;
        let is_keys = *self.text.get(start.checked_add(if root == 1 { HEAD } else { 0 })?)? & 1 == 0;
        while let Some(next) = left.pop() {
            match next {
                Next::Entry(entry) => entries.push(entry),
                Next::Page(page) => {
                    let mut found = self.cells(page, is_keys)?;
                    found.reverse();
                    left.extend(found);
                }
            }
        }
        Some(Tree { is_keys, entries })
    }

    /// Returns the entries and pages below a page, in their order.
    fn cells(&mut self, page: usize, is_keys: bool) -> Option<Vec<Next>> {
        let start = self.page(page)?;
        let text = &self.text[start..start + self.page];
        let head = if page == 1 { HEAD } else { 0 };
        let is_inner = match text[head] {
            INNER_KEYS if is_keys => true,
            INNER_ROWS if !is_keys => true,
            LEAF_KEYS if is_keys => false,
            LEAF_ROWS if !is_keys => false,
            _ => return None,
        };
        let count = number(text, head + 3..head + 5, Big)?;
        let pointers = head + if is_inner { 12 } else { 8 };
        let mut found = vec![];
        for cell in 0..count {
            let at = number(text, pointers + 2 * cell..pointers + 2 * cell + 2, Big)?;
            if is_inner {
                found.push(Next::Page(number(text, at..at + 4, Big)?));
            }
            let body = if is_inner { at + 4 } else { at };
            if is_keys || !is_inner {
                found.push(Next::Entry(self.entry(start, at, body, is_keys)?));
            }
        }
        if is_inner {
            found.push(Next::Page(number(text, head + 8..head + 12, Big)?));
        }
        Some(found)
    }

    /// Returns the entry of a cell of a page, which begins there, and without the page below it there.
    fn entry(&mut self, start: usize, at: usize, body: usize, is_keys: bool) -> Option<Entry> {
        let text = &self.text[start..start + self.page];
        let (length, next) = varint(text, body)?;
        let (rowid, data) = if is_keys { (0, next) } else { varint(text, next)? };
        let length = usize::try_from(length).ok().filter(|length| *length <= self.text.len())?;
        let local = Payload::new(self.usable, is_keys).local(length);
        let mut payload = text.get(data..data + local)?.to_vec();
        let mut end = data + local;
        self.left = self.left.checked_sub(end - at)?;
        if local < length {
            let mut page = number(text, end..end + 4, Big)?;
            end += 4;
            while payload.len() < length {
                let start = self.page(page)?;
                let text = &self.text[start..start + self.usable];
                page = number(text, 0..4, Big)?;
                let more = (length - payload.len()).min(text.len() - 4);
                payload.extend_from_slice(&text[4..4 + more]);
            }
        }
        let at = (start + at) as u32..(start + end.min(self.page)) as u32;
        Some(Entry { at, rowid: rowid.cast_signed(), payload })
    }

    /// Returns the object that an entry of the schema describes: its type, its name, the table that it is about, its root, and its text.
    fn object(&mut self, entry: Entry) -> Option<Object> {
        let values = values(&entry.payload)?;
        let [kind, _, table, root, sql] = &values[..] else { return None };
        let text = |value: &super::record::Value| entry.payload[value.at.clone()].to_vec();
        let sort = match &text(kind)[..] {
            b"table" => Sort::Table,
            b"index" if sql.kind == 0 => Sort::Automatic,
            b"index" => Sort::Index,
            b"view" => Sort::View,
            _ => Sort::Other,
        };
        let table = text(table);
        let root = if root.kind == 0 { 0 } else { usize::try_from(integer(&entry.payload, root)?).ok()? };
        let mut tree = if root == 0 { None } else { Some(self.tree(root)?) };
        if let Some(tree) = tree.as_mut().filter(|_| matches!(sort, Sort::Index | Sort::Automatic)) {
            // Its last value is the row. Of a table without such numbers it is something else, and never asked for.
            tree.entries.iter_mut().for_each(|entry| entry.rowid = last_integer(&entry.payload).unwrap_or(0));
        }
        Some(Object { entry, sort, table, tree })
    }
}

fn last_integer(record: &[u8]) -> Option<i64> {
    integer(record, values(record)?.last()?)
}
