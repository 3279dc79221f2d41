//! Keys that somebody who watches presses.
//!
//! The terminal is only told to hand over each key at once and not to show it. Ctrl-C and Ctrl-Z stay signals, and what
//! the program writes is treated as before, so that nothing else needs to know.

use reduct_session::executor::Request;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fd::{AsFd, OwnedFd};
use rustix::termios::{LocalModes, OptionalActions, SpecialCodeIndex, Termios, isatty, tcgetattr, tcsetattr};
use std::thread::{self, JoinHandle};

/// Listens for keys until it is dropped; then the terminal is as it was.
#[derive(Debug)]
pub struct Guard {
    before: Termios,
    /// Dropping it ends the thread.
    alive: Option<OwnedFd>,
    thread: Option<JoinHandle<()>>,
}

/// What a key asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Pressed {
    /// Something of the session.
    Ask(Request),
    /// To see something else, or what was seen before.
    Show(Panel),
}

/// What is shown in the middle of the screen.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Panel {
    /// The curve and the table of passes.
    #[default]
    Progress,
    /// What the keys do.
    Help,
    /// The last accepted step.
    Diff,
    /// What the last test printed.
    Output,
    /// The accepted steps.
    History,
}

/// Listens for keys on standard input; [`meaning`] says what each asks for.
///
/// `None` if there is nobody to listen to: standard input is no terminal, or this process runs in the background,
/// where it would be stopped for reading from it.
pub fn watch(ask: impl Fn(Pressed) + Send + 'static) -> Option<Guard> {
    let input = rustix::stdio::stdin();
    if !isatty(input) || !in_foreground() {
        return None;
    }
    let before = tcgetattr(input).ok()?;
    let ours = key_by_key(before.clone());
    let (ended, alive) = rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC).ok()?;
    tcsetattr(input, OptionalActions::Now, &ours).ok()?;
    let thread = thread::Builder::new().name("keys".to_owned()).spawn(move || listen(&ended, &ours, ask)).ok();
    let guard = Guard { before, alive: Some(alive), thread };
    // Without a thread the guard puts the terminal back at once.
    guard.thread.is_some().then_some(guard)
}

impl Drop for Guard {
    fn drop(&mut self) {
        drop(self.alive.take());
        if let Some(thread) = self.thread.take() {
            // If it panicked there is nothing to do about it here.
            let _ = thread.join();
        }
        if in_foreground() {
            let _ = tcsetattr(rustix::stdio::stdin(), OptionalActions::Now, &self.before);
        }
    }
}

/// Hands over each key of a terminal at once, to its reader, until it is dropped.
#[derive(Debug)]
pub struct Single(Termios);

/// Has standard input hand over single keys. `None` if it is no terminal, or this process runs in the background.
pub fn single() -> Option<Single> {
    let input = rustix::stdio::stdin();
    if !isatty(input) || !in_foreground() {
        return None;
    }
    let before = tcgetattr(input).ok()?;
    tcsetattr(input, OptionalActions::Now, &key_by_key(before.clone())).ok()?;
    Some(Single(before))
}

impl Drop for Single {
    fn drop(&mut self) {
        if in_foreground() {
            let _ = tcsetattr(rustix::stdio::stdin(), OptionalActions::Now, &self.0);
        }
    }
}

/// Returns what a key asks for.
pub fn meaning(key: u8) -> Option<Pressed> {
    Some(match key.to_ascii_lowercase() {
        b's' => Pressed::Ask(Request::Skip),
        b'q' => Pressed::Ask(Request::Stop),
        b'p' => Pressed::Ask(Request::Pause),
        b'x' => Pressed::Ask(Request::Disable),
        b'?' => Pressed::Show(Panel::Help),
        b'd' => Pressed::Show(Panel::Diff),
        b'o' => Pressed::Show(Panel::Output),
        b'h' => Pressed::Show(Panel::History),
        _ => return None,
    })
}

/// Returns the same modes, but each key at once and none shown. `ISIG` stays: Ctrl-C is a signal.
fn key_by_key(mut modes: Termios) -> Termios {
    modes.local_modes.remove(LocalModes::ICANON | LocalModes::ECHO);
    modes.special_codes[SpecialCodeIndex::VMIN] = 1;
    modes.special_codes[SpecialCodeIndex::VTIME] = 0;
    modes
}

/// Returns whether this process may read from the terminal and change its modes without being stopped.
fn in_foreground() -> bool {
    rustix::termios::tcgetpgrp(rustix::stdio::stdin()).is_ok_and(|group| group == rustix::process::getpgrp())
}

/// Reads keys until the other end of `ended` is dropped or the terminal is gone.
fn listen(ended: &OwnedFd, ours: &Termios, ask: impl Fn(Pressed)) {
    let input = rustix::stdio::stdin();
    let second = Timespec { tv_sec: 1, tv_nsec: 0 };
    loop {
        let foreground = in_foreground();
        // In the background the keys are for somebody else: only the end is waited for.
        let events = if foreground { PollFlags::IN } else { PollFlags::empty() };
        let mut ready = [PollFd::new(ended, PollFlags::IN), PollFd::from_borrowed_fd(input.as_fd(), events)];
        let waited = poll(&mut ready, Some(&second));
        let [end, keys] = ready.map(|descriptor| descriptor.revents());
        match waited {
            Err(rustix::io::Errno::INTR) => continue,
            Err(_) => return,
            Ok(_) if !end.is_empty() || keys.intersects(PollFlags::HUP | PollFlags::ERR | PollFlags::NVAL) => return,
            Ok(_) => {}
        }
        if !in_foreground() {
            continue;
        }
        if keys.contains(PollFlags::IN) {
            let mut bytes = [0; 64];
            match rustix::io::read(input, &mut bytes) {
                Ok(0) => return,
                Ok(number) => bytes[..number].iter().copied().filter_map(meaning).for_each(&ask),
                Err(rustix::io::Errno::INTR | rustix::io::Errno::AGAIN) => {}
                Err(_) => return,
            }
        } else {
            take_back(ours);
        }
    }
}

/// Sets our modes again after Ctrl-Z and `fg`, when they are those of the shell.
fn take_back(ours: &Termios) {
    let input = rustix::stdio::stdin();
    let theirs = tcgetattr(input).is_ok_and(|modes| modes.local_modes != ours.local_modes);
    if theirs {
        let _ = tcsetattr(input, OptionalActions::Now, ours);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_have_meanings() {
        assert_eq!(meaning(b's'), Some(Pressed::Ask(Request::Skip)));
        assert_eq!(meaning(b'Q'), Some(Pressed::Ask(Request::Stop)));
        assert_eq!(meaning(b'?'), Some(Pressed::Show(Panel::Help)));
        assert_eq!(meaning(b'\x03'), None);
        assert_eq!(meaning(b'y'), None);
    }
}
