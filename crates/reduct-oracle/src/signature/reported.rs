//! What a report says of a failure, without what may differ from candidate to candidate.

use super::InputVocabulary;
use crate::frames::{Frame, Spot, innermost};
use crate::reports;
use crate::reports::FailureReport;
use crate::words::{strip, strip_text};
use serde::{Deserialize, Serialize};

/// Of longer messages only the beginning counts.
const LONGEST: usize = 400;

/// Another exception of a chain: its type, and where it happened.
pub type ChainedClass = (String, Option<Spot>);

/// What a report says.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Reported {
    /// The kind of failure.
    pub class: String,
    /// The stripped message. `None`: whatever it says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub message: Option<String>,
    /// What else is in its chain: the types of other exceptions, and where they happened.
    /// `None`: whatever is in it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chain: Option<Box<[ChainedClass]>>,
}

impl Reported {
    pub(super) fn of(report: &FailureReport, words: &InputVocabulary) -> Reported {
        let message = message(report);
        let is_of_program =
            |frame: &Frame| frame.at.as_ref().is_some_and(|(file, _)| !words.are_of(file, Some(&frame.name)));
        let message = match report.frames.first() {
            _ if report.quotes => strip(&message, words),
            // What the program has in itself, candidates do not change.
            Some(frame) if is_of_program(frame) => message,
            _ => strip_text(&message, words),
        };
        let place = |link: &reports::ChainedException| innermost(&link.frames, words).into_iter().next();
        let chain = report.chain.iter().map(|link| (link.class.chars().take(LONGEST).collect(), place(link)));
        let class = report.class.chars().take(LONGEST).collect();
        Reported { class, message: Some(message), chain: Some(chain.collect()) }
    }

    pub(super) fn common(self, again: &Reported) -> Reported {
        let message = self.message.filter(|message| again.message.as_ref() == Some(message));
        let chain = self.chain.filter(|chain| again.chain.as_ref() == Some(chain));
        Reported { message, chain, ..self }
    }

    pub(super) fn matches(&self, reference: &Reported) -> bool {
        self.class == reference.class
            && (reference.chain.is_none() || self.chain == reference.chain)
            && (reference.message.is_none() || self.message == reference.message)
    }
}

/// Returns what a report says, as it was printed.
pub(super) fn message(report: &FailureReport) -> String {
    shortened(report.message.trim())
}

pub(super) fn shortened(text: &str) -> String {
    text.chars().take(LONGEST).collect()
}
