//! Folders that are kept from test to test on a base tree.

use crate::bench::{OnBaseTree, some_of};
use reduct_core::laws::Chance;
use reduct_input::{Artifact, ArtifactBuilder, Candidate, Entry, What};
use std::collections::BTreeMap;
use std::fs::{self};
use std::os::unix::fs::MetadataExt;
use std::path::Path;
use std::sync::Arc;

/// The number of the file and its times.
type Marks = (u64, (i64, i64), (i64, i64));

fn marks(path: &Path) -> Marks {
    let meta = fs::symlink_metadata(path).unwrap();
    (meta.ino(), (meta.mtime(), meta.mtime_nsec()), (meta.ctime(), meta.ctime_nsec()))
}

pub(crate) fn on(laid: &str) -> OnBaseTree {
    OnBaseTree::new(laid, |_, _| {})
}

pub(crate) fn artifact(add: impl FnOnce(&mut ArtifactBuilder)) -> Arc<Artifact> {
    let mut builder = ArtifactBuilder::default();
    add(&mut builder);
    Arc::new(builder.finish())
}

/// Two versions of a file `a`, in the base tree's folder `src`, and files that are there or not.
pub(crate) fn two_versions() -> Arc<Artifact> {
    artifact(|builder| {
        builder.file("src/a", 0o644, b"one").unwrap();
        builder.file("src/a", 0o644, b"two").unwrap();
        builder.file("src/b", 0o644, b"b").unwrap();
        builder.file("new/deep/c", 0o755, b"c").unwrap();
        builder.file("kept/d", 0o644, b"d").unwrap();
        builder.link("src/link", "a");
    })
}

pub(crate) const LAID: &str = "mkdir src kept; echo common > src/common";

#[test]
fn only_what_differs_is_touched() {
    let base = two_versions();
    let mut it = on(LAID);
    let work = it.work();
    it.says(&some_of(&base, &[0, 2, 3, 4, 5]), "cat src/a src/b new/deep/c kept/d src/link > product");
    let all = ["src/a", "src/b", "src/link", "src/common", "product"];
    let before = all.map(|path| marks(&work.join(path)));
    assert_eq!(it.says(&some_of(&base, &[1, 2, 5]), "cat product src/a src/b src/link"), "onebcdonetwobtwo");
    let after = all.map(|path| marks(&work.join(path)));
    assert_eq!(before[1..], after[1..]);
    assert!(after[0].1 > before[0].1);
    // A folder that is empty goes, unless it is the base tree's.
    assert!(!work.join("new").exists() && work.join("kept").is_dir());
    assert_eq!(it.laid(), 1);
}

#[test]
fn the_same_contents_from_another_base_are_not_written_again() {
    let [one, other] = [two_versions(), two_versions()];
    let mut it = on(LAID);
    it.says(&some_of(&one, &[0, 2, 3]), "true");
    let a = it.work().join("src/a");
    let before = marks(&a);
    it.says(&some_of(&other, &[0, 2]), "true");
    // What the first one had and the second one never could have is gone, too.
    let short = Arc::new(some_of(&one, &[0]).artifact());
    assert_eq!(it.says(&Candidate::whole(short), "find . -type f | sort"), "./src/a\n./src/common\n");
    assert_eq!(marks(&a), before);
}

#[test]
fn an_older_version_is_later_when_it_comes_back() {
    let base = two_versions();
    let mut it = on(LAID);
    let mut last = None;
    for n in 0..40 {
        it.says(&some_of(&base, &[n % 2]), "true");
        let (_, time, _) = marks(&it.work().join("src/a"));
        assert!(last < Some(time));
        last = Some(time);
    }
}

#[test]
fn a_source_from_the_future_is_replaced_by_a_later_one() {
    let base = two_versions();
    let mut it = on(LAID);
    it.says(&some_of(&base, &[0]), "touch -d '+1 hour' src/a");
    let (_, time, _) = marks(&it.work().join("src/a"));
    it.says(&some_of(&base, &[1]), "true");
    assert!(marks(&it.work().join("src/a")).1 > time);
}

