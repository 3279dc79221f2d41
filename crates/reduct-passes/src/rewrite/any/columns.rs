//! Removes a column: what stands at one place in all rows of a table.
//!
//! ## What it tries
//! For each column of a table in SQL: its definition, its name and its values wherever rows are put into the table, and the
//! shortest text wherever else it is used. Where the grammar does not read the statements, words and brackets tell what is a table
//! and what is put into it. Then, for lists that stand side by side and are as long as each other (rows, arrays,
//! records): what stands at one place in all of them; in JSON the same for a few arrays that are as long as each other, wherever they
//! stand; and what stands at one place on both sides of an assignment of several things. In HTML and XML, the cells at one place of all rows of
//! a table that are as long as each other; in YAML, one key of all mappings in a list or mapping; in Python, a name of
//! `pytest.mark.parametrize` with its values and the parameter of the test. Where no grammar reads the text, lines with as many commas,
//! semicolons, tabs or bars are such rows if they follow each other, and lines with one key go from all sections (`[name]`) that have it, in
//! TOML, too.
//!
//! ## When it helps
//! Where rows must be as long as each other, so that nothing of one row can go alone.
//!
//! ## Before
//! ```sql
//! CREATE TABLE t (a INT, b INT, c TEXT);
//! INSERT INTO t VALUES (1, 2, 'x'), (3, 4, 'y');
//! INSERT INTO t (c, b) VALUES ('z', 5);
//! SELECT a FROM t WHERE b > 1;
//! ```
//! ## After
//! ```sql
//! CREATE TABLE t (a INT, c TEXT);
//! INSERT INTO t VALUES (1, 'x'), (3, 'y');
//! INSERT INTO t (c) VALUES ('z');
//! SELECT a FROM t WHERE 0 > 1;
//! ```

mod assigned;
mod by_words;
mod parametrized;
mod rows;
mod sections;

use crate::pass::{Needs, Pass, Proposals};
use crate::rewrite::{largest_first, propose_in_order};
use crate::text::moved;
use reduct_input::names::EditDraft;
use reduct_input::siblings::{items, lists};
use reduct_input::{Class, Edit, Part, Splice, Subject, Tree, removed, united};
use std::collections::BTreeMap;
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    needs: Needs::Text,
    ..Pass::rewriting("columns", "removes what stands at one place in all rows of a table", 0.4, propose)
};

/// Longer rows have no columns.
const COLUMNS: usize = 64;

/// Lines with more values than these, in all texts together, have no columns: all edits are made at once, with a splice for each
/// value.
const VALUES: usize = 200_000;

/// What separates the values of a line: of these, what makes tables of most lines, or else the first.
const SEPARATORS: &[u8] = b"\t;,|";

fn propose(subject: &Subject) -> Proposals {
    let (mut edits, word) = (vec![], parametrized::word(subject));
    for (number, tree) in subject.trees().iter().enumerate() {
        if tree.grammar.language == "sql" {
            edits.extend(tables(subject, number, tree));
        }
        edits.extend((0..tree.len()).flat_map(|at| side_by_side(subject, tree, at)));
        edits.extend(parallel(subject, tree));
        edits.extend((1..tree.len()).flat_map(|at| assigned::assigned(subject, tree, at)));
        edits.extend(rows::cells(subject, number));
        edits.extend(rows::nested(subject, number));
        edits.extend(parametrized::parametrized(subject, number, word));
        if tree.grammar.language == "toml" {
            edits.extend(sections::keys(subject.text(tree.range(0)), tree.node(0).start));
        }
    }
    let regions = subject.unparsed().into_iter();
    edits.extend(regions.flat_map(|region| sections::keys(subject.text(region.clone()), region.start)));
    let mut left = VALUES;
    edits.extend(subject.unparsed().into_iter().flat_map(|region| of_lines(subject, &region, &mut left)));
    propose_in_order(subject, largest_first(edits))
}

/// Returns the columns of the rows among the children of a node.
fn side_by_side(subject: &Subject, tree: &Tree, at: usize) -> Vec<Edit> {
    let mut rows: BTreeMap<(u16, usize), Vec<Vec<usize>>> = BTreeMap::new();
    for child in tree.children(at).filter(|child| tree.is_named(*child)) {
        let all = tree.children(child).filter(|part| tree.is_named(*part)).count();
        // What has nothing in it but one list.
        lists(tree, child, |list| {
            if list.len() == all && (2..=COLUMNS).contains(&all) {
                rows.entry((tree.node(child).kind, all)).or_default().push(list.to_vec());
            }
        });
    }
    let rows = rows.into_iter().filter(|(_, rows)| rows.len() > 1);
    rows.flat_map(|((_, length), rows)| columns(subject, tree, length, &rows)).collect()
}

