//! `reduct changes`: real git, real builds, folders, patches.

use crate::repositories::{WORDS, repository, ten};
use crate::workshop::{Events, Workshop, files_below};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

#[test]
fn the_guilty_commit_and_line_are_found() {
    let workshop = ten();
    let done = workshop.changes(&["-j1", "good..main", "--", "./test.sh"]).run().exits_with(0);
    drop(done.says("change 7").says("Ann <ann@example.org>").says("- two").says("+ TWO").says("works again"));
    let answer = workshop.answer();
    let cause = &answer["causes"][0];
    assert_eq!(workshop.subjects(), [["change 7"]]);
    assert_eq!((&cause["alone"], &cause["undone"]), (&"fail".into(), &"pass".into()));
    assert_eq!(cause["parts"][0]["files"], serde_json::json!(["src/words"]));
    // 3 runs at the ends, ⌈log₂ 10⌉ commits, ⌈log₂ 3⌉ lines and a file, alone, undone.
    assert!(workshop.runs().len() <= 3 + 4 + 4 + 2, "{:?}", workshop.runs().len());
    let tests = workshop.runs().len();
    workshop.reduct(["verify"]).run().exits_with(0).says("one side passes, the other fails");
    assert_eq!(workshop.runs().len(), tests + 2);
    assert!(workshop.logged().len() > 4);
    workshop.reduct(["resume"]).run().exits_with(0).says("done already");
    workshop.expect_no_scratch();
}

#[test]
fn the_patches_apply_and_the_trees_differ_in_the_cause_alone() {
    let workshop = ten();
    workshop.changes(&["good..main", "--", "./test.sh"]).run().exits_with(0);
    let run = workshop.run_folder();
    let (passing, failing) = (run.join("trees/cause-1/passing"), run.join("trees/cause-1/failing"));
    let in_folder = |folder: &Path, line: &str| workshop.shell(line).within(folder).run();
    assert_eq!(in_folder(&passing, "sh ../../../../../test.sh").status, 0);
    assert_eq!(in_folder(&failing, "sh ../../../../../test.sh").status, 1);
    let patch = run.join("answer/cause-1.patch");
    in_folder(&passing, &format!("git init -q . ; git apply {}", patch.display())).exits_with(0);
    let texts = |folder: &Path| -> BTreeMap<PathBuf, Vec<u8>> {
        files_below(folder).into_iter().filter(|(path, _)| !path.starts_with(".git")).collect()
    };
    assert_eq!(texts(&passing), texts(&failing));
    // And the other patch mends what is checked out.
    let undo = run.join("answer/undo-1.patch");
    workshop.git(&format!("cp -r . ../copy; cd ../copy; git apply {}; ./test.sh", undo.display()));
}

#[test]
fn any_number_of_jobs_gives_the_same() {
    let mut seen = vec![];
    for jobs in ["1", "2", "4"] {
        let workshop = ten();
        workshop.changes(&["-j", jobs, "--events", "../events", "good..main", "--", "./test.sh"]).run().exits_with(0);
        seen.push((workshop.answer()["causes"].clone(), Events::read(workshop.beside("events")).tests()));
    }
    assert!(seen.windows(2).all(|pair| pair[0] == pair[1]), "{seen:#?}");
}

#[test]
fn commits_that_cannot_be_built_are_stepped_over() {
    let workshop = repository(
        "printf 'int f(void) { return 0; }\\n' >f.c; printf 'int f(void); int main(void) { return f(); }\\n' >main.c
        printf 'prog: f.o main.o\\n\\tcc -o prog f.o main.o\\n%%.o: %%.c\\n\\techo \"$@\" >>\"$(LOG)\"; cc -c -o $@ $<\\n' >Makefile
        commit first; git tag good
        for i in 1 2 3 4 5 6 7 8 9 10 11 12; do
          echo \"/* $i */\" >>main.c
          if [ $i = 5 ]; then sed -i 's/^int f(void) {/int f(void) { broken/' f.c; fi
          if [ $i = 8 ]; then sed -i 's/ broken//' f.c; fi
          if [ $i = 10 ]; then sed -i 's/return 0/return 1/' f.c; fi
          commit \"change $i\"
        done",
    );
    // The same without an own build: as a script of `git bisect run`.
    workshop.script("bisect.sh", "make -s prog 2>/dev/null || exit 125; ./prog");
    let words: [&[&str]; 2] =
        [&["--build", "make -s prog", "good..main", "--", "./prog"], &["good..main", "--", "./bisect.sh"]];
    for words in words {
        workshop.forget_runs();
        workshop.changes(&[&["-j1"], words].concat()).run().exits_with(0).says("return 1");
        assert_eq!(workshop.subjects(), [["change 10"]]);
        // What did not change was not compiled again.
        let compiled = |object: &str| workshop.runs().iter().filter(|line| *line == object).count();
        let builds = workshop.answer()["tests"].as_u64().unwrap() as usize + 2;
        assert!(compiled("f.o") < builds, "{} of {builds}", compiled("f.o"));
    }
}

