//! Starts a test.

use super::answer::VERSION;
use super::debugger;
use crate::confine::Confined;
use crate::faults::{Attempt, Fault, Unstartable};

use super::FORKS;
use super::life::Supervisor;
use super::program::{Child, Inherited, Input, Program};
use crate::local::given;
use crate::local::protocol::{Blobs, Orders, Step, Verdict};
use reduct_oracle::shell_line::fill_in_command;
use reduct_oracle::{EVERYTHING, Exit};
use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd, BorrowedFd};
use std::os::unix::ffi::OsStrExt;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::thread::sleep;
use std::time::Duration;

/// What keeps programs from leaving things behind or calling home when they crash.
const QUIET: [(&str, &str); 3] =
    [("LLVM_DISABLE_CRASH_REPORT", "1"), ("RUSTC_ICE", "0"), ("PYTHONDONTWRITEBYTECODE", "1")];

/// How often and how far apart a program is tried that is just being written.
const BUSY_TRIES: u32 = 20;
const BUSY_PAUSE: Duration = Duration::from_millis(5);

/// Starts the test, or the build before it, in `slot`, as a child of the supervisor. An error is what to report
/// instead.
///
/// A test is given these arguments after its own, and these variables; what it is compared with, the variables only.
pub(super) fn launch(supervisor: &Supervisor, blobs: &Blobs, step: Step, slot: &Path) -> Result<Child, Verdict> {
    let place = RunFolders::new(&supervisor.orders, step, slot);
    launch_in(supervisor, blobs, &place)
}

/// Starts the test in the slot, not to run but to be asked on a socket to fork tests.
pub(super) fn launch_to_fork(supervisor: &Supervisor, socket: BorrowedFd<'_>) -> Result<Child, Verdict> {
    let place = RunFolders::new(&supervisor.orders, Step::Test, &supervisor.slot);
    launch_in(supervisor, &Blobs::default(), &RunFolders { forks: Some(socket), ..place })
}

fn launch_in(supervisor: &Supervisor, blobs: &Blobs, place: &RunFolders<'_>) -> Result<Child, Verdict> {
    let program = place.program(supervisor, blobs)?;
    let mut tries = 0;
    let error = loop {
        match place.start(supervisor, &program)? {
            Err(error) if error.raw_os_error() == Some(libc::ETXTBSY) && tries < BUSY_TRIES => {
                tries += 1;
                sleep(BUSY_PAUSE);
            }
            Err(error) => break error,
            Ok(child) => return Ok(child),
        }
    };
    if !place.folder.is_dir() {
        return Err(Verdict::Other(Fault::FolderGone(place.folder.clone()).to_string()));
    }
    Err(verdict(&error, &Attempt::Start(program.name().into())))
}

fn as_pairs(variables: &[(OsString, OsString)]) -> impl Iterator<Item = (&OsStr, &OsStr)> {
    variables.iter().map(|(name, value)| (name.as_os_str(), value.as_os_str()))
}

/// Returns what an error of a system call means for the run that this was tried for.
pub(super) fn verdict(error: &io::Error, what: &Attempt) -> Verdict {
    let message = format!("{what}: {error}");
    match error.raw_os_error() {
        Some(libc::EAGAIN | libc::ENOMEM) => Verdict::NoProcess(message),
        Some(libc::EMFILE | libc::ENFILE) => Verdict::NoDescriptor(message),
        Some(libc::ETXTBSY | libc::EIO | libc::ESTALE) => Verdict::Other(message),
        _ => Verdict::Exit(Exit::NotStarted(message)),
    }
}

/// Where a test, or the build before it, runs.
struct RunFolders<'a> {
    step: Step,
    /// The socket on which it is asked to fork tests, if it is none itself.
    forks: Option<BorrowedFd<'a>>,
    /// The folder in which the candidate stands.
    work: PathBuf,
    /// Its working folder.
    folder: PathBuf,
    /// What `{}` stands for.
    candidate: PathBuf,
    /// Where its temporary files go.
    temporary: PathBuf,
}

