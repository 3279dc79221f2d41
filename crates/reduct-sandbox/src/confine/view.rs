//! The file system as the tests of a supervisor see it: readable as a whole, and not to be changed.
//!
//! What a test writes to its own folder, and to what was allowed, is really written. Other folders of the user are copies,
//! of which only what is changed is really copied; the changes are thrown away after the test. All else can only be read.
//!
//! The view is set up once for each supervisor, in a mount namespace of its own, and costs a test one question: whether anything
//! was done in the copies. Those in which it was are looked into; what is new in them is removed. If that does not make them as
//! the folders are, the view is made anew, in a namespace that begins as the first one did, the *template*. Nobody else sees any of it, and it is gone with the last process that lives in it.
//!
//! Of the scratch folder, a test sees the slot in which it runs and nothing else. What stands there for the view itself is
//! reached by a descriptor of the template's mount ([`View::base`]).

mod copies;
mod mounts;
mod own;
mod slots;
mod split;
mod told;

use super::ipc::Ipc;
use super::order::Order;
use super::processes;
use super::untouched::Untouched;
use copies::{Copy, folder};
pub(super) use mounts::below;
use mounts::{KeptApart, Opened, set_read_only};
use own::{MEMORY, Memory};
use reduct_system::remove;
use rustix::fs::{CWD, Mode, OFlags};
use rustix::mount::{MountPropagationFlags, UnmountFlags, mount_bind, mount_change, unmount};
use rustix::process::{getegid, geteuid, getpid};
use rustix::thread::{LinkNameSpaceType, UnshareFlags, move_into_link_name_space, unshare_unsafe};
pub(super) use slots::Folder;
use slots::Slots;
use std::fs;
use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::rc::Rc;
use told::Told;
pub(crate) use told::elsewhere;

/// A folder below which more is mounted than this has no copy: each mount costs some system calls.
const MOUNTS: usize = 64;

/// Sockets by which programs of the system do what they are asked for, as if the user had asked. A display is one, too.
const SERVICES: [&str; 6] =
    ["/run/docker.sock", "/run/containerd", "/run/podman", "/run/dbus", "/run/user", "/tmp/.X11-unix"];

/// What has to be known before this process parts from the others.
pub(crate) struct Before {
    /// The folder of the scratch folder, as all others see it.
    outside: OwnedFd,
    /// The number of this process, as all others see it.
    number: i32,
}

/// The view of the tests of a supervisor.
pub(crate) struct View {
    before: Before,
    order: Order,
    /// What stands in the scratch folder for it, as it is in the template, in which it can be written to.
    base: Opened,
    /// What is seen of the scratch folder.
    slots: Option<Slots>,
    /// The folder in memory, if tests have one.
    in_memory: Option<Memory>,
    /// What they share without files.
    ipc: Option<Ipc>,
    /// Copies that tests share.
    kept: Vec<Copy>,
    /// The namespace in which each view begins.
    template: OwnedFd,
    /// Copies that are as their folders are at the beginning of each test.
    fresh: Vec<Copy>,
    /// Folders that should have one, and cannot: they can only be read.
    refused: Vec<PathBuf>,
    /// In which of all this no test has done anything.
    untouched: Untouched,
    /// How often the view was made.
    made: usize,
    /// What stands in the scratch folder for it as it was made last.
    made_in: PathBuf,
    /// The folders that take what a test changes, and those that take what tests change together.
    fills: Rc<[Vec<PathBuf>; 2]>,
    /// What tests have done in them.
    told: Told,
    /// Why the view could not be made again.
    broken: Option<String>,
}

/// Parts from the namespaces of the others. A user that is not root becomes the root of a namespace of users, with the same
/// number, and no right outside.
///
/// # Errors
/// If the system refuses it.
pub(super) fn unshare([view, network, processes]: [bool; 3]) -> io::Result<()> {
    let mut flags = UnshareFlags::empty();
    flags.set(UnshareFlags::NEWNS, view);
    flags.set(UnshareFlags::NEWNET, network);
    flags.set(UnshareFlags::NEWPID, processes);
    let (user, group) = (geteuid().as_raw(), getegid().as_raw());
    // SAFETY: the flags unshare no table of descriptors, and this process has one thread.
    if user == 0 && unsafe { unshare_unsafe(flags) }.is_ok() {
        return Ok(());
    }
    // SAFETY: as above.
    unsafe { unshare_unsafe(flags | UnshareFlags::NEWUSER)? };
    fs::write("/proc/self/setgroups", "deny")?;
    fs::write("/proc/self/uid_map", format!("{user} {user} 1"))?;
    fs::write("/proc/self/gid_map", format!("{group} {group} 1"))
}

