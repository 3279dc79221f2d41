//! Shapes of histories.

use super::repository::{Repository, named, repository, subjects, touched};
use reduct_sources::git::range;
use reduct_sources::{NoWay, Remark};
use std::process::Command;

/// One file with a line per commit, so that all can be merged.
fn add(it: &Repository, name: &str) {
    it.write(name, format!("{name}\n"));
    it.commit(name);
}

#[test]
fn a_line_of_commits_each_on_the_one_before() {
    let it = repository();
    ["a", "b"].iter().for_each(|name| add(&it, name));
    it.commit("nothing");
    add(&it, "c");
    let versions = it.versions("a..c");
    assert_eq!(subjects(&versions), ["b", "nothing", "c"]);
    assert_eq!(
        versions.changes.iter().map(|change| change.parents.clone()).collect::<Vec<_>>(),
        [vec![], vec![0], vec![1]]
    );
    assert!(versions.changes[1].touched.is_empty());
    assert!(versions.given.is_empty() && versions.notes.is_empty());
}

#[test]
fn a_merge_with_a_conflict_holds_what_was_made_of_it() {
    let it = repository();
    it.write("file", "base\n");
    it.commit("base");
    it.write("file", "ours\n");
    it.commit("ours");
    it.branch("side", "base");
    it.write("file", "theirs\n");
    it.write("side only", "theirs\n");
    it.commit("theirs");
    it.git(&["checkout", "-q", "main"]);
    let merge = Command::new("git").args(["merge", "-q", "side"]).current_dir(&it.folder).output().unwrap();
    assert!(!merge.status.success());
    it.write("file", "both\n");
    it.commit("merge");
    let versions = it.versions("base..main");
    let merge = versions.changes.iter().position(|change| change.about.subject == "merge").unwrap();
    assert_eq!(merge, 2);
    assert_eq!(named(&versions, &versions.changes[merge].parents), ["ours", "theirs"]);
    // One branch has none of them, the other none of what is in the file.
    assert_eq!(touched(&versions, merge), ["+ file", "+ side only"]);
}

#[test]
fn an_octopus() {
    let it = repository();
    add(&it, "base");
    for name in ["x", "y", "z"] {
        it.branch(&format!("branch-{name}"), "base");
        add(&it, name);
    }
    it.git(&["checkout", "-q", "main"]);
    add(&it, "main-line");
    it.merge("octopus", &["branch-x", "branch-y", "branch-z"]);
    let versions = it.versions("base..octopus");
    assert_eq!(versions.changes.len(), 5);
    assert_eq!(named(&versions, &versions.changes[4].parents), ["main-line", "x", "y", "z"]);
    assert_eq!(touched(&versions, 4), ["+ main-line", "+ x", "+ y", "+ z"]);
}

#[test]
fn a_branch_that_was_forked_before_the_good_version() {
    let it = repository();
    ["old", "base"].iter().for_each(|name| add(&it, name));
    it.branch("side", "base");
    add(&it, "forked");
    it.git(&["checkout", "-q", "main"]);
    ["before", "good", "after"].iter().for_each(|name| add(&it, name));
    it.merge("merge", &["side"]);
    let versions = it.versions("good..merge");
    let mut all = subjects(&versions);
    all.sort();
    assert_eq!(all, ["after", "before", "forked", "good", "merge"]);
    assert_eq!(named(&versions, &versions.given), ["before", "good"]);
    // The version that passes is what the given ones make.
    assert!(matches!(&versions.notes[..], [Remark::ForkedBefore(_)]), "{:?}", versions.notes);
}

#[test]
fn first_parents_only() {
    let it = repository();
    add(&it, "base");
    it.branch("side", "base");
    ["one", "two"].iter().for_each(|name| add(&it, name));
    it.git(&["checkout", "-q", "main"]);
    add(&it, "main-line");
    it.merge("merge", &["side"]);
    let versions = range(&it.folder, "base..merge", true).unwrap();
    it.check(&versions);
    assert_eq!(subjects(&versions), ["main-line", "merge"]);
    assert_eq!(touched(&versions, 1), ["+ one", "+ two"]);
    assert_eq!(versions.changes[1].parents, [0]);
    // From a version on the branch, all that the line had besides is in the merge.
    let versions = range(&it.folder, "two..merge", true).unwrap();
    it.check(&versions);
    assert_eq!(subjects(&versions).last(), Some(&"merge"));
    assert!(
        matches!(&versions.notes[..], [Remark::OffTheLine { subject, .. }] if subject == "main-line"),
        "{:?}",
        versions.notes
    );
}

