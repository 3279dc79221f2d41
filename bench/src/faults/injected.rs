//! Errors of the system, injected by strace(1) at one call after the other: a run ends right, or with an error that says what
//! is wrong, and goes on without them to the right result.

use super::kinds::{KINDS, Kind};
use super::{Bench, PATIENCE, Undisturbed, undisturbed, wait};
use std::path::Path;
use std::process::{Child, Command};

/// The calls that fail, with the errors that they fail with.
const CALLS: [(&str, &[&str]); 17] = [
    ("openat", &["EMFILE", "ENOSPC", "EIO", "EACCES"]),
    ("write", &["ENOSPC", "EIO", "EAGAIN"]),
    ("pwrite64", &["ENOSPC", "EIO"]),
    ("read", &["EIO"]),
    ("fsync", &["EIO", "ENOSPC"]),
    ("fdatasync", &["EIO", "ENOSPC"]),
    ("rename", &["EIO", "ENOSPC"]),
    ("renameat2", &["EIO", "ENOSPC"]),
    ("mkdirat", &["ENOSPC", "EIO", "EMFILE"]),
    ("mkdir", &["ENOSPC", "EIO"]),
    ("unlinkat", &["EIO", "EBUSY"]),
    ("ftruncate", &["EIO", "ENOSPC"]),
    ("clone3", &["EAGAIN", "ENOMEM"]),
    ("clone", &["EAGAIN", "ENOMEM"]),
    ("execve", &["ETXTBSY", "EAGAIN", "ENOMEM"]),
    ("sendmsg", &["EPIPE", "ENOBUFS"]),
    ("mmap", &["ENOMEM"]),
];

/// At which of its calls an error is injected into each process.
const TIMES: [u32; 8] = [1, 2, 4, 9, 20, 45, 100, 230];

/// The exit statuses that are documented.
const STATUSES: [i32; 5] = [0, 1, 2, 3, 4];

/// Injects them all. Prints what is not as it should be, and returns how many runs
/// there were, and how often that was so.
///
/// # Errors
/// If a run cannot be made.
pub(super) fn run(program: &Path) -> Result<(u64, u64), String> {
    let kind = &KINDS[0];
    let known = undisturbed(program, kind)?;
    let (mut runs, mut bad) = (0, 0);
    for (call, errors) in CALLS {
        for error in errors {
            // The first ones are the loader's, before there is a program.
            for time in TIMES.into_iter().filter(|time| call != "mmap" || *time > 20) {
                runs += 1;
                let inject = format!("{call}:error={error}:when={time}");
                if let Some(what) = one(program, kind, &known, &inject, runs)? {
                    println!("{call} {error} at {time}: {what}");
                    bad += 1;
                }
            }
        }
    }
    Ok((runs, bad))
}

/// Makes one run. Returns what was not as it should be.
fn one(
    program: &Path,
    kind: &'static Kind,
    known: &Undisturbed,
    inject: &str,
    number: u64,
) -> Result<Option<String>, String> {
    let bench = Bench::new(program, kind, 1_000_000 + number)?;
    let bad = look(&bench, known, start(&bench, inject)?)?;
    let _ = std::fs::remove_dir_all(&bench.folder);
    Ok(bad)
}

/// Starts the program under strace, which injects an error into each of its processes.
fn start(bench: &Bench<'_>, inject: &str) -> Result<Child, String> {
    let call = inject.split(':').next().unwrap_or_default();
    let mut command = Command::new("strace");
    command
        // With a filter of the kernel's, no other call takes longer.
        .args(["-f", "--seccomp-bpf", "-qq", "-o", "/dev/null"])
        .args(["-e", &format!("trace={call}"), "-e", &format!("inject={inject}")])
        .arg(bench.program)
        .args(bench.words());
    bench.start_as(&mut command).map_err(|error| format!("{error} (the campaign needs strace)"))
}

fn look(bench: &Bench<'_>, known: &Undisturbed, mut child: Child) -> Result<Option<String>, String> {
    let Some(status) = wait(&mut child, PATIENCE) else {
        let _ = child.kill();
        return Ok(Some("it hangs".into()));
    };
    let said = bench.said();
    // What fails before its first line is none of its doing.
    if said.contains("error while loading shared libraries") {
        return Ok(None);
    }
    if bench.all_said().contains("panicked") {
        return Ok(Some(format!("it panics: {said}")));
    }
    if status.code().is_none_or(|code| !STATUSES.contains(&code)) {
        return Ok(Some(format!("{status}: {said}")));
    }
    if bench.result().is_some_and(|best| !(bench.kind.fails)(&best)) {
        return Ok(Some(format!("its result does not fail: {said}")));
    }
    if status.code() == Some(0) {
        let is_right = bench.result().is_some_and(|result| result == known.result);
        return Ok((!is_right).then(|| format!("the result is another one: {said}")));
    }
    // It goes on, or if there is no run yet, begins.
    for words in [bench.kind.resume.to_vec(), bench.words()] {
        let mut child = bench.start(&words)?;
        if wait(&mut child, PATIENCE).is_some_and(|status| status.code() == Some(0)) {
            let is_right = bench.result().is_some_and(|result| result == known.result);
            return Ok((!is_right).then(|| format!("it does not go on to the result: {said}")));
        }
    }
    Ok(Some(format!("it does not go on: {}", bench.said())))
}
