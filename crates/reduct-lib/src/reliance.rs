//! What a test relies on besides the candidate: the files that its command names, and those that it is seen to open.
//!
//! Outcomes are worth as much as these files are what they were, and the environment is. What the test itself writes is no
//! part of it. If not all that was opened could be heard of, nobody knows what outcomes are worth.

mod command;
mod environment;
mod folders;

use crate::errors::Refusal;
use crate::job::{Job, Watching};
use command::{lines, program};
pub(crate) use environment::differing;
use folders::Watched;
use reduct_input::{digest_of, hex};
use reduct_report::run::{NotAsBefore, NotWatched, not_watched};
use reduct_sandbox::watched::{Heard, Missed, Watch};
use reduct_session::confinement::OutsideChanges;
use reduct_session::relied::{Around, Relied, Variable};
use std::collections::BTreeSet;
use std::ffi::OsStr;
use std::io;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

/// What the names of folders with code begin with that is made of the program of a plan. A test that does not find it makes it again.
const MADE: &[u8] = b"reduct-made-";

/// Of a file up to this size that the command names, the contents count; of a larger one, its size, time and inode.
const LARGE: u64 = 16 << 20;

/// Likewise of one that was seen to be opened, of which there may be many.
const LARGE_SEEN: u64 = 1 << 20;

/// More files than this are not noted.
const MOST: usize = 4096;

/// Watches what is opened while the test is run on the whole input.
pub(crate) struct Witness {
    named: Vec<Relied>,
    /// Links by which programs are found.
    links: Vec<PathBuf>,
    watch: io::Result<Watch>,
    folders: Vec<PathBuf>,
    ours: Vec<PathBuf>,
    /// Why not all is watched, if so.
    missed: Option<String>,
    variables: Vec<Variable>,
}

/// What a test relies on, as far as it was seen.
pub(crate) struct Witnessed {
    pub(crate) files: Vec<Relied>,
    pub(crate) around: Around,
    /// What was written while it was watched.
    pub(crate) written: BTreeSet<PathBuf>,
}

impl Witness {
    /// Begins to watch, before anything is run.
    ///
    /// # Errors
    /// If the job names no subject.
    pub(crate) fn begin(job: &Job) -> Result<Witness, Refusal> {
        let named = named(job)?;
        let Watched { folders, links, more, scripts } = folders::of(job, &named);
        let missed = more.then(|| not_watched(NotWatched::ManyFolders));
        let variables = environment::now(job, &scripts);
        let watch = Watch::begin(folders.iter().cloned());
        Ok(Witness { named, links, watch, folders, ours: ours(job), missed, variables })
    }

    /// Returns the environment of the test.
    pub(crate) fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// Returns where it is watched what is opened.
    pub(crate) fn watching(&self) -> Watching {
        let pause = self.watch.as_ref().map(Watch::pause).unwrap_or_default();
        Watching { folders: self.folders.clone(), pause }
    }

    /// Returns the files that the test relies on, as far as that was seen, as they are now: those that were written
    /// meanwhile are the test's own. What it did in copies of folders was heard `elsewhere`.
    pub(crate) fn end(self, elsewhere: OutsideChanges) -> Witnessed {
        let deaf = |error: io::Error| Heard { missed: Some(Missed::All(error.to_string())), ..Heard::default() };
        let Heard { mut opened, mut written, missed } = self.watch.map_or_else(deaf, Watch::end);
        opened.extend(elsewhere.opened);
        written.extend(elsewhere.written);
        let in_full = |path: &Path| path.canonicalize().unwrap_or_else(|_| path.to_owned());
        let is_ours = |path: &Path| self.ours.iter().any(|ours| path.starts_with(ours));
        let mut files: Vec<Relied> = self.named.into_iter().filter(|file| !has_changed(file)).collect();
        files.retain(|file| !written.contains(&in_full(&file.path)));
        let known: BTreeSet<PathBuf> = files.iter().map(|file| in_full(&file.path)).collect();
        let me = std::env::current_exe().ok();
        let is_seen = |path: &&PathBuf| {
            !written.contains(*path) && !known.contains(*path) && !is_ours(path) && me.as_ref() != Some(path)
        };
        let seen = opened.iter().filter(is_seen).filter(|path| path.is_file()).cloned();
        let links = self.links.into_iter().filter(|link| opened.contains(&in_full(link)));
        let others: BTreeSet<PathBuf> = seen.chain(links).collect();
        let room = MOST.saturating_sub(files.len());
        let more = (others.len() > room).then(|| not_watched(NotWatched::ManyFiles(MOST)));
        files.extend(others.into_iter().take(room).map(|path| noted(path, false)));
        let missed = self.missed.or(missed.map(|missed| missed.to_string())).or(elsewhere.missed).or(more);
        Witnessed { files, around: Around { missed, variables: self.variables, own: vec![] }, written }
    }
}

