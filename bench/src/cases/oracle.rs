//! The test that all tools are given: it runs the case's own and keeps the books, so that all are counted alike.
//!
//! `reduct-bench oracle FOLDER [PATH|-]` takes the candidate by path, on standard input, or under the input's name
//! in the current folder. It writes a line to `FOLDER/calls` when it begins and one when it ends, each by a single
//! write at the end of the file, which several may do at a time; and it keeps the smallest candidate that fails in
//! `FOLDER/best`.

use super::case::Case;
use super::machine;
use std::collections::HashSet;
use std::fs::{self, File, OpenOptions};
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

/// What is known of a run that has begun.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Call {
    /// The digest of the candidate.
    digest: u64,
    size: u64,
    /// `None` if it was killed.
    fails: Option<bool>,
    /// What the case's own test has written, and how much of that to a disk.
    written: (u64, u64),
    /// When it ended, in nanoseconds since 1970.
    ended: u128,
}

/// The smallest candidate that fails became smaller.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Step {
    /// How many runs had begun, this one included.
    pub(crate) runs: usize,
    pub(crate) bytes: u64,
    /// How long after the tool was started.
    pub(crate) after: Duration,
}

/// The books of all runs, in the order in which they began.
#[derive(Clone, Debug, Default)]
pub(crate) struct Calls(pub(crate) Vec<Call>);

/// Sets the folder of a trial up for its oracle. The test to give to a tool is what it returns: a program that takes a
/// path, and one that reads standard input.
pub(crate) fn set_up(folder: &Path, case: &Case) -> Result<(PathBuf, PathBuf), String> {
    let write = |name: &str, text: &[u8]| -> Result<PathBuf, String> {
        let path = folder.join(name);
        fs::write(&path, text).map_err(|error| format!("{}: {error}", path.display()))?;
        Ok(path)
    };
    write("file", case.file.as_bytes())?;
    write("test", case.test.as_os_str().as_encoded_bytes())?;
    // Through /proc, it is this very program even if another is built in its place meanwhile.
    let program = format!("/proc/{}/exe", std::process::id());
    let script = |last: &str| format!("#!/bin/sh\nexec {program} oracle '{}' {last}\n", folder.display());
    let by_path = write("oracle.sh", script("\"$@\"").as_bytes())?;
    let by_stdin = write("oracle-stdin.sh", script("-").as_bytes())?;
    for path in [&by_path, &by_stdin] {
        machine::make_executable(path)?;
    }
    Ok((by_path, by_stdin))
}

/// Runs the test once.
pub(crate) fn run(folder: &str, words: &[&str]) -> ExitCode {
    match answer(Path::new(folder), words.first().copied()) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(why) => {
            eprintln!("{why}");
            ExitCode::from(2)
        }
    }
}

fn answer(folder: &Path, word: Option<&str>) -> Result<bool, String> {
    let failed = |error: std::io::Error| format!("oracle: {error}");
    let read = |name: &str| fs::read_to_string(folder.join(name)).map_err(failed);
    let (file, test) = (read("file")?, read("test")?);
    let mut candidate = vec![];
    match word {
        Some("-") => std::io::stdin().read_to_end(&mut candidate).map(|_| ()).map_err(failed)?,
        path => candidate = fs::read(path.unwrap_or(&file)).map_err(failed)?,
    }
    let mut hasher = DefaultHasher::new();
    candidate.hash(&mut hasher);
    let (id, size, digest) = (std::process::id(), candidate.len(), hasher.finish());
    note(folder, &format!("began {id} {size} {digest} {}\n", nanoseconds()))?;
    let fresh = folder.join(format!("run-{id}"));
    fs::create_dir(&fresh).map_err(failed)?;
    let fails = in_folder(&fresh, &file, Path::new(&test), &candidate);
    let _ = fs::remove_dir_all(&fresh);
    let fails = fails?;
    if fails {
        keep_if_best(folder, &candidate).map_err(failed)?;
    }
    let (all, disk) = machine::written();
    note(folder, &format!("ended {id} {} {all} {disk} {}\n", u8::from(fails), nanoseconds()))?;
    Ok(fails)
}

/// Returns whether the candidate fails in this folder, which should be a fresh one.
pub(crate) fn in_folder(fresh: &Path, file: &str, test: &Path, candidate: &[u8]) -> Result<bool, String> {
    fs::write(fresh.join(file), candidate).map_err(|error| format!("{}: {error}", fresh.display()))?;
    let mut command = Command::new(test);
    command.arg(file).current_dir(fresh).env("TMPDIR", fresh);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    Ok(command.status().map_err(|error| format!("{}: {error}", test.display()))?.success())
}

