//! What goes by itself in SMT-LIB once nothing is left that needs it: a declaration, and the `pop` of a `push`.
//!
//! Solvers refuse a name that is not declared. So as long as a declaration is a part as any other, a group of parts can go only if it
//! has all uses of all declarations in it: hardly any in the middle of a script.

use crate::rewrite::smt::script::{Script, scripts};
use reduct_input::parts::{Following, TreeParts};
use reduct_input::{Item, Part, Sort, Spans, Subject};
use std::collections::HashMap;
use std::ops::Range;

/// A follower, and the addresses of what needs it.
type Follower = (Range<u32>, Vec<u32>);

/// Returns the parts of a tree, with followers if there are some.
pub(super) fn tree(items: Vec<Item>, followers: Vec<Follower>) -> Option<Spans> {
    Some(with_followers(TreeParts::of(items)?, followers))
}

/// Returns these parts, with followers if there are some.
pub(super) fn with_followers(tree: TreeParts, followers: Vec<Follower>) -> Spans {
    if followers.is_empty() { tree.into() } else { Following::new(tree, followers).into() }
}

/// The assertions of scripts: what solvers are asked about. The other commands are few, and stand at both ends.
pub(super) struct Assertions<'a> {
    subject: &'a Subject,
    /// Where the scripts are, and the assertions in them, ascending.
    scripts: Vec<Range<u32>>,
    assertions: Vec<Range<u32>>,
}

impl Assertions<'_> {
    /// Returns those of a subject; `None` if there is no script with some.
    pub(super) fn of(subject: &Subject) -> Option<Assertions<'_>> {
        let mut found = Assertions { subject, scripts: vec![], assertions: vec![] };
        for script in scripts(subject) {
            let asserted = script.tree.children(0).filter(|at| script.head(*at) == Some(b"assert"));
            found.assertions.extend(asserted.map(|at| script.tree.range(at)));
            found.scripts.push(script.tree.range(0));
        }
        (!found.assertions.is_empty()).then_some(found)
    }

    /// Returns whether an item is an assertion.
    pub(super) fn has(&self, item: &Item) -> bool {
        let at = trimmed(self.subject, item);
        innermost(&self.assertions, at.start).is_some_and(|whole| *whole == at)
    }

    /// Returns whether an item is an assertion, in one, or in no script.
    pub(super) fn has_within(&self, item: &Item) -> bool {
        let start = trimmed(self.subject, item).start;
        innermost(&self.assertions, start).is_some() || innermost(&self.scripts, start).is_none()
    }
}

/// Returns which of these ranges, which ascend, holds an address.
fn innermost(ranges: &[Range<u32>], address: u32) -> Option<&Range<u32>> {
    let before = ranges.partition_point(|range| range.start <= address).checked_sub(1)?;
    Some(&ranges[before]).filter(|range| address < range.end)
}

/// Returns the addresses of an item without the white space around it.
fn trimmed(subject: &Subject, item: &Item) -> Range<u32> {
    let text = subject.text(item.at.clone());
    let start = item.at.start + (text.len() - text.trim_ascii_start().len()) as u32;
    start..start + text.trim_ascii().len() as u32
}

/// Returns the items that are no followers, and the followers.
pub(super) fn followers(subject: &Subject, items: Vec<Item>) -> (Vec<Item>, Vec<Follower>) {
    let mut needed: HashMap<Range<u32>, Vec<u32>> = HashMap::new();
    for script in scripts(subject) {
        ends_of_scopes(&script, &mut needed);
    }
    declarations(subject, &mut needed);
    if needed.is_empty() {
        return (items, vec![]);
    }
    let mut followers = vec![];
    let mut taken = |item: &Item| {
        needed.remove(&trimmed(subject, item)).map(|places| followers.push((item.at.clone(), places))).is_some()
    };
    let others = items.into_iter().filter(|item| !taken(item)).collect();
    (others, followers)
}

/// Adds the declarations and definitions that something else uses, each with these uses up to the next one of the same name.
/// What only uses itself is a part as any other.
fn declarations(subject: &Subject, needed: &mut HashMap<Range<u32>, Vec<u32>>) {
    if scripts(subject).next().is_none() {
        return;
    }
    let names = subject.names();
    for entity in names.entities().iter().filter(|entity| entity.sort != Sort::Parameter) {
        let place = |at: &usize| &names.places()[*at];
        let mut uses = entity.uses.iter().map(|at| place(at).at.start).collect::<Vec<u32>>();
        for defined in entity.defines.iter().rev().map(place) {
            let after = uses.partition_point(|at| *at < defined.at.start);
            let mut own = uses.split_off(after);
            let (Some(script), Part::Defines(definition)) = (Script::of(subject, defined), defined.part) else {
                continue;
            };
            let whole = script.tree.range(definition);
            own.retain(|at| !whole.contains(at));
            // A datatype has constructors, which are used without its name.
            let is_alone = script.head(definition) != Some(b"declare-datatype");
            if script.tree.parent(definition) == Some(0) && is_alone && !own.is_empty() {
                needed.insert(whole, own);
            }
        }
    }
}

/// Adds each `pop` that ends what one `push` begins, which it needs.
fn ends_of_scopes(script: &Script, needed: &mut HashMap<Range<u32>, Vec<u32>>) {
    let mut open: Vec<(usize, &[u8])> = vec![];
    for at in script.tree.children(0) {
        let levels = script.members(at).get(1).map_or(&b"1"[..], |levels| script.text(*levels));
        match script.head(at) {
            Some(b"push") => open.push((at, levels)),
            Some(b"pop") => match open.pop() {
                Some((push, same)) if same == levels => {
                    needed.insert(script.tree.range(at), vec![script.tree.range(push).start]);
                }
                // What ends where is not told by the order alone.
                _ => return,
            },
            _ => {}
        }
    }
}
