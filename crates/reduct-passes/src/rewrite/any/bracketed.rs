//! Removes a pair of brackets with what is in it where that is no part of its own.
//!
//! ## What it tries
//! Each pair of brackets of one part of the text, with all between them, where they stand beside other things of that part; then
//! the same with the word before it. A pair that is a part of its own goes where it keeps two words apart, which a blank does then.
//!
//! ## When it helps
//! A list of columns, a length, a condition that may be left out: without its brackets it does not parse, and its brackets do
//! not without it.
//!
//! ## Before
//! ```sql
//! CREATE TABLE orders (id INTEGER, total REAL CHECK (total > 0));
//! ```
//! ## After
//! ```sql
//! CREATE TABLE orders (id INTEGER, total REAL);
//! ```

use crate::pass::{Pass, Proposals};
use crate::rewrite::propose_in_order;
use crate::text::is_word;
use reduct_input::{Edit, Role, Subject, Tree};
use std::collections::HashMap;
use std::ops::Range;

pub(crate) const PASS: Pass =
    Pass::rewriting("bracketed", "removes a pair of brackets with what is in it", 0.2, propose);

fn propose(subject: &Subject) -> Proposals {
    let of_tree = |tree| {
        let pairs = pairs(tree, subject);
        let with_words: Vec<Range<u32>> = pairs.iter().filter_map(|pair| pair.with_word(subject, tree)).collect();
        let alone = pairs.into_iter().filter(|pair| pair.can_go(subject, tree)).map(|pair| pair.at);
        alone.chain(with_words).filter_map(|at| Edit::delete(with_blank(subject, tree, at))).collect::<Vec<_>>()
    };
    propose_in_order(subject, subject.trees().iter().flat_map(of_tree))
}

/// Two brackets that close each other.
struct Pair {
    /// The node in which both stand.
    of: usize,
    /// The node of the first one.
    first: usize,
    at: Range<u32>,
}

impl Pair {
    fn can_go(&self, subject: &Subject, tree: &Tree) -> bool {
        if tree.range(self.of) != self.at {
            return is_beside_others(tree, self.of, &self.at);
        }
        let is_word_at =
            |at: Option<u32>| at.is_some_and(|at| tree.range(0).contains(&at) && is_word(subject.text(at..at + 1)[0]));
        let can_go = matches!(tree.node(self.of).role, Role::Item | Role::ItemOfMany | Role::Optional);
        can_go && is_word_at(self.at.start.checked_sub(1)) && is_word_at(Some(self.at.end))
    }

    /// Returns its addresses with those of a word of the language before it.
    fn with_word(&self, subject: &Subject, tree: &Tree) -> Option<Range<u32>> {
        let before = tree.children(self.of).take_while(|child| *child < self.first).last()?;
        let is_of_language = tree.node(before).role == Role::Token && is_word(subject.text(tree.range(before))[0]);
        let at = tree.range(before).start..self.at.end;
        (is_of_language && is_beside_others(tree, self.of, &at)).then_some(at)
    }
}

/// So many pairs of one node are proposed at once, as all that stands in the node is gone through for each.
const MOST_OF_NODE: usize = 64;

/// Returns the pairs of brackets of a tree, in the order in which they open; of each node the first ones.
fn pairs(tree: &Tree, subject: &Subject) -> Vec<Pair> {
    let mut found = vec![];
    // By node, the brackets that are open in it.
    let mut open: Vec<(usize, u8, usize)> = vec![];
    let mut counts: HashMap<usize, usize> = HashMap::new();
    for at in 1..tree.len() {
        let (node, parent) = (tree.node(at), tree.node(at).parent as usize);
        while open.last().is_some_and(|(of, ..)| tree.node(*of).after as usize <= at) {
            open.pop();
        }
        if tree.is_named(at) || node.role == Role::Error || node.end != node.start + 1 {
            continue;
        }
        let last = subject.text(tree.range(at))[0];
        let partner = match last {
            b'(' | b'[' | b'{' => {
                open.push((parent, last, at));
                continue;
            }
            b')' => b'(',
            b']' => b'[',
            b'}' => b'{',
            _ => continue,
        };
        if let Some((of, _, first)) = open.pop_if(|(of, first, _)| *of == parent && *first == partner) {
            let count = counts.entry(of).or_insert(0);
            *count += 1;
            if *count <= MOST_OF_NODE {
                found.push(Pair { of, first, at: tree.node(first).start..node.end });
            }
        }
    }
    found.sort_by_key(|pair| pair.first);
    found
}

/// Returns whether a node has things beside these addresses, and not only one: that could take the place of all.
fn is_beside_others(tree: &Tree, node: usize, at: &Range<u32>) -> bool {
    let is_outside = |child: &usize| tree.node(*child).end <= at.start || at.end <= tree.node(*child).start;
    let others: Vec<usize> = tree.children(node).filter(is_outside).collect();
    match others[..] {
        [] => false,
        [one] => tree.node(one).role == Role::Token,
        _ => true,
    }
}

/// Returns these addresses with the blank before them unless a word is behind them.
fn with_blank(subject: &Subject, tree: &Tree, at: Range<u32>) -> Range<u32> {
    let whole = tree.range(0);
    let text = |at: u32| whole.contains(&at).then(|| subject.text(at..at + 1)[0]);
    let start =
        at.start.checked_sub(1).filter(|before| text(*before) == Some(b' ') && !text(at.end).is_some_and(is_word));
    start.unwrap_or(at.start)..at.end
}
