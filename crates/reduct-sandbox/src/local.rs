//! Tests as processes on this machine.
//!
//! Each slot has a thread here and a [supervisor](crate::supervisor) process. The thread writes the candidate
//! into the slot's scratch folder, asks the supervisor to run the test there, and posts what came of it.
//! Both are started when a slot is first needed. On a [`BaseTree`], the folder is kept and only changed where
//! candidates differ, so that builds are incremental.
//!
//! Nothing that a test starts outlives the test, and nothing at all outlives the session: not after
//! `kill -9` of this process (the supervisors see it and clean up), not after `kill -9` of a supervisor (its
//! orphans come to this process, which is therefore a child subreaper), and not after both (the next
//! session sweeps).

mod assigned;
mod folder;
pub(crate) mod given;
pub(crate) mod protocol;
mod scratch;
mod server;
mod setup;
mod slot;
mod stamp;
mod strays;
mod sweep;
mod traces;
mod troubles;
mod wanted;
mod workdir;
mod worker;

use crate::faults::Fault;
use crate::groups::Limited;

use crate::confine;
use crate::confine::order::Order;
use assigned::{Job, Terms};
use protocol::Orders;
use reduct_core::Question;
use reduct_oracle::{Backtraces, Exit, Invocation, Limits};
use reduct_session::confinement::{Confinement, Copies};
use reduct_session::executor::{
    Completion, Executor, LookElsewhere, Opened, ProcessWanted, RunId, RunRequest, Trouble, Waker,
};
use reduct_sources::BaseTree;
use reduct_system::memory;
pub use scratch::{OwnFolder, sweep_all};
use scratch::{Scratch, is_in_memory};
pub use setup::SetupError;
pub(crate) use setup::TAKEN_IN;
use slot::Slot;
use std::collections::HashMap;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf, absolute};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::time::{Duration, Instant};

/// What a [`Local`] is to do.
#[derive(Clone, Debug)]
pub struct Setup {
    /// How many tests may run at a time.
    pub jobs: usize,
    /// How a test is started. A program that is given by a relative path is looked for where this
    /// process is, and only if it is not there, in the folder of the test; with a base tree, only there.
    pub invocation: Invocation,
    /// What a test may use.
    pub limits: Limits,
    /// Where the scratch folder is made; if `None`, in memory if there is room, else where temporary
    /// files go.
    pub scratch: Option<PathBuf>,
    /// How many bytes one candidate needs, the base tree included.
    pub room: u64,
    /// What all candidates stand on. With it, slots keep their folders from test to test, and only touch what
    /// differs; what a test or a build has made stays.
    pub base_tree: Option<Arc<dyn BaseTree>>,
    /// Whether the base tree is laid anew for every test all the same.
    pub fresh: bool,
    /// The command line that becomes a supervisor: see [`crate::supervisor::command`].
    pub supervisor: Vec<OsString>,
    /// Whether the system may give the memory of a test other addresses in each run.
    pub random_addresses: bool,
    /// What a test may do outside of its folder, and the folders of which it sees copies; `None`: whatever it likes.
    pub confinement: Option<(Confinement, Copies)>,
}

/// Runs tests as processes on this machine.
pub struct Local {
    began: Instant,
    jobs: usize,
    terms: Arc<Terms>,
    slots: Vec<Slot>,
    under_way: HashMap<RunId, UnderWay>,
    /// Whether the program of the test is none of the candidate's files, and was started before: if it
    /// cannot be started now, that says nothing about the candidate.
    program_is_sound: bool,
    completions: Receiver<Completion>,
    sender: Sender<Completion>,
    /// What tests make again and again in the folders of the slots.
    made: Arc<traces::Made>,
    // The last to be dropped: it removes the scratch folder.
    scratch: Scratch,
}

/// A test under way.
struct UnderWay {
    /// `None` if it could not even be handed to a slot.
    slot: Option<usize>,
    cancelled: Arc<AtomicBool>,
}

impl Local {
    /// Sweeps what dead sessions have left, and makes the scratch folder. Starts no process yet.
    ///
    /// Makes this process a child subreaper.
    ///
    /// # Errors
    /// If the setup cannot work.
    pub fn new(setup: Setup) -> Result<Local, SetupError> {
        let Setup {
            jobs,
            mut invocation,
            mut limits,
            scratch,
            room,
            base_tree,
            fresh,
            supervisor,
            random_addresses,
            confinement,
        } = setup;
        let Some(program) = invocation.argv.first_mut() else { return Err(SetupError::NoCommand) };
        // Versions of a program have their own.
        if let (None, Some(found)) = (&base_tree, found_here(Path::new(&program))) {
            *program = found.into_os_string();
        }
        let jobs = jobs.max(1);
        let scratch = Scratch::claim(scratch.as_deref(), jobs, room, base_tree.is_some())?;
        if let Some(base_tree) = &base_tree {
            base_tree.take_in(&scratch.root().join(TAKEN_IN)).map_err(SetupError::BaseTree)?;
        }
        limits.disk = limits.disk.or_else(|| fair_space(scratch.root(), jobs));
        // Without it, only strays of a killed supervisor are missed, and the next session sweeps those.
        let _ = rustix::process::set_child_subreaper(Some(rustix::process::getpid()));
        let (sender, completions) = channel();
        let root = scratch.root().to_owned();
        let confinement = confinement.map(|it| confined(it, &supervisor, &root)).transpose()?;
        let limited = Limited::find(&limits, is_in_memory(scratch.root()));
        let terms = Arc::new(Terms {
            invocation,
            limits,
            limited,
            root,
            base_tree,
            fresh,
            supervisor,
            random_addresses,
            confinement,
        });
        let (slots, under_way) = (Vec::new(), HashMap::new());
        let (began, program_is_sound, made) = (Instant::now(), false, Arc::default());
        Ok(Local { began, jobs, terms, slots, under_way, program_is_sound, completions, sender, made, scratch })
    }

