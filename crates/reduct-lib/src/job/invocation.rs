//! How the test of a job is started.

use super::refused::JobError;
use super::{Failure, InputDelivery, Job, ServerInput};
use crate::errors::Refusal;
use reduct_oracle::condition::Condition;
use reduct_oracle::shell_line::line_of;
use reduct_oracle::{Afterwards, Invocation, Serving};
use std::ffi::OsString;
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A server may take this long to say that it is one, or as long as a test if that is longer.
const GREETING: Duration = Duration::from_secs(10);

/// Options of `reduct step` with which a run is not forked: it is more than a test, or was asked for so.
const NOT_FORKED: [&str; 5] = ["--no-fork", "--record", "--values", "--look", "--list"];

impl Job {
    /// Returns how the test is started: see [`Job::rewritten`].
    ///
    /// # Errors
    /// If the subject has no name.
    pub fn invocation(&self) -> Result<Invocation, Refusal> {
        let name = self.subject()?;
        let place = self.top().and_then(|top| self.places_below(top)).filter(|_| name.is_some());
        let subject = place.and_then(|places| places.into_iter().next()).or(name).unwrap_or_else(|| ".".into());
        let argv = self.words();
        let names_the_candidate = |word: &OsString| word.as_bytes().windows(2).any(|two| two == b"{}");
        if self.source().server().is_some() && argv.iter().any(names_the_candidate) {
            return Err(JobError::ServerWithPath.into());
        }
        let InputDelivery { as_argument, on_stdin } = self.handed;
        Ok(Invocation {
            argv,
            subject,
            plain: 0,
            path_argument: as_argument,
            stdin: on_stdin,
            build: None,
            inside: self.inside(),
            server: self.serving(),
            forks: self.forks(),
            without: vec![],
            env: vec![],
            after: self.afterwards(),
        })
    }

    fn serving(&self) -> Option<Serving> {
        let greeting = self.limits.time.map_or(GREETING, |time| time.max(GREETING));
        self.source().server().map(|how| Serving { paths: how == ServerInput::Path, greeting })
    }

    /// Returns whether the command runs programs under plans, by this very executable: then it is asked to fork. It says no if it
    /// cannot.
    fn forks(&self) -> bool {
        let is_own = || self.command.first().is_some_and(|word| std::env::current_exe().is_ok_and(|own| own == **word));
        let only_runs =
            |(options, _): (&[OsString], _)| !options.iter().any(|word| NOT_FORKED.iter().any(|option| word == option));
        // What is checked again, is checked by tests that are started.
        let is_checked = self.comparing.fresh;
        !is_checked && self.source().server().is_none() && self.stepped().is_some_and(only_runs) && is_own()
    }

    /// Returns what is done after each test.
    pub fn afterwards(&self) -> Afterwards {
        let needed = match &self.failure {
            // Functions move between versions.
            Failure::Observed => !self.goal.compares_versions(),
            Failure::ExitZero => false,
            Failure::Like(signature) => !signature.frames.is_empty(),
            Failure::Conditions(all) => all.iter().any(Condition::needs_frames),
        };
        let reference = self.conditions().iter().find_map(Condition::reference).map(|line| self.line_in_full(line));
        // What fails now and then need not do so again under gdb.
        Afterwards { backtraces: self.backtrace && needed && !self.repeat, reference: reference.map(Into::into) }
    }

    /// Returns a line for the shell, the program of which is named in full if it is one of the user's folder.
    fn line_in_full(&self, line: &str) -> String {
        let end = line.find(char::is_whitespace).unwrap_or(line.len());
        let program = Path::new(&line[..end]);
        if self.top().is_some() {
            return line.to_owned();
        }
        let is_ours = line[..end].contains('/') && program.is_relative() && is_program(&self.folder.join(program));
        let full = is_ours.then(|| crate::shell::quoted(&self.in_full(program)));
        full.map_or_else(|| line.to_owned(), |full| full + &line[end..])
    }

    /// Returns whether a word of the command names a file of the user's folder, relative to it.
    pub fn names_a_file(&self, at: usize) -> bool {
        let Some(word) = self.command.get(at) else { return false };
        // A bare name is a program on the search path, or a candidate in the test's folder.
        let names_a_place = word.as_bytes().contains(&b'/') || at > 0;
        // Neither what a shell gets for its line, nor what is an output: those would be written to.
        let is_for_the_shell = self.is_a_line_for_a_shell();
        let is_output = at > 0 && self.command.get(at - 1).is_some_and(|word| word.as_bytes().starts_with(b"-o"));
        let path = Path::new(word);
        names_a_place && !is_for_the_shell && !is_output && path.is_relative() && self.folder.join(path).is_file()
    }

    /// Returns whether the command is a shell with its line, and what the line is given.
    fn is_a_line_for_a_shell(&self) -> bool {
        let is_busybox = |word: &OsString| Path::new(word).file_name().is_some_and(|name| name == "busybox");
        let words = if self.command.first().is_some_and(is_busybox) { &self.command[1..] } else { &self.command[..] };
        line_of(words).is_some()
    }

    /// Returns a path of the user's folder, as it can be used from anywhere.
    pub fn in_full(&self, path: &Path) -> OsString {
        self.folder.join(path).components().collect::<PathBuf>().into_os_string()
    }
}

/// Returns whether a path is a file that can be started.
///
/// ```
/// assert!(reduct_lib::is_program("/bin/sh".as_ref()) && !reduct_lib::is_program("/dev/null".as_ref()));
/// ```
pub fn is_program(path: &Path) -> bool {
    path.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}