#[test]
fn what_a_test_does_to_its_sources_is_undone() {
    let base = two_versions();
    let candidate = some_of(&base, &[0, 2, 3, 5]);
    let list = "find src new -printf '%p %y %m %l\\n' | LC_ALL=C sort; cat src/a src/b new/deep/c";
    let mut it = on(LAID);
    let expected = it.says(&candidate, list);
    for mischief in [
        "echo more >> src/a",
        // As long as it was, in place, and with its old time.
        "cp -p src/a ref; printf ONE | dd conv=notrunc of=src/a 2> /dev/null; touch -r ref src/a; rm ref",
        "rm src/a",
        "chmod 000 src/a",
        "rm src/a; mkdir src/a; touch src/a/x",
        "mv src/a src/b",
        "rm src/link; echo one > src/link",
        "ln -sf b src/link",
        "rm -r new",
        "rm -r new; echo x > new",
        "rm -r new; ln -s / new",
        "chmod 500 src new/deep; chmod 000 new",
        "echo stray > kept/d",
        "mkdir kept/d; chmod 000 kept/d kept",
        "chmod 000 .",
    ] {
        it.says(&candidate, mischief);
        assert_eq!(it.says(&candidate, list), expected, "{mischief}");
        assert_eq!(it.says(&candidate, "ls -A kept"), "", "{mischief}");
        assert_eq!(it.laid(), 1, "{mischief}");
    }
}

#[test]
fn a_folder_that_is_damaged_is_laid_anew() {
    let base = two_versions();
    let candidate = some_of(&base, &[0, 2]);
    let elsewhere = tempfile::tempdir().unwrap();
    let linked = format!("mv src away; ln -s {} src", elsewhere.path().display());
    let mut it = on(LAID);
    for (times, damage) in
        ["rm -r src", &linked, "rm -r kept src; echo x > src", "cd ..; rm -r work"].iter().enumerate()
    {
        it.says(&candidate, damage);
        assert_eq!(it.says(&candidate, "cat src/a src/b src/common; ls"), "onebcommon\nkept\nsrc\n", "{damage}");
        assert_eq!(it.laid(), times + 2);
    }
    it.says(&candidate, "rm -rf ../../000");
    assert_eq!(it.says(&candidate, "cat src/a; touch $TMPDIR/x"), "one");
    assert_eq!(fs::read_dir(elsewhere.path()).unwrap().count(), 0);
}

#[test]
fn what_only_looks_touched_is_not_written_again() {
    let base = two_versions();
    let candidate = some_of(&base, &[0]);
    let mut it = on(LAID);
    it.says(&candidate, "ln src/a hard; chmod 600 src/a; chmod 644 src/a");
    let before = marks(&it.work().join("src/a"));
    it.says(&candidate, "true");
    assert_eq!(marks(&it.work().join("src/a")), before);
    // The other name of it keeps what it had.
    assert_eq!(it.says(&some_of(&base, &[1]), "cat hard src/a"), "onetwo");
}

#[test]
fn products_stay_and_temporary_files_go() {
    let base = two_versions();
    let mut it = on(LAID);
    it.says(
        &some_of(&base, &[0]),
        "echo x > product; echo x > $TMPDIR/x; echo x > ../x; mkdir ../y; chmod 000 $TMPDIR ..",
    );
    let list = "cat product; ls -A .. $TMPDIR; stat -c %a .. $TMPDIR";
    let expected = "x\n..:\ntmp\nwork\n\nTMP:\n700\n700\n";
    let said = it.says(&some_of(&base, &[1]), list);
    assert_eq!(said.replace(&it.work().with_file_name("tmp").display().to_string(), "TMP"), expected);
}

/// What has a different kind, mode or place, all of it in the way of something else.
fn tangle() -> Arc<Artifact> {
    artifact(|builder| {
        builder.file("x", 0o644, b"x").unwrap();
        builder.file("x", 0o755, b"x").unwrap();
        builder.file("x", 0o644, b"y").unwrap();
        builder.link("x", "common");
        builder.folder("x", 0o700);
        builder.folder("x", 0o555);
        builder.file("x/in/a", 0o600, b"a").unwrap();
        builder.file("x/in/a", 0o600, b"").unwrap();
        builder.file("x/in", 0o600, b"in").unwrap();
        builder.link("x/l", "in");
        builder.file("laid/in/b", 0o444, b"b").unwrap();
        builder.file("laid/in/b/c", 0o400, b"c").unwrap();
        builder.link("laid/in/b", "/no/such/place");
        builder.file("other/file", 0o644, b"f").unwrap();
    })
}

