//! An input that fails, and what its failure looks like.

use reduct_oracle::Observed;
use reduct_oracle::signature::{InputVocabulary, Signature};

/// An input that fails.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Failing {
    /// What it is called; of no two the same.
    pub name: String,
    /// What its test shows.
    pub observed: Observed,
    /// What is left of it.
    pub text: Vec<u8>,
    /// Whether that was reduced: else what is in it says little about why it fails.
    pub reduced: bool,
    /// Whose the files are that its report names.
    pub words: InputVocabulary,
}

impl Failing {
    /// Returns what a message may say of it: what is left of it, and what it is called, as compilers do.
    pub(super) fn says(&self) -> Vec<u8> {
        [&self.text[..], b" ", self.name.as_bytes(), b" "].concat()
    }

    /// Returns the words of that and of another text, with the command of its test.
    pub(super) fn says_with(&self, text: &[u8]) -> InputVocabulary {
        InputVocabulary::of(&[&self.says()[..], text].concat()).run_by(self.words.command())
    }
}

/// Returns what of a failure tells it from others: not the callers of the function it happened in.
pub(super) fn looks(observed: &Observed, words: &InputVocabulary) -> Signature {
    let signature = Signature::of(observed, words).without_callers();
    // Beside a report the line does not count: it may be one that names the place.
    if signature.report.is_some() { Signature { text: None, or: None, ..signature } } else { signature }
}
