//! Python: `python.py` puts guards into modules when they are imported; under a schedule, `threads.py` runs one thread at a time.

use super::{Driver, Driving, nothing};
use crate::error::{StepError, write};
use std::process::Command;

/// The driver itself.
const PYTHON: &str = include_str!("python.py");

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
    has_recorded_control: true,
    has_unset: true,
    prepare: nothing,
    command,
};

fn command(driving: &Driving<'_>) -> Result<Command, StepError> {
    let driver = write(driving.own, "driver.py", PYTHON.as_bytes())?;
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
