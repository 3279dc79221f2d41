//! How the thread of a slot has a server asked: the one there is, or a fresh one.
//!
//! A server that has run other tests may have kept something of them, so that a session asks a fresh one as well where it
//! matters. While it asks servers more than once, a fresh one stands ready for that, below a second supervisor, so that
//! nobody waits for its start.
//!
//! Some servers cannot be there twice, say those that listen at a port. So nothing is made ready before the one that is
//! asked has greeted; if what is made ready then does not greet, nothing more is, and none is started before the other
//! one has ended.

use super::assigned::Job;
use super::protocol::{Request, Verdict};
use super::worker::{SpareServer, SupervisorAnswer, TRIES, Worker};
use reduct_input::Candidate;
use reduct_oracle::{Exit, Process, Serving};
use reduct_session::executor::{ProcessWanted, Trouble};
use std::mem::swap;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

impl Worker {
    /// Has a server say what a candidate is; returns also which one that was.
    pub(super) fn ask_server(&mut self, job: &Job, serving: Serving) -> Result<(SupervisorAnswer, Process), Trouble> {
        let (answer, was_fresh) = self.put(job, serving, job.request.process != ProcessWanted::Reused)?;
        let process = match (was_fresh, self.serves()) {
            (true, _) => Process::Fresh,
            (false, true) => Process::Reused,
            (false, false) => Process::Ended,
        };
        Ok((answer, process))
    }

    /// Puts the question to the server there is, or to a fresh one; says which it was.
    fn put(&mut self, job: &Job, serving: Serving, fresh: bool) -> Result<(SupervisorAnswer, bool), Trouble> {
        let (mut tries, mut fresh, mut is_taken, mut filled) = (0, fresh, false, None);
        loop {
            fresh |= !self.serves();
            // What was made ready may have come to nothing: then one that is started now says why.
            let is_ready = fresh && !is_taken && self.take_spare(job);
            is_taken |= is_ready;
            self.link()?;
            // A server that could not be ended keeps the folder that was filled.
            if serving.paths && filled.as_deref() != Some(self.folder.path()) {
                self.folder.fill(&job.request.candidate)?;
                filled = Some(self.folder.path().to_owned());
            }
            let place = (fresh && !is_ready).then(|| self.host()).transpose()?;
            let slot = self.folder.path().to_owned();
            let question = question(&job.request.candidate, serving, &self.terms.invocation.subject, &slot);
            let request = Request::Ask { run: job.run.0, time: job.request.time_limit, slot, place };
            match self.ask(job, &request, &[question, vec![]]) {
                SupervisorAnswer::Unheard if tries < TRIES => {}
                SupervisorAnswer::Report { verdict: Verdict::NoServer, survivors, .. } if tries < TRIES => {
                    if survivors {
                        self.retire();
                    }
                }
                answer => {
                    // Where each test is to have a fresh one, none is asked that stands ready.
                    if fresh && has_begun(&answer) && job.request.process != ProcessWanted::Fresh {
                        self.prepare_spare();
                    }
                    return Ok((answer, fresh));
                }
            }
            tries += 1;
        }
    }

    /// Returns whether there is a server that can be asked.
    fn serves(&self) -> bool {
        self.link.as_ref().is_some_and(|link| link.serves)
    }

    /// Makes a folder for a fresh server, in place of the one there is.
    fn host(&mut self) -> Result<PathBuf, Trouble> {
        let (place, name) = self.folder.host()?;
        // The server before is not asked from here on, even if nobody comes to be asked in its place.
        self.link.iter_mut().for_each(|link| link.moves(name.clone()));
        Ok(place)
    }

    /// Asks, from now on, the fresh server that is ready, or is about to be; returns whether there is one.
    fn take_spare(&mut self, job: &Job) -> bool {
        let is_wanted = self.spare.as_mut().is_some_and(|spare| std::mem::take(&mut spare.ready));
        match self.settle_spare(job) {
            SpareServer::Ready if is_wanted => {
                swap(&mut self.link, &mut self.spare);
                true
            }
            SpareServer::NotReady => {
                self.alone |= is_wanted;
                false
            }
            SpareServer::Survivors => {
                self.retire();
                false
            }
            SpareServer::Ready | SpareServer::Nothing => false,
        }
    }

    /// Has a fresh server made ready, below the supervisor that is not asked now, for when one is needed next: its
    /// start, and the end of the one before, go on beside what is asked meanwhile. If it cannot be, one is started
    /// then.
    fn prepare_spare(&mut self) {
        if self.alone {
            return;
        }
        if self.spare.is_none() {
            self.spare = self.start_supervisor().ok();
        }
        let Some(spare) = self.spare.as_mut().filter(|spare| !spare.ready) else { return };
        let Ok((place, name)) = self.folder.host() else { return };
        if spare.prepare(Some((&place, name))).is_err() {
            self.drop_spare();
        }
    }
}

/// Returns what is written to a server: a line that says how much follows, and what follows.
fn question(candidate: &Candidate, serving: Serving, subject: &Path, slot: &Path) -> Vec<u8> {
    let (word, pieces): (_, Vec<Vec<u8>>) = if serving.paths {
        let work = slot.join("work");
        let path = if subject == Path::new(".") { work } else { work.join(subject) };
        ("path", vec![path.as_os_str().as_bytes().to_vec()])
    } else {
        ("contents", candidate.pieces().map(|(_, pieces)| pieces.concat()).collect())
    };
    let length: usize = pieces.iter().map(Vec::len).sum();
    let mut question = format!("{word} {length}\n").into_bytes();
    question.reserve_exact(length);
    pieces.iter().for_each(|piece| question.extend_from_slice(piece));
    question
}

/// Returns whether a server is asked, or was: then another one can be expected to begin as well.
fn has_begun(answer: &SupervisorAnswer) -> bool {
    let SupervisorAnswer::Report { verdict, survivors: false, .. } = answer else { return false };
    match verdict {
        Verdict::Exit(exit) => !matches!(exit, Exit::NotStarted(_)),
        verdict => matches!(verdict, Verdict::Cancelled),
    }
}