/// A choice of entries that can stand together.
fn choice(base: &Arc<Artifact>, chance: &mut Chance) -> Candidate {
    let mut chosen: Vec<usize> = vec![];
    for at in 0..base.entries().len() {
        let clash = |upper: &Entry, lower: &Entry| {
            lower.path.starts_with(&upper.path) && !matches!(upper.what, What::Folder { .. })
        };
        let fits = |other: &usize| {
            let (one, other) = (&base.entries()[at], &base.entries()[*other]);
            one.path != other.path && !clash(one, other) && !clash(other, one)
        };
        if chance.below(3) == 0 && chosen.iter().all(fits) {
            chosen.push(at);
        }
    }
    some_of(base, &chosen)
}

/// What is to be seen of a candidate on a base tree of `common`, `laid/in` and `laid/kept`, by going through its
/// entries: kind, mode, and contents or target.
fn seen_of(candidate: &Candidate) -> BTreeMap<String, String> {
    let mut seen: BTreeMap<String, String> =
        ["laid", "laid/in", "laid/kept"].map(|path| (path.into(), "d 750 ".into())).into();
    seen.insert("common".into(), "f 640 common".into());
    for (entry, pieces) in candidate.pieces() {
        for above in entry.path.ancestors().skip(1).filter(|above| *above != Path::new("")) {
            seen.entry(above.display().to_string()).or_insert("d 700 ".into());
        }
        let what = match &entry.what {
            What::File { mode, .. } => format!("f {mode:o} {}", String::from_utf8(pieces.concat()).unwrap()),
            What::Folder { mode } => format!("d {mode:o} "),
            What::Link { target } => format!("l 777 {}", target.display()),
            What::Archive { .. } => unreachable!("no candidate here has one"),
        };
        seen.insert(entry.path.display().to_string(), what);
    }
    seen
}

#[test]
fn any_candidate_after_any_other_stands_as_if_it_were_the_first() {
    let base = tangle();
    let mut chance = Chance(7);
    let mut it = on("umask 027; mkdir -p laid/in laid/kept; printf common > common");
    let list = "find . -mindepth 1 -printf '%P|%y %m |' \\( -type f -exec cat {} \\; -o -type l -printf %l -o -true \\) -printf '\\n'";
    for n in 0..150 {
        let candidate = choice(&base, &mut chance);
        // Then the test spoils something, in a place where candidates have something.
        let path = base.entries()[chance.below(base.entries().len())].path.display();
        let mischief = match chance.below(7) {
            0 => format!("rm -rf {path}"),
            1 => format!("rm -rf {path}; mkdir {path}"),
            2 => format!("rm -rf {path}; ln -s laid {path}"),
            3 => format!("chmod 000 {path}"),
            4 => format!("printf z | dd conv=notrunc of={path}"),
            5 => format!("rm -rf {path}; printf stray > {path}"),
            _ => String::new(),
        };
        let said = it.says(&candidate, &format!("{list}\nexec 2> /dev/null; {mischief}\nexit 0"));
        let lines = said.lines().map(|line| line.split_once('|').unwrap());
        let seen: BTreeMap<String, String> =
            lines.map(|(path, rest)| (path.to_owned(), rest.replacen(" |", " ", 1))).collect();
        assert_eq!(seen, seen_of(&candidate), "{n}");
    }
    assert_eq!(it.laid(), 1);
}

#[test]
fn with_fresh_each_test_gets_a_base_tree_of_its_own() {
    let base = two_versions();
    let mut it = OnBaseTree::new(LAID, |setup, _| setup.fresh = true);
    for n in 1..4 {
        assert_eq!(it.says(&some_of(&base, &[n % 2]), "ls; touch product src/common"), "kept\nsrc\n");
        assert_eq!(it.laid(), n);
    }
}
