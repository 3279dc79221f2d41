//! A server below the supervisor: started, asked test after test, ended.

use super::Supervisor;
use super::answer::{self, CANNOT_TELL, shown};
use super::conversation::{Exchange, Server, Why};
use super::ending::end;
use super::launch::{launch, verdict};
use super::output::Stream;
use super::space::Volume;
use super::usage::pidfd_of;
use super::watch::SAMPLE;
use crate::faults::{Attempt, Breach, Fault};
use crate::local::protocol::{Blobs, Reply, Request, Step, Verdict};
use reduct_oracle::signature::describe;
use reduct_oracle::{Exit, Limit, Used};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Signal, kill_process_group};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

impl Supervisor {
    /// Asks the server there is, or a fresh one. `None` if the main process is gone.
    pub(super) fn ask(
        &mut self,
        run: u64,
        (time, place): (Option<Duration>, Option<PathBuf>),
        question: &[u8],
        buffer: &mut [u8],
    ) -> Option<(Reply, Blobs)> {
        let mut cancelled =
            self.heard.iter().any(|(later, _)| matches!(later, Request::Cancel { run: other } if *other == run));
        let is_started_now = place.is_some();
        if cancelled && is_started_now {
            // The worker has given up the server that is there now.
            self.survivors |= self.dismiss().1;
        }
        if let Some(place) = place.filter(|_| !cancelled) {
            if self.dismiss().1 | std::mem::take(&mut self.survivors) {
                let verdict = Verdict::Other(Fault::ServerSurvives.to_string());
                return self.report(verdict, Instant::now(), (false, true), vec![]);
            }
            match self.begin_server(Some(run), &place, buffer)? {
                Ok(was_cancelled) => cancelled = was_cancelled,
                Err((verdict, survivors)) => return self.report(verdict, Instant::now(), (false, survivors), vec![]),
            }
        }
        let began = Instant::now();
        if cancelled {
            return self.report(Verdict::Cancelled, began, (self.server.is_some(), false), vec![]);
        }
        let Some(mut server) = self.server.take() else {
            return self.report(Verdict::NoServer, began, (false, false), vec![]);
        };
        if !is_started_now && (server.is_over() || server.speaks_unasked(buffer).is_some()) {
            let (_, survivors) = self.end_server(&server);
            return self.report(Verdict::NoServer, began, (false, survivors), vec![]);
        }
        let deadline = time.and_then(|time| began.checked_add(time));
        let mut exchange = Exchange { run: Some(run), rest: question, deadline, cancelled, heard: vec![] };
        // What it wrote since it answered last says nothing of this test, unless it did something wrong meanwhile.
        let mut stderr = server.stderr.turn(buffer);
        let why = match server.speaks_unasked(buffer) {
            Some(breach) => breach,
            None => {
                stderr.clear();
                self.exchange(&mut server, &mut exchange, buffer)
            }
        };
        stderr.append(&mut server.stderr.turn(buffer));
        let (verdict, goes_on) = match self.or_limit(why) {
            Why::Gone => {
                self.server = Some(server);
                return None;
            }
            Why::Exited => {
                let (status, survivors) = self.end_server(&server);
                stderr.append(&mut server.stderr.turn(buffer));
                return self.report(died(status), began, (false, survivors), stderr);
            }
            Why::Line(line) => said(&line, &server, exchange.cancelled, &mut stderr),
            Why::Breach(what) => (cannot_tell(&mut stderr, &what), false),
            Why::Limit(limit) => (Verdict::Exit(Exit::Limit(limit)), false),
            Why::Cancelled => (Verdict::Cancelled, false),
        };
        if goes_on && server.is_open() {
            self.server = Some(server);
            return self.report(verdict, began, (true, false), stderr);
        }
        let (_, survivors) = self.end_server(&server);
        self.report(verdict, began, (false, survivors), stderr)
    }

