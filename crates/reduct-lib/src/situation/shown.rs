//! What is left for the user: a folder with a script that runs the reduced command, and its files.

use super::place::Laid;
use crate::errors::Refusal;
use crate::shell::quoted_bytes as quoted;
use reduct_input::situation::{Given, SituationRole};
use reduct_input::{Artifact, ArtifactBuilder, Candidate, Entry, What};
use serde::{Deserialize, Serialize};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;

const SCRIPT: &str = "run.sh";

/// What the command leaves behind is not to stand among what was found.
const COPY: &[u8] = b"files=$(cd \"$(dirname \"$0\")/files\" && pwd) || exit 125
copy=$(mktemp -d) || exit 125
trap 'rm -rf \"$copy\"' 0
trap 'exit 130' HUP INT TERM
cp -a \"$files/.\" \"$copy\" && cd \"$copy\" || exit 125
";
const COMMAND: &str = "command.json";
const FILES: &str = "files";

/// Returns whether something of an answer is called so.
pub(crate) fn is_of_an_answer(name: &OsStr) -> bool {
    [SCRIPT, COMMAND, FILES].iter().any(|known| name == *known)
}

/// All of a command but what was reduced.
pub(super) struct Shape {
    /// The program, as typed.
    pub typed: OsString,
    /// The program, as it is started; `{}` is the folder of the test.
    pub program: OsString,
    /// Arguments that do not vary.
    pub fixed: Vec<OsString>,
    /// Whether it gets no variables but those that are left.
    pub bare: bool,
    /// What it finds in its folder.
    pub laid: Arc<Laid>,
}

/// What `command.json` holds.
/// It ends as the command does: if that died, by the same signal.
const END: &[u8] = b"status=$?
rm -rf \"$copy\"
trap - 0
[ \"$status\" -le 128 ] || kill -\"$((status - 128))\" $$
exit \"$status\"
";

#[derive(Serialize, Deserialize)]
struct Written {
    #[serde(with = "reduct_system::os_path")]
    program: PathBuf,
    #[serde(with = "reduct_system::os_path::several")]
    fixed: Vec<OsString>,
    arguments: Vec<Argument>,
    /// Whether there are no variables but these.
    bare: bool,
    variables: Vec<Variable>,
}

#[derive(Serialize, Deserialize)]
struct Argument {
    /// Which one it was, from 1.
    at: usize,
    #[serde(with = "reduct_system::os_path")]
    text: PathBuf,
}

#[derive(Serialize, Deserialize)]
struct Variable {
    #[serde(with = "reduct_system::os_path")]
    name: PathBuf,
    #[serde(with = "reduct_system::os_path")]
    value: PathBuf,
}

impl Shape {
    /// Returns the folder that shows this candidate.
    pub(super) fn shown(&self, best: &Candidate) -> Candidate {
        let given = Given::of(best);
        let mut builder = ArtifactBuilder::default();
        // What is left fitted when it was read, and a script is not much more.
        let _ = builder.file(COMMAND, 0o600, &self.described(&given));
        builder.folder(FILES, 0o755);
        let files = best.files_only();
        for candidate in [self.laid.files(), &files] {
            add_below(&mut builder, &candidate.artifact());
        }
        let _ = builder.file(SCRIPT, 0o700, &self.script(&given));
        Candidate::whole(builder.finish().into())
    }

    fn described(&self, given: &Given) -> Vec<u8> {
        let arguments = given.arguments.iter().map(|(at, text)| Argument { at: *at, text: text.into() });
        let variables = given.variables.iter().map(|(name, value)| Variable { name: name.into(), value: value.into() });
        let written = Written {
            program: self.typed.clone().into(),
            fixed: self.fixed.clone(),
            arguments: arguments.collect(),
            bare: self.bare,
            variables: variables.collect(),
        };
        let mut text = serde_json::to_vec_pretty(&written).unwrap_or_default();
        text.push(b'\n');
        text
    }

    fn script(&self, given: &Given) -> Vec<u8> {
        let mut text = b"#!/bin/sh\n# Runs the reduced command in a copy of the reduced circumstances.\n".to_vec();
        text.extend_from_slice(COPY);
        let program = match self.program.as_bytes().strip_prefix(b"{}") {
            Some(below) => [b".", below].concat(),
            None => self.program.as_bytes().to_vec(),
        };
        let words = self.words(given, OsStr::from_bytes(&program));
        text.extend_from_slice(&words.join(&b' '));
        text.extend_from_slice(b" </dev/null\n");
        text.extend_from_slice(END);
        text
    }

    /// Returns the command as a shell takes it, in a line.
    pub(super) fn line(&self, best: &Candidate) -> String {
        let words = self.words(&Given::of(best), &self.typed);
        let line = String::from_utf8_lossy(&words.join(&b' ')).into_owned();
        reduct_report::excerpt::shorten(&line, 2000)
    }

    fn words(&self, given: &Given, program: &OsStr) -> Vec<Vec<u8>> {
        let mut words: Vec<Vec<u8>> = vec![];
        if self.bare {
            words.extend([b"env".to_vec(), b"-i".to_vec()]);
            let pairs = given.variables.iter();
            words.extend(pairs.map(|(name, value)| quoted(&[name.as_bytes(), b"=", value.as_bytes()].concat())));
        }
        words.push(quoted(program.as_bytes()));
        words.extend(self.fixed.iter().map(|word| quoted(word.as_bytes())));
        words.extend(given.arguments.iter().map(|(_, word)| quoted(word.as_bytes())));
        words
    }
}

fn add_below(builder: &mut ArtifactBuilder, artifact: &Artifact) {
    for Entry { path, what } in artifact.entries() {
        let path = Path::new(FILES).join(path);
        match what {
            What::File { mode, bytes } => drop(builder.file(path, *mode, artifact.slice(bytes.clone()))),
            What::Link { target } => drop(builder.link(path, target)),
            What::Folder { mode } => drop(builder.folder(path, *mode)),
            What::Archive { mode, packing } => drop(builder.archive(path, *mode, *packing)),
        }
    }
}

/// Returns what was published at `out`, less what is laid.
///
/// # Errors
/// If it cannot be read.
pub(super) fn read_back(out: &Path, laid: &Laid) -> Result<Candidate, Refusal> {
    let place = out.join(COMMAND);
    let text = fs::read(&place).map_err(Refusal::io("read", &place))?;
    let written: Result<Written, _> = serde_json::from_slice(&text);
    let written = written.map_err(|error| Refusal::io("read", &place)(error.into()))?;
    super::place::assembled(
        written
            .arguments
            .into_iter()
            .map(|argument| (SituationRole::Argument(argument.at), argument.text.into_os_string()))
            .chain(
                written
                    .variables
                    .into_iter()
                    .map(|one| (SituationRole::Variable(one.name.into()), one.value.into_os_string())),
            ),
        &super::place::read(&out.join(FILES), laid)?,
        laid,
    )
}
