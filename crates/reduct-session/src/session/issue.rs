//! What is worth running is started, and what has ended is taken.

use super::beside::Beside;
use super::input_search::InputSearch;
use super::lost::Lost;
use super::reused::doubted;
use super::running::Test;
use super::{Books, MOST_LOST, Session};
use crate::event::{Event, Why};
use crate::executor::{ProcessWanted, RunId};
use crate::journal::depends_on_the_day;
use reduct_core::{Key, Outcome, Speculator, Wanted};
use reduct_input::Candidate;
use reduct_oracle::sampling::Vote;
use reduct_oracle::{Also, Exit, Observed};
use std::time::Duration;

impl Session<'_> {
    /// Starts what is worth running, and cancels what is not any more. Each question that is wanted is under way once;
    /// slots that are idle otherwise take more runs of the same ones ahead, those of the first before all others.
    /// `false` if something wanted turned out to be decided by runs that are known from earlier.
    pub(super) fn issue<I: InputSearch>(
        &mut self,
        books: &mut Books<'_>,
        speculator: &mut Speculator<I>,
        beside: &mut Beside<I>,
    ) -> Result<bool, Why> {
        let slots = self.opened.executor.slots();
        let mut wanted = self.wanted(speculator, beside);
        // How sure an audit is follows from how often the best fails, which is not measured yet.
        wanted.retain(|wanted| wanted.question.certainty().bits() == 0 || books.polls.can_audit());
        let decided = wanted
            .iter()
            .filter_map(|wanted| Some((wanted.key, books.polls.decided(wanted.key, wanted.question.certainty())?)));
        let decided: Vec<(Key, Outcome)> = decided.collect();
        if !decided.is_empty() {
            decided.into_iter().for_each(|(key, outcome)| speculator.learn(key, outcome));
            return Ok(false);
        }
        let mut idle = books.running.take_unwanted(&wanted);
        let waiting = wanted.iter().filter(|wanted| books.running.count(wanted.key) == 0).count();
        idle.extend(books.running.take_ahead((books.running.len() + waiting).saturating_sub(slots)));
        idle.into_iter().for_each(|run| self.opened.executor.cancel(run));
        if let Some(first) = wanted.first().filter(|first| books.late.is_due_alone(first.key)) {
            if books.running.len() == 0 {
                books.late.begin(first.key);
                self.start_wanted(books, first)?;
            }
            return Ok(true);
        }
        // What is to be run alone has to wait until the search waits for it.
        wanted.retain(|wanted| !books.late.is_due_alone(wanted.key));
        for wanted in &wanted {
            if books.running.count(wanted.key) == 0 {
                self.start_wanted(books, wanted)?;
            }
        }
        for wanted in &wanted {
            while books.running.len() < slots
                && books.running.count(wanted.key) < books.polls.room(wanted.key, wanted.question.certainty())
            {
                self.start_wanted(books, wanted)?;
            }
        }
        Ok(true)
    }

    fn start_wanted(&mut self, books: &mut Books<'_>, wanted: &Wanted<Candidate>) -> Result<(), Why> {
        let (key, candidate) = (wanted.key, wanted.question.clone());
        let number = books.polls.next_number(key, &books.running);
        let run = self.start(&candidate, number, ProcessWanted::Reused);
        books.tally.runs += 1;
        books.running.insert(run, Test { key, candidate, number, doubted: None });
        self.emit(&Event::Started { running: books.running.list() })
    }

    /// Takes what was seen of a run.
    pub(super) fn take<I: InputSearch>(
        &mut self,
        books: &mut Books<'_>,
        speculator: &mut Speculator<I>,
        (run, test): (RunId, Test),
        observed: Observed,
    ) -> Result<(), Why> {
        // What checks another run counts, whichever process it was.
        if test.doubted.is_none()
            && let Some(said) = doubted(books.oracle, &observed)
        {
            let again = self.start_in_place_of(run, &test.candidate, test.number);
            books.running.insert(again, Test { doubted: Some(said), ..test });
            return Ok(());
        }
        self.note_fresh(books.oracle, test.doubted, &observed);
        let verdict = books.oracle.verdict_on(&observed, &test.candidate);
        if books.late.is_to_be_run_alone(test.key, &observed, verdict.outcome) {
            return Ok(());
        }
        let [stdout, stderr] = [&observed.stdout, &observed.stderr].map(|bytes| end_of(bytes).to_vec());
        self.emit(&Event::Printed { stdout, stderr })?;
        let candidate = test.candidate.clone();
        self.count(books, speculator, test, verdict.outcome, observed.exit, observed.elapsed)?;
        match verdict.other {
            Some(signature) => self.emit(&Event::Other { signature, candidate }),
            None => Ok(()),
        }
    }

    /// Takes what a run said for what it says of its candidate.
    fn count<I: InputSearch>(
        &mut self,
        books: &mut Books<'_>,
        speculator: &mut Speculator<I>,
        Test { key, number, candidate, .. }: Test,
        said: Outcome,
        exit: Exit,
        elapsed: Duration,
    ) -> Result<(), Why> {
        let vote = Vote { outcome: said, limited: depends_on_the_day(&exit) };
        // Written before it is acted on: what the search knows, the journal knows.
        match books.polls.take((key, candidate.certainty()), number, vote) {
            Some((outcome, votes)) => {
                self.emit(&Event::Ran { key, outcome, exit, elapsed, votes })?;
                self.answers.iter_mut().for_each(|answers| answers.push(key));
                speculator.learn(key, outcome);
                Ok(())
            }
            None => self.emit(&Event::Voted { key, number, outcome: said, exit, elapsed }),
        }
    }

    /// Notes that a worker died with its test. That is no outcome: what is still wanted is started again, unless
    /// its workers keep dying, for then it is the test that kills them.
    pub(super) fn lose<I: InputSearch>(
        &mut self,
        books: &mut Books<'_>,
        speculator: &mut Speculator<I>,
        run: RunId,
    ) -> Result<(), Why> {
        let Some(test) = books.running.remove(run) else { return Ok(()) };
        let times = books.lost.entry((test.key, test.number)).or_insert(0);
        *times += 1;
        if *times < MOST_LOST {
            return Ok(());
        }
        self.count(books, speculator, test, Outcome::Unresolved, never_begun().exit, Duration::ZERO)
    }
}

/// So much is shown of what a test printed last.
const SHOWN: usize = 2048;

fn end_of(printed: &[u8]) -> &[u8] {
    &printed[printed.len().saturating_sub(SHOWN)..]
}

/// Returns what is seen of a run with which its workers have died too often.
pub(super) fn never_begun() -> Observed {
    let exit = Exit::NotStarted(Lost::OneTest.to_string());
    Observed { exit, stdout: vec![], stderr: vec![], elapsed: Duration::ZERO, also: Also::default() }
}
