//! How much of a confinement can be had, found out by trying it.

use super::filter::Filter;
use super::order::Order;
use super::{Confined, rules, view};
use crate::local::protocol::{receive, send};
use reduct_session::confinement::{Confinement, Copies, Network, Strength};
use reduct_system::remove;
use std::fs::{self, File};
use std::io::{self, Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::fs::MetadataExt;
use std::os::unix::net::UnixStream;
use std::path::PathBuf;

/// Tries what there is of a confinement, and says it to the one at the other end of standard input. Each part is tried
/// in a process of its own, as a part that fails leaves its process confined by half.
///
/// # Errors
/// If nobody is there.
pub(crate) fn try_and_say(socket: &UnixStream) -> io::Result<()> {
    let Some((order, _)) = receive::<Order>(socket)? else { return Ok(()) };
    let landlock = rules::version();
    let filter = in_child(|_| has_filters()).is_some();
    let with_network = Strength { network: Network::Own, ..Strength::default() };
    let own_network = order.confinement.network || works(&order, with_network).is_some();
    let network = match (order.confinement.network, own_network, filter) {
        (true, ..) | (_, false, false) => Network::Open,
        (_, true, _) => Network::Own,
        (_, false, true) => Network::UnixOnly,
    };
    let with_view = Strength { view: true, network, ..Strength::default() };
    let with_processes = works(&order, Strength { processes: true, ..with_view.clone() });
    let processes = with_processes.is_some();
    let view = with_processes.or_else(|| works(&order, with_view));
    let wanted = order.copies.fresh.len();
    let copies = view.as_ref().is_some_and(|uncopied| wanted == 0 || uncopied.len() < wanted);
    let strength = Strength {
        view: view.is_some(),
        processes,
        copies,
        uncopied: view.unwrap_or_default(),
        filter,
        landlock,
        network,
    };
    send(socket, &strength, [b"", b""])
}

/// Returns nothing if system calls can be filtered here.
fn has_filters() -> io::Result<()> {
    rustix::thread::set_no_new_privs(true)?;
    Filter::new(&Confinement::default(), &Strength::default())?.obey()
}

/// Tries to set this much up. Returns the folders of which tests see no copies, though they should; `None` if it does not
/// work.
fn works(order: &Order, strength: Strength) -> Option<Vec<PathBuf>> {
    let folders = if strength.view { Folders::look(&order.copies.fresh) } else { Folders::default() };
    let copies = Copies { fresh: folders.to_try(), ..Copies::default() };
    let trial = Order { strength, copies, ..order.clone() };
    let (child, said) = in_child(|mut to| {
        let confined = Confined::set_up(trial)?;
        let uncopied = confined.view.iter().flat_map(|view| view.borrow().refused().to_vec()).collect();
        to.write_all(&serde_json::to_vec(&Strength { uncopied, ..Strength::default() })?)
    })?;
    // Of a view that nobody uses any more, only its folders are left.
    let _ = remove::tree(&view::base(&order.scratch, child));
    let refused = serde_json::from_slice::<Strength>(&said).ok()?.uncopied;
    Some(folders.like(&refused))
}

/// Folders that tests should see copies of, with what decides whether they can.
#[derive(Default)]
struct Folders(Vec<(PathBuf, Kind)>);

/// What decides whether there can be a copy of a folder: its file system, and whether anything is mounted below it, which
/// nobody but root can leave out.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Kind {
    device: u64,
    has_mounts: bool,
}

impl Folders {
    fn look(folders: &[PathBuf]) -> Folders {
        let mounted = view::below(folders).unwrap_or_default();
        let kind = |folder: &PathBuf| {
            let has_mounts = mounted.iter().any(|point| point != folder && point.starts_with(folder));
            Some((folder.clone(), Kind { device: fs::metadata(folder).ok()?.dev(), has_mounts }))
        };
        Folders(folders.iter().filter_map(kind).collect())
    }

    /// Returns one of each kind, and all that have something mounted below them: the system takes its time to take each copy
    /// down again.
    fn to_try(&self) -> Vec<PathBuf> {
        let is_first = |at: usize| !self.0[..at].iter().any(|(_, kind)| *kind == self.0[at].1);
        let tried = self.0.iter().enumerate().filter(|(at, (_, kind))| kind.has_mounts || is_first(*at));
        tried.map(|(_, (folder, _))| folder.clone()).collect()
    }

    /// Returns those of which there is no copy if there is none of these.
    fn like(&self, refused: &[PathBuf]) -> Vec<PathBuf> {
        let kind_of = |folder: &PathBuf| self.0.iter().find(|(other, _)| other == folder).map(|(_, kind)| *kind);
        let is_refused = |folder: &PathBuf, kind: Kind| {
            let alike = |other: &PathBuf| !kind.has_mounts && kind_of(other) == Some(kind);
            refused.iter().any(|other| other == folder || alike(other))
        };
        let all = self.0.iter().filter(|(folder, kind)| is_refused(folder, *kind));
        all.map(|(folder, _)| folder.clone()).collect()
    }
}

/// Does this in a child. Returns its number, and what it has written; `None` if it does not work.
fn in_child(what: impl FnOnce(File) -> io::Result<()>) -> Option<(i32, Vec<u8>)> {
    let (mut from, to) = io::pipe().ok()?;
    // SAFETY: this process has one thread, so the child may do whatever it likes.
    match unsafe { libc::fork() } {
        -1 => None,
        0 => {
            drop(from);
            let done = i32::from(what(File::from(OwnedFd::from(to))).is_err());
            // SAFETY: it ends the child at once, without what its parent has registered for its own end.
            unsafe { libc::_exit(done) }
        }
        child => {
            drop(to);
            let mut said = vec![];
            let _ = from.read_to_end(&mut said);
            let mut status = 0;
            // SAFETY: `child` is a child of this process, and `status` lives until the call returns.
            let waited = unsafe { libc::waitpid(child, &mut status, 0) };
            let has_worked = waited == child && libc::WIFEXITED(status) && libc::WEXITSTATUS(status) == 0;
            has_worked.then_some((child, said))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn folders(all: &[(&str, u64, bool)]) -> Folders {
        Folders(
            all.iter()
                .map(|(path, device, has_mounts)| (path.into(), Kind { device: *device, has_mounts: *has_mounts }))
                .collect(),
        )
    }

    #[test]
    fn one_folder_of_each_kind_is_tried() {
        let folders =
            folders(&[("/a", 1, false), ("/b", 1, false), ("/c", 2, false), ("/d", 1, true), ("/e", 1, true)]);
        assert_eq!(folders.to_try(), ["/a", "/c", "/d", "/e"].map(PathBuf::from));
    }

    #[test]
    fn what_is_like_a_folder_without_a_copy_has_none() {
        let folders = folders(&[("/a", 1, false), ("/b", 1, false), ("/c", 2, false), ("/d", 1, true)]);
        assert_eq!(folders.like(&["/a".into()]), ["/a", "/b"].map(PathBuf::from));
        assert_eq!(folders.like(&["/d".into()]), ["/d"].map(PathBuf::from));
    }
}
