//! A folder of its own for each test, and the command run in it.

mod call;
mod events;
mod process;
mod programs;
mod trees;

pub use call::{Call, Done, Running};
pub use events::Events;
pub use process::Process;
use process::numbers;
use programs::search_path;
use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fs::{self, Permissions};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::AtomicU32;
use std::time::{Duration, Instant};

/// The files of tests whose runs are as those of users are: confined, as many tests at a time as there are cores. What all
/// others are about is the same either way, and to confine thousands of runs takes a minute or two, to start tests in vain
/// another one.
const AS_USERS_RUN: [&str; 13] = [
    "choice",
    "confined",
    "confined_views",
    "copies",
    "durable",
    "edges",
    "guide",
    "journals",
    "messages",
    "project",
    "project_links",
    "reused",
    "situations",
];

/// Returns how runs of the test that goes on in this thread are confined, and how many tests they run at a time: empty if
/// that is reduct's to choose.
fn how_run() -> (&'static str, &'static str) {
    let name = std::thread::current().name().unwrap_or_default().to_owned();
    match name.split_once("::") {
        Some((file, _)) if AS_USERS_RUN.contains(&file) => ("auto", ""),
        _ => ("off", "1"),
    }
}

/// Returns whether commands get this variable of whoever runs the tests. Others stay away: reduct looks into each folder that
/// a variable names, some of which are large, and what is built meanwhile in those of cargo would be taken for something
/// that a test opens.
fn is_kept(name: &OsStr) -> bool {
    const KEPT: [&str; 9] =
        ["CARGO_HOME", "HOME", "LANG", "LOGNAME", "RUSTUP_HOME", "RUSTUP_TOOLCHAIN", "SHELL", "TMPDIR", "USER"];
    name.to_str().is_some_and(|name| KEPT.contains(&name))
}

/// Longer than anything here takes, even on a busy machine. Reached only by what hangs.
const DEADLINE: Duration = Duration::from_secs(120);

/// Status 0 if and only if the candidate holds the tag of the book's example; counts its runs.
pub const SELECT: &str = "cksum <page.html >>\"$LOG\"\ngrep -q '<SELECT[^>]*>' page.html";
/// The input of the book's example.
pub const PAGE: &str = r#"<SELECT NAME="priority" MULTIPLE SIZE=7>"#;

/// A temporary folder: `home`, where the user is; `scratch`, where tests run; a log the scripts write.
///
/// Every process below it has `WORKSHOP` in its environment, by which those that are left are found.
pub struct Workshop {
    folder: tempfile::TempDir,
    calls: AtomicU32,
}

impl Workshop {
    pub fn new() -> Workshop {
        let workshop = Workshop { folder: tempfile::tempdir().unwrap(), calls: AtomicU32::new(0) };
        for folder in ["home", "scratch"] {
            fs::create_dir(workshop.folder.path().join(folder)).unwrap();
        }
        workshop
    }

    /// With the page of the book's example, and a script that looks for its tag.
    pub fn with_page() -> Workshop {
        let workshop = Workshop::new();
        workshop.write("page.html", PAGE);
        workshop.script("test.sh", SELECT);
        workshop
    }

    pub fn home(&self) -> PathBuf {
        self.folder.path().join("home")
    }

    pub fn scratch(&self) -> PathBuf {
        self.folder.path().join("scratch")
    }

