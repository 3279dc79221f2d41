//! A server below the warden: started, asked test after test, ended.

use super::Warden;
use super::answer::{self, CANNOT_TELL, LONGEST, shown};
use super::launch::{launch, verdict};
use super::output::Stream;
use super::watch::{SAMPLE, end};
use crate::executor::local::protocol::{Blobs, Reply, Request, Step, Verdict, receive};
use crate::executor::{Exit, Limit, Used};
use crate::oracle::signature::describe;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::fs::OFlags;
use rustix::process::{Pid, PidfdFlags, pidfd_open};
use std::fs::File;
use std::io::{self, Read, Write};
use std::os::fd::{AsFd, OwnedFd};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// How long a server may go on with a test that nobody wants any more: ending it costs another start.
const CANCELLED: Duration = Duration::from_millis(250);

/// How long a server that has closed its input or output may take to end.
const CLOSED: Duration = Duration::from_secs(1);

/// A server.
pub(super) struct Server {
    pid: Pid,
    pidfd: OwnedFd,
    /// `None` once it has closed it.
    stdin: Option<File>,
    /// `None` once it has closed it.
    stdout: Option<File>,
    stderr: Stream,
    /// What it has said that is no whole line yet.
    said: Vec<u8>,
    /// When memory and processes are counted next: over many short tests, too.
    sample: Option<Instant>,
}

/// Why waiting for a line of a server ended.
enum Why {
    Line(Vec<u8>),
    Exited,
    Limit(Limit),
    /// Nobody wants the answer any more, and there is none yet.
    Cancelled,
    /// It does what no server does.
    Breach(String),
    /// The main process is gone.
    Gone,
}

/// One test, or the greeting.
struct Exchange<'a> {
    run: u64,
    /// What is still to be written.
    rest: &'a [u8],
    deadline: Option<Instant>,
    cancelled: bool,
}

impl Exchange<'_> {
    fn end_within(&mut self, time: Duration) {
        let soon = Instant::now() + time;
        self.deadline = Some(self.deadline.map_or(soon, |deadline| deadline.min(soon)));
    }
}

impl Warden {
    /// Asks the server there is, or a fresh one. `None` if the main process is gone.
    pub(super) fn ask(
        &mut self,
        run: u64,
        (time, place): (Option<Duration>, Option<PathBuf>),
        question: &[u8],
        buffer: &mut [u8],
    ) -> Option<(Reply, Blobs)> {
        let mut cancelled = false;
        if let Some(place) = place {
            if self.dismiss().1 {
                let verdict = Verdict::Other("a server has left a process that cannot be killed".into());
                return self.report(verdict, Instant::now(), (false, true), vec![]);
            }
            match self.begin_server(run, &place, buffer)? {
                Ok(was_cancelled) => cancelled = was_cancelled,
                Err((verdict, survivors)) => return self.report(verdict, Instant::now(), (false, survivors), vec![]),
            }
        }
        let began = Instant::now();
        if cancelled {
            return self.report(Verdict::Cancelled, began, (true, false), vec![]);
        }
        let Some(mut server) = self.server.take() else {
            return self.report(Verdict::Other("there is no server to ask".into()), began, (false, false), vec![]);
        };
        let deadline = time.and_then(|time| began.checked_add(time));
        let mut exchange = Exchange { run, rest: question, deadline, cancelled };
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
        let (verdict, goes_on) = match why {
            Why::Gone => {
                self.server = Some(server);
                return None;
            }
            Why::Line(_) if exchange.cancelled && server.said.is_empty() => (Verdict::Cancelled, true),
            Why::Line(line) => match answer::answer(&line) {
                Some(_) if !server.said.is_empty() => (cannot_tell(&mut stderr, "answers more than once"), false),
                Some(answer) => {
                    if !answer.is_run {
                        stderr.clear();
                    }
                    (Verdict::Exit(answer.exit), true)
                }
                None => (cannot_tell(&mut stderr, &format!("answers {}", shown(&line))), false),
            },
            Why::Breach(what) => (cannot_tell(&mut stderr, &what), false),
            Why::Limit(limit) => (Verdict::Exit(Exit::Limit(limit)), false),
            Why::Cancelled => (Verdict::Cancelled, false),
            Why::Exited => {
                let (status, survivors) = end(server.pid, self.me, &mut Used::default());
                stderr.append(&mut server.stderr.turn(buffer));
                return self.report(died(status), began, (false, survivors), stderr);
            }
        };
        if goes_on && server.is_open() {
            self.server = Some(server);
            return self.report(verdict, began, (true, false), stderr);
        }
        let (_, survivors) = end(server.pid, self.me, &mut Used::default());
        self.report(verdict, began, (false, survivors), stderr)
    }

