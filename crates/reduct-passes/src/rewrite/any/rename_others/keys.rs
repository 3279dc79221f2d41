//! Short keys of YAML.

use super::Shorter;
use reduct_input::{Edit, Subject};
use std::collections::BTreeMap;
use std::ops::Range;

/// Longer keys become shorter by halves, as texts do.
const LONGEST: usize = 4;

/// Returns a shorter name for each such key that is there once.
pub(super) fn short(subject: &Subject) -> Vec<Edit> {
    let mut places: BTreeMap<&[u8], Vec<Range<u32>>> = BTreeMap::new();
    for tree in subject.trees().iter().filter(|tree| tree.grammar.language == "yaml") {
        let pairs = (1..tree.len()).filter(|at| tree.kind(*at).ends_with("_pair"));
        for at in pairs.filter_map(|at| tree.child(at, "key")).map(|key| tree.range(key)) {
            places.entry(subject.text(at.clone())).or_default().push(at);
        }
    }
    let is_short = |key: &[u8]| (2..=LONGEST).contains(&key.len()) && key.iter().all(u8::is_ascii_alphabetic);
    places.retain(|key, at| is_short(key) && at.len() == 1);
    if places.is_empty() {
        return vec![];
    }
    let mut keys: Vec<Range<u32>> = places.into_values().flatten().collect();
    keys.sort_by_key(|at| at.start);
    let mut shorter = Shorter::new(subject);
    keys.into_iter().filter_map(|at| Edit::replace(at.clone(), &shorter.than(subject.text(at))?)).collect()
}
