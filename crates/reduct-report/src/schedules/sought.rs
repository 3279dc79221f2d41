//! Which schedule is looked for.

/// Which schedule is looked for: one with which the program fails; or, if it fails without a switch, one with which it passes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sought {
    /// One with which it fails.
    Failure,
    /// One with which it passes.
    Pass,
}

impl Sought {
    /// Returns its name, as runs keep it and as it stands in JSON.
    pub fn name(self) -> &'static str {
        self.first("failure", "pass").0
    }

    /// Returns the one with a name.
    pub fn named(name: &str) -> Option<Sought> {
        [Sought::Failure, Sought::Pass].into_iter().find(|sought| sought.name() == name)
    }

    /// Returns what the program does: it `fails`, or it `passes`.
    pub(crate) fn verb(self) -> &'static str {
        self.first("fails", "passes").0
    }

    /// Returns what it did: it `failed`, or it `passed`.
    pub(crate) fn past(self) -> &'static str {
        self.first("failed", "passed").0
    }

    /// Returns what belongs to a schedule that fails and what belongs to one that passes, this side first.
    pub(super) fn first<T>(self, failing: T, passing: T) -> (T, T) {
        match self {
            Sought::Failure => (failing, passing),
            Sought::Pass => (passing, failing),
        }
    }
}
