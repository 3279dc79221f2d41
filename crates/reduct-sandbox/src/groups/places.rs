//! Where groups of processes can be made: the groups that this process is in, and those above it.

use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};

/// One of the interfaces of the kernel.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Kind {
    /// Version 2: one tree for all limits.
    Unified,
    /// Version 1, with a tree for memory.
    Memory,
    /// Version 1, with a tree for processes.
    Pids,
}

/// The files of a limit.
pub(super) struct Names {
    pub limit: &'static str,
    /// The limit of memory and what of it lies on disk together; in version 2, of that alone.
    pub swap: &'static str,
    pub events: &'static str,
    /// What is counted in the file of events each time that the kernel holds something to the limit.
    pub key: &'static str,
}

impl Kind {
    /// Returns the files of the limit of memory, if it has one (`Documentation/admin-guide/cgroup-v2.rst` and
    /// `cgroup-v1/memory.rst` of Linux).
    pub(super) fn memory(self) -> Option<Names> {
        let names = |limit, swap, events| Some(Names { limit, swap, events, key: "oom_kill" });
        match self {
            Kind::Unified => names("memory.max", "memory.swap.max", "memory.events"),
            Kind::Memory => names("memory.limit_in_bytes", "memory.memsw.limit_in_bytes", "memory.oom_control"),
            Kind::Pids => None,
        }
    }

    /// Returns the files of the limit of processes, if it has one (`cgroup-v1/pids.rst` of Linux).
    pub(super) fn processes(self) -> Option<Names> {
        let names = Names { limit: "pids.max", swap: "", events: "pids.events", key: "max" };
        (self != Kind::Memory).then_some(names)
    }

    fn controller(self) -> &'static str {
        match self {
            Kind::Unified => "",
            Kind::Memory => "memory",
            Kind::Pids => "pids",
        }
    }
}

/// Returns the folders of groups in which groups may be made, the nearest ones first. `own` is the text of
/// `/proc/self/cgroup`, `mounts` that of `/proc/self/mountinfo`.
pub(super) fn candidates(own: &str, mounts: &str) -> Vec<(Kind, Vec<PathBuf>)> {
    let folders = |kind: Kind| {
        let (point, root) = mounts.lines().find_map(|line| mounted(line, kind))?;
        let group = own.lines().find_map(|line| member(line, kind))?;
        // In a container, what is mounted may be a part of the tree, and the group be named from its top, or from outside.
        let below = Path::new(&group).strip_prefix(&root).unwrap_or(Path::new(""));
        let nearest = point.join(below.strip_prefix("/").unwrap_or(below));
        let all = nearest.ancestors().take_while(|folder| folder.starts_with(&point)).map(Path::to_owned).collect();
        Some((kind, all))
    };
    [Kind::Unified, Kind::Memory, Kind::Pids].into_iter().filter_map(folders).collect()
}

/// Returns where a tree is mounted, and which part of it, if this line of the list of mounts says so
/// (proc_pid_mountinfo(5)).
fn mounted(line: &str, kind: Kind) -> Option<(PathBuf, PathBuf)> {
    let (mount, system) = line.split_once(" - ")?;
    let mut fields = mount.split(' ').skip(3);
    let (root, point) = (fields.next()?, fields.next()?);
    let mut fields = system.split(' ');
    let (name, options) = (fields.next()?, fields.nth(1)?);
    let is_it = match kind {
        Kind::Unified => name == "cgroup2",
        _ => name == "cgroup" && options.split(',').any(|option| option == kind.controller()),
    };
    // A path with a blank or the like in it is written in another way; no such tree is mounted at one.
    (is_it && !point.contains('\\')).then(|| (point.into(), root.into()))
}

/// Returns the group that this process is a member of, if this line says so (`number:controllers:path`).
fn member(line: &str, kind: Kind) -> Option<String> {
    let mut fields = line.splitn(3, ':');
    let (number, controllers, path) = (fields.next()?, fields.next()?, fields.next()?);
    let is_it = match kind {
        Kind::Unified => number == "0" && controllers.is_empty(),
        _ => controllers.split(',').any(|controller| controller == kind.controller()),
    };
    is_it.then(|| path.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(all: &[&str]) -> Vec<PathBuf> {
        all.iter().map(PathBuf::from).collect()
    }

    #[test]
    fn the_groups_of_a_user_of_systemd_are_found() {
        let own = "0::/user.slice/user-1000.slice/user@1000.service/app.slice/run.scope\n";
        let mounts = "25 1 0:23 / /proc rw - proc proc rw\n\
                      31 22 0:26 / /sys/fs/cgroup rw,nosuid shared:4 - cgroup2 cgroup2 rw,nsdelegate\n";
        let app = "/sys/fs/cgroup/user.slice/user-1000.slice/user@1000.service/app.slice";
        let [(Kind::Unified, found)] = &candidates(own, mounts)[..] else { panic!("one tree") };
        assert_eq!(found[..2], paths(&[&format!("{app}/run.scope"), app]));
        assert_eq!(found.last(), Some(&PathBuf::from("/sys/fs/cgroup")));
    }

    #[test]
    fn each_tree_of_version_1_is_found() {
        let own = "12:cpu,cpuacct:/\n8:pids:/\n4:memory:/jobs/a:b\n1:name=systemd:/\n0::/\n";
        let mounts = "40 30 0:30 / /sys/fs/cgroup/memory rw - cgroup cgroup rw,memory\n\
                      41 30 0:31 / /sys/fs/cgroup/pids rw shared:2 master:3 - cgroup cgroup rw,pids\n";
        let memory = "/sys/fs/cgroup/memory";
        let expected = vec![
            (Kind::Memory, paths(&[&format!("{memory}/jobs/a:b"), &format!("{memory}/jobs"), memory])),
            (Kind::Pids, paths(&["/sys/fs/cgroup/pids"])),
        ];
        assert_eq!(candidates(own, mounts), expected);
    }

    #[test]
    fn in_a_container_a_part_of_the_tree_is_mounted() {
        let mounts = "40 30 0:30 /docker/abc /sys/fs/cgroup ro - cgroup2 cgroup rw\n";
        let found = |own: &str| candidates(own, mounts);
        let top = paths(&["/sys/fs/cgroup"]);
        assert_eq!(found("0::/docker/abc\n"), [(Kind::Unified, top.clone())]);
        assert_eq!(found("0::/\n"), [(Kind::Unified, top.clone())], "it has a namespace of its own");
        assert_eq!(found("0::/docker/abc/x\n"), [(Kind::Unified, paths(&["/sys/fs/cgroup/x", "/sys/fs/cgroup"]))]);
    }

    #[test]
    fn damaged_lists_have_no_groups_or_some() {
        let mut state = 7u64;
        for _ in 0..5000 {
            let mut text = || {
                (0..40)
                    .map(|_| {
                        state = state.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
                        [":", "0", "/", " ", " - ", "cgroup2", "cgroup", "memory", ",", "\n"]
                            [(state >> 33) as usize % 10]
                    })
                    .collect::<String>()
            };
            candidates(&text(), &text());
        }
        assert_eq!(candidates("", ""), []);
    }
}
