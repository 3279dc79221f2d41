//! Arrays and numbers of JSON.

use super::found::{Found, Listed, Number, Other};
use reduct_input::siblings::{items, lists};
use reduct_input::{Class, Subject, Tree};
use std::collections::HashMap;

/// Keys of what is named by a number of its own, whatever its place.
const OWN: &[&[u8]] = &[b"id", b"index", b"key"];

/// Trees of more nodes are not looked at.
const MOST: usize = 1 << 20;

/// So many nodes around a number are looked at for keys.
const DEEPEST: usize = 32;

/// Numbers are not looked at if the keys around them are longer than that, all together.
const LONGEST_PATH: usize = 256;

/// Longer numbers are no places.
const DIGITS: usize = 7;

/// Returns what a tree has of JSON; `None` if it is of another language or nothing may refer to anything.
pub(super) fn found<'a>(subject: &'a Subject, tree: &Tree) -> Option<Found<'a>> {
    if tree.grammar.language != "json" || tree.len() > MOST {
        return None;
    }
    let mut data = Data { subject, tree, found: Found::default(), places: HashMap::new(), maps: HashMap::new() };
    (1..tree.len()).filter(|at| tree.kind(*at) == "array").for_each(|at| data.add_list(at));
    if data.found.lists.is_empty() {
        return None;
    }
    let counted = data.counted();
    (1..tree.len()).filter(|at| tree.is(*at, Class::NUMBER)).for_each(|at| data.add_number(at, &counted));
    Some(data.found)
}

/// How often each path is there, and how many objects could have it.
type Counted = HashMap<Vec<u8>, usize>;

struct Data<'s, 'a> {
    subject: &'a Subject,
    tree: &'s Tree,
    found: Found<'a>,
    /// By node, which item of which of `others` it is.
    places: HashMap<usize, (usize, usize)>,
    /// By object, whether all its members are numbers.
    maps: HashMap<usize, bool>,
}

