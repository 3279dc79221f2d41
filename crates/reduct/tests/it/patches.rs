//! What `reduct changes` leaves: patches that do what is said of them when git and GNU patch apply them, and places as the
//! user knows them.

use crate::repositories::repository;
use crate::workshop::{Workshop, listed};
use serde_json::{Value, json};

/// Programs that apply a patch.
const GIT: &str = "git apply";
const PATCH: &str = "patch -sp1 -i";

/// A folder `good` made by these lines, and a copy of it, `bad`, changed by those.
fn two_folders(good: &str, bad: &str, test: &str) -> Workshop {
    let workshop = Workshop::new();
    workshop.git(&format!("set -e; mkdir good; cd good\n{good}"));
    workshop.git(&format!("set -e; cp -a good bad; cd bad\n{bad}"));
    workshop.script("test.sh", test);
    workshop
}

impl Workshop {
    /// The status of the test in a copy of `good` to which someone has applied these patches of the answer.
    #[track_caller]
    fn patched(&self, tool: &str, patches: &[&str]) -> i32 {
        let answer = self.run_folder().join("answer");
        let apply: String = patches.iter().map(|patch| format!("{tool} {}/{patch}\n", answer.display())).collect();
        // Outside of any repository, or git would leave out what is not below it.
        self.git(&format!("set -e; rm -rf ../patched; cp -a good ../patched; cd ../patched\n{apply}"));
        self.shell("cd ../patched && ../home/test.sh").run().status
    }

    fn written(&self) -> Vec<String> {
        listed(&self.run_folder().join("answer"))
    }
}

#[test]
fn a_cause_in_two_files_is_one_patch() {
    let workshop = two_folders(
        "for i in 1 2 3 4; do echo 0 >f$i; done",
        "for i in 1 2 3 4; do echo 1 >f$i; done",
        "! { grep -q 1 f2 && grep -q 1 f4; }",
    );
    let done = workshop.changes(&["good", "bad", "--", "./test.sh"]).run().exits_with(0);
    drop(done.says("together with").says("good with just these fails"));
    for tool in [GIT, PATCH] {
        assert_eq!(workshop.patched(tool, &[]), 0);
        assert_eq!(workshop.patched(tool, &["cause-1.patch"]), 1, "{tool}");
    }
    assert_eq!(workshop.written(), ["answer.json", "answer.txt", "cause-1.patch", "undo-1.patch"]);
    let trees = workshop.run_folder().join("trees/cause-1");
    let status = |tree: &str| workshop.shell("../../../../../test.sh").within(trees.join(tree)).run().status;
    assert_eq!((status("passing"), status("failing")), (0, 1));
    let texts = ["passing", "failing"].map(|tree| workshop.shell("cat f*").within(trees.join(tree)).run().stdout);
    assert_eq!(texts, ["0\n0\n0\n0\n", "0\n1\n0\n1\n"], "the trees differ in both parts, and in nothing else");
}

/// The same in a repository, where the parts are of two commits.
#[test]
fn a_cause_of_two_commits_is_one_patch() {
    let workshop = repository(
        "mkdir good; for i in 1 2 3 4; do echo 0 >good/f$i; done; commit first; git tag good
        for i in 1 2 3 4; do echo 1 >good/f$i; commit \"patch $i\"; done",
    );
    workshop.script("test.sh", "cd good 2>/dev/null; ! { grep -q 1 f2 && grep -q 1 f4; }");
    workshop.changes(&["good..main", "--", "./test.sh"]).run().exits_with(0).says("with just these fails");
    workshop.git("git checkout -q good");
    let patch = workshop.run_folder().join("answer/cause-1.patch");
    workshop.git(&format!("./test.sh; git apply {}", patch.display()));
    assert_eq!(workshop.shell("./test.sh").run().status, 1);
    assert_eq!(workshop.git("git diff --name-only"), "good/f2\ngood/f4\n");
}

