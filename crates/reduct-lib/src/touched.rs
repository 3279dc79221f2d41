//! What a test opens of an input of many files: a reduction asks about that first. If it is enough, each later test has
//! only those files to be written for it.

use crate::audience::Audience;
use crate::errors::Refusal;
use crate::executor::Listed;
use crate::list::List;
use crate::preflight::Baseline;
use crate::problem::Problem;
use reduct_core::Config;
use reduct_input::{Candidate, What};
use reduct_sandbox::opened;
use reduct_session::Session;
use reduct_session::event::Why;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// From so many files, folders and links on, two more runs of the whole are worth it.
const MANY: usize = 256;

/// Returns the files that the test opens of the whole input, where it has many; none if most are opened, if two runs
/// open different ones, or if that cannot be found out.
///
/// # Errors
/// If the session was interrupted.
pub(crate) fn opened_by_the_test(
    problem: &impl Problem,
    baseline: &Baseline,
    audience: &mut Audience<'_>,
) -> Result<Vec<PathBuf>, Refusal> {
    let (job, whole) = (problem.job(), problem.whole());
    // In a copy of a project, only what differs is written for a test.
    let can_be_heard = whole.entry_count() >= MANY && job.source().is_command() && job.top().is_none() && !job.repeat;
    if !can_be_heard {
        return Ok(vec![]);
    }
    // What it opens in one run only says nothing of the next one.
    let (Some(first), Some(second)) =
        (all_opened(problem, baseline, audience)?, all_opened(problem, baseline, audience)?)
    else {
        return Ok(vec![]);
    };
    if first != second {
        return Ok(vec![]);
    }
    let files = whole.base().entries().iter().filter(|entry| matches!(entry.what, What::File { .. }));
    let opened: Vec<PathBuf> = files.map(|entry| &entry.path).filter(|path| first.contains(*path)).cloned().collect();
    Ok(if opened.len() * 2 > whole.entry_count() { vec![] } else { opened })
}

/// Runs the whole input once, and returns all that the test opens in its folder. `None` if that cannot be found out.
fn all_opened(
    problem: &impl Problem,
    baseline: &Baseline,
    audience: &mut Audience<'_>,
) -> Result<Option<BTreeSet<PathBuf>>, Refusal> {
    let Ok(list) = List::new(problem.job()) else { return Ok(None) };
    let Some(Ok(mut executor)) = problem.watched(Listed::Opened, &list) else { return Ok(None) };
    executor.time_limit = Some(baseline.time_limit);
    audience.connect(&executor);
    match Session::new(&mut *executor, vec![], Duration::ZERO).observe(std::slice::from_ref(problem.whole())) {
        Err(why @ (Why::Interrupted | Why::Stopped)) => Err(Refusal::stopped(why)),
        Err(_) => Ok(None),
        Ok(_) => Ok(opened::read(&list.path()).map(|touched| touched.all.into_iter().collect())),
    }
}

/// Returns these files of an input, with the folders that they stand in and all links. `None` if there are none of them.
pub(crate) fn only(whole: &Candidate, files: &[PathBuf]) -> Option<Candidate> {
    let files: BTreeSet<&Path> = files.iter().map(PathBuf::as_path).collect();
    let above: BTreeSet<&Path> = files.iter().flat_map(|path| path.ancestors().skip(1)).collect();
    let base = whole.base();
    let (mut entries, mut bytes) = (vec![], vec![]);
    for (at, entry) in (0u32..).zip(base.entries()) {
        let path = entry.path.as_path();
        match &entry.what {
            What::File { bytes: contents, .. } if files.contains(path) => bytes.push(contents.clone()),
            What::Folder { .. } if above.contains(path) => {}
            What::Link { .. } => {}
            _ => continue,
        }
        entries.push(at..at + 1);
    }
    bytes.sort_by_key(|range| range.start);
    let (entries, bytes) = (Config::from_ranges(entries), Config::from_ranges(bytes));
    (!files.is_empty()).then(|| Candidate::new(base.clone(), entries, bytes, whole.deltas()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use reduct_input::ArtifactBuilder;

    #[test]
    fn a_file_is_kept_with_the_folders_above_it_and_all_links() {
        let mut builder = ArtifactBuilder::default();
        builder.folder("in", 0o755);
        builder.link("in/l", "x");
        for folder in ["in/a", "in/b"] {
            builder.folder(folder, 0o755);
            builder.file(format!("{folder}/1"), 0o644, folder.as_bytes()).unwrap();
            builder.file(format!("{folder}/2"), 0o644, b"other").unwrap();
        }
        let whole = Candidate::whole(builder.finish().into());
        let kept = only(&whole, &["in/b/1".into()]).unwrap();
        let names: Vec<_> =
            kept.pieces().map(|(entry, pieces)| (entry.path.to_str().unwrap(), pieces.concat())).collect();
        let (none, text) = (|| vec![], b"in/b".to_vec());
        assert_eq!(names, [("in", none()), ("in/l", none()), ("in/b", none()), ("in/b/1", text)]);
        assert!(only(&whole, &[]).is_none());
    }
}
