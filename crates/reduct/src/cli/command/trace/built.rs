//! The build of a program: in a copy of the project whose files have guards.

use crate::cli::{usage, view};
use reduct_lib::{Job, Refusal, run_once};
use reduct_oracle::Exit;
use reduct_report::human::counted;
use reduct_sources::{BaseTree, Bounds, Project};
use reduct_trace::{AboutTree, BuiltTree, ExecutionPlan, GuardedSource, GuardedTree, StepError, VariableTypes};
use rustix::fs::{FlockOperation, flock};
use rustix::process::getuid;
use std::ffi::{OsStr, OsString};
use std::fs::{self, DirBuilder, File};
use std::io::{self, Read};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Component, Path, PathBuf};
use std::time::{Duration, Instant};

/// So much of a project is copied, and it may take so long to count it.
const MOST: Bounds = Bounds { files: 30_000, bytes: 512 << 20, time: Duration::from_secs(30) };

/// All tries of a build together may take so long.
const LONGEST_BUILD: Duration = Duration::from_secs(3600);

/// So often a build is tried, each time with fewer guards.
const TRIES: usize = 100;

/// Runs a line for the shell in a folder. What compilers complain about is to be read: in English, without colours. Before
/// version 18, javac takes texts to be written as the locale says.
const SCRIPT: &str = r#"LC_ALL=C.UTF-8 GCC_COLORS= NO_COLOR=1 TERM=dumb
export LC_ALL GCC_COLORS NO_COLOR TERM
unset LANGUAGE CLICOLOR_FORCE
cd "$0" && exec sh -c "$1""#;

/// Has a program tell the types of variables in a folder, to a file.
const TYPES: &str = r#"cd "$0" && exec "$1" "$2""#;

/// Of a file that may be a plan, so much is looked at.
const BEGINNING: u64 = 4096;

/// In the folder of a tree: the project as it was read.
const AS_IT_WAS: &str = "as-it-was";

/// Of the output of a build, so many lines are shown.
const LINES: usize = 12;

/// How a build ended, and what it printed.
pub(in crate::cli::command) struct Ended {
    pub(in crate::cli::command) is_done: bool,
    pub(in crate::cli::command) said: String,
}

/// What runs a command that may write to a folder.
type Runs<'a> = dyn FnMut(Vec<OsString>, &Path) -> Result<Ended, Refusal> + 'a;

/// A program that is to be built.
pub(in crate::cli::command) struct Build<'a> {
    /// The line for the shell that builds it.
    pub(in crate::cli::command) line: &'a OsStr,
    /// The project.
    pub(in crate::cli::command) project: &'a Path,
    /// The files and folders of the project that get guards, if they were named.
    pub(in crate::cli::command) only: &'a [PathBuf],
    /// Whether it is built as tests are run.
    pub(in crate::cli::command) is_confined: bool,
}

