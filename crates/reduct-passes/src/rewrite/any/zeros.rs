//! Replaces bytes of binary files by zeros, so that what does not matter can be seen.
//!
//! ## What it tries
//! In files that are no text, blocks of 64, 16 and 4 bytes and, of at most 512 bytes, single ones, each by as many zeros. Where the format is known, lengths,
//! offsets, sums and what they cover stay.
//!
//! ## When it helps
//! Where bytes must be there but may be anything: padding, unused fields, pixels. The result is no smaller,
//! but all in it that is not zero is needed.
//!
//! ## Before
//! ```hex
//! 00 00 00 01 ff fe fd fc
//! ```
//! ## After
//! ```hex
//! 00 00 00 01 00 00 00 00
//! ```

use crate::formats;
use crate::pass::{Needs, Pass, Proposals};
use crate::rewrite::propose_shrinking;
use reduct_input::Edit;
use reduct_input::{Subject, is_binary};
use std::ops::Range;

pub(crate) const PASS: Pass = Pass {
    must_parse: false,
    needs: Needs::Nothing,
    coarse: Some(coarse),
    ..Pass::rewriting("zeros", "replaces bytes of binary files by zeros", 0.8, propose)
};

/// The sizes of blocks. A block of which all is needed is tried again in a fourth of its size, not in its
/// half: groups of blocks are halved anyway.
const BLOCKS: [usize; 4] = [64, 16, 4, 1];

/// Files larger than this are left alone: what they must be free of is bytes first, and someone to look at
/// their zeros is not to be expected.
const LARGEST: usize = 1 << 12;

/// Of more bytes no single ones are tried, of which nearly all are in vain: there, nobody looks at each.
const FEW_TO_READ: usize = 512;

/// Of more bytes the proof asks about the larger blocks only: what is smaller was asked about when the others were, but for what is believed to be
/// needed, and to zero one more byte is not worth it to ask about each again.
const FEW: usize = 128;

/// How many sizes of blocks those are.
const LARGER: usize = 2;

fn coarse(subject: &Subject) -> Option<Pass> {
    let is_large = subject.artifact().bytes().len() > FEW;
    is_large.then_some(Pass { coarse: None, propose: |subject| zeros(subject, &BLOCKS[..LARGER]), ..PASS })
}

fn propose(subject: &Subject) -> Proposals {
    let is_short = subject.artifact().bytes().len() <= FEW_TO_READ;
    zeros(subject, if is_short { &BLOCKS } else { &BLOCKS[..BLOCKS.len() - 1] })
}

/// Returns the edits that put zeros in the place of blocks of these sizes.
fn zeros(subject: &Subject, sizes: &[usize]) -> Proposals {
    let mut found = vec![];
    for (_, addresses, text) in subject.artifact().files() {
        if text.len() <= LARGEST && is_binary(text) {
            let fixed = formats::fixed(text);
            let blocks = sizes.iter().flat_map(|size| zeroed(text, &fixed, *size));
            found.extend(blocks.map(|at| moved(at, addresses.start)));
        }
    }
    let edits = found.into_iter().filter_map(|at| Edit::replace(at.clone(), &vec![0; at.len()]));
    propose_shrinking(subject, edits)
}

/// Returns the stretch from the first to the last byte of each block that is not zero, unless a larger block is zeroed by the
/// same, or something in it is fixed.
fn zeroed<'a>(text: &'a [u8], fixed: &'a [Range<u32>], size: usize) -> impl Iterator<Item = Range<usize>> + 'a {
    let larger = size * 4;
    let blocks = text.chunks(size).enumerate().filter_map(move |(at, block)| core(block, at * size));
    blocks.filter(|at| is_free(fixed, at)).filter(move |at| {
        let outer = at.start / larger * larger;
        let block = &text[outer..(outer + larger).min(text.len())];
        larger > BLOCKS[0] || core(block, outer).as_ref() != Some(at)
    })
}

/// Returns whether nothing of a stretch is fixed. What is, is disjoint and ascends.
fn is_free(fixed: &[Range<u32>], at: &Range<usize>) -> bool {
    let next = fixed.partition_point(|fixed| fixed.end as usize <= at.start);
    fixed.get(next).is_none_or(|fixed| at.end <= fixed.start as usize)
}

/// Returns the stretch from the first to the last byte that is not zero.
fn core(block: &[u8], start: usize) -> Option<Range<usize>> {
    let first = block.iter().position(|byte| *byte != 0)?;
    let last = block.iter().rposition(|byte| *byte != 0)?;
    Some(start + first..start + last + 1)
}

fn moved(at: Range<usize>, start: u32) -> Range<u32> {
    at.start as u32 + start..at.end as u32 + start
}
