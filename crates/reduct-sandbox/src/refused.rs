//! Which calls the system refuses to a command: the command is started by a copy of this program that traces it. That is done
//! once, when it is known that something is refused.

mod calls;

use crate::traced::{self, Onlooker, SystemCall};
use calls::Call;
pub use calls::{CallTarget, RefusedCall};
use nix::unistd::Pid;
use reduct_system::signals::end_as;
use std::collections::{BTreeSet, HashMap};
use std::ffi::OsString;
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::exit;

/// The hidden argument.
const ARGUMENT: &str = "__refused";

/// More is not written down.
const MOST: usize = 1000;

/// More is not read: the test may have written to the list, too.
const MOST_BYTES: u64 = 16 << 20;

/// Returns the words before a command that make this executable trace it and write what is refused to it to `list`, provided
/// that its `main` begins with [`run_if_asked`].
pub fn before(list: &Path) -> Vec<OsString> {
    crate::again::by_this_executable(ARGUMENT, list)
}

/// Returns what a list says, each call once.
pub fn read(list: &Path) -> BTreeSet<RefusedCall> {
    let mut text = String::new();
    let _ = File::open(list).and_then(|file| file.take(MOST_BYTES).read_to_string(&mut text));
    text.lines().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// Runs a command and traces it if the hidden argument says so, and then ends as the command does. To be called before any
/// thread is started.
pub fn run_if_asked() {
    let mut words = std::env::args_os().skip(1);
    if words.next().is_none_or(|word| word != ARGUMENT) {
        return;
    }
    let (Some(list), Some(program)) = (words.next(), words.next()) else { exit(125) };
    let words: Vec<OsString> = words.collect();
    let list = File::create(list).ok();
    let (asked, written) = (HashMap::new(), BTreeSet::new());
    let mut tracer = Tracer { list, asked, written, own: std::env::current_dir().ok() };
    end_as(traced::follow(&program, &words, &mut tracer));
}

/// Writes down what is refused.
struct Tracer {
    list: Option<File>,
    /// What each process has asked for, until it is answered.
    asked: HashMap<Pid, Call>,
    written: BTreeSet<RefusedCall>,
    /// The folder of the test: what fails there has nothing to do with the confinement.
    own: Option<PathBuf>,
}

impl Onlooker for Tracer {
    fn begins(&mut self, pid: Pid, call: &SystemCall) {
        match Call::begun(pid, call) {
            Some(call) => self.asked.insert(pid, call),
            None => self.asked.remove(&pid),
        };
    }

    fn ends(&mut self, pid: Pid, error: i32) {
        let call = self.asked.remove(&pid).filter(|call| call.is_refused_by(error));
        if let Some(refused) = call.and_then(|call| call.refused(error)) {
            self.write(refused);
        }
    }

    fn is_gone(&mut self, pid: Pid) {
        self.asked.remove(&pid);
    }
}

impl Tracer {
    fn write(&mut self, refused: RefusedCall) {
        let is_own =
            matches!((&refused.about, &self.own), (CallTarget::Path(path), Some(own)) if path.starts_with(own));
        if is_own || self.written.len() >= MOST || !self.written.insert(refused.clone()) {
            return;
        }
        // At once: it may be killed at a limit.
        if let (Some(list), Ok(mut line)) = (&mut self.list, serde_json::to_vec(&refused)) {
            line.push(b'\n');
            let _ = list.write_all(&line);
        }
    }
}
