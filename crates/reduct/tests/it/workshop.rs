//! A folder of its own for each test, and the command run in it.

use rustix::process::{Pid, Signal, kill_process};
use serde_json::Value;
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Permissions};
use std::io::Write;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::LazyLock;
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// Where programs are found: as for whoever runs the tests, but Python first in an environment of its own that holds nothing
/// besides the standard library. Some tests start it hundreds of times, and what is installed beside it (or a script of its
/// name that looks for it, as of pyenv) may take ten times as long to start as the interpreter.
fn search_path() -> &'static OsStr {
    static PATH: LazyLock<OsString> = LazyLock::new(|| {
        let given = std::env::var_os("PATH").unwrap_or_default();
        let found = Command::new("python3").args(["-c", "import sys; print(sys.executable)"]).output();
        let python = found.ok().and_then(|told| String::from_utf8(told.stdout).ok()).unwrap_or_default();
        let own = python_of_its_own(Path::new(python.trim())).unwrap();
        std::env::join_paths([own].into_iter().chain(std::env::split_paths(&given))).unwrap()
    });
    &PATH
}

/// Makes what `python3 -m venv` makes, without the programs: a link to the interpreter, and the file that says whose it is.
fn python_of_its_own(python: &Path) -> std::io::Result<PathBuf> {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("python");
    let programs = folder.join("bin");
    fs::create_dir_all(&programs)?;
    let home = python.parent().unwrap_or(python).display();
    fs::write(folder.join("pyvenv.cfg"), format!("home = {home}\ninclude-system-site-packages = false\n"))?;
    let link = programs.join("python3");
    if fs::read_link(&link).ok().as_deref() != Some(python) {
        let _ = fs::remove_file(&link);
        std::os::unix::fs::symlink(python, link)?;
    }
    Ok(programs)
}

/// The files of tests whose runs are as those of users are: confined, as many tests at a time as there are cores. What all
/// others are about is the same either way, and to confine thousands of runs takes a minute or two, to start tests in vain
/// another one.
const AS_USERS_RUN: [&str; 11] = [
    "choice",
    "confined",
    "confined_views",
    "copies",
    "durable",
    "edges",
    "guide",
    "messages",
    "project",
    "project_links",
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

fn numbers() -> Vec<i32> {
    listed(Path::new("/proc")).iter().filter_map(|name| name.parse().ok()).collect()
}

/// A process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Process(pub i32);

impl Process {
    pub fn kill(self, signal: Signal) {
        // It may be gone already.
        let _ = kill_process(Pid::from_raw(self.0).unwrap(), signal);
    }

    pub fn name(&self) -> String {
        fs::read_to_string(format!("/proc/{}/comm", self.0)).unwrap_or_default().trim().to_owned()
    }

    fn describe(&self) -> String {
        let words = fs::read(format!("/proc/{}/cmdline", self.0)).unwrap_or_default();
        format!("{} {}", self.0, String::from_utf8_lossy(&words).replace('\0', " "))
    }
}

/// A command that is about to be run.
pub struct Call<'a> {
    workshop: &'a Workshop,
    command: Command,
}

impl Call<'_> {
    pub fn env(mut self, name: &str, value: impl AsRef<OsStr>) -> Self {
        self.command.env(name, value);
        self
    }

    pub fn within(mut self, folder: impl AsRef<Path>) -> Self {
        self.command.current_dir(self.workshop.path(folder));
        self
    }

    /// With a standard input that is written to while it runs.
    pub fn with_keys(mut self) -> Self {
        self.command.stdin(Stdio::piped());
        self
    }

    /// Starts it. Its output goes to files, so that nobody who holds a pipe can keep the test waiting.
    pub fn start(mut self) -> Running {
        let number = self.workshop.calls.fetch_add(1, Ordering::Relaxed);
        let [stdout, stderr] = ["stdout", "stderr"].map(|name| self.workshop.beside(&format!("{name}-{number}")));
        self.command.stdout(File::create(&stdout).unwrap()).stderr(File::create(&stderr).unwrap());
        let child = self.command.spawn().unwrap();
        Running { child, stdout, stderr }
    }

    /// Runs it to its end.
    pub fn run(self) -> Done {
        self.start().wait()
    }
}

