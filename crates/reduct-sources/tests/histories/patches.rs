//! Patches to a folder, made by git and diff, compared with the versions they were made from.

use super::repository::{Repository, Tree, assert_same, base_tree, repository, subjects, touched, tree, version};
use reduct_input::Content;
use reduct_sources::patches::{PatchError, series};
use reduct_sources::{Remark, Versions};
use std::fs::{self, Permissions};
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};
use std::process::Command;

const RENAME: &str = "[sic] a rename: żółw, with a subject so long that it takes two lines of a mail";

/// A repository of three commits after the first, with everything that a patch can do.
fn history() -> Repository {
    let it = repository();
    let text = (0..40).map(|n| format!("line {n}\n")).collect::<String>();
    it.write("old name", &text);
    it.write("script", "#!/bin/sh\n");
    it.write("binary", (0..=255).cycle().take(5000).collect::<Vec<u8>>());
    it.write("inner/gone", "gone\n");
    it.write("kept", "kept\n");
    it.commit("first");
    it.git(&["mv", "old name", "new näme"]);
    it.write("new näme", format!("{text}and more\n"));
    it.git(&["commit", "-q", "-a", "-m", RENAME]);
    it.mode("script", 0o755);
    it.write("binary", (0..=255).rev().cycle().take(5000).collect::<Vec<u8>>());
    fs::remove_file(it.folder.join("inner/gone")).unwrap();
    it.commit("modes");
    it.write("new näme", format!("before\n{text}and more\n"));
    symlink("kept", it.folder.join("link")).unwrap();
    it.commit("last");
    it
}

impl Repository {
    /// What a version is, as a folder without a repository.
    fn export(&self, version: &str) -> PathBuf {
        let folder = self.beside(&format!("export {version}"));
        self.git(&["worktree", "add", "-q", "--detach", &folder.to_string_lossy(), version]);
        fs::remove_file(folder.join(".git")).unwrap();
        folder
    }

    /// The patches from the first version on, as files.
    fn patches(&self, options: &[&str]) -> PathBuf {
        let folder = self.beside("patches");
        self.git(&[&["format-patch", "-q", "-o", &folder.to_string_lossy()], options, &["first..main"]].concat());
        folder
    }
}

fn at_first(versions: &Versions) -> Tree {
    let mut first = base_tree(versions);
    first.extend(versions.root.iter().cloned());
    first
}

/// All versions are those of the history.
fn check(it: &Repository, versions: &Versions, count: usize) {
    assert_eq!(versions.changes.len(), count);
    let first = tree(&it.export(&format!("main~{count}")));
    assert_same(&at_first(versions), &first, "at first");
    for number in 0..count {
        let there = tree(&it.export(&format!("main~{}", count - 1 - number)));
        assert_same(&version(versions, number), &there, &number.to_string());
    }
}

#[test]
fn a_folder_of_patches() {
    let it = history();
    let patches = it.patches(&["--cover-letter"]);
    let versions = series(&it.export("first"), std::slice::from_ref(&patches), false).unwrap();
    check(&it, &versions, 3);
    assert_eq!(subjects(&versions), [RENAME, "modes", "last"]);
    assert_eq!(touched(&versions, 0), ["new näme <- old name", "- old name"]);
    let about = &versions.changes[1].about;
    assert_eq!(about.author, "somebody <somebody>");
    assert_eq!(
        about.date.replace("+00:00", "Z"),
        it.git(&["log", "-1", "--format=%aI", "modes"]).replace("+00:00", "Z")
    );
    assert_eq!(about.id, patches.join("0002-modes.patch").display().to_string());
    assert!(matches!(&versions.notes[..], [Remark::NoPatch(_)]), "the cover letter: {:?}", versions.notes);
}

#[test]
fn mails_in_one_file_and_the_folder_has_them_all() {
    let it = history();
    let file = it.beside("mails");
    fs::write(&file, it.git(&["format-patch", "--stdout", "--binary", "first..main"]) + "\n").unwrap();
    let last = it.export("last");
    let before = tree(&last);
    let versions = series(&last, std::slice::from_ref(&file), true).unwrap();
    check(&it, &versions, 3);
    assert_eq!(subjects(&versions), [RENAME, "modes", "last"]);
    assert_eq!(touched(&versions, 0), ["new näme <- old name", "- old name"]);
    assert_eq!(versions.changes[2].about.id, format!("{}#3", file.display()));
    assert!(versions.passing.ends_with("without 3 patches"));
    assert_eq!(tree(&last), before);
}

