//! The system calls that a confinement refuses, and what their arguments name.

use crate::traced::{SystemCall, bytes_at, path_of};
use nix::unistd::Pid;
use serde::{Deserialize, Serialize};
use std::ffi::OsString;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::os::unix::ffi::OsStringExt;
use std::path::PathBuf;

/// A call that the system has refused.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[non_exhaustive]
pub struct RefusedCall {
    /// Its name, as in its manual page.
    pub call: String,
    /// What it was about.
    pub about: CallTarget,
    /// The number of the error.
    pub error: i32,
}

impl RefusedCall {
    /// Returns the call of this name, which was about this, and was refused with this error.
    pub fn new(call: impl Into<String>, about: CallTarget, error: i32) -> RefusedCall {
        RefusedCall { call: call.into(), about, error }
    }
}

/// What a call was about.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum CallTarget {
    /// A file or folder that it was to make or to change.
    Path(#[serde(with = "reduct_system::os_path")] PathBuf),
    /// A Unix socket that it was to be connected to.
    Socket(#[serde(with = "reduct_system::os_path")] PathBuf),
    /// An address of the network, or a kind of them.
    Address(String),
}

/// A call that has begun.
#[derive(Clone, Debug)]
pub(super) struct Call {
    name: &'static str,
    about: CallTarget,
}

/// What an argument of a call names.
#[derive(Clone, Copy)]
enum Names {
    /// A path, relative to the working folder.
    Path(usize),
    /// A path, relative to a folder.
    PathAt(usize, usize),
    /// A path to be opened, with how.
    Opened(Option<usize>, usize, usize),
    /// An address, with its length.
    Address(usize, usize),
    /// A kind of sockets.
    Family(usize),
}

/// Calls that a confinement may refuse.
const CALLS: &[(i64, &str, Names)] = &[
    (libc::SYS_connect, "connect", Names::Address(1, 2)),
    (libc::SYS_sendto, "sendto", Names::Address(4, 5)),
    (libc::SYS_socket, "socket", Names::Family(0)),
    (libc::SYS_openat, "openat", Names::Opened(Some(0), 1, 2)),
    (libc::SYS_mkdirat, "mkdirat", Names::PathAt(0, 1)),
    (libc::SYS_mknodat, "mknodat", Names::PathAt(0, 1)),
    (libc::SYS_unlinkat, "unlinkat", Names::PathAt(0, 1)),
    (libc::SYS_renameat2, "renameat2", Names::PathAt(2, 3)),
    (libc::SYS_renameat, "renameat", Names::PathAt(2, 3)),
    (libc::SYS_linkat, "linkat", Names::PathAt(2, 3)),
    (libc::SYS_symlinkat, "symlinkat", Names::PathAt(1, 2)),
    (libc::SYS_fchmodat, "fchmodat", Names::PathAt(0, 1)),
    (libc::SYS_fchownat, "fchownat", Names::PathAt(0, 1)),
    (libc::SYS_utimensat, "utimensat", Names::PathAt(0, 1)),
    (libc::SYS_truncate, "truncate", Names::Path(0)),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_open, "open", Names::Opened(None, 0, 1)),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_creat, "creat", Names::Path(0)),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_mkdir, "mkdir", Names::Path(0)),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_mknod, "mknod", Names::Path(0)),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_unlink, "unlink", Names::Path(0)),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_rmdir, "rmdir", Names::Path(0)),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_rename, "rename", Names::Path(1)),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_link, "link", Names::Path(1)),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_symlink, "symlink", Names::Path(1)),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_chmod, "chmod", Names::Path(0)),
    #[cfg(target_arch = "x86_64")]
    (libc::SYS_chown, "chown", Names::Path(0)),
];

/// What is said where a file may not be changed.
const NOT_CHANGED: [i32; 4] = [libc::EACCES, libc::EPERM, libc::EROFS, libc::EOVERFLOW];
/// And where an address or a socket cannot be reached.
const NOT_REACHED: [i32; 7] = [
    libc::EACCES,
    libc::EPERM,
    libc::ENETUNREACH,
    libc::EHOSTUNREACH,
    libc::ECONNREFUSED,
    libc::EADDRNOTAVAIL,
    libc::EINPROGRESS,
];

