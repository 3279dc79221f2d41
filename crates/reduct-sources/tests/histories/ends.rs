//! What a range can be written as, and where it is asked for.

use super::repository::{git, repository, subjects, touched, tree, version};
use reduct_input::Content;
use reduct_sources::Remark;
use reduct_sources::git::{GitError, range};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::Path;

#[test]
fn up_to_the_working_tree() {
    let it = repository();
    for path in ["staged", "unstaged", "gone", "staged and gone", "both", "same"] {
        it.write(path, format!("{path}\n"));
    }
    it.write("old", "one\ntwo\nthree\nfour\nfive\n");
    it.write(".gitignore", "ignored\n.reduct\n");
    it.commit("first");
    it.write("more", "more\n");
    it.commit("second");
    it.write("staged", "staged, changed\n");
    it.git(&["mv", "old", "new"]);
    it.git(&["add", "-A"]);
    it.git(&["rm", "-q", "staged and gone"]);
    it.write("both", "staged first\n");
    it.git(&["add", "both"]);
    it.write("both", "then changed\n");
    it.write("unstaged", "unstaged, changed\n");
    it.mode("same", 0o755);
    fs::remove_file(it.folder.join("gone")).unwrap();
    it.write("untracked/deep/file", "untracked\n");
    symlink("nowhere", it.folder.join("link")).unwrap();
    it.write("ignored", "ignored\n");
    it.write("inner/.reduct/run", "a run\n");

    let versions = it.versions("first..");
    assert_eq!(subjects(&versions), ["second", "what is not committed"]);
    assert_eq!(versions.changes[1].about.id, "working tree");
    assert_eq!(versions.changes[1].parents, [0]);
    let mut is = tree(&it.folder);
    is.retain(|path, _| !path.ends_with("ignored") && !path.starts_with("inner"));
    assert_eq!(version(&versions, 1), is);
    let changed = ["+ both", "- gone", "+ link", "new <- old", "- old", "+ same", "+ staged", "- staged and gone"];
    assert_eq!(touched(&versions, 1), [&changed[..], &["+ unstaged", "+ untracked/deep/file"]].concat());
    assert_eq!(versions.failing, "working tree");

    // The same without the dots, and where there is nothing in between.
    let same = it.versions("second");
    assert_eq!(same.changes.len(), 1);
    assert_eq!(same.changes[0].touched, versions.changes[1].touched);
    assert!(same.changes[0].parents.is_empty());
    assert_eq!(version(&same, 0), is);
}

#[test]
fn a_clean_working_tree_adds_nothing() {
    let it = repository();
    it.write("file", "one\n");
    it.commit("first");
    it.write("file", "two\n");
    it.commit("second");
    // Written anew, the file looks changed but is not.
    it.write("file", "two\n");
    fs::File::open(it.folder.join("file")).unwrap().set_modified(std::time::UNIX_EPOCH).unwrap();
    assert_eq!(subjects(&it.versions("first..")), ["second"]);
    match range(&it.folder, "second..", false) {
        Err(GitError::NothingDiffers { failing, .. }) => assert_eq!(failing, "working tree"),
        other => panic!("{other:?}"),
    }
}

#[test]
fn conflicts_are_taken_as_they_stand() {
    let it = repository();
    it.write("file", "base\n");
    it.commit("base");
    it.write("file", "ours\n");
    it.commit("ours");
    it.branch("side", "base");
    it.write("file", "theirs\n");
    it.commit("theirs");
    let merge = std::process::Command::new("git").args(["merge", "-q", "main"]).current_dir(&it.folder).output();
    assert!(!merge.unwrap().status.success());
    let versions = it.versions("base..");
    assert_eq!(version(&versions, 1), tree(&it.folder));
    assert_eq!(versions.notes[0], Remark::Conflicts("file".into()));
}

#[test]
fn what_is_no_range() {
    let it = repository();
    let said = |spec: &str| range(&it.folder, spec, false).unwrap_err().to_string();
    assert!(said("HEAD..").contains("no commit yet"), "{}", said("HEAD.."));
    it.write("file", "one\n");
    it.commit("first");
    for spec in ["..HEAD", "..", "", "HEAD...first", "..."] {
        assert!(said(spec).contains("GOOD..BAD"), "{spec}: {}", said(spec));
    }
    for spec in ["nowhere..HEAD", "HEAD..nowhere", "nowhere", "--all..HEAD"] {
        let name = if spec.starts_with('-') { "--all" } else { "nowhere" };
        assert!(said(spec).contains(&format!("`{name}` does not name a commit")), "{spec}: {}", said(spec));
    }
    it.commit("second");
    for spec in ["HEAD..HEAD", "first..second", "HEAD"] {
        assert!(said(spec).starts_with("nothing differs"), "{spec}: {}", said(spec));
    }
    let elsewhere = tempfile::tempdir().unwrap();
    let error = range(elsewhere.path(), "a..b", false).unwrap_err();
    assert!(matches!(error, GitError::NotARepository { .. }), "{error}");
}

