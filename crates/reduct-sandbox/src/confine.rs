//! What a test may do outside of its folder, and how the kernel is had to see to it.
//!
//! Three mechanisms, of which each is used as far as the kernel and the surroundings allow it:
//!
//! - a *view* of the file system ([`view`]): in a mount namespace of its own, all of it can be read and nothing be
//!   changed, but for the folders of the tests, copies that are thrown away, a `/dev/shm` of its own, and what was allowed;
//! - *rules* of Landlock ([`rules`]): a test writes below its own folder only, sends no signal to processes that are
//!   not its own and reaches no abstract Unix socket of others;
//! - a *network* of its own ([`network`]), in which only the loopback device is there; or, where that cannot be had,
//!   a filter that refuses sockets other than Unix ones.
//!
//! The supervisor of a slot sets up view and network once, so that a test costs no more for them; the rules are set in
//! each test before its program is started.

pub(crate) mod network;
pub(crate) mod order;
pub(crate) mod rules;
pub(crate) mod view;

use crate::faults::Fault;
use crate::local::protocol::{receive, send};
use order::Order;
use reduct_session::confinement::{Confinement, Copies, Network, Strength};
use reduct_system::remove;
use std::cell::RefCell;
use std::fs;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::{Arc, Mutex, PoisonError};

/// All there can be.
const MOST: Strength = Strength { view: true, copies: true, landlock: u8::MAX, network: Network::Own };

/// The hidden argument by which a program tries what there is of a confinement, and says it: see [`strength`].
pub(crate) const ARGUMENT: &str = "__confine";

/// What was tried before in this process: of the same confinement, as much can be had again.
static TRIED: Mutex<Vec<((Confinement, Copies), Strength)>> = Mutex::new(vec![]);

/// Returns how much of a confinement can be had here, by trying it: `supervisor` is the command line of a supervisor,
/// `scratch` the scratch folder of the session.
///
/// # Errors
/// If it cannot be tried.
pub(crate) fn strength(
    (confinement, copies): &(Confinement, Copies),
    supervisor: &[std::ffi::OsString],
    scratch: &Path,
) -> io::Result<Strength> {
    // Where a test may write to does not matter for it.
    let like = Confinement { writable: vec![], ..confinement.clone() };
    let mut tried = TRIED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, strength)) = tried.iter().find(|((allowed, copied), _)| (allowed, copied) == (&like, copies)) {
        return Ok(*strength);
    }
    let program = supervisor.first().ok_or_else(|| io::Error::other(Fault::NoWardenCommand))?;
    let (socket, theirs) = UnixStream::pair()?;
    let output = theirs.try_clone()?;
    let mut command = Command::new(program);
    command.arg(ARGUMENT).current_dir("/").stdin(OwnedFd::from(theirs)).stdout(Stdio::from(OwnedFd::from(output)));
    let mut child = command.spawn()?;
    drop(command);
    let (confinement, copies) = (confinement.clone(), copies.clone());
    let order =
        Order { confinement: confinement.clone(), copies: copies.clone(), scratch: scratch.into(), strength: MOST };
    let sent = send(&socket, &order, [b"", b""]);
    let heard = sent.and_then(|()| receive::<Strength>(&socket));
    let _ = child.wait();
    match heard? {
        Some((strength, _)) => {
            tried.push(((like, copies), strength));
            Ok(strength)
        }
        None => Err(io::Error::other(Fault::NoWarden(program.into()))),
    }
}

/// The device and number of a folder.
type Folder = (u64, u64);

/// The confinement of the tests of a supervisor, which is set up.
pub(crate) struct Confined {
    pub strength: Strength,
    pub view: Option<RefCell<view::View>>,
    order: Order,
    /// The rules of the test before, with the folder that they are for.
    last: RefCell<Option<(Folder, Arc<rules::Rules>)>>,
}

impl Confined {
    /// Sets up view and network for this process and its children.
    ///
    /// # Errors
    /// If that cannot be done as ordered. The process may be confined by half then, and is of no use any more.
    pub fn set_up(order: Order) -> io::Result<Confined> {
        let Strength { view, network, .. } = order.strength;
        let has_own_network = network == Network::Own && !order.confinement.network;
        let before = if view { Some(view::Before::look(&order)?) } else { None };
        if view || has_own_network {
            view::unshare(view, has_own_network)?;
        }
        if has_own_network {
            network::bring_loopback_up()?;
        }
        let view = before.map(|before| before.make(&order)).transpose()?;
        Ok(Confined { strength: order.strength, view: view.map(RefCell::new), order, last: RefCell::new(None) })
    }

