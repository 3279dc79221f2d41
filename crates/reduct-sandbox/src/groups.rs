//! Control groups (cgroups(7)): by them, the kernel itself limits the memory and the processes of a test, at every moment,
//! and not only each time it is looked.
//!
//! A supervisor, and with it all that it starts, is a member of a group of its own, in a group in which such can be made. It
//! cannot leave it to remove it, so that sessions remove those that have no member any more, when they begin and when they
//! end: what is left after a SIGKILL is gone with the next session.

mod places;

use places::{Kind, candidates};
use reduct_oracle::{Limit, Limits};
use serde::{Deserialize, Serialize};
use std::cell::RefCell;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Write};
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};

/// The names of groups begin with this. Of other names, none is touched.
const PREFIX: &str = "reduct-";

/// A session that begins may remove a group that was just made and has no member yet.
const TRIES: u32 = 3;

/// Threads count, too, and it is no test that many of them harm. So there may be so many times as many as processes, and
/// some that are the supervisor's own.
const THREADS: u64 = 4;
const OWN: u64 = 64;

/// A group in which groups can be made, by one of the interfaces.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Parent {
    kind: Kind,
    #[serde(with = "reduct_system::os_path")]
    folder: PathBuf,
}

/// What the kernel is to hold the processes of a supervisor to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Limited {
    parents: Vec<Parent>,
    /// In bytes: files in memory count, too.
    memory: Option<u64>,
    /// With their threads.
    processes: Option<u64>,
}

impl Limited {
    /// Finds out by which groups tests can be held to these limits; `in_memory` says whether their files are in memory.
    /// Removes what dead sessions have left. Where no group can be made, there is none.
    pub(crate) fn find(limits: &Limits, in_memory: bool) -> Limited {
        let [own, mounts] = ["/proc/self/cgroup", "/proc/self/mountinfo"].map(fs::read_to_string);
        let parents = first_that_work(candidates(&own.unwrap_or_default(), &mounts.unwrap_or_default()));
        let files = if in_memory { limits.disk } else { Some(0) };
        let memory = limits.memory.and_then(|memory| memory.checked_add(files?));
        let processes = limits.processes.map(|most| most.saturating_mul(THREADS).saturating_add(OWN));
        let limited = Limited { parents, memory, processes };
        limited.sweep();
        limited
    }

    /// Removes all groups of reduct that have no members.
    pub(crate) fn sweep(&self) {
        for Parent { folder, .. } in &self.parents {
            let all = fs::read_dir(folder).into_iter().flatten().flatten();
            for group in all.filter(|entry| entry.file_name().as_encoded_bytes().starts_with(PREFIX.as_bytes())) {
                // The kernel refuses it while there are members.
                let _ = fs::remove_dir(group.path());
            }
        }
    }

    /// Makes this process, and all that it will start, a member of groups of this name. What cannot be had is left out: the
    /// supervisor looks now and then all the same.
    pub(crate) fn join(&self, name: &str) -> Group {
        let joined = |parent: &Parent| {
            let folder = parent.folder.join(format!("{PREFIX}{}", name.trim_start_matches(PREFIX)));
            (0..TRIES).find_map(|_| self.try_to_join(parent.kind, &folder).ok())
        };
        let events: Vec<Event> = self.parents.iter().filter_map(joined).flatten().collect();
        let seen = events.iter().map(Event::count).collect();
        Group { events, seen: RefCell::new(seen) }
    }

    fn try_to_join(&self, kind: Kind, folder: &Path) -> io::Result<Vec<Event>> {
        if let Err(error) = fs::create_dir(folder)
            && error.kind() != io::ErrorKind::AlreadyExists
        {
            return Err(error);
        }
        let mut events = vec![];
        if let Some((memory, names)) = self.memory.zip(kind.memory())
            && limit(&folder.join(names.limit), memory)?
        {
            // Without it, a test would go on in the memory on disk.
            let _ = write(&folder.join(names.swap), if kind == Kind::Unified { 0 } else { memory });
            events.push(Event::of(&folder.join(names.events), names.key, Limit::Memory));
        }
        if let Some((processes, names)) = self.processes.zip(kind.processes())
            && limit(&folder.join(names.limit), processes)?
        {
            events.push(Event::of(&folder.join(names.events), names.key, Limit::Processes));
        }
        write(&folder.join("cgroup.procs"), 0)?;
        Ok(events)
    }
}

