//! What is at the edge of what can be: sizes, names, limits of the system, and others who are at the same files.

use crate::workshop::{Events, Workshop, listed};
use std::fs::{self, File};

/// A workshop with three lines of which one says `needle`, and a script that looks for it after `more`.
fn with_needle(more: &str) -> Workshop {
    let workshop = Workshop::new();
    workshop.write("input", "one\nneedle\nthree\n");
    workshop.script("test.sh", &format!("{more}\ngrep -q needle input"));
    workshop
}

#[test]
fn what_is_too_large_is_refused_before_it_is_read() {
    let workshop = Workshop::new();
    File::create(workshop.path("big")).unwrap().set_len(5 << 30).unwrap();
    // To read it takes more memory than there is.
    let line = "ulimit -v 4000000; exec \"$REDUCT\" big -- false";
    workshop.shell(line).run().exits_with(2).says("larger than 4 GiB");
}

#[test]
fn without_a_thread_nothing_is_begun() {
    let workshop = Workshop::new();
    // Root has no such limit; and another user may not reach the folder of the program.
    let user = if rustix::process::geteuid().is_root() { "setpriv --reuid 65534 --clear-groups" } else { "env" };
    let line = format!("exec 9<\"$REDUCT\"; exec {user} prlimit --nproc=1 /proc/self/fd/9 /etc/passwd -- false");
    let ended = workshop.shell(&line).run().exits_with(2);
    ended.says("no thread can be started");
}

#[test]
fn a_limit_on_the_size_of_files_is_told() {
    let workshop = Workshop::new();
    workshop.write("big", vec![b'a'; 300_000]);
    let line = "exec prlimit --fsize=10000 \"$REDUCT\" --bare --patience 0s big -- false";
    workshop.shell(line).run().exits_with(4).says("File too large");
}

#[test]
fn names_may_be_as_long_as_they_can_be() {
    let workshop = Workshop::new();
    let name = "n".repeat(255);
    workshop.write(&name, "one\nneedle\n");
    let test = ["--", "grep", "-q", "needle", "{}"];
    let reduct = |options: &[&str]| {
        workshop.reduct([&["--by", "lines", "--fails-if", "exit=0"], options, &[&name], &test[..]].concat())
    };
    reduct(&[]).run().exits_with(0);
    let left = workshop.names();
    let result = left.iter().find(|left| left.ends_with("n.reduced")).unwrap();
    assert_eq!((result.len(), workshop.text(result)), (255, "needle\n".to_owned()));
    // On another file system than that of the run, it is made beside its place.
    let memory = tempfile::tempdir_in("/dev/shm").unwrap();
    let out = memory.path().join("o".repeat(255)).to_str().unwrap().to_owned();
    reduct(&["--out", &out]).run().exits_with(0);
    assert_eq!(fs::read(&out).unwrap(), b"needle\n");
    assert_eq!(listed(memory.path()).len(), 1);
    // What cannot be is said before anything is run.
    let before = listed(&workshop.path(".reduct"));
    for impossible in [&["--out", &(name.clone() + "n")][..], &["--in-place"]] {
        reduct(impossible).run().exits_with(2).says("File name too long");
    }
    assert_eq!(listed(&workshop.path(".reduct")), before);
}

#[test]
fn what_is_no_journal_is_not_waited_for() {
    let workshop = with_needle("");
    let make =
        "mkdir -p .reduct/0001-a .reduct/0002-b; mkfifo .reduct/0001-a/journal; ln -s /dev/zero .reduct/0002-b/journal";
    workshop.shell(make).run().exits_with(0);
    for _ in 0..2 {
        // The second time, a result stands there of which it is asked whose it is.
        workshop.reduct(["--by", "lines", "--reuse", "./test.sh", "input"]).run().exits_with(0);
    }
    workshop.reduct(["log", ".reduct/0001-a"]).run().exits_with(2);
}

#[test]
fn what_comes_to_the_place_of_the_result_meanwhile_is_kept() {
    let put = "if mkdir \"$WORKSHOP/done\" 2>/dev/null; then mkdir \"$OUT\"; echo mine >\"$OUT/precious\"; fi";
    let again = "if [ -e d/4 ] && [ ! -e d/5 ] && mkdir \"$WORKSHOP/again\" 2>/dev/null; then \
                 rm -rf \"$OUT\"; mkdir \"$OUT\"; echo mine, too >\"$OUT/precious\"; fi";
    let workshop = Workshop::new();
    for n in 0..8 {
        workshop.write(format!("d/{n}"), if n == 4 { "needle" } else { "" });
    }
    workshop.script("test.sh", &format!("OUT=\"$WORKSHOP/home/d.reduced\"\n{put}\n{again}\ngrep -rq needle d"));
    let words = ["-j1", "--by", "files", "./test.sh", "d"];
    workshop.reduct(words).run().exits_with(0).says("it is now .reduct/0001-d/found-1");
    assert_eq!(listed(&workshop.path("d.reduced")), ["4"]);
    assert_eq!(workshop.text(".reduct/0001-d/found-1/precious"), "mine\n");
    assert_eq!(workshop.text(".reduct/0001-d/found-2/precious"), "mine, too\n");
}

