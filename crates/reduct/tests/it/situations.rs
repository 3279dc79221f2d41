//! `reduct args`, `env`, `files` and `all`: what of a command's circumstances matters.

use crate::workshop::{Call, Workshop, files_below};
use serde_json::Value;
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::Path;

/// Fails with 1 and a message if an argument begins with `--bad=` and holds an `x`.
const PICKY: &str = "echo run >>\"$LOG\"\nfor word in \"$@\"; do case \"$word\" in --bad=*x*) echo 'error: it is bad' >&2; exit 1;; esac; done";

/// What was left of a command, in its own words.
fn left(workshop: &Workshop, what: &str) -> Vec<String> {
    let written: Value = serde_json::from_slice(&workshop.read("tool.reduced/command.json")).unwrap();
    let words = written[what].as_array().unwrap().iter();
    let text = |word: &Value| match what {
        "variables" => format!("{}={}", word["name"].as_str().unwrap(), word["value"].as_str().unwrap()),
        _ => word["text"].as_str().unwrap().to_owned(),
    };
    words.map(text).collect()
}

/// The script that runs the result, with nothing else around it than it says itself.
fn script(workshop: &Workshop) -> Call<'_> {
    workshop.shell("exec tool.reduced/run.sh")
}

#[test]
fn arguments_are_left_out_and_made_shorter() {
    let workshop = Workshop::new();
    workshop.script("tool", PICKY);
    let words: Vec<String> = (0..30).map(|n| if n == 17 { "--bad=yxz".into() } else { format!("-f{n}") }).collect();
    let call = ["args", "--", "./tool"].into_iter().map(str::to_owned).chain(words);
    workshop.reduct(call).run().exits_with(0).says("Of 30 arguments, 1 matters").says("It still fails: ./tool --bad=x");
    assert_eq!(left(&workshop, "arguments"), ["--bad=x"]);
    script(&workshop).run().exits_with(1).says("it is bad");
    workshop.reduct(["verify"]).run().exits_with(0).says("is 1-minimal in arguments");
    workshop.reduct(["log"]).run().exits_with(0);
}

/// An option without its value, or a value without its option, is another failure: they go together or not at all.
#[test]
fn options_go_with_their_values() {
    let workshop = Workshop::new();
    let tool = "while [ $# -gt 0 ]; do case \"$1\" in\n-o) [ \"${2#v}\" != \"$2\" ] || exit 125; shift;;\nboom) b=1;;\n*) exit 125;;\nesac; shift; done\n[ -z \"$b\" ]";
    workshop.script("tool", tool);
    let words = ["args", "--whole", "--", "./tool", "-o", "v1", "-o", "v2", "boom", "-o", "v3"];
    workshop.reduct(words).run().exits_with(0);
    assert_eq!(left(&workshop, "arguments"), ["boom"]);
}

#[test]
fn any_bytes_are_arguments() {
    let workshop = Workshop::new();
    // Fails if an empty argument stands before one that holds the byte 255, and braces stand for themselves.
    let tool = "p=none\nfor w in \"$@\"; do\n[ \"$w\" = \"$(printf 'n\\377')\" ] && [ -z \"$p\" ] && bad=1\n[ \"$w\" = '{}' ] && braces=1\np=$w; done\n[ -z \"$bad$braces\" ] || [ -z \"$bad\" ] || [ -z \"$braces\" ]";
    workshop.script("tool", tool);
    let odd = OsStr::from_bytes(b"n\xff");
    let words = ["args", "--whole", "--", "./tool", "a\nb", "{}", "", "c d"].map(OsString::from);
    let words = words.into_iter().chain(["".into(), odd.to_owned(), "it's".into()]);
    workshop.reduct(words).run().exits_with(0).says("Of 7 arguments, 3 matter");
    let written: Value = serde_json::from_slice(&workshop.read("tool.reduced/command.json")).unwrap();
    let places: Vec<u64> = written["arguments"].as_array().unwrap().iter().map(|w| w["at"].as_u64().unwrap()).collect();
    assert_eq!(places, [2, 5, 6]);
    script(&workshop).run().exits_with(1);
}

/// A file that is named by a relative path is a copy: even if a removal makes an output of it.
#[test]
fn what_the_user_has_is_not_written_to() {
    let workshop = Workshop::new();
    workshop.script("tool", "o=\nfor w in \"$@\"; do [ \"$o\" = 1 ] && echo broken >\"$w\"; o=; [ \"$w\" = -o ] && o=1; done\n! grep -q need in.c");
    workshop.write("in.c", "need\n");
    workshop.reduct(["args", "--", "./tool", "-o", "out", "in.c", "-o", "in.c.o"]).run().exits_with(0);
    assert_eq!(workshop.text("in.c"), "need\n");
    assert_eq!(workshop.names(), ["in.c", "tool", "tool.reduced"]);
}

