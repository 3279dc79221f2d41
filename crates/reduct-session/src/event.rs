//! Everything that can be seen of a session: the journal, the screen, the event file and the writer of
//! the best are observers of these events and of nothing else.

use crate::executor::RunId;
use reduct_core::{Key, Outcome};
use reduct_input::Candidate;
use reduct_oracle::Exit;
use reduct_oracle::sampling::{Confidence, Rate, Tally};
use reduct_strategies::{Evidence, Phase};
use std::io;
use std::path::PathBuf;
use std::time::Duration;

/// Something that happened in a session, in the order in which it happened. Everything that can happen is on this page;
/// an observer passes over what it does not know, as there may be more one day.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event {
    /// A run before the search is about to be made, which may take a while.
    Checking {
        /// What is run.
        what: &'static str,
    },
    /// Something is to be known of how tests are run, or of why they are not.
    Note {
        /// What, in a sentence.
        text: String,
    },
    /// A run before the search: the whole input, the empty one.
    Preflight {
        /// What was run.
        what: &'static str,
        /// What the test said.
        outcome: Outcome,
        /// How it ended.
        exit: Exit,
        /// How long it took.
        elapsed: Duration,
    },
    /// What is known of the run is kept here.
    Kept {
        /// The run's folder.
        folder: PathBuf,
    },
    /// The session knows what the failure is, and begins.
    Began(Box<Began>),
    /// A phase of the search began.
    Phase(Phase),
    /// A test was started.
    Started {
        /// The tests that are under way, this one included, in the order in which they were started.
        running: Vec<UnderWay>,
    },
    /// A run of a test ended, and printed this.
    Printed {
        /// The end of its standard output.
        stdout: Vec<u8>,
        /// The end of its standard error.
        stderr: Vec<u8>,
    },
    /// A test ended that decides nothing yet: its candidate takes more runs.
    Voted {
        /// Under which key the outcome will be known.
        key: Key,
        /// The number of the run, from 0.
        number: u32,
        /// What it said.
        outcome: Outcome,
        /// How it ended.
        exit: Exit,
        /// How long it took.
        elapsed: Duration,
    },
    /// A test ended, and with it the outcome of its candidate is known. It may be of a question that the search never
    /// comes to ask.
    Ran {
        /// Under which key its outcome is known.
        key: Key,
        /// What it said; if the candidate took several runs, what they said together.
        outcome: Outcome,
        /// How it ended.
        exit: Exit,
        /// How long it took.
        elapsed: Duration,
        /// If the candidate took several runs: what they said.
        votes: Option<Tally>,
    },
    /// The search took an outcome: this is the sequence that is the same for any number of jobs.
    Retired {
        /// Its number in the sequence, from 1.
        n: u64,
        /// The size of what was tested, in the unit of the plan.
        size: usize,
        /// What the test said.
        outcome: Outcome,
        /// Whether the search had asked it before.
        cached: bool,
        /// The pass that asked, if the search says so.
        pass: Option<&'static str>,
        /// How many parts of its phase are decided since, and of how many, if the search says so.
        decided: Option<(usize, usize)>,
    },
    /// The search goes on from something smaller.
    Improved {
        /// After how many retired questions.
        n: u64,
        /// What is the best now.
        best: Candidate,
        /// What was the best before.
        before: Candidate,
        /// Of an isolation: what passes now; of an enumeration: all that was found.
        passing: Option<Candidate>,
        /// Its size in the unit of the plan.
        size: usize,
        /// What that is counted in now.
        unit: &'static str,
    },
    /// Another failure than the one in question was met (slippage refused).
    Other {
        /// What it looks like.
        signature: String,
        /// The candidate that showed it.
        candidate: Candidate,
    },
    /// Something outside the tests went wrong; the session waits and tries again.
    Trouble {
        /// What.
        what: String,
        /// How long it waits.
        pause: Duration,
    },
    /// A phase was given up on request, or its whole pass for the rest of the run.
    Skipped {
        /// After how many retired questions.
        n: u64,
        /// The name of the pass that is given up.
        pass: Option<&'static str>,
    },
    /// No more tests are started, on request, or they are again.
    Paused(bool),
    /// An answer was taken back: the search begins again, with all others known.
    Undone {
        /// Under which key it was known.
        key: Key,
    },
    /// What was known from earlier is thrown away, and all begins again from the whole input.
    Forgotten {
        /// Why.
        why: String,
    },
    /// The search is over; what it ended at is about to be run once more, from the disk.
    Finishing {
        /// What it ended at.
        best: Candidate,
        /// Of an isolation: what passes.
        passing: Option<Candidate>,
    },
    /// The session is over.
    Ended(Box<Ended>),
}

