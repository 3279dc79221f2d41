//! Reads texts by their grammars in a process that may die.
//!
//! The grammars are C, and their scanners are written by hand: some abort, or never end, on texts that nobody thought of
//! (tree-sitter-yaml wrote past a buffer at 255 blocks within each other). So a copy of this program reads the texts, one
//! after the other. If it dies, or takes too long, the text is in no language, and another copy goes on. A program whose
//! `main` does not begin with [`run_if_asked`](crate::run_if_asked) reads texts itself.

mod busy;
mod child;
mod frame;

pub(crate) use busy::{give_up, go_on};
use child::{ARGUMENT, Child, Parsed};
use frame::Question;
pub(crate) use frame::try_bytes;
use reduct_grammars::{LANGUAGES, Language, Languages};
use reduct_input::{Grammars, Tree};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, PoisonError};

/// Whether this program becomes one that reads texts when it is started with [`ARGUMENT`].
static ASKED: AtomicBool = AtomicBool::new(false);

/// The copies that have nothing to read now. They end when this process does.
static IDLE: Mutex<Vec<Child>> = Mutex::new(vec![]);

/// The languages whose grammars did not come to an end with a text since it was last asked.
static FAILED: Mutex<Vec<&'static str>> = Mutex::new(vec![]);

/// Becomes a process that reads texts if the hidden argument says so, and does not return then. To be called first thing
/// in `main`, before any thread is started.
pub fn run_if_asked() {
    if std::env::args_os().nth(1).is_some_and(|argument| argument == ARGUMENT) {
        child::serve();
    }
    ASKED.store(true, Ordering::Relaxed);
}

/// Returns the languages whose grammars have died of a text, or took too long, since this was last called.
pub(crate) fn failed() -> Vec<&'static str> {
    std::mem::take(&mut *FAILED.lock().unwrap_or_else(PoisonError::into_inner))
}

/// The languages, read where that may go wrong.
#[derive(Debug)]
pub(crate) struct CarefulGrammars(pub Languages);

impl Grammars for CarefulGrammars {
    fn parse(&self, path: &Path, text: &[u8]) -> Option<Tree> {
        match self.ask(path, text, Question::Tree)? {
            Asked::Here => self.0.parse(path, text),
            Asked::There(language, Parsed::Tree(nodes)) => {
                Some(Tree { grammar: reduct_grammars::grammar_of(language), nodes })
            }
            Asked::There(..) => None,
        }
    }

    fn errors(&self, path: &Path, text: &[u8]) -> Option<usize> {
        match self.ask(path, text, Question::Errors)? {
            Asked::Here => self.0.errors(path, text),
            Asked::There(_, Parsed::Errors(count)) => Some(count),
            Asked::There(..) => None,
        }
    }
}

/// Where a text is read.
enum Asked {
    /// In this process.
    Here,
    /// In another one, in this language, with this answer.
    There(&'static Language, Parsed),
}

impl CarefulGrammars {
    /// Asks a process that may die. `None` if the text is in no language, or the process has died of it.
    fn ask(&self, path: &Path, text: &[u8], question: Question) -> Option<Asked> {
        let language = self.0.of(path, text)?;
        let number = LANGUAGES.iter().position(|other| std::ptr::eq(*other, language))?;
        if !ASKED.load(Ordering::Relaxed) || !language.is_foreign() {
            return Some(Asked::Here);
        }
        if busy::are_given_up() {
            return None;
        }
        let idle = IDLE.lock().unwrap_or_else(PoisonError::into_inner).pop();
        // One that has waited may have died of something else.
        let old = idle.and_then(|mut child| child.ask(question, number, text).map(|answer| (child, answer)));
        let asked = match old {
            Some(asked) => Some(asked),
            None => {
                // Without a process to spare, it is read here.
                let Ok(mut child) = Child::start() else { return Some(Asked::Here) };
                child.ask(question, number, text).map(|answer| (child, answer))
            }
        };
        let Some((child, answer)) = asked else {
            if busy::are_given_up() {
                return None;
            }
            let mut failed = FAILED.lock().unwrap_or_else(PoisonError::into_inner);
            if !failed.contains(&language.name) {
                failed.push(language.name);
            }
            return None;
        };
        IDLE.lock().unwrap_or_else(PoisonError::into_inner).push(child);
        Some(Asked::There(language, answer))
    }
}
