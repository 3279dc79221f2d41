//! What a test says of what is refused to it.

use reduct_oracle::Observed;
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

/// Returns whether a test says one of these words.
fn says_one_of(observed: &Observed, words: &[&[u8]]) -> bool {
    let said = [&observed.stdout[..], &observed.stderr[..]].concat().to_ascii_lowercase();
    words.iter().any(|word| said.windows(word.len()).any(|part| part == *word))
}
