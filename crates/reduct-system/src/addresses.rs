//! Where the memory of a program lies. The system gives it other addresses each time, and with them another room for the
//! stack: what overflows it then does so at another depth in each run. gdb and rr switch that off, too.

use std::thread;

/// In what personality(2) takes: nothing is changed.
const ASK: libc::c_ulong = 0xffff_ffff;

/// Gives the memory of all that is started from this thread on the same addresses each time. Whether that is allowed: some
/// containers forbid it.
pub fn fix() -> bool {
    // SAFETY: the call takes a number and returns one; with this one it changes nothing.
    let Ok(now) = libc::c_ulong::try_from(unsafe { libc::personality(ASK) }) else { return false };
    let fixed = now | libc::ADDR_NO_RANDOMIZE as libc::c_ulong;
    // SAFETY: the flag is looked at when this thread, or a child of it, starts a program; nothing of this process moves.
    unsafe { libc::personality(fixed) >= 0 }
}

/// Returns whether [`fix`] is allowed here.
pub fn can_be_fixed() -> bool {
    // What a thread sets is its own, and goes with it.
    thread::Builder::new().spawn(fix).ok().and_then(|thread| thread.join().ok()).unwrap_or(false)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::process::Command;

    #[test]
    fn programs_started_from_there_on_lie_where_they_lay() {
        let lies = || {
            let maps = Command::new("grep").args(["-F", "[stack]", "/proc/self/maps"]).output().unwrap().stdout;
            String::from_utf8(maps).unwrap()
        };
        let lay = thread::spawn(move || (fix(), lies(), lies())).join().unwrap();
        assert!(!lay.1.is_empty());
        assert!(!lay.0 || lay.1 == lay.2, "{lay:?}");
    }
}
