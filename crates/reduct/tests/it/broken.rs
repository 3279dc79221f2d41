//! `reduct changes`: mixes of two versions that are no programs, where neither version reports anything.

use crate::repositories::repository;

/// A sum of a column; its fourth commit skips what repeats, in a block of its own.
const SUM: &str = r##"
cat >sum.py <<'END'
import sys
def main(path):
    s = 0
    for line in open(path):
        r = line.split(',')
        s += float(r[1])
    print('sum', s)
main(sys.argv[1])
END
printf 'a,1\nb,2.5\nc,3\n' >data.csv; commit first; git tag good
echo one >README; commit readme
sed -i 's/s = 0$/s = 0.0/' sum.py; commit float
cat >sum.py <<'END'
import sys
def main(path):
    s = 0.0
    last = None
    for line in open(path):
        r = line.split(',')
        if r[0] != last and r[0] < 'c':
            s += float(r[1])
        last = r[0]
    print('sum', s)
main(sys.argv[1])
END
commit 'skip repeated names'"##;

const TEST: &str = r#"[ "$(python3 -B sum.py data.csv)" = "sum 6.5" ]"#;

/// Lines of a block without the line that begins it: what Python says of them is not what the version does, which says
/// nothing at all.
#[test]
fn a_mix_that_is_no_program_does_not_show_a_silent_failure() {
    let workshop = repository(SUM);
    workshop.script("test.sh", TEST);
    let done = workshop.changes(&["good..main", "--", "./test.sh"]).run().exits_with(0);
    let done = done.says("with no report of an exception, a syntax error or an unknown name");
    let done = done.says("+         if r[0] != last and r[0] < 'c':");
    drop(done.says("IndentationError:").does_not_say("cause 1 of 2"));
    let answer = workshop.answer();
    assert_eq!(answer["causes"].as_array().unwrap().len(), 1);
    assert_eq!(answer["causes"][0]["alone"], "unresolved");
    // With what it needs, it fails as the version does: without a word.
    let group = workshop.run_folder().join("answer/group-1.patch");
    let apart = "git worktree add -q ../apart good; cd ../apart";
    let said = workshop.git(&format!("{apart}; git apply {}; python3 -B sum.py data.csv", group.display()));
    assert_eq!(said, "sum 3.5\n");
    workshop.reduct(["verify"]).run().exits_with(0);
}

/// A test that prints such reports also where it passes tells by its status.
#[test]
fn what_the_version_that_works_reports_is_no_other_failure() {
    let begin = "printf 'one\\ntwo\\n' >words; commit first; git tag good";
    let workshop = repository(&format!("{begin}; printf 'one\\nTWO\\nthree\\n' >words; commit second"));
    // What the version that fails says is no exception.
    workshop.script("test.sh", "grep -qx two words && { echo Uncaught; echo 'x.c:1:2: error: no'; } >&2");
    let done = workshop.changes(&["good..main", "--", "./test.sh"]).run().exits_with(0);
    drop(done.says("as git bisect run has it, as the first run showed").says("- two"));
}

/// What node reports is told by what it reports: another exception is another failure.
#[test]
fn an_exception_of_node_is_known_by_what_it_says() {
    let old = "cat >a.js <<'END'\nconst limit = 3;\nfunction pick(all) { return all[0]; }\n\
               console.log(pick([{ n: limit }]).n);\nEND\ncommit first; git tag good\n";
    let new = "sed -i 's/limit/most/; s/all.0./all[1]/' a.js; commit second";
    let workshop = repository(&format!("{old}{new}"));
    workshop.script("test.sh", "node a.js");
    let done = workshop.changes(&["good..main", "--", "./test.sh"]).run().exits_with(0);
    drop(done.says("saying “TypeError:").says("return all[1]").does_not_say("+ const most"));
}

/// Of a build that breaks, half a change that breaks it otherwise is not to blame.
#[test]
fn another_error_of_the_compiler_is_another_failure() {
    let old = "printf 'int f(int x)\\n{\\n  return x + 1;\\n}\\n' >a.c; commit first; git tag good\n";
    let new = "printf 'int f(int x)\\n{\\n    int sum = x + z;\\n    return sum;\\n}\\n' >a.c; commit second";
    let workshop = repository(&format!("{old}{new}"));
    workshop.script("test.sh", "cc -c -o /dev/null a.c");
    let done = workshop.changes(&["good..main", "--", "./test.sh"]).run().exits_with(0);
    drop(
        done.says("undeclared")
            .says("if anything is broken")
            .says("+     int sum = x + z;")
            .does_not_say("cause 1 of 2"),
    );
    assert_eq!(workshop.answer()["causes"].as_array().unwrap().len(), 1);
}

/// Each of two lines is enough: the last line counts both.
#[test]
fn the_lines_of_all_causes_are_counted() {
    let workshop =
        repository("printf 'a\\nb\\nc\\nd\\n' >l; commit 1; git tag good; printf 'a\\nX\\nc\\nd\\nX\\n' >l; commit 2");
    workshop.script("test.sh", "! grep -q X l");
    let done = workshop.changes(&["good..main", "--", "./test.sh"]).run().exits_with(0);
    let done = done.says("What broke it, cause 2 of 2:").says("Proved: each of 2 causes (2 changed lines together): ");
    drop(done.says("2 → 2 changed lines in "));
}

/// What is wrong may stand in what the last line needs: all that goes together is shown.
#[test]
fn what_a_cause_fails_with_is_shown_if_it_cannot_be_told_alone() {
    let old = "printf 'def f(x):\\n    return x * 0.3\\nassert f(10) < 10\\n' >a.py; commit 1; git tag good\n";
    let new =
        "printf 'RATE = {\"s\": 1.3}\\ndef f(x):\\n    return x * RATE[\"s\"]\\nassert f(10) < 10\\n' >a.py; commit 2";
    let workshop = repository(&format!("{old}{new}"));
    workshop.script("test.sh", "python3 -B a.py");
    let done = workshop.changes(&["good..main", "--", "./test.sh"]).run().exits_with(0);
    let done = done.says("with just this cannot be told").says("only with more of what goes together (1 line),");
    drop(done.says("+ RATE = {\"s\": 1.3}").says("+     return x * RATE[\"s\"]"));
}
