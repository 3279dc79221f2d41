//! The folder in which a command line is run: inputs, tests, and beside it what nobody may touch.

use super::below;
use std::collections::BTreeMap;
use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

/// The tests, by name. The last one changes a file outside.
const SCRIPTS: [(&str, &str); 7] = [
    ("test.sh", "grep -q needle \"${1:-input}\" && exit 3; exit 0"),
    ("passes.sh", "exit 0"),
    ("fails.sh", "echo 'error: a needle' >&2; exit 1"),
    ("dies.sh", "grep -q needle \"${1:-input}\" && kill -SEGV $$; exit 0"),
    ("hangs.sh", "exec sleep 60"),
    ("forks.sh", "setsid sleep 30 & sleep 30 & exit 3"),
    // What it does does no harm where nobody keeps it from that.
    ("attacks.sh", "test -f \"$HOME/kept\" && echo gone >\"$HOME/kept\"; exit 3"),
];

/// A folder that was just made.
pub(super) struct Folder {
    pub folder: PathBuf,
    before: BTreeMap<PathBuf, Vec<u8>>,
    outside: BTreeMap<PathBuf, Vec<u8>>,
}

impl Folder {
    /// Makes it anew.
    pub(super) fn make(folder: &Path) -> io::Result<Folder> {
        if folder.exists() {
            fs::remove_dir_all(folder)?;
        }
        let mut made = Folder { folder: folder.to_owned(), before: BTreeMap::new(), outside: BTreeMap::new() };
        for folder in [made.home(), made.outside(), made.temporary(), made.home().join("folder")] {
            fs::create_dir_all(folder)?;
        }
        let home = made.home();
        let lines = |needle: &str| {
            (0..12).map(|n| format!("line {n} {}\n", if n == 7 { needle } else { "" })).collect::<String>()
        };
        for name in ["input", "bad", "name with spaces", "-dash", "n\u{e4}me", "folder/a", "folder/b.txt"] {
            fs::write(home.join(name), lines("needle"))?;
        }
        for (version, needle) in [("old", ""), ("new", "needle")] {
            fs::create_dir_all(home.join(version))?;
            fs::write(home.join(version).join("input"), lines(needle))?;
        }
        fs::write(home.join("good"), lines(""))?;
        fs::write(home.join("input.c"), "int needle(int a) { return a + 1; }\nint main(void) { return needle(2); }\n")?;
        fs::write(home.join("t.py"), "def f(n):\n    a = [1, 2]\n    return a[n]\nprint('needle')\nf(2)\n")?;
        fs::write(home.join("empty"), "")?;
        fs::write(home.join("binary"), [0, 255, 254, b'n', b'\n', 0])?;
        fs::write(
            home.join("record.jsonl"),
            "{\"event\":\"open\",\"makes\":\"w\"}\n{\"event\":\"needle\",\"needs\":[\"w\"]}\n",
        )?;
        symlink("input", home.join("link"))?;
        for (name, body) in SCRIPTS {
            fs::write(home.join(name), format!("#!/bin/sh\n{body}\n"))?;
            fs::set_permissions(home.join(name), Permissions::from_mode(0o755))?;
        }
        fs::write(made.outside().join("kept"), "kept\n")?;
        (made.before, made.outside) = (files(&home), files(&made.outside()));
        Ok(made)
    }

    /// Returns the folder that commands are run in.
    pub(super) fn home(&self) -> PathBuf {
        self.folder.join("here")
    }

    /// Returns the home folder of the user.
    pub(super) fn outside(&self) -> PathBuf {
        self.folder.join("outside")
    }

    /// Returns the folder for what is temporary.
    pub(super) fn temporary(&self) -> PathBuf {
        self.folder.join("temporary")
    }

    /// Returns which inputs are not what they were.
    pub(super) fn changed(&self) -> Vec<PathBuf> {
        differing(&self.before, &files(&self.home()), &self.folder)
    }

    /// Returns which files of the user are not what they were.
    pub(super) fn changed_outside(&self) -> Vec<PathBuf> {
        differing(&self.outside, &files(&self.outside()), &self.folder)
    }
}

/// Returns what is no longer there as it was. What is new does not count.
fn differing(before: &BTreeMap<PathBuf, Vec<u8>>, now: &BTreeMap<PathBuf, Vec<u8>>, folder: &Path) -> Vec<PathBuf> {
    before.iter().filter(|(path, bytes)| now.get(*path) != Some(bytes)).map(|(path, _)| below(path, folder)).collect()
}

fn files(folder: &Path) -> BTreeMap<PathBuf, Vec<u8>> {
    let (mut found, mut todo) = (BTreeMap::new(), vec![folder.to_owned()]);
    while let Some(folder) = todo.pop() {
        for path in fs::read_dir(folder).into_iter().flatten().flatten().map(|entry| entry.path()) {
            if path.is_dir() && !path.is_symlink() {
                todo.push(path);
            } else {
                found.insert(path.clone(), fs::read(&path).unwrap_or_default());
            }
        }
    }
    found
}
