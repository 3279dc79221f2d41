//! How sure it has to be what a candidate is, where tests fail only now and then.

/// How sure the outcome of a candidate has to be. Each is another question: it is answered by runs of its own.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Certainty {
    /// As sure as the session takes it to be.
    #[default]
    Usual,
    /// A few failing runs are enough to accept it: it is checked later, with others or alone.
    Hasty,
    /// It was accepted hastily, or what it is made of was: now it is to be as sure as it takes.
    Checked,
    /// It is part of an audit: what fails is taken for passing at most once in 2 to the power of so many.
    Audited(u8),
}

impl Certainty {
    /// Returns of an audited candidate the power of 2 in which it is wrong at most once; 0 of the others.
    pub fn bits(self) -> u8 {
        if let Certainty::Audited(bits) = self { bits } else { 0 }
    }

    /// Returns a number that no other certainty has; 0 for the usual one.
    pub(crate) fn number(self) -> u64 {
        match self {
            Certainty::Usual => 0,
            Certainty::Audited(bits) => u64::from(bits),
            Certainty::Hasty => 1 << 8,
            Certainty::Checked => 2 << 8,
        }
    }
}
