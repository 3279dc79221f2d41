//! Random command lines, made from what `--help` says there is, with odd values, on small inputs: no panic, no exit status but the
//! documented ones, no input changed, nothing left running.
//!
//! A command line is made from its number, so that it can be made again: `--from N --count 1`.

#![expect(clippy::print_stdout, reason = "a benchmark prints what it comes to")]

mod folder;
mod lines;
mod table;

use crate::built::program;
use crate::faults::{of_tag, wait};
use crate::words::{number, refuse_unknown};
use folder::Folder;
use lines::Line;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// The variable by which processes of a command are found.
const TAG: &str = "REDUCT_COMMANDS";

/// What runs longer is interrupted, as from the keyboard: a server has no end of its own.
const PATIENCE: Duration = Duration::from_secs(12);

/// Within this time it has to end then.
const GRACE: Duration = Duration::from_secs(20);

/// The exit statuses that `reduct --help` documents.
const STATUSES: [i32; 6] = [0, 1, 2, 3, 4, 130];

/// What came of one command.
struct Ended {
    status: ExitStatus,
    was_interrupted: bool,
    errors: String,
}

impl Ended {
    /// Returns the first line of what it says is wrong, or else its last one.
    fn said(&self) -> &str {
        let mut lines = self.errors.lines().map(str::trim).filter(|line| !line.is_empty());
        let first = lines.clone().find(|line| line.starts_with('\u{d7}') || line.starts_with("error: "));
        first.or_else(|| lines.next_back()).unwrap_or_default()
    }
}

/// Runs command lines: `[--seconds N] [--count N] [--from N] [--show]`.
///
/// # Errors
/// If one does what it must not.
pub(crate) fn run(words: &[&str]) -> Result<(), String> {
    refuse_unknown(words, &["--seconds", "--from", "--count"], &["--show"])?;
    let (seconds, from) = (number(words, "--seconds", 60)?, number(words, "--from", 0)?);
    let count = number(words, "--count", u64::MAX)?;
    let program = program()?;
    let commands = table::read(&program)?;
    let options: usize = commands.iter().map(|command| command.options.len()).sum();
    println!("{} commands, {options} options", commands.len());
    let (begin, mut ran, mut bad, mut interrupted) = (Instant::now(), 0, 0, 0);
    let mut statuses: BTreeMap<i32, u64> = BTreeMap::new();
    let folder = std::env::temp_dir().join(format!("reduct-commands-{}", std::process::id()));
    while ran < count && begin.elapsed() < Duration::from_secs(seconds) {
        let line = Line::of_number(from + ran, &commands);
        let place = Folder::make(&folder).map_err(|error| format!("{}: {error}", folder.display()))?;
        if line.is_about_a_run() {
            let words = ["input", "--", "./test.sh"].map(OsString::from).to_vec();
            one(&program, &Line { words }, &place)?;
        }
        let ended = one(&program, &line, &place)?;
        ran += 1;
        interrupted += u64::from(ended.was_interrupted);
        *statuses.entry(ended.status.code().unwrap_or(-1)).or_default() += 1;
        if words.contains(&"--show") {
            println!("{}: {line}: {}: {}", from + ran - 1, ended.status, ended.said());
        }
        for what in faults(&ended, &line, &place) {
            bad += 1;
            println!("{}: {what}\n    {line}", from + ran - 1);
        }
    }
    let _ = fs::remove_dir_all(&folder);
    let statuses: Vec<String> = statuses.iter().map(|(status, count)| format!("{status}: {count}")).collect();
    println!("{ran} command lines, bad {bad} (interrupted {interrupted}; by exit status {})", statuses.join(", "));
    if bad == 0 { Ok(()) } else { Err("the promises are broken".into()) }
}

/// Runs one.
fn one(program: &Path, line: &Line, place: &Folder) -> Result<Ended, String> {
    let errors = place.folder.join("errors");
    let mut command = Command::new(program);
    command.args(&line.words).current_dir(place.home()).env_clear();
    for name in ["PATH", "LANG"] {
        command.envs(std::env::var_os(name).map(|value| (OsString::from(name), value)));
    }
    command
        .env(TAG, &place.folder)
        .env("HOME", place.outside())
        .env("TMPDIR", place.temporary())
        .env("BROWSER", "true");
    let file = fs::File::create(&errors).map_err(|error| error.to_string())?;
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(file);
    let mut child = command.spawn().map_err(|error| error.to_string())?;
    let (status, was_interrupted) = match wait(&mut child, PATIENCE) {
        Some(status) => (status, false),
        None => {
            interrupt(&child);
            let ended = wait(&mut child, GRACE);
            let status = ended.unwrap_or_else(|| {
                let _ = child.kill();
                child.wait().unwrap_or(ExitStatus::from_raw(9))
            });
            (status, true)
        }
    };
    let errors = String::from_utf8_lossy(&fs::read(&errors).unwrap_or_default()).into_owned();
    Ok(Ended { status, was_interrupted, errors })
}

/// Returns what is not as it should be.
fn faults(ended: &Ended, line: &Line, place: &Folder) -> Vec<String> {
    let last = ended.said();
    let mut faults = vec![];
    if ended.errors.contains("panicked at") {
        let at = ended.errors.lines().find(|line| line.contains("panicked at")).unwrap_or_default();
        faults.push(format!("it panics: {at}"));
    }
    match ended.status.code() {
        None => faults.push(format!(
            "it ends with {}{}",
            ended.status,
            if ended.was_interrupted { ", interrupted" } else { "" }
        )),
        Some(code) if !STATUSES.contains(&code) && !line.runs_programs_as_they_are() => {
            faults.push(format!("exit status {code}: {last}"));
        }
        Some(2) if last.is_empty() => faults.push("exit status 2 without a word".into()),
        Some(_) => {}
    }
    if !line.may_replace() {
        faults.extend(place.changed().iter().map(|path| format!("{} is changed", path.display())));
    }
    if line.runs_programs_as_they_are() {
        return faults;
    }
    faults.extend(place.changed_outside().iter().map(|path| format!("{} is changed, outside", path.display())));
    let deadline = Instant::now() + Duration::from_secs(5);
    while !of_tag(TAG, &place.folder).is_empty() && Instant::now() < deadline {
        sleep(Duration::from_millis(5));
    }
    faults.extend(of_tag(TAG, &place.folder).iter().map(|process| format!("{process} is left")));
    faults
}

fn interrupt(child: &Child) {
    if let Ok(process) = libc::pid_t::try_from(child.id()) {
        // SAFETY: the call takes two numbers; the child is not reaped before it is waited for.
        unsafe { libc::kill(process, libc::SIGINT) };
    }
}

/// Returns a path as it is written in this module's messages.
fn below(path: &Path, folder: &Path) -> PathBuf {
    path.strip_prefix(folder).unwrap_or(path).to_owned()
}

#[cfg(test)]
mod tests {
    /// The short form. With `cargo xtask bench commands`, it takes as long as it is let.
    #[test]
    fn odd_command_lines_are_borne() {
        super::run(&["--from", "6", "--count", "8"]).unwrap();
    }
}
