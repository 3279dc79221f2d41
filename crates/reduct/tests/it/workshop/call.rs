//! A call of the command: how it runs, and what it printed.

use super::{DEADLINE, Process, Workshop, pause};
use rustix::process::Signal;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::Ordering;
use std::time::Instant;

/// A command that is about to be run.
pub struct Call<'a> {
    pub(super) workshop: &'a Workshop,
    pub(super) command: Command,
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
