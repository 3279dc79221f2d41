//! A run as data, read back from its folder. The page, the pictures and the texts about a run are made from this.

use crate::inquiries::InquiryAnswer;
use crate::listing::Listing;
use crate::schedules::Sought;
use reduct_core::{Config, Outcome};
use reduct_input::Candidate;
use reduct_strategies::{Caveat, Claim, Phase};
use serde_json::Value;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// A run, read back.
#[derive(Clone, Debug)]
pub struct Story {
    /// The run's folder, from where it was read.
    pub run: PathBuf,
    /// The program that made it, and its version.
    pub tool: String,
    /// What was asked.
    pub question: StoryQuestion,
    /// The folder it was asked in, the inputs as typed, and where the result went.
    pub folder: PathBuf,
    /// The files and folders that were reduced or compared, as typed.
    pub inputs: Vec<PathBuf>,
    /// The test command, as typed.
    pub command: Vec<OsString>,
    /// Where the result went.
    pub out: PathBuf,
    /// What the failure is, in words; `None` if the run ended before that was known.
    pub failure: Option<String>,
    /// How often tests were run, by the journal.
    pub runs: u64,
    /// How long they took together, in milliseconds.
    pub ms: u64,
    /// The search, walked through again; `None` if that cannot be done, for which [`Story::missing`] has the reason.
    pub search: Option<StorySearch>,
    /// The steps that the journal has, which are all that is known of a search that cannot be walked through: after how
    /// many tests, and the size in bytes.
    pub improved: Vec<(u64, usize)>,
    /// How it ended; `None` if it was killed, or goes on.
    pub end: Option<StoryEnd>,
    /// Other failures that were met.
    pub others: Vec<OtherFailure>,
    /// What was not seen of where its tests run, and other lines that limit what it is worth.
    pub caveats: Vec<String>,
    /// Whether a person said what candidates do.
    pub by_person: bool,
    /// Whether the person is asked on a page of its own, too.
    pub asked_on_page: bool,
    /// Whether candidates were run several times, as the failure comes and goes.
    pub is_repeated: bool,
    /// The test command, as a line for a shell.
    pub test: String,
    /// The whole command line with which the run was begun, as a line for a shell; empty if it is not known.
    pub typed: String,
    /// A line for a shell that runs the test on the result as it was typed, with the result in the place of the candidate, if that
    /// is all that it takes. Typed in [`Story::folder`], as are the next two.
    pub plain: Option<String>,
    /// A line for a shell that runs the test on the result in a new folder, if there is one.
    pub repeat: Option<String>,
    /// The folder of the run, as a shell takes it.
    pub run_quoted: String,
    /// What `reduct explain` has found: the object of its file.
    pub explanation: Option<Value>,
    /// Of executions, values or switches of a program's run: the program with its arguments, as a line for a shell.
    pub program: String,
    /// Of executions: what is left of them, in the text of the program.
    pub listing: Option<Listing>,
    /// Of switches: which schedule is looked for, as soon as that is known.
    pub sought: Option<Sought>,
    /// What was found of them; `None` if nothing was yet.
    pub inquiry: Option<InquiryAnswer>,
    /// Of a search among changes: the object of its answer.
    pub answer: Option<Value>,
    /// What the run has left in words, if that is more than a smaller input: of changes, of a command's circumstances.
    pub answer_text: Option<String>,
    /// What could not be read, and so is not told.
    pub missing: Vec<StoryGap>,
}

/// What a run asks of a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoryQuestion {
    /// What is left of an input.
    Reduce,
    /// Which statement executions of a program its failure needs.
    Executions,
    /// What differs between two inputs.
    Isolate,
    /// Which minimal inputs there are.
    Minima,
    /// Which changes are to blame.
    Changes,
    /// What matters of what a command is given.
    Situation,
    /// Which values of a program's run cause its failure.
    Values,
    /// With which switches of threads a program fails.
    Switches,
}

