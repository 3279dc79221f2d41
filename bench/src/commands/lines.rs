//! Random command lines. None of them lifts the confinement.

use super::table::{Opt, Spoken};
use reduct_core::laws::Chance;
use std::ffi::OsString;
use std::fmt;
use std::os::unix::ffi::OsStringExt;

/// Options that let a test do more than it may, or show a page until somebody comes.
const NOT_USED: [&str; 7] =
    ["--unconfined", "--allow-write", "--allow-network", "--allow-read", "--in-place", "--confine", "--view"];

/// Options by which what stands there may be replaced, an input as well.
const REPLACING: [&str; 2] = ["--force", "--out"];

/// What stands in the folder, and what does not.
const NAMES: [&str; 16] = [
    "input",
    "input.c",
    "good",
    "bad",
    "empty",
    "binary",
    "folder",
    "record.jsonl",
    "name with spaces",
    "-dash",
    "n\u{e4}me",
    "t.py",
    "missing",
    ".",
    "",
    "link",
];

/// Values that are odd in one way or another.
const VALUES: [&str; 34] = [
    "",
    "0",
    "1",
    "2",
    "-1",
    "4294967296",
    "18446744073709551616",
    "1e9",
    "NaN",
    "0.5s",
    "10s",
    "1ms",
    "99999999999h",
    "1K",
    "-5G",
    "lines",
    "lines,chars",
    "chars,,lines",
    "ddmin",
    "relevance",
    "no-such",
    "exit=3",
    "!exit=0",
    "output~(",
    "stderr~needle",
    "timeout",
    "signal=SEGV",
    "frame~.*",
    "input",
    "folder",
    "missing/x",
    "input/x",
    "a\nb",
    "\u{1b}[31m",
];

/// Tests, the usual one more often: the folder has a script for each.
const TESTS: [&[&str]; 14] = [
    &["./test.sh"],
    &["sh", "-c", "cat {} | grep -q needle && exit 3; exit 0"],
    &["./test.sh"],
    &["./test.sh", "{}"],
    &["./passes.sh"],
    &["./fails.sh"],
    &["./dies.sh"],
    &["./hangs.sh"],
    &["./forks.sh"],
    &["./attacks.sh"],
    &["./missing.sh"],
    &["grep", "-q", "needle", "{}"],
    &["sh", "-c", "cat {} | grep needle && exit 3; exit 0"],
    &["python3", "t.py"],
];

/// A command line.
pub(super) struct Line {
    pub words: Vec<OsString>,
}

impl Line {
    /// Returns the one of a number.
    pub(super) fn of_number(n: u64, commands: &[Spoken]) -> Line {
        let mut chance = Chance(n ^ 0xc0de);
        let command = &commands[chance.below(commands.len())];
        let mut words: Vec<OsString> = vec![command.name.clone().into()];
        let (mut middle, mut given): (Vec<Vec<OsString>>, Vec<&str>) = (vec![], vec![]);
        for _ in 0..chance.below(4) {
            let option = &command.options[chance.below(command.options.len())];
            // Help is the most often read, and the least interesting.
            let is_rare = ["--help", "--version"].contains(&&*option.name) || given.contains(&&*option.name);
            let is_passed_over = is_rare && chance.below(8) > 0;
            if is_passed_over || NOT_USED.contains(&&*option.name) {
                continue;
            }
            given.push(&option.name);
            middle.push(spoken(option, &mut chance));
        }
        let arguments = arguments(&command.name, &mut chance);
        // Tests that hang are to be over some time.
        let has_limit = command.options.iter().any(|option| option.name == "--timeout");
        if has_limit && !given.contains(&"--timeout") && chance.below(4) > 0 {
            middle.push(vec!["--timeout".into(), "300ms".into()]);
        }
        while !middle.is_empty() {
            words.extend(middle.swap_remove(chance.below(middle.len())));
        }
        words.splice(1..1, arguments);
        let takes_test = command.options.iter().any(|option| ["--timeout", "--idle"].contains(&&*option.name));
        let has_test = ["--shell", "--ask"].iter().any(|test| given.contains(test));
        if (takes_test && !has_test) != (chance.below(12) == 0) {
            words.push("--".into());
            let is_program = ["trace", "state", "schedule", "step"].contains(&&*command.name) && chance.below(3) > 0;
            let test = if is_program { &["python3", "t.py"] } else { TESTS[chance.below(TESTS.len())] };
            words.extend(test.iter().map(OsString::from));
        }
        Line { words }
    }

