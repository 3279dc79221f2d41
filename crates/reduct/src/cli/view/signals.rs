//! Signals and keys: how a person asks something of the session that is running.

use crate::cli::usage;
use reduct_lib::Refusal;
use reduct_session::executor::{Control, Request};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::io;
use std::sync::{Arc, Mutex};

/// Signals and keys, for the session that is running.
#[derive(Clone, Default)]
pub(super) struct SignalsAndKeys {
    current: Arc<Mutex<Option<Control>>>,
}

impl SignalsAndKeys {
    /// Listens from now on: the first Ctrl-C ends a session cleanly with the best so far, a second one at once.
    pub(super) fn new() -> Result<SignalsAndKeys, Refusal> {
        let control = SignalsAndKeys::default();
        let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP]) else { return Ok(control) };
        let taker = control.clone();
        let terminal = rustix::termios::tcgetattr(rustix::stdio::stdin()).ok();
        let thread = std::thread::Builder::new().name("signals".into()).spawn(move || {
            let mut asked = false;
            for _ in signals.forever() {
                // Before there is a session there is nothing to end cleanly. Tests and their folders
                // are seen to by their supervisors.
                if std::mem::replace(&mut asked, true) || !taker.ask(Request::Interrupt) {
                    if let Some(modes) = &terminal {
                        let now = rustix::termios::OptionalActions::Now;
                        let _ = rustix::termios::tcsetattr(rustix::stdio::stdin(), now, modes);
                    }
                    std::process::exit(130);
                }
            }
        });
        thread.map_err(no_thread)?;
        Ok(control)
    }

    /// Takes the session that is running from now on.
    pub(super) fn connect(&self, control: Control) {
        if let Ok(mut slot) = self.current.lock() {
            *slot = Some(control);
        }
    }

    /// Asks this of the session. Returns whether there is one.
    pub(super) fn ask(&self, request: Request) -> bool {
        let Ok(slot) = self.current.lock() else { return false };
        slot.iter().for_each(|control| control.send(request));
        slot.is_some()
    }
}

/// Returns why nothing can be begun where not even a thread can be started.
fn no_thread(error: io::Error) -> Refusal {
    let what = format!("no thread can be started: {error}");
    usage(what, "let this user have more processes (`ulimit -u` says how many), or end some")
}
