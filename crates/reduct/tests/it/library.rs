//! The library as other programs use it: builders, with results that are data and nothing left behind.

use reduct_lib::{
    BuilderError, Claim, Event, Outcome, Pass, Refusal, Test, Why, changes_since, isolate, minima, reduce,
};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

const PAGE: &str = "<td>\n<SELECT NAME=\"priority\" MULTIPLE SIZE=7>\n<OPTION>P1\n</SELECT>\n</td>\n";

/// A folder with these files. Tests here have no `main` of their own, so the command watches over what they run.
fn folder(files: &[(&str, &str)]) -> TempDir {
    reduct_lib::use_supervisor(env!("CARGO_BIN_EXE_reduct"));
    let folder = tempfile::tempdir().unwrap();
    for (name, contents) in files {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, contents).unwrap();
    }
    folder
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> =
        fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Fails, by exit status 0, if the candidate holds a tag SELECT.
fn select() -> Test {
    Test::shell("grep -q '<SELECT.*>' {}").exit_zero()
}

#[test]
fn a_reduction_returns_its_result_and_leaves_nothing() {
    let folder = folder(&[("page.html", PAGE)]);
    let result = reduce("page.html").folder(folder.path()).test(select()).jobs(2).run().unwrap();
    assert_eq!(result.bytes(), b"<SELECT>");
    assert_eq!(result.files(), [(PathBuf::from("page.html"), b"<SELECT>".to_vec())]);
    assert!(matches!(result.evidence.claim, Claim::OneMinimal(_)));
    assert_eq!((result.why, result.confirmed, result.out, result.run), (Why::Done, Some(true), None, None));
    assert_eq!(names(folder.path()), ["page.html"]);
    assert!(!result.report.run.exists() && !result.report.out.exists());
}

#[test]
fn events_are_told_and_a_number_of_tests_ends_it() {
    let folder = folder(&[("page.html", PAGE)]);
    let mut outcomes = vec![];
    let builder = reduce("page.html").folder(folder.path()).test(select()).by([Pass::named("chars").unwrap()]);
    let result = builder
        .tests(5)
        .on_event(|event| {
            if let Event::Retired { outcome, .. } = event {
                outcomes.push(*outcome);
            }
        })
        .run()
        .unwrap();
    assert_eq!((result.why, result.tests), (Why::Tests(5), 5));
    assert_eq!(outcomes.len(), 5);
    assert!(outcomes.iter().all(|outcome| *outcome != Outcome::Unresolved));
}

#[test]
fn a_result_and_a_run_are_kept_where_that_is_asked_for() {
    let folder = folder(&[("page.html", PAGE)]);
    let builder = reduce("page.html").folder(folder.path()).test(select()).out("small.html").runs_in("kept");
    let result = builder.run().unwrap();
    assert_eq!(fs::read(folder.path().join("small.html")).unwrap(), b"<SELECT>");
    assert_eq!(names(folder.path()), ["kept", "page.html", "small.html"]);
    let run = result.run.unwrap();
    assert!(run.starts_with(folder.path().join("kept/.reduct")) && run.join("journal").is_file());
    // What is kept can be gone on with: there is nothing left to do.
    let kept = reduct_lib::Run::find(&folder.path().join("kept")).unwrap();
    let audience = reduct_lib::Audience::default();
    assert!(reduct_lib::resume(&kept, Default::default(), audience).unwrap().is_none());
}

#[test]
fn an_input_can_be_replaced() {
    let folder = folder(&[("page.html", PAGE)]);
    reduce("page.html").folder(folder.path()).test(select()).in_place().run().unwrap();
    assert_eq!(names(folder.path()), ["page.html", "page.html.orig"]);
    assert_eq!(fs::read(folder.path().join("page.html")).unwrap(), b"<SELECT>");
    assert_eq!(fs::read(folder.path().join("page.html.orig")).unwrap(), PAGE.as_bytes());
}

