//! How candidates arrive, and what is left of them for the next.

use crate::bench::{Session, file, setup};
use reduct_input::{Artifact, ArtifactBuilder, Candidate};
use reduct_oracle::Exit;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::sync::Arc;

#[test]
fn modes_links_and_empty_folders() {
    let mut builder = ArtifactBuilder::default();
    builder.folder("a", 0o555);
    builder.file("a/run", 0o754, b"run").unwrap();
    builder.file("a/hidden", 0o000, b"").unwrap();
    builder.folder("a/empty", 0o751);
    builder.link("dangling", "/no/such/place");
    builder.link("into", "a/empty");
    builder.file("z/in/no/folder", 0o600, b"x").unwrap();
    let list = "find . -mindepth 1 -printf '%p %m %y %s %l\\n' | grep -v ' d 0 ' | LC_ALL=C sort";
    let mut setup = setup(&["sh", "-c", list]);
    setup.invocation.subject = ".".into();
    let observed = Session::new(setup).observe(&Candidate::whole(Arc::new(builder.finish())));
    let found: Vec<String> = String::from_utf8(observed.stdout).unwrap().lines().map(without_folder_size).collect();
    let expected = [
        "./a 555 d",
        "./a/empty 751 d",
        "./a/hidden 0 f 0",
        "./a/run 754 f 3",
        "./dangling 777 l 14 /no/such/place",
        "./into 777 l 7 a/empty",
        "./z 700 d",
        "./z/in 700 d",
        "./z/in/no 700 d",
        "./z/in/no/folder 600 f 1",
    ];
    assert_eq!(found, expected);
}

/// What a folder's size is depends on the file system.
fn without_folder_size(line: &str) -> String {
    let words: Vec<&str> = line.split_whitespace().collect();
    words[..if words[2] == "d" { 3 } else { words.len() }].join(" ")
}

#[test]
fn nothing_is_written_through_links() {
    let elsewhere = tempfile::tempdir().unwrap();
    let mut builder = ArtifactBuilder::default();
    builder.link("link", elsewhere.path());
    builder.file("link/file", 0o644, b"x").unwrap();
    let notice = Session::new(setup(&["true"])).notice(&Candidate::whole(Arc::new(builder.finish())));
    assert!(matches!(notice, reduct_session::executor::Completion::Trouble(..)), "{notice:?}");
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0);
}

#[test]
fn braces_and_the_path_argument() {
    let mut setup = setup(&["echo", "-{}-", "{}"]);
    setup.invocation.path_argument = true;
    let session = Session::new(setup.clone());
    let work = session.local.scratch().join("000/work").display().to_string();
    let expected = format!("-{work}/file- {work}/file {work}/file\n");
    assert_eq!({ session }.run("").stdout, expected.as_bytes());
    setup.invocation.subject = ".".into();
    let session = Session::new(setup);
    let work = session.local.scratch().join("000/work").display().to_string();
    assert_eq!({ session }.run("").stdout, format!("-{work}- {work} {work}\n").as_bytes());
}

#[test]
fn names_and_contents_need_not_be_text() {
    let name = Path::new(OsStr::from_bytes(b"a\xff b\n\xe4"));
    let contents: Vec<u8> = (0..=255).cycle().take(10_000).collect();
    let candidate = Candidate::whole(Arc::new(Artifact::of_file(name, &contents).unwrap()));
    let mut setup = setup(&["cat", "{}"]);
    setup.invocation.subject = name.into();
    assert_eq!(Session::new(setup).observe(&candidate).stdout, contents);
}

#[test]
fn only_the_kept_pieces_are_written() {
    let text: Vec<u8> = (0..100_000u32).flat_map(|n| format!("{n}\n").into_bytes()).collect();
    let base = Arc::new(Artifact::of_file("file", &text).unwrap());
    // Every other byte: far more pieces than one call takes.
    let size = u32::try_from(text.len()).unwrap();
    let kept = reduct_core::Config::from_ranges((0..size).step_by(2).map(|at| at..at + 1));
    let candidate = Candidate::new(base, reduct_core::Config::full(1), kept, 0);
    let mut setup = setup(&["cat", "{}"]);
    setup.limits.output = 1 << 20;
    let expected: Vec<u8> = text.into_iter().step_by(2).collect();
    assert!(Session::new(setup).observe(&candidate).stdout == expected);
}

#[test]
fn nothing_is_left_for_the_next() {
    let mut session = Session::of_scripts();
    let litter = "mkdir -p a/b/c && echo x > a/b/c/d && echo x > $TMPDIR/e && echo x > ../f && ln -s / root && \
        mkfifo fifo && rm file && chmod 000 a/b/c a/b a && chmod 000 $PWD/../tmp $PWD/.. && exit 9";
    for _ in 0..3 {
        assert_eq!(session.exit(litter), Exit::Code(9));
        let observed = session.run("ls -A; ls -A ..; ls -A $TMPDIR; stat -c %a . .. $TMPDIR");
        assert_eq!(String::from_utf8_lossy(&observed.stdout), "file\ntmp\nwork\n700\n700\n700\n");
    }
}

#[test]
fn a_folder_that_was_removed_is_made_again() {
    let mut session = Session::of_scripts();
    assert_eq!(session.exit("cd /; rm -rf \"$OLDPWD/..\"/* \"${TMPDIR%/tmp}\""), Exit::Code(0));
    assert_eq!(session.exit("test -d $TMPDIR"), Exit::Code(0));
}

#[test]
fn the_scratch_folder_is_private_and_goes_away() {
    let base = tempfile::tempdir().unwrap();
    let mut setup = setup(&["sh", "{}"]);
    setup.scratch = Some(base.path().join("made"));
    let mut session = Session::new(setup);
    let root = session.local.scratch().to_owned();
    assert!(root.starts_with(base.path().join("made").canonicalize().unwrap()));
    let observed = session.observe(&file(b"cd ..; stat -c %a . .. work tmp"));
    assert_eq!(observed.stdout, b"700\n700\n700\n700\n");
    drop(session);
    assert!(!root.exists());
}
