//! Signals and keys: how a person asks something of the session that is running.

use crate::cli::say::say;
use crate::cli::usage;
use reduct_lib::{Audience, Refusal};
use reduct_session::executor::{Control, Request};
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::io;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// The sessions that are running: a run within another one has one of its own. Each has the number of what listens for it.
static SESSIONS: Mutex<Vec<(u64, Control)>> = Mutex::new(vec![]);

/// Signals and keys, for the session that is running.
#[derive(Clone)]
pub(super) struct SignalsAndKeys(Arc<Listening>);

/// Listens for a session. When that is over, there is none to be ended cleanly.
struct Listening(u64);

impl Drop for Listening {
    fn drop(&mut self) {
        sessions().retain(|(of, _)| *of != self.0);
    }
}

fn sessions() -> MutexGuard<'static, Vec<(u64, Control)>> {
    SESSIONS.lock().unwrap_or_else(PoisonError::into_inner)
}

impl SignalsAndKeys {
    /// Listens from now on: the first Ctrl-C ends a session cleanly with the best so far, a second one at once.
    pub(super) fn new() -> Result<SignalsAndKeys, Refusal> {
        static NUMBER: AtomicU64 = AtomicU64::new(0);
        static THREAD: Mutex<bool> = Mutex::new(false);
        let mut is_there = THREAD.lock().unwrap_or_else(PoisonError::into_inner);
        if !*is_there && let Ok(signals) = Signals::new([SIGINT, SIGTERM, SIGHUP]) {
            let thread = std::thread::Builder::new().name("signals".into()).spawn(move || listen(signals));
            thread.map_err(no_thread)?;
            *is_there = true;
        }
        Ok(SignalsAndKeys(Arc::new(Listening(NUMBER.fetch_add(1, Ordering::Relaxed)))))
    }

    /// Takes the session that is running from now on.
    pub(super) fn connect(&self, control: Control) {
        let mut sessions = sessions();
        sessions.retain(|(of, _)| *of != self.0.0);
        sessions.push((self.0.0, control));
    }

    /// Asks this of the session, if there is one.
    pub(super) fn ask(&self, request: Request) {
        sessions().iter().filter(|(of, _)| *of == self.0.0).for_each(|(_, control)| control.send(request));
    }
}

/// While this is held, the first Ctrl-C between two sessions does not end the process: it is noted.
pub(in crate::cli) struct Interruption {
    _listening: SignalsAndKeys,
    noted: Arc<AtomicBool>,
}

impl Interruption {
    /// Listens from now on.
    pub(in crate::cli) fn new() -> Result<Interruption, Refusal> {
        let listening = SignalsAndKeys::new()?;
        let noted = Arc::new(AtomicBool::new(false));
        let note = noted.clone();
        listening.connect(Control::new(move |request| {
            if request == Request::Interrupt {
                note.store(true, Ordering::SeqCst);
            }
        }));
        Ok(Interruption { _listening: listening, noted })
    }

    /// Returns an audience that interrupts a session that begins after it was noted.
    pub(in crate::cli) fn told<'a>(&self, audience: Audience<'a>) -> Audience<'a> {
        let Audience { views, mut requests, .. } = audience;
        let noted = self.noted.clone();
        Audience::of(views).with_requests(move |control| {
            requests(control.clone());
            if noted.load(Ordering::SeqCst) {
                control.send(Request::Interrupt);
            }
        })
    }
}

/// Signals that come so soon after the first are the same one.
const ONCE: Duration = Duration::from_millis(500);

/// Takes the signals of this process.
fn listen(mut signals: Signals) {
    let terminal = rustix::termios::tcgetattr(rustix::stdio::stdin()).ok();
    let mut asked: Option<Instant> = None;
    for _ in signals.forever() {
        // Who sends it to the process and then to its group, as `timeout` does, means it once.
        if asked.is_some_and(|first| first.elapsed() < ONCE) {
            continue;
        }
        let sessions = sessions();
        sessions.iter().for_each(|(_, control)| control.send(Request::Interrupt));
        // Where there is no session there is nothing to end cleanly. Tests and their folders are seen to by their supervisors.
        if asked.replace(Instant::now()).is_some() || sessions.is_empty() {
            if let Some(modes) = &terminal {
                let now = rustix::termios::OptionalActions::Now;
                let _ = rustix::termios::tcsetattr(rustix::stdio::stdin(), now, modes);
            }
            say("Interrupted.");
            std::process::exit(130);
        }
    }
}

/// Returns why nothing can be begun where not even a thread can be started.
fn no_thread(error: io::Error) -> Refusal {
    let what = format!("no thread can be started: {error}");
    usage(what, "let this user have more processes (`ulimit -u` says how many), or end some")
}
