//! Of all the files in a folder those that the command opens, and files elsewhere that its arguments name.
//!
//! The command is watched once. What it does not open is left out, and what stands elsewhere is copied, only if it
//! then ends just as before: else nothing is changed.

use super::place;
use crate::errors::Refusal;
use crate::job::{Failure, Job, Situation};
use crate::reduce::place_of;
use reduct_circumstances::situation::{Given, Role};
use reduct_circumstances::{Artifact, Candidate, Entry, What};
use reduct_core::Outcome;
use reduct_report::human;
use reduct_run::executor::{EVERYTHING, Executor, Exit, Ground, Invocation, Observed};
use reduct_run::opened;
use reduct_run::oracle::signature::{Signature, Words};
use reduct_run::oracle::{Oracle, Reading};
use reduct_run::session::Session;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fs;
use std::io::Write;
use std::os::unix::fs::{MetadataExt, OpenOptionsExt};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// Fewer files are searched as soon as they are watched.
const FEW: usize = 32;

/// Larger files that stand elsewhere are not copied for every test.
const LARGEST: u64 = 16 << 20;

/// What is left to be searched, and what to say of it.
pub(super) struct Chosen {
    pub(super) whole: Artifact,
    pub(super) says: Vec<String>,
}

/// Watches the command, and leaves out what it does not open.
pub(super) fn chosen(
    job: &Job,
    situation: &Situation,
    laid: &Arc<place::Laid>,
    whole: Artifact,
) -> Result<Chosen, Refusal> {
    let unchanged = |whole| Ok(Chosen { whole, says: vec![] });
    if !situation.files || !job.inputs.is_empty() {
        return unchanged(whole);
    }
    let all = Candidate::whole(whole.into());
    let brought = if situation.arguments { brought(&all, laid)? } else { None };
    let count = files(&all);
    if count <= FEW && brought.is_none() {
        return unchanged(all.artifact());
    }
    let list = List::new()?;
    let mut lab = lab(job, situation, laid, &all, &list.0)?;
    let mut session = Session::new(&mut *lab, vec![], job.patience);
    let mut run = |candidate: &Candidate| -> Result<(Observed, Option<BTreeSet<PathBuf>>), Refusal> {
        let _ = fs::write(&list.0, "");
        let seen = session.observe(std::slice::from_ref(candidate)).map_err(crate::preflight::stopped)?;
        let seen = seen.into_iter().next().ok_or_else(|| Refusal::Executor("a run is missing".into()))?;
        Ok((seen, opened::read(&list.0)))
    };
    let (reference, mut touched) = run(&all)?;
    let mut chosen = all;
    let mut says = vec![];
    if let Some((with, names)) = brought {
        let (seen, touched_then) = run(&with)?;
        if is_same(job, &reference, &seen) {
            says.push(format!("Copied into the folder of the test: {}", names.join(", ")));
            (chosen, touched) = (with, touched_then);
        } else {
            says.push(format!("Left where they are, as it does not fail so with copies: {}", names.join(", ")));
        }
    }
    if let Some(touched) = touched.filter(|_| count > FEW) {
        for with_listed in [false, true] {
            let fewer = only(&chosen, &touched, with_listed)?;
            let left = files(&fewer);
            if left < count && is_same(job, &reference, &run(&fewer)?.0) {
                let (all, left) = (human::counted(count as u64, "files"), human::count(left as u64));
                says.push(format!(
                    "Of {all} in the folder, the command opens {left}: it fails just so without the rest"
                ));
                chosen = fewer;
                break;
            }
        }
    }
    Ok(Chosen { whole: chosen.artifact(), says })
}

/// A file that only this user can read, gone when this value is.
struct List(PathBuf);

impl List {
    fn new() -> Result<List, Refusal> {
        let time = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        let name = format!("reduct-opened-{}-{}", std::process::id(), time.as_nanos());
        let path = std::env::temp_dir().join(name);
        let made = fs::OpenOptions::new().write(true).create_new(true).mode(0o600).open(&path);
        made.and_then(|mut file| file.flush()).map_err(Refusal::io("write", &path))?;
        Ok(List(path))
    }
}

impl Drop for List {
    fn drop(&mut self) {
        let _ = fs::remove_file(&self.0);
    }
}