#[test]
fn a_test_that_kills_its_supervisor_on_the_empty_input_is_unresolved_there() {
    let workshop = with_needle("[ -s input ] || kill -KILL $PPID");
    for repeat in [&[][..], &["--repeat"]] {
        let words = [&["-j1", "--unconfined", "--force", "--by", "lines"], repeat, &["./test.sh", "input"]].concat();
        workshop.reduct(words).run().exits_with(0);
        assert_eq!(workshop.text("input.reduced"), "needle\n");
    }
}

#[test]
fn runs_can_be_kept_elsewhere() {
    let workshop = with_needle("");
    let state = workshop.beside("state");
    let state = state.to_str().unwrap();
    workshop.reduct(["--state", state, "--by", "lines", "--tests", "1", "./test.sh", "input"]).run().exits_with(4);
    assert!(!workshop.exists(".reduct"));
    workshop.reduct(["log"]).run().exits_with(2);
    workshop.reduct(["log", "--state", state]).run().exits_with(0);
    workshop.shell(&format!("REDUCT_STATE='{state}' exec \"$REDUCT\" resume")).run().exits_with(0);
    assert_eq!(workshop.text("input.reduced"), "needle\n");
    // The result is known for that of a run, and may be replaced.
    workshop.shell(&format!("REDUCT_STATE='{state}' exec \"$REDUCT\" --by lines ./test.sh input")).run().exits_with(0);
    workshop.reduct(["verify", "--state", state]).run().exits_with(0);
    assert_eq!(workshop.names(), ["input", "input.reduced", "test.sh"]);
}

#[test]
fn what_reads_texts_may_die() {
    let run = |kills: &str| {
        let workshop = Workshop::new();
        let deep: String = (0..30).map(|n| format!("{}key{n}:\n", "  ".repeat(n))).collect();
        workshop.write("input.yaml", format!("{deep}{}needle: 1\n", "  ".repeat(30)));
        workshop.script("test.sh", &format!("{kills}\ngrep -q needle input.yaml && exit 3\nexit 0"));
        let words = ["input.yaml", "-j1", "--unconfined", "--bare", "--events", "events", "--", "./test.sh"];
        workshop.reduct(words).run().exits_with(0);
        (workshop.text("input.reduced.yaml"), Events::read(workshop.path("events")).tests(), workshop.runs().len())
    };
    // The parent of the parent of a test is the program, one of whose children reads texts.
    let kills = "main=$(cut -d' ' -f4 /proc/$PPID/stat)\nfor child in $(cat /proc/$main/task/*/children); do\n\
                 grep -q __parse /proc/$child/cmdline && kill -9 $child && echo killed >>\"$LOG\"\ndone";
    let (result, tests, _) = run("");
    let (other, others, killed) = run(kills);
    assert!(killed > 0, "none was there");
    assert_eq!((other, others), (result, tests));
}

#[test]
fn a_test_that_fills_the_disk_is_unresolved() {
    let workshop = with_needle("");
    let fills = "grep -q needle input && exit 3\ni=0\nwhile :; do i=$((i+1)); head -c 1000000 /dev/zero >\"$1$i\" || exit 3; done";
    workshop.script("test.sh", fills);
    // Into its own folder, and into copies of the user's folders.
    for to in ["f".to_owned(), format!("{}/f", workshop.beside("scratch").display())] {
        let words =
            ["input", "-j1", "--force", "--bare", "--by", "lines", "--disk", "30M", "--fails-if", "exit=3", "--"];
        let call = workshop.reduct(words.into_iter().chain(["./test.sh", &to])).env("REDUCT_ALLOW_WRITE", "");
        call.run().exits_with(0).says("the empty input: unresolved (disk limit reached)");
        assert_eq!(workshop.text("input.reduced"), "needle\n");
        assert_eq!(listed(&workshop.beside("scratch")), [""; 0]);
    }
}

#[test]
fn of_many_files_those_that_the_test_opens_are_tried_first() {
    let workshop = Workshop::new();
    for n in 0..300 {
        workshop.write(format!("in/{}/{n}", n % 7), if n % 100 == 50 { "needle\n" } else { "hay\n" });
    }
    workshop.write("counts", "");
    let counts = workshop.path("counts");
    let script = format!(
        "cd \"$1\" || exit 1\nfind . -type f | wc -l >> {}\ngrep -q needle 1/50 && grep -q needle 3/150",
        counts.display()
    );
    workshop.script("test.sh", &script);
    let counts_are = counts.to_str().unwrap();
    let ended =
        workshop.reduct(["--bare", "--allow-write", counts_are, "in", "--", "./test.sh", "{}"]).run().exits_with(0);
    ended.says("1-minimal in files");
    assert_eq!(listed(&workshop.path("in.reduced")), ["1", "3"]);
    // What the test runs on is the whole, nothing, or no more than it opens.
    let counts: Vec<usize> = workshop.text("counts").lines().map(|line| line.trim().parse().unwrap()).collect();
    assert!(counts.iter().all(|count| *count == 300 || *count <= 2), "{counts:?}");
}
