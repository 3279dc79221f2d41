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
use reduct_input::names::Entity;
use reduct_input::{Class, Names, Part, Role, Sort, Tree};
use std::collections::BTreeMap;

pub(crate) const PASS: Pass =
    Pass::rewriting("orphans", "removes definitions that nothing uses, all at once", 0.8, propose).following_others();

/// What is used from outside, without being named in the text.
const ENTRIES: &[&[u8]] = &[b"main", b"_start", b"Main", b"WinMain", b"DllMain", b"LLVMFuzzerTestOneInput"];

/// A text of so many bytes of which hardly anything is used is not one that this says much of.
const LARGE: usize = 16 << 10;

fn propose(subject: &Subject) -> Proposals {
    let names = subject.names();
    let whole = subject.artifact().bytes().len();
    let [first, then] = [false, true].map(|all| Marked::new(subject, names, all).unused());
    // Of what has no entry, nothing is used.
    let size: usize = first.iter().map(|(tree, node)| subject.trees()[*tree].range(*node).len()).sum();
    if whole >= LARGE && size > whole / 8 * 7 {
        return vec![];
    }
    let then = then.into_iter().filter(|item| first.binary_search(item).is_err()).collect();
    let levels = [first, then].map(|items| propose_shrinking(subject, edits(subject, &items)));
    levels.into_iter().flatten().collect()
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
    fn new(subject: &Subject, names: &Names, all: bool) -> Marked {
        // The headers of C's libraries name all of their own so.
        let is_c = subject.trees().iter().all(|tree| matches!(tree.grammar.language, "c" | "cpp"));
        let root = |name: usize| {
            let text = names.text(subject, name);
            ENTRIES.contains(&text) || text.starts_with(b"__") && (text.ends_with(b"__") || !is_c)
        };
        let items_of = |entity: &Entity| {
            let places = entity.defines.iter().map(|at| &names.places()[*at]);
            places.filter_map(|place| Some((place.tree, place.item?))).collect::<Vec<_>>()
        };
        let mut known: BTreeMap<(usize, usize), usize> = BTreeMap::new();
        for entity in names.entities().iter().filter(|entity| entity.sort != Sort::Parameter && !root(entity.name)) {
            let items = items_of(entity);
            let can_go = |&(tree, item): &(usize, usize)| {
                let tree = &subject.trees()[tree];
                is_read(tree, item) && (all || !acts_unnamed(tree, item))
            };
            if items.iter().all(can_go) {
                known.extend(items.into_iter().map(|item| (item, 0)));
            }
        }
        known.values_mut().enumerate().for_each(|(at, item)| *item = at);
        let holders: Vec<Vec<Option<u32>>> =
            (0..subject.trees().len()).map(|tree| holders(subject, tree, &known)).collect();
        let items: Vec<_> = known.keys().copied().collect();
        let outer = |&(tree, node): &(usize, usize)| {
            let parent = subject.trees()[tree].parent(node)?;
            holders[tree][parent].map(|item| item as usize)
        };
        let mut collector = Collector {
            outer: items.iter().map(outer).collect(),
            is_class: items.iter().map(|(tree, node)| is_class(&subject.trees()[*tree], *node)).collect(),
            is_friend: items.iter().map(|(tree, node)| is_friend(subject, &subject.trees()[*tree], *node)).collect(),
            used: vec![false; items.len()],
            inside: vec![vec![]; items.len()],
            waiting: vec![vec![]; items.len()],
            same: vec![None; items.len()],
            marked: vec![false; names.entities().len()],
            todo: vec![],
        };
        let of_entity: Vec<Vec<usize>> = names
            .entities()
            .iter()
            .map(|entity| items_of(entity).iter().filter_map(|item| known.get(item).copied()).collect())
            .collect();
        for (entity, items) in of_entity.iter().enumerate() {
            items.iter().for_each(|item| collector.same[*item] = Some(entity));
        }
        for (at, place) in names.places().iter().enumerate() {
            let entry = place.part != Part::Uses && root(place.name);
            match holders[place.tree][place.node] {
                Some(item) if !entry => collector.inside[item as usize].push(at),
                _ => collector.todo.push(at),
            }
        }
        let known_everywhere = known_everywhere(names);
        while let Some(at) = collector.todo.pop() {
            let place = &names.places()[at];
            let used = match place.part {
                Part::Uses => names.entity_of(at),
                // In C++, and between files, what is imported is defined here.
                Part::Imports(_) => known_everywhere[place.name],
                Part::Defines(_) => None,
            };
            used.into_iter().for_each(|entity| collector.mark(entity, &of_entity));
        }
        Marked { outer: collector.outer, used: collector.used, items }
    }

    /// Returns the outermost items that are not used, by tree and node, in order.
    fn unused(&self) -> Vec<(usize, usize)> {
        let unused = |item: &usize| !self.used[*item] && self.outer[*item].is_none_or(|outer| self.used[outer]);
        (0..self.items.len()).filter(unused).map(|item| self.items[item]).collect()
    }
}

