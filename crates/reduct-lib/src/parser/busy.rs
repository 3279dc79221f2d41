//! Which processes read a text now, so that nobody has to wait for them who wants to end.

use rustix::process::{Pid, Signal, kill_process};
use std::sync::{Mutex, MutexGuard, PoisonError};

static BUSY: Mutex<Busy> = Mutex::new(Busy { are_given_up: false, processes: vec![] });

struct Busy {
    /// Whether no text is to be read any more.
    are_given_up: bool,
    processes: Vec<u32>,
}

fn busy() -> MutexGuard<'static, Busy> {
    BUSY.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A process that reads a text, as long as this is held. It must not be waited for before.
pub(super) struct Reading(u32);

impl Reading {
    /// Notes that this process reads a text. `None` if no text is to be read any more.
    pub(super) fn begin(process: u32) -> Option<Reading> {
        let mut busy = busy();
        if busy.are_given_up {
            return None;
        }
        busy.processes.push(process);
        Some(Reading(process))
    }
}

impl Drop for Reading {
    fn drop(&mut self) {
        busy().processes.retain(|process| *process != self.0);
    }
}

/// Returns whether no text is to be read any more.
pub(super) fn are_given_up() -> bool {
    busy().are_given_up
}

/// Ends all processes that read a text, and has none be read any more: as if they were in no language.
pub(crate) fn give_up() {
    let mut busy = busy();
    busy.are_given_up = true;
    for process in busy.processes.iter().filter_map(|process| Pid::from_raw(process.cast_signed())) {
        // One that has ended has not been waited for.
        let _ = kill_process(process, Signal::KILL);
    }
}

/// Has texts be read again.
pub(crate) fn go_on() {
    busy().are_given_up = false;
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::ExitStatusExt;
    use std::process::Command;

    #[test]
    fn what_reads_is_ended_and_nothing_is_begun_until_it_goes_on() {
        let [mut reads, mut idles] = [(); 2].map(|()| Command::new("sleep").arg("1000").spawn().unwrap());
        let reading = Reading::begin(reads.id()).unwrap();
        drop(Reading::begin(idles.id()));
        give_up();
        assert!(are_given_up() && Reading::begin(idles.id()).is_none());
        drop(reading);
        assert_eq!(reads.wait().unwrap().signal(), Some(Signal::KILL.as_raw()));
        assert!(idles.try_wait().unwrap().is_none());
        go_on();
        assert!(Reading::begin(idles.id()).is_some());
        idles.kill().unwrap();
        idles.wait().unwrap();
    }
}
