//! Where the result goes, and what must not be lost there.

use crate::errors::{Needed, PlaceError, Refusal};
use crate::job::Job;
use crate::own::original_of;
use crate::runs::{Run, is_input_of_a_run};
use reduct_core::Question;
use reduct_input::Candidate;
use reduct_session::publish::{Stands, flush, keep_unless};
use reduct_sources::{RUNS, load, load_published, write_below};
use rustix::fs::{Access, access};
use std::ffi::OsString;
use std::fs::{self, File};
use std::io;
use std::path::{Component, Path, PathBuf};

/// Tells whether what stands in the place of a job's result was written there by one of the runs of its folder.
pub(crate) type IsOurs = fn(&Job) -> bool;

/// Moves what stands in the place of the result aside, if no run has put it there, and says where to.
///
/// # Errors
/// If it cannot be moved.
pub(crate) fn clear(job: &Job, run: &Run, is_ours: IsOurs) -> Result<Option<PathBuf>, Refusal> {
    let is_there = fs::symlink_metadata(&job.out).is_ok();
    if !is_there || job.in_place || is_ours(job) {
        return Ok(None);
    }
    keep_unless(None, &job.out, &run.folder).map_err(Refusal::io("move aside", &job.out))
}

/// Moves what has come to the place of the result aside, since it was looked at, and says where to.
///
/// # Errors
/// If it cannot be moved.
pub(crate) fn clear_since(job: &Job, run: &Run, then: Option<Stands>) -> Result<Option<PathBuf>, Refusal> {
    if job.in_place || job.out.as_os_str().is_empty() {
        return Ok(None);
    }
    keep_unless(then, &job.out, &run.folder).map_err(Refusal::io("move aside", &job.out))
}

/// Checks whether the result may be written where the job says.
///
/// # Errors
/// If something of the user's stands there.
pub(crate) fn check_out(job: &Job, force: bool, is_ours: IsOurs) -> Result<(), Refusal> {
    check(job)?;
    let is_nothing = || fs::symlink_metadata(&job.out).is_err() || is_empty_folder(&job.out);
    let is_free = job.in_place || force || is_nothing();
    if !is_free && !is_ours(job) {
        return Err(Refusal::OutExists(job.out.clone()));
    }
    check_writable(job)
}

/// Checks whether something can be put at the place of the result, and in place, the original be kept beside it: better
/// now than when all is found.
fn check_writable(job: &Job) -> Result<(), Refusal> {
    let kept = job.in_place.then(|| original_of(&job.out));
    for place in [Some(&job.out), kept.as_ref()].into_iter().flatten() {
        match fs::symlink_metadata(place) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(Refusal::io("write to", place)(error)),
            Ok(_) => {}
        }
    }
    let folder = job.out.parent().unwrap_or(&job.folder);
    let there = folder.ancestors().find(|folder| fs::symlink_metadata(folder).is_ok()).unwrap_or(&job.folder);
    let there = if there.as_os_str().is_empty() { Path::new(".") } else { there };
    access(there, Access::WRITE_OK | Access::EXEC_OK).map_err(io::Error::from).map_err(Refusal::io("write into", there))
}

/// Returns a folder in which nothing can be lost.
fn is_empty_folder(place: &Path) -> bool {
    let is_folder = fs::symlink_metadata(place).is_ok_and(|meta| meta.is_dir());
    is_folder && fs::read_dir(place).is_ok_and(|mut entries| entries.next().is_none())
}

/// Makes the folders that the place of the result is missing.
///
/// # Errors
/// If they cannot be made.
pub fn make_room(out: &Path) -> Result<(), Refusal> {
    let Some(folder) = out.parent().filter(|folder| !folder.is_dir()) else { return Ok(()) };
    fs::create_dir_all(folder).map_err(Refusal::io("make", folder))
}

/// Returns where a folder is or will be, as its full path: what is not there yet has no links in it.
fn future(folder: &Path) -> Result<PathBuf, Refusal> {
    let (mut there, mut missing) = (folder, vec![]);
    while fs::symlink_metadata(there).is_err() {
        let (Some(parent), Some(last)) = (there.parent(), there.components().next_back()) else { break };
        missing.push(last);
        there = parent;
    }
    // Joined with nothing, a relative path is the current folder.
    let there = if there.as_os_str().is_empty() { Path::new(".") } else { there };
    let mut full = there.canonicalize().map_err(Refusal::io("write into", folder))?;
    if !full.is_dir() {
        return Err(PlaceError::NoFolder { folder: folder.into(), there: there.into() }.into());
    }
    for name in missing.into_iter().rev() {
        if name == Component::ParentDir {
            full.pop();
        } else {
            full.push(name)
        }
    }
    Ok(full)
}

