//! Perl: `perl.c` hooks the beginnings of statements in the trees of ops. It is compiled with the headers of the user's Perl.

use super::{Driver, Driving};
use crate::compiled::{Library, shell_words};
use crate::error::{StepError, write};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The driver itself, and its parts.
const PARTS: [(&str, &str); 5] = [
    ("perl.c", include_str!("perl.c")),
    ("perl_statements.h", include_str!("perl_statements.h")),
    ("perl_values.h", include_str!("perl_values.h")),
    ("perl_replay.h", include_str!("perl_replay.h")),
    ("executions.h", include_str!("executions.h")),
];

/// The module that loads it, without any other module that the program may or may not load itself.
const MODULE: &str = include_str!("ReductStep.pm");

/// What is asked of Perl, in this order.
const CONFIGURATION: &str = "print join qq(\\0), map { $_ // q() } @Config{qw(cc ccflags cccdlflags lddlflags archlibexp privlibexp \
    sitearchexp sitelibexp vendorarchexp vendorlibexp version archname)}";

pub(crate) static DRIVER: Driver = Driver {
    language: "perl",
    name: "Perl",
    interpreters: &["perl"],
    with_value: &["-I"],
    is_text,
    module: None,
    has_plans: true,
    has_states: false,
    has_schedules: false,
    has_forks: false,
    has_recorded_control: true,
    has_unset: true,
    prepare,
    command,
};

/// In a word of options, what follows one of these is its value.
const WITH_REST: &str = "iIMmFxCDdV0l";

fn is_text(option: &str) -> bool {
    let letters = option.strip_prefix('-').filter(|it| !it.starts_with('-'));
    letters
        .is_some_and(|it| it.is_empty() || it.chars().take_while(|c| !WITH_REST.contains(*c)).any(|c| "eE".contains(c)))
}

/// Compiles the driver for this Perl, unless it is there.
fn prepare(interpreter: &[OsString]) -> Result<Option<PathBuf>, StepError> {
    let perl = interpreter.first().map_or(OsStr::new("perl"), |it| it.as_os_str());
    let asked = Command::new(perl).args(["-MConfig", "-e", CONFIGURATION]).output();
    let asked = asked.map_err(|why| StepError::Interpreter { name: perl.to_owned(), why })?;
    let values: Vec<&[u8]> = asked.stdout.split(|byte| *byte == 0).collect();
    let &[cc, ccflags, cccdlflags, lddlflags, archlib, ref rest @ ..] = &values[..] else {
        return Err(StepError::NotItself { name: perl.to_owned() });
    };
    let headers = Path::new(OsStr::from_bytes(archlib)).join("CORE");
    if !headers.join("perl.h").is_file() {
        return Err(StepError::NoHeaders { language: "Perl", file: headers.join("perl.h"), package: "libperl-dev" });
    }
    let not_into = std::iter::once(archlib).chain(rest.iter().copied().take(5)).filter(|it| !it.is_empty());
    let not_into: String = not_into.map(|it| format!("{:?},", String::from_utf8_lossy(it))).collect();
    let words = [shell_words(cc), shell_words(ccflags), shell_words(cccdlflags), shell_words(lddlflags)].concat();
    let mut arguments = words;
    arguments.push(format!("-I{}", headers.display()));
    arguments.extend(["-O2".into(), "-w".into(), format!("-DNOT_INTO={not_into}")]);
    let library = Library { name: "perl", sources: &PARTS, command: arguments, also: &asked.stdout };
    library.compiled().map(Some)
}

fn command(driving: &Driving<'_>) -> Result<Command, StepError> {
    let prepared = match driving.prepared {
        Some(it) => Some(it.to_owned()),
        None => prepare(driving.interpreter)?,
    };
    let instructions = driving.instructions.to_records(driving.own, None)?;
    let hex = |path: &Path| path.as_os_str().as_bytes().iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    let paths = [prepared.as_deref().unwrap_or(Path::new("")), &instructions, driving.own].map(hex);
    write(driving.own, "ReductStep.pm", MODULE.replace("PATHS", &paths.join(" ")).as_bytes())?;
    let mut include = OsString::from("-I");
    include.push(driving.own);
    let mut command = driving.interpreter_command();
    command.arg(include).arg("-MReductStep").args(driving.words);
    if std::env::var_os("PERL_HASH_SEED").is_none() {
        // Hashes are listed in the same order each time.
        command.env("PERL_HASH_SEED", "0").env("PERL_PERTURB_KEYS", "0");
    }
    Ok(command)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_programs_are_told_from_options() {
        for option in ["-e", "-we", "-nE", "-"] {
            assert!(is_text(option), "{option}");
        }
        for option in ["-w", "-Ilib/else", "-MEncode", "-i.be", "--", "-T"] {
            assert!(!is_text(option), "{option}");
        }
    }
}
