//! Python: `python.py`, started by `python_start.py`, puts guards into modules when they are imported; under a schedule, `threads.py` runs one thread at a time.

use super::{Driver, Driving, nothing};
use crate::compiled::is_users;
use crate::error::{StepError, write};
use crate::plan::ControlFlow;
use std::path::Path;
use std::process::Command;

/// The driver itself.
const PYTHON: &str = include_str!("python.py");

/// What starts it.
const START: &str = include_str!("python_start.py");

/// The scheduler of its threads.
const THREADS: &str = include_str!("threads.py");

pub(crate) static DRIVER: Driver = Driver {
    language: "python",
    name: "Python",
    interpreters: &["python", "pypy"],
    with_value: &["-W", "-X", "--check-hash-based-pycs"],
    // A command, or standard input, is no file whose statements have lines.
    is_text: |option| option == "-" || (option.starts_with("-c") && !option.starts_with("--")),
    module: Some("-m"),
    has_plans: true,
    has_states: true,
    has_schedules: true,
    has_forks: true,
    has_recorded_control: true,
    has_unset: true,
    prepare: nothing,
    command,
};

fn command(driving: &Driving<'_>) -> Result<Command, StepError> {
    let source = write(driving.own, "source.py", PYTHON.as_bytes())?;
    let made = driving.prepared.filter(|it| is_users(it) && it.parent().is_some_and(is_users));
    let follows = if driving.instructions.control == ControlFlow::Recorded { "True" } else { "False" };
    let start = START
        .replace("%(source)s", &literal(&source.to_string_lossy()))
        .replace("%(made)s", &literal(&made.map(Path::to_string_lossy).unwrap_or_default()))
        .replace("%(driver)s", &literal(&blake3::hash(PYTHON.as_bytes()).to_hex()))
        .replace("%(follows)s", follows);
    let driver = write(driving.own, "driver.py", start.as_bytes())?;
    if driving.instructions.schedule.is_some() {
        write(driving.own, "threads.py", THREADS.as_bytes())?;
    }
    let instructions = driving.instructions.to_json(driving.own)?;
    let mut command = driving.interpreter_command();
    command.arg(driver).arg(instructions).args(driving.words);
    if std::env::var_os("PYTHONHASHSEED").is_none() {
        // Sets are listed in the same order each time.
        command.env("PYTHONHASHSEED", "0");
    }
    Ok(command)
}

/// Returns a text as Python writes it.
fn literal(text: &str) -> String {
    // A text can be written; what JSON makes of it is a literal of Python, too.
    serde_json::to_string(text).unwrap_or_default()
}
