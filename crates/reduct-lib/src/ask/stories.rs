//! How the page on which a person is asked reads its run. To read a run, its problem is opened, and that knows who is asked: so this
//! is set by what begins a run.

use crate::errors::Refusal;
use crate::runs::Run;
use reduct_report::story::Story;
#[cfg(feature = "page")]
use std::path::Path;
use std::sync::OnceLock;

/// Reads a run back.
type StoryReader = fn(&Run) -> Result<Story, Refusal>;

/// It is the same for all runs.
static READER: OnceLock<StoryReader> = OnceLock::new();

/// Has runs read so from now on.
pub(crate) fn read_stories_by(reader: StoryReader) {
    READER.get_or_init(|| reader);
}

/// Reads the run in a folder back, as far as that can be done.
#[cfg(feature = "page")]
pub(super) fn story(folder: &Path) -> Option<Story> {
    READER.get().and_then(|read| read(&Run::at(folder.to_owned())).ok())
}
