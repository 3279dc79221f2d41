//! The test of a job: a command, how it gets the candidate, and what counts as the failure.

use crate::job::{Copied, Failure, InputDelivery, Job, ResourceLimits, ServerInput, TestPlace};
use reduct_oracle::condition::Condition;
use std::ffi::OsString;
use std::path::PathBuf;
use std::time::Duration;

/// A command that is run on candidates.
///
/// ```
/// use reduct_lib::Test;
/// use std::time::Duration;
///
/// // Fails if it dies by SIGSEGV within two seconds.
/// let test = Test::command(["./browser", "{}"]).fails_if("signal=SEGV".parse()?).time_limit(Duration::from_secs(2));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// Each test runs in a folder of its own, in which the candidate stands under the name of the input. In the command,
/// `{}` is its path; files of the current folder that the command names are found.
#[derive(Clone, Debug)]
pub struct Test {
    command: Vec<OsString>,
    handed: InputDelivery,
    failure: Failure,
    limits: ResourceLimits,
    place: TestPlace,
    persistent: Option<ServerInput>,
    repeat: bool,
    backtrace: bool,
}

impl Test {
    /// Returns a test that is a program with its arguments. By default the failure is what it shows on the whole input.
    pub fn command(words: impl IntoIterator<Item = impl Into<OsString>>) -> Test {
        let (failure, place) = (Failure::Observed, TestPlace::Bare);
        Test {
            command: words.into_iter().map(Into::into).collect(),
            handed: InputDelivery::default(),
            failure,
            limits: ResourceLimits::default(),
            place,
            persistent: None,
            repeat: false,
            backtrace: true,
        }
    }

    /// Returns a test that is a line for the shell.
    pub fn shell(line: impl Into<OsString>) -> Test {
        Test::command(["sh".into(), "-c".into(), line.into()])
    }

    /// Returns a test that is a server, which is told the paths of candidates one after the other
    /// (docs/PERSISTENT.md says how).
    pub fn server(words: impl IntoIterator<Item = impl Into<OsString>>) -> Test {
        Test { persistent: Some(ServerInput::Path), ..Test::command(words) }
    }

    /// Passes the path of the candidate as the last argument.
    pub fn as_argument(self) -> Test {
        Test { handed: InputDelivery { as_argument: true, ..self.handed }, ..self }
    }

    /// Passes the candidate on standard input.
    pub fn on_stdin(self) -> Test {
        Test { handed: InputDelivery { on_stdin: true, ..self.handed }, ..self }
    }

    /// Takes exit status 0 for the failure, the convention of scripts for other reducers.
    pub fn exit_zero(self) -> Test {
        self.failure(Failure::ExitZero)
    }

    /// Takes for the failure that this condition holds, and all others that are given. A condition is read from its text
    /// as the command takes it, e.g. `exit=1`, `signal=SEGV`, `stderr~panicked`.
    ///
    /// ```
    /// let test = reduct_lib::Test::command(["./browser", "{}"]).fails_if("exit=7".parse()?);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn fails_if(self, condition: Condition) -> Test {
        let mut all = if let Failure::Conditions(all) = &self.failure { all.clone() } else { vec![] };
        all.push(condition);
        self.failure(Failure::Conditions(all))
    }

    /// Takes this for the failure.
    pub fn failure(self, failure: Failure) -> Test {
        Test { failure, ..self }
    }

    /// Runs each test so long at most: by default a limit that follows from the first runs.
    pub fn time_limit(self, time: Duration) -> Test {
        Test { limits: ResourceLimits { time: Some(time), ..self.limits }, ..self }
    }

    /// Lets each test use so many bytes of memory at most.
    pub fn memory_limit(self, bytes: u64) -> Test {
        Test { limits: ResourceLimits { memory: Some(bytes), ..self.limits }, ..self }
    }

    /// Sets all that a test may use.
    pub fn limits(self, limits: ResourceLimits) -> Test {
        Test { limits, ..self }
    }

    /// Runs each candidate until it is clear: for failures that occur in some runs only.
    pub fn repeated(self) -> Test {
        Test { repeat: true, ..self }
    }

    /// Runs tests in copies of this folder, in which the input stands, with the candidate in its place.
    pub fn in_project(self, folder: impl Into<PathBuf>) -> Test {
        let folder = folder.into();
        Test { place: TestPlace::Copy(Copied::of(folder.canonicalize().unwrap_or(folder))), ..self }
    }

    /// Runs tests where the failure shows: the first runs say whether that is a bare folder, or a copy of the current
    /// one. The command does so by default.
    pub fn where_it_fails(self) -> Test {
        Test { place: TestPlace::Open, ..self }
    }

    /// Does not ask gdb where a program has died.
    pub fn without_backtrace(self) -> Test {
        Test { backtrace: false, ..self }
    }

    /// Returns the job with this test.
    pub(super) fn of(self, job: Job) -> Job {
        let Test { command, handed, failure, limits, place, persistent, repeat, backtrace } = self;
        Job { command, handed, failure, limits, place, persistent, repeat, backtrace, ..job }
    }
}
