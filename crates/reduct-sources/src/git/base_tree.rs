//! What all versions of a repository stand on: a repository of its own, which has all objects and can change none.

use super::GitError;
use super::ends::Repository;
use super::run::{Git, read};
use crate::BaseTree;
use reduct_input::patch::Objects;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::{Path, PathBuf};

/// A commit that can be checked out anywhere.
///
/// A test finds a repository there as if it had been cloned: with history, tags and branches, `HEAD` at the
/// commit. It shares the objects of the user's and has nothing else in common with it, so that whatever a test
/// does with git it does to its own. (A test that commits there what the user's repository already has makes git set the
/// time of that object, as it does wherever objects are shared.)
#[derive(Debug)]
pub(super) struct Checkout {
    /// The user's repository.
    repository: PathBuf,
    objects: Objects,
    commit: String,
    /// What is written into the repository, by path.
    files: Vec<(&'static str, Vec<u8>)>,
}

/// Which settings of the user's repository hold in the others too: how files are converted and compared, and
/// who commits. Nothing that leads to other repositories, and nothing that runs at other times.
const SETTINGS: &[&str] = &[
    "core.attributesfile",
    "core.autocrlf",
    "core.checkroundtripencoding",
    "core.eol",
    "core.excludesfile",
    "core.filemode",
    "core.ignorecase",
    "core.safecrlf",
    "core.symlinks",
    "filter.",
    "user.",
];

/// Nothing runs of its own accord, and nothing is tidied that others may use.
const QUIET: &str = "[core]\n\thooksPath = /dev/null\n[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n";

impl Checkout {
    pub(super) fn new(repository: &Repository, commit: String) -> Result<Checkout, GitError> {
        let git = &repository.git;
        let refs = git.read(&["for-each-ref", "--format=%(objectname) %(refname)"])?;
        let settings = git.read(&["config", "--list", "-z", "--show-scope"])?;
        let mut files = vec![
            ("HEAD", format!("{commit}\n").into_bytes()),
            ("config", [&settings_of(&settings)[..], QUIET.as_bytes()].concat()),
            ("objects/info/alternates", alternates(git)?),
            ("packed-refs", refs),
        ];
        for path in ["shallow", "info/attributes", "info/exclude"] {
            let from = git.path(&["rev-parse", "--git-path", path])?;
            match fs::read(&from) {
                Ok(bytes) => files.push((path, bytes)),
                Err(error) if error.kind() == io::ErrorKind::NotFound => {}
                Err(error) => return Err(GitError::io(from)(error)),
            }
        }
        Ok(Checkout { repository: repository.folder.clone(), objects: repository.objects, commit, files })
    }

    fn check_out(&self, folder: &Path) -> Result<(), GitError> {
        // The option is younger than the default.
        let format: &[&str] = if self.objects == Objects::Sha1 { &[] } else { &["--object-format=sha256"] };
        let mut init = Git::own(folder, &[&["init", "--quiet", "--template="], format].concat());
        init.env("GIT_DEFAULT_REF_FORMAT", "files").env_remove("GIT_DEFAULT_HASH");
        read(init, vec![])?;
        let inner = folder.join(".git");
        for (path, bytes) in &self.files {
            let path = inner.join(path);
            path.parent().map_or(Ok(()), fs::create_dir_all).map_err(GitError::io(&path))?;
            let mut all = if path.ends_with("config") { fs::read(&path).map_err(GitError::io(&path))? } else { vec![] };
            all.extend(bytes);
            fs::write(&path, all).map_err(GitError::io(&path))?;
        }
        read(Git::own(folder, &["read-tree", &self.commit]), vec![])?;
        // By the user's repository, where whatever converts its files has what it needs.
        let git = Git::at(folder).with("GIT_DIR", &self.repository).with("GIT_WORK_TREE", folder);
        let git = git.with("GIT_INDEX_FILE", inner.join("index"));
        git.read(&["checkout-index", "--all", "--force", "--index", "--quiet"]).map(|_| ())
    }
}

impl BaseTree for Checkout {
    fn identity(&self) -> Vec<u8> {
        self.commit.clone().into_bytes()
    }

    fn populate(&self, folder: &Path) -> io::Result<()> {
        let folder = folder.canonicalize()?;
        self.check_out(&folder).map_err(io::Error::other)
    }
}

/// Returns where the objects of the user's repository are: git follows from there on itself.
fn alternates(git: &Git) -> Result<Vec<u8>, GitError> {
    let objects = git.path(&["rev-parse", "--git-path", "objects"])?;
    let objects = objects.canonicalize().map_err(GitError::io(objects))?;
    let mut lines = quoted(objects.as_os_str().as_bytes());
    lines.push(b'\n');
    let more = std::env::var_os("GIT_ALTERNATE_OBJECT_DIRECTORIES").map(OsString::into_vec).unwrap_or_default();
    for path in more.split(|byte| *byte == b':').filter(|path| !path.is_empty()) {
        lines.extend(path);
        lines.push(b'\n');
    }
    Ok(lines)
}

/// Returns the settings that are taken over, as lines of a file. They come as `SCOPE`, `KEY\nVALUE`, one after the
/// other.
fn settings_of(listed: &[u8]) -> Vec<u8> {
    let mut lines = vec![];
    let mut words = listed.split(|byte| *byte == 0);
    while let (Some(scope), Some(setting)) = (words.next(), words.next()) {
        if matches!(scope, b"local" | b"worktree") {
            lines.extend(setting_of(setting).unwrap_or_default());
        }
    }
    lines
}

fn setting_of(setting: &[u8]) -> Option<Vec<u8>> {
    let end = setting.iter().position(|byte| *byte == b'\n').unwrap_or(setting.len());
    let (key, value) = (std::str::from_utf8(&setting[..end]).ok()?, setting.get(end + 1..));
    SETTINGS.iter().any(|wanted| key.starts_with(wanted)).then_some(())?;
    let (section, name) = key.split_once('.')?;
    let (section, name) = match name.rsplit_once('.') {
        None => (format!("[{section}]"), name),
        Some((sub, name)) => {
            let sub = String::from_utf8_lossy(&quoted_always(sub.as_bytes())).into_owned();
            (format!("[{section} {sub}]"), name)
        }
    };
    let value = value.map(|value| [b" = ", &quoted_always(value)[..]].concat()).unwrap_or_default();
    Some([format!("{section}\n\t{name}").as_bytes(), &value, b"\n"].concat())
}

/// Returns a path as a line of its own: in quotes if it could be taken for something else.
fn quoted(path: &[u8]) -> Vec<u8> {
    let special = path.contains(&b'\n') || path.starts_with(b"\"") || path.starts_with(b"#");
    if special { quoted_always(path) } else { path.to_vec() }
}

fn quoted_always(text: &[u8]) -> Vec<u8> {
    let escaped = text.iter().flat_map(|byte| match byte {
        b'\n' => b"\\n".to_vec(),
        b'"' | b'\\' => vec![b'\\', *byte],
        other => vec![*other],
    });
    [b"\"", &escaped.collect::<Vec<u8>>()[..], b"\""].concat()
}
