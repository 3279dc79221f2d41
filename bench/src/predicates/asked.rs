//! Questions about syntax, put to a Python that stays: `answers.py` beside this file.

use std::io::{Read, Write};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

/// A Python that answers.
pub(super) struct Python {
    child: Child,
}

impl Python {
    /// Starts one; with `module`, one that has what that needs.
    pub(super) fn start(module: Option<&str>) -> Result<Python, String> {
        let mut command = Command::new(program());
        command.args(["-c", include_str!("answers.py")]).args(module);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let child = command.spawn().map_err(|error| format!("python3 cannot be started: {error}"))?;
        let mut python = Python { child };
        // What nothing answers to is answered with no, if there is somebody.
        match python.ask("nothing", b"") {
            Ok(_) => Ok(python),
            Err(_) => Err(format!("python3 lacks a module: {}", module.unwrap_or("?"))),
        }
    }

    /// Returns the answer of the function of that name.
    pub(super) fn ask(&mut self, name: &str, data: &[u8]) -> Result<bool, String> {
        let (Some(input), Some(output)) = (&mut self.child.stdin, &mut self.child.stdout) else {
            return Err("python3 has no pipes".into());
        };
        let mut answer = [0];
        let asked = writeln!(input, "{name} {}", data.len()).and_then(|()| input.write_all(data));
        let asked = asked.and_then(|()| input.flush()).and_then(|()| output.read_exact(&mut answer));
        asked.map_err(|error| format!("python3 does not answer: {error}"))?;
        Ok(answer == *b"1")
    }
}

impl Drop for Python {
    fn drop(&mut self) {
        // It ends when its input does; it is not waited for longer than it takes to kill it.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns the Python of Shrink Ray in `$PEERS`, which is the one most likely to have tree-sitter, or the usual one.
fn program() -> PathBuf {
    let peers = std::env::var_os("PEERS").map(|peers| PathBuf::from(peers).join("shrinkray/bin/python"));
    peers.filter(|program| program.is_file()).unwrap_or_else(|| "python3".into())
}
