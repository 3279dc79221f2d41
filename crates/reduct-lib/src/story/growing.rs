//! A run that is read again and again while it goes on: what was read of its journal is not read again, and what was walked
//! through is not walked through again.

use super::walked::Walking;
use super::{end, told, why};
use crate::errors::Refusal;
use crate::recorded::never;
use crate::replay::Replay;
use crate::runs::Run;
use crate::story::story;
use reduct_report::story::Story;
use reduct_session::journal::{self, JournalRecord};
use std::path::PathBuf;

/// What is known of a run that grows.
#[derive(Default)]
pub(crate) struct Growing {
    known: Option<Known>,
    /// How often it was begun to be read.
    beginnings: u64,
}

struct Known {
    folder: PathBuf,
    /// So much of the journal was read.
    read: u64,
    records: Vec<JournalRecord>,
    walking: Walking,
}

impl Growing {
    /// Reads what is new of a run, and shows it all. The number that is shown with it is another one if more has changed than that
    /// the run has grown.
    ///
    /// # Errors
    /// If its journal cannot be read.
    pub(crate) fn show<T>(&mut self, run: &Run, show: impl FnOnce(&Story, u64) -> T) -> Result<T, Refusal> {
        if !self.go_on(run) {
            self.begin(run)?;
        }
        let Some(known) = &mut self.known else {
            // Its search cannot be walked through, which the story says.
            return Ok(show(&story(run)?, self.beginnings));
        };
        let (job, _) = run.job(&known.records)?;
        let search = known.walking.lend(&why(end(&known.records).as_ref()), never(&known.records));
        let mut story = told(run, (job, &known.records), Ok(search));
        let shown = show(&story, self.beginnings);
        if let Some(search) = story.search.take() {
            known.walking.take_back(search);
        }
        Ok(shown)
    }

    /// Reads what is new. Returns `false` if it has to be begun again.
    fn go_on(&mut self, run: &Run) -> bool {
        let Some(known) = self.known.as_mut().filter(|known| known.folder == run.folder) else { return false };
        let Ok(Some((records, read))) = journal::read_after(&run.journal(), known.read) else { return false };
        if !records.iter().all(|record| known.walking.learn(record)) {
            return false;
        }
        known.walking.go_on();
        known.records.extend(records);
        known.read = read;
        true
    }

    fn begin(&mut self, run: &Run) -> Result<(), Refusal> {
        self.known = None;
        self.beginnings += 1;
        let (records, read) = journal::read(&run.journal())?;
        if let Ok(replay) = Replay::of_records(run, &records) {
            let mut walking = Walking::begin(replay);
            walking.go_on();
            self.known = Some(Known { folder: run.folder.clone(), read, records, walking });
        }
        Ok(())
    }
}
