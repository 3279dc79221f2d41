//! Where versions are built and tested: what is laid into each folder, and where in it the test is run.

use super::line;
use super::refused::VersionsError;
use crate::errors::Refusal;
use crate::job::Job;
use crate::shell::{quoted, quoted_bytes};
use reduct_input::digest_of;
use reduct_input::patch;
use reduct_oracle::Invocation;
use reduct_report::blame;
use reduct_sandbox::local::{Local, Setup};
use reduct_sandbox::supervisor;
use reduct_session::executor::Opened;
use reduct_sources::BaseTree;
use reduct_sources::{Furnished, git};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Component, Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// How long a build may take if nothing was said.
const BUILD_TIME: Duration = Duration::from_secs(3600);

/// A place to test versions.
pub(super) struct Bench {
    base_tree: Arc<dyn BaseTree>,
    /// What of the user's stands in each folder, by its relative path.
    extras: Vec<PathBuf>,
    /// The folder below the top in which the user stands.
    inside: PathBuf,
    argv: Vec<OsString>,
    build: Vec<OsString>,
    /// Scripts of the user's that stay where they are.
    elsewhere: Vec<PathBuf>,
}

/// Where a file of the user's is to be found by a version.
enum Stands {
    /// In the version.
    There,
    /// At this path of it, where it is put.
    Brought(PathBuf),
    /// Where it is.
    Elsewhere,
}

impl Bench {
    /// Returns a place for the versions in `folder`, which stand on this base tree.
    pub(super) fn new(job: &Job, folder: &Path, base_tree: Arc<dyn BaseTree>) -> Result<Bench, Refusal> {
        let (argv, build) = (job.command.clone(), job.comparing.build.clone());
        let (extras, elsewhere, inside) = (vec![], vec![], PathBuf::new());
        let mut bench = Bench { base_tree, extras, inside, argv, build, elsewhere };
        let top = if job.goal.reads_a_repository() {
            let standing = git::location(folder)?;
            bench.inside = standing.inside;
            standing.top
        } else {
            None
        };
        let mut extras = vec![];
        let place = |word: &Path| place(job, folder, top.as_deref(), word);
        for at in (0..bench.argv.len()).filter(|at| job.names_a_file(*at)) {
            let word = PathBuf::from(&bench.argv[at]);
            match place(&word) {
                Stands::There => {}
                Stands::Brought(inside) => extras.push((job.folder.join(&word), inside)),
                Stands::Elsewhere => bench.argv[at] = job.in_full(&word),
            }
        }
        for words in [&mut bench.argv, &mut bench.build] {
            let Some(line) = words.get(2).filter(|_| words[1] == "-c") else { continue };
            let mut new = line.as_bytes().to_vec();
            for line::Script { at, path } in line::scripts(line.as_bytes()).into_iter().rev() {
                let full = plain(&job.folder.join(&path));
                // What was built here would stand in the way of what is built of each version.
                if path.is_absolute() || !full.is_file() || is_built(&full) {
                    continue;
                }
                match place(&path) {
                    Stands::There => {}
                    Stands::Brought(inside) => extras.push((full, inside)),
                    Stands::Elsewhere => {
                        _ = new.splice(at, quoted_bytes(full.as_os_str().as_bytes()));
                        bench.elsewhere.push(full);
                    }
                }
            }
            words[2] = OsString::from_vec(new);
        }
        for with in &job.comparing.with {
            let full = job.folder.join(with);
            let from = std::fs::symlink_metadata(&full).map(|_| &full).map_err(Refusal::io("read", with))?;
            let inside = top.as_ref().and_then(|top| below(top, from)).or_else(|| file_name(with));
            let inside = inside.ok_or_else(|| VersionsError::NoName(with.clone()))?;
            extras.push((full, inside));
        }
        bench.extras = extras.iter().map(|(_, to)| to.clone()).collect();
        if !extras.is_empty() {
            bench.base_tree = Arc::new(Furnished::new(bench.base_tree, extras));
        }
        Ok(bench)
    }

    /// Returns the paths that are the same in all versions.
    pub(super) fn fixed(&self) -> impl Iterator<Item = &PathBuf> {
        self.extras.iter()
    }

    /// Returns what all versions stand on.
    pub(super) fn base_tree(&self) -> &Arc<dyn BaseTree> {
        &self.base_tree
    }

