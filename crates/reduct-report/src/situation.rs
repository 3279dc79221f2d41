//! What of a command's arguments, variables and files matters, in words.

use crate::human;
use std::path::PathBuf;

/// More files than this are not named one by one.
const MOST_NAMED: usize = 10;

/// Why a file that stands elsewhere is not copied for tests.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotCopied {
    /// It is a folder.
    Folder,
    /// It is larger than 16 MB.
    Large,
}

/// What became of the files that arguments name by absolute paths.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NamedFiles {
    /// Tests have copies of them in their folder.
    Copied,
    /// They stand in the folder, and are named from there now.
    Relative,
    /// They are named as they were.
    Left,
}

/// A file that an argument names.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedFile {
    /// Where it stands.
    pub path: PathBuf,
    /// What its copy is called, if otherwise.
    pub renamed: Option<PathBuf>,
}

/// How it was chosen which files are searched.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileChoice {
    /// A file stays where it is.
    LeftWhereItIs(PathBuf, NotCopied),
    /// What became of these files.
    Named(NamedFiles, Vec<NamedFile>),
    /// Of so many files in the folder so many are searched: those that are opened.
    Opened {
        /// How many there are.
        files: usize,
        /// How many are searched.
        left: usize,
        /// Whether those that stand in folders that were listed are among them.
        with_listed: bool,
    },
    /// All of so many files are searched: it fails otherwise without those that are not opened.
    All(usize),
}

impl FileChoice {
    /// Returns it in words.
    pub fn describe(&self) -> String {
        match self {
            FileChoice::LeftWhereItIs(path, why) => {
                let why = match why {
                    NotCopied::Folder => "it is a folder",
                    NotCopied::Large => "it is larger than 16 MB",
                };
                format!("Left where it is, as {why}: {}", path.display())
            }
            FileChoice::Named(what, files) => {
                let what = match what {
                    NamedFiles::Copied => "Copied into the folder of the test",
                    NamedFiles::Relative => "Named by relative paths, so that tests have copies",
                    NamedFiles::Left => "Left where they are, as it does not fail so with copies",
                };
                let name = |NamedFile { path, renamed }: &NamedFile| {
                    let renamed = renamed.as_ref().map(|copy| format!(" (as {})", copy.display())).unwrap_or_default();
                    format!("{}{renamed}", path.display())
                };
                format!("{what}: {}", files.iter().map(name).collect::<Vec<_>>().join(", "))
            }
            FileChoice::Opened { files, left, with_listed } => {
                let (files, left) = (human::counted(*files as u64, "files"), human::count(*left as u64));
                let which = match with_listed {
                    false => format!("the command opens {left}"),
                    true => format!("{left} are opened, or stand where the command looks"),
                };
                format!("Of {files} in the folder, {which}: it fails just so without the rest")
            }
            FileChoice::All(files) => {
                let files = human::counted(*files as u64, "files");
                format!(
                    "Of {files} in the folder, all are searched: without those that are not opened it does not fail so"
                )
            }
        }
    }
}

/// What is to be said of a command when the search is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SituationLine {
    /// The search did not come to its end, or the result did not fail again.
    SoFar,
    /// How it was chosen what was searched.
    Chosen(FileChoice),
    /// Some of what was searched matters.
    Matters {
        /// What: arguments, variables or files.
        what: &'static str,
        /// How many there were.
        before: usize,
        /// How many matter.
        after: usize,
        /// What they are called, if that says something.
        names: Vec<String>,
    },
    /// The command, as it still fails.
    StillFails(String),
}

impl SituationLine {
    /// Returns it in words.
    pub fn describe(&self) -> String {
        match self {
            SituationLine::SoFar => "What is left of it so far is in run.sh, values of variables included.".into(),
            SituationLine::Chosen(choice) => choice.describe(),
            SituationLine::Matters { what, before, after, names } => {
                let names: String = match &names[..] {
                    [] => String::new(),
                    few if few.len() <= MOST_NAMED => format!(": {}", few.join(", ")),
                    many => format!(": {} and {} more", many[..MOST_NAMED].join(", "), many.len() - MOST_NAMED),
                };
                let verb = if *after == 1 { "matters" } else { "matter" };
                let (before, after) = (human::counted(*before as u64, what), human::count(*after as u64));
                format!("Of {before}, {after} {verb}{names}")
            }
            SituationLine::StillFails(line) => format!("It still fails: {line}"),
        }
    }
}
