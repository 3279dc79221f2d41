//! How a person sees by hand what a test does.

use std::path::{Path, PathBuf};

/// How a test of a command's own circumstances is run.
pub enum RanWith<'a> {
    /// In a copy of this folder.
    CopyOf(&'a Path),
    /// In a fresh folder with copies of the files that it names.
    FreshFolder,
}

/// Returns how the command was run.
pub fn circumstances(ran: &RanWith<'_>) -> String {
    match ran {
        RanWith::CopyOf(top) => format!("the command was run in a copy of {}", top.display()),
        RanWith::FreshFolder => {
            "the command was run in a fresh folder with copies of the files that it names; if it needs others from your \
             folder, `reduct all` and `reduct files` take all of them"
                .into()
        }
    }
}

/// A word of the command that is another one in a test.
pub struct Reworded {
    /// As it was typed.
    pub typed: String,
    /// What it is in a test.
    pub is: RunAs,
}

/// What a word of the command is in a test.
pub enum RunAs {
    /// The candidate.
    Candidate,
    /// A word with `$d` in it, the folder of the test.
    InFolder(String),
    /// A word with `{}` in it, the candidate.
    WithCandidate(String),
    /// Another word.
    Word(String),
}

/// Returns what to type to see what a test does: `line`, and what of the command stands for what.
pub fn by_hand(reworded: &[Reworded], leads_out: Option<(&str, PathBuf)>, line: &str) -> String {
    let reworded: String = reworded.iter().map(|it| format!("{}\n", run_as(it))).collect();
    let leads_out = leads_out.map_or_else(String::new, |(word, up)| {
        let up = up.display();
        format!(
            "`{word}` of the command leads out of the folder of the test, where it is not: --in {up} copies that, too\n"
        )
    });
    format!("{reworded}{leads_out}to see it by hand:\n  {line}")
}

/// Returns the line for a shell that copies these into a new folder, and runs a command where it stands there.
pub fn in_new_folder(copied: &str, stands: &str, command: &str) -> String {
    format!("d=$(mktemp -d); cp -a {copied} \"$d\"; cd \"$d\"{stands}; {command}; echo \"exit status $?\"")
}

fn run_as(Reworded { typed, is }: &Reworded) -> String {
    match is {
        RunAs::Candidate => format!("`{typed}` of the command is run as the candidate"),
        RunAs::InFolder(word) => format!("`{typed}` of the command is run as `{word}`, $d being the copy"),
        RunAs::WithCandidate(word) => {
            format!("`{typed}` of the command is run as `{word}`, {{}} being the candidate")
        }
        RunAs::Word(word) => format!("`{typed}` of the command is run as `{word}`"),
    }
}