impl<'a> Data<'_, 'a> {
    /// Returns the key of the pair whose value a node is.
    fn key(&self, value: usize) -> Option<&'a [u8]> {
        let pair = self.tree.parent(value).filter(|parent| self.tree.kind(*parent) == "pair")?;
        let key = self.tree.child(pair, "key").filter(|key| *key != value)?;
        let text = self.subject.text(self.tree.range(key)).trim_ascii();
        Some(text.strip_prefix(b"\"").and_then(|text| text.strip_suffix(b"\"")).unwrap_or(text))
    }

    /// Returns the keys around a node, the nearest first; `None` if they are too long.
    fn path(&self, at: usize) -> Option<Vec<&'a [u8]>> {
        let around = std::iter::successors(Some(at), |at| self.tree.parent(*at)).take(DEEPEST);
        let keys: Vec<&[u8]> = around.filter_map(|at| self.key(at)).collect();
        (keys.iter().map(|key| key.len()).sum::<usize>() <= LONGEST_PATH).then_some(keys)
    }

    fn list_of(&self, array: usize) -> Vec<usize> {
        let mut found = vec![];
        lists(self.tree, array, |list| found.extend_from_slice(list));
        found
    }

    fn items(&self, list: &[usize]) -> Vec<reduct_input::Item> {
        items(self.subject.artifact().bytes(), self.tree, list)
    }

    fn add_list(&mut self, array: usize) {
        let tree = self.tree;
        let object = tree.parent(array).and_then(|pair| tree.parent(pair));
        let Some((name, object)) = self.key(array).zip(object) else { return };
        let list = self.list_of(array);
        // Numbers refer, or are data.
        let is_number = |at: &usize| tree.is(*at, Class::NUMBER);
        if list.len() < 2 || list.iter().all(is_number) || list.iter().any(|at| self.has_own_number(*at)) {
            return;
        }
        let starts = list.iter().map(|at| tree.node(*at).start).collect();
        self.found.lists.push(Listed { name, scope: tree.range(object), items: self.items(&list), starts });
    }

    /// Returns whether a part of a list has a number by which it may be meant.
    fn has_own_number(&self, at: usize) -> bool {
        let is_own = |pair: usize| {
            let value = self.tree.child(pair, "value");
            value.is_some_and(|value| {
                self.tree.is(value, Class::NUMBER) && self.key(value).is_some_and(|key| OWN.contains(&key))
            })
        };
        self.tree.children(at).any(|pair| self.tree.kind(pair) == "pair" && is_own(pair))
    }

    /// Returns how often each path is there: of objects, and of their members that are no objects.
    fn counted(&self) -> Counted {
        let mut counted = Counted::new();
        for at in 1..self.tree.len() {
            let is_member = self.tree.parent(at).is_some_and(|pair| self.tree.kind(pair) == "pair");
            let is_counted = match self.tree.kind(at) {
                "object" => true,
                "number" | "array" => is_member,
                _ => false,
            };
            if let Some(path) = is_counted.then(|| self.path(at)).flatten() {
                let path = label(&path);
                *counted.entry(if self.tree.kind(at) == "array" { of_array(path) } else { path }).or_default() += 1;
            }
        }
        counted
    }

    fn add_number(&mut self, at: usize, counted: &Counted) {
        let tree = self.tree;
        let Some((value, parent)) = value(self.subject.text(tree.range(at))).zip(tree.parent(at)) else { return };
        let Some(path) = self.path(at) else { return };
        let Some(&key) = path.first() else { return };
        let outer = path.get(1).copied().unwrap_or_default();
        let whole = label(&path);
        let (with, label, says) = match tree.kind(parent) {
            // The array is a member, too.
            "array" => {
                let is_needed = counted.get(&of_array(whole.clone())) >= counted.get(&label_of_outer(&path));
                (self.place(parent, at, is_needed), whole, [key, b""])
            }
            "pair" => {
                let Some(object) = tree.parent(parent) else { return };
                let of_objects = label_of_outer(&path);
                let is_in_some = counted.get(&whole) < counted.get(&of_objects);
                // An object of nothing but numbers has names for keys.
                let is_map = self.is_map(object) && !outer.is_empty();
                let with = is_in_some.then(|| self.place(object, parent, false)).flatten();
                if is_map { (with, of_objects, [outer, b""]) } else { (with, whole, [key, outer]) }
            }
            _ => return,
        };
        let label = self.found.label(label);
        self.found.numbers.push(Number { at: tree.range(at), value, label, says, with });
    }

    /// Returns whether an object has several members, all of them plain numbers.
    fn is_map(&mut self, object: usize) -> bool {
        if let Some(known) = self.maps.get(&object) {
            return *known;
        }
        let pairs: Vec<usize> = self.tree.children(object).filter(|pair| self.tree.kind(*pair) == "pair").collect();
        let is_plain = |pair: &usize| {
            let number = self.tree.child(*pair, "value").filter(|value| self.tree.is(*value, Class::NUMBER));
            number.is_some_and(|number| value(self.subject.text(self.tree.range(number))).is_some())
        };
        let is_map = pairs.len() > 1 && pairs.iter().all(is_plain);
        self.maps.insert(object, is_map);
        is_map
    }

    /// Returns where a part of a list stands.
    fn place(&mut self, list: usize, part: usize, is_needed: bool) -> Option<(usize, usize)> {
        if !self.places.contains_key(&part) {
            let (all, other) = (self.list_of(list), self.found.others.len());
            self.found.others.push(Other { items: self.items(&all), is_needed });
            self.places.extend(all.into_iter().enumerate().map(|(place, at)| (at, (other, place))));
        }
        self.places.get(&part).copied()
    }
}

fn label(path: &[&[u8]]) -> Vec<u8> {
    path.join(&b'/')
}

/// Returns the label of the objects in which a member is.
fn label_of_outer(path: &[&[u8]]) -> Vec<u8> {
    label(&path[1..])
}

/// Returns the label of an array whose parts have this one.
fn of_array(label: Vec<u8>) -> Vec<u8> {
    [&label, &b"[]"[..]].concat()
}

/// Returns a number that may be a place.
pub(super) fn value(text: &[u8]) -> Option<usize> {
    let is_plain = text.len() <= DIGITS && text.iter().all(u8::is_ascii_digit) && !(text.len() > 1 && text[0] == b'0');
    (is_plain && !text.is_empty()).then(|| text.iter().fold(0, |number, digit| number * 10 + usize::from(digit - b'0')))
}