/// Returns those of these files that are not what they were.
pub(crate) fn changed(files: &[Relied]) -> Vec<PathBuf> {
    files.iter().filter(|file| has_changed(file)).map(|file| file.path.clone()).collect()
}

/// Returns that it is not known what the test of a run relied on, if it is not.
pub(crate) fn unknown(around: Option<&Around>) -> Option<NotAsBefore> {
    Some(NotAsBefore::NotWatched(around?.missed.clone()?))
}

/// Returns the environment of the test of a job, as it is now.
///
/// # Errors
/// If the job names no subject.
pub(crate) fn environment(job: &Job) -> Result<Vec<Variable>, Refusal> {
    Ok(environment::now(job, &folders::scripts(job, &named(job)?, &mut |_| ())))
}

fn has_changed(file: &Relied) -> bool {
    stamp(&file.path, file.named) != file.stamp
}

fn noted(path: PathBuf, named: bool) -> Relied {
    Relied { stamp: stamp(&path, named), path, named }
}

/// Returns what a file is: by its contents, or of a large one by its size, time and inode.
fn stamp(path: &Path, named: bool) -> String {
    let most = if named { LARGE } else { LARGE_SEEN };
    match path.metadata() {
        Ok(meta) if !meta.is_file() => "no file".into(),
        Ok(meta) if meta.len() <= most => {
            std::fs::read(path).map_or_else(|_| "unreadable".into(), |bytes| hex(&digest_of(&bytes)[..16]))
        }
        Ok(meta) => format!("{} {}.{:09} {}", meta.len(), meta.mtime(), meta.mtime_nsec(), meta.ino()),
        Err(_) => "missing".into(),
    }
}

/// Returns the files that the command of a job names, its programs included, as they are now.
///
/// # Errors
/// If the job names no subject.
pub(crate) fn named(job: &Job) -> Result<Vec<Relied>, Refusal> {
    let invocation = job.invocation()?;
    let mut paths = BTreeSet::new();
    for (at, word) in invocation.argv.iter().enumerate() {
        let path = PathBuf::from(word);
        let file = if at == 0 { program(word) } else { Some(path).filter(|path| path.is_absolute()) };
        paths.extend(file.map(|file| job.folder.join(file)).filter(|file| file.is_file() && !is_made(file)));
    }
    lines(job)?.iter().for_each(|line| paths.extend(files_of(job, line)));
    Ok(paths.into_iter().map(|path| noted(path, true)).collect())
}

/// Returns whether a file is code that was made of the program of a plan (`keep_made` of reduct-trace).
fn is_made(file: &Path) -> bool {
    file.parent().and_then(Path::file_name).is_some_and(|name| name.as_bytes().starts_with(MADE))
}

/// Returns what is another one in each run: inputs, results, and code that a test makes again if it is gone.
fn ours(job: &Job) -> Vec<PathBuf> {
    let made = job.command.iter().map(PathBuf::from).filter(|word| is_made(word));
    let places = job.input_paths().into_iter().chain([job.folder.join(&job.out)].into_iter().filter(|_| has_out(job)));
    places.chain(made).filter_map(|path| path.canonicalize().ok()).collect()
}

fn has_out(job: &Job) -> bool {
    !job.out.as_os_str().is_empty()
}

/// Returns the files that a line for the shell names, its programs included: those of the user's folder, and elsewhere
/// what can be started. Not those it writes to, as far as can be seen, nor inputs and results.
fn files_of(job: &Job, line: &OsStr) -> Vec<PathBuf> {
    let mut others = ours(job);
    let is_between = |byte: &u8| byte.is_ascii_whitespace() || b"'\"`;|&<()=".contains(byte);
    let spaced: Vec<u8> = line
        .as_bytes()
        .iter()
        .flat_map(|byte| if *byte == b'>' { &b" > "[..] } else { std::slice::from_ref(byte) })
        .copied()
        .collect();
    let words: Vec<&OsStr> = spaced.split(is_between).filter(|word| !word.is_empty()).map(OsStr::from_bytes).collect();
    let writes = |word: &OsStr| [">", "tee", "-a", "-o"].iter().any(|it| word == *it);
    let written = words.windows(2).filter(|two| writes(two[0])).map(|two| job.folder.join(two[1]));
    others.extend(written.map(|path| path.canonicalize().unwrap_or(path)));
    let file = |word: &&OsStr| {
        let named = job.folder.join(word);
        let is_ours = Path::new(word).is_relative() && named.is_file();
        let file = if is_ours { Some(named) } else { program(word).filter(|file| crate::job::is_program(file)) }?;
        let in_full = file.canonicalize().ok()?;
        (!others.iter().any(|other| in_full.starts_with(other))).then_some(file)
    };
    words.iter().filter_map(file).collect()
}