impl Before {
    pub(super) fn look(order: &Order) -> io::Result<Before> {
        let parent = order.scratch.parent().unwrap_or(Path::new("/"));
        let flags = OFlags::PATH | OFlags::DIRECTORY | OFlags::CLOEXEC;
        let outside = rustix::fs::openat(CWD, parent, flags, Mode::empty())?;
        Ok(Before { outside, number: getpid().as_raw_nonzero().get() })
    }

    /// Makes the view, in a mount namespace that is this process's own.
    ///
    /// # Errors
    /// If the system refuses something that it cannot do without.
    pub(super) fn make(self, order: &Order) -> io::Result<View> {
        mount_change("/", MountPropagationFlags::PRIVATE | MountPropagationFlags::REC)?;
        let base = base(&order.scratch, self.number);
        folder(&base)?;
        if order.strength.processes {
            own::list_of_processes()?;
            processes::number_apart(self.number);
        }
        let untouched = Untouched::new();
        let in_memory = own::memory(order, &base, &untouched)?;
        own::terminals();
        let (mut kept, _) = copies(&order.copies.kept, &[], (&base, "kept"));
        kept.iter_mut().for_each(|copy| copy.watch(&base, &untouched));
        let template = rustix::fs::open("/proc/self/ns/mnt", OFlags::RDONLY | OFlags::CLOEXEC, Mode::empty())?;
        let told = Told::new(&order.copies.watched);
        let mut view = View {
            before: self,
            order: order.clone(),
            base: Opened::new(&base)?,
            slots: None,
            in_memory,
            ipc: None,
            kept,
            template,
            fresh: vec![],
            refused: vec![],
            untouched,
            made: 0,
            made_in: PathBuf::new(),
            fills: Rc::default(),
            told,
            broken: None,
        };
        view.build()?;
        Ok(view)
    }
}

impl View {
    /// Makes what tests see, beginning with the template.
    fn build(&mut self) -> io::Result<()> {
        // SAFETY: the flags unshare no table of descriptors, and this process has one thread.
        unsafe { unshare_unsafe(UnshareFlags::NEWNS)? };
        // Whatever is mounted over its path from here on, this is the real one.
        let scratch = Opened::new(&self.order.scratch)?;
        let base = scratch.link().join(self.base.path.file_name().unwrap_or_default());
        // What is not there cannot be written to, and is told of before anything is run.
        let writable = self.order.confinement.writable.iter();
        let writable: Vec<KeptApart> = writable.filter_map(|path| KeptApart::take(path).ok()).collect();
        self.made += 1;
        self.made_in = self.base.link().join(format!("made-{}", self.made));
        // Only what is mounted in this namespace can be mounted once more, and only in the template it can be written to.
        let made = base.join(self.made().file_name().unwrap_or_default());
        folder(&made)?;
        self.ipc = Some(Ipc::new(&base.join("queues"), &self.untouched)?);
        let (copied, mounted, again) = self.copied_and_shown_again()?;
        let refused;
        (self.fresh, refused) = copies(&copied, &mounted, (&made, "copy"));
        self.fresh.iter_mut().for_each(|copy| copy.watch(&made, &self.untouched));
        self.refused.extend(refused);
        for mounted in &again {
            // What lies in a folder that has no copy is there anyway.
            if self.fresh.iter().any(|copy| mounted.path.starts_with(copy.path())) {
                mounted.show_again()?;
            }
        }
        set_read_only(Path::new("/"), true, true)?;
        own::devices(&self.order)?;
        for copy in self.fresh.iter().chain(&self.kept) {
            set_read_only(copy.path(), false, false)?;
        }
        if self.in_memory.is_some() {
            set_read_only(Path::new(MEMORY), false, false)?;
        }
        for place in &writable {
            place.show()?;
        }
        self.slots = Some(Slots::hide(scratch, &self.made_in, &made)?);
        self.hide(&made)?;
        self.told.listen();
        let memory = self.in_memory.as_ref().map(|_| self.base.link().join(own::FOLDER));
        let own = std::iter::once(self.made_in.clone()).chain(memory).collect();
        let shared = self.kept.iter().map(|copy| copy.upper(self.base.link())).collect();
        self.fills = Rc::new([own, shared]);
        Ok(())
    }