    /// A path outside of the user's folder, for what scripts leave.
    pub fn beside(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    pub fn path(&self, name: impl AsRef<Path>) -> PathBuf {
        self.home().join(name)
    }

    pub fn write(&self, name: impl AsRef<Path>, bytes: impl AsRef<[u8]>) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, bytes).unwrap();
        path
    }

    /// Writes an executable script for `sh`.
    pub fn script(&self, name: impl AsRef<Path>, body: &str) -> PathBuf {
        let path = self.write(name, format!("#!/bin/sh\n{body}\n"));
        fs::set_permissions(&path, Permissions::from_mode(0o755)).unwrap();
        path
    }

    pub fn read(&self, name: impl AsRef<Path>) -> Vec<u8> {
        let path = self.path(name);
        fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    pub fn text(&self, name: impl AsRef<Path>) -> String {
        String::from_utf8_lossy(&self.read(name)).into_owned()
    }

    pub fn exists(&self, name: impl AsRef<Path>) -> bool {
        fs::symlink_metadata(self.path(name)).is_ok()
    }

    /// The names in the user's folder, but for the runs.
    pub fn names(&self) -> Vec<String> {
        let mut names = listed(&self.home());
        names.retain(|name| name != ".reduct");
        names
    }

    /// The lines that the scripts wrote: one a run.
    pub fn runs(&self) -> Vec<String> {
        let log = fs::read(self.beside("log")).unwrap_or_default();
        String::from_utf8_lossy(&log).lines().map(str::to_owned).collect()
    }

    pub fn forget_runs(&self) {
        fs::write(self.beside("log"), "").unwrap();
    }

    /// The folder of the last run.
    pub fn run_folder(&self) -> PathBuf {
        let runs = listed(&self.path(".reduct"));
        self.path(".reduct").join(runs.last().expect("there is a run"))
    }

    /// The command, to be run in the user's folder.
    pub fn reduct<S: AsRef<OsStr>>(&self, words: impl IntoIterator<Item = S>) -> Call<'_> {
        self.call(env!("CARGO_BIN_EXE_reduct"), words)
    }

    /// A line for the shell; `$REDUCT` is the command.
    pub fn shell(&self, line: &str) -> Call<'_> {
        self.call("sh", ["-c", line])
    }

    /// Any other command, with the same surroundings.
    pub fn call<S: AsRef<OsStr>>(&self, program: &str, words: impl IntoIterator<Item = S>) -> Call<'_> {
        let mut command = Command::new(program);
        let (confine, jobs) = how_run();
        command
            .args(words)
            .current_dir(self.home())
            .env_clear()
            .envs(std::env::vars_os().filter(|(name, _)| is_kept(name)))
            .env("WORKSHOP", self.folder.path())
            .env("LOG", self.beside("log"))
            .env("REDUCT", env!("CARGO_BIN_EXE_reduct"))
            // Scripts keep a log there.
            .env("REDUCT_ALLOW_WRITE", self.folder.path())
            .env("REDUCT_CONFINE", confine)
            .env("REDUCT_JOBS", jobs)
            .env("PATH", search_path())
            .env("TERM", "xterm-256color")
            .stdin(Stdio::null());
        Call { workshop: self, command }
    }

    /// The tests of the last run, as its journal has them: size and outcome.
    pub fn logged(&self) -> Vec<(u64, String)> {
        let table = self.reduct(["log", "--json"]).run().exits_with(0).stdout;
        Events(table.lines().map(|line| serde_json::from_str(line).unwrap()).collect()).pairs()
    }

    /// The processes that were started from here, directly or not, and still live.
    pub fn processes(&self) -> Vec<Process> {
        let marker = [b"WORKSHOP=", self.folder.path().as_os_str().as_bytes()].concat();
        let ours = |pid: &i32| {
            let environment = fs::read(format!("/proc/{pid}/environ")).unwrap_or_default();
            environment.split(|byte| *byte == 0).any(|variable| variable == marker)
        };
        numbers().into_iter().filter(ours).map(Process).collect()
    }

    /// Waits until no process is left; fails, naming them, if some stay.
    pub fn expect_no_process(&self) {
        self.eventually("no process is left", || {
            let left: Vec<String> = self.processes().iter().map(Process::describe).collect();
            if left.is_empty() { Ok(()) } else { Err(format!("{left:?}")) }
        });
    }

    /// Waits until the scratch folder is empty.
    pub fn expect_no_scratch(&self) {
        self.eventually("no scratch folder is left", || {
            let left = listed(&self.scratch());
            if left.is_empty() { Ok(()) } else { Err(format!("{left:?}")) }
        });
    }

    /// Waits for a condition, as long as it may reasonably take.
    pub fn eventually(&self, what: &str, condition: impl Fn() -> Result<(), String>) {
        let deadline = Instant::now() + DEADLINE;
        while let Err(seen) = condition() {
            assert!(Instant::now() < deadline, "not so in time: {what}; {seen}");
            pause();
        }
    }

    /// Waits until the scripts have written so many lines. Returns whether that was before `running` ended.
    pub fn wait_for_runs(&self, count: usize, running: &mut Running) -> bool {
        let deadline = Instant::now() + DEADLINE;
        while self.runs().len() < count {
            if running.is_over() {
                return false;
            }
            assert!(Instant::now() < deadline, "no {count} runs in time: {}", running.so_far());
            pause();
        }
        true
    }
}

/// The pause between two looks at a condition that is waited for.
pub fn pause() {
    std::thread::sleep(Duration::from_millis(5));
}

/// The names in a folder, sorted.
pub fn listed(folder: &Path) -> Vec<String> {
    let Ok(entries) = fs::read_dir(folder) else { return vec![] };
    let mut names: Vec<String> = entries.flatten().map(|e| e.file_name().to_string_lossy().into_owned()).collect();
    names.sort();
    names
}

/// Everything below a folder that is not a folder, with its bytes.
pub fn files_below(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let mut found = BTreeMap::new();
    let mut todo = vec![folder.to_owned()];
    while let Some(next) = todo.pop() {
        for entry in fs::read_dir(&next).unwrap().flatten() {
            let path = entry.path();
            if entry.file_type().unwrap().is_dir() {
                todo.push(path);
            } else {
                found.insert(path.strip_prefix(folder).unwrap().to_owned(), fs::read(&path).unwrap_or_default());
            }
        }
    }
    found
}