/// Nobody but both together makes it fail.
#[test]
fn interference_is_told_from_independent_causes() {
    let interfering = repository(
        "for i in 1 2 3 4 5 6 7 8; do echo 0 >f$i; done; commit first; git tag good
        for i in 1 2 3 4 5 6 7 8; do echo 1 >f$i; commit \"patch $i\"; done",
    );
    let test = |line: &str| format!("echo run >>\"$LOG\"; {line}");
    interfering.script("test.sh", &test("! { grep -q 1 f3 && grep -q 1 f6; }"));
    interfering.changes(&["-j1", "good..main", "--", "./test.sh"]).run().exits_with(0).says("together with");
    assert_eq!(interfering.subjects(), [["patch 3", "patch 6"]]);
    assert!(interfering.runs().len() <= 3 + 12, "{}", interfering.runs().len());
    interfering.script("test.sh", &test("grep -q 0 f3 && grep -q 0 f6"));
    interfering.changes(&["-j1", "good..main", "--", "./test.sh"]).run().exits_with(0).says("cause 2 of 2");
    assert_eq!(interfering.subjects(), [["patch 3"], ["patch 6"]]);
}

#[test]
fn what_is_not_committed_is_a_change_too() {
    let workshop = ten();
    workshop.git("git checkout -q good -- src/words count; git commit -qm 'as it was'; echo more >>count; sed -i s/two/zwei/ src/words; echo new >new");
    workshop.changes(&["HEAD..", "--", "./test.sh"]).run().exits_with(0).says("zwei").says("working tree");
    let cause = &workshop.answer()["causes"][0];
    assert_eq!(cause["parts"][0]["lines"], 1);
    workshop.git("git stash -q -- src/words count; rm new");
    workshop.changes(&["HEAD..", "--", "./test.sh"]).run().exits_with(2).says("differ in nothing");
}

#[test]
fn merges_can_be_followed_along_their_first_parents() {
    let workshop = repository(
        "printf 'a\\nb\\nc\\nd\\ne\\nf\\ng\\nh\\n' >f; commit first; git tag good
        git checkout -q -b side; for i in 1 2 3; do echo $i >side$i; [ $i = 2 ] && sed -i s/b/B/ f; commit \"side $i\"; done
        git checkout -q main; for i in 1 2 3; do echo $i >main$i; commit \"main $i\"; done
        git merge -q --no-ff -m 'the merge' side; for i in 4 5; do echo $i >main$i; commit \"main $i\"; done",
    );
    workshop.script("test.sh", "grep -qx b f");
    workshop.changes(&["good..main", "--", "./test.sh"]).run().exits_with(0);
    assert_eq!(workshop.subjects(), [["side 2"]]);
    workshop.changes(&["--first-parent", "good..main", "--", "./test.sh"]).run().exits_with(0);
    assert_eq!(workshop.subjects(), [["the merge"]]);
}

#[test]
fn folders_and_patches_are_versions_too() {
    let workshop = ten();
    workshop.git(
        "mkdir ../old ../new; git archive good | tar x -C ../old; git archive main | tar x -C ../new
        mkdir ../patches; git format-patch -q -o ../patches good..main",
    );
    workshop.script("test.sh", WORDS);
    for words in [
        &["../old", "../new"][..],
        &["../old", "--patch", "../patches"],
        &["../new", "--reverse", "--patch", "../patches"],
    ] {
        workshop.changes(&[words, &["--", "./test.sh"]].concat()).run().exits_with(0).says("+ TWO");
        assert_eq!(workshop.answer()["causes"][0]["parts"][0]["lines"], 1, "{words:?}");
    }
    assert_eq!(workshop.subjects(), [["change 7"]], "a patch says who made it");
}

#[test]
fn a_test_can_stand_in_a_subfolder_and_bring_its_own_files() {
    let workshop = ten();
    workshop.write("tests/expected", "two\n");
    workshop.script("tests/run.sh", "grep -qxf expected ../src/words");
    let words = ["changes", "--scratch", "../../scratch", "--with", "expected", "good..main", "--", "./run.sh"];
    workshop.reduct(words).within(workshop.path("tests")).run().exits_with(0).says("change 7");
}

/// The test fails in about half of its runs on what is bad, by the digest of a counter: the same whenever it is run.
#[test]
fn a_flaky_regression_is_found_with_confidence() {
    let workshop = repository(
        "echo 0 >f; commit first; git tag good; for i in 1 2 3 4 5 6 7 8; do echo $i >f; commit \"change $i\"; done",
    );
    let coin = "echo run >>\"$LOG\"; test $(($(wc -l <\"$LOG\" | cksum | cut -d' ' -f1) / 8 % 2)) = 0";
    workshop.script("test.sh", &format!("test $(cat f) -lt 5 && exit 0; {coin}"));
    let done = workshop.changes(&["-j1", "--repeat", "good..main", "--", "./test.sh"]).run().exits_with(0);
    drop(done.says("Confidence:"));
    assert_eq!(workshop.subjects(), [["change 5"]]);
    workshop.reduct(["verify"]).run().exits_with(0);
}

