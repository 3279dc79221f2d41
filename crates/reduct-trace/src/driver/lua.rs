//! Lua 5.4: `lua.lua` has guards put into files when they are loaded.

use super::{Driver, Driving};
use crate::error::{StepError, write};
use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;
use std::process::Command;

/// The driver itself.
const LUA: &str = include_str!("lua.lua");

pub(crate) static DRIVER: Driver = Driver {
    interpreters: &["lua"],
    with_value: &["-l"],
    is_text: |option| option == "-" || option.starts_with("-e"),
    ..Driver::of_guards("lua", "Lua", command)
};

fn command(driving: &Driving<'_>) -> Result<Command, StepError> {
    let driver = write(driving.own, "driver.lua", LUA.as_bytes())?;
    driving.write_records_with_guards()?;
    let (script, arguments) = driving.words.split_first().ok_or(StepError::NoPlans(DRIVER.name))?;
    let text = format!(
        "assert(loadfile({}))({},{})",
        string(driver.as_os_str()),
        string(driving.own.as_os_str()),
        string(script)
    );
    let mut command = driving.interpreter_command();
    // Lua itself runs the main program, which the driver writes before that.
    command.arg("-e").arg(text).arg(driving.own.join("main")).args(arguments);
    Ok(command)
}

/// Returns a string of Lua.
fn string(word: &OsStr) -> String {
    let bytes = word.as_bytes().iter().map(|byte| format!("\\{byte:03}"));
    format!("\"{}\"", bytes.collect::<String>())
}
