//! What a person sees who is the test: the question, how many there may be, the candidate; in a terminal or on a page.

pub mod html;
pub mod page;
mod questions;

pub use questions::{QuestionScreen, Questions};

/// What is said when an answer is to be taken back, and there is none.
pub const NOTHING_TO_UNDO: &str = "There is no answer to take back.";

/// What is said when nobody can answer any more.
pub const INPUT_ENDED: &str = "Standard input has ended, so nobody answers any more.";

/// Returns what is said to something typed that is no answer.
pub fn no_answer(typed: &str) -> String {
    format!("“{typed}” is no answer: f says that the failure occurs, p that it does not, c that you cannot tell")
}

/// Returns where the questions are asked, in words.
pub fn asked_at(address: &str) -> String {
    format!("The questions are asked at {address}")
}

impl Questions {
    /// Returns what is known of the search besides its question, in words; in a line.
    pub fn so_far(&self) -> String {
        let best = self.size().map(|size| format!("the best so far: {size}"));
        [self.bound(), best].into_iter().flatten().collect::<Vec<_>>().join("; ")
    }
}
