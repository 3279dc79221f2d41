//! The life of a supervisor: it sets itself up, does what it is told, and clears up when nobody is left to tell it.

use super::conversation::Server;
use super::fork_server::Forks;
use super::inbox::Inbox;
use super::program::Program;
use crate::faults::Fault;

use crate::confine::{self, Confined};
use crate::groups::Group;
use crate::local::TAKEN_IN;
use crate::local::protocol::{Blobs, Orders, Reply, Request, receive, send};
use reduct_system::family::{NAME, is_ending};
use reduct_system::remove;
use reduct_system::signals::{SIGNALS, disregard, heed, set_signal};
use rustix::fs::{FlockOperation, Mode, OFlags, flock};
use rustix::process::{Pid, Resource, Rlimit, getpid, getrlimit, set_child_subreaper, setrlimit, setsid};
use std::cell::RefCell;
use std::collections::VecDeque;
use std::ffi::OsStr;
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::rc::Rc;

/// How often it is looked, a millisecond apart, whether a session is dead.
const LOOKS: u32 = 5;

/// The same for a session that is dying.
const LOOKS_AT_DYING: u32 = 5_000;

/// A supervisor at work.
pub(super) struct Supervisor {
    pub(super) me: Pid,
    pub(super) socket: UnixStream,
    pub(super) inbox: Inbox,
    /// What reads as empty.
    pub(super) nothing: OwnedFd,
    pub(super) orders: Orders,
    /// How its tests are confined.
    pub(super) confined: Option<Confined>,
    /// By what the kernel holds them to their limits.
    pub(super) group: Group,
    pub(super) slot: PathBuf,
    /// What is started for a test that is given nothing, in which slot.
    pub(super) usual: RefCell<Option<(PathBuf, Rc<Program>)>>,
    pub(super) server: Option<Server>,
    pub(super) forks: RefCell<Forks>,
    /// Requests that came while a server got ready.
    pub(super) heard: VecDeque<(Request, Blobs)>,
    /// Whether a server has left something that cannot be ended, and nobody was told.
    pub(super) survivors: bool,
}

impl Supervisor {
    /// Sets this process up and takes its orders. `None` if there is nobody to take them from.
    pub(super) fn begin() -> io::Result<Option<Supervisor>> {
        let socket = take_socket()?;
        close_on_exec();
        // The name first: by it and by its session the main process tells a supervisor from a stray.
        rustix::thread::set_name(NAME)?;
        disregard_signals();
        // A process that ignores the end of children cannot wait for them, and a parent may have left it so.
        set_signal(libc::SIGCHLD, libc::SIG_DFL);
        setsid()?;
        let nothing = open_nothing()?;
        rustix::stdio::dup2_stdin(&nothing)?;
        let Some((orders, _)) = receive::<Orders>(&socket)? else { return Ok(None) };
        // Limits are inherited, so setting them here spares every test the calls. With a limit of 1
        // and not 0 a kernel that pipes core dumps to a program does not even start that program.
        limit(Resource::Core, 1, false)?;
        if !orders.random_addresses {
            // If it cannot, the main process knows.
            reduct_system::addresses::fix();
        }
        if let Some(size) = orders.limits.file_size {
            limit(Resource::Fsize, size, true)?;
        }
        // The groups of processes are seen as they are before that only.
        let group = orders.limited.join(&group_name(&orders.root, getpid()));
        let confined = orders.confinement.clone().map(Confined::set_up).transpose()?;
        // It may be another process from here on.
        let me = getpid();
        set_child_subreaper(Some(me))?;
        if send(&socket, &Reply::Hello, [b"", b""]).is_err() {
            return Ok(None);
        }
        let slot = PathBuf::from(&orders.slot);
        let server = None;
        Ok(Some(Supervisor {
            me,
            inbox: Inbox::new(&socket)?,
            socket,
            nothing,
            orders,
            confined,
            group,
            slot,
            usual: RefCell::default(),
            server,
            forks: RefCell::default(),
            heard: VecDeque::new(),
            survivors: false,
        }))
    }