    /// Returns why a question is over, unless the kernel has ended or refused something meanwhile: that says nothing of the
    /// candidate.
    fn or_limit(&self, why: Why) -> Why {
        match (why, self.group.reached()) {
            (Why::Line(_) | Why::Exited | Why::Breach(_), Some(limit)) => Why::Limit(limit),
            (why, _) => why,
        }
    }

    fn report(
        &mut self,
        verdict: Verdict,
        began: Instant,
        (serves, survivors): (bool, bool),
        stderr: Vec<u8>,
    ) -> Option<(Reply, Blobs)> {
        let (elapsed, used) = (began.elapsed(), Used::default());
        let survivors = std::mem::take(&mut self.survivors) | survivors;
        let full = Volume::of(&self.slot).is_some_and(|volume| volume.is_full());
        Some((Reply::Report { verdict, elapsed, used, survivors, serves, full }, [vec![], stderr]))
    }

    /// Ends the server, if there is one: how it ended, and whether something of it cannot be ended.
    pub(super) fn dismiss(&mut self) -> (Option<Exit>, bool) {
        self.server.take().map_or((None, false), |server| self.end_server(&server))
    }

    /// Ends this server, and all that is left of it.
    fn end_server(&self, server: &Server) -> (Option<Exit>, bool) {
        // Nearly always this is all there is to do; to wait for it here spares looking for others meanwhile.
        let _ = kill_process_group(server.pid, Signal::KILL);
        let soon = Timespec { tv_sec: 0, tv_nsec: 50_000_000 };
        let _ = poll(&mut [PollFd::new(&server.pidfd, PollFlags::IN)], Some(&soon));
        let ended = end((server.pid, None), self.me, &mut Used::default());
        if let Some(confined) = &self.confined {
            // The next one begins with what the first one saw.
            confined.clear(false, false);
        }
        ended
    }

    /// Ends the server there is, and has a fresh one ready, if it is said where. `None` if the main process is gone.
    pub(super) fn prepare(&mut self, place: Option<PathBuf>, buffer: &mut [u8]) -> Option<Reply> {
        self.survivors |= self.dismiss().1;
        if let Some(place) = place.filter(|_| !self.survivors)
            && let Err((_, survivors)) = self.begin_server(None, &place, buffer)?
        {
            self.survivors |= survivors;
        }
        Some(Reply::Prepared { ready: self.server.is_some(), survivors: std::mem::take(&mut self.survivors) })
    }

    /// Returns what is to be done next; `None` if the main process is gone. A server that has nothing to do keeps to
    /// the limits, too: it is ended if it does not.
    pub(super) fn next_request(&mut self) -> Option<(Request, Blobs)> {
        if let Some(heard) = self.heard.pop_front() {
            return Some(heard);
        }
        while let Some((pid, sample)) = self.server.as_ref().and_then(|server| Some((server.pid, server.sample?))) {
            let left = sample.saturating_duration_since(Instant::now());
            let left = Timespec { tv_sec: left.as_secs() as i64, tv_nsec: i64::from(left.subsec_nanos()) };
            if self.inbox.has_read_ahead() {
                break;
            }
            match poll(&mut [PollFd::new(&self.socket, PollFlags::IN)], Some(&left)) {
                Ok(0) => {}
                // A signal, which is not for this process.
                Err(Errno::INTR) => continue,
                _ => break,
            }
            if self.sample(pid, 0, &mut Used::default()).is_some() {
                self.survivors |= self.dismiss().1;
            }
            self.server.iter_mut().for_each(|server| server.sample = Some(Instant::now() + SAMPLE));
        }
        self.inbox.receive().ok()?
    }

