//! Watches a test until it is over, and ends all that is left of it.

use super::ending::end;
use super::fork_server::Started;
use super::launch::{launch, verdict};
use super::life::Supervisor;
use super::output::Stream;
use super::space::{Filled, Space, Volume};
use super::usage::{pidfd_of, processor, reap};
use crate::confine::Confined;
use crate::faults::{Attempt, Fault};
use crate::local::protocol::{Blobs, Reply, Request, Step, Verdict};
use reduct_oracle::{Exit, Limit, Used};
use reduct_system::family::descendants;
use reduct_system::memory;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::process::{Pid, Signal, kill_process_group};
use std::os::fd::OwnedFd;
use std::time::{Duration, Instant};

/// How long a test that is asked to end may take to do so.
const GRACE: Duration = Duration::from_millis(300);

/// So many processes help to find out where a test dies: gdb, the shell that it starts, what traces the test and what began that.
const HELPERS: u64 = 4;

/// How often memory and processes are counted. A test that is shorter costs nothing.
pub(super) const SAMPLE: Duration = Duration::from_millis(100);

/// Why the watch ended.
enum Why {
    Exited,
    Limit(Limit),
    Cancelled,
    /// The main process is gone.
    Gone,
}

impl Supervisor {
    /// Runs a test, or the build before it. `None` if the main process is gone.
    pub(super) fn run(
        &self,
        (run, step, forked): (u64, Step, bool),
        (time, processor): (Option<Duration>, Option<Duration>),
        given: &Blobs,
        buffer: &mut [u8],
    ) -> Option<(Reply, Blobs)> {
        let has_nothing = given.iter().all(Vec::is_empty);
        if step == Step::Test && !forked {
            // It finds no process besides its own.
            self.end_fork_server();
        }
        let is_forked = forked && step == Step::Test && has_nothing && self.is_ready_to_fork();
        let space = self.orders.limits.disk.map(|most| Space::begin(self.filled(), most));
        let mut began = Instant::now();
        let forked = if is_forked { self.fork() } else { None };
        if is_forked && forked.is_none() {
            // The wait for the server is none for the test.
            began = Instant::now();
        }
        let failed = |verdict, survivors| {
            let (elapsed, used) = (began.elapsed(), Used::default());
            let full = Volume::of(&self.slot).is_some_and(|volume| volume.is_full());
            Some((Reply::Report { verdict, elapsed, used, survivors, serves: false, full }, Blobs::default()))
        };
        let started = forked.map_or_else(|| launch(self, given, step, &self.slot).map(Started::of), Ok);
        let Started { pid, pidfd, outputs } = match started {
            Ok(started) => started,
            Err(verdict) => return failed(verdict, false),
        };
        let pidfd = match pidfd.map_or_else(|| pidfd_of(pid), Ok) {
            Ok(pidfd) => pidfd,
            Err(error) => {
                let (_, survivors) = end((pid, self.spared()), self.me, &mut Used::default());
                return failed(verdict(&error, &Attempt::WatchTest), survivors);
            }
        };
        let room = self.orders.limits.output;
        let streams = outputs.map(|pipe| Stream::new(pipe, room));
        let (helpers, used) = (helpers(step), Used::default());
        let mut watch = Watch { supervisor: self, run, pid, pidfd, streams, processor, space, helpers, used };
        let why = watch.until(time.and_then(|time| began.checked_add(time)), buffer);
        let elapsed = began.elapsed();
        let mut used = watch.used;
        let (status, survivors) = end((pid, self.spared()), self.me, &mut used);
        let reached = self.group.reached();
        let volume = Volume::of(&self.slot);
        let verdict = match why {
            Why::Gone => return None,
            Why::Cancelled => Verdict::Cancelled,
            Why::Limit(limit) => Verdict::Exit(Exit::Limit(limit)),
            // It may have filled it since it was looked at last, or all of it within that time.
            Why::Exited if watch.space.is_some_and(|space| space.is_filled_at_end(volume.as_ref())) => {
                Verdict::Exit(Exit::Limit(Limit::Disk))
            }
            // What the kernel has ended or refused says nothing of the candidate.
            Why::Exited if let Some(limit) = reached => Verdict::Exit(Exit::Limit(limit)),
            Why::Exited => match status {
                Some(exit) => Verdict::Exit(exit),
                None => Verdict::Other(Fault::TestReaped.to_string()),
            },
        };
        let blobs = watch.streams.map(|stream| stream.finish(buffer));
        self.clear(&verdict);
        let survivors = survivors | self.takes_fork_survivors();
        let full = volume.is_some_and(|volume| volume.is_full());
        Some((Reply::Report { verdict, elapsed, used, survivors, serves: false, full }, blobs))
    }

    /// Undoes what a test that came to this has changed in what it sees.
    fn clear(&self, verdict: &Verdict) {
        let has_filled = matches!(verdict, Verdict::Exit(Exit::Limit(Limit::Disk)));
        if self.confined.as_ref().is_some_and(|confined| confined.clear(self.server.is_some(), has_filled)) {
            self.end_fork_server();
        }
    }
}

/// Returns how many processes there may be besides those of the test.
fn helpers(step: Step) -> u64 {
    if matches!(step, Step::Backtrace(_)) { HELPERS } else { 0 }
}

