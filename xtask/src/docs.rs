//! Writes what of the documents is made from the code. The test `docs` makes it, and compares it otherwise: so this
//! program, with which all checks begin, is built without the crates of the product.

use std::process::Command;

pub(crate) fn run() -> Result<(), String> {
    let cargo = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(cargo);
    command.args(["test", "--quiet", "--package", "xtask", "--test", "docs"]).env("REDUCT_ACCEPT", "1");
    let status = command.status().map_err(|error| format!("cargo cannot be started: {error}"))?;
    if status.success() { Ok(()) } else { Err("the documents cannot be made".into()) }
}
