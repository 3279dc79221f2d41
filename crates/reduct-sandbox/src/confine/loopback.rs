//! The loopback device of the machine, for tests that may use it and nothing else of the network.
//!
//! Nothing in the kernel that is there for everybody tells one device of a network from the others. So tests have a network
//! of their own all the same, and what listens on the loopback device of the machine listens there, too: the keeper of the
//! tests' processes ([`super::processes`]) takes their connections and passes on what is said ([`relay`]). It lives in their
//! network; the sockets of the machine's are made for it by the *maker*, a process that stayed outside. Tests reach neither
//! of the two. Only TCP is passed on.

mod connection;
mod listening;
pub(super) mod relay;

use listening::Listening;
use rustix::io::IoSlice;
use rustix::net::{
    AddressFamily, RecvAncillaryBuffer, RecvAncillaryMessage, RecvFlags, SendAncillaryBuffer, SendAncillaryMessage,
    SendFlags, SocketFlags, SocketType, recvmsg, sendmsg, socket_with,
};
use rustix::process::{Signal, set_parent_process_death_signal};
use rustix::thread::set_name;
use std::io::{self, Read, Write};
use std::mem::MaybeUninit;
use std::net::SocketAddr;
use std::os::fd::{AsFd, AsRawFd, OwnedFd, RawFd};
use std::os::unix::net::UnixStream;

/// The name of the maker. A supervisor that was killed leaves it for an instant, and it is none itself.
const MAKER: &std::ffi::CStr = c"reduct-maker";

/// What the maker is asked for.
const VERSION_4: u8 = 4;
const VERSION_6: u8 = 6;

/// What is known of the network of the machine from within another one.
pub(super) struct Outside {
    maker: UnixStream,
    listening: Listening,
}

impl Outside {
    /// Starts the maker. This process must be in the network of the machine still.
    ///
    /// # Errors
    /// If the system refuses it.
    pub(super) fn begin() -> io::Result<Outside> {
        let listening = Listening::open()?;
        let (maker, theirs) = UnixStream::pair()?;
        // SAFETY: this process has one thread, so the child may do whatever it likes.
        match unsafe { libc::fork() } {
            -1 => Err(io::Error::last_os_error()),
            0 => make(&theirs),
            _ => Ok(Outside { maker, listening }),
        }
    }

    /// Returns a socket of the network of the machine for an address like this.
    ///
    /// # Errors
    /// If there is none to be had.
    fn socket_for(&self, address: SocketAddr) -> io::Result<OwnedFd> {
        (&self.maker).write_all(&[if address.is_ipv4() { VERSION_4 } else { VERSION_6 }])?;
        let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
        let mut ancillary = RecvAncillaryBuffer::new(&mut space);
        let mut byte = [0];
        let mut buffers = [io::IoSliceMut::new(&mut byte)];
        recvmsg(&self.maker, &mut buffers, &mut ancillary, RecvFlags::CMSG_CLOEXEC)?;
        let sockets = ancillary.drain().filter_map(|message| match message {
            RecvAncillaryMessage::ScmRights(mut sockets) => sockets.next(),
            _ => None,
        });
        sockets.last().ok_or_else(|| io::ErrorKind::ConnectionAborted.into())
    }

    /// Returns the files that must stay open for it.
    fn files(&self) -> Vec<RawFd> {
        self.listening.files().chain([self.maker.as_raw_fd()]).collect()
    }
}

/// Makes sockets until nobody can ask for one any more.
fn make(theirs: &UnixStream) -> ! {
    let _ = set_parent_process_death_signal(Some(Signal::KILL));
    let _ = set_name(MAKER);
    close_all_but(vec![theirs.as_raw_fd()]);
    let mut version = [0];
    while (&mut &*theirs).read_exact(&mut version).is_ok() {
        let family = if version == [VERSION_4] { AddressFamily::INET } else { AddressFamily::INET6 };
        let socket = socket_with(family, SocketType::STREAM, SocketFlags::CLOEXEC, None);
        let sent = socket.map_or_else(|_| (&mut &*theirs).write_all(b"x"), |socket| hand_over(theirs, &socket));
        if sent.is_err() {
            break;
        }
    }
    // SAFETY: it ends this process at once. What was registered for the end is its parent's to do.
    unsafe { libc::_exit(0) }
}

fn hand_over(to: &UnixStream, socket: &OwnedFd) -> io::Result<()> {
    let handed = [socket.as_fd()];
    let mut space = [MaybeUninit::uninit(); rustix::cmsg_space!(ScmRights(1))];
    let mut ancillary = SendAncillaryBuffer::new(&mut space);
    ancillary.push(SendAncillaryMessage::ScmRights(&handed));
    sendmsg(to, &[IoSlice::new(b"s")], &mut ancillary, SendFlags::NOSIGNAL)?;
    Ok(())
}

/// Closes all files of this process but these, whatever holds them: it uses no others from here on.
pub(super) fn close_all_but(mut kept: Vec<RawFd>) {
    kept.sort_unstable();
    let mut first = 0;
    let kept = kept.into_iter().filter_map(|file| libc::c_uint::try_from(file).ok());
    for next in kept.chain([libc::c_uint::MAX]) {
        if first < next {
            // SAFETY: the caller uses none of these files from here on.
            unsafe { libc::syscall(libc::SYS_close_range, first, next - 1, 0) };
        }
        first = next.saturating_add(1);
    }
}
