//! The build of a program in C: in a copy of the project whose files have guards.

use crate::cli::usage;
use reduct_lib::Refusal;
use reduct_report::human::counted;
use reduct_sources::{BaseTree, Bounds, Project};
use reduct_trace::{AboutTree, BuiltTree, ExecutionPlan, GuardedSource, GuardedTree, StepError};
use rustix::process::getuid;
use std::ffi::{OsStr, OsString};
use std::fs::{self, DirBuilder};
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::time::Duration;

/// So much of a project is copied, and it may take so long to count it.
const MOST: Bounds = Bounds { files: 30_000, bytes: 512 << 20, time: Duration::from_secs(30) };

/// So often a build is tried, each time with fewer guards.
const TRIES: usize = 100;

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
}

impl Build<'_> {
    /// Returns the folder of the tree in which the program was built, now or before. `run` runs commands that may write to a folder.
    ///
    /// # Errors
    /// If there is nothing to build, or it cannot be built.
    pub(in crate::cli::command) fn built(&self, run: &mut Runs<'_>) -> Result<(PathBuf, AboutTree), Refusal> {
        let read = |but: &[PathBuf]| Project::read(self.project, but, vec![], ((i64::MAX, 0), MOST));
        let project = read(&[]).map_err(|error| {
            let help = "go to the folder of the program; --build runs in a copy of the current folder";
            usage(error.to_string(), help)
        })?;
        let plans: Vec<PathBuf> =
            project.paths().filter(|path| is_a_plan(&self.project.join(path))).map(Path::to_owned).collect();
        let project = read(&plans).unwrap_or(project);
        let place = self.place(&project);
        if let Some(built) = BuiltTree::at(&place).ok().filter(|_| is_own(&place)) {
            return Ok((place, built.about));
        }
        let place = made(&place).map_err(Refusal::io("make", &place))?;
        let built = self.build(&project, &place, run);
        if built.is_err() {
            let _ = fs::remove_dir_all(&place);
        }
        built.map(|built| (place, built.about))
    }

    /// Returns where the tree of a project stands.
    fn place(&self, project: &Project) -> PathBuf {
        let mut digest = blake3::Hasher::new();
        let only = self.only.iter().map(|it| it.as_os_str().as_bytes());
        let parts = [env!("CARGO_PKG_VERSION").as_bytes(), self.line.as_bytes(), self.project.as_os_str().as_bytes()];
        for part in parts.into_iter().chain(only) {
            digest.update(part).update(&[0]);
        }
        // Another build of reduct may put other guards.
        let me = fs::metadata("/proc/self/exe").map(|it| (it.size(), it.mtime(), it.mtime_nsec()));
        digest.update(format!("{:?}", me.ok()).as_bytes()).update(&project.identity());
        let digest = digest.finalize().to_hex();
        std::env::temp_dir().join(format!("reduct-built-{}-{}", getuid().as_raw(), &digest[..16]))
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
        let inside = |path: &PathBuf| {
            let path = self.project.join(path);
            let path = path.canonicalize().unwrap_or(path);
            path.strip_prefix(project.top()).map(Path::to_owned)
        };
        let only: Vec<PathBuf> = self.only.iter().filter_map(|path| inside(path).ok()).collect();
        let mut guarded = GuardedTree::of(place, &only, guards).map_err(refused)?;
        if guarded.is_empty() {
            let help = "trace --build records files that end in .c, below the current folder or the paths of --only";
            return Err(usage("there is no C file in the project", help));
        }
        let script: OsString = r#"cd "$0" && exec sh -c "$1""#.into();
        let words = || vec!["sh".into(), "-c".into(), script.clone(), tree.clone().into(), self.line.to_owned()];
        let mut last = None;
        for _ in 0..TRIES {
            guarded.write().map_err(refused)?;
            let ended = run(words(), place)?;
            if ended.is_done {
                return guarded.finish(self.project).map_err(refused);
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
            let help = "the build runs in a copy of the current folder, confined as tests are";
            return Err(usage(format!("the build fails: {line}\n{}", end_of(&ended.said)), help));
        }
        let help = "--only PATH puts guards into fewer files";
        let said = last.unwrap_or_default();
        Err(usage(format!("the project cannot be built with guards: {line}\n{}", end_of(&said)), help))
    }
}

/// Returns what is said of a tree that was built.
pub(in crate::cli::command) fn said_of(about: &AboutTree) -> String {
    let (files, statements) = (counted(about.files as u64, "files"), counted(about.statements as u64, "statements"));
    let functions = match about.functions_left {
        0 => String::new(),
        left => format!(" {} left as written: they do not compile with guards.", with_are(left, "functions")),
    };
    let left = match &about.files_left[..] {
        [] => String::new(),
        left => {
            let first = left.iter().take(3).map(String::as_str).collect::<Vec<_>>().join(", ");
            let more = if left.len() > 3 { ", …" } else { "" };
            format!(" {} left as written: {first}{more}.", with_are(left.len(), "files"))
        }
    };
    format!("Built with guards: {statements} in {files}.{functions}{left}")
}

fn with_are(number: usize, what: &str) -> String {
    format!("{} {}", counted(number as u64, what), if number == 1 { "is" } else { "are" })
}

/// Returns a text in C with guards.
fn guards(text: &[u8], first: usize, without: &[u32]) -> Option<GuardedSource> {
    let guarded = reduct_grammars::guarded_c(text, first, without)?;
    let statements = guarded.statements.into_iter().map(|it| (it.line, it.nth, it.is_iteration, it.function));
    Some(GuardedSource { text: guarded.text, statements: statements.collect(), functions: guarded.functions })
}

fn refused(error: StepError) -> Refusal {
    usage(error.to_string(), "trace --build needs a C compiler (cc, gcc or clang) and room for a copy of the project")
}

/// Returns the last lines of what a build printed.
fn end_of(said: &str) -> String {
    let lines: Vec<&str> = said.lines().collect();
    lines[lines.len().saturating_sub(LINES)..].join("\n")
}

/// Returns whether a file is a plan: what a run of `trace` writes does not make it another project.
fn is_a_plan(path: &Path) -> bool {
    let is_text = path.extension().is_some_and(|it| it == "txt");
    let mut begins = [0; 64];
    let mut read = || fs::File::open(path).ok()?.read(&mut begins).ok();
    let is_reduced = path.to_string_lossy().contains(".trace.");
    is_text
        && (is_reduced
            || read().is_some_and(|length| ExecutionPlan::is_recorded(&String::from_utf8_lossy(&begins[..length]))))
}

/// Makes the folder of a tree; another one if somebody else builds there, or nobody any more.
fn made(place: &Path) -> std::io::Result<PathBuf> {
    if DirBuilder::new().mode(0o700).create(place).is_ok() {
        return Ok(place.to_owned());
    }
    let name = place.file_name().unwrap_or_default();
    let parent = place.parent().unwrap_or(Path::new("/tmp"));
    Ok(tempfile::Builder::new().prefix(name).tempdir_in(parent)?.keep())
}

/// Returns whether a folder is this user's, and nobody else may write to it.
fn is_own(folder: &Path) -> bool {
    let meta = fs::symlink_metadata(folder);
    meta.is_ok_and(|it| it.is_dir() && it.uid() == getuid().as_raw() && it.mode() & 0o022 == 0)
}