/// Returns those of each kind that are the nearest in which groups can be made.
fn first_that_work(candidates: Vec<(Kind, Vec<PathBuf>)>) -> Vec<Parent> {
    let found = |(kind, folders): (Kind, Vec<PathBuf>)| {
        let folder = folders.into_iter().find(|folder| works(kind, folder))?;
        Some(Parent { kind, folder })
    };
    candidates.into_iter().filter_map(found).collect()
}

/// Returns whether groups can be made here that limit something.
fn works(kind: Kind, folder: &Path) -> bool {
    let trial = folder.join(format!("{PREFIX}trial-{}", std::process::id()));
    let has = |name: &str| OpenOptions::new().write(true).open(trial.join(name)).is_ok();
    let names = kind.memory().into_iter().chain(kind.processes());
    let works = fs::create_dir(&trial).is_ok() && has("cgroup.procs") && names.map(|it| it.limit).any(has);
    let _ = fs::remove_dir(&trial);
    works
}

/// Writes a number to a file that is there.
fn write(file: &Path, number: u64) -> io::Result<()> {
    OpenOptions::new().write(true).open(file)?.write_all(number.to_string().as_bytes())
}

/// Sets a limit. Returns whether there is such a limit here: groups above may hand on one and keep the other.
fn limit(file: &Path, number: u64) -> io::Result<bool> {
    match write(file, number) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(false),
        done => done.map(|()| true),
    }
}

/// A group that this process is a member of.
#[derive(Default)]
pub(crate) struct Group {
    events: Vec<Event>,
    /// What was counted of each when it was asked last.
    seen: RefCell<Vec<u64>>,
}

/// What the kernel counts of a limit that something has run into.
struct Event {
    /// Where it is counted, which is asked after each test. `None`: nothing can be known.
    file: Option<File>,
    key: &'static str,
    limit: Limit,
}

/// A list of such counts is shorter.
const LONGEST: usize = 4096;

impl Event {
    fn of(file: &Path, key: &'static str, limit: Limit) -> Event {
        Event { file: File::open(file).ok(), key, limit }
    }

    fn count(&self) -> u64 {
        let mut text = [0; LONGEST];
        let length = self.file.as_ref().and_then(|file| file.read_at(&mut text, 0).ok()).unwrap_or(0);
        str::from_utf8(&text[..length]).map_or(0, |text| count(text, self.key))
    }
}

impl Group {
    /// Returns the limit that the kernel has held something to since this was asked last, if it has.
    pub(crate) fn reached(&self) -> Option<Limit> {
        let mut seen = self.seen.borrow_mut();
        let mut reached = None;
        for (event, seen) in self.events.iter().zip(seen.iter_mut()) {
            let count = event.count();
            if count > std::mem::replace(seen, count) {
                reached = reached.or(Some(event.limit));
            }
        }
        reached
    }
}

