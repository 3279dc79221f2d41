//! Two folders.

use super::repository::{Tree, assert_same, base_tree, touched, tree, version};
use reduct_input::Content;
use reduct_sources::folders::{FoldersError, pair};
use reduct_sources::{Remark, Versions};
use std::fs::{self, File, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt, symlink};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::time::{Duration, UNIX_EPOCH};
use tempfile::TempDir;

/// Two folders, `old` and `new`.
struct Pair {
    home: TempDir,
}

impl Pair {
    fn new() -> Pair {
        let pair = Pair { home: tempfile::tempdir().unwrap() };
        ["old", "new"].iter().for_each(|name| fs::create_dir(pair.path(name)).unwrap());
        pair
    }

    fn path(&self, path: &str) -> PathBuf {
        self.home.path().join(path)
    }

    fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        fs::create_dir_all(self.path(path).parent().unwrap()).unwrap();
        fs::write(self.path(path), text).unwrap();
        self.mode(path, 0o644);
    }

    fn both(&self, path: &str, text: &str) {
        ["old", "new"].iter().for_each(|name| self.write(&format!("{name}/{path}"), text));
    }

    fn mode(&self, path: &str, mode: u32) {
        fs::set_permissions(self.path(path), Permissions::from_mode(mode)).unwrap();
    }

    /// The versions, which are the folders.
    fn versions(&self) -> Versions {
        let versions = pair(&self.path("old"), &self.path("new")).unwrap();
        let mut first = base_tree(&versions);
        first.extend(versions.root.iter().cloned());
        let files = |tree: Tree| -> Tree {
            tree.into_iter().filter(|(_, content)| !matches!(content, Content::Folder { .. })).collect()
        };
        assert_same(&files(first), &files(tree(&self.path("old"))), "old");
        assert_same(&files(version(&versions, 0)), &files(tree(&self.path("new"))), "new");
        versions
    }
}

#[test]
fn what_differs_is_one_change() {
    let it = Pair::new();
    it.both("same", "same\n");
    it.both("inner/same", "same too\n");
    it.both("changed", "old\n");
    it.write("new/changed", "new\n");
    // Of the same size, and longer than what is compared at a time.
    it.both("large", &"x".repeat(200_000));
    it.write("new/large", format!("{}y", "x".repeat(199_999)));
    it.both("mode", "mode\n");
    it.mode("new/mode", 0o700);
    it.write("old/gone", "gone\n");
    it.write("new/inner/new", "new\n");
    it.write("old/now a folder", "a file\n");
    it.write("new/now a folder/file", "a file within\n");
    symlink("old", it.path("old/link")).unwrap();
    symlink("new", it.path("new/link")).unwrap();
    symlink("same", it.path("old/equal link")).unwrap();
    symlink("same", it.path("new/equal link")).unwrap();
    let versions = it.versions();
    let all =
        ["+ changed", "- gone", "+ inner/new", "+ large", "+ link", "+ mode", "- now a folder", "+ now a folder/file"];
    assert_eq!(touched(&versions, 0), all);
    let about = &versions.changes[0].about;
    assert_eq!(about.subject, format!("{} -> {}", it.path("old").display(), it.path("new").display()));
    assert_eq!((about.id.as_str(), versions.notes.len()), ("", 0));
}

#[test]
fn a_file_that_moved_is_known_by_its_content() {
    let it = Pair::new();
    it.write("old/a", "moved\n");
    it.write("new/b/c", "moved\n");
    // Two that are gone, one that is new: nobody knows which it is. And nothing is the same as nothing.
    it.write("old/twin 1", "twin\n");
    it.write("old/twin 2", "twin\n");
    it.write("new/twin 3", "twin\n");
    it.write("old/empty", "");
    it.write("new/also empty", "");
    let lines = ["- a", "+ also empty", "b/c <- a", "- empty", "- twin 1", "- twin 2", "+ twin 3"];
    assert_eq!(touched(&it.versions(), 0), lines);
}