/// A test under way.
struct Watch<'a> {
    supervisor: &'a Supervisor,
    run: u64,
    pid: Pid,
    pidfd: OwnedFd,
    streams: [Stream; 2],
    /// How much processor time it may use.
    processor: Option<Duration>,
    /// The disk space it fills, if that is limited.
    space: Option<Space>,
    /// How many processes there may be besides its own.
    helpers: u64,
    used: Used,
}

impl Watch<'_> {
    /// Takes what the test writes until it is over, for whatever reason.
    fn until(&mut self, mut deadline: Option<Instant>, buffer: &mut [u8]) -> Why {
        let limits = self.supervisor.orders.limits;
        let sampled = limits.memory.is_some() || limits.processes.is_some() || self.processor.is_some();
        let sampled = sampled || self.space.is_some();
        let mut sample = sampled.then(|| Instant::now() + SAMPLE);
        let mut asked = false;
        loop {
            let [socket, over, stdout, stderr] = self.wait([deadline, sample].into_iter().flatten().min());
            let [socket, over] = [socket, over].map(|events| !events.is_empty());
            for (stream, events) in self.streams.iter_mut().zip([stdout, stderr]) {
                stream.take_after(events, buffer);
            }
            if over {
                return if asked { Why::Limit(Limit::Time) } else { Why::Exited };
            }
            if socket && let Some(why) = self.hear() {
                return why;
            }
            let now = Instant::now();
            if deadline.is_some_and(|deadline| now >= deadline) {
                if asked {
                    return Why::Limit(Limit::Time);
                }
                asked = true;
                deadline = Some(now + GRACE);
                // A stopped process does not get the first before the second.
                let _ = kill_process_group(self.pid, Signal::TERM);
                let _ = kill_process_group(self.pid, Signal::CONT);
            }
            if sample.is_some_and(|sample| now >= sample) {
                sample = Some(now + SAMPLE);
                if let Some(limit) = self.supervisor.sample(self.pid, self.helpers, &mut self.used) {
                    return Why::Limit(limit);
                }
                if self.space.as_ref().is_some_and(|space| space.is_filled(&descendants(self.supervisor.me))) {
                    return Why::Limit(Limit::Disk);
                }
                if !asked && self.processor.is_some_and(|most| self.supervisor.processor(&self.used) >= most) {
                    deadline = Some(now);
                }
            }
        }
    }

    /// Waits until something happens: on the socket, the end of the test, standard output, standard error.
    fn wait(&self, until: Option<Instant>) -> [PollFlags; 4] {
        if self.supervisor.inbox.has_read_ahead() {
            return [PollFlags::IN, PollFlags::empty(), PollFlags::empty(), PollFlags::empty()];
        }
        let pipe = |at: usize| match self.streams[at].pipe() {
            Some(pipe) => PollFd::new(pipe, PollFlags::IN),
            None => PollFd::new(&self.pidfd, PollFlags::IN),
        };
        let [socket, over] =
            [PollFd::new(&self.supervisor.socket, PollFlags::IN), PollFd::new(&self.pidfd, PollFlags::IN)];
        let mut all = [socket, over, pipe(0), pipe(1)];
        let timeout = until.map(|until| {
            let left = until.saturating_duration_since(Instant::now());
            Timespec { tv_sec: left.as_secs() as i64, tv_nsec: i64::from(left.subsec_nanos()) }
        });
        match poll(&mut all, timeout.as_ref()) {
            Ok(_) => all.map(|one| one.revents()),
            Err(_) => [PollFlags::empty(); 4],
        }
    }

    /// Takes a message of the main process.
    fn hear(&self) -> Option<Why> {
        match self.supervisor.inbox.receive() {
            Ok(Some((Request::Cancel { run }, _))) if run == self.run => Some(Why::Cancelled),
            // A cancellation that came too late for an earlier run.
            Ok(Some(_)) => None,
            Ok(None) | Err(_) => Some(Why::Gone),
        }
    }
}

impl Supervisor {
    /// Returns the folders that a test fills: its own, and those that take what it changes elsewhere.
    fn filled(&self) -> Filled {
        let (elsewhere, used) = self.confined.as_ref().map(Confined::filled).unwrap_or_default();
        Filled { slot: self.slot.clone(), elsewhere, used }
    }

    /// Counts what the test that is process `test` uses, and reaps the orphans among its processes. So many `helpers` do not count.
    pub(super) fn sample(&self, test: Pid, helpers: u64, used: &mut Used) -> Option<Limit> {
        let limits = self.orders.limits;
        let spared = self.spared();
        let mut family = descendants(self.me);
        family.retain(|pid| Some(*pid) != spared);
        // The test itself stays, even dead: as long as it is not reaped, its number is its own.
        family.retain(|pid| *pid == test || !matches!(reap(Some(*pid), used), Ok(Some(_))));
        if limits.processes.is_some_and(|most| family.len() as u64 > most.saturating_add(helpers)) {
            return Some(Limit::Processes);
        }
        let most = limits.memory?;
        let held = memory::held(&family);
        used.memory = used.memory.max(held);
        (held > most).then_some(Limit::Memory)
    }
}

impl Supervisor {
    /// Returns the processor time of all below the supervisor, and of those that were reaped before.
    fn processor(&self, used: &Used) -> Duration {
        let spared = self.spared();
        let family = descendants(self.me).into_iter().filter(|pid| Some(*pid) != spared);
        family.map(processor).fold(used.processor, Duration::saturating_add)
    }
}
