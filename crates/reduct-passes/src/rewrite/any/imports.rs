//! Removes an import together with all that uses what it imports.
//!
//! ## What it tries
//! For each import of several names: itself, and each statement or member with one of these names in it. In Go for each package: the statements or the
//! whole declarations that use it go, or the shortest texts stand in the place of what is used.
//!
//! ## When it helps
//! In languages that say what they import. An import of one name is like any definition. Go refuses a package that is not used.
//!
//! ## Before
//! ```python
//! from os import path, sep
//! print(path.join("a", sep))
//! x = sep
//! print("b")
//! ```
//! ## After
//! ```python
//! print("b")
//! ```

mod packages;

use crate::pass::{Pass, Proposals};
use crate::rewrite::{largest_first, propose_in_order};
use reduct_input::Edit;
use reduct_input::Subject;
use reduct_input::names::EditDraft;
use reduct_input::{NamePlace, Part};
use std::collections::BTreeMap;

pub(crate) const PASS: Pass =
    Pass::rewriting("imports", "removes an import together with all that uses what it imports", 0.3, propose);

fn propose(subject: &Subject) -> Proposals {
    let names = subject.names();
    let mut imports: BTreeMap<(usize, usize), Vec<usize>> = BTreeMap::new();
    for (at, place) in names.places().iter().enumerate() {
        if let Part::Imports(import) = place.part {
            imports.entry((place.tree, import)).or_default().extend(names.entity_of(at));
        }
    }
    let several = imports.into_iter().filter(|(_, entities)| entities.len() > 1);
    let edits = several.filter_map(|((tree, import), entities)| {
        let mut change = EditDraft::new(subject, subject.names());
        change.remove(tree, names.enclosing(tree, import)?);
        let uses: Vec<&NamePlace> = entities
            .iter()
            .flat_map(|entity| names.entities()[*entity].uses.iter().map(|at| &names.places()[*at]))
            .collect();
        for place in &uses {
            change.remove(place.tree, names.statement(place)?);
        }
        change.edit().filter(|_| !uses.is_empty())
    });
    let mut edits: Vec<Edit> = edits.collect();
    let mut replaced = vec![];
    for number in 0..subject.trees().len() {
        let [with_statements, others] = packages::packages(subject, number);
        edits.extend(with_statements);
        replaced.extend(others);
    }
    propose_in_order(subject, largest_first(edits).into_iter().chain(largest_first(replaced)))
}
