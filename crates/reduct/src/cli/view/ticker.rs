//! The clock of the live screen.

use reduct_report::Screen;
use reduct_session::event::{Event, Observer};
use std::io;
use std::sync::{Arc, Mutex};
use std::time::Duration;

/// A screen that the session and the ticker share.
pub(super) struct Shared(pub(super) Arc<Mutex<Screen<io::Stderr>>>);

impl Observer for Shared {
    fn on(&mut self, event: &Event) -> io::Result<()> {
        self.0.lock().map_or(Ok(()), |mut screen| screen.on(event))
    }
}

/// Lets the screen know that time passes, also when nothing happens.
pub(super) struct Ticker {
    stop: std::sync::mpsc::Sender<()>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Ticker {
    const EVERY: Duration = Duration::from_millis(200);

    /// Starts it, in a thread of its own.
    pub(super) fn start(screen: Arc<Mutex<Screen<io::Stderr>>>) -> Ticker {
        let (stop, stopped) = std::sync::mpsc::channel();
        // Without it, what happens is shown all the same.
        let thread = std::thread::Builder::new().name("ticker".into()).spawn(move || {
            while let Err(std::sync::mpsc::RecvTimeoutError::Timeout) = stopped.recv_timeout(Ticker::EVERY) {
                let Ok(mut screen) = screen.lock() else { break };
                screen.tick();
            }
        });
        Ticker { stop, thread: thread.ok() }
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        let _ = self.stop.send(());
        self.thread.take().map(std::thread::JoinHandle::join);
    }
}
