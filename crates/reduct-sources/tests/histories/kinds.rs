//! What can happen to a file in a commit.

use super::repository::{repository, touched, version};
use reduct_input::Content;
use reduct_sources::Remark;
use reduct_sources::git::{GitError, range};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};

#[test]
fn files_come_change_and_go() {
    let it = repository();
    it.write("kept", "kept\n");
    it.write("changed", "one\n");
    it.write("inner/gone", "gone\n");
    it.commit("first");
    it.write("changed", "two\n");
    it.write("new/deep/file", "new\n");
    fs::remove_file(it.folder.join("inner/gone")).unwrap();
    let second = it.commit("second");
    let versions = it.versions("first..second");
    assert_eq!(touched(&versions, 0), ["+ changed", "- inner/gone", "+ new/deep/file"]);
    let file = |text: &str| Content::File { mode: 0o644, bytes: text.into() };
    assert_eq!(versions.root, [("changed".into(), file("one\n")), ("inner/gone".into(), file("gone\n"))]);
    let about = &versions.changes[0].about;
    assert_eq!((&about.id, about.author.as_str(), about.subject.as_str()), (&second, "somebody <somebody>", "second"));
    assert_eq!(about.date, it.git(&["log", "-1", "--format=%aI"]));
    assert!(versions.notes.is_empty() && versions.given.is_empty());
    assert_eq!(versions.failing, format!("second ({})", &second[..10]));
}

#[test]
fn renames_modes_links_and_kinds() {
    let it = repository();
    let text = (0..40).map(|n| format!("line {n}\n")).collect::<String>();
    it.write("old name", &text);
    it.write("script", "#!/bin/sh\n");
    it.write("becomes a link", "text\n");
    it.write("becomes a folder", "text\n");
    it.commit("first");
    it.git(&["mv", "old name", "new name"]);
    it.write("new name", format!("{text}and more\n"));
    it.mode("script", 0o755);
    for path in ["becomes a link", "becomes a folder"] {
        fs::remove_file(it.folder.join(path)).unwrap();
    }
    symlink("to/nowhere", it.folder.join("becomes a link")).unwrap();
    it.write("becomes a folder/file", "text within\n");
    it.commit("second");
    let versions = it.versions("first..second");
    let lines = ["- becomes a folder", "+ becomes a folder/file", "+ becomes a link"];
    let more = ["new name <- old name", "- old name", "+ script"];
    assert_eq!(touched(&versions, 0), [lines, more].concat());
    let last = version(&versions, 0);
    assert_eq!(last[Path::new("becomes a link")], Content::Link { target: "to/nowhere".into() });
    assert_eq!(last[Path::new("script")], Content::File { mode: 0o755, bytes: b"#!/bin/sh\n".into() });
}

#[test]
fn any_bytes_in_contents_and_paths() {
    use std::os::unix::ffi::OsStrExt;
    let it = repository();
    it.commit("first");
    let all: Vec<u8> = (0..=255).cycle().take(70_000).collect();
    let paths = [&b"with\nbreak"[..], b" leading", b"trailing ", b"\xff\xfe", b"\"quoted\"", b"tab\t", b"-dash"];
    let paths: Vec<PathBuf> = paths.iter().map(|path| std::ffi::OsStr::from_bytes(path).into()).collect();
    for (number, path) in paths.iter().enumerate() {
        fs::write(it.folder.join(path), &all[number..]).unwrap();
    }
    it.write("empty", "");
    it.write("no end", "no line break at the end");
    it.write("breaks", "\n\n\n");
    it.commit("second");
    let versions = it.versions("first..");
    assert_eq!(versions.changes[0].touched.len(), paths.len() + 3);
    let last = version(&versions, 0);
    for (number, path) in paths.iter().enumerate() {
        assert_eq!(last[path], Content::File { mode: 0o644, bytes: all[number..].to_vec() });
    }
}

#[test]
fn contents_are_those_of_a_checkout() {
    let it = repository();
    it.write(".gitattributes", "* text eol=crlf\n*.bin -text\n");
    it.write("inner/.gitattributes", "*.unix eol=lf\n");
    for path in ["text", "inner/x.unix", "x.bin"] {
        it.write(path, "one\n");
    }
    it.commit("first");
    for path in ["text", "inner/x.unix", "x.bin", " odd", "odd\nname"] {
        it.write(path, "one\ntwo\n");
    }
    it.commit("second");
    let versions = it.versions("first..second");
    let last = version(&versions, 0);
    let bytes = |path: &str| match &last[Path::new(path)] {
        Content::File { bytes, .. } => String::from_utf8(bytes.clone()).unwrap(),
        other => panic!("{other:?}"),
    };
    assert_eq!([bytes("text"), bytes(" odd"), bytes("odd\nname")], ["one\r\ntwo\r\n"; 3]);
    assert_eq!([bytes("inner/x.unix"), bytes("x.bin")], ["one\ntwo\n"; 2]);
}

#[test]
fn a_filter_of_the_repository_is_run() {
    let it = repository();
    it.git(&["config", "filter.upper.smudge", "tr \"a-z\" \"A-Z\""]);
    it.git(&["config", "filter.upper.clean", "tr A-Z a-z"]);
    it.write(".gitattributes", "*.up filter=upper\n");
    it.write("ground.up", "GROUND\n");
    it.commit("first");
    it.write("x.up", "TEXT\n");
    it.commit("second");
    let versions = range(&it.folder, "first..second", false).unwrap();
    let last = version(&versions, 0);
    for (path, text) in [("x.up", "TEXT\n"), ("ground.up", "GROUND\n")] {
        assert_eq!(last[Path::new(path)], Content::File { mode: 0o644, bytes: text.into() });
    }
}

#[test]
fn a_submodule_may_stand_there_but_not_change() {
    let (it, other) = (repository(), repository());
    other.write("file", "one\n");
    other.commit("one");
    it.write("file", "one\n");
    it.git(&["submodule", "--quiet", "add", &other.folder.to_string_lossy(), "module"]);
    it.commit("first");
    it.write("file", "two\n");
    it.commit("second");
    let versions = range(&it.folder, "first..second", false).unwrap();
    assert_eq!(touched(&versions, 0), ["+ file"]);
    assert_eq!(versions.notes, [Remark::EmptySubmodule("module".into())]);

    other.commit("two");
    super::repository::git(&it.folder.join("module"), &["pull", "-q", "origin", "main"]);
    let refused = |spec: &str| match range(&it.folder, spec, false) {
        Err(GitError::Submodule(path)) => path,
        other => panic!("{other:?}"),
    };
    assert_eq!(refused("second.."), Path::new("module"), "in the working tree");
    it.commit("third");
    assert_eq!(refused("second..third"), Path::new("module"));
    assert_eq!(refused("first..third"), Path::new("module"));
    it.git(&["rm", "-q", "-f", "module"]);
    it.commit("fourth");
    assert_eq!(refused("third..fourth"), Path::new("module"));
}
