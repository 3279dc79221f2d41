//! In which folders files are watched: all that the machine has cannot be.
//!
//! These are the user's folder with all below it; where the named files stand; what variables of the environment name,
//! the folders of programs among it; where the files stand that scripts name, and what is installed beside a program.

use super::command::{lines, program};
use crate::job::Job;
use reduct_session::relied::Relied;
use reduct_sources::RUNS;
use std::collections::{BTreeSet, VecDeque};
use std::ffi::{OsStr, OsString};
use std::fs;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// So many folders are watched at most.
const MOST: usize = 4096;

/// So many of them below the user's, and so many below any other.
const BELOW_HOME: usize = 2048;
const BELOW_OTHERS: usize = 256;

/// For each folder that may be found below one, so many entries are looked at.
const ENTRIES: usize = 32;

/// Scripts up to this size are read, and so many words in them looked for.
const LARGEST_SCRIPT: u64 = 256 << 10;
const MOST_WORDS: usize = 4000;

/// The system's own: what is in them, but not in the folders below, is watched.
const SYSTEM: [&str; 12] =
    ["/usr", "/bin", "/sbin", "/lib", "/lib64", "/etc", "/var", "/run", "/proc", "/sys", "/dev", "/nix/store"];

/// What is to be watched.
pub(super) struct Watched {
    pub(super) folders: Vec<PathBuf>,
    /// Links by which programs are found.
    pub(super) links: Vec<PathBuf>,
    /// Whether there were more folders than are watched at most.
    pub(super) more: bool,
    /// The scripts that the command names, and those that they name.
    pub(super) scripts: Vec<Vec<u8>>,
}

/// Returns what is to be watched for a job that names these files.
pub(super) fn of(job: &Job, named: &[Relied]) -> Watched {
    let mut found = Found::default();
    let scripts = scripts(job, named, &mut |path| found.file(path));
    found.below(&job.folder, BELOW_HOME);
    variables().iter().for_each(|path| found.named_by_variable(path));
    let Found { folders, links, more } = found;
    Watched { folders: folders.into_iter().collect(), links: links.into_iter().collect(), more, scripts }
}

/// Returns the scripts that a job names, and those that they name; each file that one names is `found`.
pub(super) fn scripts(job: &Job, named: &[Relied], found: &mut dyn FnMut(&Path)) -> Vec<Vec<u8>> {
    let mut texts: VecDeque<(PathBuf, Vec<u8>)> = VecDeque::new();
    let lines = lines(job).unwrap_or_default();
    texts.extend(lines.into_iter().map(|line| (job.folder.clone(), line.into_vec())));
    for file in named {
        found(&file.path);
        texts.extend(script(&file.path));
    }
    let mut seen: BTreeSet<PathBuf> = named.iter().map(|file| file.path.clone()).collect();
    let mut words = BTreeSet::new();
    let mut scripts = vec![];
    while let Some((folder, text)) = texts.pop_front() {
        for word in text.split(|byte| byte.is_ascii_whitespace() || b"'\"`;|&<>()=,".contains(byte)) {
            if word.is_empty() || words.len() == MOST_WORDS || !words.insert((folder.clone(), word.to_vec())) {
                continue;
            }
            for path in named_by(&expanded(word), &folder, &job.folder) {
                found(&path);
                if seen.insert(path.clone()) {
                    texts.extend(script(&path));
                }
            }
        }
        scripts.push(text);
    }
    scripts
}

/// Returns what a word of a script may name: in full, from the script's folder, from the user's, or on the search path.
fn named_by(word: &[u8], folder: &Path, home: &Path) -> Vec<PathBuf> {
    let word = OsStr::from_bytes(word);
    let places = [folder.join(word), home.join(word)];
    let found = places.into_iter().chain(program(word)).filter(|path| path.is_file());
    found.collect::<BTreeSet<_>>().into_iter().collect()
}

/// Returns a word with the variables of the environment in it. What stands behind one that there is not is relative.
fn expanded(word: &[u8]) -> Vec<u8> {
    let mut text = vec![];
    let mut rest = word;
    while let Some(at) = rest.iter().position(|byte| *byte == b'$') {
        text.extend(&rest[..at]);
        rest = &rest[at + 1..];
        let is_braced = rest.first() == Some(&b'{');
        let name = &rest[usize::from(is_braced)..];
        let length = name.iter().position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_').unwrap_or(name.len());
        let is_closed = is_braced && name.get(length) == Some(&b'}');
        rest = &name[length + usize::from(is_closed)..];
        match std::env::var_os(OsStr::from_bytes(&name[..length])) {
            Some(value) if length > 0 => text.extend(value.into_vec()),
            _ => {
                text.clear();
                rest = rest.strip_prefix(b"/").unwrap_or(rest);
            }
        }
    }
    text.extend(rest);
    text
}

/// Returns the folder and the text of what may be a script.
fn script(path: &Path) -> Option<(PathBuf, Vec<u8>)> {
    let meta = path.metadata().ok()?;
    if !meta.is_file() || meta.len() > LARGEST_SCRIPT {
        return None;
    }
    let text = fs::read(path).ok()?;
    let folder = path.canonicalize().ok()?.parent()?.to_owned();
    (!text.contains(&0)).then_some((folder, text))
}