    /// Returns the folders that get a copy, where something is mounted below them, and of that what is not copied.
    fn copied_and_shown_again(&mut self) -> io::Result<(Vec<PathBuf>, Vec<PathBuf>, Vec<Opened>)> {
        let mut copied: Vec<PathBuf> = self.order.copies.fresh.iter().filter(|path| path.is_dir()).cloned().collect();
        copied.sort();
        let mounted = below(&copied)?;
        let is_crowded = |folder: &Path| mounted.iter().filter(|point| point.starts_with(folder)).count() > MOUNTS;
        self.refused = copied.extract_if(.., |folder| is_crowded(folder)).collect();
        let others = mounted.iter().filter(|point| !copied.contains(point));
        let again = others.filter_map(|point| Opened::new(point).ok()).collect();
        Ok((copied, mounted, again))
    }

    /// Shows the slot of the next test, and no other one, and returns which folder it is.
    ///
    /// # Errors
    /// If it is not there, or the system refuses it.
    pub(super) fn show(&mut self, slot: &Path) -> io::Result<Folder> {
        let slots = self.slots.as_mut().ok_or(io::ErrorKind::NotFound)?;
        slots.show(slot, &self.made_in)
    }

    /// Puts nothing in the place of what is not to be seen, but for what is to be seen of it all the same. `seen` is the
    /// folder that is [`View::made`], as it can be mounted.
    fn hide(&self, seen: &Path) -> io::Result<()> {
        let made = self.made();
        let no_file = seen.join("no-file");
        fs::write(made.join("no-file"), "")?;
        let confinement = &self.order.confinement;
        let services = SERVICES.iter().filter(|_| !confinement.services).map(PathBuf::from);
        // Nobody listens to a socket that stands in a copy, except the process that has made it there.
        let is_in_copy = |path: &Path| self.fresh.iter().any(|copy| path.starts_with(copy.path()));
        let services = services.filter(|path| !confinement.writable.contains(path) && !is_in_copy(path));
        let readable: Vec<Opened> = confinement.readable.iter().filter_map(|path| Opened::new(path).ok()).collect();
        for (n, path) in services.chain(confinement.hidden.iter().cloned()).enumerate() {
            let Ok(kind) = fs::metadata(&path) else { continue };
            if !kind.is_dir() {
                mount_bind(&no_file, &path)?;
                set_read_only(&path, true, false)?;
                continue;
            }
            let name = format!("no-folder-{n}");
            let nothing = made.join(&name);
            folder(&nothing)?;
            let shown = readable.iter().filter_map(|shown| Some((shown, shown.path.strip_prefix(&path).ok()?)));
            for (shown, below) in shown.clone() {
                make_place(&nothing.join(below), fs::metadata(shown.link())?.is_dir())?;
            }
            mount_bind(seen.join(name), &path)?;
            set_read_only(&path, true, false)?;
            for (shown, _) in shown {
                shown.show_again()?;
                set_read_only(&shown.path, true, true)?;
            }
        }
        Ok(())
    }

    /// Returns what stands in the scratch folder for the view as it was made last.
    pub(super) fn made(&self) -> &Path {
        &self.made_in
    }

    /// Returns the folders that take what a test changes, those that take what tests change together, and those of these in which
    /// something stands now.
    pub(super) fn filled(&mut self) -> (Rc<[Vec<PathBuf>; 2]>, Vec<PathBuf>) {
        let (base, untouched) = (self.base.link(), &mut self.untouched);
        let used = self.kept.iter().filter(|copy| !copy.is_empty(base, untouched)).map(|copy| copy.upper(base));
        (Rc::clone(&self.fills), used.collect())
    }

    /// Returns the folders besides its own to which a test may write.
    pub(super) fn writable(&self) -> Vec<PathBuf> {
        let copies = self.fresh.iter().chain(&self.kept).map(|copy| copy.path().to_owned());
        copies.chain(self.in_memory.as_ref().map(|_| PathBuf::from(MEMORY))).collect()
    }

    /// Returns the folders of which tests should see copies, and cannot.
    pub(super) fn refused(&self) -> &[PathBuf] {
        &self.refused
    }

    /// Returns why the view is of no use any more, if it is not.
    pub(super) fn broken(&self) -> Option<&str> {
        self.broken.as_deref()
    }

