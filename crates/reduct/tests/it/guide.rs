//! The examples of the guide and of the README do what they say.
//!
//! In a block that begins with ```` ```console ````, a line `$ COMMAND` is run, all of a page in one folder, one after the
//! other, and the lines up to the next command are what it prints on both streams. (`<<'END'` in a command takes the
//! lines up to `END` with it.) A line `...` stands for any lines, and `...` within a line for any text. Times, what stands in
//! brackets with a number of runs, and how many more runs there were (all in the time for it) are not compared. Other blocks are
//! not run.

use crate::workshop::{Workshop, listed};
use std::fs;
use std::path::{Path, PathBuf};

/// Writes the table of pages and a test for each: its name, the page, and the files of `examples` that it finds in its folder,
/// and under which names.
macro_rules! pages {
    ($($test:ident: $page:literal, $files:expr;)*) => {
        const PAGES: &[(&str, &[(&str, &str)])] = &[$(($page, $files)),*];

        $(
            #[test]
            fn $test() {
                runs($page);
            }
        )*
    };
}

pages! {
    actions: "actions.md", &[];
    ask: "ask.md", &[];
    changes: "changes.md", &[("yesterday/make.sh", "examples/yesterday/make.sh")];
    fuzz: "fuzz.md", &[];
    history: "history.md", &[];
    isolate: "isolate.md", &[];
    minima: "minima.md", &[];
    oracle: "oracle.md", PAGE_AND_BROWSER;
    persistent: "persistent.md", &[];
    reduce: "reduce.md", PAGE_AND_BROWSER;
    repeat: "repeat.md", &[];
    report: "report.md", PAGE_AND_BROWSER;
    resume_verify_explain_log: "runs.md", PAGE_AND_BROWSER;
    schedule: "schedule.md", &[];
    situations: "situations.md", &[];
    state: "state.md", &[];
    trace: "trace.md", &[];
    triage: "triage.md", &[];
}

const PAGE_AND_BROWSER: &[(&str, &str)] =
    &[("mozilla-24735/query.html", "query.html"), ("mozilla-24735/browser.sh", "browser.sh")];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// A command of a page, and what it prints.
struct Step {
    command: String,
    expected: Vec<String>,
}

/// The commands of a page that are to be run.
fn steps(page: &str) -> Vec<Step> {
    let mut steps: Vec<Step> = vec![];
    let mut lines = page.lines();
    while lines.any(|line| line == "```console") {
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        let mut block = block.into_iter();
        while let Some(line) = block.next() {
            let Some(command) = line.strip_prefix("$ ") else {
                let last = steps.last_mut().expect("a block begins with a command");
                last.expected.push(line.to_owned());
                continue;
            };
            let mut command = command.to_owned();
            if command.contains("<<'END'") {
                let body: Vec<&str> = block.by_ref().take_while(|line| *line != "END").collect();
                command = format!("{command}\n{}\nEND", body.join("\n"));
            }
            steps.push(Step { command, expected: vec![] });
        }
    }
    steps
}

/// A line without what differs from run to run: times, and counts of runs.
fn steady(line: &str) -> String {
    let mut words: Vec<String> = vec![];
    let is_number = |word: &str| word.starts_with(|c: char| c.is_ascii_digit());
    for word in line.split(' ') {
        let unit = word.trim_end_matches(['.', ',', ':']);
        match words.last_mut() {
            Some(last) if ["ms", "s", "min"].contains(&unit) && is_number(last) => "TIME".clone_into(last),
            _ => words.push(word.to_owned()),
        }
    }
    let all_of_some =
        |words: &[String]| is_number(&words[0]) && words[1] == "of" && words[2] == words[0] && words[3] == "more";
    if let Some(at) = words.windows(4).position(all_of_some) {
        words.splice(at..at + 3, ["ALL".to_owned()]);
    }
    let (mut steady, line) = (String::new(), words.join(" "));
    let mut rest = line.as_str();
    while let Some((before, (inside, after))) = rest.split_once('(').and_then(|(b, a)| Some((b, a.split_once(')')?))) {
        let inside = if inside.contains(" run") { "RUNS" } else { inside };
        steady += &format!("{before}({inside})");
        rest = after;
    }
    steady + rest
}

/// Whether a line is what is expected, with `...` for any text.
fn is_like(line: &str, expected: &str) -> bool {
    let Some((begin, rest)) = expected.split_once("...") else { return line == expected };
    let Some(mut line) = line.strip_prefix(begin) else { return false };
    let mut parts: Vec<&str> = rest.split("...").collect();
    let end = parts.pop().unwrap_or_default();
    for part in parts {
        let Some((_, after)) = line.split_once(part) else { return false };
        line = after;
    }
    line.ends_with(end)
}

