//! Native programs, compiled with debug information: gdb runs them, and `gdb.py` in it.

use super::{Driver, Driving};
use crate::error::{DebuggerFault, StepError, write};
use std::ffi::OsString;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::path::PathBuf;
use std::process::Command;

/// The driver itself.
const GDB: &str = include_str!("gdb.py");

/// Before the program is loaded: gdb reads no file of anybody, executes nothing that comes with a program, asks no server for
/// symbols, and says nothing of its own.
const EARLY: [&str; 7] = [
    "set auto-load off",
    "set debuginfod enabled off",
    "set debug-file-directory /nonexistent",
    "set libthread-db-search-path /nonexistent",
    "set width 0",
    "set confirm off",
    "set breakpoint pending off",
];

/// Signals are the program's. Functions that are called to look at memory may not end it.
const SETTINGS: [&str; 5] = [
    "set startup-with-shell on",
    "set disable-randomization on",
    "set unwindonsignal on",
    "handle all nostop noprint pass",
    "handle SIGINT nostop noprint pass",
];

/// Gdb says what it wants to nobody; the program gets the output that it would have. Gdb leaves open what is open when it begins.
const QUIETLY: &str = "exec \"$@\" 3>&1 4>&2 >/dev/null 2>&1";

/// What follows the arguments of the program, in the line by which gdb has a shell start it.
const ITS_OUTPUT: &[u8] = b" >&3 2>&4 3>&- 4>&-";

/// What gdb answers if Python is in it.
const ANSWER: &str = "Python is in it";

pub(crate) static DRIVER: Driver = Driver {
    language: "native",
    name: "machine code",
    interpreters: &[],
    with_value: &[],
    is_text: |_| false,
    module: None,
    has_plans: false,
    has_states: true,
    has_schedules: false,
    has_forks: false,
    has_recorded_control: false,
    has_unset: false,
    prepare,
    command,
};

fn prepare(_: &[OsString]) -> Result<Option<PathBuf>, StepError> {
    let question = format!("python print('{ANSWER}')");
    let asked = Command::new("gdb").args(["-nx", "-nh", "-q", "-batch", "-ex", &question]).output();
    let said = asked.map_err(|why| StepError::NoDebugger { why: DebuggerFault::NotStarted(why.to_string()) })?.stdout;
    if String::from_utf8_lossy(&said).contains(ANSWER) {
        return Ok(None);
    }
    Err(StepError::NoDebugger { why: DebuggerFault::NoPython })
}

fn command(driving: &Driving<'_>) -> Result<Command, StepError> {
    if !is_installed() {
        return Err(StepError::NoDebugger { why: DebuggerFault::NotInstalled });
    }
    let driver = write(driving.own, "driver.py", GDB.as_bytes())?;
    driving.instructions.to_json(driving.own)?;
    let (program, arguments) = driving.words.split_first().unzip();
    let mut command = Command::new("/bin/sh");
    command.args(["-c", QUIETLY, "sh", "gdb", "-nx", "-nh", "-q", "-batch"]);
    EARLY.iter().for_each(|line| {
        command.args(["-iex", line]);
    });
    SETTINGS.iter().for_each(|line| {
        command.args(["-ex", line]);
    });
    command.arg("-ex").arg(set_arguments(arguments.unwrap_or_default())).arg("-x").arg(driver).args(program);
    Ok(command)
}

fn is_installed() -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join("gdb").is_file())
}

/// Returns the command that gives the program its arguments, and its own output.
fn set_arguments(arguments: &[OsString]) -> OsString {
    let mut line = b"set args".to_vec();
    for argument in arguments {
        line.push(b' ');
        // A NUL is in no argument.
        line.extend(shlex::bytes::try_quote(argument.as_bytes()).unwrap_or_default().iter());
    }
    line.extend(ITS_OUTPUT);
    OsString::from_vec(line)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_shell_reads_the_arguments_as_they_are() {
        let arguments = ["1", "", "a b", "it's", "$HOME", "*", "\n", "\\", "-x"].map(OsString::from);
        let line = set_arguments(&arguments).into_string().unwrap();
        let line = line.strip_prefix("set args").unwrap().strip_suffix(" >&3 2>&4 3>&- 4>&-").unwrap();
        let script = format!("for it in{line}; do printf '[%s]' \"$it\"; done");
        let read = Command::new("sh").args(["-c", &script]).output().unwrap().stdout;
        let expected: String = arguments.iter().map(|it| format!("[{}]", it.display())).collect();
        assert_eq!(String::from_utf8(read).unwrap(), expected);
    }
}
