//! LLVM: goes on to one block of a branch, without the blocks to which nothing leads then.
//!
//! ## What it tries
//! For each `br` with a condition: a `br` to one of its blocks, and the blocks to which nothing leads from the beginning of the function any more go, as do entries of
//! `phi` for ways that are gone. The same for each `switch`, to its default and, if it has few blocks, to each. Blocks to which nothing leads as it is go, too.
//! The largest come first; those after which all blocks stay come last.
//!
//! ## When it helps
//! In functions that are needed, but of which much is not executed. A block alone cannot go as long as something names it or a value in it; all
//! that a branch leads to can. Of functions with numbers only those parts go behind which no number is given; `llvm-names` gives them names.
//!
//! ## Before
//! ```llvm
//! define i32 @f(i1 %a, i32 %b) {
//! entry:
//!   br i1 %a, label %then, label %end
//! then:
//!   %c = call i32 @g(i32 %b)
//!   br label %end
//! end:
//!   %d = phi i32 [ %c, %then ], [ %b, %entry ]
//!   ret i32 %d
//! }
//! ```
//! ## After
//! ```llvm
//! define i32 @f(i1 %a, i32 %b) {
//! entry:
//!   br label %end
//! end:
//!   %d = phi i32 [ %b, %entry ]
//!   ret i32 %d
//! }
//! ```

mod edit;
mod flow;

use super::names::addressed;
use super::{definitions, modules};
use crate::pass::{Pass, Proposals};
use crate::rewrite::propose_in_order;
use edit::{edit, is_decided, shorter_by};
use flow::Flow;
use reduct_input::{Edit, Subject, Tree};
use std::cmp::Reverse;
use std::collections::BTreeSet;

pub(crate) const PASS: Pass = Pass::rewriting(
    "llvm-blocks",
    "LLVM: goes on to one block of a branch, without the blocks to which nothing leads then",
    0.3,
    propose,
)
.largest_first();

/// How many edits there are at most.
const EDITS: usize = 512;

/// So many blocks are looked at, at most, to see what leads to them; in longer texts only some of the branches are tried.
const STEPS: usize = 1 << 24;

/// A `switch` to more blocks only goes on to its default.
const FEW: usize = 8;

/// An edit that could be made of a function.
struct Choice {
    /// Which of the functions.
    function: usize,
    /// From which block it goes on to which one; `None` if only those go to which nothing leads as it is.
    way: Option<(usize, usize)>,
    gain: usize,
    /// Whether blocks go.
    has_gone: bool,
}

fn propose(subject: &Subject) -> Proposals {
    let functions: Vec<(&Tree, Flow)> = modules(subject).flat_map(|tree| flows(subject, tree)).collect();
    let ways: Vec<Vec<(usize, usize)>> = functions.iter().map(|(tree, flow)| ways(tree, flow)).collect();
    let steps: usize = functions.iter().zip(&ways).map(|((_, flow), ways)| flow.blocks.len() * (1 + ways.len())).sum();
    let every = steps.div_ceil(STEPS).max(1);
    let mut choices = vec![];
    for (function, ((tree, flow), ways)) in functions.iter().zip(&ways).enumerate() {
        let some = ways.iter().step_by(every).map(|way| Some(*way)).chain([None]);
        choices.extend(some.filter_map(|way| choice(tree, flow, function, way)));
    }
    choices.sort_by_key(|choice| (!choice.has_gone, Reverse(choice.gain)));
    let (mut larger, mut others) = (vec![], vec![]);
    let made = choices.into_iter().filter_map(|choice| {
        let (tree, flow) = &functions[choice.function];
        Some((choice.has_gone, edit(subject, tree, flow, choice.way)?))
    });
    for (has_gone, edit) in made.take(EDITS) {
        let edits: &mut Vec<Edit> = if has_gone { &mut larger } else { &mut others };
        edits.push(edit);
    }
    [larger, others].into_iter().flat_map(|edits| propose_in_order(subject, edits)).collect()
}

/// Returns the functions of a module with their blocks. In what order values are used is not said anew, so that nothing is done where it is said.
fn flows<'a>(subject: &'a Subject, tree: &'a Tree) -> Vec<(&'a Tree, Flow)> {
    if (1..tree.len()).any(|at| tree.kind(at).starts_with("use_list_order")) {
        return vec![];
    }
    let addressed = addressed(subject, tree);
    definitions(tree).filter_map(|at| Some((tree, Flow::of(subject, tree, at, &addressed)?))).collect()
}

/// Returns from which blocks a function could go on to which ones only.
fn ways(tree: &Tree, flow: &Flow) -> Vec<(usize, usize)> {
    let decided = flow.blocks.iter().enumerate().filter(|(at, block)| flow.is_led_to[*at] && is_decided(tree, block));
    let of = |(from, block): (usize, &flow::Block)| {
        let blocks: BTreeSet<usize> = block.next.iter().map(|(to, _)| *to).collect();
        let few =
            if blocks.len() <= FEW { blocks } else { block.next.first().map(|(to, _)| *to).into_iter().collect() };
        few.into_iter().map(move |to| (from, to))
    };
    decided.flat_map(of).collect()
}

/// Returns what an edit would remove; `None` if that is nothing.
fn choice(tree: &Tree, flow: &Flow, function: usize, way: Option<(usize, usize)>) -> Option<Choice> {
    let gone = flow.gone(way);
    let blocks: usize = flow.blocks.iter().zip(&gone).filter(|(_, gone)| **gone).map(|(block, _)| block.at.len()).sum();
    let of_branch = way.map_or(0, |way| shorter_by(tree, flow, way));
    let gain = blocks + of_branch;
    (gain > 0).then_some(Choice { function, way, gain, has_gone: blocks > 0 })
}
