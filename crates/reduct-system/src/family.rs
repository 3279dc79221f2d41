//! Processes as `/proc` shows them: which descends from which, what they hold, and how to end them all.

use rustix::fs::{Access, access};
use rustix::process::{Pid, Signal, kill_process};
use std::collections::{HashMap, HashSet};
use std::ffi::CStr;
use std::fs;
use std::sync::OnceLock;

/// The name of a supervisor as a process: that of a slot, as "supervisor" does not fit into the 15 bytes of a name.
pub const NAME: &CStr = c"reduct-slot";

/// How often more processes are looked for while they are being stopped. Each round stops all that
/// exist, so what is left after the first is only what was being forked just then.
const ROUNDS: usize = 64;

/// Kills all processes `find` finds: they are stopped first, until no more appear, so that not even
/// one that forks as fast as it can gets away.
///
/// A number can be reused between being found and being signalled only if all other numbers are used
/// up in these microseconds.
pub fn kill_all(mut find: impl FnMut() -> Vec<Pid>) {
    let mut found = HashSet::new();
    for _ in 0..ROUNDS {
        let new: Vec<Pid> = find().into_iter().filter(|pid| found.insert(*pid)).collect();
        if new.is_empty() {
            break;
        }
        signal(new, Signal::STOP);
    }
    signal(found, Signal::KILL);
}

fn signal(pids: impl IntoIterator<Item = Pid>, signal: Signal) {
    for pid in pids {
        // A process that is gone, or belongs to another user, is not for us to kill.
        let _ = kill_process(pid, signal);
    }
}

/// Returns all processes that descend from `ancestor`, itself not included.
pub fn descendants(ancestor: Pid) -> Vec<Pid> {
    let tree = Tree::new();
    let mut found = tree.children(ancestor);
    let mut seen: HashSet<Pid> = found.iter().copied().collect();
    let mut at = 0;
    while at < found.len() {
        found.extend(tree.children(found[at]).into_iter().filter(|pid| seen.insert(*pid)));
        at += 1;
    }
    found
}

/// Returns the children of `parent`.
pub fn children(parent: Pid) -> Vec<Pid> {
    Tree::new().children(parent)
}

/// Which process is the child of which.
enum Tree {
    /// The kernel lists the children of each thread: what is asked costs what is found.
    Listed,
    /// It does not (without CONFIG_PROC_CHILDREN): all processes have to be looked at.
    Searched(HashMap<Pid, Vec<Pid>>),
}

impl Tree {
    fn new() -> Tree {
        static LISTED: OnceLock<bool> = OnceLock::new();
        if *LISTED.get_or_init(|| access("/proc/thread-self/children", Access::EXISTS).is_ok()) {
            Tree::Listed
        } else {
            Tree::searched()
        }
    }

    fn searched() -> Tree {
        let mut by_parent: HashMap<Pid, Vec<Pid>> = HashMap::new();
        for pid in all() {
            if let Some(parent) = stat(pid, 4).and_then(|parent| parse(&parent)) {
                by_parent.entry(parent).or_default().push(pid);
            }
        }
        Tree::Searched(by_parent)
    }

    fn children(&self, parent: Pid) -> Vec<Pid> {
        match self {
            Tree::Searched(by_parent) => by_parent.get(&parent).cloned().unwrap_or_default(),
            Tree::Listed => {
                let Ok(tasks) = fs::read_dir(format!("/proc/{parent}/task")) else { return vec![] };
                let lists = tasks.flatten().filter_map(|task| fs::read_to_string(task.path().join("children")).ok());
                lists.flat_map(|list| list.split_whitespace().filter_map(parse).collect::<Vec<_>>()).collect()
            }
        }
    }
}

/// Returns every process there is.
pub fn all() -> Vec<Pid> {
    let Ok(entries) = fs::read_dir("/proc") else { return vec![] };
    entries.flatten().filter_map(|entry| parse(entry.file_name().to_str()?)).collect()
}

/// Returns when a process was started, in ticks since the machine was; with its number, this names it for good.
pub fn start_time(pid: Pid) -> Option<u64> {
    stat(pid, 22)?.parse().ok()
}

/// Returns whether a process is dying: it may still hold files. One that is not to be seen from here is not.
pub fn is_ending(pid: Pid) -> bool {
    /// The kernel's `PF_EXITING`.
    const EXITING: u64 = 4;
    let flags = stat(pid, 9).and_then(|flags| flags.parse::<u64>().ok());
    flags.is_some_and(|flags| flags & EXITING != 0)
}

/// Returns the session a process is in: 0 if its leader is outside of this process' namespace of processes, where
/// getsid(2) gives a number that is no process.
pub fn session(pid: Pid) -> Option<u32> {
    stat(pid, 6)?.parse().ok()
}

/// Returns how long a process and the children that it has waited for have run, in ticks, for themselves and in the
/// system.
pub fn times(pid: Pid) -> Option<[u64; 4]> {
    let first = stat_from(pid, 14)?;
    let mut fields = first.split(' ').map_while(|field| field.parse().ok());
    Some([fields.next()?, fields.next()?, fields.next()?, fields.next()?])
}

/// Returns whether a process is stopped, as by SIGSTOP; one that a debugger holds is not.
pub fn is_stopped(pid: Pid) -> bool {
    stat(pid, 3).is_some_and(|state| state == "T")
}

/// Returns the `n`th field of a process' `stat`, from 3 on, numbered as in proc(5).
fn stat(pid: Pid, n: usize) -> Option<String> {
    stat_from(pid, n)?.split(' ').next().map(str::to_owned)
}

/// Returns that field and all behind it.
fn stat_from(pid: Pid, n: usize) -> Option<String> {
    let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
    // The second field, the name, may contain anything, even blanks and parentheses.
    let fields = &stat[stat.iter().rposition(|byte| *byte == b')')? + 2..];
    str::from_utf8(fields).ok()?.splitn(n - 2, ' ').nth(n - 3).map(str::to_owned)
}

/// Returns a process by its number in decimals.
pub fn parse(digits: &str) -> Option<Pid> {
    Pid::from_raw(digits.parse().ok()?)
}

#[cfg(test)]
mod tests {
    use super::*;
    use rustix::process::{getpid, getppid};
    use std::process::{Command, Stdio};

    #[test]
    fn both_ways_to_find_children_agree() {
        let mut child = Command::new("cat").stdin(Stdio::piped()).spawn().unwrap();
        let pid = Pid::from_child(&child);
        for tree in [Tree::Listed, Tree::searched()] {
            assert!(tree.children(getpid()).contains(&pid));
            assert!(tree.children(getppid().unwrap()).contains(&getpid()));
        }
        drop(child.stdin.take());
        child.wait().unwrap();
    }
}
