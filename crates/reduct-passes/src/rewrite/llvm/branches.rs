//! LLVM: replaces a branch to one of several blocks by a branch to one of them.
//!
//! ## What it tries
//! For each `br` with a condition, and each `switch`: a `br` to each of its blocks, the last one first. For each `invoke`: a `call`, and a `br` to where it goes on.
//!
//! ## When it helps
//! What decides where to go is needed no more then, nor is a block that nothing else goes to.
//!
//! ## Before
//! ```llvm
//! define void @f(i1 %a) {
//!   br i1 %a, label %b, label %c
//! b:
//!   unreachable
//! c:
//!   ret void
//! }
//! ```
//! ## After
//! ```llvm
//! define void @f(i1 %a) {
//!   br label %c
//! b:
//!   unreachable
//! c:
//!   ret void
//! }
//! ```

use super::modules;
use crate::pass::{Pass, Proposals};
use crate::rewrite::propose_shrinking;
use reduct_input::{Edit, Subject};
use std::ops::Range;

pub(crate) const PASS: Pass = Pass::rewriting(
    "llvm-branches",
    "LLVM: replaces a branch to one of several blocks by a branch to one of them",
    0.3,
    propose,
);

/// How many blocks of a `switch` are tried.
const MOST: usize = 4;

fn propose(subject: &Subject) -> Proposals {
    let edits = modules(subject).flat_map(|tree| {
        let branches = (1..tree.len()).map(move |at| (tree.kind(at), tree.range(at)));
        branches.flat_map(|(kind, at)| match kind {
            "instruction_br" | "instruction_switch" => to_one(subject, &at),
            "instruction_invoke" => called(subject, &at).into_iter().collect(),
            _ => vec![],
        })
    });
    propose_shrinking(subject, edits)
}

/// Returns the edits that go on with one of the blocks.
fn to_one(subject: &Subject, at: &Range<u32>) -> Vec<Edit> {
    let text = subject.text(at.clone());
    let blocks = labels(text);
    // Without a condition it goes to one block as it is.
    if text.starts_with(b"br") && find(text, b",").is_none() {
        return vec![];
    }
    let branch = |block: &&[u8]| Edit::replace(at.clone(), &[b"br label ", *block].concat());
    blocks.iter().rev().filter_map(branch).collect()
}

/// Returns the edit that calls what may throw, and goes on as if it did not.
fn called(subject: &Subject, at: &Range<u32>) -> Option<Edit> {
    let text = subject.text(at.clone());
    let (from, after) = (find(text, b"invoke")?, find(text, b"to label")?);
    let arguments = text.get(from + b"invoke".len()..after)?.trim_ascii_end();
    let block = *labels(text).first()?;
    Edit::replace(at.clone(), &[&text[..from], b"call", arguments, b"\nbr label ", block].concat())
}

/// Returns the first blocks that an instruction names, each once.
fn labels(text: &[u8]) -> Vec<&[u8]> {
    let (mut found, mut rest) = (vec![], text);
    while found.len() < MOST {
        let Some(at) = find(rest, b"label") else { break };
        rest = rest[at + b"label".len()..].trim_ascii_start();
        let is_name = |byte: &u8| byte.is_ascii_alphanumeric() || b"%$._-".contains(byte);
        let end = rest.iter().position(|byte| !is_name(byte)).unwrap_or(rest.len());
        if rest.starts_with(b"%") && end > 1 && !found.contains(&&rest[..end]) {
            found.push(&rest[..end]);
        }
    }
    found
}

fn find(text: &[u8], word: &[u8]) -> Option<usize> {
    text.windows(word.len()).position(|window| window == word)
}