    /// Starts a server and hears its greeting. `None` if the main process is gone; whether the run was cancelled
    /// meanwhile; or what to report instead, and whether something is left that cannot be ended.
    fn begin_server(
        &mut self,
        run: Option<u64>,
        place: &Path,
        buffer: &mut [u8],
    ) -> Option<Result<bool, (Verdict, bool)>> {
        let mut server = match self.start_server(place) {
            Ok(server) => server,
            Err(failed) => return Some(Err(failed)),
        };
        let greeting = self.orders.server.map(|serving| serving.greeting);
        let deadline = greeting.and_then(|time| Instant::now().checked_add(time));
        let mut exchange = Exchange { run, rest: &[], deadline, cancelled: false, heard: vec![] };
        let why = self.exchange(&mut server, &mut exchange, buffer);
        self.heard.extend(exchange.heard);
        let wrong = match why {
            Why::Gone => {
                self.server = Some(server);
                return None;
            }
            Why::Line(line) => match answer::greeting(&line) {
                Ok(()) => {
                    self.server = Some(server);
                    return Some(Ok(exchange.cancelled));
                }
                Err(what) => what,
            },
            Why::Limit(Limit::Time) => Breach::LateGreeting,
            Why::Limit(limit) => Breach::NotBegun(describe(&Exit::Limit(limit))),
            Why::Breach(what) => what,
            Why::Cancelled => Breach::Cancelled,
            Why::Exited => {
                let (status, survivors) = self.end_server(&server);
                let stderr = server.stderr.turn(buffer);
                let what = Breach::Ended(status.as_ref().map(describe));
                return Some(Err((self.not_started(&what, &stderr), survivors)));
            }
        };
        let (_, survivors) = self.end_server(&server);
        let stderr = server.stderr.turn(buffer);
        Some(Err((self.not_started(&wrong, &stderr), survivors)))
    }

    fn not_started(&self, what: &Breach, stderr: &[u8]) -> Verdict {
        let program = self.orders.argv.first().map(Path::new).unwrap_or(Path::new("the server")).display();
        let last = stderr.split(|byte| *byte == b'\n').rfind(|line| !line.trim_ascii().is_empty());
        let said = last.map(|line| format!("; its last message: {}", shown(line))).unwrap_or_default();
        Verdict::Exit(Exit::NotStarted(format!("as a server, {program} {what}{said}")))
    }

    fn start_server(&self, place: &Path) -> Result<Server, (Verdict, bool)> {
        let child = launch(self, &Blobs::default(), Step::Serve, place).map_err(|what| (what, false))?;
        let pid = child.pid;
        let prepared = child.never_waits().and_then(|()| child.pidfd.map_or_else(|| pidfd_of(pid), Ok));
        let pidfd = prepared.map_err(|error| {
            let (_, survivors) = end((pid, None), self.me, &mut Used::default());
            (verdict(&error, &Attempt::WatchServer), survivors)
        })?;
        let limits = self.orders.limits;
        let sampled = limits.memory.is_some() || limits.processes.is_some();
        Ok(Server {
            pid,
            pidfd,
            stdin: child.stdin,
            stdout: Some(child.stdout),
            stderr: Stream::new(Some(child.stderr), limits.output),
            said: vec![],
            sample: sampled.then(|| Instant::now() + SAMPLE),
        })
    }
}

/// Returns what a line of a server means, and whether the server can be asked again.
fn said(line: &[u8], server: &Server, cancelled: bool, stderr: &mut Vec<u8>) -> (Verdict, bool) {
    let says_more = !server.said.is_empty();
    match answer::answer(line) {
        _ if cancelled && !says_more => (Verdict::Cancelled, true),
        Some(_) if says_more => (cannot_tell(stderr, &Breach::TwoAnswers), false),
        Some(answer) => {
            if !answer.is_run {
                stderr.clear();
            }
            (Verdict::Exit(answer.exit), true)
        }
        None => (cannot_tell(stderr, &Breach::NoAnswer(shown(line))), false),
    }
}

/// Returns what comes of a test whose server did something wrong, which is said where its messages are.
fn cannot_tell(stderr: &mut Vec<u8>, what: &Breach) -> Verdict {
    stderr.extend(format!("\nreduct: the server {what}\n").bytes());
    Verdict::Exit(Exit::Code(CANNOT_TELL))
}

fn died(status: Option<Exit>) -> Verdict {
    match status {
        Some(status) => Verdict::Exit(status),
        None => Verdict::Other(Fault::ServerReaped.to_string()),
    }
}
