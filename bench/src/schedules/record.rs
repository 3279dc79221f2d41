//! What is kept of a search while it goes on and is taken up again, like a journal, and what must not be seen in it.

use super::problem::Problem;
use reduct_core::laws::Chance;
use reduct_core::{Key, Outcome};
use reduct_oracle::Exit;
use reduct_oracle::sampling::{Vote, Votes};
use reduct_session::Skip;
use reduct_session::event::{Event, Observer};
use reduct_session::journal::depends_on_the_day;
use std::collections::{HashMap, VecDeque};
use std::io;

/// What was seen of the sessions of one schedule.
pub(super) struct Record {
    problem: &'static Problem,
    /// What the search took since it began last, in order: size, outcome, whether it was known from before.
    pub retired: Vec<(usize, Outcome, bool)>,
    /// All outcomes, by key.
    pub outcomes: HashMap<Key, Outcome>,
    /// The keys of the answers in their order, of which the last can be taken back.
    pub answers: Vec<Key>,
    pub votes: HashMap<Key, Votes>,
    pub skips: VecDeque<Skip>,
    pub troubles: u64,
    pub undone: u64,
    /// What should not be.
    pub bad: Vec<String>,
    chance: Chance,
    /// Of a thousand events, how many it cannot keep.
    refused: usize,
}

impl Record {
    pub(super) fn new(problem: &'static Problem, seed: u64, refused: usize) -> Record {
        Record {
            problem,
            retired: vec![],
            outcomes: HashMap::new(),
            answers: vec![],
            votes: HashMap::new(),
            skips: VecDeque::new(),
            troubles: 0,
            undone: 0,
            bad: vec![],
            chance: Chance(seed),
            refused,
        }
    }

    fn ran(&mut self, key: Key, outcome: Outcome) {
        if self.outcomes.insert(key, outcome).is_some() {
            self.bad.push("a test is repeated whose outcome is known".into());
        }
        self.votes.remove(&key);
        self.answers.push(key);
    }

    fn undo(&mut self, key: Key) {
        self.undone += 1;
        self.outcomes.remove(&key);
        if self.answers.pop() != Some(key) {
            self.bad.push("an answer is taken back that is not the last".into());
        }
        self.retired.clear();
    }
}

impl Observer for Record {
    fn on(&mut self, event: &Event) -> io::Result<()> {
        if let Event::Trouble { .. } = event {
            self.troubles += 1;
            return Ok(());
        }
        if self.refused > 0 && self.chance.below(1000) < self.refused {
            return Err(io::ErrorKind::StorageFull.into());
        }
        match event {
            Event::Began(_) => self.retired.clear(),
            Event::Retired { size, outcome, cached, .. } => self.retired.push((*size, *outcome, *cached)),
            Event::Ran { key, outcome, .. } => self.ran(*key, *outcome),
            Event::Voted { key, number, outcome, exit, .. } => {
                let vote = Vote { outcome: *outcome, limited: depends_on_the_day(exit) };
                self.votes.entry(*key).or_default().put(*number, vote);
            }
            Event::Undone { key } => self.undo(*key),
            Event::Skipped { n, pass } => self.skips.push_back(Skip { n: *n, whole_pass: pass.is_some() }),
            Event::Improved { best, .. } if self.problem.observe(best).exit != Exit::Code(0) => {
                self.bad.push("a best does not fail".into());
            }
            _ => {}
        }
        Ok(())
    }
}
