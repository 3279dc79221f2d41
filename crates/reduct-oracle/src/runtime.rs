//! Whether a test is a script that its language's runtime runs: then the status of the test is that of the runtime.

use super::regex;
use super::reports::{FailureReport, file_name};
use regex::Regex;
use std::path::Path;
use std::sync::LazyLock;

static RUNTIME: LazyLock<Regex> =
    LazyLock::new(|| regex(r"^(?:(?:python|pypy)[\d.]*|node(?:js)?|java|d8|js[\d.]*)(?:\.exe)?$"));

/// Options of theirs that take a word of their own.
const WITH_A_WORD: [&str; 10] =
    ["-W", "-X", "-r", "--require", "--import", "--loader", "-cp", "-classpath", "--class-path", "--add-opens"];

/// Returns whether a command is the very program that this report is of: a script that is run by itself or by its
/// runtime, and in which one of the report's functions is. Of the programs that a script starts in turn, it is not known which one ended how.
pub(super) fn runs_what_reports(command: &[String], report: &FailureReport) -> bool {
    let Some((first, rest)) = command.split_first() else { return false };
    let runs = |script: &str| is_in(script, report) && begins_in(script, report);
    let script = || if RUNTIME.is_match(file_name(first)) { script(rest) } else { None };
    runs(first) || script().is_some_and(runs)
}

/// Returns whether what Python printed begins in this file. What begins in a library runs in a thread, in another
/// process, or is called by one that may have been started otherwise.
fn begins_in(script: &str, report: &FailureReport) -> bool {
    let outermost = report.frames.last().and_then(|frame| Some(&frame.at.as_ref()?.0));
    outermost.is_none_or(|file| !file.ends_with(".py") || is_file(script, file))
}

/// Returns the first word that is neither an option nor that of one.
fn script(words: &[String]) -> Option<&str> {
    let mut words = words.iter().map(String::as_str);
    while let Some(word) = words.next() {
        if WITH_A_WORD.contains(&word) {
            words.next();
        } else if !word.starts_with('-') {
            return Some(word);
        } else if ["-m", "-c", "-e", "-p", "-jar", "-", "--module"].contains(&word) {
            return None;
        }
    }
    None
}

/// Returns whether one of the report's functions is in this file, or in the class of this name.
fn is_in(script: &str, report: &FailureReport) -> bool {
    let is_class = |name: &str| name.strip_prefix(bare(script)).is_some_and(|rest| rest.starts_with(['.', '$']));
    let frames = report.frames.iter().chain(report.chain.iter().flat_map(|link| &link.frames));
    frames
        .into_iter()
        .any(|frame| is_class(&frame.name) || frame.at.as_ref().is_some_and(|(file, _)| is_file(script, file)))
}

/// Returns whether a place in this file is one in the script.
fn is_file(script: &str, file: &str) -> bool {
    match Path::new(script).is_absolute() {
        // Where the test runs in a copy of the folder, it stands elsewhere.
        true => file_name(file) == file_name(script),
        false => Path::new(file.trim_start_matches("./")).ends_with(bare(script)),
    }
}

fn bare(script: &str) -> &str {
    script.trim_start_matches("./")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reports;

    #[test]
    fn a_script_is_run_by_itself_or_by_its_runtime() {
        let python = "Traceback (most recent call last):\n  File \"/u/tools/x.py\", line 3, in f\nKeyError: 'a'\n";
        let pool = "Traceback (most recent call last):\n  File \"/usr/lib/python3.11/multiprocessing/process.py\", line 314, \
                    in _bootstrap\n    self.run()\n  File \"/u/tools/x.py\", line 3, in f\nKeyError: 'a'\n";
        let thrown = python.replace("KeyError", "  File \"/u/tools/lib.py\", line 3, in g\nKeyError");
        let java = "java.lang.IllegalStateException: no\n\tat x.T.f(T.java:3)\n";
        let rows = [
            (python, "python3 x.py in", true),
            (python, "/usr/bin/python3.11 -X dev -W error tools/x.py in", true),
            (python, "./x.py in", true),
            (python, "/home/u/tools/x.py", true),
            (pool, "python3 x.py in", false),
            (&*thrown, "python3 x.py in", true),
            (java, "java -ea -cp . x.T in", true),
            (java, "java T.java in", true),
            // Somebody is in between, or may be.
            (python, "sh x.py", false),
            (python, "./t.sh x.py", false),
            (python, "python3 run.py x.py in", false),
            (python, "python3 -m pytest x.py", false),
            (python, "python3 -c code x.py", false),
            (python, "timeout 3 python3 x.py", false),
            (python, "python3 other/x.py", false),
            (java, "java -jar x.jar", false),
            (java, "", false),
        ];
        for (text, command, runs) in rows {
            let command: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
            let report = reports::read(text.as_bytes(), b"").unwrap();
            assert_eq!(runs_what_reports(&command, &report), runs, "{command:?}");
        }
    }
}
