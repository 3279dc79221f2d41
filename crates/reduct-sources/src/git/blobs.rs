//! Contents of files, as a checkout would write them.

use super::GitError;
use super::ends::Repository;
use super::raw::{LINK, TreeEntry};
use super::run::{Git, read};
use crate::versions::MOST;
use crate::workshop::Workshop;
use reduct_input::Content;
use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::ffi::OsStr;
use std::hash::{BuildHasher, RandomState};
use std::io::{self, BufRead, BufReader};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread::Builder;

/// What is wanted: an object, and where it stands, on which depends how it is converted.
pub(super) type Wanted = (PathBuf, TreeEntry);

/// Contents, each with how often it is still wanted.
pub(super) struct Store(HashMap<Wanted, (u64, Content)>);

impl Store {
    /// Reads everything that is wanted, once, converted by the attributes of this version.
    pub(super) fn fill(
        repository: &Repository,
        version: &str,
        wanted: HashMap<Wanted, u64>,
    ) -> Result<Store, GitError> {
        measure(&repository.git, &wanted)?;
        let (links, files): (BTreeSet<&Wanted>, _) = wanted.keys().partition(|(_, state)| state.mode == LINK);
        let mut contents = HashMap::new();
        let names = links.iter().map(|(_, state)| state.object.as_bytes().to_vec()).collect();
        for (link, bytes) in links.into_iter().zip(batch(&repository.git, &[], names)?) {
            contents.insert(link.clone(), (wanted[link], Content::Link { target: OsStr::from_bytes(&bytes).into() }));
        }
        if !files.is_empty() {
            for (file, bytes) in Converter::new(repository, version)?.convert(&files)? {
                let mode = if file.1.mode & 0o111 == 0 { 0o644 } else { 0o755 };
                contents.insert(file.clone(), (wanted[file], Content::File { mode, bytes }));
            }
        }
        Ok(Store(contents))
    }

    /// Returns what is wanted, if it was when the store was filled. The last time, it is not copied.
    pub(super) fn take(&mut self, wanted: Wanted) -> Option<Content> {
        match self.0.entry(wanted) {
            Entry::Vacant(_) => None,
            Entry::Occupied(mut entry) if entry.get().0 > 1 => {
                entry.get_mut().0 -= 1;
                Some(entry.get().1.clone())
            }
            Entry::Occupied(entry) => Some(entry.remove().1),
        }
    }
}

/// Sees that everything is there, and not too much.
fn measure(git: &Git, wanted: &HashMap<Wanted, u64>) -> Result<(), GitError> {
    let mut objects: BTreeMap<&str, (u64, &Path)> = BTreeMap::new();
    for ((path, state), times) in wanted {
        objects.entry(&state.object).or_insert((0, path)).0 += times;
    }
    let input = objects.keys().map(|object| format!("{object}\n")).collect::<String>().into_bytes();
    let text = read(git.command(&["cat-file", "--batch-check=%(objectsize)"]), input)?;
    let lines = text.split(|byte| *byte == b'\n').map(|line| std::str::from_utf8(line).unwrap_or_default());
    let mut total = 0u64;
    for ((object, (times, path)), line) in objects.into_iter().zip(lines) {
        let missing = |_| GitError::Missing { object: object.into(), path: path.into() };
        total = total.saturating_add(line.parse::<u64>().map_err(missing)?.saturating_mul(times));
    }
    if total > MOST { Err(GitError::TooLarge) } else { Ok(()) }
}

/// Converts contents by the attributes of one version, in a folder where nothing but these stands.
struct Converter {
    git: Git,
    _folder: Workshop,
}

impl Converter {
    fn new(repository: &Repository, version: &str) -> Result<Converter, GitError> {
        let folder = Workshop::open().map_err(GitError::io(std::env::temp_dir()))?;
        let tree = folder.path().join("tree");
        std::fs::create_dir(&tree).map_err(GitError::io(&tree))?;
        let git = Git::at(&tree).with("GIT_DIR", &repository.folder).with("GIT_WORK_TREE", &tree);
        let git = git.with("GIT_INDEX_FILE", folder.path().join("index"));
        git.read(&["read-tree", version])?;
        let attributes = git.read(&["ls-files", "-z", "--", ".gitattributes", "**/.gitattributes"])?;
        if !attributes.is_empty() {
            read(git.command(&["checkout-index", "-z", "--stdin"]), attributes)?;
        }
        Ok(Converter { git, _folder: folder })
    }

