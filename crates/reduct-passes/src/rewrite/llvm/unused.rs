//! LLVM: removes instructions whose results nothing uses, all at once.
//!
//! ## What it tries
//! All instructions that only compute something which nothing uses, or only what is not used itself: arithmetic, comparisons, casts, addresses, `load`, `phi`,
//! `select`, `alloca` and the like. What only writes to an unused `alloca`, or says when it lives, goes with it, as do calls that describe to a
//! debugger what goes. Calls, volatile and atomic accesses, and what ends a block stay with all they use, as does what has a number. One edit for each function; in
//! texts of 16 KiB and more, only once all of them remove 1/128 of it.
//!
//! ## When it helps
//! Whenever blocks have gone: what they used stands in others, often hundreds of instructions that would go one by one, from the last to the first.
//!
//! ## Before
//! ```llvm
//! define i32 @f(i32 %a, ptr %p) {
//!   %b = getelementptr i8, ptr %p, i32 %a
//!   %c = load i32, ptr %b
//!   %d = alloca i32
//!   store i32 %c, ptr %d
//!   %e = call i32 @g(i32 %a)
//!   ret i32 %a
//! }
//! ```
//! ## After
//! ```llvm
//! define i32 @f(i32 %a, ptr %p) {
//!   %e = call i32 @g(i32 %a)
//!   ret i32 %a
//! }
//! ```

use super::{definitions, modules};
use crate::pass::{Pass, Proposals};
use crate::rewrite::{propose_in_order, removal, waits_for_more};
use reduct_input::siblings::lines_of;
use reduct_input::{Edit, Subject, Tree, united};
use std::collections::HashMap;

pub(crate) const PASS: Pass =
    Pass::rewriting("llvm-unused", "LLVM: removes instructions whose results nothing uses, all at once", 0.9, propose)
        .following_others();

/// So many addresses are counted from each other at most, up to the room that they are in.
const FARTHEST: usize = 64;

/// What only computes its result.
const COMPUTING: &[&str] = &[
    "instruction_alloca",
    "instruction_bin_op",
    "instruction_cast",
    "instruction_extractelement",
    "instruction_extractvalue",
    "instruction_fcmp",
    "instruction_fneg",
    "instruction_freeze",
    "instruction_getelementptr",
    "instruction_icmp",
    "instruction_insertelement",
    "instruction_insertvalue",
    "instruction_load",
    "instruction_phi",
    "instruction_select",
    "instruction_shufflevector",
];

/// What gives an address in what its first operand is the address of.
const ADDRESSES: &[&str] = &["instruction_cast", "instruction_getelementptr"];

/// Calls that describe values to a debugger, which stay only with these.
const DEBUGGER: &[u8] = b"@llvm.dbg.";

/// Calls that say when something lives.
const LIFETIME: &[u8] = b"@llvm.lifetime.";

fn propose(subject: &Subject) -> Proposals {
    let of_tree = |tree| definitions(tree).filter_map(move |at| edit(subject, tree, at));
    let edits: Vec<Edit> = modules(subject).flat_map(of_tree).collect();
    let gain: i64 = edits.iter().map(Edit::gain).sum();
    let is_soon = waits_for_more(subject, usize::try_from(gain).unwrap_or(0));
    if is_soon { vec![] } else { propose_in_order(subject, edits) }
}

/// When an instruction stays.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Stays {
    Always,
    /// If what stays uses its result.
    IfUsed,
    /// With the instruction that makes room for what it writes to.
    With(usize),
    /// If all that it names stays.
    Describing,
}

/// An instruction of a function.
struct Instruction<'a> {
    node: usize,
    /// What it is, among the nodes in it.
    of: usize,
    /// The name of its result.
    name: Option<&'a [u8]>,
    /// The names that it uses, in their order.
    uses: Vec<&'a [u8]>,
}

