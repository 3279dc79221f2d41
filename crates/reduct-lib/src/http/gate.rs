//! Who may be served, and what the others are told.
//!
//! Any page that makes a browser send something could answer, so a token is part of each address; other hosts (a name that was
//! made to point here) and other origins are refused.

use super::{Head, Response};
use std::fs::File;
use std::io::{self, Read};

/// Under `no-referrer`, a browser says of no form where it comes from.
pub(crate) const OURS: [(&str, &str); 2] =
    [("Referrer-Policy", "same-origin"), ("Cross-Origin-Resource-Policy", "same-origin")];

pub(crate) const NO_POLICY: &str = "default-src 'none'";

/// Why a request is not replied to with what it asks for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum TurnedAway {
    #[error("that is no answer\n")]
    NoAnswer,
    #[error("answers are taken from this page only\n")]
    OtherOrigin,
    #[error("this is served to 127.0.0.1 and localhost only\n")]
    OtherHost,
    #[error("there is nothing here\n")]
    Nothing,
    #[error("a page is read, and an answer is posted\n")]
    OtherMethod,
}

impl TurnedAway {
    pub(crate) fn status(self) -> u16 {
        match self {
            TurnedAway::NoAnswer => 400,
            TurnedAway::OtherOrigin | TurnedAway::OtherHost => 403,
            TurnedAway::Nothing => 404,
            TurnedAway::OtherMethod => 405,
        }
    }
}

/// Returns a response that may do what `policy` says.
pub(crate) fn response(
    status: u16,
    body: Vec<u8>,
    sort: &str,
    policy: &str,
    whose: &[(&'static str, &str)],
) -> Response {
    let all = [
        ("Content-Type", sort),
        ("Content-Security-Policy", policy),
        ("X-Content-Type-Options", "nosniff"),
        ("Cache-Control", "no-store"),
    ];
    let headers = all.iter().chain(whose).map(|(name, value)| (*name, (*value).to_owned())).collect();
    Response { status, headers, body }
}

/// Returns what those are told who may not be here: at another name, or without the token.
pub(crate) fn refused(head: &Head, root: &str) -> Option<Response> {
    let why = match &head.host {
        Some(host) if is_here(host) && head.target.starts_with(root) => return None,
        Some(host) if is_here(host) => TurnedAway::Nothing,
        _ => TurnedAway::OtherHost,
    };
    Some(response(why.status(), why.to_string().into(), "text/plain; charset=utf-8", NO_POLICY, &OURS))
}

/// Returns whether what is posted does not come from another page.
pub(crate) fn is_from_here(head: &Head) -> bool {
    let Some(host) = &head.host else { return false };
    head.origin.as_ref().is_none_or(|origin| *origin == format!("http://{host}"))
}

/// Returns what cannot be guessed.
pub(crate) fn token() -> io::Result<String> {
    let mut bytes = [0; 16];
    File::open("/dev/urandom")?.read_exact(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

/// Returns whether a host is this machine by its own name, at whatever port (it may be forwarded from another machine).
fn is_here(host: &str) -> bool {
    let name = host.rsplit_once(':').filter(|(_, port)| port.bytes().all(|c| c.is_ascii_digit()));
    let name = name.map_or(host, |(name, _)| name);
    ["127.0.0.1", "localhost", "[::1]"].contains(&name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_this_machine_by_its_own_names_is_here() {
        for host in ["127.0.0.1:4000", "localhost:1", "localhost", "[::1]:80", "[::1]"] {
            assert!(is_here(host), "{host}");
        }
        for host in ["evil.example:4000", "127.0.0.1.evil.example", "localhost:80@evil", "", "127.0.0.1:80:80"] {
            assert!(!is_here(host), "{host}");
        }
    }
}