    /// Does the same, and says what is to be known of it: the terms are those of the setup.
    ///
    /// # Errors
    /// If the setup cannot work.
    pub fn open(setup: Setup) -> Result<Opened<Local>, SetupError> {
        let backtraces = if setup.invocation.after.backtraces { Backtraces::Always } else { Backtraces::Never };
        let time_limit = setup.limits.time;
        let executor = Local::new(setup)?;
        let base_tree = executor.terms.base_tree.clone();
        let has_random_addresses = executor.has_random_addresses();
        let waker = executor.waker();
        let confined =
            executor.terms.confinement.as_ref().map(|order| (order.confinement.clone(), order.strength.clone()));
        let elsewhere = confined.as_ref().map(|_| {
            let root = executor.scratch().to_owned();
            Box::new(move || confine::view::elsewhere(&root)) as LookElsewhere
        });
        Ok(Opened {
            base_tree,
            confined,
            elsewhere,
            has_random_addresses,
            time_limit,
            backtraces,
            waker,
            ..Opened::new(executor)
        })
    }

    /// Returns what has [`Executor::next`] return.
    fn waker(&self) -> Waker {
        let sender = self.sender.clone();
        // A receiver that is gone need not be woken.
        Arc::new(move || sender.send(Completion::Woken).unwrap_or_default())
    }

    /// Returns whether the addresses in the memory of tests are others in each run, though they were to be the same.
    pub fn has_random_addresses(&self) -> bool {
        !self.terms.random_addresses && !reduct_system::addresses::can_be_fixed()
    }

    /// Returns the scratch folder of this session.
    pub fn scratch(&self) -> &Path {
        self.scratch.root()
    }

    /// Returns the slot for the next test: one that is idle, best the one that had this very candidate, as it may still
    /// be built there; else a new one; else, if all are still busy with a test that nobody wants any more, or clear up
    /// after one, the one with the least to do. What takes the place of a process runs where that was.
    fn slot(&mut self, RunRequest { candidate, process, .. }: &RunRequest) -> io::Result<usize> {
        if let ProcessWanted::InPlaceOf(run) = process
            && let Some(same) = self.slots.iter().position(|slot| !slot.taken && slot.last_run == Some(*run))
        {
            return Ok(same);
        }
        let is_idle = |slot: &&Slot| !slot.taken && slot.is_idle();
        if let Some(again) = self.slots.iter().position(|slot| is_idle(&slot) && slot.last == Some(candidate.key())) {
            return Ok(again);
        }
        if let Some(idle) = self.slots.iter().position(|slot| is_idle(&slot)) {
            return Ok(idle);
        }
        if self.slots.len() < self.jobs {
            let folder = self.scratch.slot(self.slots.len(), self.terms.base_tree.clone(), self.made.clone());
            match Slot::start(folder, Arc::clone(&self.terms), self.sender.clone()) {
                Ok(slot) => self.slots.push(slot),
                Err(error) if self.slots.is_empty() => return Err(error),
                Err(_) => return Ok(self.least_busy()),
            }
            return Ok(self.slots.len() - 1);
        }
        Ok(self.least_busy())
    }

    fn least_busy(&self) -> usize {
        (0..self.slots.len()).min_by_key(|at| (self.slots[*at].taken, self.slots[*at].pending())).unwrap_or(0)
    }

    /// Forgets a test. `None` if it was not under way.
    fn forget(&mut self, run: RunId) -> Option<UnderWay> {
        let gone = self.under_way.remove(&run)?;
        if let Some(slot) = gone.slot {
            self.slots[slot].taken = false;
        }
        Some(gone)
    }

    /// Returns a completion, unless it is about a test that was cancelled.
    fn wanted(&mut self, completion: Completion) -> Option<Completion> {
        match completion {
            Completion::Finished(run, _) | Completion::Lost(run) | Completion::Trouble(run, _) => {
                self.forget(run).map(|_| completion)
            }
            Completion::Deadline | Completion::Woken => Some(completion),
        }
    }
}

impl Executor for Local {
    fn slots(&self) -> usize {
        self.jobs
    }

