//! Go: guards stand in the files of a copy of the project, which was built ([`GuardedTree`](crate::GuardedTree)). The build is told that
//! `guards.go` belongs to a package of the standard library.

use super::{BuiltLanguage, Driver, Driving, Prepared};
use crate::compiled::Library;
use crate::error::{StepError, write};
use crate::guarded_tree::BuiltTree;
use serde_json::json;
use std::ffi::OsString;
use std::path::Path;
use std::process::Command;

/// The driver itself, and its parts: see `guards.go`.
const PARTS: [(&str, &str); 2] = [("guards.go", include_str!("guards.go")), ("values.go", include_str!("values.go"))];

/// The package that they belong to, below the folder of the sources.
const PACKAGE: &str = "container/ring";

/// What tells the types of variables. The first part compiles the other one.
const TYPES: [(&str, &str); 2] = [
    ("compile.sh", "GO111MODULE=auto GOFLAGS= exec go build -o \"$2\" types.go\n"),
    ("types.go", include_str!("types.go")),
];

/// What the compiler is told besides: to name all errors.
const ALL_ERRORS: &str = "-gcflags=-e";

pub(super) static DRIVER: Driver = Driver::of_guards("go", "Go", command);

pub(super) static LANGUAGE: BuiltLanguage =
    BuiltLanguage { driver: &DRIVER, extension: "go", foreign: &["vendor", "testdata"], prepare };

/// Writes what guards call, and compiles what tells types, unless that is done.
fn prepare(folder: &Path) -> Result<Prepared, StepError> {
    let root = Command::new("go").args(["env", "GOROOT"]).output();
    let root = root.map_err(|why| StepError::Interpreter { name: "go".into(), why })?;
    let root = String::from_utf8_lossy(&root.stdout).trim().to_owned();
    if root.is_empty() {
        return Err(StepError::NotItself { name: "go".into() });
    }
    let mut places = serde_json::Map::new();
    for (name, text) in PARTS {
        let written = write(folder, name, text.as_bytes())?;
        places.insert(format!("{root}/src/{PACKAGE}/reduct_{name}"), json!(written));
    }
    let told = write(folder, "overlay.json", json!({ "Replace": places }).to_string().as_bytes())?;
    // Blanks are between flags there, whatever is quoted.
    if told.as_os_str().as_encoded_bytes().iter().any(u8::is_ascii_whitespace) {
        return Err(StepError::Blank(told));
    }
    let mut flags = std::env::var_os("GOFLAGS").filter(|it| !it.is_empty()).unwrap_or_default();
    if !flags.is_empty() {
        flags.push(" ");
    }
    flags.push(format!("{ALL_ERRORS} -overlay="));
    flags.push(told);
    let types =
        Library { name: "go", sources: &TYPES, command: vec!["sh".into()], also: root.as_bytes() }.compiled()?;
    Ok(Prepared { variables: vec![("GOFLAGS", flags)], types: Some(types) })
}

fn command(driving: &Driving<'_>) -> Result<Command, StepError> {
    let built = BuiltTree::at(driving.prepared.ok_or(StepError::NoBuild)?)?;
    let instructions = built.instruct(driving)?;
    let mut command = driving.in_copy(&built);
    command.env("REDUCT_GUARDS", instructions);
    // So that goroutines take turns in the same way each time, as far as they can.
    if std::env::var_os("GOMAXPROCS").is_none() {
        command.env("GOMAXPROCS", OsString::from("1"));
    }
    Ok(command)
}
