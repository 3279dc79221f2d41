//! Blocks of bytes, by which it is proved that nothing of a large file can go that is no text.
//!
//! Of most such files bytes hang together: none can go by itself, and to ask about each takes as many tests as there are. Where some can go, the search for
//! bytes has found them in groups.

use crate::pass::{Narrowed, Pass, Proposals};
use reduct_input::Subject;
use reduct_input::parts::Cuts;

/// How many bytes are few enough to ask about each.
const FEW: usize = 2 << 10;

/// Into how many blocks larger files are cut at most, all together.
const BLOCKS: usize = 256;

/// By the binary logarithm of its size, what a block is. Larger ones are as those of the last.
const NAMES: &[&str] = &[
    "bytes",
    "blocks of 2 bytes",
    "blocks of 4 bytes",
    "blocks of 8 bytes",
    "blocks of 16 bytes",
    "blocks of 32 bytes",
    "blocks of 64 bytes",
    "blocks of 128 bytes",
    "blocks of 256 bytes",
    "blocks of 512 bytes",
    "blocks of 1 KiB",
    "blocks of 2 KiB",
    "blocks of 4 KiB",
    "blocks of 8 KiB",
    "blocks of 16 KiB",
    "blocks of 32 KiB",
    "blocks of 64 KiB",
    "blocks of bytes",
];

/// Returns the pass that leaves out blocks, if all files are no text and together have more than few bytes.
pub(super) fn of_bytes(subject: &Subject) -> Option<Pass> {
    let is_large = subject.artifact().bytes().len() > FEW && is_all_binary(subject);
    is_large.then_some(Pass {
        single_list: true,
        narrowed: Some(Narrowed { names: NAMES, name }),
        // The name of the pass that it proves.
        ..Pass::deleting("chars", "blocks of bytes", "blocks of bytes", propose)
    })
}

/// Returns whether no file with contents is a text.
fn is_all_binary(subject: &Subject) -> bool {
    subject.artifact().files().filter(|(.., text)| !text.is_empty()).count() == subject.binaries().len()
}

fn name(subject: &Subject) -> Option<&'static str> {
    NAMES.get(size(subject).ilog2() as usize).or(NAMES.last()).copied()
}

/// Returns the size of a block: the least power of two of which there are not too many.
fn size(subject: &Subject) -> usize {
    subject.artifact().bytes().len().div_ceil(BLOCKS).next_power_of_two()
}

fn propose(subject: &Subject) -> Proposals {
    let size = size(subject);
    let starts = |at: u32, end: u32| (at..end).step_by(size);
    let mut cuts: Vec<u32> =
        subject.artifact().files().flat_map(|(_, addresses, _)| starts(addresses.start, addresses.end)).collect();
    if cuts.is_empty() {
        return vec![];
    }
    cuts.push(subject.artifact().bytes().len() as u32);
    vec![Cuts(cuts.into()).into()]
}