#[test]
fn many_arguments_take_few_tests() {
    let workshop = Workshop::new();
    workshop.script("tool", PICKY);
    let words = (0..2_000).map(|n| if n == 1_357 { "--bad=x".to_owned() } else { format!("{n}") });
    let call = ["args", "--whole", "--", "./tool"].into_iter().map(str::to_owned).chain(words);
    workshop.reduct(call).run().exits_with(0).says("Of 2,000 arguments, 1 matters");
    let tests = workshop.logged().len();
    assert!(tests <= 40, "{tests} tests for one of 2,000 arguments");
}

#[test]
fn variables_that_matter_and_no_others_are_shown() {
    let workshop = Workshop::new();
    workshop.script(
        "tool",
        "[ \"${#LONG}\" -gt 10 ] && [ -n \"$MODE\" ] && { echo 'error: too long' >&2; exit 1; }\nexit 0",
    );
    let mut call = workshop.reduct(["env", "--", "./tool"]).env("LONG", "x".repeat(100)).env("MODE", "strict");
    for n in 0..60 {
        call = call.env(&format!("SECRET_{n}"), "hush-hush");
    }
    call.run().exits_with(0).says("2 matter: LONG, MODE").says("It still fails: env -i").does_not_say("hush");
    let variables = left(&workshop, "variables");
    let lengths: Vec<(&str, usize)> = variables
        .iter()
        .map(|variable| variable.split_once('=').map(|(name, value)| (name, value.len())).unwrap())
        .collect();
    assert_eq!(lengths, [("LONG", 11), ("MODE", 1)]);
    script(&workshop).run().exits_with(1).says("too long");
    workshop.reduct(["verify"]).run().exits_with(0);
    let log = workshop.reduct(["log"]).run().exits_with(0).stdout;
    assert!(log.contains("=…") && !log.contains("hush"), "{log}");
}

/// With nothing in the environment it fails as well: that is an answer.
#[test]
fn nothing_may_matter() {
    let workshop = Workshop::new();
    workshop.script("tool", "echo 'error: always' >&2; exit 1");
    workshop.reduct(["env", "--", "./tool", "{}"]).run().exits_with(0).says("0 matter");
    workshop.reduct(["args", "--force", "--", "./tool", "a", "b"]).run().exits_with(0).says("Of 2 arguments, 0 matter");
    workshop.reduct(["args", "--", "./tool"]).run().exits_with(2).says("the command has no arguments");
    workshop.reduct(["env", "--"]).run().exits_with(2).says("there is no command");
}

#[test]
fn files_that_a_command_needs() {
    let workshop = Workshop::new();
    for n in 0..100 {
        workshop.write(format!("d{}/f{n}", n % 10), "text\n");
    }
    std::os::unix::fs::symlink("d3/f33", workshop.path("link")).unwrap();
    workshop.script("tool", "! { [ -e link ] && [ -f d7/f47 ]; }");
    workshop.reduct(["files", "--", "./tool"]).run().exits_with(0).says("Of 101 files, 3 matter: d3/f33, d7/f47, link");
    let files: Vec<_> = files_below(&workshop.path("tool.reduced/files")).into_keys().collect();
    assert_eq!(files, ["d3/f33", "d7/f47", "link", "tool"].map(|name| Path::new(name).to_owned()));
    assert_eq!(files_below(&workshop.path("d5")).len(), 10);
    script(&workshop).run().exits_with(1);
    workshop.reduct(["verify"]).run().exits_with(0).says("is 1-minimal in files");
}

/// Arguments, a variable and the contents of a file, of which all are needed.
const ALL: &str = "[ \"$LEVEL\" = 3 ] && grep -q 'deep *= *on' conf && for w in \"$@\"; do\n[ \"$w\" = --go ] && { echo 'fatal: all three' >&2; kill -ABRT $$; }\ndone; exit 0";

#[test]
fn all_together_goes_on_where_it_was_stopped() {
    let workshop = Workshop::new();
    workshop.script("tool", ALL);
    workshop.write("conf", "a = 1\nb = 2\ndeep = on\nc = 3\n");
    workshop.write("notes", "nothing\n");
    let call = |jobs| workshop.reduct(["all", "--jobs", jobs, "--", "./tool", "-v", "--go", "-x"]).env("LEVEL", "3");
    call("1")
        .run()
        .exits_with(0)
        .says("Of 3 arguments, 1 matters")
        .says("1 matters: conf")
        .says("env -i LEVEL=3 ./tool --go");
    assert_eq!(workshop.text("tool.reduced/files/conf"), "deep=on");
    let (tests, answer) = (workshop.logged(), files_below(&workshop.path("tool.reduced")));
    let stopped = ["all", "--no-cache", "--jobs", "4", "--tests", "9", "--", "./tool", "-v", "--go", "-x"];
    workshop.reduct(stopped).env("LEVEL", "3").run().exits_with(4);
    script(&workshop).run().exits_with(-6);
    workshop.reduct(["resume"]).env("LEVEL", "3").run().exits_with(0);
    assert_eq!(files_below(&workshop.path("tool.reduced")), answer);
    assert!(tests.len() < 200, "{}", tests.len());
    script(&workshop).run().exits_with(-6);
}

