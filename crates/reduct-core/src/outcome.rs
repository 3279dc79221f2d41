//! What a test said.

use std::fmt;

/// What a test said of a configuration (book 5.5: ✗, ✓ and ?).
///
/// `Fail` means that the failure *in question* occurs, what the ecosystem's tools call interesting.
/// `Unresolved` means that something else happened: the candidate did not build, hung, or failed in
/// another way. An unresolved candidate is never accepted, and never moves a passing side either.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Outcome {
    /// The failure does not occur.
    Pass,
    /// The failure in question occurs.
    Fail,
    /// Neither can be said.
    Unresolved,
}

impl Outcome {
    /// Returns the book's mark for this outcome.
    pub fn mark(self) -> char {
        match self {
            Outcome::Pass => '✓',
            Outcome::Fail => '✗',
            Outcome::Unresolved => '?',
        }
    }

    /// Returns the outcome's name in events and journals.
    pub fn name(self) -> &'static str {
        match self {
            Outcome::Pass => "pass",
            Outcome::Fail => "fail",
            Outcome::Unresolved => "unresolved",
        }
    }

    /// Returns the outcome with this name.
    pub fn named(name: &str) -> Option<Outcome> {
        [Outcome::Pass, Outcome::Fail, Outcome::Unresolved].into_iter().find(|o| o.name() == name)
    }
}

impl From<bool> for Outcome {
    /// Takes the answer to "does the failure occur?".
    ///
    /// ```
    /// use reduct_core::Outcome;
    ///
    /// assert_eq!(Outcome::from(true), Outcome::Fail);
    /// assert_eq!(Outcome::from(false), Outcome::Pass);
    /// ```
    fn from(fails: bool) -> Outcome {
        if fails { Outcome::Fail } else { Outcome::Pass }
    }
}

impl fmt::Display for Outcome {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