impl Build<'_> {
    /// Returns the folder of the tree in which the program was built, now or before. `run` runs commands that may write to a folder.
    ///
    /// # Errors
    /// If there is nothing to build, or it cannot be built.
    pub(in crate::cli::command) fn built(&self, run: &mut Runs<'_>) -> Result<(PathBuf, AboutTree), Refusal> {
        let project = self.read()?;
        self.built_at(&project, &self.place(&project), run)
    }

    /// Builds the program again where it was built before, if that is a place for it. `run` runs commands that may write to a folder.
    ///
    /// # Errors
    /// If it cannot be built, or what would be built is not what was built.
    pub(in crate::cli::command) fn built_again(&self, place: &Path, run: &mut Runs<'_>) -> Result<(), Refusal> {
        let project = self.read()?;
        let name = |path: &Path| path.file_name().unwrap_or_default().as_bytes().to_vec();
        let expected = self.place(&project);
        let is_same = name(place).starts_with(&name(&expected));
        if is_same && self.built_at(&project, place, run)?.0 == place {
            return Ok(());
        }
        let what = format!("the copy in which the program was built is gone, or has changed: {}", place.display());
        let help = "the project or reduct is another one by now: `reduct trace` with the same words builds it, and begins again";
        Err(usage(what, help))
    }

    fn read(&self) -> Result<Project, Refusal> {
        let read = |but: &[PathBuf]| Project::read(self.project, but, vec![], ((i64::MAX, 0), MOST));
        let project = read(&[]).map_err(|error| {
            let help = "go to the folder of the program; --build runs in a copy of the current folder";
            usage(error.to_string(), help)
        })?;
        let plans: Vec<PathBuf> =
            project.paths().filter(|path| is_a_plan(&self.project.join(path))).map(Path::to_owned).collect();
        Ok(read(&plans).unwrap_or(project))
    }

    fn built_at(&self, project: &Project, place: &Path, run: &mut Runs<'_>) -> Result<(PathBuf, AboutTree), Refusal> {
        if let Some(about) = usable(place) {
            return Ok((place.to_owned(), about));
        }
        let (place, lock) = claimed(place).map_err(Refusal::io("make", place))?;
        // Somebody else may have built it meanwhile.
        let about = match usable(&place) {
            Some(about) => about,
            None => {
                BuiltTree::clear(&place).map_err(Refusal::io("remove what is in", &place))?;
                let built = self.build(project, &place, run);
                if built.is_err() {
                    let _ = fs::remove_dir_all(&place);
                }
                let about = built?.about;
                self.remove_outdated(&place);
                about
            }
        };
        drop(lock);
        Ok((place, about))
    }

    /// Removes the copies that nobody needs any more: those of an earlier state of the project, built in the same way, and those of projects
    /// that are gone. One that is in use stays, as does what cannot be removed.
    fn remove_outdated(&self, place: &Path) {
        let key = self.key();
        let entries = fs::read_dir(std::env::temp_dir()).into_iter().flatten().flatten().map(|entry| entry.path());
        let is_copy = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().as_bytes();
            path != place && name.starts_with(prefix().as_bytes())
        };
        for path in entries.filter(is_copy) {
            let Ok(BuiltTree { about, .. }) = BuiltTree::at(&path) else { continue };
            let is_needed = about.of.exists() && about.key != key;
            if let (false, Some(_lock)) = (is_needed, locked(&path)) {
                drop(BuiltTree::clear(&path).and_then(|()| fs::remove_dir(&path)));
            }
        }
    }

    /// Returns what tells copies of this project, built in this way, from others.
    fn key(&self) -> String {
        let mut digest = blake3::Hasher::new();
        let only: Vec<PathBuf> = self.only.iter().map(|it| self.project.join(it)).collect();
        let only = only.iter().map(|it| it.as_os_str().as_bytes());
        for part in [self.line.as_bytes(), self.project.as_os_str().as_bytes()].into_iter().chain(only) {
            digest.update(part).update(&[0]);
        }
        digest.finalize().to_hex().to_string()
    }

    /// Returns where the tree of a project stands.
    fn place(&self, project: &Project) -> PathBuf {
        let mut digest = blake3::Hasher::new();
        digest.update(env!("CARGO_PKG_VERSION").as_bytes()).update(self.key().as_bytes());
        // Another build of reduct may put other guards.
        let me = fs::metadata("/proc/self/exe").map(|it| (it.size(), it.mtime(), it.mtime_nsec()));
        digest.update(format!("{:?}", me.ok()).as_bytes()).update(&project.identity());
        let digest = digest.finalize().to_hex();
        std::env::temp_dir().join(format!("{}{}", prefix(), &digest[..16]))
    }

    /// Returns where a path is in the project.
    fn inside(&self, named: &Path, project: &Project) -> Result<PathBuf, Refusal> {
        let path = self.project.join(named);
        let path = path.canonicalize().unwrap_or(path);
        let inside = path.strip_prefix(project.top()).ok();
        let inside = inside.filter(|it| !it.components().any(|part| part == Component::ParentDir));
        inside.map(Path::to_owned).ok_or_else(|| {
            let (named, top) = (named.display(), project.top().display());
            let help = "go to a folder that holds both; --build runs in a copy of the current folder";
            usage(format!("--only {named} is not below the folder that is built: {top}"), help)
        })
    }

    fn build(&self, project: &Project, place: &Path, run: &mut Runs<'_>) -> Result<BuiltTree, Refusal> {
        let tree = BuiltTree::tree_in(place);
        let copy = || {
            project.take_in(&place.join(AS_IT_WAS))?;
            DirBuilder::new().mode(0o700).create(&tree)?;
            project.populate(&tree)?;
            fs::remove_dir_all(place.join(AS_IT_WAS))
        };
        copy().map_err(Refusal::io("copy the project to", &tree))?;
        let only =
            self.only.iter().map(|path| self.inside(path, project)).collect::<Result<Vec<PathBuf>, Refusal>>()?;
        let mut guarded = GuardedTree::of(place, &only, guards).map_err(refused)?;
        if guarded.is_empty() {
            let help = "trace --build records files that end in .c, .java or .go, below the current folder or the paths of --only";
            return Err(usage("there is no file in C, Java or Go in the project", help));
        }
        let script: OsString = SCRIPT.into();
        if let Some([program, file]) = guarded.asks_types() {
            let words = vec!["sh".into(), "-c".into(), TYPES.into(), tree.clone().into(), program, file];
            run(words, place)?;
            guarded.take_types();
        }
        let variables: Vec<OsString> = guarded.variables().iter().map(variable).collect();
        let words = || {
            let shell = ["sh".into(), "-c".into(), script.clone(), tree.clone().into(), self.line.to_owned()];
            let variables = std::iter::once("env".into()).chain(variables.iter().cloned());
            variables.chain(shell).collect()
        };
        let mut last = None;
        for _ in 0..TRIES {
            guarded.write().map_err(refused)?;
            let ended = run(words(), place)?;
            guarded.note_read();
            if ended.is_done {
                return guarded.finish(self.project, &self.key()).map_err(refused);
            }
            let more = guarded.leave_out(&ended.said);
            last = Some(ended.said);
            if !more {
                break;
            }
        }
        guarded.leave_all();
        guarded.write().map_err(refused)?;
        let ended = run(words(), place)?;
        let line = self.line.to_string_lossy();
        if !ended.is_done {
            let help = if self.is_confined {
                "the build runs in a copy of the current folder, confined as tests are"
            } else {
                "the build runs in a copy of the current folder"
            };
            return Err(usage(format!("the build fails: {line}\n{}", end_of(&ended.said)), help));
        }
        let help = "--only PATH puts guards into fewer files";
        let said = last.unwrap_or_default();
        Err(usage(format!("the project cannot be built with guards: {line}\n{}", end_of(&said)), help))
    }
}

