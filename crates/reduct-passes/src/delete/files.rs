//! Whole folders and files, with all that is in them; folders near the root first.

use super::Levels;
use crate::pass::{Pass, Proposals};
use reduct_input::Subject;
use reduct_input::parts::Entries;

pub(crate) const PASS: Pass =
    Pass::deleting("files", "files", "whole folders and files, then what is in them", propose);

fn propose(subject: &Subject) -> Proposals {
    let artifact = subject.artifact();
    let entries = artifact.entries();
    // A single file is the subject itself: without it there is nothing to test.
    if entries.len() < 2 {
        return vec![];
    }
    let depth = |at: usize| entries[at].path.components().count();
    let mut levels = Levels::default();
    for at in 0..entries.len() {
        let below = entries[at + 1..].iter().take_while(|entry| entry.path.starts_with(&entries[at].path)).count();
        levels.add(depth(at).saturating_sub(1), at as u32..(at + 1 + below) as u32);
    }
    levels.finish(Entries)
}
