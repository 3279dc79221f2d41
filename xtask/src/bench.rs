//! Runs a benchmark: the crate `reduct-bench`, in a release build.

use std::process::Command;

pub(crate) fn run(words: &[&str]) -> Result<(), String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["run", "--release", "--quiet", "--package", "reduct-bench", "--"]).args(words);
    let status = command.status().map_err(|error| format!("cargo cannot be started: {error}"))?;
    if status.success() { Ok(()) } else { Err("the benchmark failed".into()) }
}
