//! A terminal and a page at once: whichever is answered first counts.

use super::console::Console;
use super::page::Page;
use reduct_input::Candidate;
use reduct_session::executor::person::{Talk, Word};
use std::io;
use std::time::Duration;

/// Both ways to talk.
pub(super) struct Both {
    pub(super) console: Console,
    pub(super) page: Page,
}

impl Talk for Both {
    fn ask(&mut self, candidate: &Candidate) -> io::Result<()> {
        self.console.ask(candidate)?;
        self.page.ask(candidate)
    }

    fn listen(&mut self, at_most: Duration) -> Option<Word> {
        if let Some(word) = self.console.listen(at_most / 2) {
            return Some(word);
        }
        let word = self.page.listen(at_most / 2)?;
        self.console.heard(word);
        Some(word)
    }

    fn nothing_to_undo(&mut self) {
        self.console.nothing_to_undo();
        self.page.nothing_to_undo();
    }
}
