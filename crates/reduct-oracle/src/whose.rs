//! Whose a file is that a report names: the candidate's, or that of the program that reads it.
//!
//! Where a report speaks of the candidate, names and lines are other ones from candidate to candidate. Where it speaks
//! of any other file, they tell one failure from the other.

use super::regex;
use regex::Regex;
use std::collections::HashSet;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

/// The files of an input, and those that stand beside it.
#[derive(Clone, Debug, Default)]
pub(super) struct Files {
    /// Those of the input, as it names them.
    input: Vec<PathBuf>,
    /// Where they stand in the test's folder, exactly.
    places: HashSet<PathBuf>,
    /// Where the originals stand, in full.
    full: HashSet<PathBuf>,
    /// The names of others that the test was given: no test has made them.
    beside: HashSet<String>,
}

/// What reports call a text that came without a file: on standard input, on the command line, from a string.
static NAMELESS: LazyLock<Regex> = LazyLock::new(|| {
    regex(r"(?i)^(?:-|<.*>|\[.*\]|\(.*\)|(?:/dev/)?stdin|standard input|/proc/self/fd/.*|evalmachine.*)$")
});
/// Where tests run, and the path in there.
static SCRATCH: LazyLock<Regex> = LazyLock::new(|| regex(r"/reduct-\d+-\d+-\d+(?:-\d+)?/(?:\d+/)?(?:work/)?(.*)$"));
/// Where tests put what they make for themselves.
static TEMPORARY: LazyLock<Regex> = LazyLock::new(|| regex(r"^(?:/var)?/tmp/|^/dev/shm/"));

impl Files {
    pub(super) fn of<'a>(paths: impl IntoIterator<Item = &'a Path>) -> Files {
        let input: Vec<PathBuf> = paths.into_iter().map(Path::to_owned).collect();
        Files { places: input.iter().cloned().collect(), input, ..Files::default() }
    }

    pub(super) fn standing(self, places: HashSet<PathBuf>, full: HashSet<PathBuf>) -> Files {
        Files { places, full, ..self }
    }

    pub(super) fn beside(mut self, names: impl IntoIterator<Item = String>) -> Files {
        self.beside.extend(names);
        self
    }

    /// Returns whether a file is the candidate's, or was made of it by the test; `is_of_input` says whether the input
    /// has the function that a report names in it, if it names one.
    pub(super) fn are_of_candidate(&self, file: &str, is_of_input: Option<bool>) -> bool {
        let path = Path::new(file.trim_start_matches("./"));
        if NAMELESS.is_match(file) {
            return true;
        }
        let is_beside = path.file_name().is_some_and(|name| self.beside.contains(&*name.to_string_lossy()));
        if let Some(found) = SCRATCH.captures(file) {
            return self.places.contains(Path::new(&found[1])) || !is_beside;
        }
        // The end of a path tells only where no other file has that name.
        let ends_alike = || self.input.iter().any(|input| input.ends_with(path) || path.ends_with(input));
        let is_input = if path.is_absolute() {
            self.full.contains(path)
        } else {
            self.places.contains(path) || !is_beside && ends_alike()
        };
        if is_input || is_beside {
            return is_input;
        }
        // A copy that the test has made of the candidate is of the same language, what it was translated to has the
        // same name.
        let alike = |part: fn(&Path) -> Option<&std::ffi::OsStr>| {
            part(path).is_some() && self.input.iter().any(|input| part(input) == part(path))
        };
        let is_near = path.is_relative() || TEMPORARY.is_match(file);
        is_near && (alike(Path::file_stem) || alike(Path::extension) && is_of_input.unwrap_or(true))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_of_the_candidate_and_of_others() {
        let files = Files::of([Path::new("pj/src/main.c"), Path::new("orders.json")]).beside(["t.c".to_owned()]);
        let files = Files { full: HashSet::from(["/home/u/pj/src/main.c".into()]), ..files };
        let scratch = "/dev/shm/reduct-0-123-456/000";
        for (file, function, is_candidate) in [
            ("orders.json", None, true),
            ("./orders.json", None, true),
            ("main.c", None, true),
            ("src/main.c", None, true),
            ("/home/u/pj/src/main.c", None, true),
            (&*format!("{scratch}/orders.json"), None, true),
            // What the test made.
            (&*format!("{scratch}/tmp/cc3fA.s"), None, true),
            ("copy.c", None, true),
            ("copy.c", Some(true), true),
            ("/tmp/tmp.3Fa/copy.c", Some(true), true),
            ("main.s", None, true),
            ("<stdin>", None, true),
            // What it was given.
            ("copy.c", Some(false), false),
            ("t.c", Some(true), false),
            (&*format!("{scratch}/t.c"), None, false),
            ("err.js", None, false),
            ("/tmp/err.js", None, false),
            ("/home/u/src/copy.c", Some(true), false),
            ("other/prog.js", None, false),
            ("/opt/lib/orders.json", None, false),
            ("/opt/pj/src/main.c", None, false),
        ] {
            assert_eq!(files.are_of_candidate(file, function), is_candidate, "{file} {function:?}");
        }
    }

    #[test]
    fn a_file_of_the_same_name_is_another() {
        let alone = Files::of([Path::new("conf.py")]).beside(["conf.py".to_owned()]);
        let (place, full) = (PathBuf::from("data/conf.py"), PathBuf::from("/home/u/data/conf.py"));
        let copied = alone.clone().standing(HashSet::from([place]), HashSet::from([full]));
        let work = "/dev/shm/reduct-0-0000000123-000000000456-0001/000/work";
        for (file, is_alone, is_copied) in [
            ("conf.py", true, false),
            ("data/conf.py", false, true),
            ("lib/conf.py", false, false),
            (&*format!("{work}/conf.py"), true, false),
            (&*format!("{work}/data/conf.py"), false, true),
            (&*format!("{work}/lib/conf.py"), false, false),
            ("/home/u/data/conf.py", false, true),
            ("/home/u/lib/conf.py", false, false),
            ("/opt/lib/conf.py", false, false),
        ] {
            assert_eq!(alone.are_of_candidate(file, Some(true)), is_alone, "{file} alone");
            assert_eq!(copied.are_of_candidate(file, Some(true)), is_copied, "{file} in a copy");
        }
    }
}