/// A line of a file that is new: without the file it cannot be.
#[test]
fn a_line_of_a_new_file_is_found() {
    let workshop = Workshop::new();
    workshop.write("a/old.txt", "old\n");
    workshop.write("b/old.txt", "old\n");
    let lines: String = (0..100).map(|n| if n == 41 { "X\n".to_owned() } else { format!("line {n}\n") }).collect();
    workshop.write("b/new file.txt", lines);
    workshop.script("test.sh", "! grep -rqx X .");
    workshop.changes(&["a", "b", "--", "./test.sh"]).run().exits_with(0).says("+ X");
    assert_eq!(workshop.answer()["causes"][0]["parts"][0]["lines"], 1);
    // The tree that passes fails when it is patched, whoever does it.
    let (patch, tree) =
        (workshop.run_folder().join("answer/cause-1.patch"), workshop.run_folder().join("trees/cause-1/passing"));
    for tool in ["git apply", "patch -sp1 -i"] {
        let line = format!(
            "rm -rf c; cp -r {} c; cd c; {tool} {}; grep -qx X 'new file.txt'",
            tree.display(),
            patch.display()
        );
        assert_eq!(workshop.shell(&line).run().status, 0, "{tool}");
    }
}

/// A commit that gives a file another name and changes a line of it.
#[test]
fn a_line_of_a_renamed_file_is_found() {
    let workshop = repository(
        "printf 'one\ntwo\nthree\nfour\nfive\nsix\n' >b; commit first; git tag good
        git mv b lib; sed -i s/four/FOUR/ lib; commit second",
    );
    workshop.script("test.sh", "cat b lib 2>/dev/null | grep -qx four");
    workshop.changes(&["good..main", "--", "./test.sh"]).run().exits_with(0).says("+ FOUR");
    assert_eq!(workshop.answer()["causes"][0]["parts"][0]["lines"], 1);
}

/// Another build, or another file that does not vary, is another test: nothing known is believed.
#[test]
fn what_was_learned_elsewhere_is_not_believed() {
    let workshop = Workshop::new();
    for (folder, text) in [("a", "1\n2\n"), ("b", "X\nY\n")] {
        workshop.write(format!("{folder}/f"), text);
        workshop.write(format!("{folder}/pattern"), "X\n");
    }
    workshop.script("test.sh", "! grep -qxf pattern f");
    workshop.changes(&["a", "b", "--", "./test.sh"]).run().exits_with(0).says("+ X");
    workshop.write("a/pattern", "Y\n");
    workshop.write("b/pattern", "Y\n");
    workshop.changes(&["a", "b", "--", "./test.sh"]).run().exits_with(0).says("+ Y");
}

/// Of two that are independent, one is enough if that was said; and nobody has to stand in the repository.
#[test]
fn so_many_causes_as_were_asked_for_and_from_another_folder() {
    let two = repository(
        "for i in 1 2 3 4; do echo 0 >f$i; done; commit first; git tag good
        for i in 1 2 3 4; do echo 1 >f$i; commit \"patch $i\"; done",
    );
    let test = two.script("../test.sh", "echo run >>\"$LOG\"; grep -q 0 f2 && grep -q 0 f3");
    let elsewhere = two.beside("elsewhere");
    fs::create_dir(&elsewhere).unwrap();
    let words = ["changes", "--scratch", "../scratch", "--repo", "../home", "--causes", "1", "-o", "answer"];
    let call = two.reduct(words.into_iter().chain(["good..main", "--", test.to_str().unwrap()]));
    drop(call.within(&elsewhere).run().exits_with(0).says("What broke it"));
    let answer: Value = serde_json::from_slice(&fs::read(elsewhere.join("answer/answer.json")).unwrap()).unwrap();
    let causes = answer["causes"].as_array().unwrap();
    assert_eq!(causes.len(), 1);
    let subject = causes[0]["parts"][0]["changes"][0]["subject"].as_str().unwrap();
    assert!(["patch 2", "patch 3"].contains(&subject), "{subject}");
    assert!(!two.exists(".reduct"), "the repository is not touched");
}

#[test]
fn a_fresh_folder_for_each_test_and_a_limit_for_each_build() {
    let workshop = ten();
    // Fails wherever it was run before.
    workshop.script("test.sh", "test ! -e made || exit 1; touch made; exec grep -qx two src/words");
    workshop.changes(&["-j1", "--fresh", "good..main", "--", "./test.sh"]).run().exits_with(0);
    assert_eq!(workshop.subjects(), [["change 7"]]);
    // What is not built in time cannot be told: that commit stands in the middle of the range.
    workshop.script("test.sh", WORDS);
    let build = "test $(cat count) != 5 || sleep 1000";
    let words = ["-j1", "--build-timeout", "1s", "--build", build, "good..main", "--", "./test.sh"];
    workshop.changes(&words).run().exits_with(0).says("unresolved");
    assert_eq!(workshop.subjects(), [["change 7"]]);
}