/// Checks whether the result may be put where the job says: there must be room for a folder for it, and nothing of the
/// user's in the way, neither the input nor the test nor what stands around them.
///
/// # Errors
/// If it may not.
pub fn check(job: &Job) -> Result<(), Refusal> {
    let folder = job.out.parent().unwrap_or(&job.folder);
    let place = future(folder)?.join(job.out.file_name().unwrap_or_default());
    if job.in_place {
        return check_in_place(job, &place);
    }
    let over = |needed: Needed| Refusal::from(PlaceError::Over(needed));
    let is_the_test = |word: &OsString| job.folder.join(word).canonicalize().is_ok_and(|file| file == place);
    if job.command.iter().any(is_the_test) {
        return Err(over(Needed::ByTest(job.out.clone())));
    }
    let situation = job.goal.situation();
    if let Some(folder) = situation.filter(|situation| situation.files).map(|situation| &situation.folder)
        && job.folder.join(folder).canonicalize().is_ok_and(|of| of.starts_with(&place))
    {
        return Err(over(Needed::Folder(folder.clone())));
    }
    // Files that the command names may stand in it.
    let named = |word: &OsString| job.folder.join(word).canonicalize().is_ok_and(|named| named.starts_with(&place));
    if situation.is_some() && job.command.iter().any(named) {
        return Err(over(Needed::HoldsNamed(job.out.clone())));
    }
    let other = job.goal.passing().map(|other| job.folder.join(other));
    for input in job.input_paths().into_iter().chain(other) {
        let original = input.canonicalize().map_err(Refusal::io("read", &input))?;
        // An answer may stand in a repository; nothing in it is a version.
        let is_apart = job.goal.may_answer_in_the_input();
        if place.starts_with(&original) && !is_apart || original.starts_with(&place) {
            return Err(over(Needed::Input(input)));
        }
    }
    if job.folder.canonicalize().is_ok_and(|folder| folder.starts_with(&place)) {
        return Err(over(Needed::Current));
    }
    Ok(())
}

/// Refuses a place that cannot be replaced in place: a folder with runs in it would lose them, and an original
/// that somebody else keeps is not to be taken for ours.
fn check_in_place(job: &Job, place: &Path) -> Result<(), Refusal> {
    if holds_runs(place) {
        return Err(PlaceError::HoldsRuns(place.into()).into());
    }
    let kept = original_of(place);
    let subject = job.subject()?;
    let Ok(artifact) = load_published(&kept, subject.as_deref()) else { return Ok(()) };
    let there = Candidate::whole(artifact.into()).key();
    let here = Candidate::whole(load_published(place, subject.as_deref())?.into()).key();
    if there == here || is_input_of_a_run(job.runs_folder(), &job.out, there) {
        return Ok(());
    }
    Err(PlaceError::OtherOriginal(kept).into())
}

fn holds_runs(place: &Path) -> bool {
    let mut todo = vec![place.to_owned()];
    while let Some(folder) = todo.pop() {
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            if entry.file_name() == RUNS {
                return true;
            }
            if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                todo.push(entry.path());
            }
        }
    }
    false
}

/// Keeps the original of a run in place beside it, once and for all, and on the disk before it is replaced.
///
/// # Errors
/// If it cannot be written.
pub fn keep_original(job: &Job, run: &Run, whole: &Candidate) -> Result<(), Refusal> {
    let kept = original_of(&job.out);
    if !job.in_place || fs::symlink_metadata(&kept).is_ok() {
        return Ok(());
    }
    let subject = job.subject()?.unwrap_or_default();
    let write = || {
        let half = run.folder.join("original");
        if half.exists() {
            fs::remove_dir_all(&half)?;
        }
        fs::create_dir(&half)?;
        write_below(whole, &half)?;
        let half_kept = half.join(&subject);
        flush(&half_kept)?;
        fs::rename(&half_kept, &kept)?;
        File::open(kept.parent().unwrap_or(&job.folder))?.sync_all()?;
        fs::remove_dir(&half)
    };
    write().map_err(Refusal::io("keep it as", &kept))
}

/// Keeps what a run has put at a place, in a folder of the run's, before it begins anew and replaces it. `None` if nothing
/// stands there.
///
/// # Errors
/// If it cannot be read or written.
pub(crate) fn keep_earlier(place: &Path, run: &Run) -> Result<Option<PathBuf>, Refusal> {
    let Some(name) = place.file_name().filter(|_| fs::symlink_metadata(place).is_ok()) else { return Ok(None) };
    let free = (1..).map(|number| run.folder.join(format!("before-{number}"))).find(|folder| !folder.exists());
    let Some(folder) = free else { return Ok(None) };
    fs::create_dir(&folder).map_err(Refusal::io("write", &folder))?;
    copy_into(place, &folder)?;
    Ok(Some(folder.join(name)))
}

/// Copies a file or folder into a folder, under its own name.
///
/// ```
/// let folder = std::env::temp_dir().join(format!("copy-into-{}", std::process::id()));
/// std::fs::create_dir_all(&folder)?;
/// let file = folder.join("input");
/// std::fs::write(&file, "text")?;
/// std::fs::create_dir(folder.join("there"))?;
/// reduct_lib::copy_into(&file, &folder.join("there"))?;
/// assert_eq!(std::fs::read(folder.join("there/input"))?, b"text");
/// std::fs::remove_dir_all(folder)?;
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// If it cannot be read or written.
pub fn copy_into(from: &Path, folder: &Path) -> Result<(), Refusal> {
    let candidate = Candidate::whole(load(&[from.to_owned()])?.into());
    write_below(&candidate, folder).map_err(Refusal::io("write", folder))
}
