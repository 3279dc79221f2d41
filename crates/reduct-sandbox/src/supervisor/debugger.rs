//! gdb: how it is called, and what it says of where a program died.

use crate::died;
use crate::faults::NoBacktrace;
use crate::local::protocol::Blobs;
use reduct_oracle::reports::gdb::ASKED;
use reduct_oracle::signature::signal_name;
use reduct_oracle::{Death, Exit};
use std::ffi::OsString;

/// Stands before and after the backtrace, among what the program wrote.
const MARK: &str = "@@ where it died @@";

/// Before the program is loaded: gdb reads no file of anybody, executes nothing that comes with a program, asks no
/// server for symbols and wraps no lines.
const EARLY: [&str; 5] = [
    "set auto-load off",
    "set debuginfod enabled off",
    "set width 0",
    // With the symbols of the C library it takes four times as long, and its functions do not count.
    "set debug-file-directory /nonexistent",
    // Threads are seen without it; with it, gdb loads code of the program's system.
    "set libthread-db-search-path /nonexistent",
];

/// Addresses stay as random as they are without gdb, and only what is looked for stops the program.
const SETTINGS: [&str; 8] = [
    "set startup-with-shell on",
    "set disable-randomization off",
    "set print frame-arguments none",
    "set print address off",
    "set print entry-values no",
    "set filename-display absolute",
    // Any function may call itself.
    "set backtrace past-main on",
    "handle all nostop noprint pass",
];

/// Returns the command line that runs `argv` until it dies, or a program below it does, and says where.
pub(super) fn argv(argv: Vec<OsString>, death: Death) -> Vec<OsString> {
    let mut words: Vec<OsString> = ["gdb", "-nx", "-nh", "-q", "-batch"].map(OsString::from).into();
    let mut add = |option: &str, line: &str| words.extend([option.into(), line.into()]);
    EARLY.iter().for_each(|line| add("-iex", line));
    SETTINGS.iter().for_each(|line| add("-ex", line));
    let says = [&format!("echo \\n{MARK}\\n"), &format!("bt {ASKED}"), &format!("echo {MARK}\\n")];
    if let Death::Itself(signal) = death {
        add("-ex", &format!("handle SIG{} stop nopass", signal_name(signal)));
        add("-ex", "run");
        says.iter().for_each(|line| add("-ex", line));
        // A shell, which gdb knows how to load, and which replaces itself with any program or script.
        words.extend(["--args", "/bin/sh", "-c", "exec \"$@\"", "sh"].map(OsString::from));
        words.extend(argv);
        return words;
    }
    says.iter().for_each(|line| add("-ex", line));
    add("-ex", "kill");
    words.push("-p".into());
    died::argv(death.signal(), &words, argv)
}

/// Returns of which death a backtrace is to be taken instead, if these frames are those of a program that may have killed itself by the signal by which
/// another one has died that it ran, as `timeout` does: it was in a library, and nothing of the program is known.
pub(crate) fn passed_on(death: Death, frames: &str) -> Option<Death> {
    let Death::Itself(signal) = death else { return None };
    let frames: Vec<&str> = frames.lines().filter(|line| line.starts_with('#')).collect();
    let is_of_library = |frame: &str| frame.contains(") from ");
    let is_unknown = |frame: &str| is_of_library(frame) || frame.contains("?? ()");
    let is_in_library = frames.first().is_some_and(|frame| is_of_library(frame));
    let is_passed_on = is_in_library && frames.iter().all(|frame| is_unknown(frame)) && signal != libc::SIGABRT;
    is_passed_on.then_some(Death::Below(signal))
}

/// Returns what it said, or why it did not.
pub(crate) fn backtrace(exit: &Exit, [stdout, stderr]: &Blobs) -> Result<String, NoBacktrace> {
    if matches!(exit, Exit::NotStarted(_) | Exit::Code(died::NO_DEBUGGER)) {
        return Err(NoBacktrace::NoDebugger);
    }
    let (said, complaints) = (String::from_utf8_lossy(stdout), String::from_utf8_lossy(stderr));
    // The program may have written the same; gdb is the last to write.
    let mut parts = said.rsplit(MARK).skip(1);
    match parts.next().map(str::trim) {
        Some(frames) if frames.starts_with('#') => Ok(frames.to_owned()),
        _ if complaints.contains("ptrace") || complaints.contains("trace the inferior") => Err(NoBacktrace::Forbidden),
        Some(_) => Err(NoBacktrace::DidNotDie),
        None if *exit == Exit::Code(0) => Err(NoBacktrace::DidNotDie),
        None => Err(NoBacktrace::Unfinished),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_that_kills_itself_may_pass_on_how_another_one_died() {
        let timeout = "#0  0x00007ffff7e5eeec in ?? () from /lib/x86_64-linux-gnu/libc.so.6\n\
                       #1  0x00007ffff7e0ffb2 in raise () from /lib/x86_64-linux-gnu/libc.so.6\n#2  0x0000555555556a76 in ?? ()\n";
        let own = "#0  raise () from libc.so.6\n#1  handler () at crash.c:7\n#2  main () at crash.c:9\n";
        let fault = "#0  0x0000555555555172 in last (n=0x0) at crash.c:4\n#1  main () at crash.c:11\n";
        assert_eq!(passed_on(Death::Itself(libc::SIGSEGV), timeout), Some(Death::Below(libc::SIGSEGV)));
        let unread = "#0  ?? () from /lib/libc.so.6\nBacktrace stopped: Cannot access memory at address 0x7fffffffe2d8";
        assert_eq!(passed_on(Death::Itself(libc::SIGSEGV), unread), Some(Death::Below(libc::SIGSEGV)));
        assert_eq!(passed_on(Death::Itself(libc::SIGABRT), timeout), None);
        assert_eq!(passed_on(Death::Below(libc::SIGSEGV), timeout), None);
        assert_eq!(passed_on(Death::Itself(libc::SIGSEGV), own), None);
        assert_eq!(passed_on(Death::Itself(libc::SIGSEGV), fault), None);
    }
}
