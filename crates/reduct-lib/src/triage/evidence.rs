//! What an experiment with two failures said, and in which words that is told (pure).

/// What an experiment with what is left of two inputs said.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Crossing {
    /// The one of which less is left.
    pub small: usize,
    /// The one of which more is left.
    pub large: usize,
    /// What was done.
    pub how: How,
    /// What was run: of several texts the one that decided.
    pub text: Vec<u8>,
    /// What it says of them.
    pub says: Says,
}

/// What was run in an experiment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum How {
    /// The larger one, less all but what the smaller one is made of.
    LeftOut,
    /// The same, of two that happen in two places: it is to fail as the smaller one does.
    Within,
    /// Each of them with one piece of the other one, for each piece in which they differ.
    Exchanged,
}

/// What an experiment says of two failures.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Says {
    /// They are the same.
    Same,
    /// They are not.
    Different,
    /// It does not tell.
    Nothing,
}

impl Says {
    /// Returns what shows something counts more than what does not, and what brings together more than what keeps
    /// apart.
    pub fn weight(self) -> u8 {
        match self {
            Says::Nothing => 0,
            Says::Different => 1,
            Says::Same => 2,
        }
    }
}

impl Crossing {
    /// Returns whether it is about these two.
    pub fn is_of(&self, one: usize, other: usize) -> bool {
        [self.small, self.large] == [one, other] || [self.large, self.small] == [one, other]
    }

    /// Returns what it said, in words; two are called so.
    pub fn told(&self, small: &str, large: &str) -> String {
        let text = String::from_utf8_lossy(&self.text);
        match (self.how, self.says) {
            (How::LeftOut, Says::Same) => {
                format!("{large} still fails alike if only what {small} is made of is left of it: {text:?}")
            }
            (How::LeftOut, _) => {
                format!("{large} does not fail alike if only what {small} is made of is left of it: {text:?}")
            }
            (How::Within, Says::Same) => {
                format!("{large} fails as {small} does if only what that is made of is left of it: {text:?}")
            }
            (How::Within, _) => {
                format!("{large} does not fail as {small} does if only what that is made of is left of it: {text:?}")
            }
            (How::Exchanged, Says::Same) => {
                format!("they fail alike with any one of their pieces exchanged, as in {text:?}")
            }
            (How::Exchanged, Says::Different) => {
                format!("the test passes with one of their pieces exchanged: {text:?}")
            }
            (How::Exchanged, Says::Nothing) => "exchanging their pieces does not tell".into(),
        }
    }
}
