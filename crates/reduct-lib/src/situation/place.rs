//! What a command is given, as it is read from where the user is; and what every test of it finds.

use super::refused::{NoCommand, SituationError};
use crate::errors::Refusal;
use crate::goal::Situation;
use crate::job::{Job, is_program};
use reduct_core::Question;
use reduct_input::situation::{SituationRole, is_reserved};
use reduct_input::{Artifact, ArtifactBuilder, Candidate, Entry, What};
use reduct_oracle::{EVERYTHING, Invocation};
use reduct_sources::BaseTree;
use reduct_sources::{LoadError, RUNS, load as load_inputs, write_below};
use std::collections::{BTreeMap, BTreeSet};
use std::ffi::{OsStr, OsString};
use std::fs::{self, DirBuilder};
use std::io::{self, Read};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::fs::{DirBuilderExt, PermissionsExt};
use std::path::{Component, Path, PathBuf};

/// Variables that each test has for itself: where it runs, where its temporary files go, and by what its processes are
/// found; and one that would lead from there to where the user is.
const OF_TESTS: [&str; 6] = ["TMPDIR", "TMP", "TEMP", "REDUCT_SCRATCH", "PWD", "OLDPWD"];

/// A value may be a secret: what is kept of it is for the user alone.
const SECRET: u32 = 0o600;

/// What an entry is, with its contents.
type Content = (What, Vec<u8>);

/// Entries that have to be put in order.
#[derive(Default)]
struct Collected(BTreeMap<(OsString, PathBuf), Content>);

impl Collected {
    /// Adds a file that is none of the user's.
    fn word(&mut self, role: &SituationRole, text: &OsStr) -> Result<(), Refusal> {
        let path = role.path().ok_or(SituationError::LongName)?;
        self.add(path, (What::File { mode: SECRET, bytes: 0..0 }, text.as_bytes().to_vec()));
        Ok(())
    }

    /// Adds an entry, and the folders that it stands in.
    fn add(&mut self, path: PathBuf, content: Content) {
        for above in path.ancestors().skip(1).filter(|above| !above.as_os_str().is_empty()) {
            let folder = (What::Folder { mode: 0o755 }, vec![]);
            self.0.entry((top(above), above.to_owned())).or_insert(folder);
        }
        self.0.insert((top(&path), path), content);
    }

    /// Adds all that is loaded, at the paths that `path` makes of theirs.
    fn loaded(&mut self, artifact: &Artifact, path: impl Fn(&Path) -> Option<PathBuf>) {
        for Entry { path: old, what } in artifact.entries() {
            let Some(path) = path(old) else { continue };
            let bytes = match what {
                What::File { bytes, .. } => artifact.slice(bytes.clone()).to_vec(),
                _ => vec![],
            };
            self.add(path, (what.clone(), bytes));
        }
    }

    fn finish(self) -> Result<Artifact, Refusal> {
        let mut builder = ArtifactBuilder::default();
        for ((_, path), (what, contents)) in self.0 {
            match what {
                What::File { mode, .. } => drop(builder.file(path, mode, &contents).map_err(LoadError::from)?),
                What::Link { target } => drop(builder.link(path, target)),
                What::Folder { mode } => drop(builder.folder(path, mode)),
                What::Archive { mode, packing } => drop(builder.archive(path, mode, packing)),
            }
        }
        Ok(builder.finish())
    }
}

/// Returns the first part of a path, by which entries are in the order in which they are read back.
fn top(path: &Path) -> OsString {
    path.components().next().map(|part| part.as_os_str().to_owned()).unwrap_or_default()
}

/// Returns the folder in which the command is run by the user.
pub(super) fn folder(job: &Job, situation: &Situation) -> PathBuf {
    job.folder.join(&situation.folder)
}

/// Returns what the command is called, without its folder.
pub(super) fn name(command: &[OsString]) -> &OsStr {
    command.first().and_then(|word| Path::new(word).file_name()).unwrap_or_default()
}

/// Returns how a command is started by these words, of which what does not vary of it are the last ones.
pub(super) fn invocation(job: &Job, situation: &Situation, by: Vec<OsString>) -> Invocation {
    let fixed = if situation.arguments { &[] } else { &job.command[1..] };
    Invocation {
        argv: [&by[..], fixed].concat(),
        subject: ".".into(),
        plain: fixed.len(),
        path_argument: false,
        stdin: false,
        build: None,
        inside: PathBuf::new(),
        without: if situation.environment { vec![EVERYTHING.into()] } else { vec![] },
        server: None,
        forks: false,
        env: vec![],
        after: Default::default(),
    }
}