/// Returns what removes items. Neighbours in a list with separators, and those on one line, go together.
fn edits(subject: &Subject, unused: &[(usize, usize)]) -> Vec<Edit> {
    let groups = unused.chunk_by(|&(tree, node), &(other, then)| {
        tree == other && {
            let tree = &subject.trees()[tree];
            let after = tree.node(node).after as usize;
            let separated = after < then && (after..then).all(|between| !tree.is_named(between));
            let between = || subject.text(tree.node(node).end..tree.node(then).start);
            let on_one_line = || after == then && !between().contains(&b'\n');
            (separated || on_one_line()) && tree.node(node).parent == tree.node(then).parent
        }
    });
    let edit = |group: &[(usize, usize)]| {
        let mut change = EditDraft::new(subject, subject.names());
        group.iter().for_each(|(tree, node)| change.remove(*tree, *node));
        change.edit()
    };
    groups.filter_map(edit).collect()
}

/// What marks items that are used.
struct Collector {
    outer: Vec<Option<usize>>,
    /// By item, whether what is in it is used only if it is.
    is_class: Vec<bool>,
    /// By item, whether it is known outside of the class it is in.
    is_friend: Vec<bool>,
    used: Vec<bool>,
    /// By item, the places in it and in no item in it.
    inside: Vec<Vec<usize>>,
    /// By item, what is in it, and used if it is.
    waiting: Vec<Vec<usize>>,
    /// By item, one entity that it defines.
    same: Vec<Option<usize>>,
    /// By entity, whether all that defines it is used, or waits.
    marked: Vec<bool>,
    /// Places that are used.
    todo: Vec<usize>,
}

impl Collector {
    /// Marks what defines an entity, what that is in, and what defines the same as that.
    fn mark(&mut self, entity: usize, of_entity: &[Vec<usize>]) {
        let mut marks = vec![];
        self.add(entity, of_entity, &mut marks);
        while let Some(item) = marks.pop() {
            if self.used[item] {
                continue;
            }
            match self.outer[item] {
                Some(outer) if !self.used[outer] && self.is_class[outer] && !self.is_friend[item] => {
                    self.waiting[outer].push(item);
                    continue;
                }
                outer => marks.extend(outer),
            }
            self.used[item] = true;
            self.todo.append(&mut self.inside[item]);
            marks.append(&mut self.waiting[item]);
            self.same[item].into_iter().for_each(|entity| self.add(entity, of_entity, &mut marks));
        }
    }

    /// Adds the items that define an entity, once.
    fn add(&mut self, entity: usize, of_entity: &[Vec<usize>], marks: &mut Vec<usize>) {
        if !std::mem::replace(&mut self.marked[entity], true) {
            marks.extend(&of_entity[entity]);
        }
    }
}

/// Returns whether an item is a class, whose members nobody uses who does not name it.
fn is_class(tree: &Tree, item: usize) -> bool {
    let is = |at: usize| {
        let kind = tree.kind(at);
        tree.is(at, Class::AGGREGATE) && ["class", "struct", "union"].iter().any(|word| kind.contains(word))
    };
    is(item) || tree.kind(item) == "template_declaration" && tree.children(item).any(is)
}

/// Returns whether what others do may depend on an item that none of them names: a field or a virtual function of C++ has its
/// place in its class, a variable whose type has a name may be made by a function, and a whole namespace may be imported.
fn acts_unnamed(tree: &Tree, item: usize) -> bool {
    let is = |kind: &str| tree.children(item).any(|child| tree.kind(child) == kind);
    let is_function = || declarators(tree, item).any(|at| tree.kind(at) == "function_declarator");
    let is_named = || tree.child(item, "type").is_some_and(|of| tree.kind(of).ends_with("identifier"));
    let is_unnamed = match tree.kind(item) {
        "field_declaration" => !is_function(),
        "declaration" => is_named() && !is_function(),
        // All names of a namespace become known.
        "using_declaration" => is("namespace"),
        _ => false,
    };
    is_unnamed || is("virtual")
}

/// Returns the declarators in an item of C and C++, outermost first: of `int *f();`, those of a pointer and of a function.
fn declarators(tree: &Tree, item: usize) -> impl Iterator<Item = usize> {
    let inner = |at: &usize| tree.children(*at).find(|child| tree.kind(*child).ends_with("declarator"));
    std::iter::successors(Some(item), inner).skip(1)
}

/// Returns whether an item is a friend of the class it is in. The grammar takes the word for a type where the function is defined.
fn is_friend(subject: &Subject, tree: &Tree, item: usize) -> bool {
    let around = [Some(item), tree.parent(item)];
    let is_typed = || tree.child(item, "type").is_some_and(|of| subject.text(tree.range(of)) == b"friend");
    around.into_iter().flatten().any(|at| tree.kind(at) == "friend_declaration") || is_typed()
}

/// Returns, by name, what is defined outside of all functions.
fn known_everywhere(names: &Names) -> Vec<Option<usize>> {
    let mut known = vec![None; names.all().len()];
    for (at, entity) in names.entities().iter().enumerate().filter(|(_, entity)| entity.scope.is_none()) {
        known[entity.name] = Some(at);
    }
    known
}

/// Returns whether what is defined was read to its end: nothing is missing there.
fn is_read(tree: &Tree, item: usize) -> bool {
    tree.node(tree.node(item).after as usize - 1).role != Role::Error
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