/// Whether lines are as expected, with `...` for any lines.
fn are_like(lines: &[String], expected: &[String]) -> bool {
    match expected.split_first() {
        None => lines.is_empty(),
        Some((first, rest)) if first == "..." => (0..=lines.len()).any(|skipped| are_like(&lines[skipped..], rest)),
        Some((first, rest)) => {
            lines.split_first().is_some_and(|(line, lines)| is_like(line, first) && are_like(lines, rest))
        }
    }
}

/// Runs a command as the user does, in the user's folder.
pub fn printed(workshop: &Workshop, command: &str) -> Vec<String> {
    let line = format!("PATH=$(dirname \"$REDUCT\"):$PATH; exec 2>&1\n{command}");
    let variables = [("GIT_CONFIG_GLOBAL", "/dev/null"), ("GIT_CONFIG_NOSYSTEM", "1"), ("REDUCT_ALLOW_WRITE", "")];
    let done = variables.iter().fold(workshop.shell(&line), |line, (name, value)| line.env(name, value)).run();
    let home = workshop.home().canonicalize().unwrap();
    let text = done.stdout.replace(home.to_str().unwrap(), "/home/ann");
    // How far a search is, which is said each second.
    let is_progress = |line: &&str| line.trim_start().split_once("s  ").is_some_and(|(n, _)| n.parse::<u32>().is_ok());
    // What is said of a run that takes long, on a busy machine.
    let is_wait = |line: &&str| *line == "Running the whole program once more for its values.";
    text.lines().filter(|line| !is_progress(line) && !is_wait(line)).map(|line| steady(line.trim_end())).collect()
}

/// A folder with files of `examples`.
fn workshop(examples: &[(&str, &str)]) -> Workshop {
    let workshop = Workshop::new();
    for (from, to) in examples {
        let from = root().join("examples").join(from);
        let to = workshop.path(to);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(&from, to).unwrap_or_else(|error| panic!("{}: {error}", from.display()));
    }
    workshop
}

/// Runs the commands of a page.
fn runs(name: &str) {
    let (_, examples) = PAGES.iter().find(|(page, _)| *page == name).expect("the page is in the table");
    let text = fs::read_to_string(root().join("docs/guide").join(name)).unwrap();
    let steps = steps(&text);
    assert!(steps.iter().any(|step| step.command.contains("reduct ")), "{name} has no example");
    let workshop = workshop(examples);
    for Step { command, expected } in steps {
        let lines = printed(&workshop, &command);
        let expected: Vec<String> = expected.iter().map(|line| steady(line)).collect();
        let expected_text = expected.join("\n");
        assert!(
            are_like(&lines, &expected),
            "docs/guide/{name} says of\n$ {command}\n{expected_text}\nand it prints\n{}",
            lines.join("\n")
        );
    }
}

#[test]
fn every_page_is_in_the_table() {
    let pages: Vec<&str> = PAGES.iter().map(|(page, _)| *page).collect();
    assert_eq!(listed(&root().join("docs/guide")), pages);
}

/// The command that the README begins with, on its files, and the lines below it.
#[test]
fn the_first_command_of_the_readme() {
    let text = fs::read_to_string(root().join("README.md")).unwrap();
    let mut lines = text
        .lines()
        .map(|line| line.strip_prefix("    "))
        .skip_while(|line| !line.is_some_and(|line| line.starts_with("cargo run -- ")));
    let command = lines.next().flatten().expect("the README begins with a command").replace("cargo run --", "reduct");
    let output = lines.skip_while(Option::is_none).map_while(|line| line);
    let expected: Vec<String> = std::iter::once("...".to_owned()).chain(output.map(steady)).collect();
    assert!(expected.len() > 3, "{expected:?}");
    let workshop = workshop(&[]);
    for (file, _) in PAGE_AND_BROWSER {
        let to = workshop.path("examples").join(file);
        fs::create_dir_all(to.parent().unwrap()).unwrap();
        fs::copy(root().join("examples").join(file), to).unwrap();
    }
    let lines = printed(&workshop, &command);
    let kept: Vec<String> = lines.into_iter().filter(|line| !line.contains(" at a time, ")).collect();
    assert!(are_like(&kept, &expected), "{}\nis not\n{}", kept.join("\n"), expected.join("\n"));
}

#[test]
fn what_is_not_compared() {
    let same = |one: &str, other: &str| assert_eq!(steady(one), steady(other));
    same("46 tests (48 runs, 9 repeats), 320 ms.", "46 tests (59 runs, 9 repeats), 1.3 s.");
    assert_ne!(steady("46 tests (48 runs)"), steady("47 tests (48 runs)"));
    assert!(
        is_like("a b c", "a ... c") && is_like("a b", "a ...") && !is_like("a b", "a ... c") && !is_like("ab", "a")
    );
    let lines = |text: &str| text.lines().map(str::to_owned).collect::<Vec<_>>();
    assert!(are_like(&lines("a\nb\nc"), &lines("...\nb\n...")) && !are_like(&lines("a\nb\nc"), &lines("...\nb")));
}