/// Returns the columns of rows that are so long.
fn columns(subject: &Subject, tree: &Tree, length: usize, rows: &[Vec<usize>]) -> Vec<Edit> {
    let items: Vec<_> = rows.iter().map(|list| items(subject.artifact().bytes(), tree, list)).collect();
    let column = |place: usize| {
        let gone = united(items.iter().flat_map(|row| removed(row, &[place])).collect());
        Edit::new(gone.into_iter().map(|at| Splice { at, with: [].into() }).collect())
    };
    (0..length).filter_map(column).collect()
}

/// Where more arrays are left, it is chance if some are as long as each other.
const ARRAYS: usize = 16;

/// Returns the columns of arrays of JSON that are as long as each other, but do not all stand side by side.
fn parallel(subject: &Subject, tree: &Tree) -> Vec<Edit> {
    let is_array = |at: &usize| tree.grammar.language == "json" && tree.kind(*at) == "array";
    let arrays: Vec<usize> = (1..tree.len()).filter(is_array).take(ARRAYS + 1).collect();
    if arrays.len() > ARRAYS {
        return vec![];
    }
    let mut rows: BTreeMap<usize, Vec<Vec<usize>>> = BTreeMap::new();
    for array in arrays {
        lists(tree, array, |list| rows.entry(list.len()).or_default().push(list.to_vec()));
    }
    // An array stands in what its parts stand in.
    let place = |row: &Vec<usize>| tree.parent(row[0]).and_then(|array| tree.parent(array));
    let is_wanted = |(length, rows): &(usize, Vec<Vec<usize>>)| {
        (2..=COLUMNS).contains(length) && rows.iter().any(|row| place(row) != place(&rows[0]))
    };
    let rows = rows.into_iter().filter(is_wanted);
    rows.flat_map(|(length, rows)| columns(subject, tree, length, &rows)).collect()
}

/// What is put into a table by one statement.
struct Insert {
    /// The names of the columns, if they are given.
    columns: Option<Vec<usize>>,
    rows: Vec<Vec<usize>>,
}

/// Returns the columns of the tables that are made in a text in SQL.
fn tables(subject: &Subject, number: usize, tree: &Tree) -> Vec<Edit> {
    let mut inserts: BTreeMap<&[u8], Vec<Insert>> = BTreeMap::new();
    for at in (1..tree.len()).filter(|at| tree.kind(*at) == "insert") {
        let Some(name) = first(tree, at, "object_reference") else { continue };
        inserts.entry(subject.text(tree.range(name))).or_default().push(insert(tree, at));
    }
    let (mut edits, mut read): (Vec<Edit>, BTreeMap<&[u8], usize>) = Default::default();
    for at in (1..tree.len()).filter(|at| tree.kind(*at) == "create_table") {
        let named = first(tree, at, "object_reference").zip(first(tree, at, "column_definitions"));
        let Some((name, list)) = named else { continue };
        let columns: Vec<usize> = tree.children(list).filter(|at| tree.kind(*at) == "column_definition").collect();
        read.insert(subject.text(tree.range(name)), columns.len());
        let into = inserts.get(subject.text(tree.range(name))).map_or(&[][..], Vec::as_slice);
        let without = |place: usize| {
            let column = Column { subject, number, definition: columns[place], place, of: columns.len(), into };
            column.gone(true).or_else(|| column.gone(false))
        };
        edits.extend((0..columns.len()).filter_map(without));
    }
    let known = |name: &[u8]| {
        let rows = inserts.get(name).map_or(0, |all| all.iter().map(|insert| insert.rows.len()).sum());
        (read.get(name).copied().unwrap_or(0), rows)
    };
    edits.extend(by_words::columns(subject.text(tree.range(0)), tree.node(0).start, known));
    edits
}

fn first(tree: &Tree, at: usize, kind: &str) -> Option<usize> {
    tree.children(at).find(|child| tree.kind(*child) == kind)
}

fn insert(tree: &Tree, at: usize) -> Insert {
    let parts = |list: usize| -> Vec<usize> {
        tree.children(list).filter(|part| tree.is_named(*part) && !tree.is(*part, Class::COMMENT)).collect()
    };
    let mut lists = tree.descendants(at).filter(|inner| tree.kind(*inner) == "list" && is_row(tree, at, *inner));
    let mut rows: Vec<Vec<usize>> = lists.by_ref().map(parts).collect();
    let has_names = rows.first().is_some_and(|row| row.iter().all(|part| tree.kind(*part) == "column"));
    let columns = has_names.then(|| rows.remove(0));
    Insert { columns, rows }
}

/// Returns whether a list is a row, and not in one.
fn is_row(tree: &Tree, insert: usize, list: usize) -> bool {
    let parent = tree.parent(list);
    parent == Some(insert) || parent.is_some_and(|at| tree.kind(at) == "values" && tree.parent(at) == Some(insert))
}

