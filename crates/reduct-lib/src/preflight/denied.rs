//! What a test says of what is refused to it.

use reduct_oracle::Observed;
use reduct_report::confinement::{DeniedCall, Need};
use reduct_sandbox::refused::{CallTarget, RefusedCall};
use rustix::io::Errno;
use rustix::process::geteuid;

/// What programs say where they cannot use the network.
const NO_NETWORK: [&[u8]; 5] = [b"network", b"resolv", b"unreachable", b"connect", b"socket"];

/// What programs say where the system refuses them something else.
const REFUSED: [&[u8]; 5] =
    [b"read-only file system", b"permission denied", b"not permitted", b"no new privileges", b"cannot open display"];

/// What a test says of what is refused to it.
#[derive(Clone, Copy, Default)]
pub(crate) struct Denied {
    pub(super) network: bool,
    pub(super) other: bool,
    /// To copy a file that it changes, for one of a group that is not known to a user's own namespace.
    pub(super) copy: bool,
}

impl Denied {
    /// Returns what the runs of what fails say of it.
    pub(super) fn of(seen: &[Observed]) -> Denied {
        let said = |words: &[&[u8]]| seen.iter().take(1).any(|observed| says_one_of(observed, words));
        Denied {
            network: said(&NO_NETWORK),
            other: said(&REFUSED),
            copy: !geteuid().is_root() && said(&[b"value too large for defined data type"]),
        }
    }
}

/// So many calls are named.
const NAMED: usize = 4;

/// Returns the calls that tell what this is needed for. What is in progress when a call returns counts only if nothing else
/// tells.
pub(super) fn explaining(calls: &[RefusedCall], needs: &[Need]) -> Vec<DeniedCall> {
    // A program asks for sockets that no machine has, and goes on without them.
    let is_there = |call: &RefusedCall| match &call.about {
        CallTarget::Socket(path) => path.exists(),
        _ => true,
    };
    let is_of_one = |call: &RefusedCall| {
        is_there(call)
            && needs.iter().any(|need| match (need, &call.about) {
                (Need::Unknown, _) => true,
                (Need::Network | Need::Loopback, CallTarget::Address(_)) => true,
                (Need::Services(_), CallTarget::Socket(_)) => true,
                // A socket of the system stands in a folder that can only be read.
                (Need::ToChange { files, .. }, CallTarget::Path(path)) => files.contains(path),
                _ => false,
            })
    };
    let (pending, told): (Vec<&RefusedCall>, Vec<&RefusedCall>) =
        calls.iter().filter(|call| is_of_one(call)).partition(|call| call.error == Errno::INPROGRESS.raw_os_error());
    let has_address = told.iter().any(|call| matches!(call.about, CallTarget::Address(_)));
    let also = pending.into_iter().filter(|_| !has_address);
    told.into_iter().chain(also).take(NAMED).map(denied).collect()
}

fn denied(RefusedCall { call, about, error, .. }: &RefusedCall) -> DeniedCall {
    let about = match about {
        CallTarget::Path(path) | CallTarget::Socket(path) => path.display().to_string(),
        CallTarget::Address(address) => address.clone(),
    };
    // The call returns before there is an answer; what came of it is not seen.
    let why = if *error == Errno::INPROGRESS.raw_os_error() {
        "no connection yet".to_owned()
    } else {
        let why = std::io::Error::from_raw_os_error(*error).to_string();
        why.split(" (os error").next().unwrap_or_default().to_owned()
    };
    DeniedCall { call: call.clone(), about, why }
}

/// Returns whether a test says one of these words.
fn says_one_of(observed: &Observed, words: &[&[u8]]) -> bool {
    let said = [&observed.stdout[..], &observed.stderr[..]].concat().to_ascii_lowercase();
    words.iter().any(|word| said.windows(word.len()).any(|part| part == *word))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn calls_are_named_that_tell_what_is_needed() {
        let call = |call: &str, about: CallTarget, error: Errno| RefusedCall::new(call, about, error.raw_os_error());
        let address = |text: &str| CallTarget::Address(text.into());
        let pending = call("connect", address("127.0.0.1:1"), Errno::INPROGRESS);
        let refused = call("connect", address("127.0.0.1:2"), Errno::CONNREFUSED);
        let opened = call("openat", CallTarget::Path("/usr/x".into()), Errno::ROFS);
        let all = [pending.clone(), refused, opened];
        let named = |calls: &[RefusedCall], needs: &[Need]| -> Vec<String> {
            explaining(calls, needs).into_iter().map(|call| call.about).collect()
        };
        let change = Need::ToChange { files: vec!["/usr/x".into()], allow: vec!["/usr".into()] };
        assert_eq!(named(&all, &[Need::Network]), ["127.0.0.1:2"]);
        assert_eq!(named(&all, &[Need::Loopback, change]), ["127.0.0.1:2", "/usr/x"]);
        assert_eq!(named(&[pending], &[Need::Network]), ["127.0.0.1:1"]);
        assert_eq!(explaining(&all, &[Need::Network])[0].why, "Connection refused");
    }
}
