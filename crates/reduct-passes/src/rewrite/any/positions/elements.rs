//! Elements and numbers of XML. The list and the number may stand in two files, as texts and cells of a workbook do.

use super::data::value;
use super::found::{Found, Listed, Number};
use reduct_input::siblings::can_go;
use reduct_input::{Item, Subject, Tree};
use std::collections::BTreeMap;

/// Fewer elements of one name are no list.
const FEWEST: usize = 4;

/// Trees of more nodes are not looked at.
const MOST: usize = 1 << 20;

/// So many names of elements around a number tell it from others.
const NAMES: usize = 3;

/// Returns what all trees of XML have together; `None` if nothing in them may refer to anything.
pub(super) fn found(subject: &Subject) -> Option<Found<'_>> {
    let trees = || subject.trees().iter().filter(|tree| tree.grammar.language == "xml" && tree.len() <= MOST);
    let mut found = Found::default();
    trees().for_each(|tree| Elements { subject, tree }.add_lists(&mut found));
    if found.lists.is_empty() {
        return None;
    }
    trees().for_each(|tree| Elements { subject, tree }.add_numbers(&mut found));
    Some(found)
}

struct Elements<'s, 'a> {
    subject: &'a Subject,
    tree: &'s Tree,
}

impl<'a> Elements<'_, 'a> {
    /// Returns the name of an element.
    fn name(&self, element: usize) -> Option<&'a [u8]> {
        let tag = self.tree.children(element).find(|at| matches!(self.tree.kind(*at), "STag" | "EmptyElemTag"))?;
        let name = self.tree.children(tag).find(|at| self.tree.kind(*at) == "Name")?;
        Some(self.subject.text(self.tree.range(name)))
    }

    /// Returns the element in which a node is.
    fn around(&self, at: usize) -> Option<usize> {
        std::iter::successors(self.tree.parent(at), |at| self.tree.parent(*at))
            .find(|at| self.tree.kind(*at) == "element")
    }

    /// Adds the elements that have one name and stand in the same element.
    fn add_lists(&self, found: &mut Found<'a>) {
        let tree = self.tree;
        let mut lists: BTreeMap<(usize, &'a [u8]), Vec<usize>> = BTreeMap::new();
        for at in (1..tree.len()).filter(|at| tree.kind(*at) == "element" && can_go(tree, *at)) {
            if let Some(name) = self.name(at) {
                lists.entry((tree.parent(at).unwrap_or(0), name)).or_default().push(at);
            }
        }
        let all = 0..self.subject.artifact().bytes().len() as u32;
        for ((_, name), list) in lists.into_iter().filter(|(_, list)| list.len() >= FEWEST) {
            let last = list.len() - 1;
            let item = |(place, at): (usize, &usize)| {
                let at = tree.range(*at);
                Item { before: at.start..at.start, at, first: place == 0, last: place == last }
            };
            let starts = list.iter().map(|at| tree.node(*at).start).collect();
            let items = list.iter().enumerate().map(item).collect();
            found.lists.push(Listed { name, scope: all.clone(), items, starts });
        }
    }

    /// Adds the numbers that are all of a text or of a value of an attribute.
    fn add_numbers(&self, found: &mut Found<'a>) {
        let tree = self.tree;
        for at in 1..tree.len() {
            let quotes = match tree.kind(at) {
                "CharData" => 0,
                "AttValue" => 1,
                _ => continue,
            };
            let range = tree.range(at);
            let text = self.subject.text(range.clone());
            let Some(text) = text.get(quotes..text.len().saturating_sub(quotes)) else { continue };
            let (Some(value), Some(element)) = (value(text.trim_ascii()), self.around(at)) else { continue };
            let blank = (quotes + text.len() - text.trim_ascii_start().len()) as u32;
            let start = range.start + blank;
            let at_number = start..start + text.trim_ascii().len() as u32;
            let around = std::iter::successors(Some(element), |at| self.around(*at)).filter_map(|at| self.name(at));
            let mut names: Vec<&[u8]> = around.take(NAMES).collect();
            if let Some(attribute) = tree.parent(at).filter(|_| quotes > 0) {
                let name = tree.children(attribute).find(|at| tree.kind(*at) == "Name");
                names.insert(0, name.map_or(&b""[..], |name| self.subject.text(tree.range(name))));
            }
            let says = [names.first().copied().unwrap_or_default(), names.get(1).copied().unwrap_or_default()];
            let label = found.label(names.join(&b'/'));
            found.numbers.push(Number { at: at_number, value, label, says, with: None });
        }
    }
}