impl<'a> Instruction<'a> {
    fn of(subject: &'a Subject, tree: &Tree, node: usize) -> Option<Instruction<'a>> {
        let text = |at: usize| subject.text(tree.range(at));
        let of = tree.children(node).find(|at| tree.kind(*at).starts_with("instruction_"))?;
        let name = tree.children(node).find(|at| tree.kind(*at) == "local_var" && *at < of);
        let is_use = |at: &usize| tree.kind(*at) == "local_var" && Some(*at) != name;
        let uses = tree.descendants(node).filter(is_use).map(text).collect();
        Some(Instruction { node, of, name: name.map(text), uses })
    }

    /// Returns whether it reads or writes what others may do so, too.
    fn is_ordered(&self, tree: &Tree) -> bool {
        tree.children(self.of).any(|at| matches!(tree.kind(at), "atomic" | "volatile"))
    }
}

/// Returns the edit that removes what is not used in a function.
fn edit(subject: &Subject, tree: &Tree, definition: usize) -> Option<Edit> {
    let body = tree.children(definition).find(|at| tree.kind(*at) == "function_body")?;
    let (mut all, mut open) = (vec![], vec![]);
    for at in tree.children(body) {
        match tree.kind(at) {
            "instruction" => all.push(Instruction::of(subject, tree, at)?),
            // In what order values are used is not said anew.
            kind if kind.starts_with("use_list_order") => return None,
            // What is not understood uses what it names.
            _ => open.extend(named(subject, tree, at)),
        }
    }
    let by_name: HashMap<&[u8], usize> = all.iter().enumerate().filter_map(|(at, it)| Some((it.name?, at))).collect();
    let stays: Vec<Stays> = all.iter().map(|it| stays(subject, tree, (&all, &by_name), it)).collect();
    let mut with: Vec<Vec<usize>> = vec![vec![]; all.len()];
    let mut is_kept: Vec<bool> = stays.iter().map(|stays| *stays == Stays::Always).collect();
    for (at, stays) in stays.iter().enumerate() {
        match stays {
            Stays::Always => open.extend(&all[at].uses),
            Stays::With(room) => with[*room].push(at),
            Stays::IfUsed | Stays::Describing => {}
        }
    }
    while let Some(name) = open.pop() {
        let Some(at) = by_name.get(name).copied().filter(|at| !is_kept[*at]) else { continue };
        for at in std::mem::take(&mut with[at]).into_iter().chain([at]) {
            is_kept[at] = true;
            open.extend(&all[at].uses);
        }
    }
    let is_gone = |name: &&[u8]| by_name.get(name).is_some_and(|at| !is_kept[*at]);
    let goes = |at: &usize| match stays[*at] {
        Stays::Describing => all[*at].uses.iter().any(is_gone),
        _ => !is_kept[*at],
    };
    let lines = |at: usize| lines_of(subject.artifact().bytes(), &tree.range(0), tree.range(all[at].node));
    removal(subject, united((0..all.len()).filter(goes).map(lines).collect()))
}

/// Returns the names below a node.
fn named<'a>(subject: &'a Subject, tree: &Tree, node: usize) -> Vec<&'a [u8]> {
    let of = [node].into_iter().chain(tree.descendants(node)).filter(|at| tree.kind(*at) == "local_var");
    of.map(|at| subject.text(tree.range(at))).collect()
}

/// Returns when an instruction stays.
fn stays(
    subject: &Subject,
    tree: &Tree,
    all: (&[Instruction], &HashMap<&[u8], usize>),
    instruction: &Instruction,
) -> Stays {
    let has = |word: &[u8]| subject.text(tree.range(instruction.of)).windows(word.len()).any(|part| part == word);
    let written = |address: Option<&&[u8]>| room(tree, all, address).map_or(Stays::Always, Stays::With);
    match tree.kind(instruction.of) {
        _ if instruction.name.is_some_and(is_number) || instruction.is_ordered(tree) => Stays::Always,
        kind if COMPUTING.contains(&kind) && instruction.name.is_some() => Stays::IfUsed,
        "instruction_store" => written(instruction.uses.last().filter(|_| writes_to_name(subject, tree, instruction))),
        "instruction_call" if instruction.name.is_none() && has(DEBUGGER) => Stays::Describing,
        "instruction_call" if instruction.name.is_none() && has(LIFETIME) => written(instruction.uses.last()),
        _ => Stays::Always,
    }
}

/// Returns whether a name, and no constant, is the address that is written to.
fn writes_to_name(subject: &Subject, tree: &Tree, store: &Instruction) -> bool {
    let address = tree.children(store.of).filter(|at| tree.kind(*at) == "type_and_value").last();
    let value = address.and_then(|at| tree.children(at).find(|at| tree.kind(*at) == "value"));
    value.is_some_and(|at| subject.text(tree.range(at)).starts_with(b"%"))
}

/// Returns the `alloca` whose room an address is in, as far as it is only cast and counted from there.
fn room(
    tree: &Tree,
    (all, by_name): (&[Instruction], &HashMap<&[u8], usize>),
    address: Option<&&[u8]>,
) -> Option<usize> {
    let mut address = *address?;
    // An address may be counted from itself where nothing leads; and what is farther away stays.
    for _ in 0..FARTHEST {
        let at = *by_name.get(address)?;
        match tree.kind(all[at].of) {
            "instruction_alloca" => return Some(at).filter(|at| !all[*at].name.is_some_and(is_number)),
            kind if ADDRESSES.contains(&kind) => address = all[at].uses.first()?,
            _ => return None,
        }
    }
    None
}

fn is_number(name: &[u8]) -> bool {
    name.len() > 1 && name[1..].iter().all(u8::is_ascii_digit)
}
