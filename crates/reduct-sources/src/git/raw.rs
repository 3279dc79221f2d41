//! What commits change, as git says it: paths, modes and names of objects.

use super::GitError;
use super::graph::Way;
use super::run::{Git, read};
use std::collections::{BTreeMap, HashMap, HashSet};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// The mode of a symbolic link.
pub(super) const LINK: u32 = 0o120_000;

/// The mode of a submodule: what stands there is another repository's commit.
const SUBMODULE: u32 = 0o160_000;

/// What a tree holds at a path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(super) struct TreeEntry {
    /// Its mode, with its kind.
    pub(super) mode: u32,
    /// The name of its object.
    pub(super) object: Rc<str>,
}

/// What a commit makes of a path: where it stood before, and what stands there now.
pub(super) type Made = (Option<PathBuf>, Option<TreeEntry>);

/// What all commits of a way make of which paths, and what was there at first.
pub(super) struct Told {
    /// What was in the root, everywhere.
    pub(super) root: HashMap<PathBuf, TreeEntry>,
    /// Of each commit.
    pub(super) made: Vec<BTreeMap<PathBuf, Made>>,
    /// The submodules in the root.
    pub(super) submodules: Vec<PathBuf>,
}

/// Asks for all that lies on a way.
pub(super) fn tell(git: &Git, way: &Way) -> Result<Told, GitError> {
    let (root, mut submodules) = tree(git, &way.root)?;
    let mut made = changes(git, way)?;
    // A merge differs from a branch in all that came by another one. If that is what was there at first, and
    // nobody else makes anything else of it, then nobody touches it: this is so for another project's history.
    let mut moved: HashMap<&Path, bool> = HashMap::new();
    for (path, (_, now)) in made.iter().flatten() {
        *moved.entry(path).or_default() |= root.get(path) != now.as_ref();
    }
    let still: HashSet<PathBuf> =
        moved.into_iter().filter(|(_, moved)| !moved).map(|(path, _)| path.to_path_buf()).collect();
    made.iter_mut().for_each(|made| made.retain(|path, _| !still.contains(path)));
    let touched = |path: &&PathBuf| made.iter().any(|made| made.contains_key(*path));
    if let Some(path) = submodules.iter().find(touched) {
        return Err(GitError::Submodule(path.clone()));
    }
    let is_submodule = |made: &Made| made.1.as_ref().is_some_and(|now| now.mode == SUBMODULE);
    if let Some((path, _)) = made.iter().flatten().find(|(_, made)| is_submodule(made)) {
        return Err(GitError::Submodule(path.clone()));
    }
    submodules.sort();
    Ok(Told { root, made, submodules })
}

/// Returns everything in a tree, and which of it are submodules.
fn tree(git: &Git, commit: &str) -> Result<(HashMap<PathBuf, TreeEntry>, Vec<PathBuf>), GitError> {
    let text = git.read(&["ls-tree", "-r", "-z", "--full-tree", commit])?;
    let (mut all, mut submodules) = (HashMap::new(), vec![]);
    for line in text.split(|byte| *byte == 0).filter(|line| !line.is_empty()) {
        let (path, state) = entry(line).ok_or(GitError::Garbled("git ls-tree"))?;
        if state.mode == SUBMODULE {
            submodules.push(path.clone());
        }
        all.insert(path, state);
    }
    Ok((all, submodules))
}

/// Reads bytes as what `ls-tree` writes.
pub(crate) fn try_bytes(bytes: &[u8]) {
    bytes.split(|byte| *byte == 0).for_each(|line| _ = entry(line));
}

/// Returns a line of `ls-tree`: `MODE TYPE OBJECT\tPATH`.
fn entry(line: &[u8]) -> Option<(PathBuf, TreeEntry)> {
    let tab = line.iter().position(|byte| *byte == b'\t')?;
    let mut words = std::str::from_utf8(&line[..tab]).ok()?.split(' ');
    let mode = u32::from_str_radix(words.next()?, 8).ok()?;
    Some((path(&line[tab + 1..]), TreeEntry { mode, object: words.nth(1)?.into() }))
}

fn path(bytes: &[u8]) -> PathBuf {
    OsStr::from_bytes(bytes).into()
}

/// Returns what each commit makes of what, by one process for all of them.
fn changes(git: &Git, way: &Way) -> Result<Vec<BTreeMap<PathBuf, Made>>, GitError> {
    let (mut input, mut owners) = (String::new(), vec![]);
    for (number, (commit, bases)) in way.commits.iter().zip(&way.bases).enumerate() {
        let id = &commit.id;
        match &bases[..] {
            [] => input.push_str(&format!("{id}\n")),
            bases => bases.iter().for_each(|base| input.push_str(&format!("{id} {base}\n"))),
        }
        owners.extend(std::iter::repeat_n(number, bases.len().max(1)));
    }
    let flags = ["-r", "-z", "--raw", "--no-abbrev", "-M", "--root", "--always", "--ignore-submodules=none"];
    let text = read(git.command(&[&["diff-tree", "--stdin"], &flags[..]].concat()), input.into_bytes())?;
    let mut made = vec![BTreeMap::new(); way.commits.len()];
    Diffs { words: text.split(|byte| *byte == 0), owners, way, made: &mut made }
        .parse()
        .ok_or(GitError::Garbled("git diff-tree"))?;
    Ok(made)
}

/// What `diff-tree` wrote, word by word.
struct Diffs<'a, W> {
    words: W,
    /// Whose each diff is, in the order in which they were asked for.
    owners: Vec<usize>,
    way: &'a Way,
    made: &'a mut Vec<BTreeMap<PathBuf, Made>>,
}

impl<'a, W: Iterator<Item = &'a [u8]>> Diffs<'_, W> {
    /// Reads diffs, each of which begins with the name of the commit; then follow `:MODE MODE OBJECT OBJECT LETTER`, a path, and
    /// of a rename a second path.
    fn parse(mut self) -> Option<()> {
        let mut owners = std::mem::take(&mut self.owners).into_iter();
        let mut owner = None;
        while let Some(word) = self.words.next().filter(|word| !word.is_empty()) {
            match word.strip_prefix(b":") {
                None => {
                    owner = owners.next();
                    let expected = &self.way.commits[owner?].id;
                    (expected.as_bytes() == word).then_some(())?;
                }
                Some(line) => self.record(owner?, std::str::from_utf8(line).ok()?)?,
            }
        }
        owners.next().is_none().then_some(())
    }

    fn record(&mut self, owner: usize, line: &str) -> Option<()> {
        let mut words = line.split(' ');
        let mode = u32::from_str_radix(words.nth(1)?, 8).ok()?;
        let now = TreeEntry { mode, object: words.nth(1)?.into() };
        let letter = words.next()?.chars().next()?;
        let first = path(self.words.next()?);
        let made = &mut self.made[owner];
        match letter {
            'R' => {
                // Of a merge, the file of another branch is not where one of its own went.
                let from = (self.way.bases[owner].len() < 2).then(|| first.clone());
                made.entry(first).or_insert((None, None));
                made.insert(path(self.words.next()?), (from, Some(now)));
            }
            'D' => _ = made.insert(first, (None, None)),
            'A' | 'M' | 'T' => _ = made.insert(first, (None, Some(now))),
            _ => return None,
        }
        Some(())
    }
}
