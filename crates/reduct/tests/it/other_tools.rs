//! Options and words of other tools: taken where they mean the same, otherwise answered with what to write.

use crate::wording::{refused, split, workshop};
use crate::workshop::Workshop;

#[test]
fn options_of_other_reducers_get_a_tip_that_fits() {
    let workshop = workshop();
    for (words, says) in [
        ("--not-c ./t.sh crash.txt", "--language none parses nothing"),
        ("--also-interesting 2 ./t.sh crash.txt", "keeps other failures in any case"),
        ("--list-passes", "docs/passes.md"),
        ("--input-type=stdin ./t.sh crash.txt", "--stdin the contents"),
        ("--keep x ./t.sh crash.txt", "the test decides what must stay"),
    ] {
        refused(&workshop, words).says(says).does_not_say("a similar argument exists");
    }
    for (words, says) in [
        ("--grammar=x.g4 crash.txt", "--language names one"),
        ("--strategy=minimize crash.txt", "--search names the algorithm"),
        ("--num-threads=2 crash.txt", "--jobs runs N tests at a time"),
        ("-in_place ./t.sh crash.txt", "--in-place replaces the input"),
        ("changes --good v1 --bad v2", "reduct changes GOOD..BAD -- COMMAND"),
        ("bisect start", "reduct changes GOOD..BAD -- COMMAND"),
        ("minimize crash.txt", "to reduce an input: reduct FILE -- COMMAND"),
        // Nothing is like it, and behind `--` stands the test.
        ("--no-kill ./t.sh crash.txt", "unexpected argument '--no-kill' found"),
    ] {
        refused(&workshop, words).says(says).does_not_say("a similar argument").does_not_say("as a value");
    }
    // What is only misspelled keeps its tip.
    refused(&workshop, "--shel x crash.txt").says("a similar argument exists: '--shell'");
}

#[test]
fn options_of_other_reducers_are_taken_where_they_mean_the_same() {
    for jobs in ["--n 3", "-n 3", "--parallelism 3"] {
        let workshop = workshop();
        let words = format!("{jobs} --timeout 10 --by lines ./t.sh crash.txt");
        workshop.reduct(split(&words)).run().exits_with(0).says("3 tests at a time, at most 10.0 s each");
    }
}

/// Dies by SIGABRT on a file that holds BOOM.
fn dies_by_abort(workshop: &Workshop) {
    workshop.script("p", "[ -r \"$1\" ] || exit 2; grep -q BOOM \"$1\" && kill -ABRT $$; exit 0");
}

#[test]
fn the_placeholder_of_another_fuzzer_is_answered() {
    let workshop = workshop();
    dies_by_abort(&workshop);
    for word in ["@@", "--file=@@", "___FILE___"] {
        let done = refused(&workshop, &format!("crash.txt -- ./p {word}"));
        done.says("has no meaning here: write {} where the path of the candidate belongs");
    }
    // Where the input is named, it may be meant as it is.
    workshop.write("patch", "@@ -1 +1 @@\n");
    let done = workshop.reduct(split("patch -- grep -c @@@ patch")).run();
    done.does_not_say("has no meaning here");
    workshop.reduct(split("crash.txt -- ./p {}")).run().exits_with(0).says("death by SIGABRT");
    // Where nothing has such a path, there is nothing to write in its place.
    workshop.reduct(split("args -- ./t.sh @@")).run().exits_with(3).does_not_say("has no meaning here");
}

#[test]
fn the_status_by_which_a_shell_reports_a_signal_is_answered() {
    let workshop = workshop();
    dies_by_abort(&workshop);
    let tip = "the program itself died by it: --fails-if signal=ABRT";
    workshop.reduct(split("--fails-if exit=134 crash.txt -- ./p {}")).run().exits_with(3).says(tip);
    workshop
        .reduct(split("--fails-if exit=139 crash.txt -- ./p {}"))
        .run()
        .exits_with(3)
        .does_not_say("--fails-if signal");
    workshop
        .reduct(split("--fails-if exit=3 crash.txt -- ./p {}"))
        .run()
        .exits_with(3)
        .does_not_say("--fails-if signal");
    // What is said is what works; and a shell makes that status of it.
    workshop.reduct(split("--fails-if signal=ABRT crash.txt -- ./p {}")).run().exits_with(0);
    let line = "./p crash.txt; exit $?";
    workshop.reduct(["--force", "--fails-if", "exit=134", "crash.txt", "-c", line]).run().exits_with(0);
}
