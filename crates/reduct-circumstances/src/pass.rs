//! Passes: ways to make an artifact smaller other than by leaving parts out.
//!
//! A pass is a [`Kind`] whose parts are edits: *leaving out* part `i` is making edit `i`. So whatever
//! searches for parts that can go searches for edits that can be made. A pass is a pure function; it
//! never runs a test, and need not be right: the test judges. It only has to be plausible, to keep to
//! the order of results ([`Edit::shrinks`]), and to end.

mod blank;
mod c;
mod calls;
mod comments;
mod control;
mod cpp;
mod empty_body;
mod hoist;
mod inside;
mod modifiers;
mod numbers;
mod optional;
mod runs;
mod shortest;
mod splice;
mod strings;
mod unwrap;

use crate::circumstances::Spans;
use crate::edit::{Edit, levels};
use crate::kind::{Kind, Outline};
use crate::subject::Subject;

/// All passes, in the order in which they are first tried. A new one is a file in `pass/` and a line here.
pub const PASSES: &[Kind] = &[
    c::markers::KIND,
    comments::KIND,
    c::conditionals::KIND,
    c::bodies::KIND,
    empty_body::KIND,
    splice::KIND,
    cpp::namespaces::KIND,
    hoist::KIND,
    control::KIND,
    calls::KIND,
    c::moves::KIND,
    optional::KIND,
    modifiers::KIND,
    c::words::KIND,
    shortest::KIND,
    c::undefined::KIND,
    c::void::KIND,
    c::macros::KIND,
    cpp::templates::KIND,
    cpp::parameters::KIND,
    cpp::classes::KIND,
    cpp::returns::KIND,
    c::enums::KIND,
    c::structs::KIND,
    c::fields::KIND,
    c::scalars::KIND,
    c::pointers::KIND,
    c::arrays::KIND,
    c::globals::KIND,
    c::merge::KIND,
    inside::KIND,
    unwrap::KIND,
    strings::KIND,
    numbers::KIND,
    runs::KIND,
    blank::KIND,
];

/// The outline of a pass: its edits that shrink, in levels within which no two touch.
fn outline_of(subject: &Subject, edits: impl IntoIterator<Item = Edit>) -> Outline {
    let shrinking = edits.into_iter().filter(|edit| edit.shrinks(subject.artifact()));
    levels(shrinking).into_iter().map(|level| Spans::Edits(level.into())).collect()
}