    /// Returns what a test sees besides the versions.
    pub(super) fn identity(&self, job: &Job) -> Vec<u8> {
        let build = job.comparing.build.iter().flat_map(|word| [word.as_bytes(), b"\0"].concat());
        let inside = self.inside.as_os_str().as_bytes();
        let digest = |path: &PathBuf| std::fs::read(path).map(|bytes| digest_of(&bytes));
        let elsewhere = self.elsewhere.iter().flat_map(|path| digest(path).unwrap_or_default());
        [self.base_tree.identity(), build.collect(), inside.to_vec(), elsewhere.collect()].concat()
    }

    /// Returns a place to run the test.
    pub(super) fn executor(&self, job: &Job) -> Result<Box<Opened>, Refusal> {
        let comparing = &job.comparing;
        let mut limits = job.limits(None, 0);
        limits.build_time = Some(comparing.build_time.unwrap_or(BUILD_TIME));
        let invocation = Invocation {
            server: None,
            forks: false,
            argv: self.argv.clone(),
            subject: ".".into(),
            plain: 0,
            path_argument: job.handed.as_argument,
            stdin: false,
            build: (!self.build.is_empty()).then(|| self.build.clone()),
            inside: self.inside.clone(),
            // Else a test that asks git would ask about the user's repository.
            without: git::REPOSITORY_VARIABLES.iter().map(|name| (*name).to_owned()).collect(),
            env: vec![],
            after: job.afterwards(),
        };
        let setup = Setup {
            jobs: job.job_count(),
            invocation,
            limits,
            // What is built takes room that nobody can foretell: not in memory.
            scratch: job.scratch.clone().or_else(|| Some(std::env::temp_dir())),
            room: 0,
            base_tree: Some(self.base_tree.clone()),
            fresh: comparing.fresh,
            supervisor: supervisor::command(),
            random_addresses: job.limits.aslr,
            confinement: job.confined(),
        };
        match Local::open(setup) {
            Ok(executor) => Ok(Box::new(executor)),
            Err(error) => Err(Refusal::of_setup(error)),
        }
    }

    /// Returns how a person sees what the test does.
    pub(super) fn recipe(&self) -> String {
        let line = |words: &[OsString]| words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ");
        let build = match &self.build[..] {
            [] => String::new(),
            build => format!("{} && ", line(build)),
        };
        let test = line(&self.argv);
        blame::by_hand(&format!("{build}{test}"))
    }
}

/// Returns where a file of the user's folder is to be found by the versions in `folder`, a repository with this top if
/// it has one.
fn place(job: &Job, folder: &Path, top: Option<&Path>, word: &Path) -> Stands {
    match top {
        // As git bisect has it: what is not kept in git stands in every version.
        Some(top) => match below(top, &plain(&job.folder.join(word))) {
            Some(_) if git::tracks(&job.folder, &plain(&job.folder.join(word))) => Stands::There,
            Some(inside) => Stands::Brought(inside),
            None => Stands::Elsewhere,
        },
        None if plain(&folder.join(word)).exists() => Stands::There,
        None => Stands::Elsewhere,
    }
}

/// Returns a path as a shell has it that follows `cd`: folders on the way need not be there, as some are only made by a
/// build.
fn plain(path: &Path) -> PathBuf {
    if path.exists() {
        return path.components().collect();
    }
    path.components().fold(PathBuf::new(), |mut plain, part| {
        if part == Component::ParentDir {
            _ = plain.pop()
        } else {
            plain.push(part)
        }
        plain
    })
}

/// Returns whether a file is what compilers make, and no script.
fn is_built(path: &Path) -> bool {
    std::fs::read(path).is_ok_and(|bytes| patch::is_binary(&bytes))
}

/// Returns the path below `top`, if it is there.
fn below(top: &Path, path: &Path) -> Option<PathBuf> {
    let parent = path.parent()?.canonicalize().ok()?;
    let full = parent.join(path.file_name()?);
    let inside = full.strip_prefix(top).ok()?;
    inside.components().all(|part| matches!(part, Component::Normal(_))).then(|| inside.to_owned())
}

fn file_name(path: &Path) -> Option<PathBuf> {
    path.file_name().map(OsStr::to_owned).map(PathBuf::from)
}
