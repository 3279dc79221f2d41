//! Removes definitions that nothing uses.
//!
//! ## What it tries
//! All definitions and imports that are not used, or only by what is not used itself, each with all it
//! declares: as one group, so that one test can remove everything.
//!
//! ## When it helps
//! At the beginning of programs with headers in them, and after every larger removal. What a compiler warns
//! of as unused is found without running it.
//!
//! ## Before
//! ```c
//! int a;
//! int f() { return a; }
//! int g() { return f(); }
//! int b;
//! int main() { return b; }
//! ```
//! ## After
//! ```c
//! int b;
//! int main() { return b; }
//! ```

use crate::pass::{Pass, Proposals};
use crate::rewrite::propose_shrinking;
use reduct_input::Edit;
use reduct_input::Subject;
use reduct_input::names::EditDraft;
use reduct_input::{Names, Part, Sort};
use std::collections::BTreeMap;

pub(crate) const PASS: Pass =
    Pass::rewriting("orphans", "removes definitions that nothing uses, all at once", 0.8, propose);

/// What is used from outside, without being named in the text.
const ENTRIES: &[&[u8]] = &[b"main", b"_start", b"Main", b"WinMain", b"DllMain", b"LLVMFuzzerTestOneInput"];

fn propose(subject: &Subject) -> Proposals {
    let names = subject.names();
    let marked = Marked::new(subject, names);
    propose_shrinking(subject, marked.edits(subject))
}

/// What can go, and what of it is used: marked from what cannot go on, like memory by a collector.
struct Marked {
    /// What may go, by tree and node, in the order of the text.
    items: Vec<(usize, usize)>,
    /// By item, the one it is in.
    outer: Vec<Option<usize>>,
    used: Vec<bool>,
}

impl Marked {
    fn new(subject: &Subject, names: &Names) -> Marked {
        let root = |name: usize| {
            let text = names.text(subject, name);
            ENTRIES.contains(&text) || text.starts_with(b"__")
        };
        let mut known: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        for entity in names.entities().iter().filter(|entity| entity.sort != Sort::Parameter && !root(entity.name)) {
            let places = entity.defines.iter().map(|at| &names.places()[*at]);
            known.extend(places.filter_map(|place| Some(((place.tree, place.item?), 0))));
        }
        known.values_mut().enumerate().for_each(|(at, item)| *item = at);
        let holders: Vec<Vec<Option<u32>>> =
            (0..subject.trees().len()).map(|tree| holders(subject, tree, &known)).collect();
        let items: Vec<_> = known.keys().copied().collect();
        let outer = |&(tree, node): &(usize, usize)| {
            let parent = subject.trees()[tree].parent(node)?;
            holders[tree][parent].map(|item| item as usize)
        };
        let mut marked = Marked { outer: items.iter().map(outer).collect(), used: vec![false; items.len()], items };
        // By item, the places in it and in no item in it.
        let mut inside: Vec<Vec<usize>> = vec![vec![]; marked.items.len()];
        let mut todo: Vec<usize> = vec![];
        for (at, place) in names.places().iter().enumerate() {
            let entry = place.part != Part::Uses && root(place.name);
            match holders[place.tree][place.node] {
                Some(item) if !entry => inside[item as usize].push(at),
                _ => todo.push(at),
            }
        }
        while let Some(at) = todo.pop() {
            let Some(entity) = names.entity_of(at).filter(|_| names.places()[at].part == Part::Uses) else { continue };
            for place in names.entities()[entity].defines.iter().map(|at| &names.places()[*at]) {
                let mut next = place.item.and_then(|item| known.get(&(place.tree, item)).copied());
                while let Some(item) = next.filter(|item| !marked.used[*item]) {
                    marked.used[item] = true;
                    todo.append(&mut inside[item]);
                    next = marked.outer[item];
                }
            }
        }
        marked
    }

    /// Returns the outermost items that are not used. Neighbours in a list with separators go together.
    fn edits(&self, subject: &Subject) -> Vec<Edit> {
        let unused = |item: &usize| !self.used[*item] && self.outer[*item].is_none_or(|outer| self.used[outer]);
        let unused: Vec<usize> = (0..self.items.len()).filter(unused).collect();
        let groups = unused.chunk_by(|item, next| {
            let ((tree, node), (other, then)) = (self.items[*item], self.items[*next]);
            tree == other && {
                let tree = &subject.trees()[tree];
                let after = tree.node(node).after as usize;
                let separated = after < then && (after..then).all(|between| !tree.is_named(between));
                separated && tree.node(node).parent == tree.node(then).parent
            }
        });
        let edit = |group: &[usize]| {
            let mut change = EditDraft::new(subject, subject.names());
            group.iter().for_each(|item| change.remove(self.items[*item].0, self.items[*item].1));
            change.edit()
        };
        groups.filter_map(edit).collect()
    }
}

/// Returns, by node of a tree, the innermost item that it is in, or is.
fn holders(subject: &Subject, number: usize, known: &BTreeMap<(usize, usize), usize>) -> Vec<Option<u32>> {
    let tree = &subject.trees()[number];
    let mut holders: Vec<Option<u32>> = vec![None; tree.len()];
    for ((_, node), item) in known.range((number, 0)..(number + 1, 0)) {
        holders[*node] = Some(*item as u32);
    }
    for node in 1..tree.len() {
        holders[node] = holders[node].or(holders[tree.node(node).parent as usize]);
    }
    holders
}
