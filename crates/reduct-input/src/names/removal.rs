//! Which nodes can go, and what text goes with them.

use crate::items::{Item, removed};
use crate::siblings::{items, lists};
use crate::tree::{Class, Role, Tree};
use std::ops::Range;

/// What of a tree can go, as the kind `nodes` takes it.
#[derive(Clone, Debug)]
pub(super) struct Removal {
    items: Vec<Item>,
    /// By item.
    nodes: Vec<u32>,
    /// By node: one more than its item, or 0.
    index: Vec<u32>,
    /// By node, the innermost that can go and holds it, or is it.
    around: Vec<Option<u32>>,
}

impl Removal {
    pub(super) fn new(text: &[u8], tree: &Tree) -> Removal {
        let mut removal = Removal { items: vec![], nodes: vec![], index: vec![0; tree.len()], around: vec![] };
        for at in 0..tree.len() {
            lists(tree, at, |list| {
                removal.items.extend(items(text, tree, list));
                for node in list {
                    removal.nodes.push(*node as u32);
                    removal.index[*node] = removal.nodes.len() as u32;
                }
            });
        }
        removal.around = tree.innermost(|at| removal.can_go(tree, at));
        removal
    }

    /// Returns whether a node can go alone: one of a list that needs one cannot if it is the last.
    pub(super) fn can_go(&self, tree: &Tree, node: usize) -> bool {
        self.index[node] > 0 && !(self.is_alone(node) && tree.node(node).role == Role::ItemOfMany)
    }

    /// Returns whether a node is all of a list.
    fn is_alone(&self, node: usize) -> bool {
        let item = self.index[node].checked_sub(1).map(|item| &self.items[item as usize]);
        item.is_some_and(|item| item.first && item.last)
    }

    /// Returns the innermost node that can go and holds this one, or is it.
    pub(super) fn enclosing(&self, node: usize) -> Option<usize> {
        self.around[node].map(|at| at as usize)
    }

    /// Returns what goes with the name that a definition defines: one of several declarators or of a pattern, else the
    /// innermost from the definition on that can. What is optional between them is the name alone.
    pub(super) fn item_of(&self, tree: &Tree, name: usize, definition: usize) -> Option<usize> {
        let below = std::iter::successors(Some(name), |at| tree.parent(*at)).take_while(|at| *at != definition);
        let one_of_several = |at: &usize| {
            let is_listed = matches!(tree.node(*at).role, Role::Item | Role::ItemOfMany);
            is_listed && self.can_go(tree, *at) && !(self.is_alone(*at) && is_all_that_is_declared(tree, *at))
        };
        below.into_iter().find(one_of_several).or_else(|| self.whole(tree, definition))
    }

    /// Returns the innermost node that can go and holds this one, or is it: not the type alone of what is declared with it, as in
    /// `struct S { int a; } b;`.
    fn whole(&self, tree: &Tree, node: usize) -> Option<usize> {
        let mut at = self.enclosing(node)?;
        while let Some(parent) = tree.parent(at) {
            let is_type = tree.field(at) == "type" && tree.is(parent, Class::DEFINITION);
            if !is_type && !is_all_of_an_enum(tree, at) {
                break;
            }
            at = self.enclosing(parent)?;
        }
        Some(at)
    }

    /// Returns the addresses that go with these nodes, with their separators and lines. `None` if something cannot go.
    pub(super) fn ranges(&self, tree: &Tree, nodes: &[usize]) -> Option<Vec<Range<u32>>> {
        Some(removed(&self.items, &self.parts_of(tree, nodes)?))
    }

    /// Returns all that can go, list by list.
    pub(super) fn items(&self) -> &[Item] {
        &self.items
    }

    /// Returns which of the items go with these nodes, in ascending order. Where a list that needs one would have none, what it is in
    /// goes. `None` if something cannot go.
    pub(super) fn parts_of(&self, tree: &Tree, nodes: &[usize]) -> Option<Vec<usize>> {
        let mut gone = nodes.iter().map(|node| self.item_at(*node)).collect::<Option<Vec<usize>>>()?;
        loop {
            gone.sort_unstable();
            gone.dedup();
            let emptied = self.emptied(tree, &gone);
            if emptied.is_empty() {
                break;
            }
            gone.retain(|item| {
                let list = emptied.partition_point(|list| list.end <= *item);
                emptied.get(list).is_none_or(|list| *item < list.start)
            });
            for list in emptied {
                let parent = tree.parent(self.nodes[list.start] as usize)?;
                gone.push(self.item_at(self.around(tree, parent)?)?);
            }
        }
        Some(gone)
    }

