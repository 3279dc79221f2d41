//! What goes wrong where tests run: with the machine, with a server that is asked, with a program.

use std::path::PathBuf;

/// What is wrong where a test is to run: the machine, or something that other tests have left, is to blame for it.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Fault {
    /// The command that was there before is not there any more.
    #[error("the test cannot be started any more: {0}")]
    NotStartedAnyMore(String),
    /// The thread of a slot has met a panic.
    #[error("an internal error (a panic): {}", .0.as_deref().unwrap_or("of an unknown kind"))]
    Panicked(Option<String>),
    /// What was started in place of a supervisor is none.
    #[error("{0} does not become a supervisor when it is started")]
    NoSupervisor(PathBuf),
    /// Nobody has said how a supervisor is started.
    #[error("nothing says how a supervisor is started")]
    NoSupervisorCommand,
    /// A build is over, but for a process that survives.
    #[error("the build has left a process that cannot be killed")]
    BuildSurvives,
    /// A server is over, but for a process that survives.
    #[error("a server has left a process that cannot be killed")]
    ServerSurvives,
    /// There was no server to be asked.
    #[error("the server ended before it was asked")]
    NoServer,
    /// The folder in which a test is to run is not there.
    #[error("the folder {0} is gone")]
    FolderGone(PathBuf),
    /// The test was reaped by somebody else.
    #[error("somebody else has waited for the test")]
    TestReaped,
    /// The server was reaped by somebody else.
    #[error("somebody else has waited for the server")]
    ServerReaped,
    /// The program was started by hand, as only a slot starts it.
    #[error("this is for reduct to call, not for you")]
    NoSlot,
    /// A message is longer than a frame can be.
    #[error("a frame is too long")]
    FrameTooLong,
}

/// What is wrong in the folder of a slot.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum FolderFault {
    /// A file stays as old as it was.
    #[error("the time of {0} cannot be set")]
    Untimely(PathBuf),
    /// A folder that was laid is something else now.
    #[error("{0} is no folder any more")]
    NoFolder(PathBuf),
    /// The same path is a file and a folder of one candidate.
    #[error("{0} is wanted as a folder, too")]
    WantedAsFolder(PathBuf),
    /// Two entries of one candidate have the same path.
    #[error("{0} is wanted twice")]
    WantedTwice(PathBuf),
    /// The system has dropped some of what it had to tell.
    #[error("more was touched than could be heard of")]
    TooMuch,
}

/// Why a command cannot be a test.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Unstartable {
    /// It has no words.
    #[error("there is no command to run")]
    NoCommand,
    /// A candidate is an argument or variable with a NUL in it, or one that is too long.
    #[error("no process can be given such an argument or variable")]
    NotGivable,
}

/// What was tried when a call of the system failed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Attempt {
    /// To make the rules that a test obeys.
    #[error("cannot confine the test")]
    Confine,
    /// To start a program.
    #[error("cannot start {0}")]
    Start(PathBuf),
    /// To open a candidate as standard input.
    #[error("cannot open {0}")]
    Open(PathBuf),
    /// To wait for a test.
    #[error("cannot watch the test")]
    WatchTest,
    /// To wait for a server.
    #[error("cannot watch the server")]
    WatchServer,
}

/// What a server does that no server does, as what follows its name.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Breach {
    /// Its answer goes on.
    #[error("says more than one line")]
    ManyLines,
    /// Nothing can be heard of it any more.
    #[error("has closed its standard output")]
    ClosedOutput,
    /// Nothing can be told it any more.
    #[error("has closed its standard input")]
    ClosedInput,
    /// It speaks between two questions.
    #[error("says {0} without being asked")]
    Unasked(String),
    /// Its greeting names another version.
    #[error("speaks version {0} of the protocol, and this reduct version 1")]
    OtherVersion(String),
    /// It does not greet.
    #[error("says {0} where `reduct 1` was expected")]
    NoGreeting(String),
    /// It does not greet in time.
    #[error("did not say `reduct 1` in time: it may not speak the protocol of servers")]
    LateGreeting,
    /// It reached another limit before it greeted.
    #[error("did not begin: {0}")]
    NotBegun(String),
    /// Nobody wanted it any more before it greeted.
    #[error("was cancelled")]
    Cancelled,
    /// It ended before it greeted.
    #[error("ended with {} before it said `reduct 1`", .0.as_deref().unwrap_or("an unknown end"))]
    Ended(Option<String>),
    /// One question has two answers.
    #[error("answers more than once")]
    TwoAnswers,
    /// It says something that is no answer.
    #[error("answers {0}")]
    NoAnswer(String),
}

/// Why gdb does not say where a program died.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NoBacktrace {
    /// There is no gdb.
    #[error("gdb is not installed")]
    NoDebugger,
    /// The system forbids it.
    #[error("gdb may not trace programs here (ptrace is forbidden)")]
    Forbidden,
    /// It ended otherwise than in the test.
    #[error("the program did not die under gdb")]
    DidNotDie,
    /// gdb itself was ended.
    #[error("gdb did not come to an end")]
    Unfinished,
}
