//! Histories: ranges of repositories, two folders, patches. What they should be, git and the folders themselves say.
//!
//! A binary of its own, because these tests start processes, and one that has just been forked holds for a moment
//! whatever other tests have locked.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod ends;
mod folders;
mod graphs;
mod kinds;
mod patches;
mod repository;
mod untouched;
