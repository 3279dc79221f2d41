//! What the main thread waits for: what the threads of slots and others post, and what supervisors say to itself.

use reduct_session::executor::Completion;
use rustix::event::{EventfdFlags, eventfd};
use std::os::fd::OwnedFd;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering, fence};
use std::sync::mpsc::{Receiver, Sender, channel};

/// The way to post what the main thread waits for.
#[derive(Clone)]
pub(super) struct Completions {
    sender: Sender<Completion>,
    bell: Option<Arc<Bell>>,
}

/// Rings where the main thread does not wait for what is posted alone.
pub(super) struct Bell {
    descriptor: OwnedFd,
    /// Whether it is listened to.
    is_heard: AtomicBool,
}

impl Completions {
    /// Returns a way to post, and what is posted.
    pub(super) fn new() -> (Completions, Receiver<Completion>) {
        let (sender, receiver) = channel();
        let descriptor = eventfd(0, EventfdFlags::CLOEXEC | EventfdFlags::NONBLOCK).ok();
        let bell = descriptor.map(|descriptor| Arc::new(Bell { descriptor, is_heard: AtomicBool::new(false) }));
        (Completions { sender, bell }, receiver)
    }

    /// Posts this. Nobody needs it if nobody waits any more.
    pub(super) fn send(&self, completion: Completion) {
        let _ = self.sender.send(completion);
        // Either this sees that the bell is listened to, or who listens sees what was sent.
        fence(Ordering::SeqCst);
        if let Some(bell) = self.bell.as_ref().filter(|bell| bell.is_heard.load(Ordering::Relaxed)) {
            // It can only fail if it has been rung very often and nobody has listened.
            let _ = rustix::io::write(&bell.descriptor, &1u64.to_ne_bytes());
        }
    }

    /// Returns the bell that rings for what is posted. `None` if there can be none.
    pub(super) fn bell(&self) -> Option<&Arc<Bell>> {
        self.bell.as_ref()
    }
}

impl Bell {
    /// Has it ring from now on. What was posted before is to be looked for after that.
    pub(super) fn listen(&self) {
        self.is_heard.store(true, Ordering::Relaxed);
        fence(Ordering::SeqCst);
    }

    /// Has it ring no more.
    pub(super) fn ignore(&self) {
        self.is_heard.store(false, Ordering::Relaxed);
    }

    /// Returns what can be read when it has rung.
    pub(super) fn descriptor(&self) -> &OwnedFd {
        &self.descriptor
    }

    /// Takes note of that it has rung.
    pub(super) fn quiet(&self) {
        let _ = rustix::io::read(&self.descriptor, &mut [0; 8]);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::event::{PollFd, PollFlags, poll};

    #[test]
    fn nothing_that_is_posted_is_missed() {
        let (completions, receiver) = Completions::new();
        let bell = completions.bell().unwrap();
        let count = 10_000;
        let sender = completions.clone();
        let thread = std::thread::spawn(move || (0..count).for_each(|_| sender.send(Completion::Woken)));
        let mut received = 0;
        while received < count {
            bell.listen();
            match receiver.try_recv() {
                Ok(_) => received += 1,
                Err(_) => {
                    poll(&mut [PollFd::new(bell.descriptor(), PollFlags::IN)], None).unwrap();
                    bell.quiet();
                }
            }
            bell.ignore();
        }
        thread.join().unwrap();
    }

    #[test]
    fn it_only_rings_for_who_listens() {
        let (completions, _receiver) = Completions::new();
        let bell = completions.bell().unwrap();
        let rings = || rustix::io::read(bell.descriptor(), &mut [0; 8]).is_ok();
        completions.send(Completion::Woken);
        assert!(!rings());
        bell.listen();
        completions.send(Completion::Woken);
        assert!(rings() && !rings());
        bell.ignore();
        completions.send(Completion::Woken);
        assert!(!rings());
    }
}
