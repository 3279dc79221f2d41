//! Which white space can go so that the grammar still reads the same tokens in the same tree.

use reduct_input::{Class, KindId, Role, Subject, Tree};
use std::ops::Range;
use std::path::Path;

/// A text is read again as often as that many bytes allow, in which reading takes some tenths of a second.
const MOST_READ: usize = 2 << 20;

/// What reading a text costs besides its length, in bytes.
const EACH: usize = 4 << 10;

/// A node, as far as white space must not change it: its kind, its depth, and where it stands if nothing is in it.
type Place = (KindId, u32, Option<(u32, u32)>);

/// A file that is read again without some of its white space.
pub(super) struct SameTree<'a> {
    subject: &'a Subject,
    path: &'a Path,
    text: &'a [u8],
    /// The nodes of the text as it is.
    places: Vec<Place>,
    /// Whether all of it follows its language. Where it does not, how errors nest depends on blanks.
    follows: bool,
    /// Whether nothing is amiss in it, not even a token that has no node.
    exact: bool,
    left: usize,
    /// What can go, all of it at once, in order.
    free: Vec<Range<usize>>,
}

impl<'a> SameTree<'a> {
    /// Returns a file whose tree has addresses from `start` on.
    pub(super) fn new(subject: &'a Subject, path: &'a Path, text: &'a [u8], tree: &Tree, start: u32) -> Self {
        let follows = tree.nodes.iter().all(|node| node.role != Role::Error);
        let places = places(tree, text, start, follows);
        let exact = follows && subject.would_follow(path, text);
        SameTree { subject, path, text, places, follows, exact, left: MOST_READ, free: vec![] }
    }

    /// Returns, of white space in order, what stands between two tokens: it is in none, or is all of a text. Nothing where the
    /// text does not follow its language, as the tokens there are guesses.
    pub(super) fn between(&self, spaces: Vec<Range<usize>>) -> Vec<Range<usize>> {
        let mut leaves = self.places.iter().filter_map(|(.., at)| *at).peekable();
        let mut before = 0;
        let is_between = |space: &Range<usize>| {
            if !self.follows {
                return false;
            }
            while let Some((_, end)) = leaves.next_if(|(_, end)| *end as usize <= space.start) {
                before = end as usize;
            }
            before == space.start && leaves.peek().is_some_and(|(start, _)| *start as usize == space.end)
        };
        spaces.into_iter().filter(is_between).collect()
    }

    /// Splits groups of white space until each can go with all that can go already, or is a single one that cannot.
    /// Returns those that were not decided, as too much was read, and signs of numbers.
    pub(super) fn decide(&mut self, group: Vec<Range<usize>>) -> Vec<Range<usize>> {
        let (mut groups, mut undecided) = (vec![group], vec![]);
        while let Some(mut group) = groups.pop() {
            let mut without = [&self.free[..], &group].concat();
            without.sort_by_key(|space| space.start);
            match self.reads_alike(&without) {
                _ if group.is_empty() => {}
                None => undecided.extend(group),
                Some(true) => self.free = without,
                Some(false) if group.len() == 1 => {
                    if self.makes_a_number(&group[0]) {
                        undecided.extend(group);
                    }
                }
                Some(false) => {
                    let later = group.split_off(group.len() / 2);
                    groups.extend([later, group]);
                }
            }
        }
        undecided
    }

    /// Returns what can go, in order.
    pub(super) fn into_free(self) -> Vec<Range<usize>> {
        self.free
    }

    /// Returns whether a sign and a number become one number, which means the same.
    fn makes_a_number(&self, space: &Range<usize>) -> bool {
        let signs = self.text[..space.start].ends_with(b"-") || self.text[..space.start].ends_with(b"+");
        let is_next = self.text.get(space.end).is_some_and(u8::is_ascii_digit);
        let text = || [&self.text[..space.start], &self.text[space.end..]].concat();
        let tree = (signs && is_next).then(|| self.subject.read_again(self.path, &text())).flatten();
        let number = |tree: &Tree, at: usize| {
            tree.is(at, Class::NUMBER)
                && tree.node(at).after as usize == at + 1
                && tree.range(at).start as usize + 1 == space.start
        };
        tree.is_some_and(|tree| (1..tree.len()).any(|at| number(&tree, at)))
    }

    /// Returns whether the tree is the same without some white space; `None` if that is not to be found out.
    fn reads_alike(&mut self, without: &[Range<usize>]) -> Option<bool> {
        self.left = self.left.checked_sub(self.text.len() + EACH)?;
        let mut text = Vec::with_capacity(self.text.len());
        let mut at = 0;
        for space in without {
            text.extend(&self.text[at..space.start]);
            at = space.end;
        }
        text.extend(&self.text[at..]);
        let tree = self.subject.read_again(self.path, &text)?;
        let now = places(&tree, &text, 0, self.follows);
        let (mut gone, mut rest) = (0, without.iter().peekable());
        // Positions ascend, so each space is passed once.
        let mut moved = |at: u32| {
            while let Some(space) = rest.next_if(|space| space.end <= at as usize) {
                gone += space.len();
            }
            let within = rest.peek().map_or(0, |space| (at as usize).saturating_sub(space.start));
            at - (gone + within) as u32
        };
        let mut here = |(kind, depth, at): &Place| (*kind, *depth, at.map(|(start, end)| (moved(start), moved(end))));
        let is_same = now.len() == self.places.len() && self.places.iter().zip(&now).all(|(was, is)| here(was) == *is);
        Some(is_same && (!self.exact || self.subject.would_follow(self.path, &text)))
    }
}

/// Returns the nodes of a tree whose addresses begin at `base`, but for texts of white space alone. Where some of the text
/// does not follow its language, those that have nothing in them.
fn places(tree: &Tree, text: &[u8], base: u32, follows: bool) -> Vec<Place> {
    let mut depths: Vec<u32> = Vec::with_capacity(tree.len());
    let mut places = vec![];
    for (at, node) in tree.nodes.iter().enumerate() {
        let depth = if at == 0 { 0 } else { depths[node.parent as usize] + 1 };
        depths.push(depth);
        let is_leaf = node.after as usize == at + 1;
        let (start, end) = (node.start - base, node.end - base);
        let is_text = is_leaf && at > 0 && start < end && tree.is_named(at);
        if is_text && text[start as usize..end as usize].trim_ascii().is_empty() || !is_leaf && !follows {
            continue;
        }
        let depth = if follows { depth } else { 0 };
        places.push((node.kind, depth, (is_leaf && at > 0).then_some((start, end))));
    }
    places
}