#[test]
fn folders_count_if_they_are_empty_or_closed() {
    let it = Pair::new();
    for path in ["old/both", "new/both", "old/gone", "new/new", "old/filled", "new/filled", "old/mode", "new/mode"] {
        fs::create_dir(it.path(path)).unwrap();
        it.mode(path, 0o755);
    }
    it.write("new/filled/file", "file\n");
    it.write("new/whole/inner/file", "file\n");
    it.mode("new/mode", 0o700);
    let versions = it.versions();
    assert_eq!(touched(&versions, 0), ["+ filled/file", "- gone", "+ mode", "+ new", "+ whole/inner/file"]);
    let folder = |path: &str, mode: u32| (PathBuf::from(path), Content::Folder { mode });
    assert_eq!(versions.root, [folder("gone", 0o755), folder("mode", 0o755)]);
    assert_eq!(versions.changes[0].touched[2].becomes, Some(Content::Folder { mode: 0o700 }));
    let laid = tempfile::tempdir().unwrap();
    versions.base_tree.populate(laid.path()).unwrap();
    let mut names: Vec<_> = fs::read_dir(laid.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["both", "filled"]);
}

#[test]
fn the_ground_keeps_modes_and_times() {
    let it = Pair::new();
    it.both("inner/closed/file", "file\n");
    it.both("script", "script\n");
    symlink("nowhere", it.path("new/link")).unwrap();
    symlink("nowhere", it.path("old/link")).unwrap();
    it.write("new/inner/new", "new\n");
    for name in ["old", "new"] {
        it.mode(&format!("{name}/script"), 0o755);
        it.mode(&format!("{name}/inner/closed/file"), 0o400);
        it.mode(&format!("{name}/inner/closed"), 0o500);
    }
    for (seconds, path) in ["script", "inner/closed/file", "inner/closed"].iter().enumerate() {
        let time = UNIX_EPOCH + Duration::new(1_000_000 + seconds as u64, 123_456_789);
        File::open(it.path("new").join(path)).unwrap().set_modified(time).unwrap();
    }
    let laid = tempfile::tempdir().unwrap();
    pair(&it.path("old"), &it.path("new")).unwrap().base_tree.populate(laid.path()).unwrap();
    for path in ["script", "inner/closed/file", "inner/closed", "inner", "link"] {
        let seen = |folder: &Path| {
            let meta = fs::symlink_metadata(folder.join(path)).unwrap();
            (meta.mode(), meta.mtime(), meta.mtime_nsec())
        };
        assert_eq!(seen(laid.path()), seen(&it.path("new")), "{path}");
    }
    // A closed folder could not be removed by everybody.
    for folder in [laid.path().to_owned(), it.path("old"), it.path("new")] {
        fs::set_permissions(folder.join("inner/closed"), Permissions::from_mode(0o700)).unwrap();
    }
}

#[test]
fn what_is_left_out_is_said() {
    let it = Pair::new();
    it.both("file", "file\n");
    it.write("new/other", "other\n");
    it.write("new/.git/config", "\n");
    it.write("old/.reduct/run", "\n");
    it.write("new/inner/.git/config", "not at the top\n");
    let _socket = UnixListener::bind(it.path("new/socket")).unwrap();
    let versions = pair(&it.path("old"), &it.path("new")).unwrap();
    assert_eq!(touched(&versions, 0), ["+ inner/.git/config", "+ other"]);
    // Folder by folder, as they are read.
    let left_out = [
        Remark::OfThePlace(it.path("old/.reduct")),
        Remark::OfThePlace(it.path("new/.git")),
        Remark::Special(it.path("new/socket")),
    ];
    assert_eq!(versions.notes, left_out);
}

#[test]
fn what_are_not_two_folders() {
    let it = Pair::new();
    it.both("file", "file\n");
    let (old, new) = (it.path("old"), it.path("new"));
    assert!(matches!(pair(&old, &new), Err(FoldersError::NothingDiffers { .. })));
    assert!(matches!(pair(&old.join("file"), &new), Err(FoldersError::NotAFolder(_))));
    assert!(matches!(pair(&old, &it.path("nowhere")), Err(FoldersError::Io { .. })));
}
