//! What all tests need: a session of scripts, and conditions to wait for.

use reduct_core::Config;
use reduct_input::{Artifact, Candidate, What};
use reduct_oracle::{Backtraces, Exit, Invocation, Limit, Limits, Observed, Process};
use reduct_sandbox::local::{Local, Setup};
use reduct_session::executor::{Completion, Executor, Opened, ProcessWanted, RunId, RunRequest};
use reduct_sources::BaseTree;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread::sleep;
use std::time::{Duration, Instant};
use std::{env, fs, io};

/// How long to wait for what has to come: long enough for a machine that is busy with other things.
const PATIENCE: Duration = Duration::from_secs(60);

/// No limits but on what is kept of the output.
pub const LIMITS: Limits = Limits {
    time: None,
    build_time: None,
    memory: None,
    processes: None,
    disk: None,
    file_size: None,
    output: 1 << 16,
};

/// An example that is built together with the tests.
pub fn example(name: &str) -> PathBuf {
    let test = env::current_exe().unwrap();
    let example = test.parent().unwrap().parent().unwrap().join("examples").join(name);
    assert!(example.exists(), "{} is not built: cargo build -p reduct-sandbox --examples", example.display());
    example
}

/// A setup in which candidates are a file of the name `file`.
pub fn setup(argv: &[&str]) -> Setup {
    Setup {
        jobs: 1,
        invocation: Invocation {
            argv: argv.iter().map(OsString::from).collect(),
            subject: "file".into(),
            plain: 0,
            path_argument: false,
            stdin: false,
            build: None,
            server: None,
            forks: false,
            inside: Default::default(),
            without: vec![],
            env: vec![],
            after: Default::default(),
        },
        limits: LIMITS,
        scratch: None,
        room: 0,
        base_tree: None,
        fresh: false,
        supervisor: vec![example("supervisor").into(), "__supervisor".into()],
        random_addresses: false,
        confinement: None,
    }
}

/// A session.
pub struct Session {
    pub local: Local,
    pub time_limit: Option<Duration>,
    pub processor_limit: Option<Duration>,
    /// How often a server that was asked before said that it fails, and a fresh one said otherwise.
    pub leaks: u64,
    /// Whether servers are asked more than once, as in a search for what exits with 1.
    pub reuses: bool,
    backtraces: Backtraces,
    runs: u64,
}

impl Session {
    pub fn new(setup: Setup) -> Session {
        let Opened { executor: local, time_limit, processor_limit, backtraces, .. } = Local::open(setup).unwrap();
        Session { local, time_limit, processor_limit, leaks: 0, reuses: false, backtraces, runs: 0 }
    }

    /// A session in which candidates are shell scripts.
    pub fn of_scripts() -> Session {
        Session::new(setup(&["sh", "{}"]))
    }

    pub fn start(&mut self, candidate: &Candidate) -> RunId {
        let process = if self.reuses { ProcessWanted::Reused } else { ProcessWanted::Fresh };
        self.start_in(candidate, process)
    }

    fn start_in(&mut self, candidate: &Candidate, process: ProcessWanted) -> RunId {
        self.runs += 1;
        let (time_limit, processor_limit, backtraces) = (self.time_limit, self.processor_limit, self.backtraces);
        let request =
            RunRequest { time_limit, processor_limit, backtraces, process, ..RunRequest::of(candidate.clone()) };
        self.local.start(RunId(self.runs), request);
        RunId(self.runs)
    }

    /// The next notice; nothing is expected to be still in the way.
    pub fn next(&mut self) -> Completion {
        match self.local.next(Some(self.local.now() + PATIENCE)) {
            Completion::Deadline => panic!("nothing came"),
            notice => notice,
        }
    }

    pub fn notice(&mut self, candidate: &Candidate) -> Completion {
        self.start(candidate);
        self.next()
    }

    pub fn observe(&mut self, candidate: &Candidate) -> Observed {
        let (run, observed) = self.finished(candidate);
        if observed.also.process.is_fresh() || !is_doubted(&observed) {
            return observed;
        }
        // As a session does.
        self.start_in(candidate, ProcessWanted::InPlaceOf(run));
        let Completion::Finished(_, checked) = self.next() else { panic!("it is not finished") };
        assert!(checked.also.process.is_fresh());
        self.leaks += u64::from(observed.exit == Exit::Code(1) && checked.exit != Exit::Code(1));
        *checked
    }

    fn finished(&mut self, candidate: &Candidate) -> (RunId, Observed) {
        match self.notice(candidate) {
            Completion::Finished(run, observed) => (run, *observed),
            other => panic!("{other:?}"),
        }
    }

    pub fn run(&mut self, script: &str) -> Observed {
        self.observe(&file(script.as_bytes()))
    }

    pub fn exit(&mut self, script: &str) -> Exit {
        self.run(script).exit
    }
}

/// Whether a session would ask a fresh server.
fn is_doubted(observed: &Observed) -> bool {
    let is_late = observed.exit == Exit::Limit(Limit::Time);
    observed.exit == Exit::Code(1) || observed.also.process == Process::Ended && !is_late
}

/// A base tree that is a copy of a folder, and how often it was made.
#[derive(Debug)]
pub struct Copied {
    pub folder: PathBuf,
    pub laid: AtomicUsize,
}