/// A binary file is applied by the names of both its sides, which are others in a repository with SHA-256; also of what is
/// new, is gone, or is not committed.
#[test]
fn a_binary_file_applies_in_a_repository_with_sha_256() {
    let workshop = repository(
        "rm -rf .git; git init -q -b main --object-format=sha256
        git config user.name Ann; git config user.email ann@example.org
        printf 'a\\0b' >x; printf 'c\\0d' >y; commit first; git tag good
        printf 'a\\0cd' >x; rm y; printf 'e\\0f' >z; commit second; echo 1 >other; commit third",
    );
    workshop.script("../test.sh", "! { grep -q c x && test -e z && ! test -e y; }");
    workshop.changes(&["good..main", "--", "../test.sh"]).run().exits_with(0).says("with just these fails");
    let answer = workshop.run_folder().join("answer");
    workshop.git(&format!("git apply --check -R {0}/cause-1.patch; git apply {0}/undo-1.patch", answer.display()));
    assert_eq!(workshop.shell("../test.sh").run().status, 0);
    workshop.git(&format!("git checkout -qf good; git apply {}/cause-1.patch", answer.display()));
    assert_eq!(workshop.shell("../test.sh").run().status, 1);
    // What is not committed has no name to tell it by.
    workshop.changes(&["HEAD..", "--", "../test.sh"]).run().exits_with(0).says("with just these fails");
    let patch = workshop.run_folder().join("answer/cause-1.patch");
    workshop.git(&format!("git checkout -qf good; git clean -fdq -e .reduct; git apply {}", patch.display()));
    assert_eq!(workshop.shell("../test.sh").run().status, 1);
}

/// Whatever kind of change it is: what is said of GOOD is so of GOOD with the patch.
#[test]
fn each_kind_of_change_is_a_patch_that_makes_good_fail() {
    let both: &[&str] = &[GIT, PATCH];
    let kinds: &[(&str, &str, &str, &[&str])] = &[
        (
            "printf 'a\\0b' >'x x'",
            "printf 'a\\0cd' >'x x'; chmod +x 'x x'",
            "! { grep -q c x* && test -x x*; }",
            &[GIT],
        ),
        ("printf 'a\\0b' >x; : >y", "rm x; printf 'a\\0b' >y", "test -e x || ! test -s y", &[GIT]),
        ("head -c 99999 /dev/zero >x", "echo BOOM >>x", "! grep -q BOOM x", &[GIT]),
        ("printf 'a\\nb\\n' >f", "printf 'a\\r\\nb\\n' >f", "! grep -q \"$(printf '\\r')\" f", both),
        ("echo a >f", "chmod +x f; echo b >>f", "! { test -x f && grep -q b f; }", both),
        ("printf 'a\\nb\\n' >f", "printf 'a\\nb' >f", "test $(wc -c <f) = 4", both),
        ("printf 'a\\nb' >f", "printf 'a\\nb\\nc' >f", "! grep -q c f", both),
        ("echo 1 >y", ": >'e e'", "! test -e 'e e'", both),
        ("echo 1 >y; : >e", "rm e", "test -e e", both),
        ("echo 1 >y", ": >y", "test -s y", both),
        ("echo 1 >y; echo 1 >z; ln -s y l", "ln -sfn z l", "test $(readlink l) = y", both),
        ("echo 1 >y; ln -s y l", "rm l; echo 2 >l", "test -L l", both),
        ("echo 1 >y; echo 3 >l", "rm l; ln -s y l", "! test -L l", both),
        ("printf '\\351\\n' >f", "printf '\\352\\n' >f", "! LC_ALL=C grep -q \"$(printf '\\352')\" f", both),
    ];
    for (good, bad, test, tools) in kinds {
        let workshop = two_folders(good, bad, test);
        workshop.changes(&["good", "bad", "--", "./test.sh"]).run().exits_with(0).says("fails.");
        assert_eq!(workshop.patched(GIT, &[]), 0, "{bad}");
        for tool in *tools {
            assert_eq!(workshop.patched(tool, &["cause-1.patch"]), 1, "{bad}, {tool}");
        }
    }
}

