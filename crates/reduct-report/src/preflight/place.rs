//! Where tests run, and why: in a bare folder, or in a copy of the user's.

use crate::{human, own_place};
use std::path::{Path, PathBuf};

/// Why tests run in a copy of the user's folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WhyCopy {
    /// It fails otherwise in a bare folder, where something is missing.
    Missing,
    /// It fails otherwise there: in a copy, it shows this.
    FailsOtherwise(String),
    /// It uses files of that folder.
    Uses(Use),
}

/// Returns the words of a reason, to follow what it is the reason of.
pub fn because(reason: &WhyCopy) -> String {
    match reason {
        WhyCopy::Missing => "as it fails in another way in a bare folder, where something is missing".into(),
        WhyCopy::FailsOtherwise(shown) => format!("as it fails in another way in a bare folder: {shown}"),
        WhyCopy::Uses(used) => format!("as {}", uses(used)),
    }
}

/// Where something is run before a search.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Where {
    /// In a copy of the project.
    Copy,
    /// In a bare folder, after it was run in a copy.
    Bare,
}

/// Returns what is run, which is "the whole input" or what fails, and where if it is run in both.
pub fn checked(what: &'static str, place: Option<Where>) -> &'static str {
    match (what, place) {
        (what, None) => what,
        ("the whole input", Some(Where::Copy)) => "the whole input in a copy of the project",
        ("the whole input", Some(Where::Bare)) => "the whole input in a bare folder",
        (_, Some(Where::Copy)) => "the failing side in a copy of the project",
        (_, Some(Where::Bare)) => "the failing side in a bare folder",
    }
}

/// What a test does with files of the folder in a copy of which it ran.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Use {
    /// It writes to a file that its command names.
    WritesNamed(PathBuf),
    /// It writes to a file to which its command leads by a full path.
    WritesLedTo(PathBuf),
    /// It writes to a file there, and what its command names could write to the user's.
    Writes {
        /// The file.
        file: PathBuf,
        /// What the command names.
        named: PathBuf,
    },
    /// It makes a file in the folder of one that its command names.
    MakesBeside {
        /// What it makes.
        made: PathBuf,
        /// What the command names.
        named: PathBuf,
    },
    /// It makes a file, and a program may go to the folder in which that program stands.
    MakesSomewhere {
        /// What it makes.
        made: PathBuf,
        /// What may go there.
        goer: Goer,
    },
    /// It may write to a file that its command names.
    MayWrite(PathBuf),
    /// It was not seen what it writes to.
    MayWriteSomewhere(Goer),
    /// It opens files there.
    Opens {
        /// The first.
        first: PathBuf,
        /// How many more.
        more: usize,
    },
}

/// A program that may go to the folder in which it stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goer {
    /// Its path.
    pub path: PathBuf,
    /// Whether it holds words that ask for that folder. Else it could not be read as a script.
    pub asks: bool,
}

impl Goer {
    fn words(&self) -> String {
        own_place::describe(&self.path, self.asks)
    }
}

/// Returns what a test does with files of a folder.
pub fn uses(used: &Use) -> String {
    match used {
        Use::WritesNamed(file) => format!("it writes to {}, which its command names", file.display()),
        Use::WritesLedTo(file) => {
            format!("it writes to {}, to which its command leads by a full path", file.display())
        }
        Use::Writes { file, named } => {
            format!("it writes to {}, and {} could write to yours from a bare folder", file.display(), named.display())
        }
        Use::MakesBeside { made, named } => format!(
            "it writes to {} in the folder of {}, which is yours in a bare folder",
            made.display(),
            named.display()
        ),
        Use::MakesSomewhere { made, goer } => format!("it writes to {}, and {}", made.display(), goer.words()),
        Use::MayWrite(file) => {
            format!("it was not seen whether it writes to {}, which its command names", file.display())
        }
        Use::MayWriteSomewhere(goer) => format!("it was not seen what it writes to, and {}", goer.words()),
        Use::Opens { first, more: 0 } => format!("it opens {} there", first.display()),
        Use::Opens { first, more } => format!("it opens {} and {more} more there", first.display()),
    }
}

/// Why it cannot be seen what a test does in a copy of the user's folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NoCopy {
    /// The folder is too large, as this says.
    TooLarge(String),
    /// It cannot be copied, and why.
    Impossible(String),
}

/// Returns why there is no copy.
pub fn not_copied(why: &NoCopy) -> String {
    match why {
        NoCopy::TooLarge(excess) => excess.clone(),
        NoCopy::Impossible(why) => format!("your folder cannot be copied ({why})"),
    }
}

/// What is said by which a bare folder is seen to lack something, or to have too much.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Sign {
    /// The test names a file that stands in the user's folder.
    Names(String),
    /// The test says this.
    Says(String),
}

