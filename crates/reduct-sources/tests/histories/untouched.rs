//! What a test can do with git where it runs, and that the user's repository stays as it is.

use super::repository::{Everything, git, repository, touched};
use reduct_sources::git::{GitError, range};
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::Path;

#[test]
fn nothing_in_the_repository_is_touched() {
    let it = repository();
    it.write("a", "one\n");
    it.write("b", "one\n");
    it.commit("first");
    it.write("a", "two\n");
    it.commit("second");
    it.write("stashed", "stashed\n");
    it.git(&["stash", "push", "-q", "-u"]);
    it.write("a", "three\n");
    it.write("new", "new\n");
    // Looks changed but is not: git would note that in its index.
    it.write("b", "one\n");
    fs::File::open(it.folder.join("b")).unwrap().set_modified(std::time::UNIX_EPOCH).unwrap();
    // Each of these would write something, or is run on an occasion.
    let ran = it.beside("ran");
    for hook in ["post-index-change", "post-checkout", "pre-auto-gc", "reference-transaction", "fsmonitor"] {
        let path = format!(".git/hooks/{hook}");
        it.write(&path, format!("#!/bin/sh\necho {hook} >> {}\n", ran.display()));
        it.mode(&path, 0o755);
    }
    for (key, value) in [
        ("core.splitIndex", "true"),
        ("core.untrackedCache", "true"),
        ("gc.auto", "1"),
        ("core.fsmonitor", ".git/hooks/fsmonitor"),
    ] {
        it.git(&["config", key, value]);
    }
    let before = it.everything();
    for spec in ["first..second", "first..", "second"] {
        let versions = range(&it.folder, spec, false).unwrap();
        let folder = tempfile::tempdir().unwrap();
        versions.base_tree.populate(folder.path()).unwrap();
        git(folder.path(), &["status", "--porcelain"]);
    }
    let after = it.everything();
    assert!(before.keys().eq(after.keys()), "{:?}", after.keys().filter(|path| !before.contains_key(*path)));
    for (path, was) in &before {
        assert!(after[path] == *was, "{} was touched", path.display());
    }
    assert!(!ran.exists());
}

#[test]
fn a_test_has_a_repository_of_its_own() {
    let it = repository();
    it.write("file", "one\n");
    it.write("ignored.o", "an object\n");
    it.write(".git/info/exclude", "*.o\n");
    it.write("script", "#!/bin/sh\n");
    it.mode("script", 0o755);
    it.commit("first");
    it.git(&["tag", "-a", "-m", "one", "v1.0"]);
    it.write("file", "two\n");
    let second = it.commit("second");
    it.git(&["tag", "-d", "second"]);
    it.write("file", "three\n");
    let third = it.commit("third");
    let versions = it.versions("first..third");
    let folder = tempfile::tempdir().unwrap();
    versions.base_tree.populate(folder.path()).unwrap();
    let run = |args: &[&str]| git(folder.path(), args);
    assert_eq!(run(&["rev-parse", "HEAD"]), third);
    assert_eq!(run(&["describe", "--long", "HEAD"]), it.git(&["describe", "--long", "HEAD"]));
    assert_eq!(run(&["log", "--format=%H"]), it.git(&["log", "--format=%H"]));
    assert_eq!(run(&["for-each-ref"]), it.git(&["for-each-ref"]));
    assert_eq!(run(&["status", "--porcelain"]), "");
    assert_eq!(run(&["rev-parse", "--show-toplevel"]), folder.path().canonicalize().unwrap().to_string_lossy());
    assert_eq!(fs::metadata(folder.path().join("script")).unwrap().mode() & 0o111, 0o111);
    assert!(!folder.path().join("ignored.o").exists());

    // Whatever it does there, it does to its own.
    let before = it.everything();
    fs::write(folder.path().join("product.o"), "").unwrap();
    fs::write(folder.path().join("product"), "").unwrap();
    run(&["clean", "-q", "-fd"]);
    assert!(folder.path().join("product.o").exists() && !folder.path().join("product").exists());
    run(&["clean", "-q", "-fdx"]);
    assert!(!folder.path().join("product.o").exists());
    run(&["checkout", "-q", "-B", "main", &second]);
    fs::write(folder.path().join("file"), "four\n").unwrap();
    run(&["commit", "-q", "-a", "-m", "of a test"]);
    run(&["tag", "-d", "v1.0"]);
    run(&["update-ref", "-d", "refs/tags/first"]);
    run(&["gc", "-q", "--prune=now"]);
    // But for the times of objects: git sets those of objects that it would else have written once more.
    let but_times = |mut all: Everything| {
        let in_objects = |path: &Path| path.starts_with(it.folder.join(".git/objects"));
        all.iter_mut().filter(|(path, _)| in_objects(path)).for_each(|(_, it)| it.time = (0, 0));
        all
    };
    assert!(but_times(it.everything()) == but_times(before));
    assert_eq!(it.git(&["fsck", "--strict"]), "");
}

#[test]
fn a_partial_clone_fetches_nothing() {
    let it = repository();
    it.git(&["config", "uploadpack.allowFilter", "true"]);
    it.write("file", "one\n");
    it.commit("first");
    it.write("file", "two\n");
    it.commit("second");
    let clone = it.beside("clone");
    let from = format!("file://{}", it.folder.display());
    it.git(&["clone", "-q", "--filter=blob:none", &from, &clone.to_string_lossy()]);
    let before = it.everything();
    match range(&clone, "first..second", false) {
        Err(GitError::Missing { path, .. }) => assert_eq!(path, Path::new("file")),
        other => panic!("{other:?}"),
    }
    assert!(it.everything() == before);
    git(&clone, &["fetch", "-q", "--refetch", "--no-filter"]);
    assert_eq!(touched(&range(&clone, "first..second", false).unwrap(), 0), ["+ file"]);
}
