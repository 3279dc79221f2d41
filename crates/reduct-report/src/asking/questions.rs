//! Where the search is, as far as a person wants to know it: which question this is, how many there may be, what is
//! the best so far.

use crate::human;
use reduct_input::Candidate;
use reduct_session::event::{Began, Event, Observer, Why};
use std::cell::{Ref, RefCell};
use std::io;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// What a person sees of the search, however questions are shown: an observer of the session.
#[derive(Clone)]
pub struct QuestionScreen(Rc<RefCell<Questions>>);

impl QuestionScreen {
    /// Returns what is seen at the beginning of a search; of one that cuts `halves`, its questions are bounded.
    pub fn new(halves: bool) -> QuestionScreen {
        QuestionScreen(Rc::new(RefCell::new(Questions { halves, ..Questions::default() })))
    }

    /// Returns what is known of the search now.
    pub fn now(&self) -> Ref<'_, Questions> {
        self.0.borrow()
    }
}

impl Observer for QuestionScreen {
    fn on(&mut self, event: &Event) -> io::Result<()> {
        self.0.borrow_mut().take(event);
        Ok(())
    }
}

/// What is known of the search.
#[derive(Clone, Debug, Default)]
pub struct Questions {
    /// Whether its questions are bounded: it cuts by halves.
    halves: bool,
    folder: Option<PathBuf>,
    began: Option<Began>,
    answered: u64,
    best: Option<(Candidate, usize)>,
    /// Whether the session is over.
    pub is_over: bool,
    /// Whether it came to its end, rather than that it was stopped.
    pub is_done: bool,
}

impl Questions {
    /// Takes what happens.
    pub fn take(&mut self, event: &Event) {
        match event {
            Event::Began(began) => {
                let (halves, folder) = (self.halves, self.folder.take());
                *self = Questions { halves, folder, began: Some((**began).clone()), ..Questions::default() };
            }
            Event::Kept { folder } => self.folder = Some(folder.clone()),
            Event::Retired { n, .. } => self.answered = *n,
            Event::Improved { best, size, .. } => self.best = Some((best.clone(), *size)),
            // The search begins again, with all other answers known.
            Event::Undone { .. } => (self.answered, self.best) = (0, None),
            Event::Ended(ended) => (self.is_over, self.is_done) = (true, ended.why == Why::Done),
            _ => {}
        }
    }

    /// Returns which question the next one is; the answers of yesterday count.
    pub fn question(&self) -> u64 {
        self.answered + 1
    }

    /// Returns the folder of the run, once it has one.
    pub fn folder(&self) -> Option<&Path> {
        self.folder.as_deref()
    }

    /// Returns the best so far.
    pub fn best(&self) -> Option<&Candidate> {
        self.best.as_ref().map(|(best, _)| best).or(self.began.as_ref().map(|began| &began.whole))
    }

    /// Returns how small the best is, in words.
    pub fn size(&self) -> Option<String> {
        let began = self.began.as_ref()?;
        let size = self.best.as_ref().map_or(began.size, |(_, size)| *size);
        Some(format!("{} of {}", human::count(size as u64), human::counted(began.size as u64, began.unit)))
    }

    /// Returns how many questions there are at most, in words: each part that is to blame takes as many as a binary
    /// search, and one.
    pub fn bound(&self) -> Option<String> {
        let unit = self.began.as_ref()?.unit;
        let (parts, most) = self.most()?;
        Some(match parts {
            1 => format!("at most {most}, if one of the {unit} is to blame"),
            _ => format!("at most {most}, if {parts} of the {unit} are to blame"),
        })
    }

    /// Returns how many questions were answered, and how many there are at most as far as is known.
    pub fn answered_of(&self) -> Option<(u64, u64)> {
        self.most().map(|(_, most)| (self.answered, most))
    }

    /// Returns how many parts are to blame at least, and how many questions these take at most.
    fn most(&self) -> Option<(u64, u64)> {
        let began = self.began.as_ref().filter(|began| self.halves && began.size > 1)?;
        let each = u64::from((began.size as u64).next_power_of_two().ilog2()) + 1;
        let parts = self.question().div_ceil(each);
        Some((parts, parts * each))
    }

    /// Returns the size of a candidate in words, in the unit of the best where that is lines.
    pub fn size_of(&self, candidate: &Candidate) -> String {
        let artifact = candidate.artifact();
        let bytes = artifact.bytes();
        let is_lines = self.began.as_ref().is_some_and(|began| began.unit == "lines") && candidate.entry_count() == 1;
        let ends = bytes.iter().filter(|byte| **byte == b'\n').count();
        match is_lines {
            true => human::counted(ends + usize::from(bytes.last().is_some_and(|last| *last != b'\n')), "lines"),
            false => human::bytes(bytes.len()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use reduct_core::Outcome;
    use reduct_input::Artifact;

    /// `halves` takes at most ⌈log₂ n⌉ + 1 questions for each part to blame (docs/ALGORITHMS.md).
    #[test]
    fn the_bound_is_that_of_the_search() {
        let whole = Candidate::whole(Artifact::of_file("page", b"text").expect("small").into());
        let mut began = Began::of(whole, "");
        (began.size, began.unit) = (896, "lines");
        let mut questions = Questions { halves: true, ..Questions::default() };
        assert_eq!((questions.question(), questions.bound()), (1, None));
        questions.take(&Event::Began(Box::new(began)));
        let bound = |questions: &Questions| questions.bound().unwrap_or_default();
        assert_eq!(bound(&questions), "at most 11, if one of the lines is to blame");
        let answer =
            |n| Event::Retired { n, size: 1, outcome: Outcome::Pass, cached: false, pass: None, decided: None };
        questions.take(&answer(10));
        assert_eq!(bound(&questions), "at most 11, if one of the lines is to blame");
        questions.take(&answer(11));
        assert_eq!(
            (questions.question(), bound(&questions)),
            (12, "at most 22, if 2 of the lines are to blame".into())
        );
        questions.take(&Event::Undone { key: reduct_core::Key(0) });
        assert_eq!(questions.question(), 1);
    }
}