/// One column of a table.
struct Column<'a> {
    subject: &'a Subject,
    /// The number of its tree.
    number: usize,
    definition: usize,
    place: usize,
    /// How many columns the table has.
    of: usize,
    into: &'a [Insert],
}

impl Column<'_> {
    /// Returns the text without the column; with the shortest texts for its other uses if that is asked for.
    fn gone(&self, with_uses: bool) -> Option<Edit> {
        let (names, tree) = (self.subject.names(), &self.subject.trees()[self.number]);
        let is_it = |at: &usize| {
            let place = &names.places()[*at];
            place.tree == self.number && place.part == Part::Defines(self.definition)
        };
        let named = names.within(tree.range(self.definition)).find(is_it)?;
        let name = self.subject.text(names.places()[named].at.clone());
        let mut change = EditDraft::new(self.subject, names);
        change.remove(self.number, self.definition);
        let mut put: Vec<Range<u32>> = vec![];
        for insert in self.into {
            let of_name = |at: &usize| self.subject.text(tree.range(*at)) == name;
            let (place, length) = match &insert.columns {
                Some(columns) => match columns.iter().position(of_name) {
                    Some(place) => {
                        put.push(tree.range(columns[place]));
                        change.remove(self.number, columns[place]);
                        (place, columns.len())
                    }
                    None => continue,
                },
                None => (self.place, self.of),
            };
            for row in insert.rows.iter().filter(|row| row.len() == length) {
                change.remove(self.number, row[place]);
            }
        }
        if with_uses {
            // Of several columns of one name it is not known which one is meant.
            let entity = names.entity_of(named).map(|at| &names.entities()[at]).filter(|it| it.defines.len() == 1)?;
            for place in entity.uses.iter().map(|at| &names.places()[*at]) {
                if !put.iter().any(|at| at.start <= place.at.start && place.at.end <= at.end) {
                    names.do_without(self.subject, place, &mut change)?;
                }
            }
        }
        change.edit()
    }
}

/// Returns the columns of lines that are rows; none if there are more values than are left, of which it takes its own.
fn of_lines(subject: &Subject, region: &Range<u32>, left: &mut usize) -> Vec<Edit> {
    let text = subject.text(region.clone());
    // What stands before a table or behind it may hold other separators.
    let all = SEPARATORS.iter().filter_map(|byte| rows(text, *byte, *left));
    let in_tables = |rows: &Vec<Row>| tables_of(rows).map(|table| table.len()).sum::<usize>();
    let Some(rows) = all.rev().max_by_key(in_tables) else { return vec![] };
    *left -= rows.iter().map(Vec::len).sum::<usize>();
    let cut = |place: usize, row: &Row| {
        // The first value goes with the separator after it, others with the one before.
        let at = if place == 0 { row[0].start..row[1].start } else { row[place - 1].end..row[place].end };
        Splice { at: moved(at, region.start), with: [].into() }
    };
    let columns = |table: &[Row]| {
        let column = |place: usize| Edit::new(table.iter().map(|row| cut(place, row)).collect());
        (0..table[0].len()).filter_map(column).collect::<Vec<Edit>>()
    };
    tables_of(&rows).flat_map(columns).collect()
}

/// Where the values of a line stand.
type Row = Vec<Range<usize>>;

/// Returns the lines as rows of values with this separator; `None` if there are more values than that.
fn rows(text: &[u8], separator: u8, most: usize) -> Option<Vec<Row>> {
    let (mut rows, mut at, mut count) = (vec![], 0, 0);
    for line in text.split(|byte| *byte == b'\n') {
        let row = values(line, separator, at);
        count += row.len();
        if count > most {
            return None;
        }
        rows.push(row);
        at += line.len() + 1;
    }
    Some(rows)
}

/// Returns the tables among rows: those that follow each other and are as long as each other.
fn tables_of(rows: &[Row]) -> impl Iterator<Item = &[Row]> {
    let tables = rows.chunk_by(|row, next| row.len() == next.len());
    tables.filter(|table| table.len() > 1 && (2..=COLUMNS).contains(&table[0].len()))
}

/// Returns where the values of a line are, which begins at an offset. Of a line that is too long for a row, it returns one value
/// more than a row can have.
fn values(line: &[u8], separator: u8, offset: usize) -> Vec<Range<usize>> {
    let (mut found, mut start, mut is_quoted) = (vec![], 0, false);
    let line = line.strip_suffix(b"\r").unwrap_or(line);
    for (at, byte) in line.iter().enumerate() {
        is_quoted ^= *byte == b'"';
        if *byte == separator && !is_quoted {
            found.push(offset + start..offset + at);
            start = at + 1;
            if found.len() == COLUMNS {
                break;
            }
        }
    }
    found.push(offset + start..offset + line.len());
    found
}
