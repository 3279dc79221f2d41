//! The bytes that are being read, for the report if the process dies or hangs.

#![expect(clippy::print_stderr, reason = "the process ends then")]

use std::process::abort;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// A reader that takes longer is stuck.
const STUCK: Duration = Duration::from_secs(120);

/// The reader, the number of its input, and since when it reads it.
type Now = Option<(&'static str, u64, Instant)>;

/// Ends the process, with a word, when one input takes for ever.
pub(super) struct Watch(Arc<Mutex<Now>>);

impl Watch {
    pub(super) fn begin() -> Watch {
        let now: Arc<Mutex<Now>> = Arc::default();
        let watched = Arc::downgrade(&now);
        thread::spawn(move || {
            while let Some(now) = watched.upgrade() {
                let now = *now.lock().unwrap_or_else(PoisonError::into_inner);
                if let Some((reader, n, _)) = now.filter(|(.., since)| since.elapsed() > STUCK) {
                    eprintln!("{reader} does not end: --only '{reader}' --from {n} --inputs 1");
                    abort();
                }
                thread::sleep(Duration::from_secs(1));
            }
        });
        Watch(now)
    }

    /// Notes what is read from now on.
    pub(super) fn note(&self, reader: &'static str, n: u64) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = Some((reader, n, Instant::now()));
    }

    /// Notes that nothing is read.
    pub(super) fn rest(&self) {
        *self.0.lock().unwrap_or_else(PoisonError::into_inner) = None;
    }
}

/// Returns how much processor time this thread has had.
pub(super) fn processor_time() -> Duration {
    let mut time = libc::timespec { tv_sec: 0, tv_nsec: 0 };
    // SAFETY: the call writes to the one place it is given.
    let done = unsafe { libc::clock_gettime(libc::CLOCK_THREAD_CPUTIME_ID, &raw mut time) };
    if done == 0 { Duration::new(time.tv_sec as u64, time.tv_nsec as u32) } else { Duration::ZERO }
}