    /// Returns what a test in this folder has to do before its program is started.
    ///
    /// # Errors
    /// If the rules cannot be made.
    pub fn for_test(&self, slot: &Path) -> io::Result<Arc<rules::Rules>> {
        let folder = fs::metadata(slot).map(|it| (it.dev(), it.ino()))?;
        let mut last = self.last.borrow_mut();
        if let Some((_, rules)) = last.as_ref().filter(|(of, _)| *of == folder) {
            return Ok(Arc::clone(rules));
        }
        let view = self.view.as_ref().map(RefCell::borrow);
        if let Some(why) = view.as_ref().and_then(|view| view.broken()) {
            return Err(io::Error::other(why.to_owned()));
        }
        let rules = rules::Rules::new(&self.order.confinement, self.strength, slot, view.as_deref())?;
        let (_, rules) = last.insert((folder, Arc::new(rules)));
        Ok(Arc::clone(rules))
    }

    /// Returns the folder that takes what tests change in copies, if they see any.
    pub fn written(&self) -> Option<PathBuf> {
        self.view.as_ref().map(|view| view.borrow().made())
    }

    /// Undoes what a test has changed in what it sees, as far as no server lives there.
    pub fn clear(&self, has_server: bool) {
        let Some(view) = &self.view else { return };
        if view.borrow_mut().clear(has_server) {
            // They are for the view as it was.
            self.last.replace(None);
        }
    }

    /// Ends it, and returns the scratch folder as all others see it, if it has a view.
    pub fn end(self) -> Option<PathBuf> {
        self.view.map(|view| view.into_inner().end())
    }
}

/// What a trial ends with whose view has no copies.
const NO_COPIES: i32 = 2;

/// Tries what there is of a confinement, and says it to the one at the other end of standard input. Each part is tried
/// in a process of its own, as a part that fails leaves its process confined by half.
pub(crate) fn try_and_say(socket: &UnixStream) -> io::Result<()> {
    let Some((order, _)) = receive::<Order>(socket)? else { return Ok(()) };
    let landlock = rules::version();
    let own_network =
        order.confinement.network || works(&order, Strength { network: Network::Own, ..Strength::default() }).is_some();
    let network = match (order.confinement.network, own_network) {
        (true, _) => Network::Open,
        (_, true) => Network::Own,
        (_, false) => {
            if network::can_filter() {
                Network::UnixOnly
            } else {
                Network::Open
            }
        }
    };
    let view = works(&order, Strength { view: true, network, ..Strength::default() });
    let copies = view.is_some_and(|has_copies| has_copies);
    send(socket, &Strength { view: view.is_some(), copies, landlock, network }, [b"", b""])
}

/// Tries to set this much up, in a child. Returns whether tests see copies; `None` if it does not work.
fn works(order: &Order, strength: Strength) -> Option<bool> {
    // One copy will do: the system takes its time to take each down again.
    let fresh = order.copies.fresh.iter().take(1).cloned().collect();
    let copies = Copies { fresh, ..Copies::default() };
    let trial = Order { strength, copies, ..order.clone() };
    // SAFETY: this process has one thread, so the child may do whatever it likes.
    match unsafe { libc::fork() } {
        -1 => None,
        0 => {
            let done = match Confined::set_up(trial) {
                Ok(Confined { view: Some(view), .. }) if !view.borrow().has_copies() => NO_COPIES,
                Ok(_) => 0,
                Err(_) => 1,
            };
            // SAFETY: it ends the child at once, without what its parent has registered for its own end.
            unsafe { libc::_exit(done) }
        }
        child => {
            let mut status = 0;
            // SAFETY: `child` is a child of this process, and `status` lives until the call returns.
            let waited = unsafe { libc::waitpid(child, &mut status, 0) };
            // Of a view that nobody uses any more, only its folders are left.
            let _ = remove::tree(&view::base(&order.scratch, child));
            match libc::WEXITSTATUS(status) {
                _ if waited != child || !libc::WIFEXITED(status) => None,
                0 => Some(true),
                NO_COPIES => Some(false),
                _ => None,
            }
        }
    }
}
