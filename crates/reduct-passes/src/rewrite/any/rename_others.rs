//! Gives what is defined elsewhere a short name, too.
//!
//! ## What it tries
//! For each name that the text imports, or that it names only once and defines nowhere, and that is longer than need be: a short
//! name, as `rename` gives. It is tried when other passes find nothing more, as it often asks in vain.
//!
//! ## When it helps
//! Where the failure comes before anybody looks for what is named: in a parser, or with a name that may be unknown.
//!
//! ## Before
//! ```py
//! from module import name
//! name(other.thing)
//! ```
//! ## After
//! ```py
//! from a import b
//! b(c.d)
//! ```

use super::rename::{is_of, shortened};
use crate::pass::{Pass, Proposals};
use reduct_input::{Names, Subject};

pub(crate) const PASS: Pass =
    Pass::rewriting("rename-others", "gives what is defined elsewhere a short name", 0.3, propose);

fn propose(subject: &Subject) -> Proposals {
    let names = subject.names();
    // In SMT-LIB they are words of the language.
    shortened(subject, names, [others(names).filter(|name| !is_of(subject, names, *name, "smt")).collect()])
}

/// Returns the names that `rename` does not change.
fn others(names: &Names) -> impl Iterator<Item = usize> + '_ {
    let once = |name: &usize| names.places_of(*name).nth(1).is_none();
    let elsewhere = move |name: &usize| {
        let known = &names.all()[*name];
        known.definitions == 0 && (known.imports > 0 || once(name))
    };
    (0..names.all().len()).filter(elsewhere)
}