    fn convert<'a>(&self, wanted: &BTreeSet<&'a Wanted>) -> Result<Vec<(&'a Wanted, Vec<u8>)>, GitError> {
        // A line cannot tell of all paths: those that it cannot are rare.
        let fits = |path: &Path| {
            let bytes = path.as_os_str().as_bytes();
            !bytes.contains(&b'\n') && !bytes.starts_with(b" ") && !bytes.starts_with(b"\t")
        };
        let (plain, odd): (Vec<&Wanted>, Vec<&Wanted>) = wanted.iter().partition(|(path, _)| fits(path));
        let line = |(path, state): &&Wanted| [state.object.as_bytes(), b" ", path.as_os_str().as_bytes()].concat();
        let lines = plain.iter().map(line).collect();
        let mut contents: Vec<_> = plain.into_iter().zip(batch(&self.git, &["--filters"], lines)?).collect();
        for wanted in odd {
            let mut command = self.git.command(&["cat-file", "--filters"]);
            let option = [b"--path=", wanted.0.as_os_str().as_bytes()].concat();
            command.arg(OsStr::from_bytes(&option)).arg(&*wanted.1.object);
            contents.push((wanted, read(command, vec![])?));
        }
        Ok(contents)
    }
}

/// Returns what one `cat-file` says to each of these lines.
///
/// With conversions, the sizes it tells are those from before. So it is given a word to begin each answer
/// with, which stands in no content.
fn batch(git: &Git, options: &[&str], lines: Vec<Vec<u8>>) -> Result<Vec<Vec<u8>>, GitError> {
    if lines.is_empty() {
        return Ok(vec![]);
    }
    let word = format!("{:032x}", nonce());
    let format = format!("--batch={word} %(objecttype)");
    let command = git.command(&[&["cat-file", &format, "--buffer"], options].concat());
    let count = lines.len();
    let answers = stream(command, lines.join(&b'\n'), format!("{word} blob\n").as_bytes())?;
    if answers.len() == count { Ok(answers) } else { Err(GitError::Garbled("git cat-file")) }
}

/// Returns what a command writes to `input`, cut where a line is `head`.
fn stream(mut command: Command, input: Vec<u8>, head: &[u8]) -> Result<Vec<Vec<u8>>, GitError> {
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
    let no_git = |source: io::Error| GitError::NoGit { source };
    let mut child = command.spawn().map_err(no_git)?;
    let (stdin, stdout) = (child.stdin.take(), child.stdout.take());
    let input = &input;
    let answers = std::thread::scope(|scope| {
        // What cannot be written is not answered, which is seen below.
        Builder::new().spawn_scoped(scope, move || stdin.map(|mut to| io::Write::write_all(&mut to, input)))?;
        stdout.map_or(Ok(vec![]), |stdout| cut(BufReader::new(stdout), head))
    });
    if answers.is_err() {
        // It may wait for somebody to read.
        let _ = child.kill();
    }
    let ended = child.wait();
    ended.and(answers).map_err(no_git)
}

fn cut(mut from: impl BufRead, head: &[u8]) -> io::Result<Vec<Vec<u8>>> {
    let (mut answers, mut answer) = (vec![], vec![]);
    loop {
        let begin = answer.len();
        let read = from.read_until(b'\n', &mut answer)?;
        if read == 0 || answer[begin..] == *head {
            // Before the word stands the line break with which each answer ends.
            answer.truncate(begin.saturating_sub(1));
            answer.shrink_to_fit();
            answers.push(std::mem::take(&mut answer));
        }
        if read == 0 {
            // The first begins with the word, so before it there is one too many.
            answers.remove(0);
            return Ok(answers);
        }
    }
}

/// Returns a number that nobody can know beforehand.
fn nonce() -> u128 {
    let one = || u128::from(RandomState::new().hash_one(0));
    one() << 64 | one()
}