#[test]
fn a_mail_that_was_written_in_the_way_of_mails() {
    let home = tempfile::tempdir().unwrap();
    let path = |name: &str| home.path().join(name);
    fs::create_dir_all(path("it")).unwrap();
    fs::write(path("it/x"), "one=1\n").unwrap();
    let mail = "From: =?UTF-8?q?Some=20B=C3=B6dy?= <b@example.org>\nDate: Tue, 3 Feb 2026 04:05:06 -0730\n\
        Subject: [PATCH v2 1/9] Two\n is more\nMIME-Version: 1.0\nContent-Type: text/plain; charset=UTF-8\n\
        Content-Transfer-Encoding: quoted-printable\n\nWhy.\n---\n\
        --- a/x\n+++ b/x\n@@ -1 +1 @@\n-one=3D1\n+two=3D=\n2\n-- =\n\n2.0\n";
    fs::write(path("mail"), mail).unwrap();
    let versions = series(&path("it"), &[path("mail")], false).unwrap();
    let about = &versions.changes[0].about;
    assert_eq!((about.author.as_str(), about.subject.as_str()), ("Some Bödy <b@example.org>", "Two is more"));
    assert_eq!(about.date, "2026-02-03T04:05:06-07:30");
    let Content::File { bytes, .. } = &version(&versions, 0)[Path::new("x")] else { panic!() };
    assert_eq!(bytes, b"two=2\n");
}

#[test]
fn plain_differences_with_or_without_leading_folders() {
    let home = tempfile::tempdir().unwrap();
    let path = |name: &str| home.path().join(name);
    for folder in ["a", "b", "it"] {
        fs::create_dir_all(path(folder).join("src")).unwrap();
    }
    for (name, text) in [("a/src/x", "one\n"), ("b/src/x", "two\n"), ("it/src/x", "one\n"), ("it/same", "same\n")] {
        fs::write(path(name), text).unwrap();
    }
    fs::set_permissions(path("it/src/x"), Permissions::from_mode(0o640)).unwrap();
    let diff = |folder: &Path, old: &str, new: &str| {
        let output = Command::new("diff").args(["-u", old, new]).current_dir(folder).output().unwrap();
        assert_eq!(output.status.code(), Some(1));
        output.stdout
    };
    fs::write(path("p1"), [b"Say two.\n\n", &diff(home.path(), "a/src/x", "b/src/x")[..]].concat()).unwrap();
    fs::write(path("b/src/y"), "three\n").unwrap();
    // As in the folder itself: src/x against src/y, both to be taken for src/x.
    fs::write(path("a/src/x"), "two\n").unwrap();
    let text = String::from_utf8(diff(&path("a"), "src/x", "../b/src/y")).unwrap().replace("../b/src/y", "src/x");
    fs::write(path("p0"), text).unwrap();
    let versions = series(&path("it"), &[path("p1"), path("p0")], false).unwrap();
    let x = |number| version(&versions, number)[Path::new("src/x")].clone();
    assert_eq!(x(0), Content::File { mode: 0o640, bytes: b"two\n".into() });
    assert_eq!(x(1), Content::File { mode: 0o640, bytes: b"three\n".into() });
    assert_eq!(subjects(&versions)[0], "Say two.");
    assert_eq!(base_tree(&versions).keys().collect::<Vec<_>>(), [Path::new("same")]);

    // The order of a series counts, not that of the names.
    fs::create_dir(path("patches")).unwrap();
    fs::rename(path("p1"), path("patches/z.diff")).unwrap();
    fs::rename(path("p0"), path("patches/a.diff")).unwrap();
    fs::write(path("patches/series"), "# first things first\nz.diff\n\na.diff -p0 # then this\n").unwrap();
    let same = series(&path("it"), &[path("patches")], false).unwrap();
    assert_eq!((same.root, same.changes[1].touched.clone()), (versions.root, versions.changes[1].touched.clone()));
}

