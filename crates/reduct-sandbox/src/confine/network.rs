//! The network of tests: one of their own, or none but Unix sockets.

use seccompiler::{
    BpfProgram, SeccompAction, SeccompCmpArgLen, SeccompCmpOp, SeccompCondition, SeccompFilter, SeccompRule,
};
use std::io;
use std::os::fd::AsRawFd;

/// Switches the loopback device on, in a network namespace that was just made.
///
/// # Errors
/// If the system refuses it.
pub(super) fn bring_loopback_up() -> io::Result<()> {
    use rustix::net::{AddressFamily, SocketFlags, SocketType, socket_with};
    let socket = socket_with(AddressFamily::INET, SocketType::DGRAM, SocketFlags::CLOEXEC, None)?;
    // SAFETY: all bytes 0 are a request for the device without a name.
    let mut request: libc::ifreq = unsafe { std::mem::zeroed() };
    for (to, from) in request.ifr_name.iter_mut().zip(b"lo") {
        *to = *from as libc::c_char;
    }
    request.ifr_ifru.ifru_flags = (libc::IFF_UP | libc::IFF_RUNNING) as libc::c_short;
    // SAFETY: the request is whole, lives until the call returns, and is of the kind that this call reads.
    let result = unsafe { libc::ioctl(socket.as_raw_fd(), libc::SIOCSIFFLAGS as _, &request) };
    if result == 0 { Ok(()) } else { Err(io::Error::last_os_error()) }
}

/// Returns whether [`unix_only`] can be had here.
pub(super) fn can_filter() -> bool {
    unix_only().is_ok()
}

/// Returns a filter that refuses to make sockets other than Unix ones and those that ask the kernel for its devices.
///
/// # Errors
/// If there is none for this processor.
pub(super) fn unix_only() -> io::Result<BpfProgram> {
    let is_not = |family: libc::c_int| {
        SeccompCondition::new(0, SeccompCmpArgLen::Dword, SeccompCmpOp::Ne, family as u64).map_err(io::Error::other)
    };
    let others = SeccompRule::new(vec![is_not(libc::AF_UNIX)?, is_not(libc::AF_NETLINK)?]).map_err(io::Error::other)?;
    // A ring makes sockets without a call that could be looked at.
    let rules = [(libc::SYS_socket, vec![others]), (libc::SYS_io_uring_setup, vec![])].into_iter().collect();
    let architecture = std::env::consts::ARCH.try_into().map_err(io::Error::other)?;
    let refused = SeccompAction::Errno(libc::ENETUNREACH as u32);
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, refused, architecture).map_err(io::Error::other)?;
    filter.try_into().map_err(io::Error::other)
}