/// A command under way.
pub struct Running {
    child: Child,
    stdout: PathBuf,
    stderr: PathBuf,
}

impl Running {
    pub fn process(&self) -> Process {
        Process(self.child.id().try_into().unwrap())
    }

    pub fn is_over(&mut self) -> bool {
        self.child.try_wait().unwrap().is_some()
    }

    /// What it has written to either stream.
    pub fn so_far(&self) -> String {
        [&self.stdout, &self.stderr].map(|path| String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned()).concat()
    }

    /// Waits until it has written this.
    pub fn wait_for(&mut self, text: &str) {
        let deadline = Instant::now() + DEADLINE;
        while !self.so_far().contains(text) {
            assert!(!self.is_over(), "ended without {text:?}: {}", self.so_far());
            assert!(Instant::now() < deadline, "no {text:?} in time: {}", self.so_far());
            pause();
        }
    }

    /// Presses keys.
    pub fn press(&mut self, keys: &str) {
        let input = self.child.stdin.as_mut().expect("it has keys");
        input.write_all(keys.as_bytes()).unwrap();
        input.flush().unwrap();
    }

    /// Closes its standard input.
    pub fn hang_up(&mut self) {
        drop(self.child.stdin.take());
    }

    pub fn kill(&self) {
        self.process().kill(Signal::KILL);
    }

    /// Waits for its end.
    pub fn wait(mut self) -> Done {
        let deadline = Instant::now() + DEADLINE;
        while !self.is_over() {
            if Instant::now() >= deadline {
                let seen = self.so_far();
                self.kill();
                panic!("it does not end: {seen}");
            }
            pause();
        }
        use std::os::unix::process::ExitStatusExt;
        let status = self.child.wait().unwrap();
        let status = status.code().unwrap_or_else(|| -status.signal().unwrap());
        let read = |path| String::from_utf8_lossy(&fs::read(path).unwrap()).into_owned();
        Done { status, stdout: read(&self.stdout), stderr: read(&self.stderr) }
    }
}

impl Drop for Running {
    /// A test that fails leaves nothing behind.
    fn drop(&mut self) {
        if !self.is_over() {
            self.kill();
            let _ = self.child.wait();
        }
    }
}

/// A command that has ended.
#[derive(Debug)]
pub struct Done {
    /// Its exit status, or the signal it died by, negative.
    pub status: i32,
    pub stdout: String,
    pub stderr: String,
}

impl Done {
    #[track_caller]
    pub fn exits_with(self, status: i32) -> Done {
        assert_eq!(self.status, status, "stdout:\n{}\nstderr:\n{}", self.stdout, self.stderr);
        self
    }

    /// That it says this, however the lines are wrapped and marked.
    #[track_caller]
    pub fn says(self, text: &str) -> Done {
        assert!(flat(&self.stderr).contains(&flat(text)), "not said: {text}\n{}", self.stderr);
        self
    }

    #[track_caller]
    pub fn does_not_say(self, text: &str) -> Done {
        assert!(!flat(&self.stderr).contains(&flat(text)), "said: {text}\n{}", self.stderr);
        self
    }
}

/// A text without what the width of the output makes of it.
fn flat(text: &str) -> String {
    text.split_whitespace().filter(|word| *word != "│").collect::<Vec<_>>().join(" ")
}

/// What `--events` wrote.
pub struct Events(Vec<Value>);

impl Events {
    pub fn read(path: impl AsRef<Path>) -> Events {
        let text = fs::read_to_string(path).unwrap();
        Events(text.lines().map(|line| serde_json::from_str(line).unwrap()).collect())
    }

    pub fn of(&self, kind: &str) -> Vec<&Value> {
        self.0.iter().filter(|event| event["type"] == kind).collect()
    }

    pub fn last(&self) -> &Value {
        self.0.last().expect("there are events")
    }

    /// The tests: size and outcome.
    pub fn tests(&self) -> Vec<(u64, String)> {
        Events(self.of("test").into_iter().cloned().collect()).pairs()
    }

    fn pairs(&self) -> Vec<(u64, String)> {
        let pair = |event: &Value| (event["size"].as_u64().unwrap(), event["outcome"].as_str().unwrap().to_owned());
        self.0.iter().map(pair).collect()
    }
}
