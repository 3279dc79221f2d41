//! What is written to a server and read from it: one question at a time, under all limits.

use super::answer::{LONGEST, shown};
use super::conversation::{Exchange, Server, Why};
use super::life::Supervisor;
use super::watch::SAMPLE;
use crate::faults::Breach;
use crate::local::protocol::Request;
use reduct_oracle::{Limit, Used};
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use std::io::{self, Read, Write};
use std::time::{Duration, Instant};

/// How long a server may go on with a test that nobody wants any more: ending it costs another start.
const CANCELLED: Duration = Duration::from_millis(250);

/// How long a server that has closed its input or output may take to end.
const CLOSED: Duration = Duration::from_secs(1);

impl Exchange<'_> {
    fn end_within(&mut self, time: Duration) {
        let soon = Instant::now() + time;
        self.deadline = Some(self.deadline.map_or(soon, |deadline| deadline.min(soon)));
    }
}

impl Supervisor {
    /// Writes what is to be written and waits for a line.
    pub(super) fn exchange(&self, server: &mut Server, exchange: &mut Exchange<'_>, buffer: &mut [u8]) -> Why {
        let is_greeting = exchange.rest.is_empty();
        loop {
            server.write(exchange);
            if server.said.len() > LONGEST {
                return Why::Breach(Breach::ManyLines);
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
                match self.inbox.receive() {
                    Ok(Some((Request::Cancel { run }, _))) if Some(run) == exchange.run => {
                        exchange.cancelled = true;
                        if !is_greeting {
                            exchange.end_within(CANCELLED);
                        }
                    }
                    Ok(Some(later)) if exchange.run.is_none() => exchange.heard.push(later),
                    // A cancellation that came too late for an earlier run.
                    Ok(Some(_)) => {}
                    Ok(None) | Err(_) => return Why::Gone,
                }
            }
            let now = Instant::now();
            if exchange.deadline.is_some_and(|deadline| now >= deadline) {
                return match (&server.stdin, &server.stdout) {
                    _ if exchange.cancelled && !is_greeting => Why::Cancelled,
                    (_, None) => Why::Breach(Breach::ClosedOutput),
                    (None, _) => Why::Breach(Breach::ClosedInput),
                    _ => Why::Limit(Limit::Time),
                };
            }
            if server.sample.is_some_and(|sample| now >= sample) {
                server.sample = Some(now + SAMPLE);
                if let Some(limit) = self.sample(server.pid, 0, &mut Used::default()) {
                    return Why::Limit(limit);
                }
            }
        }
    }

    /// Waits until something happens: on the socket, the end of the server, its standard output, its standard error.
    fn wait(&self, server: &Server, exchange: &Exchange<'_>, until: Option<Instant>) -> [bool; 4] {
        if self.inbox.has_read_ahead() {
            return [true, false, false, false];
        }
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
    /// Returns whether it has ended.
    pub(super) fn is_over(&self) -> bool {
        let nothing = Timespec { tv_sec: 0, tv_nsec: 0 };
        matches!(poll(&mut [PollFd::new(&self.pidfd, PollFlags::IN)], Some(&nothing)), Ok(1))
    }

    /// Returns whether it can be asked more.
    pub(super) fn is_open(&self) -> bool {
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
        // A server that does not read the rest may know the answer already.
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

    /// Returns whether it has said something that was not read yet.
    fn has_more(&self) -> bool {
        let Some(pipe) = &self.stdout else { return false };
        let nothing = Timespec { tv_sec: 0, tv_nsec: 0 };
        matches!(poll(&mut [PollFd::new(pipe, PollFlags::IN)], Some(&nothing)), Ok(1))
    }

    /// Returns the line it has said, if it has, without its end.
    fn line(&mut self) -> Option<Why> {
        let end = self.said.iter().position(|byte| *byte == b'\n')?;
        let rest = self.said.split_off(end + 1);
        let mut line = std::mem::replace(&mut self.said, rest);
        line.pop();
        Some(Why::Line(line))
    }

    /// Returns what it did wrong if it has said something since it was asked last, or says nothing more.
    pub(super) fn speaks_unasked(&mut self, buffer: &mut [u8]) -> Option<Why> {
        if self.has_more() {
            self.read(buffer);
        }
        let breach = match (&self.said[..], &self.stdout) {
            ([], Some(_)) => return None,
            ([], None) => Breach::ClosedOutput,
            (said, _) => Breach::Unasked(shown(said)),
        };
        Some(Why::Breach(breach))
    }
}
