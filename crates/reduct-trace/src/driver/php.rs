//! PHP 8: `php.php` has guards put into files when they are included.

use super::{Driver, Driving};
use crate::error::{StepError, write};
use std::ffi::OsString;
use std::process::Command;

/// The driver itself.
const PHP: &str = include_str!("php.php");

pub(crate) static DRIVER: Driver = Driver {
    interpreters: &["php"],
    with_value: &["-c", "-d", "--define", "--php-ini"],
    is_text: |option| matches!(option, "-" | "-a" | "-r" | "--run" | "-B" | "-R" | "-F" | "-E" | "-S"),
    ..Driver::of_guards("php", "PHP", command)
};

fn command(driving: &Driving<'_>) -> Result<Command, StepError> {
    let driver = write(driving.own, "driver.php", PHP.as_bytes())?;
    driving.write_records_with_guards()?;
    let mut command = driving.interpreter_command();
    let mut main = OsString::from("auto_append_file=");
    main.push(driving.own.join("main.php"));
    command.arg("-d").arg(main).arg(driver).args(driving.words);
    Ok(command)
}
