//! Before the search: the whole input must fail, twice and alike; the empty one must not.
//!
//! If that is not so, nothing is begun, and it is found out why: whether the test wants the path or the contents of the
//! input, never looks at it, or says something else every time.

mod baseline;
mod choice;
mod confined;
mod denied;
pub(crate) mod hints;
mod look;
mod missing;
mod pair;
mod recipe;
mod repeated;
mod uses;
mod whole;
mod why;

pub(crate) use baseline::{Baseline, NoBaseline, describe_failure, tell};
pub(crate) use choice::{Begun, begin};
pub(crate) use denied::Denied;
pub(crate) use look::note;
pub(crate) use pair::{Named, Pair, establish_baseline_of_pair};
pub(crate) use recipe::{plain_line, repeat_line};
pub(crate) use whole::establish_baseline;
pub(crate) use why::explain;
