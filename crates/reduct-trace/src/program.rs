//! The program of a command line: what runs it, and what it is called with.

use crate::driver::{BUILT, DRIVERS, Driver, driver_of, native};
use crate::error::StepError;
use crate::guarded_tree::BuiltTree;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io::Read;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

/// How many bytes of a file are looked at for the program that runs it.
const FIRST_LINE: u64 = 4096;

/// How the file of a native program begins.
const ELF: &[u8; 4] = b"\x7fELF";

/// Options of `java` that take their value as the next word.
const JAVA_WITH_VALUE: &[&str] =
    &["-cp", "-classpath", "--class-path", "-p", "--module-path", "--add-modules", "--add-opens", "--add-exports"];

/// A program, as a command line starts it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Program {
    /// What runs programs of its language.
    pub(crate) driver: &'static Driver,
    /// The interpreter, with its options.
    pub interpreter: Vec<OsString>,
    /// The script, or `-m` and a module, and its arguments.
    pub words: Vec<OsString>,
}

/// Why the executions of a command cannot be recorded.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProgramError {
    /// There is no command.
    #[error("there is no program")]
    Missing,
    /// No driver knows it.
    #[error("{0} is no program in {languages}", languages = languages())]
    OtherLanguage(String),
    /// Its variables cannot be looked at.
    #[error("the variables of programs in {0} cannot be looked at")]
    NoStates(&'static str),
    /// The program has no file.
    #[error("the program stands in no file")]
    NoFile,
}

impl Program {
    /// Finds the program of a command line, which is run in `folder`: `python3 x.py`, `python3 -m x`, `perl x.pl`, or a script
    /// that names its interpreter in its first line; or a native program.
    ///
    /// # Errors
    /// If there is none, or it is in another language.
    pub fn of(command: &[OsString], folder: &Path) -> Result<Program, ProgramError> {
        let (first, rest) = command.split_first().ok_or(ProgramError::Missing)?;
        if let Some(driver) = driver_named(first) {
            return with_options(driver, first, rest);
        }
        let other = || ProgramError::OtherLanguage(first.to_string_lossy().into_owned());
        let script = found(first, folder).ok_or_else(other)?;
        if is_native(&script) {
            // Without the `.` of a command like ./prog.
            let file: PathBuf = script.components().collect();
            let words = std::iter::once(file.into_os_string()).chain(rest.iter().cloned()).collect();
            return Ok(Program { driver: &native::DRIVER, interpreter: vec![], words });
        }
        let (driver, interpreter) = named_in(&script).ok_or_else(other)?;
        let words = std::iter::once(script.into_os_string()).chain(rest.iter().cloned()).collect();
        Ok(Program { driver, interpreter, words })
    }

    /// Returns the program of a command line that is built from files of a project; of which language, the tree in which it was built says.
    ///
    /// # Errors
    /// If there is none.
    pub fn built(command: &[OsString], tree: Option<&BuiltTree>) -> Result<Program, ProgramError> {
        let language = tree.and_then(BuiltTree::language).or(BUILT.first().copied());
        match language.filter(|_| !command.is_empty()) {
            Some(language) => Ok(Program { driver: language.driver, interpreter: vec![], words: command.to_vec() }),
            None => Err(ProgramError::Missing),
        }
    }

    /// Returns the program, if its variables can be looked at and changed.
    ///
    /// # Errors
    /// If they cannot.
    pub fn with_states(self) -> Result<Program, ProgramError> {
        if self.driver.has_states { Ok(self) } else { Err(ProgramError::NoStates(self.driver.name)) }
    }

    /// Returns the program, if it can be run without some of its statement executions.
    ///
    /// # Errors
    /// If it cannot.
    pub fn with_plans(self) -> Result<Program, ProgramError> {
        if self.driver.has_plans {
            Ok(self)
        } else {
            Err(ProgramError::OtherLanguage(self.name().to_string_lossy().into()))
        }
    }

    /// Returns whether its driver can begin once, and fork each run.
    pub fn has_forks(&self) -> bool {
        self.driver.has_forks
    }

    /// Returns whether its driver schedules its threads.
    pub fn has_schedules(&self) -> bool {
        self.driver.has_schedules
    }

    /// Returns whether it is a native program, which is recorded at the entries of its functions and where they have returned.
    pub fn is_native(&self) -> bool {
        *self.driver == native::DRIVER
    }

