//! How the test of a job is started.

use super::{Against, Failure, Handed, Job, Persistence};
use crate::errors::Refusal;
use reduct_run::executor::{Afterwards, Invocation, Serving};
use reduct_run::oracle::condition::Condition;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// A server may take this long to say that it is one, or as long as a test if that is longer.
const GREETING: Duration = Duration::from_secs(10);

impl Job {
    /// How the test is started in a folder of its own: programs and files that the command names
    /// relative to the user's folder are named in full; the input itself becomes `{}`.
    ///
    /// # Errors
    /// If the subject has no name.
    pub fn invocation(&self) -> Result<Invocation, Refusal> {
        let subject = self.subject()?.unwrap_or_else(|| ".".into());
        let argv: Vec<OsString> = self.command.iter().enumerate().map(|(at, word)| self.word(at, word)).collect();
        let names_the_candidate = |word: &OsString| word.as_bytes().windows(2).any(|two| two == b"{}");
        if self.persistent.is_some() && argv.iter().any(names_the_candidate) {
            let what = "a server cannot be started with the path of a candidate: it is asked about many".into();
            let help = "leave the input out of the command; docs/PERSISTENT.md says how the server gets it".into();
            return Err(Refusal::Usage { what, help });
        }
        let Handed { as_argument, on_stdin } = self.handed;
        Ok(Invocation {
            argv,
            subject,
            plain: 0,
            path_argument: as_argument,
            stdin: on_stdin,
            build: None,
            inside: PathBuf::new(),
            server: self.serving(),
            without: vec![],
            env: vec![],
            after: self.afterwards(),
        })
    }

    fn serving(&self) -> Option<Serving> {
        let greeting = self.limits.time.map_or(GREETING, |time| time.max(GREETING));
        self.persistent.map(|how| Serving { paths: how == Persistence::Path, greeting })
    }

    /// What is done after each test.
    pub fn afterwards(&self) -> Afterwards {
        let needed = match &self.failure {
            // Functions move between versions.
            Failure::Observed => {
                !matches!(self.against, Against::Range(_) | Against::Folder(_) | Against::Patches { .. })
            }
            Failure::ExitZero => false,
            Failure::Like(signature) => !signature.frames.is_empty(),
            Failure::Conditions(all) => all.iter().any(Condition::needs_frames),
        };
        let reference = self.conditions().iter().find_map(Condition::reference).map(|line| self.line_in_full(line));
        // What fails now and then need not do so again under gdb.
        Afterwards { backtraces: self.backtrace && needed && !self.repeat, reference: reference.map(Into::into) }
    }

    /// A line for the shell, the program of which is named in full if it is one of the user's folder.
    fn line_in_full(&self, line: &str) -> String {
        let end = line.find(char::is_whitespace).unwrap_or(line.len());
        let program = Path::new(&line[..end]);
        let is_ours = line[..end].contains('/') && program.is_relative() && is_program(&self.folder.join(program));
        let full = is_ours.then(|| crate::shell::quoted(&self.in_full(program)));
        full.map_or_else(|| line.to_owned(), |full| full + &line[end..])
    }

    fn word(&self, at: usize, word: &OsStr) -> OsString {
        let path = Path::new(word);
        let full = self.folder.join(path);
        // However it is spelled.
        let is_input = || {
            full.canonicalize().is_ok_and(|named| {
                self.input_paths().iter().any(|input| input.canonicalize().is_ok_and(|input| input == named))
            })
        };
        if self.inputs.len() == 1 && at > 0 && is_input() {
            return "{}".into();
        }
        let is_candidate = self.inputs.iter().any(|input| input.file_name() == path.file_name());
        if !is_candidate && self.names_a_file(at) { self.in_full(path) } else { word.into() }
    }

    /// Whether a word of the command names a file of the user's folder, relative to it.
    pub fn names_a_file(&self, at: usize) -> bool {
        let Some(word) = self.command.get(at) else { return false };
        // A bare name is a program on the search path, or a candidate in the test's folder.
        let names_a_place = word.as_bytes().contains(&b'/') || at > 0;
        // Neither what a shell gets for its line, nor what is an output: those would be written to.
        let is_for_the_shell = self.command.get(1).is_some_and(|word| word == "-c");
        let is_output = at > 0 && self.command.get(at - 1).is_some_and(|word| word.as_bytes().starts_with(b"-o"));
        let path = Path::new(word);
        names_a_place && !is_for_the_shell && !is_output && path.is_relative() && self.folder.join(path).is_file()
    }

    /// A path of the user's folder, as it can be used from anywhere.
    pub fn in_full(&self, path: &Path) -> OsString {
        self.folder.join(path).components().collect::<PathBuf>().into_os_string()
    }
}

/// Whether a path is a file that can be started.
pub fn is_program(path: &Path) -> bool {
    path.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}
