//! What is told of a program that cannot be started.

use std::borrow::Cow;
use std::path::PathBuf;

/// What is in the way of starting a program, and what to do about it.
///
/// `name` is the program as the command names it, `word` the same as a shell takes it.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
pub(super) enum Obstacle {
    #[error("there is no program `{name}` on the search path")]
    NotOnSearchPath { name: String, one_word: Option<OneWord> },
    #[error("`{name}` stands in this folder, but a bare name is looked for on the search path only")]
    BareName { name: String, word: String },
    #[error("`{name}` stands in this folder, but a bare name is looked for on the search path only")]
    BareNameNotExecutable { name: String, word: String },
    #[error("there is no file `{name}`")]
    NoFile { name: String, one_word: Option<OneWord>, folder: PathBuf },
    #[error("`{name}` is a folder")]
    Folder { name: String },
    #[error("`{name}` is not executable")]
    NotExecutable { name: String, word: String },
    #[error("`{name}` was perhaps built for another system: what is to load it is missing")]
    NoLoader { name: String },
    #[error("line 1 of {name} ends with a carriage return, as on Windows, which is taken for a part of {interpreter}")]
    CarriageReturn { name: String, word: String, interpreter: String },
    #[error("line 1 of {name} names an interpreter that is not there: {interpreter}")]
    NoInterpreter { name: String, interpreter: PathBuf },
    #[error("line 1 of {name} names an interpreter that is no program: {interpreter}")]
    InterpreterIsNoProgram { name: String, interpreter: PathBuf },
}

impl Obstacle {
    /// Returns what to do about it.
    pub(super) fn help(&self) -> Cow<'static, str> {
        match self {
            Obstacle::NotOnSearchPath { one_word, .. } => {
                format!("{}install it, or give the path of another one", line(one_word.as_ref())).into()
            }
            Obstacle::BareName { word, .. } => format!("write ./{word}").into(),
            Obstacle::BareNameNotExecutable { word, .. } => {
                format!("write ./{word}, and make it a program: chmod +x {word}").into()
            }
            Obstacle::NoFile { one_word, folder, .. } => {
                format!("{}a path is one from {}", line(one_word.as_ref()), folder.display()).into()
            }
            Obstacle::Folder { .. } => "give a program".into(),
            Obstacle::NotExecutable { word, .. } => format!("make it a program: chmod +x {word}").into(),
            Obstacle::NoLoader { .. } => "build it here, or install the libraries it was built for".into(),
            Obstacle::CarriageReturn { word, .. } => {
                format!("remove it from all lines: sed -i 's/\\r$//' {word}").into()
            }
            Obstacle::NoInterpreter { .. } => "correct line 1, or install the interpreter".into(),
            Obstacle::InterpreterIsNoProgram { .. } => "correct line 1".into(),
        }
    }
}

/// A whole command was given as one word: quoted, it is a line for a shell.
#[derive(Debug, PartialEq, Eq, thiserror::Error)]
#[error("that is one word, with blanks in it: -c {0} has a shell read it as a line")]
pub(super) struct OneWord(pub(super) String);

/// Returns a line of its own, if there is something to say.
fn line(text: Option<&OneWord>) -> String {
    text.map_or_else(String::new, |text| format!("{text}\n"))
}