impl Call {
    /// Returns a call that begins. `None` if it is none that a confinement refuses.
    pub(super) fn begun(pid: Pid, SystemCall { number, arguments }: &SystemCall) -> Option<Call> {
        let (_, name, names) = CALLS.iter().find(|(known, ..)| known == number)?;
        let folder = |at: Option<usize>| at.map_or(libc::AT_FDCWD, |at| arguments[at] as i32);
        let about = match *names {
            Names::Path(path) => CallTarget::Path(path_of(pid, libc::AT_FDCWD, arguments[path])?),
            Names::PathAt(at, path) => CallTarget::Path(path_of(pid, folder(Some(at)), arguments[path])?),
            Names::Opened(at, path, how) => {
                let how = arguments[how] as i32;
                let writes = how & libc::O_ACCMODE != libc::O_RDONLY || how & (libc::O_CREAT | libc::O_TRUNC) != 0;
                CallTarget::Path(writes.then(|| path_of(pid, folder(at), arguments[path]))??)
            }
            Names::Address(address, length) => {
                let length = usize::try_from(arguments[length]).ok()?.min(size_of::<libc::sockaddr_un>());
                address_of(&bytes_at(pid, arguments[address], length)?)?
            }
            Names::Family(family) => family_of(arguments[family] as i32)?,
        };
        Some(Call { name, about })
    }

    /// Returns whether a confinement may be why it ends with this error.
    pub(super) fn is_refused_by(&self, error: i32) -> bool {
        match self.about {
            CallTarget::Path(_) => NOT_CHANGED.contains(&error),
            CallTarget::Socket(_) => NOT_REACHED.contains(&error) || error == libc::ENOENT,
            CallTarget::Address(_) => NOT_REACHED.contains(&error),
        }
    }

    pub(super) fn refused(self, error: i32) -> Option<RefusedCall> {
        Some(RefusedCall::new(self.name, self.about, error))
    }
}

/// Returns the kind of sockets with addresses of the network that this is, as its manual page calls it. `None` if it is
/// another one.
fn family_of(family: i32) -> Option<CallTarget> {
    match family {
        libc::AF_INET => Some(CallTarget::Address("AF_INET".into())),
        libc::AF_INET6 => Some(CallTarget::Address("AF_INET6".into())),
        _ => None,
    }
}

/// Returns what an address names, as the kernel is given it. `None` if it is of another kind.
fn address_of(bytes: &[u8]) -> Option<CallTarget> {
    let (family, rest) = bytes.split_at_checked(2)?;
    let port = || rest.first_chunk().map(|port| u16::from_be_bytes(*port));
    let ip: IpAddr = match i32::from(u16::from_ne_bytes(family.try_into().ok()?)) {
        libc::AF_INET => Ipv4Addr::from(*rest.get(2..6)?.first_chunk::<4>()?).into(),
        libc::AF_INET6 => Ipv6Addr::from(*rest.get(6..22)?.first_chunk::<16>()?).into(),
        libc::AF_UNIX if rest.first().is_some_and(|first| *first != 0) => {
            let end = rest.iter().position(|byte| *byte == 0).unwrap_or(rest.len());
            return Some(CallTarget::Socket(OsString::from_vec(rest[..end].to_vec()).into()));
        }
        _ => return None,
    };
    Some(CallTarget::Address(SocketAddr::new(ip, port()?).to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_are_read_as_the_kernel_is_given_them() {
        let family = |family: i32| (family as u16).to_ne_bytes().to_vec();
        let four = [family(libc::AF_INET), vec![0x15, 0x38, 127, 0, 0, 1], vec![0; 8]].concat();
        assert_eq!(address_of(&four), Some(CallTarget::Address("127.0.0.1:5432".into())));
        let six = [family(libc::AF_INET6), vec![0, 80], vec![0; 4], vec![0; 15], vec![1], vec![0; 4]].concat();
        assert_eq!(address_of(&six), Some(CallTarget::Address("[::1]:80".into())));
        let unix = [family(libc::AF_UNIX), b"/run/x.sock\0junk".to_vec()].concat();
        assert_eq!(address_of(&unix), Some(CallTarget::Socket("/run/x.sock".into())));
        assert_eq!(family_of(libc::AF_INET6), Some(CallTarget::Address("AF_INET6".into())));
        assert_eq!(family_of(libc::AF_UNIX), None);
        let of_another_kind = [family(libc::AF_UNIX), b"\0abstract".to_vec()].concat();
        for none in [&of_another_kind[..], &four[..5], &[], &[0]] {
            assert_eq!(address_of(none), None);
        }
    }
}
