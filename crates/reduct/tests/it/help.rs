//! The help: its texts, and that a summary fits a screen.

use crate::workshop::Workshop;
use std::fs;
use std::path::Path;

/// A screen.
const LINES: usize = 45;
const COLUMNS: usize = 100;

/// The commands, in the order in which the help lists them.
pub const COMMANDS: [&str; 25] = [
    "reduce", "isolate", "minima", "fuzz", "triage", "oracle", "changes", "args", "env", "files", "all", "events",
    "play", "record", "trace", "state", "schedule", "step", "resume", "verify", "explain", "log", "history", "report",
    "view",
];

/// What is printed for these words on so wide a screen.
fn printed(words: &[&str]) -> String {
    let columns = COLUMNS.to_string();
    let text = Workshop::new().reduct(words).env("COLUMNS", columns).run().exits_with(0).stdout;
    // An empty line of a paragraph is indented like the others.
    text.lines().map(|line| line.trim_end().to_owned() + "\n").collect()
}

/// Compares a text with the one that is expected.
#[track_caller]
pub fn is_as_expected(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/it").join(name);
    if std::env::var_os("REDUCT_ACCEPT").is_some() {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    let first = text.lines().zip(expected.lines()).position(|(now, then)| now != then);
    assert!(
        text == expected,
        "{name} is not as expected, from line {} on:\n{text}\nTo accept what is printed now, and to see the difference: \
         REDUCT_ACCEPT=1 cargo test -p reduct --test it {}::; git diff {}",
        first.unwrap_or_else(|| text.lines().count().min(expected.lines().count())) + 1,
        name.split('/').next().unwrap_or_default(),
        path.display()
    );
}

#[test]
fn the_summary_is_as_expected() {
    is_as_expected("help/short.txt", &printed(&["-h"]));
}

#[test]
fn the_whole_help_is_as_expected() {
    is_as_expected("help/long.txt", &printed(&["--help"]));
}

/// What each command does, and how it is called.
#[test]
fn the_commands_are_as_expected() {
    let mut list = String::new();
    for command in COMMANDS {
        let text = printed(&[command, "-h"]);
        let usage = text.lines().find(|line| line.starts_with("Usage:")).unwrap_or_default();
        list += &format!("{}\n  {usage}\n", text.lines().next().unwrap_or_default());
    }
    is_as_expected("help/commands.txt", &list);
}

#[test]
fn a_summary_fits_a_screen() {
    let of_commands = COMMANDS.iter().map(|command| vec![*command, "-h"]);
    for words in of_commands.chain([vec!["-h"]]) {
        let text = printed(&words);
        let lines = text.lines().count();
        assert!(
            lines <= LINES,
            "{words:?}: {lines} lines, and a screen has {LINES}: let commands or options share one"
        );
        let wide = text.lines().find(|line| line.chars().count() > COLUMNS);
        assert_eq!(wide, None, "{words:?}");
        let last = text.lines().last().unwrap();
        assert!(last.contains("--help`") && last.contains("docs/"), "{words:?} ends with: {last}");
    }
}

#[test]
fn without_anything_the_summary_is_printed_as_a_complaint() {
    let workshop = Workshop::new();
    let done = workshop.reduct([] as [&str; 0]).env("COLUMNS", COLUMNS.to_string()).run().exits_with(2);
    assert_eq!(done.stdout, "");
    assert_eq!(done.stderr, workshop.reduct(["-h"]).env("COLUMNS", COLUMNS.to_string()).run().stdout);
    assert!(!workshop.exists(".reduct"));
}

/// A page that is named is there.
#[test]
fn the_guide_that_is_named_is_there() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    for command in COMMANDS {
        let text = printed(&[command, "--help"]);
        let page = text.lines().last().and_then(|line| line.strip_prefix("The guide: ")).expect("a page is named");
        assert!(root.join(page).is_file(), "{command}: {page}");
    }
    assert!(root.join("docs/README.md").is_file());
}
