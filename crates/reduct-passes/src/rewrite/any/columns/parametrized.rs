//! Tables of arguments of tests in Python: the names in one text, and a row of values for each test.

use super::COLUMNS;
use reduct_input::names::{EditDraft, arguments_of, listed, parameters_of};
use reduct_input::{Class, Edit, NamePlace, Subject, Tree};

/// How the function is called that takes such a table.
const WORD: &[u8] = b"parametrize";

/// A table of arguments.
struct Table<'a> {
    subject: &'a Subject,
    number: usize,
    tree: &'a Tree,
    /// The text or list with the names.
    head: usize,
    names: Vec<&'a [u8]>,
    /// The parts of each row; none of a row that is not spelled out.
    rows: Vec<(usize, Vec<usize>)>,
    /// The place of the call.
    at: &'a NamePlace,
}

/// Returns the number of the name of such a function, if it is called anywhere.
pub(super) fn word(subject: &Subject) -> Option<usize> {
    let names = subject.names();
    (0..names.all().len()).find(|name| names.text(subject, *name) == WORD)
}

/// Returns the edits that remove a name with its value in each row, and the parameter of the test.
/// `word` is what [`word`] returns.
pub(super) fn parametrized(subject: &Subject, number: usize, word: Option<usize>) -> Vec<Edit> {
    let tree = &subject.trees()[number];
    if tree.grammar.language != "python" {
        return vec![];
    }
    let names = subject.names();
    let places = word.into_iter().flat_map(|name| names.places_of(name)).filter(|place| place.tree == number);
    let tables = places.filter_map(|at| Table::of(subject, number, at));
    let columns = |table: Table| {
        let without = |place| table.without(place, true).or_else(|| table.without(place, false));
        (0..table.names.len()).filter_map(without).collect::<Vec<Edit>>()
    };
    tables.flat_map(columns).collect()
}

impl<'a> Table<'a> {
    fn of(subject: &'a Subject, number: usize, at: &'a NamePlace) -> Option<Table<'a>> {
        let tree = &subject.trees()[number];
        let (list, _) = arguments_of(tree, at)?;
        let [head, rows, ..] = listed(tree, list)[..] else { return None };
        let is_text = |at: usize| tree.is(at, Class::STRING);
        let names: Vec<&[u8]> = if is_text(head) {
            content(subject.text(tree.range(head)))?.split(|byte| *byte == b',').map(<[u8]>::trim_ascii).collect()
        } else {
            let parts = parts(tree, head)?;
            parts.iter().map(|at| content(subject.text(tree.range(*at)))).collect::<Option<_>>()?
        };
        let rows = parts(tree, rows)?.into_iter().map(|row| Some((row, parts(tree, row)?)));
        let rows: Vec<(usize, Vec<usize>)> = rows.collect::<Option<_>>()?;
        let is_whole = rows.iter().all(|(_, row)| row.len() >= names.len()) && (2..=COLUMNS).contains(&names.len());
        is_whole.then_some(Table { subject, number, tree, head, names, rows, at })
    }

    /// Returns the text without a column; with the parameter of the test if that is asked for.
    fn without(&self, place: usize, with_parameter: bool) -> Option<Edit> {
        let tree = self.tree;
        let mut change = EditDraft::new(self.subject, self.subject.names());
        let left: Vec<&[u8]> = (0..self.names.len()).filter(|at| *at != place).map(|at| self.names[at]).collect();
        let is_text = tree.is(self.head, Class::STRING);
        match is_text || left.len() == 1 {
            true => change.put(tree.range(self.head), &[b"\"", &left.join(&b","[..])[..], b"\""].concat()),
            false => change.remove(self.number, parts(tree, self.head)?[place]),
        }
        for (row, values) in &self.rows {
            // Of one name, there are values and no rows.
            match left.len() == 1 && !tree.is(*row, Class::CALL) {
                true => change.put(tree.range(*row), self.subject.text(tree.range(values[1 - place]))),
                false => change.remove(self.number, values[place]),
            }
        }
        if with_parameter {
            self.without_parameter(self.names[place], &mut change)?;
        }
        change.edit()
    }

    /// Does without a parameter of the test that is called with the rows.
    fn without_parameter(&self, name: &[u8], change: &mut EditDraft) -> Option<()> {
        let (tree, names) = (self.tree, self.subject.names());
        let decorated = std::iter::successors(Some(self.at.node), |at| tree.parent(*at))
            .find(|at| tree.kind(*at) == "decorated_definition")?;
        let function = tree.child(decorated, "definition").and_then(|definition| tree.child(definition, "name"))?;
        let function = names.within(tree.range(function)).next().map(|at| &names.places()[at])?;
        let all = listed(tree, parameters_of(tree, function)?);
        let is_it = |at: &usize| self.subject.text(tree.range(*at)) == name;
        let parameter = all.into_iter().find(is_it)?;
        let defined = names.within(tree.range(parameter)).next().and_then(|at| names.entity_of(at))?;
        change.remove(self.number, parameter);
        for used in &names.entities()[defined].uses {
            names.do_without(self.subject, &names.places()[*used], change)?;
        }
        Some(())
    }
}

/// Returns what stands between the quotes of a plain text.
fn content(text: &[u8]) -> Option<&[u8]> {
    let quote = *text.first().filter(|byte| matches!(byte, b'"' | b'\''))?;
    let inner = text.get(1..text.len() - 1).filter(|_| text.len() > 1 && text.ends_with(&[quote]))?;
    (!inner.contains(&quote) && !inner.contains(&b'\\')).then_some(inner)
}

/// Returns the parts of a list or tuple, or the arguments of a call that are not named.
fn parts(tree: &Tree, at: usize) -> Option<Vec<usize>> {
    let list = match tree.kind(at) {
        "list" | "tuple" => at,
        "call" => tree.child(at, "arguments")?,
        _ => return None,
    };
    Some(listed(tree, list).into_iter().filter(|part| tree.kind(*part) != "keyword_argument").collect())
}
