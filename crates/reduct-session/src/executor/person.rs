//! A person as the place where tests run: is shown a candidate, and says what it does.
//!
//! A person is one slot, is never asked ahead, and may take an answer back. How a person is talked to is behind a
//! trait, so that a script can play one. The answers are put as exit statuses of the reducers' convention
//! ([`reduct_oracle::Reading::ExitZero`]), so that all above need not know who says so.

use crate::event::Event;
use crate::executor::{Executor, Notice, RunId, Trouble, Wish, Wishes};
use reduct_input::Candidate;
use reduct_oracle::{Exit, Observed};
use std::io;
use std::sync::mpsc::{Receiver, RecvTimeoutError, Sender, channel};
use std::time::{Duration, Instant};

/// What a person says.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Word {
    /// The failure occurs.
    Fails,
    /// It does not.
    Passes,
    /// Neither can be said.
    CannotTell,
    /// The last answer was wrong.
    Undo,
    /// Enough for now.
    Stop,
}

/// A way to talk to a person.
pub trait Talk {
    /// Shows a candidate and asks what it does.
    ///
    /// # Errors
    /// If it cannot be shown.
    fn ask(&mut self, candidate: &Candidate) -> io::Result<()>;

    /// Waits for a word, at most this long.
    fn listen(&mut self, at_most: Duration) -> Option<Word>;

    /// Says that there is no answer to take back.
    fn nothing_to_undo(&mut self);

    /// Takes what happens in the session: which question it is, what the best is.
    fn told(&mut self, _event: &Event) {}

    /// Takes what the person said elsewhere.
    fn heard(&mut self, _word: Word) {}
}

/// So often it is looked whether anything else is wished for while a person thinks.
const LOOK: Duration = Duration::from_millis(100);

/// A person, and the question that waits for an answer.
pub struct Person {
    talk: Box<dyn Talk>,
    question: Option<Question>,
    /// Whether an answer was asked back, and it is not known yet whether there was one.
    is_undoing: bool,
    inbox: Receiver<Notice>,
    wishes: Sender<Notice>,
    begin: Instant,
}

struct Question {
    run: RunId,
    candidate: Candidate,
    /// When it was put, if it was.
    asked: Option<Instant>,
}

impl Person {
    /// A person who is talked to so.
    pub fn new(talk: Box<dyn Talk>) -> Person {
        let (wishes, inbox) = channel();
        Person { talk, question: None, is_undoing: false, inbox, wishes, begin: Instant::now() }
    }

    /// Goes on with the talk a little.
    fn talk(&mut self) -> Option<Notice> {
        let Some(question) = &mut self.question else { return None };
        if std::mem::take(&mut self.is_undoing) {
            // The question stands, so nothing was taken back.
            self.talk.nothing_to_undo();
        }
        let asked = match question.asked {
            Some(asked) => asked,
            None => {
                if let Err(error) = self.talk.ask(&question.candidate) {
                    let run = question.run;
                    self.question = None;
                    return Some(Notice::Trouble(run, Trouble::Other(format!("the question cannot be put: {error}"))));
                }
                *question.asked.insert(Instant::now())
            }
        };
        match self.talk.listen(LOOK)? {
            Word::Undo => {
                self.is_undoing = true;
                Some(Notice::Wish(Wish::Undo))
            }
            Word::Stop => Some(Notice::Wish(Wish::Stop)),
            answer => {
                let run = question.run;
                self.question = None;
                let observed = Observed {
                    exit: Exit::Code(status(answer)),
                    stdout: vec![],
                    stderr: vec![],
                    elapsed: asked.elapsed(),
                    also: Default::default(),
                };
                Some(Notice::Finished(run, Box::new(observed)))
            }
        }
    }
}

/// An answer as an exit status.
fn status(answer: Word) -> i32 {
    match answer {
        Word::Fails => 0,
        Word::Passes => 1,
        Word::CannotTell | Word::Undo | Word::Stop => 125,
    }
}

impl Executor for Person {
    fn slots(&self) -> usize {
        1
    }

    fn start(&mut self, run: RunId, candidate: &Candidate) {
        self.is_undoing = false;
        self.question = Some(Question { run, candidate: candidate.clone(), asked: None });
    }

    fn cancel(&mut self, run: RunId) {
        self.is_undoing = false;
        self.question.take_if(|question| question.run == run);
    }

    fn next(&mut self, deadline: Option<Duration>) -> Notice {
        loop {
            if let Ok(notice) = self.inbox.try_recv() {
                return notice;
            }
            if deadline.is_some_and(|deadline| self.now() >= deadline) {
                return Notice::Tick;
            }
            if self.question.is_some() {
                if let Some(notice) = self.talk() {
                    return notice;
                }
                continue;
            }
            let wait = deadline.map_or(LOOK, |deadline| deadline.saturating_sub(self.now()).min(LOOK));
            match self.inbox.recv_timeout(wait) {
                Ok(notice) => return notice,
                Err(RecvTimeoutError::Timeout | RecvTimeoutError::Disconnected) => {}
            }
        }
    }

    fn told(&mut self, event: &Event) {
        self.talk.told(event);
    }

    fn now(&self) -> Duration {
        self.begin.elapsed()
    }

    fn wishes(&self) -> Option<Wishes> {
        Some(Wishes::to(self.wishes.clone()))
    }
}
