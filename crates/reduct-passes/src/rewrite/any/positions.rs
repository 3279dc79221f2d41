//! Removes what stands in a list and is referred to by its place in that.
//!
//! ## What it tries
//! Lists whose parts are named elsewhere by numbers, from 0: in JSON arrays behind a key, in XML elements of one name, in texts of parentheses, as WebAssembly's, what begins with one word.
//! A number refers to a list if the key or word before it says so (`mesh` one of `meshes`, `global.get` one of `global`), or if most places of the list, the last ones too, are among
//! the numbers behind one key, or if the largest of these is the last place of a list of eight parts or more. Each part goes with what refers to it, if that is one of a list of numbers, a member that others do not have, or a statement. Numbers that refer
//! to what comes after it fall by one; others that refer to it name the next one then. At last, parts go without what refers to them.
//!
//! ## When it helps
//! Where things are referred to by number: without one of them, all other numbers would name something else.
//!
//! ## Before
//! ```json
//! {"nodes": [{"mesh": 1}, {"children": [0]}, {"mesh": 2, "children": [0, 1]}], "meshes": ["x", "y", "z"]}
//! ```
//! ## After
//! ```json
//! {"nodes": [{"mesh": 0}, {"children": [0]}, {"mesh": 1, "children": [0, 1]}], "meshes": ["y", "z"]}
//! ```

mod data;
mod elements;
mod forms;
mod found;
mod links;
mod order;

use crate::pass::{Needs, Pass, Proposals};
use found::{Found, Link};
use links::linked;
use order::Inside;
use reduct_input::parts::{Emptied, ItemSets};
use reduct_input::{ByteOrder, FieldValue, Item, Mend, Subject};
use std::sync::Arc;

pub(crate) const PASS: Pass = Pass {
    needs: Needs::Text,
    ..Pass::rewriting("positions", "removes what stands in a list and is referred to by its place", 0.6, propose)
        .cutting_anew()
};

/// Lists of which all parts together are more are not looked at.
const MOST: usize = 1 << 18;

fn propose(subject: &Subject) -> Proposals {
    let (mut with, mut without) = (Sets::default(), Sets::default());
    let of_data = subject.trees().iter().filter_map(|tree| data::found(subject, tree));
    let of_forms = subject.unparsed().into_iter().filter_map(|region| forms::found(subject, region));
    for found in of_data.chain(of_forms).chain(elements::found(subject)) {
        if found.lists.iter().map(|list| list.items.len()).sum::<usize>() > MOST {
            continue;
        }
        let links = linked(&found);
        with.add(&found, &links, true);
        without.add(&found, &links, false);
    }
    let is_other = without.sets != with.sets;
    let levels = [Some(with), is_other.then_some(without)];
    levels.into_iter().flatten().filter_map(Sets::finish).map(Into::into).collect()
}

/// Parts with what goes with them.
#[derive(Default)]
struct Sets {
    items: Vec<Item>,
    sets: Vec<Vec<u32>>,
    mends: Vec<Mend>,
    emptied: Vec<Emptied>,
}

impl Sets {
    /// Adds the parts of lists to which something refers; each with what refers to it if that is meant to go.
    fn add(&mut self, found: &Found, links: &[Link], refers: bool) {
        let inside = Inside::new(found, links);
        // By list, the set of its first part.
        let mut first_of: Vec<Option<usize>> = vec![None; found.lists.len()];
        for at in inside.referring_last(found, links) {
            let items = &found.lists[at].items;
            first_of[at] = Some(self.sets.len());
            self.sets.extend((0..items.len()).map(|item| vec![(self.items.len() + item) as u32]));
            self.items.extend(items.iter().cloned());
        }
        let mut firsts: Vec<usize> = vec![];
        for other in found.others.iter().filter(|_| refers) {
            let first = self.items.len();
            firsts.push(first);
            self.items.extend(other.items.iter().cloned());
            let around = other.items.first().filter(|_| other.is_needed).and_then(|item| inside.part(found, &item.at));
            if let Some(set) = around.and_then(|(list, item)| Some(first_of[list]? + item)) {
                let parts = (first as u32..self.items.len() as u32).collect();
                self.emptied.push(Emptied { parts, set: set as u32 });
            }
        }
        for link in links {
            let (number, list) = (&found.numbers[link.number], &found.lists[link.list]);
            let Some(first) = first_of[link.list] else { continue };
            if let Some((other, item)) = number.with.filter(|_| refers) {
                self.sets[first + number.value].push((firsts[other] + item) as u32);
            }
            let holds = FieldValue::Position { of: list.starts.clone(), before: number.value };
            self.mends.push(Mend { at: number.at.clone(), order: ByteOrder::Decimal, holds });
        }
    }

    fn finish(mut self) -> Option<ItemSets> {
        self.mends.sort_by_key(|mend| mend.at.start);
        self.sets.iter_mut().for_each(|set| {
            set.sort_unstable();
            set.dedup();
        });
        let sets: Arc<[Arc<[u32]>]> = self.sets.into_iter().map(Arc::from).collect();
        let (items, mends, emptied) = (self.items.into(), self.mends.into(), self.emptied.into());
        (!sets.is_empty()).then_some(ItemSets { items, sets, mends, emptied })
    }
}
