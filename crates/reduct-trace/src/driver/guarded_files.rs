//! What drivers are told that have guards put into files when these are loaded: besides the records, the files that have guards already.

use super::Driving;
use crate::error::{StepError, write};
use std::fs;
use std::os::unix::ffi::OsStrExt;

/// What puts guards into a file that is not known before: this program.
const OWN: &str = "/proc/self/exe";

impl Driving<'_> {
    /// Writes the records, and the texts with guards of the files that are known to be executed: `0.guarded` and so on.
    pub(super) fn write_records_with_guards(&self) -> Result<(), StepError> {
        let path = self.instructions.to_records(self.own, None)?;
        let mut records = fs::read(&path).map_err(|why| StepError::Unwritable { path, why })?;
        let mut say = |word: &str, rest: &[u8]| records.extend([word.as_bytes(), b" ", rest, b"\0"].concat());
        if let Ok(here) = std::env::current_dir() {
            say("here", here.as_os_str().as_bytes());
        }
        if let Ok(program) = fs::read_link(OWN) {
            say("guards", program.as_os_str().as_bytes());
        }
        if self.instructions.known.is_some() {
            say("plan", b"1");
        }
        for real in self.instructions.into.iter().filter_map(|it| it.canonicalize().ok()) {
            say("into", real.as_os_str().as_bytes());
        }
        // Others than these ask for guards when they are loaded.
        for (number, file) in self.instructions.files.iter().enumerate() {
            let text = fs::read(file).unwrap_or_default();
            let whole = std::path::absolute(file).unwrap_or_else(|_| file.clone());
            if let Some(text) = self.guards.and_then(|guards| guards(&whole, &text)) {
                write(self.own, &format!("{number}.guarded"), &text)?;
                say("guarded", &[format!("{number} ").as_bytes(), file.as_os_str().as_bytes()].concat());
            }
        }
        write(self.own, "instructions", &records).map(|_| ())
    }
}