    /// Returns the command that runs it with other arguments.
    pub fn with_arguments(&self, arguments: &[OsString]) -> Vec<OsString> {
        let named = if self.script().is_some() { 1 } else { 2 };
        self.interpreter.iter().chain(self.words.iter().take(named)).chain(arguments).cloned().collect()
    }

    /// Returns its arguments.
    pub fn arguments(&self) -> &[OsString] {
        let named = if self.script().is_some() { 1 } else { 2 };
        self.words.get(named..).unwrap_or_default()
    }

    /// Returns whether it is a file in Java that `java` compiles itself.
    pub fn is_compiled_by_java(&self) -> bool {
        java_program(&self.words).is_some_and(|at| Path::new(&self.words[at]).extension() == Some(OsStr::new("java")))
    }

    /// Returns the language of the program, as plans have it.
    pub fn language(&self) -> &'static str {
        self.driver.language
    }

    /// Compiles what the driver of the program needs, if it needs something. Returns where it is.
    ///
    /// # Errors
    /// If it cannot be compiled.
    pub fn prepare(&self) -> Result<Option<PathBuf>, StepError> {
        (self.driver.prepare)(&self.interpreter)
    }

    /// Returns the script, if it is not a module.
    pub fn script(&self) -> Option<&Path> {
        self.words.first().filter(|word| *word != "-m").map(Path::new)
    }

    /// Returns a name for the program, for files that are about it: that of its script, with its ending, or of its module.
    pub fn name(&self) -> OsString {
        let word = self.script().map_or_else(|| self.words.get(1).map(Path::new), Some);
        let word = java_program(&self.words).map(|at| Path::new(&self.words[at])).or(word);
        let name = word.and_then(Path::file_name).filter(|name| !name.is_empty());
        name.unwrap_or(OsStr::new("program")).to_owned()
    }
}

/// Returns which word of a command line names the class, or the file, that it has `java` run.
pub(crate) fn java_program(words: &[OsString]) -> Option<usize> {
    let is_java = Path::new(words.first()?).file_name() == Some(OsStr::new("java"));
    let mut rest = words.iter().enumerate().skip(1).filter(|_| is_java);
    while let Some((at, word)) = rest.next() {
        match word.to_string_lossy() {
            it if JAVA_WITH_VALUE.contains(&&*it) => drop(rest.next()),
            it if it.starts_with('-') => {}
            _ => return Some(at),
        }
    }
    None
}

/// Returns the names of the languages that there are drivers for.
fn languages() -> String {
    let built = BUILT.iter().map(|language| language.driver);
    let names: Vec<&str> = DRIVERS.iter().copied().chain(built).map(|driver| driver.name).collect();
    names.split_last().map_or(String::new(), |(last, others)| format!("{} or {last}", others.join(", ")))
}

fn driver_named(word: &OsStr) -> Option<&'static Driver> {
    driver_of(Path::new(word).file_name()?.to_str()?)
}

/// Takes the options of the interpreter apart from the program.
fn with_options(driver: &'static Driver, first: &OsString, rest: &[OsString]) -> Result<Program, ProgramError> {
    let mut interpreter = vec![first.clone()];
    let mut rest = rest.iter();
    while let Some(word) = rest.next() {
        let text = word.to_string_lossy();
        if (driver.is_text)(&text) {
            return Err(ProgramError::NoFile);
        }
        if text == "--" {
            let words: Vec<OsString> = rest.cloned().collect();
            return if words.is_empty() {
                Err(ProgramError::NoFile)
            } else {
                Ok(Program { driver, interpreter, words })
            };
        }
        if driver.module == Some(&text) || !text.starts_with('-') {
            let words = std::iter::once(word).chain(rest).cloned().collect();
            return Ok(Program { driver, interpreter, words });
        }
        interpreter.push(word.clone());
        if driver.with_value.contains(&&*text) {
            interpreter.extend(rest.next().cloned());
        }
    }
    Err(ProgramError::NoFile)
}

/// Returns the file that a command starts.
fn found(word: &OsStr, folder: &Path) -> Option<PathBuf> {
    if word.as_bytes().contains(&b'/') {
        return Some(folder.join(word)).filter(|path| path.is_file());
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|folder| folder.join(word)).find(|path| path.is_file())
}

