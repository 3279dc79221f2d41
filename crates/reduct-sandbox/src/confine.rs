//! What a test may do outside of its folder, and how the kernel is had to see to it.
//!
//! Five mechanisms, of which each is used as far as the kernel and the surroundings allow it:
//!
//! - a *view* of the file system ([`view`]): in a mount namespace of its own, all of it can be read and nothing be
//!   changed, but for the folders of the tests, copies that are thrown away, a `/dev/shm` of its own, and what was allowed;
//! - *processes* of its own ([`processes`]): it sees no others;
//! - *rules* of Landlock ([`rules`]): a test writes below its own folder only, sends no signal to processes that are
//!   not its own and reaches no abstract Unix socket of others;
//! - a *network* of its own ([`network`]), in which only the loopback device is there; or, where that cannot be had,
//!   no sockets other than Unix ones;
//!   With its [`loopback`] device, what listens on that of the machine can be reached there, if that is allowed;
//! - a *filter* of system calls ([`filter`]) that reach around all this.
//!
//! The supervisor of a slot sets up view and network once, and obeys the filter itself, so that a test costs no more for them;
//! the rules are set in each test before its program is started.

mod filter;
mod ipc;
mod loopback;
pub(crate) mod network;
pub(crate) mod order;
mod processes;
pub(crate) mod rules;
mod trial;
mod untouched;
pub(crate) mod view;

use crate::faults::Fault;
use crate::local::protocol::{Said, receive, send};
use loopback::Outside;
use loopback::relay::Relay;
use order::Order;
use reduct_session::confinement::{Confinement, Copies, Network, Strength};
use std::cell::RefCell;
use std::fs;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::rc::Rc;
use std::sync::{Arc, Mutex, PoisonError};
pub(crate) use trial::try_and_say;

/// The hidden argument by which a program tries what there is of a confinement, and says it: see [`strength`].
pub(crate) const ARGUMENT: &str = "__confine";

/// What was tried before in this process: of the same confinement, as much can be had again.
static TRIED: Mutex<Vec<((Confinement, Copies), Strength)>> = Mutex::new(vec![]);

impl Said for Order {}

impl Said for Strength {}

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
    let like = confinement.clone().with_writable(vec![]);
    let mut tried = TRIED.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, strength)) = tried.iter().find(|((allowed, copied), _)| (allowed, copied) == (&like, copies)) {
        return Ok(strength.clone());
    }
    let program = supervisor.first().ok_or_else(|| io::Error::other(Fault::NoSupervisorCommand))?;
    let (socket, theirs) = UnixStream::pair()?;
    let output = theirs.try_clone()?;
    let mut command = Command::new(program);
    command.arg(ARGUMENT).current_dir("/").stdin(OwnedFd::from(theirs)).stdout(Stdio::from(OwnedFd::from(output)));
    let mut child = command.spawn()?;
    drop(command);
    let (confinement, copies) = (confinement.clone(), copies.clone());
    let strength = Strength::default();
    let order = Order { confinement: confinement.clone(), copies: copies.clone(), scratch: scratch.into(), strength };
    let sent = send(&socket, &order, [b"", b""]);
    let heard = sent.and_then(|()| receive::<Strength>(&socket));
    let _ = child.wait();
    match heard? {
        Some((strength, _)) => {
            tried.push(((like, copies), strength.clone()));
            Ok(strength)
        }
        None => Err(io::Error::other(Fault::NoSupervisor(program.into()))),
    }
}

/// The confinement of the tests of a supervisor, which is set up.
pub(crate) struct Confined {
    pub view: Option<RefCell<view::View>>,
    order: Order,
    /// The rules of the test before, with the folder that they are for.
    last: RefCell<Option<(view::Folder, Arc<rules::Rules>)>>,
}

impl Confined {
    /// Sets up view and network for this process and its children. With processes of its own, it goes on in another process,
    /// the first one of them, and this one ends with that.
    ///
    /// # Errors
    /// If that cannot be done as ordered. The process may be confined by half then, and is of no use any more.
    pub fn set_up(order: Order) -> io::Result<Confined> {
        let view = order.strength.view;
        let has_own_network = order.strength.network == Network::Own && !order.confinement.network;
        let before = if view { Some(view::Before::look(&order)?) } else { None };
        let has_own_processes = view && order.strength.processes;
        let outside = if order.confinement.loopback { Some(Outside::begin()?) } else { None };
        if view || has_own_network {
            view::unshare([view, has_own_network, has_own_processes])?;
        }
        if has_own_network {
            network::bring_loopback_up()?;
        }
        if has_own_processes {
            processes::go_on_inside(outside.map(Relay::begin))?;
        }
        let view = before.map(|before| before.make(&order)).transpose()?;
        rules::part_with_rights(&order.confinement, &order.strength)?;
        Ok(Confined { view: view.map(RefCell::new), order, last: RefCell::new(None) })
    }

    /// Shows this slot, and returns what a test in it has to do before its program is started.
    ///
    /// # Errors
    /// If the rules cannot be made.
    pub fn for_test(&self, slot: &Path) -> io::Result<Arc<rules::Rules>> {
        if let Some(why) = self.view.as_ref().and_then(|view| view.borrow().broken().map(str::to_owned)) {
            return Err(io::Error::other(why));
        }
        let folder = match &self.view {
            Some(view) => view.borrow_mut().show(slot)?,
            None => fs::metadata(slot).map(|it| (it.dev(), it.ino()))?,
        };
        let mut last = self.last.borrow_mut();
        if let Some((_, rules)) = last.as_ref().filter(|(of, _)| *of == folder) {
            return Ok(Arc::clone(rules));
        }
        let view = self.view.as_ref().map(RefCell::borrow);
        let rules = rules::Rules::new(&self.order.confinement, &self.order.strength, slot, view.as_deref())?;
        let (_, rules) = last.insert((folder, Arc::new(rules)));
        Ok(Arc::clone(rules))
    }

    /// Returns whether tests have processes of their own: all of them end with the supervisor, whatever it ends of.
    pub fn has_own_processes(&self) -> bool {
        self.view.is_some() && self.order.strength.processes
    }

    /// Returns the folders that take what a test changes elsewhere, those that take what tests change together, and those of these
    /// in which something stands now.
    pub fn filled(&self) -> (Rc<[Vec<PathBuf>; 2]>, Vec<PathBuf>) {
        self.view.as_ref().map(|view| view.borrow_mut().filled()).unwrap_or_default()
    }

    /// Undoes what a test has changed in what it sees, as far as no server lives there. After one that has filled its space,
    /// the copies that tests share are made anew, too. Returns whether processes that were started before see something else than those that
    /// are started from now on.
    pub fn clear(&self, has_server: bool, has_filled: bool) -> bool {
        let Some(view) = &self.view else { return false };
        let is_made_anew = view.borrow_mut().clear(has_server, has_filled);
        if is_made_anew {
            // They are for the view as it was.
            self.last.replace(None);
        }
        is_made_anew
    }

    /// Ends it, and returns the scratch folder as all others see it, if it has a view.
    pub fn end(self) -> Option<PathBuf> {
        self.view.map(|view| view.into_inner().end())
    }
}
