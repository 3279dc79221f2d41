//! Drivers in C: compiled once for each user, interpreter and version of reduct, and kept in the folder for temporary files.

use crate::error::{StepError, write};
use std::fs;
use std::os::unix::fs::{DirBuilderExt, MetadataExt};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The file of a compiled driver in its folder.
const FILE: &str = "driver.so";

/// A library in C.
pub(crate) struct Library<'a> {
    /// What it is for.
    pub(crate) name: &'a str,
    /// Its files; the first one is compiled.
    pub(crate) sources: &'a [(&'a str, &'a str)],
    /// The compiler and its options.
    pub(crate) command: Vec<String>,
    /// What it depends on besides.
    pub(crate) also: &'a [u8],
}

impl Library<'_> {
    /// Returns the library, compiled now or in an earlier call.
    pub(crate) fn compiled(&self) -> Result<PathBuf, StepError> {
        let mut digest = blake3::Hasher::new();
        self.sources.iter().for_each(|(_, text)| {
            digest.update(text.as_bytes());
        });
        self.command.iter().for_each(|word| {
            digest.update(word.as_bytes()).update(&[0]);
        });
        let digest = digest.update(self.also).finalize().to_hex();
        let temporary = std::env::temp_dir();
        let user = rustix::process::getuid().as_raw();
        let folder = temporary.join(format!("reduct-driver-{}-{user}-{}", self.name, &digest[..16]));
        if is_own(&folder) {
            return Ok(folder.join(FILE));
        }
        // Made apart, so that nobody loads half of it; somebody else may be faster.
        let unwritable = |why| StepError::Unwritable { path: temporary.clone(), why };
        let fresh = tempfile::Builder::new().prefix("reduct-driver-").tempdir_in(&temporary).map_err(unwritable)?;
        self.compile(fresh.path())?;
        let ready = fresh.path().join("ready");
        fs::DirBuilder::new().mode(0o700).create(&ready).map_err(unwritable)?;
        fs::rename(fresh.path().join(FILE), ready.join(FILE)).map_err(unwritable)?;
        if fs::rename(&ready, &folder).is_err() && !is_own(&folder) {
            return Ok(fresh.keep().join("ready").join(FILE));
        }
        Ok(folder.join(FILE))
    }

    fn compile(&self, folder: &Path) -> Result<(), StepError> {
        for (name, text) in self.sources {
            write(folder, name, text.as_bytes())?;
        }
        let Some(((compiler, options), (main, _))) = self.command.split_first().zip(self.sources.first()) else {
            return Ok(());
        };
        let done = Command::new(compiler).arg(main).args(options).args(["-o", FILE]).current_dir(folder).output();
        let done = done.map_err(|why| StepError::Interpreter { name: compiler.into(), why })?;
        let said = String::from_utf8_lossy(&done.stderr);
        let line = said.lines().find(|line| line.contains("error")).or_else(|| said.lines().next());
        if done.status.success() {
            return Ok(());
        }
        Err(StepError::NotCompiled { name: self.name.into(), why: line.unwrap_or_default().to_owned() })
    }
}

/// Returns whether the folder of a driver is this user's, and nobody else may write to it.
fn is_own(folder: &Path) -> bool {
    is_users(folder) && is_users(&folder.join(FILE))
}

/// Returns whether a file or folder is this user's, and nobody else may write to it.
pub(crate) fn is_users(path: &Path) -> bool {
    let user = rustix::process::getuid().as_raw();
    fs::symlink_metadata(path).is_ok_and(|it| it.uid() == user && it.mode() & 0o022 == 0 && !it.is_symlink())
}

/// Returns the words of a line that a configuration holds. Quotes keep blanks together.
pub(crate) fn shell_words(line: &[u8]) -> Vec<String> {
    let line = String::from_utf8_lossy(line);
    let (mut words, mut word, mut quote) = (vec![], None::<String>, None);
    for c in line.chars() {
        match (quote, c) {
            (Some(open), _) if c == open => quote = None,
            (None, '\'' | '"') => {
                quote = Some(c);
                word.get_or_insert_default();
            }
            (None, _) if c.is_whitespace() => words.extend(word.take()),
            _ => word.get_or_insert_default().push(c),
        }
    }
    words.extend(word);
    words
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_told_apart_as_by_a_shell() {
        assert_eq!(shell_words(b" cc -DX='a b' \"-I/p q\"  -fPIC "), ["cc", "-DX=a b", "-I/p q", "-fPIC"]);
        assert!(shell_words(b"  ").is_empty());
    }

    #[test]
    fn a_library_is_compiled_once_and_what_is_wrong_is_said() {
        let library = |text| Library {
            name: "test",
            sources: Box::leak(Box::new([("it.c", text)])),
            command: ["cc", "-shared", "-fPIC"].map(String::from).into(),
            also: b"",
        };
        let once = library("int it(void) { return 7; }\n").compiled().unwrap();
        let made = fs::metadata(&once).unwrap().ino();
        assert_eq!(library("int it(void) { return 7; }\n").compiled().unwrap(), once);
        assert_eq!(fs::metadata(&once).unwrap().ino(), made);
        let wrong = library("int it(void) { return nobody; }\n").compiled().unwrap_err().to_string();
        assert!(wrong.contains("nobody"), "{wrong}");
        fs::remove_dir_all(once.parent().unwrap()).unwrap();
    }
}
