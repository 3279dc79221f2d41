//! The process that reads texts: its life, and how it is asked.

use super::busy::Reading;
use super::frame::{Question, read_count, read_nodes, read_question, write_count, write_nodes, write_question};
use reduct_grammars::{LANGUAGES, Languages};
use reduct_input::{Grammars, Node};
use reduct_sandbox::supervisor;
use reduct_system::signals;
use rustix::event::{PollFd, PollFlags, Timespec, poll};
use rustix::io::Errno;
use rustix::process::{Resource, Rlimit, setrlimit};
use rustix::time::{ClockId, clock_gettime};
use std::io::{self, BufReader, BufWriter, Write, stdin, stdout};
use std::path::Path;
use std::process::{ChildStdin, ChildStdout, Command, Stdio, exit};
use std::time::{Duration, Instant};

/// The hidden argument that makes a program read texts.
pub(super) const ARGUMENT: &str = "__parse";

/// How long a text may take that has no length, and how much longer for each byte. Grammars of normal speed take a
/// hundredth of it.
const AT_LEAST: Duration = Duration::from_secs(10);
const A_BYTE: Duration = Duration::from_micros(30);

/// How large the pipes are made, so that a text goes through at once.
const PIPE: usize = 1 << 20;

/// What is said of a text.
pub(super) enum Parsed {
    /// Its tree.
    Tree(Vec<Node>),
    /// In how many places it does not follow its language.
    Errors(usize),
    /// Its language does not help.
    Nothing,
}

/// A process that reads texts.
pub(super) struct Child {
    process: std::process::Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
}

impl Child {
    /// Starts one.
    ///
    /// # Errors
    /// If the system starts no process.
    pub fn start() -> io::Result<Child> {
        let program = supervisor::command().into_iter().next().ok_or(io::ErrorKind::NotFound)?;
        Child::start_as(Command::new(program).arg(ARGUMENT))
    }

    fn start_as(command: &mut Command) -> io::Result<Child> {
        command.current_dir("/").stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut process = command.spawn()?;
        let (Some(to), Some(from)) = (process.stdin.take(), process.stdout.take()) else {
            return Err(io::ErrorKind::BrokenPipe.into());
        };
        // Smaller ones do as well.
        let _ = rustix::pipe::fcntl_setpipe_size(&to, PIPE);
        let _ = rustix::pipe::fcntl_setpipe_size(&from, PIPE);
        Ok(Child { process, to, from: BufReader::with_capacity(1 << 16, from) })
    }

    /// Asks it. `None` if it dies of the text, or takes too long, or texts are not to be read any more; then it is of no use any more.
    pub fn ask(&mut self, question: Question, language: usize, text: &[u8]) -> Option<Parsed> {
        let _reading = Reading::begin(self.process.id())?;
        self.ask_within(time_for(text), question, language, text)
    }

    fn ask_within(&mut self, time: Duration, question: Question, language: usize, text: &[u8]) -> Option<Parsed> {
        write_question(&mut self.to, question, language, text).and_then(|()| self.to.flush()).ok()?;
        self.wait(Instant::now().checked_add(time)?)?;
        let Some(count) = read_count(&mut self.from).ok()? else { return Some(Parsed::Nothing) };
        Some(match question {
            Question::Errors => Parsed::Errors(count),
            Question::Tree => Parsed::Tree(read_nodes(&mut self.from, count).ok()?),
        })
    }

    /// Waits until it says something, or has died.
    fn wait(&self, deadline: Instant) -> Option<()> {
        loop {
            let left = deadline.checked_duration_since(Instant::now())?;
            let left = Timespec::try_from(left).ok()?;
            let mut fds = [PollFd::new(self.from.get_ref(), PollFlags::IN)];
            match poll(&mut fds, Some(&left)) {
                Ok(0) => return None,
                Ok(_) => return Some(()),
                Err(Errno::INTR) => {}
                Err(_) => return None,
            }
        }
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        // It may be in the middle of what does not end.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn time_for(text: &[u8]) -> Duration {
    AT_LEAST.saturating_add(A_BYTE.saturating_mul(u32::try_from(text.len()).unwrap_or(u32::MAX)))
}

/// Reads texts until nobody asks any more.
pub(super) fn serve() -> ! {
    // What is meant for the one that asks is no reason to die of a text.
    signals::ignore();
    let none = Rlimit { current: Some(0), maximum: Some(0) };
    let _ = setrlimit(Resource::Core, none);
    exit(i32::from(answer_all().is_err()))
}

fn answer_all() -> io::Result<()> {
    let mut from = BufReader::with_capacity(1 << 16, stdin().lock());
    let mut to = BufWriter::with_capacity(1 << 16, stdout().lock());
    while let Some((question, language, text)) = read_question(&mut from)? {
        let grammars =
            LANGUAGES.get(language).map(|language| Languages::one(language)).ok_or(io::ErrorKind::InvalidData)?;
        // The process that asked may be gone, and no other one ends a parser that does not end.
        let used = clock_gettime(ClockId::ProcessCPUTime).tv_sec.unsigned_abs();
        let limit = used.saturating_add(2 * time_for(&text).as_secs());
        let _ = setrlimit(Resource::Cpu, Rlimit { current: Some(limit), maximum: None });
        // A language is named, so the path says nothing.
        let path = Path::new("");
        match question {
            Question::Tree => {
                let nodes = grammars.parse(path, &text).map(|tree| tree.nodes);
                write_count(&mut to, nodes.as_ref().map(Vec::len))?;
                write_nodes(&mut to, nodes.as_deref().unwrap_or_default())?;
            }
            Question::Errors => write_count(&mut to, grammars.errors(path, &text))?,
        }
        to.flush()?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns whether a process that does this answers within a moment.
    fn answers(line: &str) -> bool {
        let mut child = Child::start_as(Command::new("sh").args(["-c", line])).unwrap();
        child.ask_within(Duration::from_millis(300), Question::Errors, 0, b"text").is_some()
    }

    #[test]
    fn one_that_dies_or_does_not_end_gives_no_answer() {
        assert!(!answers("exit 1"), "before it reads");
        assert!(!answers("head -c 5 >/dev/null; kill -ABRT $$"), "while it reads");
        assert!(!answers("printf '\\1\\2'"), "in the middle of its answer");
        assert!(!answers("cat >/dev/null; exec sleep 1000"));
        // One error, as `frame.rs` has it.
        assert!(answers("head -c 17 >/dev/null; printf '\\1\\1\\0\\0\\0\\0\\0\\0\\0'; exec sleep 1000"));
    }
}
