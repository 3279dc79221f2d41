//! What somebody asks of a session while a search goes on: to stop, to wait, to give something up, to take an answer back.

use super::stops::Progress;
use super::{Books, InputSearch, Session, Skip};
use crate::event::{Event, Why};
use crate::executor::Request;
use reduct_core::Speculator;
use std::collections::VecDeque;

impl Session<'_> {
    /// Does what somebody has asked for.
    pub(super) fn asked<I: InputSearch>(
        &mut self,
        books: &mut Books<'_>,
        speculator: &mut Speculator<I>,
        request: Request,
        (progress, skips): (&mut Progress<'_>, &mut VecDeque<Skip>),
    ) -> Result<(), Why> {
        match request {
            Request::Interrupt => return Err(Why::Interrupted),
            Request::Stop => return Err(Why::Stopped),
            Request::Skip => self.skip(speculator)?,
            Request::Disable => self.disable(speculator)?,
            Request::Pause => {
                let is_paused = progress.pause_or_go_on(self.opened.executor.now());
                self.emit(&Event::Paused(is_paused))?;
            }
            Request::Undo => {
                // No rule stops it before it is where it was.
                if let Some(reached) = self.undo(books, speculator)? {
                    progress.begin_again(self.opened.executor.now(), speculator.search().left(), reached);
                    skips.clear();
                }
            }
        }
        Ok(())
    }

    fn skip<I: InputSearch>(&mut self, speculator: &mut Speculator<I>) -> Result<(), Why> {
        self.emit(&Event::Skipped { n: speculator.retired(), pass: None })?;
        speculator.skip();
        Ok(())
    }

    fn disable<I: InputSearch>(&mut self, speculator: &mut Speculator<I>) -> Result<(), Why> {
        let pass = speculator.search().phase().map(|phase| phase.kind);
        self.emit(&Event::Skipped { n: speculator.retired(), pass })?;
        if pass.is_some() {
            speculator.disable()
        } else {
            speculator.skip()
        }
        Ok(())
    }

    /// Takes the last answer back, and says how far the search had come with it. `None` if there is none.
    fn undo<I: InputSearch>(
        &mut self,
        books: &mut Books<'_>,
        speculator: &mut Speculator<I>,
    ) -> Result<Option<u64>, Why> {
        let Some(key) = self.answers.as_mut().and_then(Vec::pop) else { return Ok(None) };
        // Written before it is acted on, as an answer is.
        self.emit(&Event::Undone { key })?;
        books.running.take_all().into_iter().for_each(|run| self.opened.executor.cancel(run));
        let reached = speculator.retired();
        (books.tally.repeated, books.tally.unresolved) = (0, 0);
        speculator.take_back(key);
        Ok(Some(reached.saturating_sub(1)))
    }
}
