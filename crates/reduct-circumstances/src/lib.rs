//! What can vary in a subject, and how a configuration of it becomes a candidate that can be tested.
//!
//! An [`Artifact`] is what a test is run on: files and folders. A [`Kind`] takes it apart: into
//! files, blocks, lines, tokens, characters. A [`Candidate`] is an artifact less some parts. A
//! [`Reduction`] is a search over all kinds of a [`Plan`], one after the other:
//!
//! ```
//! use reduct_circumstances::{Artifact, Plan, Reduction};
//! use reduct_core::{Outcome, Search, run};
//!
//! let page = Artifact::of_file("page.html", b"<p>\n<SELECT NAME=\"priority\" MULTIPLE>\n</p>\n").unwrap();
//! let crashes = |text: &[u8]| text.windows(7).any(|w| w == b"<SELECT") && text.contains(&b'>');
//! let reduction = run(Reduction::new(page, Plan::standard()), |candidate| {
//!     if crashes(candidate.artifact().bytes()) { Outcome::Fail } else { Outcome::Pass }
//! });
//! assert_eq!(reduction.best().artifact().bytes(), b"<SELECT>");
//! ```
//!
//! This crate reads no file and starts no process: it is given bytes.

mod align;
mod artifact;
mod candidate;
mod circumstances;
mod claim;
mod differences;
mod edit;
mod explanation;
mod history;
mod items;
mod kind;
mod mend;
mod minima;
mod names;
mod parsed;
mod pass;
pub mod patch;
mod plan;
mod record;
mod reduction;
mod siblings;
pub mod situation;
mod subject;
mod text;
mod tree;
mod weave;

pub use artifact::{Artifact, Builder, Entry, TooLarge, What};
pub use candidate::Candidate;
pub use circumstances::{Circumstances, Parts, Spans, TreeParts};
pub use claim::{Caveat, Claim, End, Evidence, Minimal, Others, Refuted, Unproved};
pub use differences::{Cause, Causes, Isolation, Tried};
pub use edit::{Edit, Splice, levels};
pub use explanation::{Explanation, Finding, Freedom, Portion, PortionSort};
pub use history::{About, Change, Content, Touched};
pub use items::Item;
pub use kind::{KINDS, Kind, Needs, Outline};
pub use mend::{Holds, Mend, Order, Sum};
pub use minima::{Minima, Minimum};
pub use names::{Entity, Name, Names, Part, Place, Sort};
pub use parsed::Parsed;
pub use pass::{GROWING, NORMAL, PARTNERS, PASSES, TIMING};
pub use plan::{Cut, Method, Plan, Proof};
pub use record::{Record, Stuck};
pub use reduction::{Audited, Reduction, Whereabouts};
pub use subject::{Subject, is_binary};
pub use tree::{Class, Grammar, Grammars, KindId, KindInfo, Node, Role, Slot, Tree};
pub use weave::{Builder as WeaveBuilder, Grain, Level, Seen, Weave};
