//! What the searches go on with that make room for each other, the tree and its stretches, when they have another turn.
//!
//! What was in vain in one turn is in vain in the next, mostly: halves of what is left did not go, and needed parts stand as
//! densely as they did.

use reduct_core::search::Minimiser;
use reduct_core::{Config, Delta, Density, Descent, Stretches};
use reduct_input::Parts;

/// Stretches that have another turn begin with this fraction of what is left, at most.
const AGAIN: usize = 16;

/// If so many bytes are left, and the tree has made room before, a needed part waits if so many times as many parts stand before it as
/// there are in it.
const LARGE: usize = 64 << 10;
const COARSE: u32 = 128;

/// Edits that are so many times as large as those that went are passed over once more.
const MUCH_LARGER: usize = 4;

/// What was seen in earlier turns.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Turns {
    /// How large the largest stretch was that was left whole, and where the last one of about that size ended.
    stretch: Option<(usize, usize)>,
    /// How densely needed parts stood in the tree when it made room.
    density: Option<Density>,
    /// The same when it left room for groups.
    before_groups: Option<Density>,
    /// Once larger edits of a pass were passed over, the pass and the size of the largest one that has gone since.
    went: Option<(usize, usize)>,
    /// The pass that made room in the midst of its levels for what follows it, and its level.
    level: Option<(usize, usize)>,
}

impl Turns {
    /// Takes note of stretches that end or make room.
    pub(super) fn note(&mut self, search: &Minimiser) {
        if let Minimiser::Stretches(stretches) = search {
            self.stretch = Some((stretches.largest_whole(), stretches.end_of_largest()));
        }
    }

    /// Takes note of the level at which a pass makes room for what follows it.
    pub(super) fn note_level(&mut self, pass: usize, level: usize) {
        self.level = Some((pass, level));
    }

    /// Returns the level with which a pass goes on; the first one if it has not made room in the midst.
    pub(super) fn level(&mut self, pass: usize) -> usize {
        self.level.take_if(|(known, _)| *known == pass).map_or(0, |(_, level)| level)
    }

    /// Takes note of the largest of the edits that went after larger ones of the pass were passed over.
    pub(super) fn note_gone(&mut self, pass: usize, size: usize) {
        let known = self.went.filter(|(known, _)| *known == pass).map_or(0, |(_, size)| size);
        self.went = Some((pass, known.max(size)));
    }

    /// Returns how many edits of a list, which ascend in size, are not much larger than those that went before, when larger ones had been passed over; `None` if
    /// none of the pass were.
    pub(super) fn first_to_ask(&self, pass: usize, parts: &Parts, list: &Config) -> Option<usize> {
        let (_, most) = self.went.filter(|(known, _)| *known == pass)?;
        let is_small = |delta: &Delta| parts.size(&Config::from_deltas([*delta])) <= most * MUCH_LARGER;
        Some(list.iter().take_while(is_small).count()).filter(|count| *count > 0)
    }

    /// Takes note of a search of the tree that leaves room for groups. If they remove much, it goes on with fresh hope.
    pub(super) fn note_before_groups(&mut self, search: &Minimiser) {
        if let Minimiser::Descent(descent) = search {
            self.before_groups = Some(descent.density());
        }
    }

    /// Has the search of the tree go on without that hope, as groups have removed little.
    pub(super) fn go_on_as_before_groups(&mut self) {
        self.density = self.before_groups;
    }

    /// Takes note of a search of the tree that makes room as it is slow. One that ends may go on with fresh hope.
    pub(super) fn note_slow(&mut self, search: &Minimiser) {
        if let Minimiser::Descent(descent) = search {
            self.density = Some(descent.density());
        }
    }

    /// Returns the search of stretches of so many bytes, which goes on where the last one ended.
    pub(super) fn stretches(&self, search: Stretches, left: usize) -> Stretches {
        let coarse = left / AGAIN;
        // Of what is cut to less than that, nothing would be asked about.
        let least = 2 * search.least();
        match self.stretch {
            Some((last, end)) if (least..=coarse).contains(&last) => search.of_at_most_before(last, end),
            last => search.of_at_most(last.map_or(coarse, |(last, _)| last.min(coarse)).max(least)),
        }
    }

    /// Returns the search of the tree with so many bytes left, which goes on where the last one made room. If it `was_slow`, large parts come first.
    pub(super) fn descent(&self, search: Descent, left: usize, was_slow: bool) -> Descent {
        let search = if was_slow && left >= LARGE { search.coarse_first(COARSE) } else { search };
        match self.density {
            Some(density) => search.as_dense_as(density),
            None => search,
        }
    }
}