    /// Returns whether what stands in the folder may be replaced.
    pub(super) fn may_replace(&self) -> bool {
        let is_replacing =
            |word: &OsString| REPLACING.iter().any(|name| word.to_string_lossy().starts_with(name)) || word == "-o";
        self.words.iter().any(is_replacing)
    }

    /// Returns whether it is about a run that there has to be.
    pub(super) fn is_about_a_run(&self) -> bool {
        let commands = ["resume", "verify", "explain", "log", "history", "report", "view"];
        self.words.first().is_some_and(|word| commands.iter().any(|known| word == known))
    }

    /// Returns whether it runs a program for a person, who wants it to do what it does: it is not confined, and the command may
    /// end as the program does.
    pub(super) fn runs_programs_as_they_are(&self) -> bool {
        let is_such =
            self.words.first().is_some_and(|word| ["step", "play", "record"].iter().any(|known| word == known));
        is_such || self.words.iter().any(|word| word.to_string_lossy().starts_with("--ask"))
    }
}

impl fmt::Display for Line {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "reduct")?;
        self.words.iter().try_for_each(|word| write!(f, " {word:?}"))
    }
}

/// Returns an option with values.
fn spoken(option: &Opt, chance: &mut Chance) -> Vec<OsString> {
    let values: Vec<OsString> = option.values.iter().map(|_| value(option, chance)).collect();
    match (&values[..], option.is_optional) {
        ([], _) => vec![option.name.clone().into()],
        ([value, ..], true) => {
            let is_there = chance.below(2) == 0;
            vec![if is_there { joined(&option.name, value) } else { option.name.clone().into() }]
        }
        ([value], false) if chance.below(2) == 0 => vec![joined(&option.name, value)],
        // A value may be missing.
        (values, false) => {
            let missing = usize::from(chance.below(16) == 0);
            let kept = values.len() - missing;
            std::iter::once(option.name.clone().into()).chain(values[..kept].iter().cloned()).collect()
        }
    }
}

fn joined(name: &str, value: &OsString) -> OsString {
    let mut word = OsString::from(format!("{name}="));
    word.push(value);
    word
}

/// Returns a value: mostly one of the sort that is asked for, else an odd one.
fn value(option: &Opt, chance: &mut Chance) -> OsString {
    let asked = option.values.first().map_or("", String::as_str);
    let fitting: &[&str] = match asked {
        "N" => &["1", "2", "3", "40"],
        "TIME" => &["1s", "300ms", "10s"],
        "SIZE" => &["500M", "1G"],
        "CONDITION" => &["exit=3", "stderr~needle", "signal=SEGV", "!exit=0"],
        "LINE" => &["grep -q needle input && exit 3; exit 0", "! grep -q needle {}"],
        "PATH" | "FILE" | "DIR" | "FOLDER" => &["new", "folder", "input", "folder/new", "good"],
        _ => &[],
    };
    match chance.below(24) {
        0 => OsString::from_vec(vec![0xff, b'x']),
        1 => NAMES[chance.below(NAMES.len())].into(),
        2..=3 => VALUES[chance.below(VALUES.len())].into(),
        _ if !option.possible.is_empty() => option.possible[chance.below(option.possible.len())].clone().into(),
        _ if !fitting.is_empty() => fitting[chance.below(fitting.len())].into(),
        _ => VALUES[chance.below(VALUES.len())].into(),
    }
}

/// Returns the arguments that a command takes, mostly; else any.
fn arguments(command: &str, chance: &mut Chance) -> Vec<OsString> {
    if chance.below(4) == 0 {
        return (0..chance.below(3)).map(|_| name(chance)).collect();
    }
    let usual: &[&str] = match command {
        "isolate" => &["good", "bad"],
        "changes" => &["old", "new"],
        "events" | "play" => &["record.jsonl"],
        "triage" => &["folder"],
        "files" | "args" | "env" | "all" | "fuzz" | "trace" | "state" | "schedule" | "step" | "record" => &[],
        "resume" | "verify" | "explain" | "log" | "history" | "report" | "view" => &[],
        _ => &["input"],
    };
    usual.iter().map(OsString::from).collect()
}

fn name(chance: &mut Chance) -> OsString {
    match chance.below(12) {
        0 => OsString::from_vec(vec![b'a', 0xff]),
        1 => VALUES[chance.below(VALUES.len())].into(),
        2..=6 => NAMES[chance.below(4)].into(),
        _ => NAMES[chance.below(NAMES.len())].into(),
    }
}
