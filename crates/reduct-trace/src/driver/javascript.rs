//! JavaScript, in node: `javascript.js` has guards put into files when they are loaded.

use super::{Driver, Driving};
use crate::error::{StepError, write};
use std::collections::HashMap;
use std::path::PathBuf;
use std::process::Command;

/// The driver itself.
const JAVASCRIPT: &str = include_str!("javascript.js");

pub(crate) static DRIVER: Driver = Driver {
    interpreters: &["node", "nodejs"],
    with_value: &[
        "-r",
        "--require",
        "--import",
        "-C",
        "--conditions",
        "--loader",
        "--experimental-loader",
        "--env-file",
    ],
    is_text: |option| matches!(option, "-" | "-e" | "--eval" | "-p" | "--print" | "-pe" | "-i" | "--interactive"),
    ..Driver::of_guards("javascript", "JavaScript", command)
};

fn command(driving: &Driving<'_>) -> Result<Command, StepError> {
    let driver = write(driving.own, "driver.cjs", JAVASCRIPT.as_bytes())?;
    driving.instructions.to_json(driving.own)?;
    // Those that are known to be executed have guards before node starts; it asks for those of others.
    let mut guarded: HashMap<PathBuf, PathBuf> = HashMap::new();
    for file in driving.instructions.files.iter().filter_map(|it| it.canonicalize().ok()) {
        let text = std::fs::read(&file).unwrap_or_default();
        if let Some(text) = driving.guards.and_then(|guards| guards(&file, &text)) {
            let name = format!("{}.guarded", guarded.len());
            guarded.insert(file, write(driving.own, &name, &text)?);
        }
    }
    // Paths that are no text are asked for.
    write(driving.own, "guarded.json", &serde_json::to_vec(&guarded).unwrap_or_default())?;
    let mut command = driving.interpreter_command();
    // Its own modules show stacks: see there.
    command.arg("--expose-internals").arg("--require").arg(driver).args(driving.words);
    Ok(command)
}
