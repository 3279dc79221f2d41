//! Ruby: `ruby.rb` has guards put into files when they are loaded.

use super::{Driver, Driving};
use crate::error::{StepError, write};
use std::process::Command;

/// The driver itself.
const RUBY: &str = include_str!("ruby.rb");

pub(crate) static DRIVER: Driver = Driver {
    interpreters: &["ruby"],
    with_value: &["-I", "-r", "-C", "-E", "--encoding", "--external-encoding", "--internal-encoding"],
    is_text,
    ..Driver::of_guards("ruby", "Ruby", command)
};

/// In a word of options, what follows one of these is its value.
const WITH_REST: &str = "IrCEFiKTWx0";

/// Returns whether an option gives a text, or puts a loop around the program.
fn is_text(option: &str) -> bool {
    let letters = option.strip_prefix('-').filter(|it| !it.starts_with('-'));
    letters.is_some_and(|it| {
        it.is_empty() || it.chars().take_while(|c| !WITH_REST.contains(*c)).any(|c| "enp".contains(c))
    })
}

fn command(driving: &Driving<'_>) -> Result<Command, StepError> {
    let driver = write(driving.own, "driver.rb", RUBY.as_bytes())?;
    driving.write_records_with_guards()?;
    let mut command = driving.interpreter_command();
    command.arg(driver).args(driving.words);
    Ok(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_programs_are_told_from_options() {
        for option in ["-e", "-we", "-ne", "-p", "-"] {
            assert!(is_text(option), "{option}");
        }
        for option in ["-w", "-Ilib/else", "-rpp", "-W0", "--", "--enable=frozen-string-literal", "-v"] {
            assert!(!is_text(option), "{option}");
        }
    }
}