    /// Undoes what a test has changed in what it sees, with the copies that tests share if it has filled its space. Returns
    /// whether the view, or what is shared without files, was made anew for that, which it is not while a server lives in it.
    pub(crate) fn clear(&mut self, has_server: bool, has_filled: bool) -> bool {
        self.untouched.hear();
        if let Some(memory) = &self.in_memory {
            memory.clear(&mut self.untouched);
        }
        self.told.hear();
        let mut is_clean = true;
        for copy in &self.fresh {
            is_clean &= copy.clear(&self.made_in, &mut self.untouched, &mut self.told.elsewhere.changed);
        }
        self.told.write_down(self.base.link());
        if has_server {
            return false;
        }
        let is_full = has_filled && !self.kept.is_empty();
        is_clean &= !is_full;
        let done = match &mut self.ipc {
            Some(ipc) if is_clean => ipc.clear(&mut self.untouched),
            _ if is_clean => Ok(false),
            _ => self.make_anew(is_full).map(|()| true),
        };
        let is_made_anew = matches!(done, Ok(true));
        self.broken = done.err().map(|error| error.to_string());
        is_made_anew || self.broken.is_some()
    }

    /// Leaves the view for one that nobody has changed, in which the copies that tests share are as they were, or new ones.
    fn make_anew(&mut self, with_kept: bool) -> io::Result<()> {
        let old = self.made_in.clone();
        self.fresh.clear();
        self.slots = None;
        move_into_link_name_space(self.template.as_fd(), Some(LinkNameSpaceType::Mount))?;
        std::env::set_current_dir("/")?;
        // What cannot be removed now goes with the scratch folder.
        let _ = remove::tree(&old);
        if with_kept {
            self.make_kept_anew()?;
        }
        self.build()
    }

    /// Throws the copies that tests share away for new ones, in the template.
    fn make_kept_anew(&mut self) -> io::Result<()> {
        let base = self.base.link();
        let old = std::mem::take(&mut self.kept);
        // One may stand in another one.
        for copy in old.iter().rev() {
            unmount(copy.path(), UnmountFlags::DETACH)?;
            let _ = remove::tree(&copy.upper(base));
        }
        let name = format!("kept-{}", self.made);
        (self.kept, _) = copies(&self.order.copies.kept, &[], (base, &name));
        self.kept.iter_mut().for_each(|copy| copy.watch(base, &self.untouched));
        if self.kept.len() == old.len() { Ok(()) } else { Err(io::ErrorKind::NotFound.into()) }
    }

    /// Ends it, and returns the scratch folder as all others see it.
    pub(crate) fn end(self) -> PathBuf {
        let _ = move_into_link_name_space(self.template.as_fd(), Some(LinkNameSpaceType::Mount));
        for path in self.kept.iter().map(Copy::path).chain([Path::new(MEMORY)]) {
            let _ = unmount(path, UnmountFlags::DETACH);
        }
        let outside = PathBuf::from(format!("/proc/self/fd/{}", self.before.outside.as_raw_fd()));
        let scratch = outside.join(self.order.scratch.file_name().unwrap_or_default());
        let _ = remove::tree(&scratch.join(self.base.path.file_name().unwrap_or_default()));
        // The path leads there as long as the descriptor is open, which is until this process ends.
        std::mem::forget(self.before.outside);
        scratch
    }
}

/// Puts copies in the place of folders. Returns them, and the folders of which there can be none. What each needs is made in
/// `base`, under names that begin with `name`.
fn copies(of: &[PathBuf], mounted: &[PathBuf], (base, name): (&Path, &str)) -> (Vec<Copy>, Vec<PathBuf>) {
    let originals: Vec<Opened> = of.iter().filter_map(|path| Opened::new(path).ok()).collect();
    let (mut copies, mut refused) = (vec![], vec![]);
    for (n, original) in originals.into_iter().enumerate() {
        let path = original.path.clone();
        let name = format!("{name}-{n}");
        let has_mounts = mounted.iter().any(|point| point.starts_with(&path));
        let whole = Opened::standing_for(original.link(), &path).and_then(|it| Copy::mount(it, base, name.clone()));
        let parts = match whole {
            Ok(copy) => Ok(vec![copy]),
            Err(_) if has_mounts => split::mount(&original, mounted, base, &format!("{name}-part")),
            Err(error) => Err(error),
        };
        match parts {
            Ok(parts) => copies.extend(parts),
            Err(_) => refused.push(path),
        }
    }
    (copies, refused)
}

/// Makes an empty file or folder at which another one can be shown.
fn make_place(place: &Path, is_folder: bool) -> io::Result<()> {
    fs::create_dir_all(if is_folder { Some(place) } else { place.parent() }.unwrap_or(place))?;
    if is_folder { Ok(()) } else { fs::write(place, "") }
}

/// Returns what stands in a scratch folder for the view of the process of this number.
pub(super) fn base(scratch: &Path, process: i32) -> PathBuf {
    scratch.join(format!("own-{process}"))
}