/// Returns that a bare folder will not do, as a sign there says, and why a copy cannot be had.
pub fn lacks_in_bare(sign: &Sign, why: &NoCopy) -> String {
    let sign = match sign {
        Sign::Names(file) => format!("the test names {file}, which is in your folder"),
        Sign::Says(line) => format!("the test says “{line}”"),
    };
    format!("in a bare folder, {sign}, and {}", not_copied(why))
}

/// Returns that a test exits with 0 in a bare folder, and fails in a copy.
pub fn fails_in_copy_only(top: &Path, shown: &str) -> String {
    format!("the test exits with 0 in a bare folder, and fails in a copy of {}: {shown}", top.display())
}

/// What was seen in a copy, for which tests run in a bare folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InCopy {
    /// The test says this, which an earlier run may have left there.
    LeftOver(String),
    /// An empty input fails there, too, and the test uses this.
    EmptyFails(Use),
    /// It cannot be told there whether the input fails.
    CannotTell(Use),
    /// The input does not fail there.
    DoesNotFail(Use),
}

impl InCopy {
    fn words(&self) -> String {
        let what = match self {
            InCopy::LeftOver(line) => {
                return format!("in a copy of your folder, the test says “{line}”, which an earlier run may have left");
            }
            InCopy::EmptyFails(used) => ("an empty input fails too", used),
            InCopy::CannotTell(used) => ("it cannot be told whether the input fails", used),
            InCopy::DoesNotFail(used) => ("the input does not fail", used),
        };
        format!("in a copy of your folder, {}, and {}", what.0, uses(what.1))
    }
}

/// What is said once while it is found out where tests run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlaceNote {
    /// They run in a copy of this folder.
    RunsInCopy {
        /// The folder.
        top: PathBuf,
        /// How many files besides the candidate it has.
        files: usize,
        /// Why there.
        reason: WhyCopy,
    },
    /// They run in a bare folder, and why.
    RunsBare(InCopy),
    /// A file holds the full path of the user's folder.
    HoldsFullPath {
        /// The file.
        file: PathBuf,
        /// Whether a tool that configures builds has made it.
        is_configured: bool,
    },
    /// A program goes to the user's folder.
    WritesToYours(Goer),
    /// A folder is too large, as this says.
    TooLarge(String),
    /// It cannot be copied, and why.
    NotCopied(String),
    /// These files of the user's changed while a test ran in a copy.
    ChangedMeanwhile(String),
}

/// Returns a note as a sentence.
pub fn note(note: &PlaceNote) -> String {
    match note {
        PlaceNote::RunsInCopy { top, files, reason } => {
            let files = human::counted(*files as u64, "other files");
            let (top, reason) = (top.display(), because(reason));
            format!("The test runs in a copy of {top} ({files}), {reason}; --bare for the bare folder.")
        }
        PlaceNote::RunsBare(seen) => {
            format!("The test runs in a bare folder, as {}; --in . for the copy.", seen.words())
        }
        PlaceNote::HoldsFullPath { file, is_configured } => format!(
            "{} holds the full path of your folder: what a test builds, reads or writes by it is the original, not the \
             copy; let it use paths from where it runs{}.",
            file.display(),
            if *is_configured { ", or configure it first (as by `cmake -S . -B out`)" } else { "" }
        ),
        PlaceNote::WritesToYours(goer) => format!("{}: what it writes there, it writes to yours.", goer.words()),
        PlaceNote::TooLarge(excess) => format!("{excess}; --in copies it all the same."),
        PlaceNote::NotCopied(why) => {
            let why = not_copied(&NoCopy::Impossible(why.clone()));
            format!("Tests run without your project: {why}.")
        }
        PlaceNote::ChangedMeanwhile(files) => format!(
            "{files} in YOUR folder changed while the test ran in a copy of it: the test may write there by a path that is \
             not seen in its command, and then does so in each run; or another program did."
        ),
    }
}

/// What limits a result because of where its tests ran, for the last lines.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PlaceCaveat {
    /// There was no copy, so it was not seen whether the test needs one.
    NoCopy(NoCopy),
    /// It was not seen either where this was seen in a copy.
    Bare(InCopy),
    /// These files of the user's changed while a test ran in a copy.
    ChangedMeanwhile(String),
}

/// Returns a caveat as a sentence.
pub fn caveat(caveat: &PlaceCaveat) -> String {
    match caveat {
        PlaceCaveat::NoCopy(why) => {
            format!("Not seen: whether the test needs more of your folder than the input, as {}.", not_copied(why))
        }
        PlaceCaveat::Bare(seen) => {
            format!("Not seen: whether the test needs more of your folder than the input: {}.", seen.words())
        }
        PlaceCaveat::ChangedMeanwhile(files) => {
            format!("Changed in your folder while the test first ran in a copy of it, maybe by the test: {files}.")
        }
    }
}
