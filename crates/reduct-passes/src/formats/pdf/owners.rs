//! Which objects only one other names.

use super::body::Body;

/// Keys of what names the object that it belongs to, or the one before it.
const BACK: [&[u8]; 4] = [b"Parent", b"P", b"Prev", b"Last"];

/// For each object, in how many others it is, each of them named by the next one alone; and those that it alone names.
pub(super) struct Owners {
    pub(super) depths: Vec<usize>,
    pub(super) owned: Vec<Vec<usize>>,
}

impl Owners {
    /// Returns them for what is in objects. `find` returns the object of a number.
    pub(super) fn of(text: &[u8], objects: &[&Body], find: impl Fn(usize) -> Option<usize>) -> Owners {
        // What nothing names, and what several do, has no owner.
        let mut owners = vec![None; objects.len()];
        for (at, body) in objects.iter().enumerate() {
            for named in &body.references {
                if BACK.contains(&&text[named.key.clone()]) {
                    continue;
                }
                if let Some(target) = find(named.number).filter(|target| *target != at) {
                    owners[target] = match owners[target] {
                        None => Some(Some(at)),
                        Some(Some(owner)) if owner == at => Some(Some(at)),
                        Some(_) => Some(None),
                    };
                }
            }
        }
        let owners: Vec<Option<usize>> = owners.into_iter().map(Option::flatten).collect();
        let mut depths = vec![None; objects.len()];
        let mut owned = vec![vec![]; objects.len()];
        let mut is_on_way = vec![false; objects.len()];
        for start in 0..objects.len() {
            let mut way = vec![];
            let mut next = Some(start);
            // In a circle the one at which it is come upon has no owner.
            while let Some(at) = next.filter(|at| depths[*at].is_none() && !is_on_way[*at]) {
                is_on_way[at] = true;
                way.push(at);
                next = owners[at];
            }
            let mut owner = next.filter(|at| depths[*at].is_some());
            for at in way.into_iter().rev() {
                depths[at] = Some(owner.and_then(|owner| depths[owner]).map_or(0, |depth: usize| depth + 1));
                if let Some(owner) = owner {
                    owned[owner].push(at);
                }
                owner = Some(at);
            }
        }
        Owners { depths: depths.into_iter().map(Option::unwrap_or_default).collect(), owned }
    }

    /// Returns an object and all that it alone names, and what those name alone.
    pub(super) fn with_all(&self, object: usize) -> Vec<usize> {
        let mut all = vec![object];
        let mut next = 0;
        while next < all.len() {
            all.extend_from_slice(&self.owned[all[next]]);
            next += 1;
        }
        all
    }
}