/// Returns the paths in the values of variables.
fn variables() -> Vec<PathBuf> {
    let is_of_the_session = |name: &OsStr| ["PWD", "OLDPWD", "HOME", "TMPDIR", "_"].iter().any(|other| name == *other);
    let values = std::env::vars_os().filter(|(name, _)| !is_of_the_session(name));
    let parts = values.flat_map(|(_, value)| {
        let parts = value.as_bytes().split(|byte| *byte == b':');
        parts.map(|part| PathBuf::from(OsString::from_vec(part.to_vec()))).collect::<Vec<_>>()
    });
    parts.filter(|path| path.is_absolute()).collect()
}

#[derive(Default)]
struct Found {
    folders: BTreeSet<PathBuf>,
    links: BTreeSet<PathBuf>,
    more: bool,
}

impl Found {
    fn folder(&mut self, folder: &Path) {
        let Ok(folder) = folder.canonicalize() else { return };
        let is_none = ["/proc", "/sys", "/dev"].iter().any(|no| folder.starts_with(no));
        let has_room = self.folders.len() < MOST || self.folders.contains(&folder);
        match () {
            () if is_none => {}
            () if has_room => drop(self.folders.insert(folder)),
            () => self.more = true,
        }
    }

    /// Adds where a file stands, by its name and in truth; and what is installed with it.
    fn file(&mut self, path: &Path) {
        let Ok(in_full) = path.canonicalize() else { return };
        path.parent().into_iter().chain(in_full.parent()).for_each(|folder| self.folder(folder));
        if in_full != path {
            self.links.insert(path.to_owned());
        }
        let bin = in_full.parent().filter(|folder| folder.ends_with("bin") && !is_of_the_system(folder));
        if let Some(around) = bin.and_then(Path::parent).filter(|around| around.parent().is_some()) {
            ["lib", "lib64", "libexec", "share"].iter().for_each(|name| self.below(&around.join(name), BELOW_OTHERS));
        }
    }

    fn named_by_variable(&mut self, path: &Path) {
        let is_above_home = std::env::var_os("HOME").is_some_and(|home| Path::new(&home).starts_with(path));
        let is_apart = is_above_home || is_of_the_system(path) || std::env::temp_dir() == path;
        match path.metadata() {
            Ok(meta) if meta.is_dir() && is_apart => self.folder(path),
            Ok(meta) if meta.is_dir() => self.below(path, BELOW_OTHERS),
            Ok(_) => self.file(path),
            Err(_) => {}
        }
    }

    /// Adds a folder and those below it, the nearest first, but for what reduct and git keep there.
    fn below(&mut self, folder: &Path, most: usize) {
        let (mut todo, mut entries) = (VecDeque::from([folder.to_owned()]), 0);
        let mut room = most;
        while let Some(folder) = todo.pop_front() {
            if room == 0 || entries > most * ENTRIES {
                return;
            }
            room -= 1;
            self.folder(&folder);
            if is_of_the_system(&folder) {
                continue;
            }
            for entry in fs::read_dir(&folder).into_iter().flatten().flatten() {
                entries += 1;
                let is_kept = [RUNS, ".git"].iter().any(|name| entry.file_name() == *name);
                if !is_kept && entry.file_type().is_ok_and(|kind| kind.is_dir()) {
                    todo.push_back(entry.path());
                }
            }
        }
    }
}

fn is_of_the_system(folder: &Path) -> bool {
    let is_local = folder.starts_with("/usr/local");
    folder.parent().is_none() || !is_local && SYSTEM.iter().any(|system| folder.starts_with(system))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variables_that_there_are_stand_for_their_values_and_others_for_nothing() {
        let path = std::env::var_os("PATH").unwrap().into_vec();
        assert_eq!(expanded(b"${PATH}/a"), [&path[..], b"/a"].concat());
        assert_eq!(expanded(b"$PATH"), path);
        assert_eq!(expanded(b"$NO_SUCH_VARIABLE_HERE/lib/a.sh"), b"lib/a.sh");
        assert_eq!(expanded(b"$(pwd"), b"(pwd");
        assert_eq!(expanded(b"\xff/a"), b"\xff/a");
        assert_eq!(expanded(b"$"), b"");
    }

    #[test]
    fn folders_below_one_are_found_the_nearest_first_and_not_more_than_asked_for() {
        let folder = tempfile::tempdir().unwrap();
        let place = folder.path().canonicalize().unwrap();
        for name in ["a/deep/deeper", "b", ".git/objects", ".reduct/0001"] {
            fs::create_dir_all(place.join(name)).unwrap();
        }
        let below = |most| {
            let mut found = Found::default();
            found.below(&place, most);
            found.folders
        };
        let all = ["", "a", "b", "a/deep", "a/deep/deeper"].map(|name| place.join(name).components().collect());
        assert_eq!(below(100), all.clone().into());
        assert_eq!(below(3), BTreeSet::from_iter(all[..3].iter().cloned()));
    }
}