/// Returns the number that stands behind this word at the begin of a line; 0 if it does not stand there.
fn count(text: &str, key: &str) -> u64 {
    let lines = text.lines().filter_map(|line| line.split_once(' '));
    lines.filter(|(word, _)| *word == key).find_map(|(_, number)| number.trim().parse().ok()).unwrap_or(0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn limits() -> Limits {
        Limits {
            time: None,
            build_time: None,
            memory: Some(64 << 20),
            processes: Some(4),
            disk: Some(1 << 20),
            file_size: None,
            output: 1,
        }
    }

    #[test]
    fn a_limit_that_is_not_handed_on_does_not_keep_the_other_from_being_set() {
        let top = tempfile::tempdir().unwrap();
        let group = top.path().join("reduct-a");
        fake(&group, &["pids.max", "pids.events", "cgroup.procs"]);
        let parents = vec![Parent { kind: Kind::Unified, folder: top.path().into() }];
        let joined = Limited { parents, memory: Some(1 << 20), processes: Some(80) }.join("a");
        assert_eq!(fs::read_to_string(group.join("pids.max")).unwrap(), "80");
        fs::write(group.join("pids.events"), "max 1\n").unwrap();
        assert_eq!(joined.reached(), Some(Limit::Processes));
    }

    /// Makes what a group would have.
    fn fake(folder: &Path, files: &[&str]) {
        fs::create_dir_all(folder).unwrap();
        files.iter().for_each(|name| fs::write(folder.join(name), "").unwrap());
    }

    #[test]
    fn a_group_is_told_its_limits_and_heard_of_when_it_reaches_them() {
        let top = tempfile::tempdir().unwrap();
        let group = top.path().join("reduct-a");
        let files = ["memory.max", "memory.swap.max", "memory.events", "pids.max", "pids.events", "cgroup.procs"];
        fake(&group, &files);
        let parents = vec![Parent { kind: Kind::Unified, folder: top.path().into() }];
        let limited = Limited { parents, memory: Some(1 << 20), processes: Some(80) };
        let joined = limited.join("a");
        let read = |name: &str| fs::read_to_string(group.join(name)).unwrap();
        assert_eq!(files.map(read), ["1048576", "0", "", "80", "", "0"]);
        assert_eq!(joined.reached(), None);
        fs::write(group.join("memory.events"), "low 0\nhigh 0\nmax 7\noom 1\noom_kill 1\n").unwrap();
        assert_eq!(joined.reached(), Some(Limit::Memory));
        assert_eq!(joined.reached(), None, "the same again");
        fs::write(group.join("pids.events"), "max 2\n").unwrap();
        assert_eq!(joined.reached(), Some(Limit::Processes));
    }

    #[test]
    fn where_no_group_can_be_made_there_is_none() {
        let top = tempfile::tempdir().unwrap();
        assert!(!works(Kind::Unified, top.path()), "a folder is no group");
        assert_eq!(fs::read_dir(top.path()).unwrap().count(), 0, "the trial is gone");
        assert_eq!(first_that_work(vec![(Kind::Pids, vec![top.path().into(), "/nowhere".into()])]), []);
        let parents = vec![Parent { kind: Kind::Unified, folder: top.path().join("gone") }];
        assert_eq!(Limited { parents, memory: Some(1), processes: None }.join("a").reached(), None);
    }

    #[test]
    fn files_in_memory_count_for_the_kernel() {
        let memory = |in_memory| Limited::find(&limits(), in_memory).memory;
        assert_eq!((memory(false), memory(true)), (Some(64 << 20), Some(65 << 20)));
        let endless = Limits { memory: None, ..limits() };
        assert_eq!(Limited::find(&endless, true).memory, None);
    }

    #[test]
    fn groups_that_have_no_members_are_removed_and_others_are_not() {
        let top = tempfile::tempdir().unwrap();
        for name in ["reduct-left", "of-the-user"] {
            fs::create_dir(top.path().join(name)).unwrap();
        }
        // As the kernel, the system refuses to remove what has something in it.
        fake(&top.path().join("reduct-at-work"), &["member"]);
        let parents = vec![Parent { kind: Kind::Pids, folder: top.path().into() }];
        Limited { parents, ..Limited::default() }.sweep();
        let left = ["reduct-left", "of-the-user", "reduct-at-work"].map(|name| top.path().join(name).exists());
        assert_eq!(left, [false, true, true]);
    }

    #[test]
    fn counts_are_read_off_the_files_of_the_kernel() {
        let text = "oom_kill_disable 0\nunder_oom 0\noom_kill 12\n";
        assert_eq!(
            (count(text, "oom_kill"), count(text, "max"), count("", "max"), count("max x", "max")),
            (12, 0, 0, 0)
        );
    }
}