#[test]
fn of_many_files_those_that_are_opened_are_searched() {
    let workshop = Workshop::new();
    for at in 0..200 {
        workshop.write(format!("sub{}/file{at}.txt", at % 7), "text\n");
    }
    workshop.write("sub3/bad.txt", "some\nbad\nlines\n");
    std::os::unix::fs::symlink("sub3/bad.txt", workshop.path("link")).unwrap();
    // It reads one through a link, and writes where nothing is read.
    workshop.script("tool", "echo run >>\"$LOG\"\ncat sub1/file1.txt >sub2/out\nif grep -q bad link; then echo 'error: bad' >&2; exit 1; fi");
    let done = workshop.reduct(["files", "--contents", "-o", "tool.reduced", "--", "./tool"]).run().exits_with(0);
    done.says("Of 201 files in the folder, the command opens 2: it fails just so without the rest");
    assert_eq!(workshop.read("tool.reduced/files/sub3/bad.txt"), b"bad");
    // What is kept of the run is what was opened, not the whole folder.
    let kept = files_below(&workshop.run_folder().join("input"));
    assert!(kept.len() < 10, "{kept:?}");
    workshop.reduct(["verify"]).run().exits_with(0);
}

#[test]
fn files_that_are_only_asked_for_come_back() {
    let workshop = Workshop::new();
    for at in 0..60 {
        workshop.write(format!("sub/file{at}.txt"), "text\n");
    }
    let asks = "[ -e sub/file33.txt ] || { echo gone >>\"$LOG\"; exit 0; }\necho there >>\"$LOG\"; echo 'error: it is there' >&2; exit 1";
    workshop.script("tool", asks);
    let call = || workshop.reduct(["files", "--force", "-o", "tool.reduced", "--", "./tool"]).run().exits_with(0);
    let tests = || {
        let log = workshop.text("../log").lines().map(str::to_owned).collect::<Vec<_>>();
        std::fs::remove_file(workshop.beside("log")).unwrap();
        log
    };
    call().says("Of 60 files in the folder, all are searched").says("1 matters: sub/file33.txt");
    assert_eq!(tests()[..3], ["there", "gone", "there"], "it was left out, and came back");
    // Of a folder that is listed all come back, and no others.
    for at in 0..60 {
        workshop.write(format!("rest/file{at}.txt"), "text\n");
    }
    workshop.script("tool", &format!("ls sub >sub/list\n{asks}"));
    call().says("Of 120 files in the folder, 60 are opened, or stand where the command looks");
    assert_eq!(tests()[..3], ["there", "gone", "there"], "it was left out, and came back");
}

#[test]
fn a_file_elsewhere_is_reduced_as_a_copy_or_left() {
    let workshop = Workshop::new();
    workshop.script("tool", "grep -q bad \"$1\" && { echo 'error: it is bad' >&2; exit 1; }\nexit 0");
    let other = workshop.beside("other.txt");
    std::fs::write(&other, "one\nbad\ntwo\n").unwrap();
    let call = |tool: &str| workshop.reduct([OsStr::new("all"), "--".as_ref(), tool.as_ref(), other.as_ref()]).run();
    call("./tool").exits_with(0).says("Copied into the folder of the test");
    assert_eq!(workshop.read("tool.reduced/files/other.txt"), b"bad");
    assert_eq!(std::fs::read(&other).unwrap(), b"one\nbad\ntwo\n", "the original is as it was");
    script(&workshop).run().exits_with(1).says("it is bad");
    // One that insists on where its input stands.
    workshop.script(
        "strict",
        "case \"$1\" in /*) grep -q bad \"$1\" && { echo 'error: it is bad' >&2; exit 1; };; esac\nexit 0",
    );
    call("./strict").exits_with(0).says("Left where they are");
}

