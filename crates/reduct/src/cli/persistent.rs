//! `--persistent`: the command is a server.

use super::usage;
use reduct_lib::{InputDelivery, Job, Refusal, ServerInput};
use reduct_oracle::condition::Condition;

/// Whether the command is run for each test, or asked.
#[derive(clap::Args, Debug)]
pub(super) struct Persisting {
    /// Start the command once, as a server, and send it one candidate after the other
    ///
    /// The server reads candidates from its standard input, up to thousands a second (docs/PERSISTENT.md). It gets the
    /// contents of a file, and the path of a folder; with `--persistent=path`, it gets the path in both cases.
    #[arg(long, help_heading = super::headings::TEST, hide_short_help = true, value_name = "HOW", num_args = 0..=1, require_equals = true, default_missing_value = "best", hide_possible_values = true, value_parser = ["best", "contents", "path"], conflicts_with_all = ["arg", "stdin", "shell", "ask", "repeat", "differs_from"])]
    persistent: Option<String>,
}

impl Persisting {
    /// Returns the job, with what was said of servers.
    ///
    /// # Errors
    /// If that does not fit the inputs.
    pub(super) fn of(&self, job: Job) -> Result<Job, Refusal> {
        let Some(how) = self.persistent.as_deref() else { return Ok(job) };
        let is_file = job.inputs.len() == 1 && job.input_paths().iter().all(|path| path.is_file());
        let persistent = match how {
            "contents" if !is_file => {
                let help = "several files, or a folder, are told to the server by their path: --persistent=path";
                return Err(usage("--persistent=contents works on one file", help));
            }
            "path" => ServerInput::Path,
            _ if is_file => ServerInput::Contents,
            _ => ServerInput::Path,
        };
        let measured = |condition: &&Condition| {
            condition.needs_frames() || condition.time().is_some() || condition.memory().is_some()
        };
        if let Some(condition) = job.conditions().iter().find(measured) {
            let help = "let the server look for it itself, or leave out --persistent";
            return Err(usage(format!("`{condition}` is not known of a server's tests"), help));
        }
        let job = job.with_persistent(Some(persistent)).with_handed(InputDelivery::default());
        // What cannot work is refused before anything is begun.
        job.invocation()?;
        Ok(job)
    }

    /// Returns whether the command is a server.
    pub(super) fn is_asked(&self) -> bool {
        self.persistent.is_some()
    }
}
