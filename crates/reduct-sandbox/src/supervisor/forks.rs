//! Tests as processes that a fork server has forked: when there is one, and when it is ended.

use super::ending::end;
use super::fork_server::{ForkServer, Started};
use super::launch::launch_to_fork;
use super::life::Supervisor;
use crate::confine::rules::Rules;
use reduct_oracle::Used;
use rustix::process::Pid;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;
use std::sync::Arc;

/// After servers that have forked one test at most, say as each test changes what the next one would see, more and more tests are started
/// before another server is: twice as many each time, up to two to the power of this.
const LONGEST_PAUSE: u32 = 6;

impl Supervisor {
    /// Returns the process that lives on from test to test.
    pub(super) fn spared(&self) -> Option<Pid> {
        self.forks.borrow().server.as_ref().map(|server| server.pid)
    }

    /// Sees to it that there is a fork server from which a test has all that it would have if it were started now; says whether there is
    /// one.
    ///
    /// There is none where processes could outlive the supervisor, or where each test is to have its memory elsewhere.
    pub(super) fn is_ready_to_fork(&self) -> bool {
        let Some(confined) = self.confined.as_ref().filter(|confined| confined.has_own_processes()) else {
            return false;
        };
        if !self.orders.forks || self.orders.random_addresses || self.server.is_some() {
            return false;
        }
        let Ok(rules) = confined.for_test(&self.slot) else { return false };
        let is_same = |server: &ForkServer| {
            server.slot == self.slot && Arc::ptr_eq(&server.rules, &rules) && server.says_nothing()
        };
        if self.forks.borrow().server.as_ref().is_some_and(is_same) {
            return true;
        }
        self.end_fork_server();
        if self.forks.borrow_mut().pauses() {
            return false;
        }
        let started = self.start_fork_server(rules);
        let mut forks = self.forks.borrow_mut();
        // One that cannot begin now will not begin later.
        forks.is_given_up = started.is_none();
        forks.server = started;
        forks.server.is_some()
    }

    /// Has a test forked by the server there is. `None`: it cannot do that, and is gone.
    pub(super) fn fork(&self) -> Option<Started> {
        let forked = self.forks.borrow_mut().server.as_mut().map(ForkServer::fork);
        match forked? {
            Ok(started) => Some(started),
            Err(_) => {
                self.end_fork_server();
                None
            }
        }
    }

    /// Ends the fork server, if there is one.
    pub(super) fn end_fork_server(&self) {
        let Some(server) = self.forks.borrow_mut().server.take() else { return };
        // What it has forked and nobody was told of goes with it.
        let (_, survivors) = end((server.pid, None), self.me, &mut Used::default());
        let mut forks = self.forks.borrow_mut();
        forks.survivors |= survivors;
        forks.wasted = if server.forked > 1 { 0 } else { forks.wasted + 1 };
        forks.pause = if forks.wasted == 0 { 0 } else { 1 << forks.wasted.min(LONGEST_PAUSE) };
    }

    /// Returns whether fork servers have left something that cannot be ended, since this was asked last.
    pub(super) fn takes_fork_survivors(&self) -> bool {
        std::mem::take(&mut self.forks.borrow_mut().survivors)
    }

    fn start_fork_server(&self, rules: Arc<Rules>) -> Option<ForkServer> {
        let (socket, theirs) = UnixStream::pair().ok()?;
        let child = launch_to_fork(self, theirs.as_fd()).ok()?;
        drop(theirs);
        let pid = child.pid;
        let mut server = ForkServer { child, pid, socket, slot: self.slot.clone(), rules, forked: 0 };
        if server.greets().is_ok_and(|number| number == pid.as_raw_nonzero().get()) && server.says_nothing() {
            return Some(server);
        }
        let (_, survivors) = end((pid, None), self.me, &mut Used::default());
        self.forks.borrow_mut().survivors |= survivors;
        None
    }
}
