//! The code that was made of a program when it was recorded: removed when nothing is to be run any more.

use reduct_lib::Job;
use reduct_session::event::Why;
use std::path::Path;

/// Removes the code that the tests of a run had, if the run is done. If it is gone on with all the same, each test makes the code again.
pub(in crate::cli::command) fn remove(job: &Job, why: &Why) {
    let Some((options, _)) = job.stepped().filter(|_| matches!(why, Why::Done | Why::Granularity(_))) else { return };
    let prepared = options.windows(2).find(|words| words[0] == "--prepared");
    if let Some(prepared) = prepared {
        reduct_trace::remove_made(Path::new(&prepared[1]));
    }
}