mod made;

/// A run of a test that is under way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct UnderWay {
    /// Which run it is.
    pub run: RunId,
    /// Under which key its outcome will be known.
    pub key: Key,
    /// The number of the run among those of its candidate, from 0.
    pub number: u32,
    /// How large what it tests is, in bytes.
    pub bytes: usize,
}

/// What is known when a session begins.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Began {
    /// The whole input.
    pub whole: Candidate,
    /// Its size in the unit of the plan.
    pub size: usize,
    /// What sizes are counted in.
    pub unit: &'static str,
    /// What the failure is, in words.
    pub failure: String,
    /// How many tests may run at a time.
    pub jobs: usize,
    /// The time limit of a test.
    pub time_limit: Option<Duration>,
    /// How many outcomes are known from earlier.
    pub known: usize,
}

/// How a session ended.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Ended {
    /// Why.
    pub why: Why,
    /// The best there is.
    pub best: Candidate,
    /// Its size in the unit of the plan.
    pub size: usize,
    /// Of an isolation: what passes, and differs from the best in nothing but what is to blame.
    pub passing: Option<Candidate>,
    /// What sizes are counted in.
    pub unit: &'static str,
    /// How many questions the search asked.
    pub asked: u64,
    /// How many of them it had asked before.
    pub repeated: u64,
    /// How many tests of the search were run in this session, those in vain included.
    pub runs: u64,
    /// How many questions were unresolved.
    pub unresolved: u64,
    /// How long it took.
    pub elapsed: Duration,
    /// What is shown of the best.
    pub evidence: Evidence,
    /// If candidates took several runs: how sure it is.
    pub confidence: Option<Confidence>,
    /// If that was measured at the end: how often the result fails.
    pub rate: Option<Rate>,
    /// If candidates took several runs, and parts of the result were tried again: in so large a share of its runs or more
    /// fails what was looked for then.
    pub share: Option<f64>,
    /// Whether the result still failed when it was run again at the end; `None` if it was not run.
    pub confirmed: Option<bool>,
    /// How often it was run again; `None` if that is not said.
    pub again: Option<Again>,
    /// What was decided by the time limit.
    pub timeouts: Timeouts,
    /// What else is to be said of how the result came about, line by line.
    pub notes: Vec<String>,
}

/// How a result did when it was run again at the end.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Again {
    /// How often it was run.
    pub runs: u32,
    /// How often it failed.
    pub failed: u32,
    /// Whether it may fail now and then only, as long as that is often enough.
    pub may_pass: bool,
    /// Whether it is larger than what the search came to, since that did not fail each time.
    pub went_back: bool,
}

/// What the time limit decided in a session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Timeouts {
    /// So many questions were unresolved since a run had the processor all the time, and reached the limit.
    pub busy: u64,
    /// So many since a run reached the limit, and once more when it was run alone.
    pub alone: u64,
    /// So many runs reached the limit beside others, and ended in time when they were run alone.
    pub in_time: u64,
}

/// Why a session ended.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Why {
    /// The search is over.
    Done,
    /// Nothing that removes this many units or more is left to try.
    Granularity(usize),
    /// The last tests brought too little.
    Stall {
        /// How many tests.
        tests: u64,
        /// How little, in percent.
        percent: u64,
    },
    /// The time is up.
    Time(Duration),
    /// The number of tests is reached.
    Tests(u64),
    /// The user said so, by key.
    Stopped,
    /// Interrupted by Ctrl-C or a signal.
    Interrupted,
    /// Something outside the tests went wrong and did not pass.
    Trouble(String),
}

impl Why {
    /// Returns its name, as in the event file.
    pub fn name(&self) -> &'static str {
        match self {
            Why::Done => "done",
            Why::Granularity(_) => "granularity",
            Why::Stall { .. } => "stall",
            Why::Time(_) => "time",
            Why::Tests(_) => "tests",
            Why::Stopped => "stopped",
            Why::Interrupted => "interrupted",
            Why::Trouble(_) => "trouble",
        }
    }
}

/// Something that is shown or kept of a session.
pub trait Observer {
    /// Takes an event.
    ///
    /// # Errors
    /// If it cannot be kept. The session then waits and offers the event again.
    fn on(&mut self, event: &Event) -> io::Result<()>;
}
