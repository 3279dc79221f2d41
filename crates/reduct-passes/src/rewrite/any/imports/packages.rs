//! The packages that a text in Go imports: their names stand in no import, but in its path.

use reduct_input::names::EditDraft;
use reduct_input::{Edit, NamePlace, Part, Subject, Tree};
use std::collections::HashMap;

/// Returns the edits that remove an import of a text with what uses it: first all with the declarations, statements and members it is used in, then all with
/// the shortest texts in its place.
pub(super) fn packages(subject: &Subject, number: usize) -> [Vec<Edit>; 2] {
    let (names, tree) = (subject.names(), &subject.trees()[number]);
    if tree.grammar.language != "go" {
        return Default::default();
    }
    let mut uses: HashMap<&[u8], Vec<&NamePlace>> = HashMap::new();
    for (at, place) in names.places()[names.within(tree.range(0))].iter().enumerate() {
        let at = names.within(tree.range(0)).start + at;
        let is_package = place.part == Part::Uses && is_operand(tree, place.node);
        // What is defined in the text is not the package, even if its name is the same.
        if is_package && names.entity_of(at).is_none() {
            uses.entry(subject.text(place.at.clone())).or_default().push(place);
        }
    }
    let specs = (1..tree.len()).filter(|at| tree.kind(*at) == "import_spec");
    let used: Vec<(usize, &[&NamePlace])> =
        specs.filter_map(|spec| Some((spec, uses.get(name(subject, tree, spec)?)?.as_slice()))).collect();
    let with_statements = |(spec, uses): &(usize, &[&NamePlace])| {
        let mut change = EditDraft::new(subject, names);
        change.remove(number, names.enclosing(number, *spec)?);
        for place in *uses {
            change.remove(number, names.statement(place)?);
        }
        change.edit()
    };
    let with_declarations = |(spec, uses): &(usize, &[&NamePlace])| {
        let mut change = EditDraft::new(subject, names);
        change.remove(number, names.enclosing(number, *spec)?);
        for place in *uses {
            change.remove(number, names.enclosing(number, outermost(tree, place.node))?);
        }
        change.edit()
    };
    let replaced = |(spec, uses): &(usize, &[&NamePlace])| {
        let mut change = EditDraft::new(subject, names);
        change.remove(number, names.enclosing(number, *spec)?);
        for place in *uses {
            // Of `[]io.Writer` the element is replaced, not the whole.
            let of_type = tree.parent(place.node).filter(|parent| tree.kind(*parent) == "qualified_type");
            match of_type.and_then(|parent| Some((parent, tree.shortest(parent).first()?))) {
                Some((parent, text)) => change.put(tree.range(parent), text.as_bytes()),
                None => names.do_without(subject, place, &mut change)?,
            }
        }
        change.edit()
    };
    let removed = used.iter().flat_map(|import| [with_declarations(import), with_statements(import)]);
    [removed.flatten().collect(), used.iter().filter_map(replaced).collect()]
}

/// Returns what holds a node and is in nothing else.
fn outermost(tree: &Tree, node: usize) -> usize {
    let above = std::iter::successors(Some(node), |at| tree.parent(*at));
    above.take_while(|at| *at != 0).last().unwrap_or(node)
}

/// Returns whether a name stands where that of a package does: before a dot.
fn is_operand(tree: &Tree, node: usize) -> bool {
    matches!(tree.field(node), "operand" | "package")
}

/// Returns the name of the package that a line imports: what its path ends with, but for a version. `None` if the line
/// gives it another one, which is a name like others.
fn name<'a>(subject: &'a Subject, tree: &Tree, spec: usize) -> Option<&'a [u8]> {
    if tree.child(spec, "name").is_some() {
        return None;
    }
    let path = subject.text(tree.range(tree.child(spec, "path")?));
    let path = path.get(1..path.len().checked_sub(1)?)?;
    let mut elements = path.rsplit(|byte| *byte == b'/');
    let last = elements.next()?;
    let is_version =
        |element: &[u8]| element.len() > 1 && element[0] == b'v' && element[1..].iter().all(u8::is_ascii_digit);
    let name = if is_version(last) { elements.next().unwrap_or(last) } else { last };
    // `gopkg.in/yaml.v3` has the version behind a dot.
    match name.iter().rposition(|byte| *byte == b'.') {
        Some(dot) if is_version(&name[dot + 1..]) => Some(&name[..dot]),
        _ => Some(name),
    }
}
