//! A person as the place where tests run: is shown a candidate, and says what it does.
//!
//! A person is one slot, is never asked ahead, and may take an answer back. How a person is talked to is behind a
//! trait, so that a script can play one. The answers are put as exit statuses of the reducers' convention
//! ([`reduct_oracle::Criterion::ExitZero`]), so that the layers above need not know that a person answers.

use crate::event::Observer;
use crate::executor::{Completion, Executor, Opened, Request, Requests, RunId, RunRequest, Trouble};
use reduct_input::Candidate;
use reduct_oracle::{Exit, Observed};
use std::io;
use std::sync::Arc;
use std::sync::mpsc::{Receiver, channel};
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

    /// Takes what the person said elsewhere.
    fn heard(&mut self, _word: Word) {}
}

/// So often it is looked whether anything else is asked for while a person thinks.
const LOOK: Duration = Duration::from_millis(100);

/// A person, and the question that waits for an answer.
pub struct Person {
    talk: Box<dyn Talk>,
    question: Option<Question>,
    /// Whether an answer was asked back, and it is not known yet whether there was one.
    is_undoing: bool,
    /// What the person asks of the session.
    requests: Requests,
    /// Says when it is woken.
    woken: Receiver<()>,
    begin: Instant,
}

struct Question {
    run: RunId,
    candidate: Candidate,
    /// When it was put, if it was.
    asked: Option<Instant>,
}

impl Person {
    /// Readies a person who is talked to so, and sees this of the session: which question it is, what the best is.
    pub fn open(talk: Box<dyn Talk>, screen: Box<dyn Observer>) -> Opened<Person> {
        let (sender, woken) = channel();
        let requests = Requests::default();
        let (question, begin) = (None, Instant::now());
        let person = Person { talk, question, is_undoing: false, requests: requests.clone(), woken, begin };
        // A receiver that is gone need not be woken.
        let waker = Arc::new(move || sender.send(()).unwrap_or_default());
        Opened { requests, waker, screen: Some(screen), ..Opened::new(person) }
    }

    /// Goes on with the talk a little.
    fn talk(&mut self) -> Option<Completion> {
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
                    return Some(Completion::Trouble(run, Trouble::NotAsked(error.to_string())));
                }
                *question.asked.insert(Instant::now())
            }
        };
        match self.talk.listen(LOOK)? {
            Word::Undo => {
                self.is_undoing = true;
                self.requests.put(Request::Undo);
                Some(Completion::Woken)
            }
            Word::Stop => {
                self.requests.put(Request::Stop);
                Some(Completion::Woken)
            }
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
                Some(Completion::Finished(run, Box::new(observed)))
            }
        }
    }
}

/// Returns an answer as an exit status.
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

    fn start(&mut self, run: RunId, request: RunRequest) {
        self.is_undoing = false;
        self.question = Some(Question { run, candidate: request.candidate, asked: None });
    }

    fn cancel(&mut self, run: RunId) {
        self.is_undoing = false;
        self.question.take_if(|question| question.run == run);
    }

    fn next(&mut self, deadline: Option<Duration>) -> Completion {
        loop {
            if self.woken.try_recv().is_ok() {
                return Completion::Woken;
            }
            if deadline.is_some_and(|deadline| self.now() >= deadline) {
                return Completion::Deadline;
            }
            if self.question.is_some() {
                if let Some(completion) = self.talk() {
                    return completion;
                }
                continue;
            }
            let wait = deadline.map_or(LOOK, |deadline| deadline.saturating_sub(self.now()).min(LOOK));
            if self.woken.recv_timeout(wait).is_ok() {
                return Completion::Woken;
            }
        }
    }

    fn now(&self) -> Duration {
        self.begin.elapsed()
    }
}