/// Returns a variable as `env` takes it.
fn variable((name, value): &(&'static str, OsString)) -> OsString {
    let mut word = OsString::from(format!("{name}="));
    word.push(value);
    word
}

/// Runs the commands of a build as the tests of a job.
pub(in crate::cli::command) fn as_tests(job: &Job) -> impl FnMut(Vec<OsString>, &Path) -> Result<Ended, Refusal> {
    let began = Instant::now();
    move |words, place| {
        let left = LONGEST_BUILD.saturating_sub(began.elapsed());
        if left.is_zero() {
            let help = "--only PATH puts guards into fewer files, so that fewer tries are needed";
            return Err(usage("the project is not built within an hour", help));
        }
        let nothing = place.join("nothing.txt");
        fs::write(&nothing, "").map_err(Refusal::io("write", &nothing))?;
        let limits = job.limits.with_time(Some(left));
        let once = job.clone().with_inputs(vec![nothing]).with_command(words).with_limits(limits);
        let observed = view::hear(|mut audience| run_once(&once, place, &mut audience))?;
        let said = [&observed.stdout[..], &observed.stderr[..]].concat();
        let is_done = observed.exit == Exit::Code(0);
        Ok(Ended { is_done, said: String::from_utf8_lossy(&said).into_owned() })
    }
}

/// Returns what is said of a tree that was built.
pub(in crate::cli::command) fn said_of(about: &AboutTree) -> String {
    let (files, statements) = (counted(about.files as u64, "files"), counted(about.statements as u64, "statements"));
    let functions = match about.functions_left {
        0 => String::new(),
        left => {
            let they = if left == 1 { "it does" } else { "they do" };
            format!(" {} left as written: {they} not compile with guards.", with_are(left, "functions"))
        }
    };
    let left = match &about.files_left[..] {
        [] => String::new(),
        left => {
            let first = left.iter().take(3).map(String::as_str).collect::<Vec<_>>().join(", ");
            let more = if left.len() > 3 { ", …" } else { "" };
            format!(" {} left as written: {first}{more}.", with_are(left.len(), "files"))
        }
    };
    let unread = match about.files_unread {
        0 => String::new(),
        unread => format!(" The build does not read {}.", counted(unread as u64, "other files")),
    };
    format!("Built with guards: {statements} in {files}.{functions}{left}{unread}")
}

fn with_are(number: usize, what: &str) -> String {
    format!("{} {}", counted(number as u64, what), if number == 1 { "is" } else { "are" })
}

/// Returns a text with guards.
fn guards(language: &str, text: &[u8], first: usize, without: &[u32], types: &VariableTypes) -> Option<GuardedSource> {
    let guarded = reduct_grammars::guarded_source(language, text, first, without, types)?;
    let statements = guarded.statements.into_iter().map(|it| (it.line, it.nth, it.is_iteration, it.function));
    Some(GuardedSource { text: guarded.text, statements: statements.collect(), functions: guarded.functions })
}

fn refused(error: StepError) -> Refusal {
    let help = match error {
        StepError::Unreadable { .. } => "trace --build reads the files of a copy of the project",
        StepError::Blank(_) => "set TMPDIR to a folder without blanks in its path",
        StepError::Unwritable { .. } => "trace --build needs room for a copy of the project where temporary files are",
        _ => "trace --build needs a compiler of the language: cc, gcc or clang; javac and jar; go",
    };
    usage(error.to_string(), help)
}

/// Returns the last lines of what a build printed.
fn end_of(said: &str) -> String {
    let lines: Vec<&str> = said.lines().collect();
    lines[lines.len().saturating_sub(LINES)..].join("\n")
}

/// Returns whether a file is a plan: what a run of `trace` writes does not make it another project.
fn is_a_plan(path: &Path) -> bool {
    let is_text = path.extension().is_some_and(|it| it == "txt");
    let mut begins = vec![];
    let mut read = || File::open(path).ok()?.take(BEGINNING).read_to_end(&mut begins).ok();
    is_text && read().is_some() && ExecutionPlan::begins_as_one(&String::from_utf8_lossy(&begins))
}

/// Returns what the names of the folders of this user's trees begin with.
fn prefix() -> String {
    format!("reduct-built-{}-", getuid().as_raw())
}

/// Returns what keeps a tree in its place as long as it is held: nobody removes it, and nobody builds there.
pub(in crate::cli::command) fn held(place: &Path) -> Option<File> {
    let folder = File::open(place).ok()?;
    flock(&folder, FlockOperation::NonBlockingLockShared).ok()?;
    Some(folder)
}

/// Returns what is known of the tree in a folder, if it is what was built.
fn usable(place: &Path) -> Option<AboutTree> {
    BuiltTree::at(place).ok().filter(BuiltTree::is_as_built).map(|built| built.about)
}

/// Returns a folder in which a tree may be built, which nobody else builds in as long as the lock is held: this one, or a new one beside
/// it if somebody else builds there, or it is somebody else's.
fn claimed(place: &Path) -> io::Result<(PathBuf, Option<File>)> {
    let made = DirBuilder::new().mode(0o700).create(place);
    if let Some(lock) = locked(place) {
        return Ok((place.to_owned(), Some(lock)));
    }
    match made {
        Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
        _ => {}
    }
    let name = place.file_name().unwrap_or_default();
    let parent = place.parent().unwrap_or(Path::new("/tmp"));
    let fresh = tempfile::Builder::new().prefix(name).tempdir_in(parent)?.keep();
    let lock = locked(&fresh);
    Ok((fresh, lock))
}

/// Returns the lock of a folder, if the folder is this user's and nobody else has the lock. The system takes it back when this process
/// ends, however it ends.
fn locked(place: &Path) -> Option<File> {
    let folder = Some(place).filter(|place| BuiltTree::is_own(place)).and_then(|place| File::open(place).ok())?;
    flock(&folder, FlockOperation::NonBlockingLockExclusive).ok()?;
    // It may have been removed meanwhile.
    let (opened, there) = (folder.metadata().ok()?, fs::symlink_metadata(place).ok()?);
    ((opened.dev(), opened.ino()) == (there.dev(), there.ino())).then_some(folder)
}
