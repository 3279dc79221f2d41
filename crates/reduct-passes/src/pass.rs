//! Passes: ways to make an artifact smaller other than by leaving parts out.
//!
//! A pass is a [`Kind`] whose parts are edits: *leaving out* part `i` is making edit `i`. So whatever
//! searches for parts that can go searches for edits that can be made. A pass is a pure function; it
//! never runs a test, and need not be right: the test judges. It only has to be plausible, to keep to
//! the order of results ([`Edit::shrinks`]), and to end.

mod aliases;
mod blank;
mod c;
mod calls;
mod comments;
mod control;
mod cpp;
mod definitions;
mod delays;
mod empty_body;
mod hoist;
mod imports;
mod inline;
mod inside;
mod modifiers;
mod normal_layout;
mod normal_names;
mod numbers;
mod optional;
mod orphans;
mod parameters;
mod partners;
mod rename;
mod runs;
mod shortest;
mod splice;
mod strings;
mod types;
mod unify;
mod unwrap;
mod zeros;

use crate::kind::{KINDS, Kind, Outline};
use reduct_input::Spans;
use reduct_input::Subject;
use reduct_input::{Edit, levels};

/// All passes, in the order in which they are first tried. A new one is a file in `pass/` and a line here.
pub const PASSES: &[Kind] = &[
    comments::KIND,
    c::markers::KIND,
    orphans::KIND,
    c::conditionals::KIND,
    c::bodies::KIND,
    empty_body::KIND,
    imports::KIND,
    splice::KIND,
    definitions::KIND,
    cpp::namespaces::KIND,
    hoist::KIND,
    control::KIND,
    calls::KIND,
    c::moves::KIND,
    optional::KIND,
    modifiers::KIND,
    parameters::KIND,
    c::words::KIND,
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
    shortest::KIND,
    types::KIND,
    aliases::KIND,
    inline::KIND,
    inside::KIND,
    unwrap::KIND,
    unify::KIND,
    c::merge::KIND,
    strings::KIND,
    numbers::KIND,
    runs::KIND,
    rename::KIND,
    blank::KIND,
    zeros::KIND,
];

/// Passes whose edits make the input larger before other things make it smaller. They are tried one edit at
/// a time, in bounded trials, when nothing else finds anything more.
pub const GROWING: &[Kind] = &[aliases::GROWING, inline::GROWING];

/// What makes two results alike that differ in names and layout only: no way to get smaller, and tried once,
/// at the very end, if it is asked for. Each level is meant to go as a whole.
pub const NORMAL: &[Kind] = &[normal_names::KIND, normal_layout::KIND];

/// Passes for records of events, which other inputs do not have.
pub const TIMING: &[Kind] = &[partners::KIND, delays::KIND];

/// The pass whose edits depend on what tests have shown.
pub const PARTNERS: Kind = partners::KIND;

/// The outline of a pass: its edits that shrink, in levels within which no two touch.
fn outline_of(subject: &Subject, edits: impl IntoIterator<Item = Edit>) -> Outline {
    let shrinking = edits.into_iter().filter(|edit| edit.shrinks(subject.artifact()));
    levels(shrinking).into_iter().map(|level| Spans::Edits(level.into())).collect()
}

/// The outline of edits of which some make the input larger: those that do.
fn outline_growing(subject: &Subject, edits: impl IntoIterator<Item = Edit>) -> Outline {
    let growing = edits.into_iter().filter(|edit| !edit.shrinks(subject.artifact()));
    levels(growing).into_iter().map(|level| Spans::Edits(level.into())).collect()
}

/// The outline of edits that neither have to shrink nor to grow.
fn outline_normal(edits: impl IntoIterator<Item = Edit>) -> Outline {
    levels(edits).into_iter().map(|level| Spans::Edits(level.into())).collect()
}

/// Edits with the largest gain first; those that gain alike stay in their order.
fn largest_first(mut edits: Vec<Edit>) -> Vec<Edit> {
    edits.sort_by_key(|edit| std::cmp::Reverse(edit.gain()));
    edits
}

impl Kind {
    /// The kind or pass of this name.
    pub fn named(name: &str) -> Option<Kind> {
        KINDS.iter().chain(PASSES).chain(TIMING).copied().find(|kind| kind.name == name)
    }
}