#[test]
fn contents_of_files_that_matter_are_made_smaller_if_that_was_said() {
    let workshop = Workshop::new();
    workshop.script("tool", "grep -q needle data.txt || exit 0; echo 'error: it is there' >&2; exit 1");
    let text = "hay\nhay needle hay\nhay\n";
    workshop.write("data.txt", text);
    workshop.write("other.txt", "nothing\n");
    workshop.reduct(["files", "-o", "whole", "--", "./tool"]).run().exits_with(0);
    assert_eq!(workshop.text("whole/files/data.txt"), text);
    workshop.reduct(["files", "--contents", "-o", "less", "--", "./tool"]).run().exits_with(0);
    assert_eq!(workshop.text("less/files/data.txt").trim(), "needle");
    assert!(!workshop.exists("less/files/other.txt"));
}

/// Nothing is handed over: braces are braces, and what does not fail is no failure.
#[test]
fn braces_stand_for_themselves_and_what_exits_with_0_does_not_fail() {
    let workshop = Workshop::new();
    workshop.write("data", "x");
    workshop.script("tool", "[ \"$2\" = '{}' ] && { echo 'error: braces' >&2; exit 3; }; exit 0");
    for what in ["env", "files"] {
        let done = workshop.reduct([what, "--", "./tool", "-x", "{}"]).run().exits_with(0);
        drop(done.says("exit status 3").says("It still fails:"));
        script(&workshop).run().exits_with(3);
        std::fs::remove_dir_all(workshop.path("tool.reduced")).unwrap();
    }
    for what in ["args", "env", "files", "all"] {
        workshop.forget_runs();
        let done = workshop.reduct([what, "--no-cache", "--", "./tool", "-x", "y"]).run().exits_with(3);
        drop(done.says("the command exits with 0, so it does not fail").says("--fails-if exit=0"));
        assert!(!workshop.exists("tool.reduced"));
    }
}

/// A test that is told where the user's file stands would read that one, whatever is left out of the copies.
#[test]
fn absolute_paths_below_the_folder_name_the_copies() {
    let workshop = Workshop::new();
    workshop.script(
        "tool",
        "for w in \"$@\"; do grep -q bad \"${w#*=}\" && { echo 'error: it is bad' >&2; exit 1; }; done\nexit 0",
    );
    let text = "one\nbad\ntwo\n";
    let input = workshop.write("sub/input.txt", text);
    for word in [input.clone().into_os_string(), OsString::from(format!("--in={}", input.display()))] {
        let call = [OsStr::new("all"), "--force".as_ref(), "--".as_ref(), "./tool".as_ref(), &word];
        workshop.reduct(call).run().exits_with(0).says("Named by relative paths").says("1 matters: sub/input.txt");
        assert_eq!(workshop.read("tool.reduced/files/sub/input.txt"), b"bad");
        script(&workshop).run().exits_with(1).says("it is bad");
    }
    assert_eq!(workshop.text("sub/input.txt"), text);
}

/// Two of one name, one that has to stay where it is, and one that cannot be copied: each for itself.
#[test]
fn each_file_elsewhere_is_copied_or_left_for_itself() {
    let workshop = Workshop::new();
    workshop.script("tool", "case \"$3\" in /*) ;; *) exit 0;; esac\ngrep -q bad \"$1\" && grep -q worse \"$2\" && { echo 'error: both' >&2; exit 1; }\nexit 0");
    let other = |folder: &str, text: &str| {
        let path = workshop.beside(folder).join("same.txt");
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(&path, text).unwrap();
        path.into_os_string()
    };
    let files = [other("a", "x\nbad\n"), other("b", "x\nworse\n"), other("c", "stays\n")];
    let folder = workshop.beside("a").into_os_string();
    let call = ["all", "--whole", "--", "./tool"].map(OsString::from).into_iter().chain(files).chain([folder]);
    let done = workshop.reduct(call).run().exits_with(0);
    done.says("b/same.txt (as 2-same.txt)").says("Left where they are").says("as it is a folder");
    assert_eq!(workshop.text("tool.reduced/files/same.txt"), "x\nbad\n");
    assert_eq!(workshop.text("tool.reduced/files/2-same.txt"), "x\nworse\n");
    script(&workshop).run().exits_with(1).says("both");
}

/// A message that names a value, and with a shorter one another: none of that is on the screen.
#[test]
fn values_that_a_message_repeats_are_not_shown() {
    let workshop = Workshop::new();
    workshop.script("tool", "[ -z \"$DB_PASS\" ] || { echo \"error: no access for $DB_PASS\" >&2; exit 3; }");
    let done = workshop.reduct(["env", "--tests", "25", "--", "./tool"]).env("DB_PASS", "hunter2secret+longpass").run();
    assert!([0, 4].contains(&done.status), "{}", done.stderr);
    let done = done.says("which may name values of variables: they are in").does_not_say("Another failure");
    let shown = done.stderr.lines().filter(|line| !line.starts_with("It still fails:"));
    for line in shown.chain(done.stdout.lines()) {
        assert!(!line.contains("hunter") && !line.contains("longpass"), "{line}");
    }
}
