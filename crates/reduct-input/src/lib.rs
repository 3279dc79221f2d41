//! What is reduced, and what is known of it without a test.
//!
//! An [`Artifact`] is what a test is run on: files and folders. A [`Subject`] is an artifact and what can be read off it:
//! the [`Tree`] that a grammar makes of a text, its [`Names`], the records of events. [`Parts`] are the pieces of an
//! artifact that can be left out, each for itself; a [`Candidate`] is an artifact less some parts, or with some
//! [`Edit`]s made.
//!
//! This crate reads no file and starts no process: it is given bytes.

pub mod align;
mod artifact;
mod candidate;
mod certainty;
mod digest;
mod edit;
mod file_order;
mod history;
mod items;
mod lineage;
mod mend;
pub mod names;
mod origin;
mod parsed;
pub mod parts;
pub mod patch;
pub mod record;
pub mod siblings;
pub mod situation;
mod subject;
mod tree;

pub use artifact::{Artifact, ArtifactBuilder, Entry, Packing, TooLarge, What};
pub use candidate::{Candidate, Segment};
pub use certainty::Certainty;
pub use digest::{Digester, digest_of, hex};
pub use edit::{Edit, NewName, Splice, levels, together};
pub use file_order::FileOrder;
pub use history::{About, Change, Content, Touched};
pub use items::{Item, removed, united};
pub use lineage::{Extract, FirstPlaces, Lineage};
pub use mend::{Addend, Amount, ByteOrder, FieldValue, Mend, Sum};
pub use names::{Entity, Name, NamePlace, Names, Part, Sort};
pub use origin::Origin;
pub use parsed::Parsed;
pub use parts::{Circumstances, Parts, Spans, TreeParts};
pub use record::{Record, UnmetNeeds};
pub use subject::{Subject, is_binary};
pub use tree::{Class, Grammar, Grammars, KindId, KindInfo, Node, Role, Slot, Tree};

/// Runs the examples of the README as tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