#[test]
fn several_inputs_are_files_of_the_result() {
    let folder = folder(&[("a.txt", "one\ntwo\n"), ("b.txt", "three\nfour\n")]);
    // Tests run where the inputs stand under their names.
    let test = Test::shell("grep -q two a.txt && grep -q three b.txt").exit_zero();
    let builder = reduce("a.txt").input("b.txt").folder(folder.path()).test(test);
    let result = builder.by([Pass::named("lines").unwrap()]).run().unwrap();
    let expected = [("a.txt".into(), b"two\n".to_vec()), ("b.txt".into(), b"three\n".to_vec())];
    assert_eq!(result.files(), expected);
}

#[test]
fn what_does_not_fail_and_what_has_no_test_is_refused() {
    let folder = folder(&[("page.html", "<p>\n")]);
    let refused = reduce("page.html").folder(folder.path()).test(select()).run();
    assert!(matches!(refused, Err(Refusal::DoesNotFail { .. })), "{refused:?}");
    let refused = reduce("page.html").folder(folder.path()).run();
    assert!(matches!(refused, Err(Refusal::Builder(BuilderError::NoTest))), "{refused:?}");
    assert_eq!(names(folder.path()), ["page.html"]);
}

#[test]
fn a_condition_says_what_the_failure_is() {
    let folder = folder(&[("page.html", PAGE)]);
    let test = Test::shell("grep -q '<SELECT.*>' {} && exit 7; exit 1").fails_if("exit=7".parse().unwrap());
    let result = reduce("page.html").folder(folder.path()).test(test).run().unwrap();
    assert_eq!(result.bytes(), b"<SELECT>");
}

#[test]
fn two_inputs_are_isolated() {
    let folder = folder(&[("old", "width 3\nheight 5\n"), ("new", "width 4\nheight 0\n")]);
    let test = Test::shell("! grep -q 'height 0' {}");
    let result = isolate("old", "new").folder(folder.path()).test(test).run().unwrap();
    // All but the digit is the same in both, whichever width that is.
    let [failing, passing] = [result.bytes(), result.passing.unwrap().artifact().bytes().to_vec()];
    assert_eq!(failing.iter().zip(&passing).filter(|(one, other)| one != other).count(), 1);
    assert!(failing.ends_with(b"height 0\n") && passing.ends_with(b"height 5\n"));
    assert_eq!(names(folder.path()), ["new", "old"]);
}

#[test]
fn all_minima_are_files() {
    let folder = folder(&[("list", "a\nb\nc\nd\n")]);
    // Either of two lines is enough.
    let test = Test::shell("grep -q '[bd]' {}").exit_zero();
    let result = minima("list", 10).folder(folder.path()).test(test).run().unwrap();
    assert!(matches!(result.evidence.claim, Claim::Minima { count: 2, .. }), "{:?}", result.evidence);
    let files = result.files();
    let mut contents: Vec<&[u8]> = files.iter().map(|(_, contents)| &contents[..]).filter(|c| c.len() == 2).collect();
    contents.sort();
    assert_eq!(contents, [b"b\n", b"d\n"]);
}

#[test]
fn the_change_between_two_folders_is_a_patch() {
    let files = [("old/a", "1\n"), ("old/b", "same\n"), ("new/a", "2\n"), ("new/b", "same\n"), ("new/c", "another\n")];
    let folder = folder(&files);
    let test = Test::shell("grep -q 1 a");
    let result = changes_since("old", "new").folder(folder.path()).test(test).run().unwrap();
    assert!(matches!(result.evidence.claim, Claim::Causes { count: 1, .. }), "{:?}", result.evidence);
    let patches: Vec<String> = result
        .files()
        .into_iter()
        .filter(|(path, _)| path.to_string_lossy().starts_with("cause-"))
        .map(|(_, bytes)| String::from_utf8(bytes).unwrap())
        .collect();
    assert!(patches.len() == 1 && patches[0].contains("-1\n+2\n") && !patches[0].contains("another"), "{patches:?}");
    assert_eq!(names(folder.path()), ["new", "old"]);
}
