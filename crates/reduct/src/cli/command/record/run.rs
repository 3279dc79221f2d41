//! What `reduct record` does.

use super::RecordArgs;
use crate::cli::usage;
use reduct_lib::Refusal;
use reduct_play::{RecordError, record};
use reduct_system::signals::end_as;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM, SIGWINCH};
use signal_hook::flag::register;
use std::process::ExitCode;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// Records. It ends as the program does.
pub(super) fn run(args: &RecordArgs) -> Result<ExitCode, Refusal> {
    if !args.force && args.out.exists() {
        let what = format!("{} is there already", args.out.display());
        return Err(usage(what, "choose another place, or allow it to be replaced with --force"));
    }
    let [stop, resized] = [AtomicBool::new(false), AtomicBool::new(false)].map(Arc::new);
    for (signal, flag) in [(SIGINT, &stop), (SIGTERM, &stop), (SIGHUP, &stop), (SIGWINCH, &resized)] {
        register(signal, flag.clone()).map_err(Refusal::io("watch for", "signals"))?;
    }
    let seen = record(&args.program, &args.out, args.force, &stop, &resized);
    match seen {
        Ok(Some(status)) => {
            if !status.success() {
                // It may have said nothing itself.
                crate::cli::view::say(&format!("The program ended with {status}."));
            }
            end_as(status)
        }
        Ok(None) => Ok(ExitCode::from(130)),
        Err(error @ (RecordError::Play(_) | RecordError::NoRecord(_))) => {
            Err(usage(error.to_string(), "nothing was recorded"))
        }
        Err(error) => Err(usage(error.to_string(), "what was typed until then is in the record")),
    }
}
