//! Removes a definition together with all that uses it.
//!
//! ## What it tries
//! For each thing that is defined, the one with the largest gain first: its definitions and declarations go,
//! and with them each statement or member that uses it; or each use becomes the shortest text that may stand
//! there, as `0`.
//!
//! ## When it helps
//! Where neither can go alone: the definition because it is used, the uses because without them it would not
//! compile in the way that matters. DRReduce reports half the size of Perses with repaired uses.
//!
//! ## Before
//! ```c
//! int a;
//! int b;
//! int main() {
//!   a = 1;
//!   return a + b;
//! }
//! ```
//! ## After
//! ```c
//! int b;
//! int main() {
//!   return 0 + b;
//! }
//! ```

use crate::pass::{Pass, Proposals};
use crate::rewrite::{largest_first, propose_in_order};
use reduct_input::Edit;
use reduct_input::Subject;
use reduct_input::names::EditDraft;
use reduct_input::{Entity, Names, Sort};

pub(crate) const PASS: Pass =
    Pass::rewriting("definitions", "removes a definition together with all that uses it", 0.3, propose);

fn propose(subject: &Subject) -> Proposals {
    let names = subject.names();
    // What nothing uses goes with the orphans, parameters go with arguments.
    let used = |entity: &&Entity| entity.sort != Sort::Parameter && !entity.uses.is_empty();
    let entities = || names.entities().iter().filter(used);
    let with_statements = entities().filter_map(|it| with_statements(subject, names, it)).collect();
    // Types that are replaced are a pass of their own.
    let values = entities().filter(|entity| entity.sort != Sort::Type);
    let replaced = values.filter_map(|it| replaced(subject, names, it)).collect();
    propose_in_order(subject, largest_first(with_statements).into_iter().chain(largest_first(replaced)))
}

fn with_statements(subject: &Subject, names: &Names, entity: &Entity) -> Option<Edit> {
    let mut change = definition(subject, names, entity)?;
    for place in entity.uses.iter().map(|at| &names.places()[*at]) {
        change.remove(place.tree, names.statement(place)?);
    }
    change.edit()
}

fn replaced(subject: &Subject, names: &Names, entity: &Entity) -> Option<Edit> {
    let mut change = definition(subject, names, entity)?;
    for place in entity.uses.iter().map(|at| &names.places()[*at]) {
        names.do_without(subject, place, &mut change)?;
    }
    change.edit()
}

fn definition<'a>(subject: &'a Subject, names: &Names, entity: &Entity) -> Option<EditDraft<'a>> {
    let mut change = EditDraft::new(subject, subject.names());
    for place in entity.defines.iter().map(|at| &names.places()[*at]) {
        change.remove(place.tree, place.item?);
    }
    Some(change)
}