#[test]
fn names_that_need_quotes_are_found_when_the_patch_is_applied() {
    let names =
        "'a b' ' lead' 'trail ' 'q\"u' 'b\\s' é \"$(printf 't\\tb')\" \"$(printf 'n\\nl')\" \"$(printf 'x\\377y')\"";
    let workshop = two_folders(
        &format!("for f in {names}; do echo 1 >\"$f\"; done"),
        "for f in *; do echo 2 >\"$f\"; done",
        &format!("for f in {names}; do grep -q 1 \"$f\" && exit 0; done; exit 1"),
    );
    workshop.changes(&["good", "bad", "--", "./test.sh"]).run().exits_with(0).says("with just these fails");
    assert_eq!(workshop.patched(GIT, &["cause-1.patch"]), 1);
    assert_eq!(workshop.patched(PATCH, &["cause-1.patch"]), 1);
}

/// A commit renames a file, another one changes a line of it. The user has the file as it is called now, with the lines
/// it has now.
#[test]
fn places_are_those_of_what_fails() {
    let line_under_the_old_name = repository(
        "mkdir good; seq 9 >good/b; commit first; git tag good; sed -i s/5/five/ good/b; commit second
        git mv good/b good/lib; commit third; sed -i '1i zero' good/lib; commit fourth",
    );
    line_under_the_old_name.script("test.sh", "cat good/b good/lib 2>/dev/null | grep -qx 5");
    let done = line_under_the_old_name.changes(&["good..main", "--", "./test.sh"]).run().exits_with(0);
    drop(done.says("good/lib:6 - 5 + five").says("with just this fails").does_not_say("good/b"));
    assert_eq!(line_under_the_old_name.answer()["causes"][0]["parts"][0]["files"], json!(["good/lib"]));
    // The patch is for what works, where it has its old name.
    line_under_the_old_name.git("git checkout -q good");
    let patch = line_under_the_old_name.run_folder().join("answer/cause-1.patch");
    assert_eq!(
        line_under_the_old_name.git(&format!("git apply {}; git diff --name-only", patch.display())),
        "good/b\n"
    );

    let renamed = repository(
        "mkdir good; seq 9 >good/b; commit first; git tag good
        mkdir good/x; git mv good/b 'good/x/new lib'; chmod +x good/x/*; sed -i s/5/five/ good/x/*; commit second",
    );
    renamed.script("test.sh", "! grep -q five 'good/x/new lib'");
    let done = renamed.changes(&["good..main", "--", "./test.sh"]).run().exits_with(0);
    drop(done.says("good/x/new lib: good/b → good/x/new lib, mode 644 → mode 755").says("good/x/new lib:5"));
    let patch = renamed.answer()["causes"][0]["patch"].as_str().unwrap().to_owned();
    assert!(
        patch.contains("\nold mode 100644\nnew mode 100755\nrename from good/b\nrename to \"good/x/new lib\"\n"),
        "{patch}"
    );
    renamed.git("git checkout -q good");
    for tool in [GIT, PATCH] {
        let patch = renamed.run_folder().join("answer/cause-1.patch");
        renamed.git(&format!("git checkout -qf good; git clean -qfd good; {tool} {}", patch.display()));
        assert_eq!(renamed.shell("./test.sh").run().status, 1, "{tool}");
        assert!(renamed.exists("good/x/new lib") && !renamed.exists("good/b"), "{tool}");
    }
}

/// Bytes that are no text are not put on a screen, and what cannot be seen of a text is.
#[test]
fn differences_are_visible_and_binary_ones_are_no_lines() {
    let shows = |good: &str, bad: &str, test: &str, says: &str| {
        let workshop = two_folders(good, bad, test);
        workshop.changes(&["good", "bad", "--", "./test.sh"]).run().exits_with(0).says(says)
    };
    let binary = shows(
        "printf 'a\\0b\\nkeep\\n' >x",
        "printf 'a\\0cde\\nkeep\\n' >x",
        "! grep -q cde x",
        "x: binary, 9 → 11 bytes; at byte 2: 62 → 63 64 65",
    );
    drop(binary.does_not_say("+ "));
    let gone = shows("printf 'a\\0b' >x", "rm x", "test -e x", "x: is gone, binary, 3 bytes");
    drop(gone.does_not_say("- a"));
    drop(shows("printf 'a\\nb\\n' >f", "printf 'a\\nb\\r\\n' >f", "test $(wc -c <f) = 4", "f:2 - b + b\\r"));
    let dos = shows("printf 'a\\r\\nb\\r\\n' >f", "printf 'a\\r\\nB\\r\\n' >f", "! grep -q B f", "f:2 - b + B");
    drop(dos.does_not_say("\\r"));
    drop(shows("printf 'b\\n' >f", "printf b >f", "test $(wc -c <f) = 2", "- b + b \\ No newline at end of file"));
    drop(shows("echo 1 >y", "ln -s y l", "! test -L l", "l: is there, a link to y"));
    drop(shows(
        "printf 'latin\\n\\351\\n' >f",
        "printf 'latin\\n\\352\\n' >f",
        "LC_ALL=C grep -q \"$(printf '\\351')\" f",
        "- \\xe9 + \\xea",
    ));
}

/// A library and its user that only go together, and a defect that cannot be told with the old ones.
const API: &str = "test $(cat api) = $(cat use) || exit 125
test $(cat bug) = 0 || test $(cat api) = 2 || exit 125
test $(cat bug) = 0";

/// What was only seen between two versions in between is not said of GOOD, nor called its cause.
#[test]
fn what_separates_versions_in_between_has_another_name() {
    let workshop = repository(
        "mkdir good; cd good; echo 1 >api; echo 1 >use; echo 0 >bug; commit first; git tag good
        echo 2 >api; echo 2 >use; commit api; echo 1 >bug; commit bug",
    );
    workshop.script("test.sh", &format!("cd good 2>/dev/null\n{API}"));
    let done = workshop.changes(&["good..main", "--", "./test.sh"]).run().exits_with(0);
    let done = done.says("with just this cannot be told").does_not_say("with just this fails");
    drop(done.says("before-1.patch makes of good").says("difference-1.patch of that one that fails"));
    let cause = &workshop.answer()["causes"][0];
    assert_eq!((&cause["alone"], &cause["patch"]), (&"unresolved".into(), &Value::Null));
    let names = ["answer.json", "answer.txt", "before-1.patch", "difference-1.patch", "undo-1.patch"];
    assert_eq!(workshop.written(), names);
    let answer = workshop.run_folder().join("answer");
    workshop.git(&format!("git checkout -q good; git apply {}/before-1.patch; ./test.sh", answer.display()));
    workshop.git(&format!("git apply {}/difference-1.patch", answer.display()));
    assert_eq!(workshop.shell("./test.sh").run().status, 1);
    // That tree is kept, too.
    let tree = workshop.run_folder().join("trees/cause-1/passing/good");
    assert_eq!(workshop.shell(&format!("cd {}; cat api use bug", tree.display())).run().stdout, "2\n2\n0\n");
}

/// In one change, all of it is the smallest group that can be told: its patch makes GOOD fail.
#[test]
fn a_group_with_which_it_fails_is_a_patch_too() {
    let workshop = two_folders(
        "echo 1 >api; echo 1 >use; echo 0 >bug; echo 0 >other",
        "echo 2 >api; echo 2 >use; echo 1 >bug; echo 1 >other",
        API,
    );
    let done = workshop.changes(&["good", "bad", "--", "./test.sh"]).run().exits_with(0);
    drop(done.says("good with just this cannot be told").says("fails: group-1.patch"));
    assert!(!workshop.written().contains(&"cause-1.patch".to_owned()));
    assert_eq!(workshop.patched(GIT, &["group-1.patch"]), 1);
    assert_eq!(workshop.patched(GIT, &["before-1.patch"]), 0);
    assert_eq!(workshop.patched(GIT, &["before-1.patch", "difference-1.patch"]), 1);
}

/// An empty folder makes it fail, and so do permissions that git does not keep: no patch says so.
#[test]
fn what_no_patch_can_tell_is_not_called_a_cause() {
    let change = [
        ("echo 1 >y", "mkdir e", "! test -d e", "e"),
        ("echo 1 >y; chmod 600 y", "chmod 640 y", "test $(stat -c %a y) = 600", "y"),
    ];
    for (good, bad, test, path) in change {
        let workshop = two_folders(good, bad, test);
        let done = workshop.changes(&["good", "bad", "--", "./test.sh"]).run().exits_with(0);
        drop(done.says("good with just this fails").says(&format!("no patch can tell in what these differ: {path}.")));
        assert!(!workshop.written().contains(&"cause-1.patch".to_owned()), "{path}");
    }
}

/// Eight files, two of which fail only together: stopped at any test, the answer says where to look.
#[test]
fn an_unfinished_answer_names_the_files_it_is_among() {
    let workshop = repository(
        "for i in 1 2 3 4 5 6 7 8; do echo 0 >f$i; done; commit first; git tag good
        for i in 1 2 3 4 5 6 7 8; do echo 1 >f$i; commit \"patch $i\"; done",
    );
    workshop.script("test.sh", "! { grep -q 1 f3 && grep -q 1 f6; }");
    // Half of the changes pass, so what lacks them is in the other half.
    let done = workshop.changes(&["-j1", "--tests", "1", "good..main", "--", "./test.sh"]).run().exits_with(4);
    drop(
        done.says("What broke it, or a part of it, is among 4 changed lines of 4 changes, in: f5 f6 f7 f8")
            .says("so-far.patch has all of it"),
    );
    let answer = workshop.answer();
    assert_eq!((&answer["done"], &answer["causes"]), (&false.into(), &json!([])));
    assert_eq!(answer["among"]["files"], json!(["f5", "f6", "f7", "f8"]));
    assert_eq!(answer["among"]["parts"], json!([]));
    // With three, the sixth is known, and passes alone: the other part is among all others.
    workshop.reduct(["resume", "--tests", "4"]).run().exits_with(4).says("A part of what broke it:").says("f6:1");
    let among = &workshop.answer()["among"];
    assert_eq!(among["parts"][0]["files"], json!(["f6"]));
    assert!(!among["files"].as_array().unwrap().contains(&json!("f6")), "{among}");
    assert!(among["files"].as_array().unwrap().contains(&json!("f3")), "{among}");
    workshop.reduct(["resume"]).run().exits_with(0).says("together with").does_not_say("is among");
    assert_eq!(workshop.answer()["among"], Value::Null);
}

/// Scripts of a build and of a line are found from where the user stands, whether git has them or not.
#[test]
fn scripts_of_lines_are_found_as_the_test_is() {
    let workshop = repository(
        "printf 'int main(void) { return 0; }\\n' >p.c; printf 'p: p.c\\n\\tcc -o p p.c\\n' >Makefile
        mkdir sub; echo 1 >sub/data; commit first; git tag good
        echo '// more' >>p.c; commit second; sed -i 's/return 0/return 1/' p.c; commit third",
    );
    workshop.script("../build.sh", "exec make -s p");
    workshop.script("../run it.sh", "exec ./p");
    workshop.script("../run.sh", "exec ./p");
    workshop.script("own.sh", "exec ./p");
    for words in [
        &["--build", "../build.sh", "good..main", "--", "../run.sh"][..],
        &["--build", "sh -e ../build.sh 2>&1", "good..main", "-c", "test -e p.c && ../run.sh || exit 1"],
        // What is not in git stands in every version.
        &["--build", "../build.sh", "good..main", "-c", "sh own.sh"],
    ] {
        workshop.changes(words).run().exits_with(0).says("return 1");
        assert_eq!(workshop.answer()["causes"][0]["parts"][0]["lines"], 1, "{words:?}");
    }
    // From a folder below the top, in which the versions are built and tested too.
    let words = [
        "changes",
        "--scratch",
        "../../scratch",
        "--build",
        "cd ..; ../build.sh",
        "good..main",
        "-c",
        "test -e data; cd ..; ../run.sh",
    ];
    workshop.reduct(words).within("sub").run().exits_with(0).says("return 1");
    // Another build is another test: nothing known is believed.
    workshop.script("../build.sh", "exit 1");
    workshop.changes(&["--build", "../build.sh", "good..main", "--", "../run.sh"]).run().exits_with(3);
}

/// A path that the working tree has as the last commit does, and the index otherwise.
#[test]
fn what_is_only_in_the_index_is_a_change_too() {
    let staged = |lines: &str, test: &str| {
        let workshop = repository("echo a >f; echo a >kept; commit first");
        workshop.script("../test.sh", test);
        workshop.git(lines);
        let before = workshop.git("git status --short; git ls-files -s");
        let done = workshop.changes(&["HEAD..", "--", "../test.sh"]).run().exits_with(0);
        assert_eq!(workshop.git("git status --short; git ls-files -s"), before, "nothing is changed");
        drop(done.says("working tree").does_not_say("kept"));
    };
    staged("echo new >new; git add new", "! test -e new");
    staged("echo new >new; git add new; rm new", "! test -e new");
    staged("git rm -q --cached f", "test -e f");
    staged("git rm -q --cached f; echo f >.git/info/exclude", "test -e f");
    staged("git rm -q f", "test -e f");
    staged("echo b >f; git add f; echo a >f", "grep -q a f");
    staged("ln -s f 'l l'; git add 'l l'; rm 'l l'", "! test -L 'l l'");
    staged("git mv f g; git show HEAD:f >f; rm g", "test -e f");
    // A file that was changed since is meant as it stands.
    let workshop = repository("echo a >f; commit first");
    workshop.script("../test.sh", "! grep -q c f");
    workshop.git("echo b >f; git add f; echo c >f");
    let done = workshop.changes(&["HEAD..", "--", "../test.sh"]).run().exits_with(0);
    drop(done.says("+ c").does_not_say("as the index has it"));
}

/// The published run of the paper: the difference is one character, which is shown.
#[test]
fn the_paper_s_isolation_shows_its_difference() {
    let workshop = Workshop::with_page();
    let words = "--by chars --search isolate-paper -j1 ./test.sh page.html";
    let done = workshop.reduct(words.split(' ')).run().exits_with(0);
    drop(done.says("The difference is “<” (1 byte); without it the test passes"));
    let passing = std::fs::read_to_string(workshop.run_folder().join("passing/page.html")).unwrap();
    assert_eq!(format!("<{passing}"), workshop.text("page.reduced.html"));
}

/// 897 lines, of which one has a word of which one character matters.
#[test]
fn sizes_are_in_the_units_they_are_counted_in() {
    let workshop = Workshop::new();
    let lines: String = (1..=896).map(|line| format!("{line}\n")).collect();
    workshop.write("bad", format!("{lines}foo\n"));
    let done = workshop.reduct(["isolate", "--scratch", "../scratch", "bad", "-c", "! grep -q foo bad"]).run();
    let done = done.exits_with(0).says("897 changed lines → 1 changed character");
    drop(done.does_not_say("897 → 1"));
    workshop.write("good", "fo\n");
    workshop.write("bad", "foo\n");
    let words = ["isolate", "--scratch", "../scratch", "--by", "chars", "good", "bad", "-c", "! grep -q foo bad"];
    workshop.reduct(words).run().exits_with(0).says("1 → 1 changed character");
}