/// Returns all that is to be reduced.
pub(super) fn load(job: &Job, situation: &Situation, laid: &Laid) -> Result<Artifact, Refusal> {
    let mut all = Collected::default();
    if situation.arguments {
        let words = job.command.iter().skip(1).enumerate();
        words.into_iter().try_for_each(|(at, word)| all.word(&SituationRole::Argument(at + 1), word))?;
    }
    if situation.environment {
        let mut seen: BTreeSet<OsString> = OF_TESTS.iter().map(OsString::from).collect();
        // Of two of one name, the first is what programs get.
        for (name, value) in std::env::vars_os().filter(|(name, _)| !name.is_empty()) {
            if seen.insert(name.clone()) {
                all.word(&SituationRole::Variable(name), &value)?;
            }
        }
    }
    let folder = folder(job, situation);
    if situation.files && job.inputs.is_empty() {
        whole_folder(&mut all, &folder, Some(&job.out), check_name)?;
    } else if situation.files {
        for input in &job.inputs {
            one(&mut all, &folder, input)?;
        }
    }
    laid.tidied(all.finish()?)
}

/// Returns what stands in a folder, as files and as words, less what is laid.
pub(super) fn read(folder: &Path, laid: &Laid) -> Result<Artifact, Refusal> {
    let mut all = Collected::default();
    whole_folder(&mut all, folder, None, |_| Ok(()))?;
    laid.tidied(all.finish()?)
}

/// Adds all in a folder, links as links.
fn whole_folder(
    all: &mut Collected,
    folder: &Path,
    out: Option<&Path>,
    check: fn(&OsStr) -> Result<(), Refusal>,
) -> Result<(), Refusal> {
    let out = out.and_then(|out| out.canonicalize().ok());
    let entries = fs::read_dir(folder).map_err(Refusal::io("read", folder))?;
    for entry in entries {
        let entry = entry.map_err(Refusal::io("read", folder))?;
        let (name, path) = (entry.file_name(), entry.path());
        if name == RUNS || out.is_some() && path.canonicalize().ok() == out {
            continue;
        }
        check(&name)?;
        let is_link = entry.file_type().is_ok_and(|kind| kind.is_symlink());
        if is_link {
            let target = fs::read_link(&path).map_err(Refusal::io("read", &path))?;
            all.add(name.into(), (What::Link { target }, vec![]));
        } else {
            all.loaded(&load_inputs(&[path])?, |path| Some(path.to_owned()));
        }
    }
    Ok(())
}

fn check_name(name: &OsStr) -> Result<(), Refusal> {
    if is_reserved(name) { Err(SituationError::ReservedName(name.to_owned()).into()) } else { Ok(()) }
}

/// Adds a file or folder that stands at a path below the folder.
fn one(all: &mut Collected, folder: &Path, path: &Path) -> Result<(), Refusal> {
    let inner = inner(path).ok_or_else(|| SituationError::NotBelow(path.to_owned()))?;
    check_name(&top(&inner))?;
    let above = inner.parent().unwrap_or(Path::new("")).to_owned();
    all.loaded(&load_inputs(&[folder.join(&inner)])?, |path| Some(above.join(path)));
    Ok(())
}

/// Returns a relative path that leads to something below a folder, without detours.
fn inner(path: &Path) -> Option<PathBuf> {
    let is_plain = path.components().all(|part| matches!(part, Component::Normal(_) | Component::CurDir));
    let plain: PathBuf = path.components().filter(|part| matches!(part, Component::Normal(_))).collect();
    (is_plain && path.is_relative() && !plain.as_os_str().is_empty()).then_some(plain)
}

/// What every test finds in its folder, whatever is left out: the files that the command names, and its script.
#[derive(Debug)]
pub(super) struct Laid {
    files: Candidate,
    paths: BTreeSet<PathBuf>,
}

impl Laid {
    /// Returns, of what the command names, that which does not vary.
    pub(super) fn of(job: &Job, situation: &Situation) -> Result<Laid, Refusal> {
        let folder = folder(job, situation);
        let mut named: BTreeSet<PathBuf> = script(job, &folder).into_iter().collect();
        let everything_varies = situation.files && job.inputs.is_empty();
        if !everything_varies {
            let words = job.command.windows(2).flat_map(|pair| named_by(&pair[1], pair[0] == "-c"));
            let varies = |path: &PathBuf| {
                situation.files
                    && job.inputs.iter().filter_map(|input| inner(input)).any(|input| path.starts_with(input))
            };
            let exists = |path: &PathBuf| folder.join(path).exists();
            named.extend(words.filter(|path| exists(path) && !varies(path)));
        }
        let mut all = Collected::default();
        let out = job.out.canonicalize().ok();
        for path in named {
            let is_out = folder.join(&path).canonicalize().ok().is_some_and(|path| Some(path) == out);
            if !is_out {
                one(&mut all, &folder, &path)?;
            }
        }
        let files = Candidate::whole(all.finish()?.into());
        let paths = files.pieces().map(|(entry, _)| entry.path.clone()).collect();
        Ok(Laid { files, paths })
    }

    /// Returns what is laid.
    pub(super) fn files(&self) -> &Candidate {
        &self.files
    }

    pub(super) fn is_empty(&self) -> bool {
        self.paths.is_empty()
    }

    pub(super) fn len(&self) -> usize {
        self.files.len()
    }