    fn start(&mut self, run: RunId, request: RunRequest) {
        let cancelled = Arc::new(AtomicBool::new(false));
        let slot = match self.slot(&request) {
            Ok(slot) => {
                self.slots[slot].give(Job { run, request, cancelled: Arc::clone(&cancelled) });
                Some(slot)
            }
            Err(error) => {
                let trouble = Trouble::NoProcess(format!("cannot start a thread: {error}"));
                let _ = self.sender.send(Completion::Trouble(run, trouble));
                None
            }
        };
        self.under_way.insert(run, UnderWay { slot, cancelled });
    }

    fn cancel(&mut self, run: RunId) {
        if let Some(UnderWay { slot: Some(slot), cancelled }) = self.forget(run) {
            self.slots[slot].cancel(run, &cancelled, self.terms.keeps_folders());
        }
    }

    fn next(&mut self, deadline: Option<Duration>) -> Completion {
        loop {
            let received = match deadline {
                Some(deadline) => self.completions.recv_timeout(deadline.saturating_sub(self.now())).ok(),
                // It cannot fail, for `self` holds a sender.
                None => self.completions.recv().ok(),
            };
            match received.map(|completion| self.wanted(completion)) {
                None => return Completion::Deadline,
                Some(Some(completion)) => return self.not_for_the_candidate(completion),
                Some(None) => {}
            }
        }
    }

    fn now(&self) -> Duration {
        self.began.elapsed()
    }
}

impl Drop for Local {
    fn drop(&mut self) {
        // All at once first, so that they end side by side.
        self.slots.iter_mut().for_each(Slot::close);
        self.slots.drain(..).for_each(Slot::join);
        self.terms.limited.sweep();
    }
}

impl Local {
    /// Returns a program that was there and is not any more is trouble of the machine.
    fn not_for_the_candidate(&mut self, completion: Completion) -> Completion {
        let Completion::Finished(run, observed) = &completion else { return completion };
        let Exit::NotStarted(why) = &observed.exit else {
            self.program_is_sound |= is_elsewhere(&self.terms.invocation.argv);
            return completion;
        };
        if self.program_is_sound {
            return Completion::Trouble(*run, Trouble::Other(Fault::NotStartedAnyMore(why.clone()).to_string()));
        }
        completion
    }
}

/// Returns the disk space that a test may fill if nothing is said of it.
fn fair_space(scratch: &Path, jobs: usize) -> Option<u64> {
    let space = rustix::fs::statvfs(scratch).ok()?;
    let free = space.f_bavail.saturating_mul(space.f_frsize);
    // It may be in memory.
    let free = memory::available().map_or(free, |memory| if is_in_memory(scratch) { free.min(memory) } else { free });
    Some(free / 2 / jobs as u64)
}

/// Returns the order by which supervisors confine tests as far as that can be done here.
fn confined(told: (Confinement, Copies), supervisor: &[OsString], root: &Path) -> Result<Order, SetupError> {
    let strength = confine::strength(&told, supervisor, root).map_err(SetupError::Trial)?;
    let (confinement, copies) = told;
    if confinement.strict && !strength.is_full(&confinement) {
        return Err(SetupError::TooWeak(Box::new((confinement, strength))));
    }
    if !strength.view && !confinement.hidden.is_empty() {
        return Err(SetupError::CannotHide);
    }
    if confinement.loopback && !strength.has_loopback() {
        return Err(SetupError::NoLoopback);
    }
    Ok(Order { confinement, copies, scratch: root.into(), strength })
}

/// Returns whether the program stands somewhere else than in the folder of the test.
fn is_elsewhere(argv: &[OsString]) -> bool {
    argv.first().is_some_and(|program| {
        let text = program.to_string_lossy();
        Path::new(program).is_absolute() || !(text.contains('/') || text.contains("{}"))
    })
}

/// Returns the absolute path of a program that is given by a relative one, if it is there.
fn found_here(program: &Path) -> Option<PathBuf> {
    let is_path = program.components().count() > 1 || program.starts_with(".");
    let found = (is_path && program.is_relative()).then(|| absolute(program).ok())??;
    found.is_file().then_some(found)
}

impl Terms {
    /// Returns whether what a test leaves in its folder is worth something to the next one, and is not undone.
    fn keeps_folders(&self) -> bool {
        self.base_tree.as_ref().is_some_and(|base_tree| !base_tree.lays_again()) && !self.fresh
    }

    fn orders(&self, slot: &Path) -> Orders {
        let invocation = self.invocation.clone();
        Orders {
            argv: invocation.argv,
            subject: invocation.subject.into_os_string(),
            plain: invocation.plain,
            path_argument: invocation.path_argument,
            stdin: invocation.stdin,
            build: invocation.build,
            inside: invocation.inside.into_os_string(),
            server: invocation.server,
            without: invocation.without,
            env: invocation.env,
            reference: invocation.after.reference,
            limits: self.limits,
            limited: self.limited.clone(),
            random_addresses: self.random_addresses,
            confinement: self.confinement.clone(),
            root: self.root.clone().into_os_string(),
            slot: slot.as_os_str().to_owned(),
        }
    }
}