fn note(folder: &Path, line: &str) -> Result<(), String> {
    let file = OpenOptions::new().append(true).create(true).open(folder.join("calls"));
    file.and_then(|mut file| file.write_all(line.as_bytes())).map_err(|error| format!("oracle: {error}"))
}

fn keep_if_best(folder: &Path, candidate: &[u8]) -> std::io::Result<()> {
    let lock = File::create(folder.join("lock"))?;
    lock.lock()?;
    let best = folder.join("best");
    if fs::metadata(&best).is_ok_and(|best| best.len() <= candidate.len() as u64) {
        return Ok(());
    }
    fs::write(folder.join("best.new"), candidate)?;
    fs::rename(folder.join("best.new"), best)
}

/// Returns the time, in nanoseconds since 1970.
pub(crate) fn nanoseconds() -> u128 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0, |time| time.as_nanos())
}

impl Calls {
    /// Reads the books of a trial.
    pub(crate) fn read(folder: &Path) -> Calls {
        Calls::parse(&fs::read_to_string(folder.join("calls")).unwrap_or_default())
    }

    fn parse(text: &str) -> Calls {
        let mut calls = vec![];
        let mut open: Vec<(&str, usize)> = vec![];
        for line in text.lines() {
            let words: Vec<&str> = line.split(' ').collect();
            match words[..] {
                ["began", id, size, digest, _] => {
                    // Numbers of processes come again: the newest of a number is meant.
                    open.retain(|(other, _)| *other != id);
                    open.push((id, calls.len()));
                    let (size, digest) = (number(size), number(digest));
                    calls.push(Call { digest, size, fails: None, written: (0, 0), ended: 0 });
                }
                ["ended", id, fails, all, disk, time] => {
                    let Some(place) = open.iter().position(|(other, _)| *other == id) else { continue };
                    let call = &mut calls[open.swap_remove(place).1];
                    call.fails = Some(fails == "1");
                    call.written = (number(all), number(disk));
                    call.ended = time.parse().unwrap_or(0);
                }
                _ => {}
            }
        }
        Calls(calls)
    }

    /// Returns how many runs were of a candidate that was run before.
    pub(crate) fn duplicates(&self) -> usize {
        let mut seen = HashSet::new();
        self.0.iter().filter(|call| !seen.insert(call.digest)).count()
    }

    /// Returns after how many runs, and after what time, which size was reached: the steps of the smallest candidate that fails.
    /// The first is the first run that fails, mostly of the whole input. `start` is when the tool was started, in nanoseconds
    /// since 1970.
    pub(crate) fn steps(&self, start: u128) -> Vec<Step> {
        let mut steps: Vec<Step> = vec![];
        for (before, call) in self.0.iter().enumerate() {
            if call.fails == Some(true) && steps.last().is_none_or(|last| call.size < last.bytes) {
                let after = u64::try_from(call.ended.saturating_sub(start)).unwrap_or(u64::MAX);
                steps.push(Step { runs: before + 1, bytes: call.size, after: Duration::from_nanos(after) });
            }
        }
        steps
    }

    /// Returns how many runs came after the one that found the smallest candidate.
    pub(crate) fn tail(&self) -> usize {
        self.0.len() - self.steps(0).last().map_or(0, |step| step.runs)
    }

    /// Returns what the case's own test has written in all runs, and how much of it to a disk.
    pub(crate) fn written(&self) -> (u64, u64) {
        self.0.iter().fold((0, 0), |sum, call| (sum.0 + call.written.0, sum.1 + call.written.1))
    }
}

fn number(text: &str) -> u64 {
    text.parse().unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::{Calls, Step};
    use std::time::Duration;

    #[test]
    fn the_books_tell_duplicates_steps_and_the_tail() {
        let calls = Calls::parse(
            "began 7 100 1 1000\nended 7 1 10 5 1020\nbegan 8 0 2 1030\nbegan 9 50 3 1040\nended 9 1 1 0 1050\n\
             ended 8 0 1 1 1060\nbegan 7 60 4 1070\nended 7 1 0 0 1080\nbegan 8 50 3 1090\nbegan 10 20 5 1100\n",
        );
        assert_eq!(calls.0.len(), 6);
        assert_eq!(calls.duplicates(), 1);
        // 60 is no step after 50, and the last two were killed.
        let step = |runs, bytes, after| Step { runs, bytes, after: Duration::from_nanos(after) };
        assert_eq!(calls.steps(1000), [step(1, 100, 20), step(3, 50, 50)]);
        assert_eq!(calls.tail(), 3);
        assert_eq!(calls.written(), (12, 6));
    }

    #[test]
    fn nothing_run_is_nothing() {
        assert_eq!((Calls::parse("").tail(), Calls::parse("").steps(0).len()), (0, 0));
    }
}