    /// Does what it is told until the main process is gone, and clears up.
    pub(super) fn serve(mut self) -> io::Result<()> {
        let mut buffer = vec![0; 1 << 16];
        while let Some((request, given)) = self.next_request() {
            match request {
                Request::Run { run, step, time, processor, slot, forked } => {
                    self.slot = slot;
                    let ran = self.run((run, step, forked), (time, processor), &given, &mut buffer);
                    let Some((reply, [stdout, stderr])) = ran else { break };
                    if send(&self.socket, &reply, [&stdout, &stderr]).is_err() {
                        break;
                    }
                }
                Request::Ask { run, time, slot, place } => {
                    self.slot = slot;
                    let asked = self.ask(run, (time, place), &given[0], &mut buffer);
                    let Some((reply, [stdout, stderr])) = asked else { break };
                    if send(&self.socket, &reply, [&stdout, &stderr]).is_err() {
                        break;
                    }
                }
                Request::Prepare { place } => {
                    let Some(reply) = self.prepare(place, &mut buffer) else { break };
                    if send(&self.socket, &reply, [b"", b""]).is_err() {
                        break;
                    }
                }
                // That run is over already.
                Request::Cancel { .. } => {}
            }
        }
        self.dismiss();
        self.end_fork_server();
        let root = self.confined.and_then(Confined::end);
        let root = root.unwrap_or_else(|| PathBuf::from(&self.orders.root));
        // A second supervisor may be about it, too, or still have a server in it. What nobody can remove, the next
        // session sweeps.
        let slot = self.slot.strip_prefix(&self.orders.root).map_or(self.slot.clone(), |slot| root.join(slot));
        let _ = remove::tree(&slot);
        remove_what_was_taken_in(&root);
        // Only the last supervisor finds it empty.
        let _ = rustix::fs::rmdir(&root);
        Ok(())
    }
}

/// Has this process live on whatever it is sent, or does. Its tests begin with the defaults, for which they need no call: what handles a
/// signal here is gone with this program. The runtime ignores one of these, and a parent may have ignored others.
pub(super) fn disregard_signals() {
    SIGNALS.into_iter().chain([libc::SIGPIPE, libc::SIGXFSZ]).for_each(disregard);
    // The runtime handles these, unless a parent ignored them.
    [libc::SIGSEGV, libc::SIGBUS].into_iter().for_each(heed);
}

/// Returns the name of the group of a supervisor of a session.
fn group_name(root: &OsStr, supervisor: Pid) -> String {
    format!("{}-{supervisor}", Path::new(root).file_name().unwrap_or_default().display())
}

/// Says how far tests can be confined here: see [`confine::strength`].
///
/// # Errors
/// If there is nobody to say it to.
pub(super) fn try_confinement() -> io::Result<()> {
    let socket = take_socket()?;
    close_on_exec();
    confine::try_and_say(&socket)
}

/// Returns the socket to the main process, which comes as standard input. No test must inherit it, or its end would not
/// be seen.
fn take_socket() -> io::Result<UnixStream> {
    let socket = io::stdin().as_fd().try_clone_to_owned()?;
    rustix::net::getpeername(&socket).map_err(|_| io::Error::other(Fault::NoSlot))?;
    Ok(UnixStream::from(socket))
}

/// Keeps all files that were open here from the start from the tests: a daemon among them could keep
/// somebody waiting for the end of such a file.
fn close_on_exec() {
    // SAFETY: the flag makes the call close nothing now; it only marks descriptors that are open, and
    // this process, which has just begun, means to hand down none of them.
    unsafe { libc::syscall(libc::SYS_close_range, 3, libc::c_uint::MAX, libc::CLOSE_RANGE_CLOEXEC) };
}

/// Returns `/dev/null`, or something like it on a machine that has lost it.
fn open_nothing() -> io::Result<OwnedFd> {
    match rustix::fs::open("/dev/null", OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty()) {
        Ok(null) => Ok(null),
        Err(_) => Ok(rustix::pipe::pipe_with(rustix::pipe::PipeFlags::CLOEXEC)?.0),
    }
}

/// Lowers a limit; never raises one.
fn limit(resource: Resource, value: u64, for_good: bool) -> io::Result<()> {
    let old = getrlimit(resource);
    let value = old.maximum.map_or(value, |maximum| maximum.min(value));
    Ok(setrlimit(resource, Rlimit { current: Some(value), maximum: if for_good { Some(value) } else { old.maximum } })?)
}

/// Removes what all slots of a session share, if the session has died: it holds a lock as long as it lives. What goes away under
/// the hands of another supervisor is an error, and no reason to leave the rest.
fn remove_what_was_taken_in(root: &Path) {
    let shared = root.join(TAKEN_IN);
    let session =
        root.file_name().and_then(|name| name.to_str()?.split('-').nth(2)?.trim_start_matches('0').parse().ok());
    let session = session.and_then(Pid::from_raw);
    let mut looks = 0;
    while shared.is_dir() {
        if is_unlocked(root) && remove::tree(&shared).is_ok() {
            return;
        }
        looks += 1;
        // A process that is about to die closes one descriptor after the other, which takes a while if it watches many folders.
        if looks > if session.is_some_and(is_ending) { LOOKS_AT_DYING } else { LOOKS } {
            return;
        }
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}

/// Returns whether the very lock can be had that a session holds. Where folders cannot be locked so (some network file
/// systems give shared locks only), nobody knows whether the session lives: what is left, the next one sweeps.
fn is_unlocked(folder: &Path) -> bool {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    rustix::fs::open(folder, flags, Mode::empty())
        .is_ok_and(|file| flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok())
}
