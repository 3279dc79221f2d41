//! Opening a place where tests run as processes: its scratch folder, its limits, and how far it can confine tests.

use super::Local;
use super::assigned::Terms;
use super::completions::Completions;
use super::scratch::{Scratch, is_in_memory};
use super::setup::{Setup, SetupError, TAKEN_IN};
use crate::confine;
use crate::confine::order::Order;
use crate::groups::Limited;
use reduct_oracle::Backtraces;
use reduct_session::confinement::{Confinement, Copies};
use reduct_session::executor::{Completion, LookElsewhere, Opened, Waker};
use reduct_system::memory;
use std::collections::HashMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf, absolute};
use std::sync::Arc;
use std::time::Instant;

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
        let (sender, completions) = Completions::new();
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
        let (began, program_is_sound, at_once, made) = (Instant::now(), false, 0, Arc::default());
        Ok(Local {
            began,
            jobs,
            terms,
            slots,
            under_way,
            program_is_sound,
            completions,
            sender,
            at_once,
            made,
            scratch,
        })
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
            wakes: true,
            ..Opened::new(executor)
        })
    }

    /// Returns what has [`next`](reduct_session::executor::Executor::next) return.
    fn waker(&self) -> Waker {
        let sender = self.sender.clone();
        Arc::new(move || sender.send(Completion::Woken))
    }

    /// Returns whether the addresses in the memory of tests are others in each run, though they were to be the same.
    pub fn has_random_addresses(&self) -> bool {
        !self.terms.random_addresses && !reduct_system::addresses::can_be_fixed()
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

/// Returns the absolute path of a program that is given by a relative one, if it is there.
fn found_here(program: &Path) -> Option<PathBuf> {
    let is_path = program.components().count() > 1 || program.starts_with(".");
    let found = (is_path && program.is_relative()).then(|| absolute(program).ok())??;
    found.is_file().then_some(found)
}
