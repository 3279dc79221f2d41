//! The phase of a search, for those who watch.

/// What a search is doing: one list of parts of a pass.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Phase {
    /// The name of the pass, or of what it is about.
    pub kind: &'static str,
    /// The level, from 1; always 1 for passes with a single list.
    pub level: usize,
    /// How often this pass has been visited, this visit included.
    pub round: usize,
    /// How many parts there were when the phase began.
    pub parts: usize,
    /// Whether nothing more is expected to go: each part is asked about to prove that.
    pub proves: bool,
}

impl Phase {
    /// Returns the first phase of the first visit of a pass, with so many parts.
    pub fn new(kind: &'static str, parts: usize) -> Phase {
        Phase { kind, level: 1, round: 1, parts, proves: false }
    }
}
