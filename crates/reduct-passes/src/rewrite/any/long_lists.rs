//! Removes items of long lists of statements and values in programs.
//!
//! ## What it tries
//! For the lists that hold a good part of the whole together, each item of them. A list counts if it has 32 items and more, no function in them, is a 64th of the whole, and is not
//! all of its file; all that count have to be a tenth of the whole. First all of it goes.
//!
//! ## When it helps
//! A function that is needed fills a table with hundreds of calls, of which a few are needed. A search of the tree asks about it only once it has come there. In texts of less
//! than 2 KiB it has long done so.
//!
//! ## Before
//! ```c
//! int a[] = {10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 40, 41};
//! int main() { return a[3]; }
//! ```
//! ## After
//! ```c
//! int a[] = {10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35, 36, 37, 38, 39, 41};
//! int main() { return a[3]; }
//! ```

use super::literals::{LEAST, SHARE};
use crate::pass::{Pass, Proposals};
use reduct_input::parts::Items;
use reduct_input::siblings::{items, lists};
use reduct_input::{Class, Item, Subject, Tree};
use std::ops::Range;

pub(crate) const PASS: Pass = Pass::rewriting("long-lists", "removes items of long lists in programs", 0.9, propose)
    .following_others()
    .of_at_least(2 << 10);

/// In fewer items the search of the tree does not get lost.
const FEWEST: usize = 32;

fn propose(subject: &Subject) -> Proposals {
    let whole = subject.artifact().bytes().len();
    let mut found: Vec<Vec<Item>> = vec![];
    for tree in subject.trees() {
        let functions: Vec<usize> = (0..tree.len()).filter(|at| tree.is(*at, Class::FUNCTION)).collect();
        // A file without any is data, whose lists are its records.
        if !functions.is_empty() {
            add(&mut found, subject, tree, &functions, whole / LEAST);
        }
    }
    found.sort_by_key(|list| place(list).start);
    // What stands in another text, in a language of its own, goes with that.
    let mut end = 0;
    found.retain(|list| {
        place(list).start >= end && {
            end = place(list).end;
            true
        }
    });
    let size: usize = found.iter().map(|list| place(list).len()).sum();
    if found.is_empty() || size * SHARE < whole { vec![] } else { vec![Items(found.concat().into()).into()] }
}

/// Adds the outermost long lists of a tree.
fn add(found: &mut Vec<Vec<Item>>, subject: &Subject, tree: &Tree, functions: &[usize], least: usize) {
    let mut at = 1;
    while at < tree.len() {
        let mut has_list = false;
        // Where all is short, so is a list in it.
        let is_long = tree.range(at).len() >= least.max(1);
        if is_long {
            lists(tree, at, |list| {
                let is_plain = list.len() >= FEWEST && !has_function(tree, list, functions);
                let items = if is_plain { items(subject.artifact().bytes(), tree, list) } else { vec![] };
                if is_plain && place(&items).len() >= least {
                    found.push(items);
                    has_list = true;
                }
            });
        }
        at = if has_list || !is_long { tree.node(at).after as usize } else { at + 1 };
    }
}

/// Returns whether one of these stands in a list.
fn has_function(tree: &Tree, list: &[usize], functions: &[usize]) -> bool {
    let (Some(first), Some(last)) = (list.first(), list.last()) else { return false };
    let next = functions.partition_point(|at| at < first);
    functions.get(next).is_some_and(|at| *at < tree.node(*last).after as usize)
}

/// Returns the addresses from the first item of a list to its last.
fn place(list: &[Item]) -> Range<u32> {
    list.first().zip(list.last()).map_or(0..0, |(first, last)| first.at.start..last.at.end)
}
