//! What a person sees who is the test: the question, how many there may be, the candidate; in a terminal or on a page.

mod candidate;
pub mod html;
pub mod page;
mod questions;

pub use candidate::describe;
pub use questions::{QuestionScreen, Questions};

use reduct_session::executor::person::Word;
use std::ffi::OsStr;
use std::io;
use std::path::Path;

/// The keys, as they stand behind a question.
pub const CHOICES: &str = "[f]ails  [p]asses  [c]annot tell  [u]ndo  [o]pen again  [q]uit: ";

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

/// Returns what is said when the candidate is shown once more.
pub fn opened_again(place: &Path) -> String {
    format!("Opened again: {}", place.display())
}

/// Returns what is said of a program that is to show a candidate or a page.
pub fn not_started(program: &OsStr, error: &io::Error) -> String {
    format!("{} cannot be started: {error}", program.to_string_lossy())
}

/// Returns what a terminal says of an answer that was given elsewhere.
pub fn said_on_the_page(word: Word) -> String {
    let said = match word {
        Word::Fails => "fails",
        Word::Passes => "passes",
        Word::CannotTell => "cannot tell",
        Word::Undo => "undo",
        Word::Stop => "stop",
    };
    format!("{said} (said on the page)")
}

impl Questions {
    /// Returns the question in words, line by line, and what is known of the search besides. The candidate stands at
    /// this place.
    pub fn lines(&self, place: &Path) -> [String; 2] {
        let question = format!("Question {}: does it fail? {}", self.question(), place.display());
        let best = self.size().map(|size| format!("the best so far: {size}"));
        let so_far: Vec<String> = [self.bound(), best].into_iter().flatten().collect();
        [question, format!("  ({})", so_far.join("; "))]
    }
}