#[test]
fn names_of_all_sorts() {
    let it = repository();
    it.write("file", "one\n");
    let first = it.commit("first");
    it.write("file", "two\n");
    let second = it.commit("second");
    it.git(&["tag", "-a", "-m", "annotated", "v1", "first"]);
    for spec in [format!("{first}..{second}"), format!("{}..HEAD", &first[..8]), "v1..main".into(), "main~..".into()] {
        assert_eq!(subjects(&it.versions(&spec)), ["second"], "{spec}");
    }
    assert_eq!(it.versions("v1..main").passing, format!("v1 ({})", &first[..10]));
    assert_eq!(it.versions(&format!("{first}..main")).passing, &first[..10]);
}

#[test]
fn from_a_subfolder_a_linked_working_tree_and_a_bare_repository() {
    let it = repository();
    it.write("inner/file", "one\n");
    it.commit("first");
    it.write("inner/file", "two\n");
    it.write("top", "top\n");
    it.commit("second");
    let whole = it.versions("first..second");
    let linked = it.beside("linked");
    it.git(&["worktree", "add", "-q", "-b", "other", &linked.to_string_lossy(), "first"]);
    let bare = it.beside("bare");
    it.git(&["clone", "-q", "--bare", &it.folder.to_string_lossy(), &bare.to_string_lossy()]);
    for folder in [it.folder.join("inner"), linked.clone(), linked.join("inner"), bare.clone(), it.folder.join(".git")]
    {
        let versions = range(&folder, "first..second", false).unwrap();
        assert_eq!(versions.changes, whole.changes, "{}", folder.display());
        assert_eq!(version(&versions, 0), version(&whole, 0), "{}", folder.display());
    }
    assert!(matches!(range(&bare, "first..", false), Err(GitError::NoWorkingTree)));
    // Each working tree has its own uncommitted changes.
    it.write("inner/file", "three\n");
    fs::write(linked.join("new"), "new\n").unwrap();
    assert_eq!(touched(&range(&it.folder.join("inner"), "second..", false).unwrap(), 0), ["+ inner/file"]);
    let versions = range(&linked.join("inner"), "first..", false).unwrap();
    assert_eq!(touched(&versions, 0), ["+ new"]);
    assert_eq!(
        version(&versions, 0),
        tree(&linked).into_iter().filter(|(path, _)| path != Path::new(".git")).collect()
    );
}

#[test]
fn what_is_not_checked_out_is_not_gone() {
    let it = repository();
    it.write("here/file", "one\n");
    it.write("there/file", "one\n");
    it.commit("first");
    it.write("here/file", "two\n");
    it.write("there/file", "two\n");
    it.commit("second");
    it.git(&["sparse-checkout", "set", "--cone", "--sparse-index", "here"]);
    it.write("here/file", "three\n");
    let versions = it.versions("first..");
    assert_eq!(touched(&versions, 0), ["+ here/file", "+ there/file"]);
    assert_eq!(touched(&versions, 1), ["+ here/file"]);
    assert!(version(&versions, 1).contains_key(Path::new("there/file")));
}

#[test]
fn long_names_of_objects() {
    let it = repository();
    fs::remove_dir_all(it.folder.join(".git")).unwrap();
    it.git(&["init", "-q", "-b", "main", "--object-format=sha256"]);
    it.git(&["config", "user.name", "somebody"]);
    it.git(&["config", "user.email", "somebody"]);
    it.write("file", "one\n");
    it.commit("first");
    it.write("file", "two\n");
    let second = it.commit("second");
    assert_eq!(second.len(), 64);
    let versions = it.versions("first..second");
    let folder = tempfile::tempdir().unwrap();
    versions.base_tree.populate(folder.path()).unwrap();
    assert_eq!(git(folder.path(), &["rev-parse", "HEAD"]), second);
    assert_eq!(version(&versions, 0)[Path::new("file")], Content::File { mode: 0o644, bytes: b"two\n".into() });
}