/// Returns whether a file is a native program.
pub(crate) fn is_native(file: &Path) -> bool {
    let mut bytes = [0; ELF.len()];
    fs::File::open(file).and_then(|mut file| file.read_exact(&mut bytes)).is_ok() && bytes == *ELF
}

/// Returns the interpreter that the first line of a script names, with its options, and the driver for it.
fn named_in(script: &Path) -> Option<(&'static Driver, Vec<OsString>)> {
    let mut bytes = vec![];
    fs::File::open(script).ok()?.take(FIRST_LINE).read_to_end(&mut bytes).ok()?;
    let line = bytes.strip_prefix(b"#!")?.split(|byte| *byte == b'\n').next()?;
    let words = line.split(u8::is_ascii_whitespace).filter(|word| !word.is_empty());
    let words = words.map(|word| OsStr::from_bytes(word).to_owned());
    // `env` looks for what follows; its options are none of the interpreter's.
    let words: Vec<OsString> = words.skip_while(|word| driver_named(word).is_none()).collect();
    Some((driver_named(words.first()?)?, words))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(line: &str) -> Vec<OsString> {
        line.split_whitespace().map(OsString::from).collect()
    }

    fn program(line: &str) -> Result<Program, ProgramError> {
        Program::of(&words(line), Path::new("/"))
    }

    #[test]
    fn options_of_the_interpreter_are_told_from_the_program() {
        let is = |line: &str, interpreter, rest| {
            let found = program(line).unwrap();
            assert_eq!((found.interpreter, found.words), (words(interpreter), words(rest)));
        };
        is("python3 a.py -m x", "python3", "a.py -m x");
        is("/usr/bin/python3.11 -X dev -B a.py b", "/usr/bin/python3.11 -X dev -B", "a.py b");
        is("python -m pytest -q", "python", "-m pytest -q");
        is("perl -w -I lib a.pl -e", "perl -w -I lib", "a.pl -e");
        is("perl5.36.0 -- -x.pl", "perl5.36.0", "-x.pl");
        assert_eq!(program("perl -we 1"), Err(ProgramError::NoFile));
        assert_eq!(program("python3 -c 1"), Err(ProgramError::NoFile));
        assert_eq!(program("python3"), Err(ProgramError::NoFile));
        assert_eq!(program(""), Err(ProgramError::Missing));
        assert_eq!(program("/bin/none"), Err(ProgramError::OtherLanguage("/bin/none".into())));
    }

    #[test]
    fn a_native_program_runs_by_itself() {
        let found = program("/bin/./true a").unwrap();
        assert!(found.is_native() && found.interpreter.is_empty());
        assert_eq!((found.words.clone(), found.arguments()), (words("/bin/true a"), &words("a")[..]));
        assert_eq!(found.with_arguments(&words("b c")), words("/bin/true b c"));
        assert_eq!(found.with_plans(), Err(ProgramError::OtherLanguage("true".into())));
        assert_eq!(program("python -m x 1").unwrap().with_arguments(&words("2")), words("python -m x 2"));
        assert_eq!(program("python -B a.py 1").unwrap().with_arguments(&words("2")), words("python -B a.py 2"));
    }

    #[test]
    fn a_program_in_java_is_called_as_its_class() {
        let name = |line: &str| Program::built(&words(line), None).unwrap().name();
        assert_eq!(name("java -ea -cp out:lib a.Main x"), "a.Main");
        assert_eq!(name("/usr/bin/java -jar lib/it.jar"), "it.jar");
        assert_eq!(name("java -version"), "java");
        assert_eq!(name("./java2 x"), "java2");
        let is_compiled = |line: &str| Program::built(&words(line), None).unwrap().is_compiled_by_java();
        assert!(
            is_compiled("java -cp . Main.java x") && !is_compiled("java -cp a.java Main") && !is_compiled("cat a.java")
        );
        assert!(Program::built(&[], None).is_err());
    }

    #[test]
    fn a_script_names_its_interpreter() {
        let folder = tempfile::tempdir().unwrap();
        let script = folder.path().join("a tool.x");
        fs::write(&script, "#!/usr/bin/env -S python3 -B\nprint(1)\n").unwrap();
        let found = Program::of(&["./a tool.x".into(), "1".into()], folder.path()).unwrap();
        assert_eq!(found.interpreter, words("python3 -B"));
        assert_eq!(found.name(), "a tool.x");
        assert_eq!(found.words[1], "1");
    }
}
