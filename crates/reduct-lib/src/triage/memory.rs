//! What runs of a test showed, kept beside the run of an input so that it is not run twice.
//!
//! A test may have changed where nobody can see it, by what it calls in turn. So what is remembered counts only for an
//! input that was just run and shows the same as before.

use super::remove::remove;
use crate::errors::Refusal;
use crate::identity;
use crate::job::Job;
use crate::reliance::{environment, named};
use reduct_core::{Key, Question};
use reduct_input::Candidate;
use reduct_oracle::Criterion;
use reduct_oracle::Observed;
use reduct_session::journal::depends_on_the_day;
use std::fs;
use std::path::PathBuf;

/// What is known of the runs of one test.
pub struct Memory {
    folder: PathBuf,
    test: Key,
    enabled: bool,
}

impl Memory {
    /// Returns the memory of a job. Another test, or another way to run it, knows nothing of it.
    ///
    /// # Errors
    /// If the job names no subject.
    pub fn of(job: &Job, input: Key) -> Result<Memory, Refusal> {
        // What the failure is does not change what is seen; neither do the places and how many run at a time.
        let says = (&job.command, &job.handed, &job.limits, &job.afterwards().reference, job.afterwards().backtraces);
        let says = format!("{says:?}");
        let test = identity::of(
            job,
            &Criterion::ExitZero,
            None,
            (input, says.as_bytes(), None),
            (&named(job)?, &environment(job)?),
        )?;
        Ok(Memory { folder: job.folder.join("seen"), test, enabled: job.cache })
    }

    fn place(&self, candidate: &Candidate) -> PathBuf {
        self.folder.join(format!("{:032x}-{:032x}.json", self.test.0, candidate.key().0))
    }

    /// Forgets all that was seen, of other tests too.
    ///
    /// # Errors
    /// If it cannot be removed.
    pub fn forget(&self) -> Result<(), Refusal> {
        remove(&self.folder)
    }

    /// Returns what was seen of a candidate, if anything. What cannot be read is run again.
    pub fn recall(&self, candidate: &Candidate) -> Option<Observed> {
        if !self.enabled {
            return None;
        }
        serde_json::from_slice(&fs::read(self.place(candidate)).ok()?).ok()
    }

    /// Keeps what was seen, unless it may be otherwise another day.
    ///
    /// # Errors
    /// If it cannot be written.
    pub fn keep(&self, candidate: &Candidate, seen: &Observed) -> Result<(), Refusal> {
        if !self.enabled || depends_on_the_day(&seen.exit) {
            return Ok(());
        }
        fs::create_dir_all(&self.folder).map_err(Refusal::io("make", &self.folder))?;
        let place = self.place(candidate);
        let draft = place.with_extension("new");
        let text = serde_json::to_vec(seen).unwrap_or_default();
        // Whole or not at all, whenever it is interrupted.
        fs::write(&draft, text).and_then(|()| fs::rename(&draft, &place)).map_err(Refusal::io("write", &place))
    }
}
