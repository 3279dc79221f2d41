//! Names of all sorts: of inputs, of files in a folder, of results.

use crate::usage::{NEEDLE, split, workshop};
use crate::workshop::files_below;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};

fn named(name: &[u8]) -> PathBuf {
    OsStr::from_bytes(name).into()
}

#[test]
fn names_of_all_sorts() {
    let names: [&[u8]; 11] = [
        b"with space",
        b"it's \"quoted\"",
        b"two\nlines",
        b"a\tb\rc",
        b"log",
        b"resume",
        b"{}",
        b"*?[a]",
        b".hidden",
        b"$HOME;`id`",
        "n\u{e4}del.t\u{e4}xt".as_bytes(),
    ];
    names.into_iter().for_each(can_be_called);
}

#[test]
fn names_that_are_not_text() {
    for name in [&b"caf\xe9"[..], b"\xff\xfe"] {
        can_be_called(name);
    }
}

/// That a file of this name can be reduced, and the run be looked at.
fn can_be_called(name: &[u8]) {
    let workshop = workshop();
    let name = named(name);
    workshop.write(&name, "one\nneedle\n");
    workshop.script("check", "[ $# -eq 1 ] && grep -q needle \"$1\"");
    let place = Path::new(".").join(&name);
    let words: Vec<OsString> =
        vec!["--out".into(), "result".into(), place.into(), "--".into(), "./check".into(), "{}".into()];
    let done = workshop.reduct(words).run();
    assert_eq!(done.status, 0, "{name:?}: {}", done.stderr);
    assert_eq!(workshop.text("result"), "needle", "{name:?}");
    workshop.reduct(["resume"]).run().exits_with(0);
    workshop.reduct(["verify"]).run().exits_with(0);
    workshop.reduct(["log"]).run().exits_with(0);
    // Nothing of a name reaches a terminal as it is.
    assert!(!done.stderr.contains('\x1b'), "{name:?}");
}

#[test]
fn names_that_begin_with_a_dash() {
    let workshop = workshop();
    workshop.write("-x", "one\nneedle\n");
    workshop.reduct(split("./-x -- grep -q needle -- {}")).run().exits_with(0);
    assert_eq!(workshop.text("-x.reduced"), "needle");
}

#[test]
fn the_default_place_of_the_result_keeps_the_name() {
    for (name, result) in [("two words.c", "two words.reduced.c"), ("a.b.c", "a.b.reduced.c"), (".c", ".c.reduced")] {
        let workshop = workshop();
        workshop.write(name, "one\nneedle\n");
        workshop.script("check", "grep -q needle \"$1\"");
        workshop.reduct(["--arg", "./check", name]).run().exits_with(0);
        assert_eq!(workshop.text(result), "needle");
    }
}

#[test]
fn names_of_all_sorts_within_a_folder() {
    let workshop = workshop();
    let names: [&[u8]; 5] = [b"a b", b"caf\xe9", b"two\nlines", b"-rf", b"log"];
    for name in names {
        workshop.write(Path::new("folder").join(named(name)), "needle\nmore\n");
        workshop.write(Path::new("folder/in").join(named(name)), "nothing\n");
    }
    workshop.script("check", "[ \"$(grep -rlZ needle folder | tr -dc '\\0' | wc -c)\" -eq 5 ]");
    workshop.reduct(["./check", "folder"]).run().exits_with(0);
    let files = files_below(&workshop.path("folder.reduced"));
    assert_eq!(files.len(), 5, "{files:?}");
    assert!(files.values().all(|text| text.trim_ascii() == b"needle"), "{files:?}");
    assert!(names.iter().all(|name| files.contains_key(&named(name))), "{files:?}");
    workshop.reduct(["verify"]).run().exits_with(0);
}

#[test]
fn a_folder_whose_name_is_not_text() {
    let workshop = workshop();
    let folder = named(b"caf\xe9");
    workshop.write(folder.join("input"), "one\nneedle\n");
    workshop.script(folder.join("test.sh"), NEEDLE);
    workshop.reduct(["./test.sh", "input"]).within(&folder).run().exits_with(0);
    assert_eq!(workshop.text(folder.join("input.reduced")), "needle");
    workshop.reduct(["resume"]).within(&folder).run().exits_with(0);
}
