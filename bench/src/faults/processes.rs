//! The processes of a run: found by their parents and by a variable, and killed.

use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::Path;
use std::process::Child;

/// What is killed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Target {
    Program,
    Supervisors,
    Both,
}

/// Kills it. Returns whether there was something to be killed.
pub(super) fn kill(child: &Child, target: Target) -> bool {
    let program = child.id();
    let supervisors = if target == Target::Program { vec![] } else { supervisors(program) };
    let mut killed = false;
    if target != Target::Supervisors {
        killed |= send_kill(program);
    }
    for supervisor in supervisors {
        killed |= send_kill(supervisor);
    }
    killed
}

/// Returns the processes that have this variable with the path of a folder, as their numbers and names.
pub(crate) fn of_tag(variable: &str, folder: &Path) -> Vec<String> {
    let tag = [variable.as_bytes(), b"=", folder.as_os_str().as_bytes()].concat();
    let has_tag = |process: &u32| {
        let environment = fs::read(format!("/proc/{process}/environ")).unwrap_or_default();
        environment.split(|byte| *byte == 0).any(|one| one == tag)
    };
    let name = |process: u32| {
        format!("{process} {}", fs::read_to_string(format!("/proc/{process}/comm")).unwrap_or_default().trim())
    };
    all().into_iter().filter(has_tag).map(name).collect()
}

/// Returns the children of the program that are supervisors.
fn supervisors(program: u32) -> Vec<u32> {
    let is_supervisor = |process: &u32| {
        fs::read_to_string(format!("/proc/{process}/comm")).is_ok_and(|name| name.trim() == "reduct-slot")
            && parent(*process) == Some(program)
    };
    all().into_iter().filter(is_supervisor).collect()
}

fn parent(process: u32) -> Option<u32> {
    let about = fs::read_to_string(format!("/proc/{process}/stat")).ok()?;
    // The name may hold anything; what follows it begins with the state.
    about.rsplit_once(')')?.1.split_ascii_whitespace().nth(1)?.parse().ok()
}

fn all() -> Vec<u32> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok()).collect()
}

fn send_kill(process: u32) -> bool {
    // SAFETY: the call takes two numbers; a process of this number that has ended is not reaped before its parent waits.
    libc::pid_t::try_from(process).is_ok_and(|process| unsafe { libc::kill(process, libc::SIGKILL) } == 0)
}