    fn report(
        &self,
        verdict: Verdict,
        began: Instant,
        (serves, survivors): (bool, bool),
        stderr: Vec<u8>,
    ) -> Option<(Reply, Blobs)> {
        let (elapsed, used) = (began.elapsed(), Used::default());
        Some((Reply::Report { verdict, elapsed, used, survivors, serves }, [vec![], stderr]))
    }

    /// Ends the server, if there is one: how it ended, and whether something of it cannot be ended.
    pub(super) fn dismiss(&mut self) -> (Option<Exit>, bool) {
        self.server.take().map_or((None, false), |server| end(server.pid, self.me, &mut Used::default()))
    }

    /// Starts a server and hears its greeting. `None` if the main process is gone; whether the run was cancelled
    /// meanwhile; or what to report instead, and whether something is left that cannot be ended.
    fn begin_server(&mut self, run: u64, place: &Path, buffer: &mut [u8]) -> Option<Result<bool, (Verdict, bool)>> {
        let mut server = match self.start_server(place) {
            Ok(server) => server,
            Err(failed) => return Some(Err(failed)),
        };
        let greeting = self.orders.server.map(|serving| serving.greeting);
        let deadline = greeting.and_then(|time| Instant::now().checked_add(time));
        let mut exchange = Exchange { run, rest: &[], deadline, cancelled: false };
        let wrong = match self.exchange(&mut server, &mut exchange, buffer) {
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
            Why::Limit(Limit::Time) => {
                "did not say `reduct 1` in time: it may not speak the protocol of servers".into()
            }
            Why::Limit(limit) => format!("did not begin: {}", describe(&Exit::Limit(limit))),
            Why::Breach(what) => what,
            Why::Cancelled => "was cancelled".into(),
            Why::Exited => {
                let (status, survivors) = end(server.pid, self.me, &mut Used::default());
                let how = status.map_or_else(|| "an unknown end".into(), |status| describe(&status));
                let stderr = server.stderr.turn(buffer);
                let what = format!("ended with {how} before it said `reduct 1`");
                return Some(Err((self.not_started(&what, &stderr), survivors)));
            }
        };
        let (_, survivors) = end(server.pid, self.me, &mut Used::default());
        let stderr = server.stderr.turn(buffer);
        Some(Err((self.not_started(&wrong, &stderr), survivors)))
    }

    fn not_started(&self, what: &str, stderr: &[u8]) -> Verdict {
        let program = self.orders.argv.first().map(Path::new).unwrap_or(Path::new("the server")).display();
        let last = stderr.split(|byte| *byte == b'\n').rfind(|line| !line.trim_ascii().is_empty());
        let said = last.map(|line| format!("; its last message: {}", shown(line))).unwrap_or_default();
        Verdict::Exit(Exit::NotStarted(format!("as a server, {program} {what}{said}")))
    }

