//! What is said of a run besides its result: what it rests on, and what became of what it knew before.

use crate::preflight::failure::died_somewhere;
use crate::{excerpt, human};
use std::path::PathBuf;

/// What a person should know of how the tests of a run went.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunRemark {
    /// A server said so often that a candidate fails where a fresh one says otherwise.
    ServerRemembers(u64),
    /// Tests ran in copies of this folder.
    RanInCopies(PathBuf),
    /// So many outcomes are those of earlier runs.
    Borrowed(u64),
    /// Addresses in memory differ from run to run.
    RandomAddresses,
    /// What was packed in archives of the input was reduced as files: so many bytes were the input and are the result as files.
    Unpacked {
        /// The input.
        before: usize,
        /// The result.
        after: usize,
    },
    /// Any death by this signal counted.
    AnyDeath(i32),
    /// The result says something else than the input did.
    SaysOtherwise {
        /// What the input said.
        first: String,
        /// What the result says.
        result: String,
    },
    /// What the run had come to is kept under this name.
    KeptEarlier(PathBuf),
    /// The result failed in few runs, so an earlier and larger one was taken.
    WentBack {
        /// How large the result was, in bytes.
        bytes: usize,
        /// How often it failed.
        failed: u32,
        /// In so many runs.
        runs: u32,
        /// So many steps back.
        steps: usize,
        /// How often what was taken failed, each time.
        held: u32,
        /// Whether tests ran in copies of a project, in which earlier ones may leave something.
        in_copies: bool,
    },
}

/// Returns the words of a remark.
pub fn describe(remark: &RunRemark) -> String {
    match remark {
        RunRemark::ServerRemembers(times) => format!(
            "the server keeps something from test to test: {} it answered that a candidate fails, and a fresh server answered \
             otherwise; the fresh answer counts",
            human::times(*times)
        ),
        RunRemark::RanInCopies(top) => {
            format!("Tests ran in copies of {} (--bare: without it).", excerpt::path(top))
        }
        RunRemark::Borrowed(outcomes) => format!(
            "The answer rests on {} of earlier runs (--reuse) that were not run again.",
            human::counted(*outcomes, "outcomes")
        ),
        RunRemark::RandomAddresses => {
            "tests lie at other addresses in memory in each run, as personality(2) is forbidden here: a stack that \
             overflows may do so now and then"
                .into()
        }
        RunRemark::Unpacked { before, after } => format!(
            "What is packed was reduced as files, and stands in the result without compression: packed, {} before, {} now.",
            human::counted(*before as u64, "bytes"),
            human::counted(*after as u64, "bytes")
        ),
        RunRemark::AnyDeath(signal) => format!("A {} counted.", died_somewhere(*signal).trim_start_matches("a ")),
        RunRemark::SaysOtherwise { first, result } => format!("at first: {first}; the result: {result}"),
        RunRemark::KeptEarlier(kept) => {
            format!("The earlier result of the run is kept as {}.", excerpt::path(kept))
        }
        RunRemark::WentBack { bytes, failed, runs, steps, held, in_copies } => format!(
            "What the search came to ({} bytes) failed in only {failed} of {runs} more runs, so the run went back by {} to \
             the smallest that was seen to fail {} in a row. That it is minimal is not claimed. {}For a test that \
             fails now and then there is --repeat.",
            human::count(*bytes),
            if *steps == 1 { "one step".into() } else { format!("{} steps", human::count(*steps)) },
            human::times(u64::from(*held)),
            match in_copies {
                true =>
                    "These runs had fresh copies of the project: if the test makes files there, have it remove them first (docs/PROJECTS.md). ",
                false => "",
            },
        ),
    }
}

/// Returns that the steps of a run cannot be made again, and why.
pub fn no_way_back(why: &str) -> String {
    format!("the steps of the run cannot be walked through again: {why}")
}

/// What of a test is not as it was when its outcomes were learned.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotAsBefore {
    /// The version that began the run did not note what the test relies on.
    NotNoted,
    /// Not all that it relies on could be watched, and why.
    NotWatched(String),
    /// These files have changed.
    Files(Vec<PathBuf>),
    /// These variables have changed.
    Variables(Vec<String>),
    /// Something else around the candidate.
    Surroundings,
}

impl NotAsBefore {
    fn words(&self) -> String {
        match self {
            NotAsBefore::NotNoted => {
                "The run was begun by a version that did not note the files that its test relies on".into()
            }
            NotAsBefore::NotWatched(why) => format!("Not all could be watched that the test relies on ({why})"),
            NotAsBefore::Files(files) => format!("Changed since: {}", paths(files)),
            NotAsBefore::Variables(names) => {
                format!("Changed since, in the environment: {}", human::listed(names.clone()))
            }
            NotAsBefore::Surroundings => "What the test finds around the candidate has changed since".into(),
        }
    }
}

/// Why outcomes that were known do not count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Forgotten {
    /// Those of other runs, as the test is not known to be the same.
    OfOthers(NotAsBefore),
    /// Those of other runs, as what was just run says otherwise.
    OthersDisagree,
    /// Those of this run, as the test is not the same.
    OfThisRun(NotAsBefore),
    /// Those of other runs, as the result says otherwise.
    ResultDisagrees,
}

/// Returns that outcomes do not count, as a sentence.
pub fn forgotten(forgotten: &Forgotten) -> String {
    match forgotten {
        Forgotten::OfOthers(why) => format!("{}: no outcome of earlier runs is used.", why.words()),
        Forgotten::OthersDisagree => {
            "The outcomes of earlier runs contradict a test that was just run: none of them is used.".into()
        }
        Forgotten::OfThisRun(why) => {
            format!("{}: the outcomes so far are thrown away, and the run starts over.", why.words())
        }
        Forgotten::ResultDisagrees => {
            "The result contradicts the outcomes of earlier runs: they are thrown away, and the run starts over.".into()
        }
    }
}

/// Returns that it is found out whether the test looks at these files of the project, which are not as they were.
pub fn looks_at(files: &[PathBuf]) -> String {
    format!("Changed since: {}. Running the test, to see whether it looks at that.", paths(files))
}

/// Returns that these files of the project are not as they were, and that the test does not look at them.
pub fn changed_unseen(files: &[PathBuf]) -> String {
    format!(
        "Changed since, but on the whole input and on the empty one the test does not look at it: {}. The outcomes so far count.",
        paths(files)
    )
}

/// Returns that these variables are not as they were, though the test is not known to read them.
pub fn other_environment(names: Vec<String>) -> String {
    let names = human::listed(names);
    format!("Not as when the run began, in the environment: {names}. If the test reads that, begin anew.")
}

/// Returns some paths in words: the first few, and how many more there are.
pub fn paths(paths: &[PathBuf]) -> String {
    human::listed(paths.iter().map(|path| path.display().to_string()).collect())
}

/// Why not all could be watched that a test relies on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotWatched {
    /// There are too many folders to watch.
    ManyFolders,
    /// It opens more files than so many.
    ManyFiles(usize),
}

/// Returns why not all could be watched.
pub fn not_watched(why: NotWatched) -> String {
    match why {
        NotWatched::ManyFolders => "there are too many folders".into(),
        NotWatched::ManyFiles(most) => format!("it opens more than {most} files"),
    }
}