impl BaseTree for Copied {
    fn identity(&self) -> Vec<u8> {
        vec![]
    }

    fn populate(&self, folder: &Path) -> io::Result<()> {
        self.laid.fetch_add(1, Ordering::Relaxed);
        let status = Command::new("cp").arg("-a").arg(self.folder.join(".")).arg(folder).status()?;
        if status.success() { Ok(()) } else { Err(io::Error::other("cp failed")) }
    }
}

/// A candidate of one file.
pub fn file(contents: &[u8]) -> Candidate {
    Candidate::whole(Arc::new(Artifact::of_file("file", contents).unwrap()))
}

/// Waits until `condition` holds.
pub fn wait_until(what: &str, condition: impl Fn() -> bool) {
    let deadline = Instant::now() + PATIENCE;
    while !condition() {
        assert!(Instant::now() < deadline, "still not: {what}");
        sleep(Duration::from_millis(2));
    }
}

/// A process writes its number into this file, as a whole.
pub fn write_pid(path: &Path) -> String {
    format!("echo $$ > {0}.new && mv {0}.new {0}", path.display())
}

/// Starts, with all the tricks a daemon knows, a process that writes its number into `path`, and waits for it.
pub fn daemon(path: &Path) -> String {
    let body = format!("{} && exec sleep 1000", write_pid(path));
    let wait = format!("while [ ! -e {} ]; do sleep 0.01; done", path.display());
    format!("(setsid env -i PATH=\"$PATH\" sh -c '{body}' < /dev/null > /dev/null 2>&1 &)\n{wait}\n")
}

/// The process whose number is in `path`.
pub fn pid_in(path: &Path) -> u32 {
    wait_until("the number of a process is there", || path.exists());
    fs::read_to_string(path).unwrap().trim().parse().unwrap()
}

/// Returns whether a process runs; one that is dead and not reaped does not.
pub fn runs(pid: u32) -> bool {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.rsplit(") ").next().is_some_and(|rest| !rest.is_empty() && !rest.starts_with(['Z', 'X']))
}

/// How many processes of the session with this scratch folder run.
pub fn count_of(root: &Path) -> usize {
    let marker = format!("REDUCT_SCRATCH={}\0", root.display());
    let environs = fs::read_dir("/proc").unwrap().flatten().filter_map(|it| fs::read(it.path().join("environ")).ok());
    environs.filter(|environ| environ.windows(marker.len()).any(|at| at == marker.as_bytes())).count()
}

/// A session on a base tree, whose test is whatever stands in a script at that time.
pub struct OnBaseTree {
    pub session: Session,
    pub base_tree: Arc<Copied>,
    pub home: tempfile::TempDir,
}

impl OnBaseTree {
    /// `laid` says in a shell what the base tree is; `setup` may say more.
    pub fn new(laid: &str, adjust: impl FnOnce(&mut Setup, &Path)) -> OnBaseTree {
        let home = tempfile::tempdir().unwrap();
        let folder = home.path().join("base");
        fs::create_dir(&folder).unwrap();
        assert!(Command::new("sh").args(["-ec", laid]).current_dir(&folder).status().unwrap().success());
        let base_tree = Arc::new(Copied { folder, laid: AtomicUsize::new(0) });
        let mut setup = setup(&["sh"]);
        setup.invocation.argv.push(home.path().join("test").into());
        setup.invocation.subject = ".".into();
        setup.base_tree = Some(Arc::clone(&base_tree) as Arc<dyn BaseTree>);
        adjust(&mut setup, home.path());
        OnBaseTree { session: Session::new(setup), base_tree, home }
    }

    /// Where the candidates stand.
    pub fn work(&self) -> PathBuf {
        self.session.local.scratch().join("000/work")
    }

    /// How often the base tree was laid.
    pub fn laid(&self) -> usize {
        self.base_tree.laid.load(Ordering::Relaxed)
    }

    pub fn start(&mut self, candidate: &Candidate, script: &str) -> RunId {
        fs::write(self.home.path().join("test"), script).unwrap();
        self.session.start(candidate)
    }

    pub fn run(&mut self, candidate: &Candidate, script: &str) -> Observed {
        fs::write(self.home.path().join("test"), script).unwrap();
        self.session.observe(candidate)
    }

    /// Runs a test that exits with 0, and returns what it says.
    pub fn says(&mut self, candidate: &Candidate, script: &str) -> String {
        let observed = self.run(candidate, script);
        let (stdout, stderr) = [observed.stdout, observed.stderr].map(|it| String::from_utf8(it).unwrap()).into();
        assert_eq!(observed.exit, Exit::Code(0), "{stdout}{stderr}");
        stdout
    }
}

/// These entries of an artifact, as a whole.
pub fn some_of(base: &Arc<Artifact>, entries: &[usize]) -> Candidate {
    let bytes = entries.iter().filter_map(|at| match &base.entries()[*at].what {
        What::File { bytes, .. } => Some(bytes.clone()),
        _ => None,
    });
    let kept = Config::from_ranges(entries.iter().map(|at| *at as u32..*at as u32 + 1));
    Candidate::new(Arc::clone(base), kept, Config::from_ranges(bytes), 0)
}
