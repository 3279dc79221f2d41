//! Which program is recorded: the one of a command, or the one that a command starts, as `timeout 5 ./prog` does.

use crate::program::{Program, is_native, java_program};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::path::{Component, Path, PathBuf};

/// Of a script for the shell, so many bytes are read.
const LARGEST_SCRIPT: u64 = 64 << 10;

/// Between these, a line for the shell has its words.
const BETWEEN: &str = ";&|()<>\"'`=";

impl Program {
    /// Returns the program that is recorded: the file of its script, from `folder` on if it is below it; `-m` and its module; of a program that is
    /// built in a `tree`, its file there, or its class, also if another program of the command starts it. If it is not known, the command.
    pub fn recorded(&self, folder: &Path, tree: Option<&Path>) -> OsString {
        let script = || match self.script() {
            Some(script) => {
                let full = folder.join(script);
                let full = full.canonicalize().unwrap_or(full);
                let folder = folder.canonicalize().unwrap_or_else(|_| folder.to_owned());
                full.strip_prefix(folder).unwrap_or(&full).into()
            }
            None => self.words.iter().take(2).cloned().collect::<Vec<_>>().join(OsStr::new(" ")),
        };
        let command = || self.words.join(OsStr::new(" "));
        tree.map_or_else(script, |tree| self.started(folder, tree).unwrap_or_else(command))
    }

    /// Returns a name for files that are about the program that is recorded: that of its script, with its ending, of its module, or of its class.
    pub fn recorded_name(&self, folder: &Path, tree: Option<&Path>) -> OsString {
        let started = tree.and_then(|tree| self.started(folder, tree)).map(PathBuf::from);
        started.and_then(|it| it.file_name().map(OsStr::to_owned)).unwrap_or_else(|| self.name())
    }

    /// Returns the program of a tree, a copy of this folder, that the command starts: the first one that it names, or, if it names none, that a script
    /// of the tree names that it runs.
    fn started(&self, folder: &Path, tree: &Path) -> Option<OsString> {
        let built = Built { folder, tree };
        if let Some(found) = built.first_of(&self.words, None) {
            return Some(found);
        }
        let scripts = self.words.iter().filter_map(|word| Some(tree.join(built.inside(Path::new(word))?)));
        let is_small =
            |script: &PathBuf| fs::metadata(script).is_ok_and(|it| it.is_file() && it.len() < LARGEST_SCRIPT);
        let script = scripts.into_iter().find(is_small)?;
        let text = String::from_utf8_lossy(&fs::read(&script).ok()?).into_owned();
        let found = built.first_of(&words_of(&text), script.parent());
        found.or_else(|| Some(script.strip_prefix(tree).ok()?.into()))
    }
}

/// A copy of a folder in which a program was built.
struct Built<'a> {
    folder: &'a Path,
    tree: &'a Path,
}

impl Built<'_> {
    /// Returns the first program of the copy that words name: by its path, or, as in `"$HERE/prog"`, by its name in the folder of a script.
    fn first_of(&self, words: &[OsString], beside: Option<&Path>) -> Option<OsString> {
        words.iter().enumerate().find_map(|(at, word)| {
            if let Some(class) = java_program(&words[at..]) {
                return Some(words[at + class].clone());
            }
            let path = Path::new(word);
            let below = self.inside(path).map(|path| self.tree.join(path));
            let beside_it = || Some(beside?.join(path.file_name()?));
            let found = below.filter(|it| is_native(it)).or_else(|| beside_it().filter(|it| is_native(it)));
            let found = found.and_then(|path| Some(path.strip_prefix(self.tree).ok()?.into()));
            let is_line = || word.as_encoded_bytes().iter().any(u8::is_ascii_whitespace);
            found.or_else(|| is_line().then(|| self.first_of(&words_of(&word.to_string_lossy()), beside)).flatten())
        })
    }

    /// Returns where a path is in the folder, if it is there.
    fn inside(&self, path: &Path) -> Option<PathBuf> {
        let parts = path.strip_prefix(self.folder).unwrap_or(path).components();
        let parts = parts.filter(|part| *part != Component::CurDir);
        parts.map(|part| matches!(part, Component::Normal(_)).then_some(part)).collect()
    }
}

/// Returns the words of a line for the shell, but for what a word has within quotes and blanks.
fn words_of(line: &str) -> Vec<OsString> {
    let words = line.split(|c: char| c.is_whitespace() || BETWEEN.contains(c));
    words.filter(|word| !word.is_empty()).map(OsString::from).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_program_that_is_recorded_is_the_one_that_was_built() {
        let place = tempfile::tempdir().unwrap();
        let tree = place.path().join("tree");
        fs::create_dir_all(tree.join("build")).unwrap();
        for program in ["prog", "build/tool"] {
            fs::write(tree.join(program), b"\x7fELF...").unwrap();
        }
        fs::write(tree.join("run.sh"), "#!/bin/sh\nHERE=$(dirname \"$0\")\nexec \"$HERE/prog\" \"$@\"\n").unwrap();
        fs::write(tree.join("other.sh"), "#!/bin/sh\necho none\n").unwrap();
        fs::write(tree.join("points.txt"), "1\n").unwrap();
        let recorded = |words: &[&str]| {
            let words: Vec<OsString> = words.iter().map(OsString::from).collect();
            let program = Program::built(&words, None).unwrap();
            let name = program.recorded_name(place.path(), Some(&tree)).into_string().unwrap();
            (program.recorded(place.path(), Some(&tree)).into_string().unwrap(), name)
        };
        let is = |words: &[&str], path: &str, name: &str| {
            assert_eq!(recorded(words), (path.into(), name.into()), "{words:?}")
        };
        is(&["./prog", "points.txt"], "prog", "prog");
        is(&["timeout", "5", "./prog", "x"], "prog", "prog");
        is(&["env", "X=./y", "nice", "build/tool"], "build/tool", "tool");
        is(&["sh", "-c", "cat points.txt | ./prog>out"], "prog", "prog");
        is(&["bash", "run.sh", "x"], "prog", "prog");
        let full = |name: &str| place.path().join(name).display().to_string();
        is(&["sh", &full("run.sh"), "x"], "prog", "prog");
        is(&["nice", &full("build/tool")], "build/tool", "tool");
        is(&["./other.sh"], "other.sh", "other.sh");
        is(&["timeout", "9", "java", "-cp", "out", "a.Main", "x"], "a.Main", "a.Main");
        // It is not known which program that is: another command may start another one.
        is(&["make", "-s", "test"], "make -s test", "make");
    }

    #[test]
    fn a_script_is_told_by_its_path_from_the_folder_on() {
        let place = tempfile::tempdir().unwrap();
        fs::create_dir(place.path().join("a")).unwrap();
        fs::write(place.path().join("a/prog.py"), "").unwrap();
        let recorded = |line: &str| {
            let words: Vec<OsString> = line.split(' ').map(OsString::from).collect();
            Program::of(&words, place.path()).unwrap().recorded(place.path(), None).into_string().unwrap()
        };
        assert_eq!(recorded("python3 ./a/prog.py 7"), "a/prog.py");
        assert_eq!(recorded("python3 a/../a/prog.py"), "a/prog.py");
        assert_eq!(recorded(&format!("python3 -B {}/a/prog.py", place.path().display())), "a/prog.py");
        assert_eq!(recorded("python3 -m pack.it 1"), "-m pack.it");
    }
}