impl Story {
    /// Returns a path as it is named in the folder in which the run was asked for, if it is below that.
    pub fn seen<'a>(&self, path: &'a Path) -> &'a Path {
        path.strip_prefix(&self.folder).ok().filter(|below| !below.as_os_str().is_empty()).unwrap_or(path)
    }
}

impl StoryQuestion {
    /// Returns whether it is asked by several searches and single runs: its tests are no parts of one input.
    pub fn is_inquiry(self) -> bool {
        matches!(self, StoryQuestion::Values | StoryQuestion::Switches)
    }
}

/// A search, walked through.
#[derive(Clone, Debug)]
pub struct StorySearch {
    /// The question that a person has not answered yet, if one is asked.
    pub asked: Option<OpenQuestion>,
    /// Of a run that went back to a step: where the search began again.
    pub branch: Option<StoryBranch>,
    /// What it began with.
    pub whole: Candidate,
    /// What it has come to.
    pub best: Candidate,
    /// Of an isolation: what passes; of an enumeration: all that was found.
    pub passing: Option<Candidate>,
    /// The size at the beginning, and what it is counted in.
    pub before: (usize, &'static str),
    /// The size at the end, and what it is counted in.
    pub after: (usize, &'static str),
    /// Whether the search came to its end.
    pub is_done: bool,
    /// What is shown of the best.
    pub claim: Claim,
    /// On what that rests besides tests.
    pub caveats: Vec<Caveat>,
    /// Its tests, in order.
    pub tests: Vec<StoryTest>,
    /// The accepted steps, in order.
    pub steps: Vec<StoryStep>,
    /// The phases, in order.
    pub phases: Vec<StoryPhase>,
    /// What the columns of the grid stand for, coarsest first: each test has a row of cells for each of these.
    pub columns: Vec<ColumnSet>,
    /// What passes and is closest to the result.
    pub neighbour: Option<StoryNeighbour>,
    /// Of an isolation: what differs between what passes and what fails.
    pub sides_differ: Vec<DiffPiece>,
}

/// A question that waits for the answer of a person.
#[derive(Clone, Debug)]
pub struct OpenQuestion {
    /// Its number among all tests, from 1.
    pub number: u64,
    /// The size of the candidate in bytes.
    pub bytes: usize,
    /// The candidate, beside the best so far: what it lacks, with what stands around that.
    pub diff: Vec<DiffPiece>,
}

/// Where a search began again.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoryBranch {
    /// The number of the step; 0 is the whole.
    pub from: usize,
    /// The size of the whole that the run began with, and what it is counted in; with what was recorded since.
    pub whole: (usize, &'static str),
    /// Whether what was left there was recorded again, deeper.
    pub is_deeper: bool,
}

/// A test of a search.
#[derive(Clone, Debug)]
pub struct StoryTest {
    /// Its number, from 1.
    pub n: u64,
    /// Its size in the unit of the search.
    pub size: usize,
    /// What it said.
    pub outcome: Outcome,
    /// Whether it had been asked before.
    pub cached: bool,
    /// The phase it belongs to, a position in [`StorySearch::phases`].
    pub phase: usize,
    /// The number of the step that it brought.
    pub step: Option<usize>,
    /// How much of each column it has, from 0 (nothing) to [`FULL`] (all), for each set of columns; nothing where that is
    /// not known.
    pub cells: Vec<Box<[u8]>>,
    /// What it left out; `None` of those in the middle of a long run.
    pub row: Option<StoryRow>,
}

/// The fill of a cell of which nothing is left out.
pub const FULL: u8 = 4;

/// How a candidate is shown in the table of tests.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoryRow {
    /// The characters of a short input, each with whether it is left out.
    Line(Vec<(char, bool)>),
    /// What it removes from the best so far: bytes, entries, and the beginning of the text.
    Removed {
        /// How many bytes.
        bytes: usize,
        /// How many files, links and folders.
        entries: usize,
        /// The beginning of what goes, without anything that a terminal would obey.
        text: String,
    },
    /// What it consists of, as that is no part of the best: bytes, and the beginning of the text.
    Own(usize, String),
    /// What it was, in an inquiry.
    Tested(String),
}

/// An accepted step: something smaller, from which the search went on.
#[derive(Clone, Debug)]
pub struct StoryStep {
    /// Its number, from 1.
    pub number: usize,
    /// The number of the test that brought it.
    pub n: u64,
    /// The phase, a position in [`StorySearch::phases`].
    pub phase: usize,
    /// The size then, in the unit of the search.
    pub size: usize,
    /// What that is counted in.
    pub unit: &'static str,
    /// The size in bytes.
    pub bytes: usize,
    /// What went, with what stands around it.
    pub diff: Vec<DiffPiece>,
    /// What of the whole is left, as addresses in it; `None` where that is not known or too long to keep.
    pub kept: Option<Config>,
}

/// A piece of a diff.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum DiffPiece {
    /// Stands on both sides.
    Same(Vec<u8>),
    /// Went.
    Gone(Vec<u8>),
    /// Came in its place.
    Put(Vec<u8>),
    /// So many bytes are not shown; the flag says whether they went.
    Cut(usize, bool),
    /// What follows stands in this file.
    File(PathBuf),
    /// This file, link or folder went.
    EntryGone(PathBuf),
}

