//! Whole folders and files, with all that is in them; folders near the root first.

use super::{Kind, LIKELY, Levels, Needs, Outline};
use reduct_input::Spans;
use reduct_input::Subject;

pub(super) const KIND: Kind = Kind {
    name: "files",
    unit: "files",
    about: "whole folders and files, then what is in them",
    flat: false,
    checked: false,
    needs: Needs::Nothing,
    likely: LIKELY,
    outline,
};

fn outline(subject: &Subject) -> Outline {
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
    levels.finish(Spans::Entries)
}
