//! A child that shares the memory of the supervisor until its program is there, as by vfork(2): a fork would copy tables of pages, and
//! have each page copied that either side then writes to.

use crate::confine::rules::Rules;
use rustix::io::{FdFlags, fcntl_setfd};
use rustix::process::{Pid, Signal, WaitOptions, chdir, getppid, set_parent_process_death_signal, setpgid, waitpid};
use rustix::stdio::{dup2_stderr, dup2_stdin, dup2_stdout};
use std::ffi::{CStr, CString, c_char, c_int, c_void};
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{BorrowedFd, FromRawFd, OwnedFd};
use std::ptr::{from_ref, null};
use std::sync::atomic::{AtomicI32, AtomicUsize, Ordering};

/// Room for the calls that the child makes before the program is there, each of which takes some hundred bytes.
const STACK: usize = 64 << 10;

/// What the system aligns stacks to, or less.
type Aligned = u128;

/// How a program begins.
pub(super) struct Beginning<'a> {
    /// The files that it may be, in the order in which they are tried.
    pub(super) places: &'a [CString],
    /// Its name and its arguments.
    pub(super) words: &'a [CString],
    /// Its variables.
    pub(super) variables: &'a [CString],
    /// Its working folder.
    pub(super) folder: &'a CStr,
    /// What becomes its first three descriptors. None of them is one of these already.
    pub(super) stdio: [BorrowedFd<'a>; 3],
    /// A descriptor that stays open.
    pub(super) socket: Option<BorrowedFd<'a>>,
    pub(super) rules: Option<&'a Rules>,
    /// This process, whose end is to end the program. `None`: the system ends it then, whatever it has done.
    pub(super) me: Option<Pid>,
}

impl Beginning<'_> {
    /// Makes a child, and waits until its program is there or it has ended. Returns its number and, if the system gives one with a new
    /// process, a descriptor of it; or why there is no program, and which of its places was tried last.
    pub(super) fn begin(&self) -> Result<(Pid, Option<OwnedFd>), (io::Error, usize)> {
        let (words, variables) = (pointers(self.words), pointers(self.variables));
        let shared = Shared {
            beginning: self,
            words: words.as_ptr(),
            variables: variables.as_ptr(),
            error: AtomicI32::new(0),
            place: AtomicUsize::new(0),
        };
        let (pid, pidfd) = shared.clone_process().map_err(|error| (error, 0))?;
        match shared.error.load(Ordering::Relaxed) {
            0 => Ok((pid, pidfd)),
            error => {
                // It has ended, and nobody else knows of it.
                let _ = waitpid(Some(pid), WaitOptions::empty());
                Err((io::Error::from_raw_os_error(error), shared.place.load(Ordering::Relaxed)))
            }
        }
    }
}

/// Returns pointers to all of these, and one to nothing after them.
fn pointers(strings: &[CString]) -> Vec<*const c_char> {
    strings.iter().map(|string| string.as_ptr()).chain([null()]).collect()
}

/// What a child finds in the memory that it shares, and what it leaves there.
struct Shared<'a> {
    beginning: &'a Beginning<'a>,
    /// Pointers to its words and to its variables.
    words: *const *const c_char,
    variables: *const *const c_char,
    /// Why there is no program; 0 if there is.
    error: AtomicI32,
    /// Which of its places was tried last.
    place: AtomicUsize,
}

impl Shared<'_> {
    /// Makes the child, and waits until its program is there or it has ended.
    fn clone_process(&self) -> io::Result<(Pid, Option<OwnedFd>)> {
        let flags = libc::CLONE_VM | libc::CLONE_VFORK | libc::CLONE_PIDFD | libc::SIGCHLD;
        let mut stack = Vec::<MaybeUninit<Aligned>>::with_capacity(STACK / size_of::<Aligned>());
        let mut pidfd: c_int = -1;
        // SAFETY: the child runs `begin` on a stack of its own, which is aligned, is not used otherwise, and is given by its end,
        // as it grows downwards. It has the memory of this process, and this thread waits in this call until the child has let go of that
        // memory, by execve(2) or by its end (CLONE_VFORK). So all that the child reads lives until then, and what it changes (two atomic
        // numbers, `errno` of this thread, its stack) nobody uses meanwhile. It returns from `begin` alone, into its end: no frame of
        // this process is left twice. A handler of signals that runs in it does nothing (`disregard_signals`), but for those of the runtime, of
        // which it dies at once: they are for faults of its own. What else a child has (descriptors, folder, dispositions of signals, rights) is its own, as no flag says
        // otherwise. The call writes one number, to `pidfd`; the words after it are for flags that are not set.
        let pid = unsafe {
            let top = stack.as_mut_ptr().add(stack.capacity());
            libc::clone(begin, top.cast(), flags, from_ref(self).cast_mut().cast(), &raw mut pidfd)
        };
        let error = io::Error::last_os_error();
        let pid = Pid::from_raw(pid).filter(|_| pid > 0).ok_or(error)?;
        // SAFETY: the system has just opened it for this call. It stays -1 where the system does not know that flag.
        Ok((pid, (pidfd >= 0).then(|| unsafe { OwnedFd::from_raw_fd(pidfd) })))
    }

    /// Makes the child what the program is to find. Makes system calls only.
    fn prepare(&self) -> io::Result<()> {
        let Beginning { stdio: [stdin, stdout, stderr], folder, socket, rules, me, .. } = *self.beginning;
        dup2_stdin(stdin)?;
        dup2_stdout(stdout)?;
        dup2_stderr(stderr)?;
        chdir(folder)?;
        // A group of its own, to be killed as a whole. It needs no session: that of the supervisor has no
        // terminal either, and a new one costs a scheduling group.
        setpgid(None, None)?;
        if let Some(me) = me {
            set_parent_process_death_signal(Some(Signal::KILL))?;
            // If the supervisor died before that call, its death is not signalled any more.
            if getppid() != Some(me) {
                return Err(io::ErrorKind::BrokenPipe.into());
            }
        }
        if let Some(socket) = socket {
            fcntl_setfd(socket, FdFlags::empty())?;
        }
        rules.map_or(Ok(()), Rules::obey)
    }

    /// Becomes the program; or says why not.
    fn execute(&self) -> i32 {
        let mut is_refused = false;
        for (at, place) in self.beginning.places.iter().enumerate() {
            self.place.store(at, Ordering::Relaxed);
            // SAFETY: all three are what the call reads: a string, and two lists of strings that end with a null pointer.
            unsafe { libc::execve(place.as_ptr(), self.words, self.variables) };
            match io::Error::last_os_error().raw_os_error().unwrap_or(libc::EINVAL) {
                libc::EACCES => is_refused = true,
                libc::ENOENT | libc::ESTALE | libc::ENOTDIR | libc::ENODEV | libc::ETIMEDOUT => {}
                error => return error,
            }
        }
        if is_refused { libc::EACCES } else { libc::ENOENT }
    }
}

/// What the child does. Nothing of it allocates, takes a lock, or panics: it makes system calls.
extern "C" fn begin(shared: *mut c_void) -> c_int {
    // SAFETY: it is what `clone_process` has given, which lives until this process lets go of its memory, and which the other process does
    // not touch until then.
    let shared = unsafe { &*shared.cast::<Shared<'_>>() };
    let error = match shared.prepare() {
        Ok(()) => shared.execute(),
        Err(error) => error.raw_os_error().unwrap_or(libc::EPIPE),
    };
    shared.error.store(error, Ordering::Relaxed);
    1
}