impl DiffPiece {
    /// Returns how many bytes it shows.
    pub fn len(&self) -> usize {
        match self {
            DiffPiece::Same(text) | DiffPiece::Gone(text) | DiffPiece::Put(text) => text.len(),
            DiffPiece::Cut(..) | DiffPiece::File(_) | DiffPiece::EntryGone(_) => 0,
        }
    }

    /// Returns whether it shows no bytes.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// A phase of a search: what it tried to leave out.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StoryPhase {
    /// What it was; `None` if the search does not say.
    pub phase: Option<Phase>,
    /// The number of its first test.
    pub first: u64,
    /// The number of its last test.
    pub last: u64,
}

/// What the columns of a grid stand for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ColumnSet {
    /// What a column is: `characters`, `lines`, `files`, `commits`, `bins`.
    pub name: &'static str,
    /// What each column is called.
    pub labels: Vec<String>,
}

/// What passes, and is closest to the result.
#[derive(Clone, Debug)]
pub struct StoryNeighbour {
    /// The number of the test.
    pub n: u64,
    /// Its size in bytes.
    pub bytes: usize,
    /// What the result has and it lacks.
    pub diff: Vec<DiffPiece>,
    /// The same of a plan: the executions.
    pub executions: Vec<StoryExecution>,
}

/// An execution of a statement.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StoryExecution {
    /// The file of the statement, and its line.
    pub place: String,
    /// The statement.
    pub text: String,
    /// Which of its executions in the recorded run it is, from 1 ...
    pub number: usize,
    /// ... of how many.
    pub of: usize,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq)]
pub struct StoryEnd {
    /// Whether nothing is left to do.
    pub is_done: bool,
    /// Why, by the name it has in events.
    pub why: String,
    /// Whether the result is larger than what the search came to, since that did not fail each time.
    pub went_back: bool,
    /// What was seen at the end; `None` of runs of before this was kept.
    pub seen: Option<reduct_session::journal::SeenAtEnd>,
}

/// Another failure than the one in question.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OtherFailure {
    /// What it looks like.
    pub signature: String,
    /// The smallest input that shows it, below the run's folder.
    pub place: PathBuf,
    /// Its size in bytes.
    pub bytes: usize,
}

/// What could not be read of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum StoryGap {
    /// The search cannot be walked through again.
    Search(String),
    /// The walk ends before the run did, as outcomes are missing: of another version, or taken from other runs.
    Outcomes {
        /// So many tests were walked through.
        walked: u64,
        /// So many had the run, at least.
        had: u64,
    },
    /// An inquiry has ended, but what it found is not in its folder.
    InquiryAnswer,
}