    /// Returns the lists, as ranges of items, of which nothing is left though something must be.
    fn emptied(&self, tree: &Tree, gone: &[usize]) -> Vec<Range<usize>> {
        let mut lists = vec![];
        for run in gone.chunk_by(|item, next| item + 1 == *next && !self.items[*next].first) {
            let (first, last) = (run[0], run[run.len() - 1]);
            if self.needs_one(tree, first) && self.items[first].first && self.items[last].last {
                lists.push(first..last + 1);
            }
        }
        lists
    }

    /// Returns the number of the item that is a node.
    pub(super) fn item_at(&self, node: usize) -> Option<usize> {
        self.index[node].checked_sub(1).map(|item| item as usize)
    }

    /// Returns whether the list of an item needs one.
    fn needs_one(&self, tree: &Tree, item: usize) -> bool {
        let node = self.nodes[item] as usize;
        tree.node(node).role == Role::ItemOfMany
            || is_all_that_is_declared(tree, node)
            || is_all_behind_a_word(tree, node)
    }

    /// Returns the lists that need one item, each with the innermost item around it: also those of what an import or a definition names.
    pub(super) fn lists_that_need_one(&self, tree: &Tree) -> Vec<(Range<usize>, Option<usize>)> {
        let names = |start: usize| {
            let node = self.nodes[start] as usize;
            let is_of = |class| tree.parent(node).is_some_and(|parent| tree.is(parent, class));
            is_of(Class::IMPORT) || tree.field(node) == "name" && is_of(Class::DEFINITION)
        };
        self.lists_where(|start| self.needs_one(tree, start) || names(start))
            .map(|list| {
                let parent = tree.parent(self.nodes[list.start] as usize);
                let outer = parent.and_then(|parent| self.item_at(self.around(tree, parent)?));
                (list, outer)
            })
            .collect()
    }

    /// Returns the innermost node that can go around a list, or is it: with the constants of an enum without a name, all of it goes.
    fn around(&self, tree: &Tree, list: usize) -> Option<usize> {
        if is_all_of_an_enum(tree, list) { self.whole(tree, list) } else { self.enclosing(list) }
    }

    /// Returns the lists of statements of which one must stay, as those of Python's blocks.
    pub(super) fn blocks_that_need_one(&self, tree: &Tree) -> Vec<Range<usize>> {
        let is_block = |start: usize| {
            let parent = tree.parent(self.nodes[start] as usize);
            tree.grammar.language == "python" && parent.is_some_and(|parent| tree.kind(parent) == "block")
        };
        self.lists_where(is_block).collect()
    }

    fn lists_where(&self, is: impl Fn(usize) -> bool) -> impl Iterator<Item = Range<usize>> {
        let lists = self.items.chunk_by(|_, next| !next.first).scan(0, |start, list| {
            *start += list.len();
            Some(*start - list.len()..*start)
        });
        lists.filter(move |list| is(list.start))
    }
}

/// Returns whether these are the constants of an enum without a name, which is nothing but them.
fn is_all_of_an_enum(tree: &Tree, at: usize) -> bool {
    let has_name = |of: usize| tree.child(of, "name").is_some();
    tree.kind(at) == "enumerator_list" && tree.parent(at).is_some_and(|of| !has_name(of))
}

/// Returns whether Go's `type`, `const`, `var` or `import` would stand there alone without a node: it is in no parentheses.
fn is_all_behind_a_word(tree: &Tree, node: usize) -> bool {
    let is_open = |parent: usize| tree.children(parent).any(|child| tree.kind(child) == "(");
    let is_one = tree.kind(node).ends_with("_spec") || tree.kind(node) == "type_alias";
    let is_one = is_one && tree.grammar.language == "go";
    is_one && tree.parent(node).is_some_and(|parent| tree.kind(parent).ends_with("_declaration") && !is_open(parent))
}

/// Returns whether a declaration declares nothing without the list of a node: `int a, b;` in a class. In `struct S { int a; } b;` there is
/// `S`.
fn is_all_that_is_declared(tree: &Tree, node: usize) -> bool {
    let declares = |parent: usize| {
        let has_body = || tree.child(parent, "type").is_some_and(|of| tree.child(of, "body").is_some());
        tree.is(parent, Class::DEFINITION) && !has_body()
    };
    tree.field(node) == "declarator" && tree.node(node).role == Role::Item && tree.parent(node).is_some_and(declares)
}