    fn start_server(&self, place: &Path) -> Result<Server, (Verdict, bool)> {
        let mut child = launch((&self.orders, &Blobs::default()), Step::Serve, place, &self.nothing, self.me)
            .map_err(|what| (what, false))?;
        let pid = Pid::from_child(&child);
        let prepare = || -> io::Result<OwnedFd> {
            // Neither side may wait for the other one to read.
            for pipe in [child.stdin.as_ref().map(AsFd::as_fd), child.stdout.as_ref().map(AsFd::as_fd)] {
                rustix::fs::fcntl_setfl(pipe.ok_or(io::ErrorKind::BrokenPipe)?, OFlags::NONBLOCK)?;
            }
            Ok(pidfd_open(pid, PidfdFlags::empty())?)
        };
        let pidfd = prepare().map_err(|error| {
            let (_, survivors) = end(pid, self.me, &mut Used::default());
            (verdict(&error, || "cannot watch the server".into()), survivors)
        })?;
        let limits = self.orders.limits;
        let file = |pipe: Option<OwnedFd>| pipe.map(File::from);
        let sampled = limits.memory.is_some() || limits.processes.is_some();
        Ok(Server {
            pid,
            pidfd,
            stdin: file(child.stdin.take().map(OwnedFd::from)),
            stdout: file(child.stdout.take().map(OwnedFd::from)),
            stderr: Stream::new(file(child.stderr.take().map(OwnedFd::from)), limits.output),
            said: vec![],
            sample: sampled.then(|| Instant::now() + SAMPLE),
        })
    }

    /// Writes what is to be written and waits for a line.
    fn exchange(&self, server: &mut Server, exchange: &mut Exchange<'_>, buffer: &mut [u8]) -> Why {
        let is_greeting = exchange.rest.is_empty();
        loop {
            server.write(exchange);
            if server.said.len() > LONGEST {
                return Why::Breach("says more than one line".into());
            }
            if let Some(line) = server.line().filter(|_| exchange.rest.is_empty()) {
                return line;
            }
            let until = [exchange.deadline, server.sample].into_iter().flatten().min();
            let [socket, over, stdout, stderr] = self.wait(server, exchange, until);
            if stderr {
                server.stderr.take(buffer);
            }
            if stdout && server.read(buffer) {
                // It is about to end, or it is none.
                exchange.end_within(CLOSED);
            }
            if over {
                while !server.read(buffer) && server.said.len() <= LONGEST && server.has_more() {}
                server.stdin = None;
                return server.line().unwrap_or(Why::Exited);
            }
            if socket {
                match receive::<Request>(&self.socket) {
                    Ok(Some((Request::Cancel { run }, _))) if run == exchange.run => {
                        exchange.cancelled = true;
                        if !is_greeting {
                            exchange.end_within(CANCELLED);
                        }
                    }
                    // A cancellation that came too late for an earlier run.
                    Ok(Some(_)) => {}
                    Ok(None) | Err(_) => return Why::Gone,
                }
            }
            let now = Instant::now();
            if exchange.deadline.is_some_and(|deadline| now >= deadline) {
                return match (&server.stdin, &server.stdout) {
                    _ if exchange.cancelled && !is_greeting => Why::Cancelled,
                    (_, None) => Why::Breach("has closed its standard output".into()),
                    (None, _) => Why::Breach("has closed its standard input".into()),
                    _ => Why::Limit(Limit::Time),
                };
            }
            if server.sample.is_some_and(|sample| now >= sample) {
                server.sample = Some(now + SAMPLE);
                if let Some(limit) = self.sample(server.pid, &mut Used::default()) {
                    return Why::Limit(limit);
                }
            }
        }
    }