#[test]
fn two_versions_of_which_none_is_older() {
    let it = repository();
    ["base", "here"].iter().for_each(|name| add(&it, name));
    it.branch("side", "base");
    ["there", "further"].iter().for_each(|name| add(&it, name));
    let versions = it.versions("here..further");
    assert_eq!(touched(&versions, 0), ["+ further", "- here", "+ there"]);
    assert_eq!(versions.changes.len(), 1);
    assert_eq!(versions.notes, [Remark::OneChange(NoWay::NotAnAncestor { shallow: false })]);
    // Back in time, too.
    let versions = it.versions("further..base");
    assert_eq!(touched(&versions, 0), ["- further", "- there"]);
}

#[test]
fn another_projects_history_that_was_merged() {
    let it = repository();
    ["base", "more"].iter().for_each(|name| add(&it, name));
    it.git(&["checkout", "-q", "--orphan", "other"]);
    it.git(&["rm", "-r", "-q", "-f", "."]);
    ["strange", "stranger"].iter().for_each(|name| add(&it, name));
    it.git(&["checkout", "-q", "main"]);
    it.git(&["merge", "-q", "--allow-unrelated-histories", "-m", "merge", "other"]);
    let versions = range(&it.folder, "base..main", false).unwrap();
    let mut all = subjects(&versions);
    all.sort();
    assert_eq!(all, ["merge", "more", "strange", "stranger"]);
    let merge = versions.changes.len() - 1;
    // What the main line had all along is touched by nobody.
    assert_eq!(touched(&versions, merge), ["+ more", "+ strange", "+ stranger"]);
    let last = super::repository::version(&versions, merge);
    assert_eq!(last, super::repository::tree(&it.folder));
}

#[test]
fn a_shallow_clone_does_as_far_as_it_goes() {
    let it = repository();
    ["a", "b", "c", "d"].iter().for_each(|name| add(&it, name));
    let clone = it.beside("clone");
    it.git(&["clone", "-q", "--depth=3", &format!("file://{}", it.folder.display()), &clone.to_string_lossy()]);
    let versions = range(&clone, "HEAD~2..HEAD", false).unwrap();
    assert_eq!(subjects(&versions), ["c", "d"]);
    let folder = tempfile::tempdir().unwrap();
    versions.base_tree.populate(folder.path()).unwrap();
    assert_eq!(super::repository::git(folder.path(), &["rev-list", "--count", "HEAD"]), "3");
    let error = range(&clone, "HEAD~3..HEAD", false).unwrap_err().to_string();
    assert!(error.contains("HEAD~3"), "{error}");
}

#[test]
fn a_branch_that_reaches_beyond_where_a_clone_was_cut_off() {
    let it = repository();
    add(&it, "base");
    it.branch("side", "base");
    ["s", "t"].iter().for_each(|name| add(&it, name));
    it.git(&["checkout", "-q", "main"]);
    ["a", "b"].iter().for_each(|name| add(&it, name));
    it.merge("merge", &["side"]);
    let clone = it.beside("clone");
    it.git(&["clone", "-q", "--depth=2", &format!("file://{}", it.folder.display()), &clone.to_string_lossy()]);
    let error = range(&clone, "HEAD~..HEAD", false).unwrap_err().to_string();
    assert!(error.contains("--unshallow"), "{error}");
}

/// With two thousand commits, as many processes as with two: what is counted is what git says it began.
#[test]
fn a_long_history_is_read_by_few_processes() {
    let count = |commits: usize| {
        let it = repository();
        let mut input = String::new();
        for n in 0..=commits {
            let text = format!("{n}\n");
            input.push_str(&format!("commit refs/heads/main\ncommitter s <s> {n} +0000\ndata 1\nc\n"));
            input.push_str(&format!("M 644 inline f{}\ndata {}\n{text}\n", n % 50, text.len()));
        }
        let from = it.beside("import");
        std::fs::write(&from, input).unwrap();
        let mut import = Command::new("git");
        import.args(["fast-import", "--quiet"]).current_dir(&it.folder).stdin(std::fs::File::open(from).unwrap());
        assert!(import.status().unwrap().success());
        let (trace, test) = (it.beside("trace"), std::env::current_exe().unwrap());
        let example = test.parent().unwrap().parent().unwrap().join("examples/history");
        assert!(example.exists(), "{} is not built: cargo build -p reduct-sources --examples", example.display());
        let spec = format!("main~{commits}..main");
        let read = Command::new(example).arg(&it.folder).arg(spec).env("GIT_TRACE2_EVENT", &trace).output().unwrap();
        assert_eq!(String::from_utf8(read.stdout).unwrap(), format!("{commits} {commits}\n"));
        let trace = std::fs::read_to_string(trace).unwrap();
        trace.lines().filter(|line| line.contains("\"event\":\"start\"")).count()
    };
    assert_eq!(count(2), count(2000));
    assert!(count(2) < 40, "{}", count(2));
}
