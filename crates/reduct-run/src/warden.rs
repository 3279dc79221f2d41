//! The warden: a small process that runs tests, one at a time, and lets nothing of them survive.
//!
//! It is the same executable, started again with a hidden argument, so that a `fork` copies little,
//! and so that somebody is there to clean up after a `kill -9` of the main process. All that a test
//! starts stays below its warden, however hard it tries to detach itself: the warden is a child
//! subreaper, so orphans become its children. When the socket to the main process is closed, it
//! kills what runs, removes its scratch folder and exits.
//!
//! It never reads from anything but that socket and the pipes of its test, and writes to no file.

pub(crate) mod addresses;
mod answer;
pub(crate) mod debugger;
mod dialogue;
pub(crate) mod family;
mod launch;
mod output;
mod server;
mod usage;
mod watch;

use crate::executor::local::protocol::{Blobs, Orders, Reply, Request, receive, send};
use crate::executor::local::{TAKEN_IN, remove};
use dialogue::Server;
use rustix::fs::{FlockOperation, Mode, OFlags, flock};
use rustix::process::{Pid, Resource, Rlimit, getpid, getrlimit, set_child_subreaper, setrlimit, setsid};
use std::collections::VecDeque;
use std::ffi::{CStr, OsString};
use std::io;
use std::os::fd::{AsFd, OwnedFd};
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::exit;

/// The hidden argument.
const ARGUMENT: &str = "__warden";

/// The name a warden goes by.
pub(crate) const NAME: &CStr = c"reduct-warden";

/// How often it is looked, a millisecond apart, whether a session is dead.
const LOOKS: u32 = 5;

/// Signals that are meant for the main process, which then tells its wardens what to do.
const SIGNALS: [i32; 4] = [libc::SIGINT, libc::SIGTERM, libc::SIGHUP, libc::SIGQUIT];

/// The command line that makes this executable a warden, provided that its `main` begins with
/// [`run_if_asked`].
pub fn command() -> Vec<OsString> {
    // This link leads to the very executable that runs, even if another one has taken its place.
    let link = PathBuf::from("/proc/self/exe");
    let program = if link.exists() { link } else { std::env::current_exe().unwrap_or(link) };
    vec![program.into_os_string(), ARGUMENT.into()]
}

/// Becomes a warden if the hidden argument says so, and then does not return. To be called first
/// thing in `main`, before any thread is started.
pub fn run_if_asked() {
    if std::env::args_os().nth(1).is_some_and(|argument| argument == ARGUMENT) {
        if let Err(error) = Warden::begin().and_then(|warden| warden.map_or(Ok(()), Warden::serve)) {
            eprintln!("reduct-warden: {error}");
            exit(2);
        }
        exit(0);
    }
}

struct Warden {
    me: Pid,
    socket: UnixStream,
    /// What reads as empty.
    nothing: OwnedFd,
    orders: Orders,
    slot: PathBuf,
    server: Option<Server>,
    /// Requests that came while a server got ready.
    heard: VecDeque<(Request, Blobs)>,
    /// Whether a server has left something that cannot be ended, and nobody was told.
    survivors: bool,
}

impl Warden {
    /// Sets this process up and takes its orders. `None` if there is nobody to take them from.
    fn begin() -> io::Result<Option<Warden>> {
        let socket = take_socket()?;
        close_on_exec();
        // The name first: by it and by its session the main process tells a warden from a stray.
        rustix::thread::set_name(NAME)?;
        SIGNALS.into_iter().for_each(|signal| set_signal(signal, libc::SIG_IGN));
        // Who ignores the end of children cannot wait for them, and a parent may have left it so.
        set_signal(libc::SIGCHLD, libc::SIG_DFL);
        setsid()?;
        let me = getpid();
        set_child_subreaper(Some(me))?;
        let nothing = open_nothing()?;
        rustix::stdio::dup2_stdin(&nothing)?;
        let Some((orders, _)) = receive::<Orders>(&socket)? else { return Ok(None) };
        // Limits are inherited, so setting them here spares every test the calls. With a limit of 1
        // and not 0 a kernel that pipes core dumps to a program does not even start that program.
        limit(Resource::Core, 1, false)?;
        if !orders.random_addresses {
            // Who cannot, the main process knows of.
            addresses::fix();
        }
        if let Some(size) = orders.limits.file_size {
            limit(Resource::Fsize, size, true)?;
        }
        if send(&socket, &Reply::Hello, [b"", b""]).is_err() {
            return Ok(None);
        }
        let slot = PathBuf::from(&orders.slot);
        Ok(Some(Warden { me, socket, nothing, orders, slot, server: None, heard: VecDeque::new(), survivors: false }))
    }