/// Where the command runs and is watched.
fn lab(
    job: &Job,
    situation: &Situation,
    laid: &Arc<place::Laid>,
    all: &Candidate,
    list: &Path,
) -> Result<Box<dyn Executor>, Refusal> {
    let program = place::program(job, situation, laid)?;
    let fixed = if situation.arguments { &[] } else { &job.command[1..] };
    let invocation = Invocation {
        argv: [&opened::before(list)[..], &[program][..], fixed].concat(),
        subject: ".".into(),
        plain: fixed.len(),
        path_argument: false,
        stdin: false,
        build: None,
        inside: PathBuf::new(),
        without: if situation.environment { vec![EVERYTHING.into()] } else { vec![] },
        server: None,
        env: vec![],
        after: Default::default(),
    };
    let ground = (!laid.is_empty()).then(|| laid.clone() as Arc<dyn Ground>);
    place_of(job, invocation, all.len() + laid.len(), ground)
}

/// Whether a run shows the failure that the first one showed.
fn is_same(job: &Job, reference: &Observed, seen: &Observed) -> bool {
    let words = Words::default();
    let reading = match &job.failure {
        Failure::ExitZero => Reading::ExitZero,
        Failure::Conditions(all) => Reading::Conditions(all.clone()),
        Failure::Like(signature) => Reading::Same(signature.clone().without_frames()),
        Failure::Observed if reference.exit == Exit::Code(0) => Reading::ExitZero,
        Failure::Observed => Reading::Same(Signature::of(reference, &words)),
    };
    let oracle = Oracle::new(reading, words);
    [reference, seen].iter().all(|observed| oracle.verdict(observed).outcome == Outcome::Fail)
}

fn files(candidate: &Candidate) -> usize {
    candidate.pieces().filter(|(entry, _)| !entry.is_folder() && Role::of(&entry.path) == Role::File).count()
}

/// What was touched, with links and the folders that it stands in; `with_listed` with all in folders that were listed.
fn only(all: &Candidate, touched: &BTreeSet<PathBuf>, with_listed: bool) -> Result<Candidate, Refusal> {
    // What was made in a folder needs the folder.
    let above: BTreeSet<&Path> = touched.iter().flat_map(|path| path.ancestors().skip(1)).collect();
    let is_kept = |entry: &Entry| {
        let path = entry.path.as_path();
        let listed = || with_listed && path.parent().is_some_and(|parent| touched.contains(parent));
        match entry.what {
            What::Link { .. } => true,
            _ => Role::of(path) != Role::File || touched.contains(path) || above.contains(path) || listed(),
        }
    };
    place::only(all, is_kept)
}

/// The command with copies of the files that its arguments name by absolute paths and that are the user's, and these
/// paths. `None` if there are none.
fn brought(all: &Candidate, laid: &place::Laid) -> Result<Option<(Candidate, Vec<String>)>, Refusal> {
    let given = Given::of(all);
    let mut taken: BTreeSet<OsString> =
        all.pieces().filter_map(|(entry, _)| entry.path.iter().next().map(|name| name.to_owned())).collect();
    let (mut words, mut copies, mut names) = (vec![], vec![], vec![]);
    for (at, text) in given.arguments {
        let path = Path::new(&text);
        let name = path.file_name().filter(|_| is_own(path)).map(|name| name.to_owned());
        let name = name.filter(|name| taken.insert(name.clone()));
        match name {
            Some(name) => {
                names.push(path.display().to_string());
                copies.push((path.to_owned(), PathBuf::from(&name)));
                words.push((Role::Argument(at), name));
            }
            None => words.push((Role::Argument(at), text)),
        }
    }
    if copies.is_empty() {
        return Ok(None);
    }
    words.extend(given.variables.into_iter().map(|(name, value)| (Role::Variable(name), value)));
    let files = place::with_copies(all.files_only(), &copies)?;
    Ok(Some((place::assembled(words.into_iter(), &files, laid)?, names)))
}

/// Whether this names a file by an absolute path that belongs to the user.
fn is_own(path: &Path) -> bool {
    let own = |meta: fs::Metadata| {
        meta.is_file() && meta.len() <= LARGEST && meta.uid() == rustix::process::geteuid().as_raw()
    };
    path.is_absolute() && fs::metadata(path).is_ok_and(own)
}
