//! The edit that has a block go on to only one other.

use super::flow::{Block, Flow, Phi};
use reduct_input::{Edit, Splice, Subject, Tree};
use std::collections::BTreeSet;
use std::ops::Range;

/// What is said of a choice between blocks: without the choice it may not be there, or says nothing.
const OF_CHOICES: &[&[u8]] = &[b"!prof", b"!unpredictable", b"!make.implicit"];

const BRANCH: &[u8] = b"br label ";

/// Returns whether a block ends with a choice between blocks.
pub(super) fn is_decided(tree: &Tree, block: &Block) -> bool {
    branch(tree, block).is_some_and(|at| tree.kind(at) == "instruction_switch" || block.next.len() > 1)
}

/// Returns the branch at the end of a block.
fn branch(tree: &Tree, block: &Block) -> Option<usize> {
    tree.children(block.end).find(|at| matches!(tree.kind(*at), "instruction_br" | "instruction_switch"))
}

/// Returns by how much a branch gets shorter.
pub(super) fn shorter_by(tree: &Tree, flow: &Flow, (from, to): (usize, usize)) -> usize {
    let block = &flow.blocks[from];
    let name = block.next.iter().find(|(next, _)| *next == to).map_or(0, |(_, name)| name.len());
    branch(tree, block).map_or(0, |at| tree.range(at).len().saturating_sub(BRANCH.len() + name))
}

/// Returns the edit that has a block go on to only one other, or that only removes the blocks to which nothing leads.
/// `None` if it would leave what names something that is gone, or a number before which one is missing.
pub(super) fn edit(subject: &Subject, tree: &Tree, flow: &Flow, way: Option<(usize, usize)>) -> Option<Edit> {
    let gone = all_gone(flow, way)?;
    if let Some(first) = gone.iter().position(|gone| *gone) {
        let start = flow.blocks[first].at.start;
        if flow.numbered.iter().any(|(at, block)| *at > start && !gone[*block]) {
            return None;
        }
    }
    let mut removed: Vec<Range<u32>> = vec![];
    for (block, _) in flow.blocks.iter().zip(&gone).filter(|(_, gone)| **gone) {
        match removed.last_mut().filter(|last| last.end == block.at.start) {
            Some(last) => last.end = block.at.end,
            None => removed.push(block.at.clone()),
        }
    }
    let mut splices = vec![];
    if let Some((from, to)) = way {
        let block = &flow.blocks[from];
        let (_, name) = block.next.iter().find(|(next, _)| *next == to)?;
        let with = [BRANCH, subject.text(name.clone())].concat().into();
        splices.push(Splice { at: tree.range(branch(tree, block)?), with });
        let said = tree.children(block.end).filter(|at| tree.kind(*at) == "metadata_refs").map(|at| tree.range(at));
        removed.extend(said.filter(|at| is_of_choice(subject.text(at.clone()))));
    }
    let ended = (0..gone.len()).filter(|at| gone[*at] || way.is_some_and(|(from, _)| from == *at));
    let phis: BTreeSet<usize> = ended.flat_map(|at| flow.blocks[at].phis.iter().copied()).collect();
    for phi in phis.into_iter().map(|at| &flow.phis[at]).filter(|phi| !gone[phi.block]) {
        removed.extend(without(phi, &stays(phi, &gone, way))?);
    }
    splices.extend(removed.into_iter().map(|at| Splice { at, with: [].into() }));
    Edit::new(splices)
}

/// Returns which blocks go: those to which nothing leads then, and of those to which nothing leads now, what uses something in them. `None`
/// if something else does.
fn all_gone(flow: &Flow, way: Option<(usize, usize)>) -> Option<Vec<bool>> {
    let mut gone = flow.gone(way);
    let mut open: Vec<usize> = (0..gone.len()).filter(|at| gone[*at]).collect();
    while let Some(at) = open.pop() {
        for user in flow.blocks[at].users.iter().copied() {
            if gone[user] {
                continue;
            }
            if flow.is_led_to[user] {
                return None;
            }
            gone[user] = true;
            open.push(user);
        }
    }
    Some(gone)
}

fn is_of_choice(metadata: &[u8]) -> bool {
    let name = metadata.trim_ascii_start().strip_prefix(b",").unwrap_or(metadata).trim_ascii_start();
    OF_CHOICES.iter().any(|word| name.starts_with(word))
}

/// Returns which entries stay: those of blocks that still lead there, and as many of each as it does so.
fn stays(phi: &Phi, gone: &[bool], way: Option<(usize, usize)>) -> Vec<bool> {
    let mut is_first = true;
    let stays = |(_, of): &(Range<u32>, usize)| match way {
        _ if gone[*of] => false,
        Some((from, to)) if from == *of => to == phi.block && std::mem::replace(&mut is_first, false),
        _ => true,
    };
    phi.entries.iter().map(stays).collect()
}

/// Returns what goes with entries: each stretch of them with the commas after it, the last one with the comma before. So two edits that leave none
/// between them touch. `None` if none stays.
fn without(phi: &Phi, stays: &[bool]) -> Option<Vec<Range<u32>>> {
    let last = stays.iter().rposition(|stays| *stays)?;
    let mut removed: Vec<Range<u32>> = vec![];
    for at in (0..last).filter(|at| !stays[*at]) {
        let whole = phi.entries[at].0.start..phi.entries[at + 1].0.start;
        match removed.last_mut().filter(|before| before.end == whole.start) {
            Some(before) => before.end = whole.end,
            None => removed.push(whole),
        }
    }
    let (end, of_all) = (phi.entries[last].0.end, phi.entries.last()?.0.end);
    removed.extend((end < of_all).then_some(end..of_all));
    Some(removed)
}
