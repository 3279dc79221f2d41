//! Where a program died, in the words of a shell: by its report, else by gdb.

use super::{Demand, word};
use crate::Death;
use crate::frames::Spot;
use crate::signature::{Signature, signal_name};
use std::ffi::OsStr;

const ANYWHERE: &str = "its functions may be called in another order, on other lines, or by others in between";

const NO_PLACE: &str = "where a program dies is not asked";

/// The function that asks gdb, once, where a command line dies; what is in braces is filled in.
const DIED_IN: &str = "died_in() {\n    \
    [ -e \"$said_in/at\" ] || timeout -s KILL {seconds} gdb -nx -nh -q -batch -iex 'set debuginfod enabled off' \
    -iex 'set width 0' -ex 'handle all nostop noprint pass' -ex 'handle SIG{signal} stop nopass' -ex run -ex bt \
    --args {command} >\"$said_in/at\" 2>/dev/null\n    \
    LC_ALL=C grep -F -e \"$1\" \"$said_in/at\" >/dev/null\n}\n";

/// Returns the demand that it happened in these functions.
pub(super) fn of(signature: &Signature) -> Demand {
    if signature.frames.is_empty() {
        return Demand::default();
    }
    let named: Vec<&Spot> = signature.frames.iter().filter(|spot| spot.stack().is_none()).collect();
    let died = signature.death().filter(|_| signature.report.is_none());
    if named.is_empty() || matches!(died, Some(Death::Below(_) | Death::Hidden { .. })) {
        return Demand { notes: vec![NO_PLACE], ..Demand::default() };
    }
    let names = named.iter().map(|spot| word(OsStr::new(&spot.name)));
    let function = if died.is_some() { "died_in" } else { "named" };
    let holds = names.map(|name| format!("{function} {name}")).collect();
    Demand { holds, reads: true, notes: vec![ANYWHERE], died, ..Demand::default() }
}

/// Returns what asks gdb, once, where this command line dies.
pub(super) fn asks_gdb(death: Death, seconds: u128, command: &str) -> String {
    let filled = DIED_IN.replace("{seconds}", &seconds.to_string());
    // The command comes last: what stands in it stays as it is.
    filled.replace("{signal}", &signal_name(death.signal())).replace("{command}", command)
}
