//! LLVM: gives names to values and blocks that have numbers.
//!
//! ## What it tries
//! For each function short names for all of its numbered values and blocks, unless that makes it longer. If the first block has no label and is referred to, it
//! gets one.
//!
//! ## When it helps
//! Numbers have to be in order and without gaps, so that an instruction in the midst of a function can only go if all behind it get other numbers. Values with
//! names go one by one. `clang` of a release gives numbers.
//!
//! ## Before
//! ```llvm
//! define i32 @f(i32 %0) {
//!   %2 = add i32 %0, 1
//!   ret i32 %2
//! }
//! ```
//! ## After
//! ```llvm
//! define i32 @f(i32 %$) {
//!   %a = add i32 %$, 1
//!   ret i32 %a
//! }
//! ```

use super::{definitions, modules};
use crate::pass::{Pass, Proposals};
use crate::rewrite::propose_in_order;
use reduct_input::{Edit, Splice, Subject, Tree};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ops::Range;

pub(crate) const PASS: Pass =
    Pass::rewriting("llvm-names", "LLVM: gives names to values and blocks that have numbers", 0.9, propose);

fn propose(subject: &Subject) -> Proposals {
    let edits = modules(subject).flat_map(|tree| {
        let addressed = addressed(subject, tree);
        definitions(tree).filter_map(move |at| edit(subject, tree, at, &addressed)).collect::<Vec<_>>()
    });
    propose_in_order(subject, edits)
}

/// Returns the blocks whose addresses are taken in a module, by the functions to which they belong.
pub(super) fn addressed<'a>(subject: &'a Subject, tree: &Tree) -> HashMap<&'a [u8], Vec<usize>> {
    let mut blocks: HashMap<&[u8], Vec<usize>> = HashMap::new();
    for at in (1..tree.len()).filter(|at| tree.kind(*at) == "blockaddress") {
        let child = |kind: &str| tree.children(at).find(|child| tree.kind(*child) == kind);
        if let (Some(function), Some(block)) = (child("global_var"), child("local_var")) {
            blocks.entry(subject.text(tree.range(function))).or_default().push(block);
        }
    }
    blocks
}

/// What has a name or a number in a function: its addresses without sign, and whether it is defined there.
struct Local<'a> {
    at: Range<u32>,
    text: &'a [u8],
    is_defined: bool,
}

fn edit(subject: &Subject, tree: &Tree, definition: usize, addressed: &HashMap<&[u8], Vec<usize>>) -> Option<Edit> {
    let child = |kind: &str| tree.children(definition).find(|at| tree.kind(*at) == kind);
    let (header, body) = (child("function_header")?, child("function_body")?);
    let name = tree.children(header).find(|at| tree.kind(*at) == "global_var")?;
    let is_address = |at: &usize| tree.parent(*at).is_some_and(|parent| tree.kind(parent) == "blockaddress");
    let own = tree.descendants(definition).filter(|at| !is_address(at));
    let named = addressed.get(subject.text(tree.range(name))).into_iter().flatten();
    let locals: Vec<Local> = own.chain(named.copied()).filter_map(|at| local(subject, tree, at)).collect();
    let number = |local: &Local| std::str::from_utf8(local.text).ok()?.parse::<u32>().ok();
    let of_header = tree.node(header).end;
    let in_header = |local: &Local| tree.range(header).start <= local.at.start && local.at.end <= of_header;
    let parameters = locals.iter().filter(|local| in_header(local)).filter_map(number);
    let first_block = parameters.max().map_or(Some(0), |last| last.checked_add(1))?;
    let is_defined = |local: &Local| local.is_defined || in_header(local);
    let defined: HashSet<u32> = locals.iter().filter(|local| is_defined(local)).filter_map(number).collect();
    let unknown: HashSet<u32> = locals.iter().filter_map(number).filter(|number| !defined.contains(number)).collect();
    if unknown.iter().any(|number| *number != first_block) {
        return None;
    }
    let taken: HashSet<&[u8]> = locals.iter().filter(|local| number(local).is_none()).map(|local| local.text).collect();
    let mut free = names().filter(|name| !taken.contains(&name[..]));
    let mut new: BTreeMap<u32, Vec<u8>> = BTreeMap::new();
    let mut splices = vec![];
    if !unknown.is_empty() {
        let name = new.entry(first_block).or_insert(free.next()?);
        let begin = tree.node(body).start;
        splices.push(Splice { at: begin..begin + 1, with: [b"{\n", &name[..], b":"].concat().into() });
    }
    for local in &locals {
        let Some(number) = number(local) else { continue };
        let name = match new.get(&number) {
            Some(name) => name.clone(),
            None => new.entry(number).or_insert(free.next()?).clone(),
        };
        splices.push(Splice { at: local.at.clone(), with: name.into() });
    }
    Edit::new(splices)
}

/// Returns a value or a block at a node.
fn local<'a>(subject: &'a Subject, tree: &Tree, at: usize) -> Option<Local<'a>> {
    let range = tree.range(at);
    let text = subject.text(range.clone());
    match tree.kind(at) {
        "local_var" => {
            let behind = &subject.artifact().bytes()[range.end as usize..];
            let is_defined = behind.trim_ascii_start().starts_with(b"=");
            Some(Local { at: range.start + 1..range.end, text: text.strip_prefix(b"%")?, is_defined })
        }
        "label" => {
            let text = text.strip_suffix(b":").unwrap_or(text);
            Some(Local { at: range.start..range.start + text.len() as u32, text, is_defined: true })
        }
        _ => None,
    }
}

/// Returns short names: the first one comes before all numbers, so that what gets no shorter comes earlier in the order of bytes.
fn names() -> impl Iterator<Item = Vec<u8>> {
    const FIRST: &[u8] = b"$abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_";
    let one = FIRST.iter().map(|letter| vec![*letter]);
    let two = FIRST.iter().flat_map(|letter| FIRST.iter().map(|next| vec![*letter, *next]));
    let three = FIRST
        .iter()
        .flat_map(|letter| FIRST.iter().flat_map(|next| FIRST.iter().map(|last| vec![*letter, *next, *last])));
    let more = (0..).map(|number| format!("${number}").into_bytes());
    one.chain(two).chain(three).chain(more)
}
