//! The network of tests: one of their own.

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