    /// Returns an artifact without what is laid.
    pub(super) fn tidied(&self, artifact: Artifact) -> Result<Artifact, Refusal> {
        if self.is_empty() {
            return Ok(artifact);
        }
        let mut rest = ArtifactBuilder::default();
        for Entry { path, what } in artifact.entries().iter().filter(|entry| !self.paths.contains(&entry.path)) {
            match what {
                What::File { mode, bytes } => {
                    rest.file(path, *mode, artifact.slice(bytes.clone())).map_err(LoadError::from)?;
                }
                What::Link { target } => drop(rest.link(path, target)),
                What::Folder { mode } => drop(rest.folder(path, *mode)),
                What::Archive { mode, packing } => drop(rest.archive(path, *mode, *packing)),
            }
        }
        Ok(rest.finish())
    }
}

impl BaseTree for Laid {
    fn populate(&self, folder: &Path) -> io::Result<()> {
        write_below(&self.files, folder)
    }

    fn identity(&self) -> Vec<u8> {
        self.files.key().0.to_le_bytes().to_vec()
    }
}

/// Returns the paths that a word of the command may name: as a whole, behind `=`, behind `@`, behind `-I`; those in a
/// line for the shell.
fn named_by(word: &OsStr, is_line: bool) -> Vec<PathBuf> {
    let bytes = word.as_bytes();
    let mut texts: Vec<&[u8]> = vec![bytes];
    texts.extend(bytes.iter().position(|byte| *byte == b'=').map(|at| &bytes[at + 1..]));
    texts.extend(bytes.strip_prefix(b"@"));
    texts.extend(bytes.get(2..).filter(|_| bytes.starts_with(b"-")));
    if is_line {
        texts.extend(bytes.split(|byte| b" \t\n'\"<>|;&()=".contains(byte)));
    }
    texts.into_iter().filter_map(|text| inner(Path::new(OsStr::from_bytes(text)))).collect()
}

/// Returns the program, if it is a script below the folder: it may look for files beside itself.
fn script(job: &Job, folder: &Path) -> Option<PathBuf> {
    let word = job.command.first().filter(|word| word.as_bytes().contains(&b'/'))?;
    let path = inner(Path::new(word))?;
    let mut first = [0; 4];
    fs::File::open(folder.join(&path)).ok()?.read_exact(&mut first).ok()?;
    (&first != b"\x7fELF").then_some(path)
}

/// Returns how the program of a command is called in a test.
pub(super) fn program(job: &Job, situation: &Situation, laid: &Laid) -> Result<OsString, Refusal> {
    let Some(word) = job.command.first() else { return Err(Refusal::Executor(NoCommand.to_string())) };
    let folder = folder(job, situation);
    if !word.as_bytes().contains(&b'/') {
        // Without PATH it must be found all the same, and the same one.
        let path = std::env::var_os("PATH").filter(|_| situation.environment).unwrap_or_default();
        let found = std::env::split_paths(&path).map(|folder| folder.join(word)).find(|file| is_program(file));
        let full = found.map(|file| folder.join(file).into_os_string());
        return Ok(full.unwrap_or_else(|| word.clone()));
    }
    if let Some(script) = script(job, &folder).filter(|script| laid.paths.contains(script)) {
        return Ok(OsString::from_vec([b"{}/", script.as_os_str().as_bytes()].concat()));
    }
    Ok(folder.join(word).components().collect::<PathBuf>().into_os_string())
}

/// Writes what a run begins with into a folder that only the user can look into.
pub(super) fn keep(whole: &Candidate, folder: &Path) -> io::Result<()> {
    DirBuilder::new().mode(0o700).create(folder)?;
    write_below(whole, folder)
}

/// Returns a candidate of these words and files.
pub(super) fn assembled(
    words: impl Iterator<Item = (SituationRole, OsString)>,
    files: &Artifact,
    laid: &Laid,
) -> Result<Candidate, Refusal> {
    let mut all = Collected::default();
    for (role, text) in words {
        all.word(&role, &text)?;
    }
    all.loaded(files, |path| Some(path.to_owned()));
    Ok(Candidate::whole(laid.tidied(all.finish()?)?.into()))
}

/// Returns only some of the entries.
pub(super) fn only(all: &Candidate, is_kept: impl Fn(&Entry) -> bool) -> Result<Candidate, Refusal> {
    let mut kept = Collected::default();
    for (entry, pieces) in all.pieces().filter(|(entry, _)| is_kept(entry)) {
        kept.add(entry.path.clone(), (entry.what.clone(), pieces.concat()));
    }
    Ok(Candidate::whole(kept.finish()?.into()))
}

/// Returns files, and copies of others: from where, and what they are called.
pub(super) fn with_copies(files: Candidate, copies: &[(PathBuf, PathBuf)]) -> Result<Artifact, Refusal> {
    let mut all = Collected::default();
    all.loaded(&files.artifact(), |path| Some(path.to_owned()));
    for (from, name) in copies {
        let bytes = fs::read(from).map_err(Refusal::io("read", from))?;
        let mode = fs::metadata(from).map_err(Refusal::io("read", from))?.permissions().mode() & 0o777;
        all.add(name.clone(), (What::File { mode, bytes: 0..0 }, bytes));
    }
    all.finish()
}
