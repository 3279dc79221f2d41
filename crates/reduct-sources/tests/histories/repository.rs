//! Repositories to try things on, and what git itself makes of each version.

use reduct_input::{Content, Touched};
use reduct_sources::Versions;
use reduct_sources::git::range;
use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};
use std::process::Command;
use tempfile::TempDir;

/// What is in a folder, by path.
pub type Tree = BTreeMap<PathBuf, Content>;

/// All that can be seen of files and folders, by path.
pub type Everything = BTreeMap<PathBuf, Seen>;

/// What can be seen of a file or folder.
#[derive(PartialEq)]
pub struct Seen {
    pub mode: u32,
    pub time: (i64, i64),
    pub inode: u64,
    pub bytes: Vec<u8>,
}

/// A repository, with room beside it.
pub struct Repository {
    home: TempDir,
    pub folder: PathBuf,
}

/// A new repository without a commit.
pub fn repository() -> Repository {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().canonicalize().unwrap().join("repository");
    fs::create_dir(&folder).unwrap();
    let repository = Repository { home, folder };
    repository.git(&["init", "-q", "-b", "main"]);
    for setting in ["user.name", "user.email"] {
        repository.git(&["config", setting, "somebody"]);
    }
    repository
}

/// What git writes when it is called in a folder. It must succeed.
pub fn git(folder: &Path, args: &[&str]) -> String {
    let output = Command::new("git")
        .args(["-c", "protocol.file.allow=always", "-c", "advice.detachedHead=false"])
        .args(args)
        .current_dir(folder)
        .output()
        .unwrap();
    assert!(output.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().trim_end().to_owned()
}

impl Repository {
    pub fn git(&self, args: &[&str]) -> String {
        git(&self.folder, args)
    }

    pub fn beside(&self, name: &str) -> PathBuf {
        self.folder.with_file_name(name)
    }

    pub fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        let path = self.folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }

    pub fn mode(&self, path: &str, mode: u32) {
        fs::set_permissions(self.folder.join(path), Permissions::from_mode(mode)).unwrap();
    }

    /// Commits all there is, under this name as a tag.
    pub fn commit(&self, name: &str) -> String {
        self.git(&["add", "-A"]);
        self.git(&["commit", "-q", "--allow-empty", "-m", name]);
        self.git(&["tag", name]);
        self.git(&["rev-parse", "HEAD"])
    }

    /// Goes to a version, on a branch of its own.
    pub fn branch(&self, name: &str, at: &str) {
        self.git(&["checkout", "-q", "-b", name, at]);
    }

    /// Merges what can be merged without conflicts.
    pub fn merge(&self, name: &str, others: &[&str]) {
        self.git(&[&["merge", "-q", "--no-ff", "-m", name], others].concat());
        self.git(&["tag", name]);
    }

    /// The versions of a range, each of which is what git says it is.
    pub fn versions(&self, spec: &str) -> Versions {
        let versions = range(&self.folder, spec, false).unwrap();
        self.check(&versions);
        versions
    }

    /// Compares all versions with what git checks out.
    pub fn check(&self, versions: &Versions) {
        let reference = tempfile::tempdir_in(self.home.path()).unwrap();
        git(self.home.path(), &["clone", "-q", &self.folder.to_string_lossy(), &reference.path().to_string_lossy()]);
        for (number, change) in versions.changes.iter().enumerate() {
            if change.about.id != "working tree" {
                git(reference.path(), &["checkout", "-q", "-f", &change.about.id]);
                assert_same(&version(versions, number), &tree(reference.path()), &change.about.subject);
            }
        }
    }

    /// Everything that is in the repository and beside it: contents, modes, times.
    pub fn everything(&self) -> Everything {
        let mut all = BTreeMap::new();
        let mut todo = vec![self.home.path().to_owned()];
        while let Some(path) = todo.pop() {
            let meta = fs::symlink_metadata(&path).unwrap();
            let mut bytes = vec![];
            if meta.is_dir() {
                todo.extend(fs::read_dir(&path).unwrap().map(|entry| entry.unwrap().path()));
            } else if meta.is_file() {
                bytes = fs::read(&path).unwrap();
            }
            all.insert(
                path,
                Seen { mode: meta.mode(), time: (meta.mtime(), meta.mtime_nsec()), inode: meta.ino(), bytes },
            );
        }
        all
    }
}