#[test]
fn what_does_not_apply_is_named() {
    let it = history();
    let patches = it.patches(&[]);
    let first = it.export("first");
    let error = series(&first, &[patches.join("0003-last.patch")], false).unwrap_err().to_string();
    assert!(error.contains("0003-last.patch") && error.contains("No such file"), "{error}");
    fs::write(first.join("old name"), "something else\n").unwrap();
    let error = series(&first, std::slice::from_ref(&patches), false).unwrap_err().to_string();
    assert!(error.contains("0001-") && error.contains("old name:38"), "{error}");
    let error = series(&first, std::slice::from_ref(&patches), true).unwrap_err().to_string();
    assert!(error.contains("0003-last.patch") && error.contains("does not come off"), "{error}");
}

#[test]
fn what_is_no_patch() {
    let home = tempfile::tempdir().unwrap();
    let path = |name: &str| home.path().join(name);
    fs::create_dir_all(path("it")).unwrap();
    fs::write(path("note"), "Nothing of the sort.\n").unwrap();
    assert!(matches!(series(&path("it"), &[path("note")], false), Err(PatchError::NoPatch(_))));
    assert!(matches!(series(&path("it"), &[], false), Err(PatchError::NoPatch(_))));
    assert!(matches!(series(&path("it"), &[path("nowhere")], false), Err(PatchError::Io { .. })));
}

#[test]
fn no_patch_leads_out_of_the_folder() {
    let home = tempfile::tempdir().unwrap();
    let path = |name: &str| home.path().join(name);
    for folder in ["it", "outside"] {
        fs::create_dir_all(path(folder)).unwrap();
    }
    fs::write(path("outside/file"), "one\n").unwrap();
    symlink("../outside", path("it/link")).unwrap();
    for name in ["link/file", "../outside/file", "/outside/file", ".git/config"] {
        let diff = format!("--- a/{name}\n+++ b/{name}\n@@ -1 +1 @@\n-one\n+two\n");
        fs::write(path("patch"), diff).unwrap();
        let error = series(&path("it"), &[path("patch")], false).unwrap_err();
        let refused = matches!(error, PatchError::Outside { .. } | PatchError::DoesNotApply { .. });
        assert!(refused, "{name}: {error}");
    }
    assert_eq!(fs::read(path("outside/file")).unwrap(), b"one\n");
}

#[test]
fn no_patch_leads_out_by_a_link_that_another_one_makes() {
    let home = tempfile::tempdir().unwrap();
    let path = |name: &str| home.path().join(name);
    for folder in ["it/inner", "outside"] {
        fs::create_dir_all(path(folder)).unwrap();
    }
    fs::write(path("it/inner/file"), "one\n").unwrap();
    fs::write(path("outside/file"), "one\n").unwrap();
    fs::set_permissions(path("outside/file"), Permissions::from_mode(0o600)).unwrap();
    // In the place of the folder comes a link, and of the file behind it the text and the mode change.
    let link = format!(
        "diff --git a/inner/file b/inner/file\ndeleted file mode 100644\n--- a/inner/file\n+++ /dev/null\n@@ -1 +0,0 @@\n-one\n\
         diff --git a/inner b/inner\nnew file mode 120000\n--- /dev/null\n+++ b/inner\n@@ -0,0 +1 @@\n+{}\n\\ No newline at end of file\n",
        path("outside").display()
    );
    let change = "diff --git a/inner/file b/inner/file\nold mode 100644\nnew mode 100755\n--- a/inner/file\n+++ b/inner/file\n\
                  @@ -1 +1 @@\n-one\n+two\n";
    fs::write(path("1.patch"), link).unwrap();
    fs::write(path("2.patch"), change).unwrap();
    series(&path("it"), &[path("1.patch")], false).expect("a link may take the place of a folder");
    let error = series(&path("it"), &[path("1.patch"), path("2.patch")], false).unwrap_err();
    assert!(matches!(&error, PatchError::DoesNotApply { patch, .. } if patch.contains("2.patch")), "{error}");
    assert_eq!(fs::read(path("outside/file")).unwrap(), b"one\n");
    assert_eq!(fs::metadata(path("outside/file")).unwrap().permissions().mode() & 0o777, 0o600);
}
