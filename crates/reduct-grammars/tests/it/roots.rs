//! Roots, and what they lead to.

use proptest::prelude::*;
use reduct_core::{Config, Delta};
use reduct_input::parts::{ItemSets, Led, Root, Roots, roots_of};
use reduct_input::{Artifact, Circumstances, Item, Parts};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Returns what stays of nodes with these of them as roots: what must stay is added as long as there is some.
fn stays(nodes: &[Led], roots: &BTreeSet<u32>) -> BTreeSet<u32> {
    let mut called = roots.clone();
    loop {
        let holds =
            |at: &u32, stays: &BTreeSet<u32>| nodes[*at as usize].within.is_none_or(|outer| stays.contains(&outer));
        // What waits stays if what it is in does.
        let mut stays: BTreeSet<u32> = called.iter().copied().filter(|at| !nodes[*at as usize].waits).collect();
        loop {
            let more: Vec<u32> = called.iter().copied().filter(|at| !stays.contains(at) && holds(at, &stays)).collect();
            if more.is_empty() {
                break;
            }
            stays.extend(more);
        }
        let before = called.len();
        for at in &stays {
            let node = &nodes[*at as usize];
            called.extend(&node.leads_to);
            called.extend(node.within.filter(|_| !node.waits));
        }
        if called.len() == before {
            return stays;
        }
    }
}

/// Each node is a letter.
fn letters(nodes: &[Led], always: &[u32], roots: &[u32]) -> Parts {
    let text: String = (0..nodes.len()).map(|at| char::from(b'A' + at as u8)).collect();
    let item = |at: u32| Item { at: at..at + 1, before: 0..0, first: true, last: true };
    let sets = ItemSets {
        items: (0..nodes.len() as u32).map(item).collect(),
        sets: (0..nodes.len() as u32).map(|at| Arc::from([at])).collect(),
        mends: [].into(),
        emptied: [].into(),
    };
    let roots = roots.iter().map(|node| Root { node: *node, name: *node..node + 1 }).collect();
    let artifact = Artifact::of_file("a", text.as_bytes()).expect("it is short");
    Parts::new(Arc::new(artifact), Roots { sets, nodes: nodes.into(), always: always.into(), roots })
}

fn nodes() -> impl Strategy<Value = Vec<Led>> {
    let node = (proptest::collection::vec(any::<u32>(), 0..3), proptest::option::of(any::<u32>()), any::<bool>());
    proptest::collection::vec(node, 1..20).prop_map(|nodes| {
        let count = nodes.len() as u32;
        let led = |(at, (leads_to, within, waits)): (u32, (Vec<u32>, Option<u32>, bool))| {
            let within = within.filter(|_| at > 0).map(|within| within % at.max(1));
            Led {
                leads_to: leads_to.into_iter().map(|to| to % count).collect(),
                within,
                waits: waits && within.is_some(),
            }
        };
        (0..).zip(nodes).map(led).collect()
    })
}

proptest! {
    #[test]
    fn what_no_root_leads_to_goes(nodes in nodes(), left in any::<u32>(), always in any::<u32>()) {
        let always: Vec<u32> = (0..nodes.len() as u32).filter(|at| always >> (at + 1) & 3 == 3).collect();
        let roots = roots_of(&nodes, &always);
        let all: BTreeSet<u32> = (0..nodes.len() as u32).collect();
        prop_assert_eq!(stays(&nodes, &roots.iter().chain(&always).copied().collect()), all);
        let some = |at: &u32| left >> at & 1 == 1;
        let config = Config::from_deltas((0..roots.len() as u32).filter(some).map(Delta));
        let kept: BTreeSet<u32> = config.iter().map(|Delta(at)| roots[at as usize]).chain(always.iter().copied()).collect();
        let wanted: Vec<u8> = stays(&nodes, &kept).into_iter().map(|at| b'A' + at as u8).collect();
        let parts = letters(&nodes, &always, &roots);
        let made = parts.candidate(&config).expect("roots can go").artifact();
        prop_assert_eq!(made.bytes(), &wanted[..]);
        let gone = Config::full(roots.len()).minus(&config);
        prop_assert_eq!(parts.size(&gone), nodes.len() - wanted.len());
    }
}

#[test]
fn of_a_circle_the_first_is_a_root() {
    let led = |leads_to: &[u32]| Led { leads_to: leads_to.to_vec(), ..Led::default() };
    assert_eq!(roots_of(&[led(&[1]), led(&[2]), led(&[1]), led(&[])], &[]), [0, 3]);
    assert_eq!(roots_of(&[led(&[1]), led(&[0])], &[]), [0]);
}