/// The files and links in a folder, without a repository's own.
pub fn tree(folder: &Path) -> Tree {
    let mut tree = Tree::new();
    let mut todo = vec![folder.to_owned()];
    while let Some(inner) = todo.pop() {
        for entry in fs::read_dir(inner).unwrap() {
            let path = entry.unwrap().path();
            let meta = fs::symlink_metadata(&path).unwrap();
            let name = path.strip_prefix(folder).unwrap().to_owned();
            if name == Path::new(".git") {
                continue;
            } else if meta.is_dir() {
                todo.push(path);
            } else if meta.is_symlink() {
                tree.insert(name, Content::Link { target: fs::read_link(path).unwrap() });
            } else {
                tree.insert(name, Content::File { mode: meta.mode() & 0o777, bytes: fs::read(path).unwrap() });
            }
        }
    }
    tree
}

/// Sees that two folders hold the same.
pub fn assert_same(is: &Tree, should: &Tree, what: &str) {
    let paths: Vec<_> = is.keys().chain(should.keys()).filter(|path| is.get(*path) != should.get(*path)).collect();
    let Some(path) = paths.first() else { return };
    let shown = |content: Option<&Content>| format!("{content:?}").chars().take(200).collect::<String>();
    panic!("{what}: {paths:?}: is {}, should be {}", shown(is.get(*path)), shown(should.get(*path)));
}

/// What a version is, from what there was at first, with the changes it builds on, on the base tree.
pub fn version(versions: &Versions, number: usize) -> Tree {
    let mut all = base_tree(versions);
    let mut states: Vec<Tree> = vec![];
    for change in &versions.changes[..=number] {
        let before = change.parents.first().map(|parent| &states[*parent]);
        let mut state = before.cloned().unwrap_or_else(|| versions.root.iter().cloned().collect());
        apply(&mut state, &change.touched);
        states.push(state);
    }
    all.extend(states.remove(number));
    all
}

/// What no change touches.
pub fn base_tree(versions: &Versions) -> Tree {
    let folder = tempfile::tempdir().unwrap();
    versions.base_tree.populate(folder.path()).unwrap();
    let mut all = tree(folder.path());
    let touched = versions.changes.iter().flat_map(|change| &change.touched);
    touched.for_each(|touched| _ = all.remove(&touched.path));
    all
}

fn apply(state: &mut Tree, touched: &[Touched]) {
    for Touched { path, becomes, .. } in touched {
        match becomes {
            Some(content) => _ = state.insert(path.clone(), content.clone()),
            None => _ = state.remove(path),
        }
    }
}

/// What a version's change touches, as words: a letter and a path.
pub fn touched(versions: &Versions, number: usize) -> Vec<String> {
    let word = |touched: &Touched| match (&touched.from, &touched.becomes) {
        (Some(from), _) => format!("{} <- {}", touched.path.display(), from.display()),
        (None, Some(_)) => format!("+ {}", touched.path.display()),
        (None, None) => format!("- {}", touched.path.display()),
    };
    versions.changes[number].touched.iter().map(word).collect()
}

/// The subjects of all changes.
pub fn subjects(versions: &Versions) -> Vec<&str> {
    versions.changes.iter().map(|change| change.about.subject.as_str()).collect()
}

/// The subjects of these changes.
pub fn named<'a>(versions: &'a Versions, numbers: &[usize]) -> Vec<&'a str> {
    numbers.iter().map(|number| subjects(versions)[*number]).collect()
}