impl<'f> RunFolders<'f> {
    fn new(orders: &Orders, step: Step, slot: &Path) -> RunFolders<'f> {
        let work = slot.join("work");
        if step == Step::Serve {
            // It is told where a candidate stands with each question.
            return RunFolders {
                step,
                forks: None,
                folder: work.clone(),
                candidate: work.clone(),
                work,
                temporary: slot.join("tmp"),
            };
        }
        let candidate = if orders.subject == "." { work.clone() } else { work.join(&orders.subject) };
        // Joined with nothing, a path gets a slash at its end.
        let folder = if orders.inside.is_empty() { work.clone() } else { work.join(&orders.inside) };
        RunFolders { step, forks: None, work, folder, candidate, temporary: slot.join("tmp") }
    }

    fn argv(&self, orders: &Orders, given: &[(OsString, OsString)]) -> Vec<OsString> {
        match self.step {
            // It builds what stands in its folder: it needs no path.
            Step::Build => orders.build.clone().unwrap_or_default(),
            Step::Reference => {
                let line = orders.reference.as_deref().unwrap_or_default();
                self.filled(&["sh".into(), "-c".into(), line.to_owned()])
            }
            Step::Test => self.test(orders),
            Step::Serve => orders.argv.clone(),
            Step::Backtrace(death) => debugger::argv(self.in_its_environment(orders, given), death),
        }
    }

    fn filled(&self, words: &[OsString]) -> Vec<OsString> {
        fill_in_command(words, self.candidate.as_os_str(), self.work.as_os_str())
    }

    fn test(&self, orders: &Orders) -> Vec<OsString> {
        let (words, plain) = orders.argv.split_at(orders.argv.len().saturating_sub(orders.plain));
        let mut argv = self.filled(words);
        argv.extend_from_slice(plain);
        if orders.path_argument {
            argv.push(self.candidate.clone().into_os_string());
        }
        argv
    }

    /// Returns the test as it is started by a program in another environment: with the variables of the test, these
    /// among them.
    fn in_its_environment(&self, orders: &Orders, given: &[(OsString, OsString)]) -> Vec<OsString> {
        let test = self.test(orders);
        if orders.without.is_empty() && orders.env.is_empty() && given.is_empty() {
            return test;
        }
        let mut words: Vec<OsString> = vec!["env".into()];
        let is_bare = orders.without.iter().any(|name| name == EVERYTHING);
        if is_bare {
            words.push("-i".into());
        } else {
            words.extend(orders.without.iter().flat_map(|name| ["-u".into(), name.into()]));
        }
        // A name may begin like an option.
        words.push("--".into());
        let own = self.own_variables(orders);
        let quiet = QUIET.map(|(name, value)| (name, OsStr::new(value)));
        let own = quiet.iter().filter(|_| !is_bare).chain(&own).map(|(name, value)| (OsStr::new(name), *value));
        let set = orders.env.iter().map(|(name, value)| (OsStr::new(name), value.as_os_str()));
        for (name, value) in own.chain(set).chain(as_pairs(given)) {
            words.push([name, OsStr::new("="), value].into_iter().collect());
        }
        if test.first().is_some_and(|program| program.as_bytes().contains(&b'=')) {
            // It would be taken for a variable.
            words.extend(["/bin/sh", "-c", "exec \"$@\"", "sh"].map(OsString::from));
        }
        words.extend(test);
        words
    }

    /// Returns the variables that every test has.
    fn own_variables<'a>(&'a self, orders: &'a Orders) -> [(&'static str, &'a OsStr); 5] {
        let temporary = self.temporary.as_os_str();
        [
            ("TMPDIR", temporary),
            ("TMP", temporary),
            ("TEMP", temporary),
            ("REDUCT_SCRATCH", &orders.root),
            // What was inherited leads to the user's own files.
            ("PWD", self.folder.as_os_str()),
        ]
    }

    /// Returns what is started, with these arguments and variables that it is given.
    fn program(&self, supervisor: &Supervisor, blobs: &Blobs) -> Result<Rc<Program>, Verdict> {
        // It is the same for all tests in a slot that are given nothing.
        let is_usual = self.step == Step::Test && self.forks.is_none() && blobs.iter().all(Vec::is_empty);
        let usual = supervisor.usual.borrow().clone().filter(|(slot, _)| is_usual && slot == self.slot());
        if let Some((_, program)) = usual {
            return Ok(program);
        }
        let program = Rc::new(self.new_program(&supervisor.orders, blobs)?);
        if is_usual {
            supervisor.usual.replace(Some((self.slot().to_owned(), Rc::clone(&program))));
        }
        Ok(program)
    }

    fn new_program(&self, orders: &Orders, [words, variables]: &Blobs) -> Result<Program, Verdict> {
        // Under gdb it is the same test.
        let is_test = matches!(self.step, Step::Test | Step::Backtrace(_));
        let words = if is_test { given::arguments(words) } else { vec![] };
        let has_variables = is_test || self.step == Step::Reference;
        let variables = if has_variables { given::variables(variables) } else { vec![] };
        let mut argv = self.argv(orders, &variables);
        let Some(name) = argv.first().cloned() else {
            return Err(Verdict::Exit(Exit::NotStarted(Unstartable::NoCommand.to_string())));
        };
        argv.extend(words);
        // gdb itself is not to get them.
        let variables = if matches!(self.step, Step::Backtrace(_)) { vec![] } else { variables };
        let mut environment = self.environment(orders);
        environment.extend(variables);
        Program::new(&argv, &environment, &self.folder).map_err(|error| verdict(&error, &Attempt::Start(name.into())))
    }

    fn start(&self, supervisor: &Supervisor, program: &Program) -> Result<io::Result<Child>, Verdict> {
        let rules = supervisor.confined.as_ref().map(|confined| confined.for_test(self.slot())).transpose();
        let rules = rules.map_err(|error| verdict(&error, &Attempt::Confine))?;
        let stdin = self.stdin(&supervisor.orders, supervisor.nothing.as_fd())?;
        // Processes of their own end with the supervisor, which is the first of them.
        let end_with_it = supervisor.confined.as_ref().is_some_and(Confined::has_own_processes);
        let me = (!end_with_it).then_some(supervisor.me);
        let inherited = Inherited { stdin, socket: self.forks, rules: rules.as_deref(), me };
        Ok(program.start(&inherited))
    }

    fn stdin<'s>(&self, orders: &Orders, nothing: BorrowedFd<'s>) -> Result<Input<'s>, Verdict> {
        if self.step == Step::Serve {
            return Ok(Input::Pipe);
        }
        if !orders.stdin || self.step == Step::Build {
            return Ok(Input::Shared(nothing));
        }
        match File::open(&self.candidate) {
            Ok(file) => Ok(Input::Own(file)),
            // A candidate that has lost its file.
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Input::Shared(nothing)),
            Err(error) => Err(match verdict(&error, &Attempt::Open(self.candidate.clone())) {
                Verdict::Exit(Exit::NotStarted(message)) => Verdict::Other(message),
                other => other,
            }),
        }
    }

    /// Returns the variables that are the same for all runs of this step.
    fn environment(&self, orders: &Orders) -> BTreeMap<OsString, OsString> {
        // gdb keeps the usual environment, and starts the test in that of the test.
        let is_gdb = matches!(self.step, Step::Backtrace(_));
        let is_bare = !is_gdb && orders.without.iter().any(|name| name == EVERYTHING);
        let mut variables = if is_bare { BTreeMap::new() } else { std::env::vars_os().collect() };
        for name in orders.without.iter().filter(|_| !is_gdb) {
            variables.remove(OsStr::new(name));
        }
        if !is_bare {
            variables.extend(QUIET.map(|(name, value)| (name.into(), value.into())));
            for name in ["DEBUGINFOD_URLS", "OLDPWD"] {
                variables.remove(OsStr::new(name));
            }
        }
        let mut set = |name: &str, value: &OsStr| variables.insert(name.into(), value.into());
        for (name, value) in self.own_variables(orders) {
            set(name, value);
        }
        if is_gdb {
            // gdb starts programs with it, and not every one takes the same quotes.
            set("SHELL", "/bin/sh".as_ref());
        }
        if self.step == Step::Serve {
            set("REDUCT_PERSISTENT", VERSION.as_ref());
        }
        for (name, value) in orders.env.iter().filter(|_| !is_gdb) {
            set(name, value);
        }
        if let Some(socket) = self.forks {
            set(FORKS, socket.as_raw_fd().to_string().as_ref());
        }
        variables
    }

    /// Returns the folder below which it may write.
    fn slot(&self) -> &Path {
        // A server stands in a folder of the slot, and works on candidates in all of it.
        let folder = self.work.parent().unwrap_or(&self.work);
        if self.step == Step::Serve { folder.parent().unwrap_or(folder) } else { folder }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::groups::Limited;

    #[test]
    fn under_gdb_a_test_has_its_own_environment() {
        let mut orders = Orders {
            argv: vec!["./a=b".into()],
            subject: "f".into(),
            plain: 0,
            path_argument: false,
            stdin: false,
            build: None,
            inside: OsString::new(),
            server: None,
            forks: false,
            without: vec![],
            env: vec![],
            reference: None,
            limits: reduct_oracle::Limits {
                time: None,
                build_time: None,
                memory: None,
                processes: None,
                disk: None,
                file_size: None,
                output: 1,
            },
            random_addresses: false,
            confinement: None,
            limited: Limited::default(),
            root: "/r".into(),
            slot: "/r/0".into(),
        };
        let words = |orders: &Orders, given: &[(OsString, OsString)]| {
            let step = Step::Backtrace(reduct_oracle::Death::Itself(11));
            RunFolders::new(orders, step, Path::new("/r/0")).in_its_environment(orders, given)
        };
        assert_eq!(words(&orders, &[]), ["./a=b"]);
        orders.without = vec![EVERYTHING.into()];
        orders.env = vec![("A".into(), "1".into())];
        let own = ["TMPDIR=/r/0/tmp", "TMP=/r/0/tmp", "TEMP=/r/0/tmp", "REDUCT_SCRATCH=/r"];
        let own = [&own[..], &["PWD=/r/0/work", "A=1", "-x=y z"]].concat();
        let expected = [&["env", "-i", "--"][..], &own, &["/bin/sh", "-c", "exec \"$@\"", "sh", "./a=b"]].concat();
        assert_eq!(words(&orders, &[("-x".into(), "y z".into())]), expected);
    }
}
