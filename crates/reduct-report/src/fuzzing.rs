//! Where inputs come from that are fuzzed, and the script that shows a failure again.

use crate::human;
use std::path::{Path, PathBuf};

/// Where inputs come from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputSource {
    /// They are made by generators of these names, in turns.
    Made(Vec<&'static str>),
    /// They are files.
    Found {
        /// How many.
        files: usize,
        /// Folders that could not be read.
        left_out: Vec<PathBuf>,
    },
}

impl InputSource {
    /// Returns it in words.
    pub fn describe(&self) -> String {
        match self {
            InputSource::Made(generators) => generators.join(", "),
            InputSource::Found { files, left_out } => {
                let left_out =
                    left_out.iter().map(|folder| format!("; {} cannot be read and is left out", folder.display()));
                human::counted(*files as u64, "files") + &left_out.collect::<String>()
            }
        }
    }
}

/// How an input comes again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum InputOrigin<'a> {
    /// It was this file.
    File(&'a Path),
    /// It was made.
    Made {
        /// From this seed.
        seed: u64,
        /// By this generator.
        generator: &'a str,
        /// In this trial.
        trial: u64,
        /// What makes the input of a trial again, as words after `reduct fuzz`.
        recipe: &'a str,
    },
}

impl InputOrigin<'_> {
    /// Returns where it is from, in words.
    pub fn describe(&self) -> String {
        match self {
            InputOrigin::File(file) => file.display().to_string(),
            InputOrigin::Made { seed, generator, trial, .. } => format!("seed {seed}, {generator}, trial {trial}"),
        }
    }

    /// Returns what makes it again, in words.
    fn again(&self) -> String {
        match self {
            InputOrigin::File(file) => format!("it was {}", file.display()),
            InputOrigin::Made { recipe, trial, .. } => format!("reduct fuzz {recipe} --trial {trial} makes it again"),
        }
    }
}

/// A script that shows a failure again. All but the failure are words of a shell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RepeatScript<'a> {
    /// What fails.
    pub failure: &'a str,
    /// Where the input is from.
    pub origin: InputOrigin<'a>,
    /// What the input is called, in the folder of the script.
    pub name: &'a str,
    /// What it is called when it is reduced.
    pub reduced: &'a str,
    /// Where the command finds it.
    pub path: &'a str,
    /// The command.
    pub command: &'a str,
    /// What its standard input is.
    pub stdin: &'a str,
}

impl RepeatScript<'_> {
    /// Returns its text: it runs the command on what was reduced, or on any file.
    pub fn text(&self) -> String {
        let RepeatScript { name, reduced, path, command, stdin, .. } = self;
        // No line of a comment may end before it does.
        let says = |text: &str| text.replace(|c: char| c.is_control(), " ");
        let (failure, origin, again) = (says(self.failure), says(&self.origin.describe()), says(&self.origin.again()));
        format!(
            "#!/bin/sh\n# {failure}\n# The input is from: {origin}; {again}\n\
             # Runs the command on the reduced input, or on the file that is given.\n\
             here=$(cd \"$(dirname \"$0\")\" && pwd)\n\
             file=$here/{reduced}; [ -e \"$file\" ] || file=$here/{name}; [ $# -eq 0 ] || file=$1\n\
             d=$(mktemp -d) && trap 'rm -rf \"$d\"' EXIT && cp -- \"$file\" {path} && cd \"$d\" || exit 2\n\
             {command} {stdin}\nstatus=$?\necho \"exit status $status\" >&2\nexit $status\n"
        )
    }
}
