//! A command's arguments and variables as entries of an artifact, beside the files it finds in its folder.
//!
//! An artifact that holds them is reduced, remembered and compared like any other; the executor takes them out
//! of it again. Their names begin with a word that no file of an input begins with ([`is_reserved`]).

use crate::artifact::Entry;
use crate::candidate::Candidate;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// How the names of all that is no file begin.
const RESERVED: &[u8] = b".reduct:";
const ARGUMENT: &[u8] = b".reduct:arg:";
const VARIABLE: &[u8] = b".reduct:env:";

/// The longest name a file may have.
const LONGEST: usize = 255;

/// What an entry of an artifact is for the command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SituationRole {
    /// The argument of this number; their order is that of the numbers.
    Argument(usize),
    /// The variable of this name.
    Variable(OsString),
    /// A file, link or folder.
    File,
}

impl SituationRole {
    /// Returns what the entry at this path is.
    pub fn of(path: &Path) -> SituationRole {
        let name = path.as_os_str().as_bytes();
        if let Some(number) = name.strip_prefix(ARGUMENT).and_then(|digits| std::str::from_utf8(digits).ok()) {
            return number.parse().map_or(SituationRole::File, SituationRole::Argument);
        }
        match name.strip_prefix(VARIABLE) {
            Some(written) => SituationRole::Variable(OsString::from_vec(decoded(written))),
            None => SituationRole::File,
        }
    }

    /// Returns the path of such an entry. `None` of a file, and of a variable whose name is too long for one.
    pub fn path(&self) -> Option<PathBuf> {
        let name = match self {
            // Of one width, so that they are in their order when they are sorted.
            SituationRole::Argument(number) => [ARGUMENT, format!("{number:08}").as_bytes()].concat(),
            SituationRole::Variable(name) => [VARIABLE, &encoded(name.as_bytes())].concat(),
            SituationRole::File => return None,
        };
        (name.len() <= LONGEST).then(|| OsString::from_vec(name).into())
    }
}

/// Returns whether a file of this name cannot be told from an argument or a variable.
pub fn is_reserved(name: &OsStr) -> bool {
    name.as_bytes().starts_with(RESERVED)
}

/// Returns whether this entry is an argument or a variable.
pub fn is_given(entry: &Entry) -> bool {
    is_reserved(entry.path.as_os_str())
}

/// What a candidate gives to a command.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Given {
    /// The arguments, with the numbers they had.
    pub arguments: Vec<(usize, OsString)>,
    /// The variables.
    pub variables: Vec<(OsString, OsString)>,
}

impl Given {
    /// Returns what this candidate gives.
    pub fn of(candidate: &Candidate) -> Given {
        let mut given = Given::default();
        // Nearly always there is none, which is seen without a look at what each file holds.
        if !candidate.is_renamed() && !candidate.base().entries().iter().any(is_given) {
            return given;
        }
        for (entry, pieces) in candidate.pieces() {
            let text = || OsString::from_vec(pieces.concat());
            match SituationRole::of(&entry.path) {
                SituationRole::Argument(number) => given.arguments.push((number, text())),
                SituationRole::Variable(name) => given.variables.push((name, text())),
                SituationRole::File => {}
            }
        }
        given
    }

    /// Returns whether that is nothing.
    pub fn is_empty(&self) -> bool {
        self.arguments.is_empty() && self.variables.is_empty()
    }
}

impl Candidate {
    /// Returns its files, links and folders, without what it gives to the command.
    pub fn files_only(&self) -> Candidate {
        self.only(|entry| !is_given(entry))
    }
}

/// Returns a name as it can stand in a path: letters, digits and `_` as they are, all else in hexadecimal.
fn encoded(name: &[u8]) -> Vec<u8> {
    let one = |byte: &u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'_' => vec![*byte],
        other => format!("%{other:02x}").into_bytes(),
    };
    name.iter().flat_map(one).collect()
}

fn decoded(written: &[u8]) -> Vec<u8> {
    let mut name = vec![];
    let mut rest = written;
    while let [first, more @ ..] = rest {
        let hexadecimal = more.get(..2).filter(|_| *first == b'%').and_then(|two| std::str::from_utf8(two).ok());
        let byte = hexadecimal.and_then(|two| u8::from_str_radix(two, 16).ok());
        name.push(byte.unwrap_or(*first));
        rest = if byte.is_some() { &more[2..] } else { more };
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::artifact::ArtifactBuilder;

    #[test]
    fn paths_tell_what_an_entry_is() {
        for name in ["HOME", "a b", "x/y", "new\nline", "%41", "", "BASH_FUNC_f%%"] {
            let role = SituationRole::Variable(name.into());
            assert_eq!(SituationRole::of(&role.path().unwrap()), role);
        }
        let odd = SituationRole::Variable(OsString::from_vec(vec![0xff, b'=', 0x80]));
        assert_eq!(SituationRole::of(&odd.path().unwrap()), odd);
        assert_eq!(SituationRole::of(&SituationRole::Argument(17).path().unwrap()), SituationRole::Argument(17));
        assert!(SituationRole::Argument(9).path() < SituationRole::Argument(10).path());
        assert_eq!(SituationRole::of(Path::new("src/main.c")), SituationRole::File);
        assert_eq!(SituationRole::Variable("x".repeat(300).into()).path(), None);
    }

    #[test]
    fn what_is_given_is_no_file() {
        let mut builder = ArtifactBuilder::default();
        builder.file(SituationRole::Argument(3).path().unwrap(), 0o600, b"-x").unwrap();
        builder.file(SituationRole::Variable("A".into()).path().unwrap(), 0o600, b"").unwrap();
        builder.file("f", 0o644, b"text").unwrap();
        let whole = Candidate::whole(builder.finish().into());
        let given = Given { arguments: vec![(3, "-x".into())], variables: vec![("A".into(), "".into())] };
        assert_eq!(Given::of(&whole), given);
        let files: Vec<_> =
            whole.files_only().pieces().map(|(entry, pieces)| (entry.path.clone(), pieces.concat())).collect();
        assert_eq!(files, [(PathBuf::from("f"), b"text".to_vec())]);
    }
}