    fn serve(mut self) -> io::Result<()> {
        let mut buffer = vec![0; 1 << 16];
        while let Some((request, given)) = self.next_request() {
            match request {
                Request::Run { run, step, time, processor, slot } => {
                    self.slot = PathBuf::from(slot);
                    let ran = self.run((run, step), (time, processor), &given, &mut buffer);
                    let Some((reply, [stdout, stderr])) = ran else { break };
                    if send(&self.socket, &reply, [&stdout, &stderr]).is_err() {
                        break;
                    }
                }
                Request::Ask { run, time, slot, place } => {
                    self.slot = PathBuf::from(slot);
                    let asked = self.ask(run, (time, place.map(PathBuf::from)), &given[0], &mut buffer);
                    let Some((reply, [stdout, stderr])) = asked else { break };
                    if send(&self.socket, &reply, [&stdout, &stderr]).is_err() {
                        break;
                    }
                }
                Request::Prepare { place } => {
                    let Some(reply) = self.prepare(place.map(PathBuf::from), &mut buffer) else { break };
                    if send(&self.socket, &reply, [b"", b""]).is_err() {
                        break;
                    }
                }
                // That run is over already.
                Request::Cancel { .. } => {}
            }
        }
        self.dismiss();
        // A second warden may be about it, too, or still have a server in it. What nobody can remove, the next session
        // sweeps.
        let _ = remove::tree(&self.slot);
        let root = Path::new(&self.orders.root);
        remove_what_was_taken_in(root);
        // Only the last warden finds it empty.
        let _ = rustix::fs::rmdir(root);
        Ok(())
    }
}

/// The socket to the main process, which comes as standard input. No test must inherit it, or its end
/// would not be seen.
fn take_socket() -> io::Result<UnixStream> {
    let socket = io::stdin().as_fd().try_clone_to_owned()?;
    rustix::net::getpeername(&socket).map_err(|_| io::Error::other("this is for reduct to call, not for you"))?;
    Ok(UnixStream::from(socket))
}

/// Keeps all files that were open here from the start from the tests: a daemon among them could keep
/// somebody waiting for the end of such a file.
fn close_on_exec() {
    // SAFETY: the flag makes the call close nothing now; it only marks descriptors that are open, and
    // this process, which has just begun, means to hand down none of them.
    unsafe { libc::syscall(libc::SYS_close_range, 3, libc::c_uint::MAX, libc::CLOSE_RANGE_CLOEXEC) };
}

/// `/dev/null`, or something like it on a machine that has lost it.
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

/// Ignores a signal, or sets it back to its default.
pub(crate) fn set_signal(signal: i32, action: libc::sighandler_t) {
    // SAFETY: `signal` has no precondition, and neither action runs any code of this program.
    unsafe { libc::signal(signal, action) };
}

/// Removes what all slots of a session share, if the session has died: it holds a lock as long as it lives.
fn remove_what_was_taken_in(root: &Path) {
    let shared = root.join(TAKEN_IN);
    for _ in 0..LOOKS {
        if !shared.is_dir() {
            return;
        }
        if is_unlocked(root) {
            let _ = remove::tree(&shared);
            return;
        }
        // Who is about to die closes one descriptor after the other.
        std::thread::sleep(std::time::Duration::from_millis(1));
    }
}

/// Whether the very lock can be had that a session holds. Where folders cannot be locked so (some network file systems
/// give shared locks only), nobody knows whether the session lives: what is left, the next one sweeps.
fn is_unlocked(folder: &Path) -> bool {
    let flags = OFlags::RDONLY | OFlags::DIRECTORY | OFlags::NOFOLLOW | OFlags::CLOEXEC;
    rustix::fs::open(folder, flags, Mode::empty())
        .is_ok_and(|file| flock(&file, FlockOperation::NonBlockingLockExclusive).is_ok())
}