    /// Waits until something happens: on the socket, the end of the server, its standard output, its standard error.
    fn wait(&self, server: &Server, exchange: &Exchange<'_>, until: Option<Instant>) -> [bool; 4] {
        let over = || PollFd::new(&server.pidfd, PollFlags::IN);
        let stdout = server.stdout.as_ref().map_or_else(over, |pipe| PollFd::new(pipe, PollFlags::IN));
        let stderr = server.stderr.pipe().map_or_else(over, |pipe| PollFd::new(pipe, PollFlags::IN));
        let writes = server.stdin.as_ref().filter(|_| !exchange.rest.is_empty());
        let stdin = writes.map_or_else(over, |pipe| PollFd::new(pipe, PollFlags::OUT));
        let mut all = [PollFd::new(&self.socket, PollFlags::IN), over(), stdout, stderr, stdin];
        let timeout = until.map(|until| {
            let left = until.saturating_duration_since(Instant::now());
            Timespec { tv_sec: left.as_secs() as i64, tv_nsec: i64::from(left.subsec_nanos()) }
        });
        match poll(&mut all, timeout.as_ref()) {
            Ok(_) => {
                let [socket, over, stdout, stderr, _] = all.map(|one| !one.revents().is_empty());
                [socket, over, stdout, stderr]
            }
            Err(_) => [false; 4],
        }
    }
}

impl Server {
    /// Whether it can be asked more.
    fn is_open(&self) -> bool {
        self.stdin.is_some() && self.stdout.is_some() && self.said.is_empty()
    }

    /// Writes as much as it takes now.
    fn write(&mut self, exchange: &mut Exchange<'_>) {
        while !exchange.rest.is_empty() {
            let Some(pipe) = &mut self.stdin else { break };
            match pipe.write(exchange.rest) {
                Ok(written) => exchange.rest = &exchange.rest[written..],
                Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return,
                Err(_) => {
                    self.stdin = None;
                    exchange.end_within(CLOSED);
                }
            }
        }
        // Who does not want to hear the rest may know the answer already.
        exchange.rest = &[];
    }

    /// Takes what it says; whether it says nothing more.
    fn read(&mut self, buffer: &mut [u8]) -> bool {
        let Some(pipe) = &mut self.stdout else { return false };
        match pipe.read(buffer) {
            Ok(n) if n > 0 => {
                self.said.extend_from_slice(&buffer[..n]);
                return false;
            }
            Err(error) if matches!(error.kind(), io::ErrorKind::Interrupted | io::ErrorKind::WouldBlock) => {
                return false;
            }
            _ => {}
        }
        self.stdout = None;
        true
    }

    /// Whether it has said something that was not read yet.
    fn has_more(&self) -> bool {
        let Some(pipe) = &self.stdout else { return false };
        let nothing = Timespec { tv_sec: 0, tv_nsec: 0 };
        matches!(poll(&mut [PollFd::new(pipe, PollFlags::IN)], Some(&nothing)), Ok(1))
    }

    /// The line it has said, if it has, without its end.
    fn line(&mut self) -> Option<Why> {
        let end = self.said.iter().position(|byte| *byte == b'\n')?;
        let rest = self.said.split_off(end + 1);
        let mut line = std::mem::replace(&mut self.said, rest);
        line.pop();
        Some(Why::Line(line))
    }

    /// What it did wrong if it has said something since it was asked last, or says nothing more.
    fn speaks_unasked(&mut self, buffer: &mut [u8]) -> Option<Why> {
        if self.has_more() {
            self.read(buffer);
        }
        let breach = match (&self.said[..], &self.stdout) {
            ([], Some(_)) => return None,
            ([], None) => "has closed its standard output".into(),
            (said, _) => format!("says {} without being asked", shown(said)),
        };
        Some(Why::Breach(breach))
    }
}

/// What comes of a test whose server did something wrong, which is said where its messages are.
fn cannot_tell(stderr: &mut Vec<u8>, what: &str) -> Verdict {
    stderr.extend(format!("\nreduct: the server {what}\n").bytes());
    Verdict::Exit(Exit::Code(CANNOT_TELL))
}

fn died(status: Option<Exit>) -> Verdict {
    match status {
        Some(status) => Verdict::Exit(status),
        None => Verdict::Other("somebody else has waited for the server".into()),
    }
}
