//! What to do: everything a run is made from, as it is kept in the journal for who resumes it.

use reduct_circumstances::{Cut, Grammars, Kind, Method, NORMAL, Needs, PASSES, Plan};
use reduct_grammars::Languages;
use reduct_run::executor::{Afterwards, Invocation, Limits, Serving};
use reduct_run::load::name_of;
use reduct_run::oracle::condition::Condition;
use reduct_run::oracle::signature::Signature;
use serde::{Deserialize, Serialize};
use std::ffi::{OsStr, OsString};
use std::os::unix::ffi::OsStrExt;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use crate::errors::Refusal;

/// A reduction to be done.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Job {
    /// The folder it was asked for in. Relative paths are relative to it.
    #[serde(with = "reduct_run::os_path")]
    pub folder: PathBuf,
    /// The files and folders to reduce, as typed.
    #[serde(with = "reduct_run::os_path::several")]
    pub inputs: Vec<PathBuf>,
    /// The test command, as typed.
    #[serde(with = "reduct_run::os_path::several")]
    pub command: Vec<OsString>,
    /// How the candidate is handed to it.
    pub handed: Handed,
    /// What the failure is, if that was said.
    pub failure: Failure,
    /// How it is reduced.
    pub search: Searching,
    /// What a test may use.
    pub limits: Allowed,
    /// Where the result goes.
    #[serde(with = "reduct_run::os_path")]
    pub out: PathBuf,
    /// Whether that is the input itself.
    pub in_place: bool,
    /// Whether outcomes are remembered.
    pub cache: bool,
    /// How many tests run at a time; by default as many as there are cores.
    pub jobs: Option<usize>,
    /// Where scratch folders are made, if not where it is best.
    #[serde(with = "reduct_run::os_path::optional", default)]
    pub scratch: Option<PathBuf>,
    /// How long trouble outside the tests is waited out.
    pub patience: Duration,
    /// Whether what is compared is run until it is clear: for tests that fail now and then.
    #[serde(default)]
    pub repeat: bool,
    /// Whether the command is a server that is asked test after test, and how.
    #[serde(default)]
    pub persistent: Option<Persistence>,
    /// Whether a person is asked what candidates do. The command only shows them then.
    #[serde(default)]
    pub ask: Option<crate::ask::Asking>,
    /// What the inputs are compared with.
    #[serde(default)]
    pub against: Against,
    /// How versions of a program are compared.
    #[serde(default)]
    pub comparing: Comparing,
    /// Whether gdb may be asked where a program has died.
    #[serde(default)]
    pub backtrace: bool,
}

/// What what fails is compared with.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Against {
    /// It is reduced, without regard to what passes.
    #[default]
    Empty,
    /// An empty input that passes: the difference to the largest part that passes is looked for.
    Nothing,
    /// Nothing: all its minima are looked for, this many at most.
    Minima(usize),
    /// An input that passes.
    Input(#[serde(with = "reduct_run::os_path")] PathBuf),
    /// The changes of a git repository, the only input, in this range.
    Range(String),
    /// A folder, of which the only input is a later version.
    Folder(#[serde(with = "reduct_run::os_path")] PathBuf),
    /// The only input, to which these patches are applied; from which they are taken if `reverse`.
    Patches {
        /// The patches, in their order.
        #[serde(with = "reduct_run::os_path::several")]
        files: Vec<PathBuf>,
        /// Whether the input has them already.
        reverse: bool,
    },
    /// Nothing: what the command itself is given is reduced. The inputs are the files of its folder that vary, if
    /// not all of them do.
    Situation(Situation),
}

/// What of a command's circumstances varies.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Situation {
    /// Its arguments.
    pub arguments: bool,
    /// The variables of its environment.
    pub environment: bool,
    /// The files in its folder.
    pub files: bool,
    /// Whether those that stay are made smaller, too.
    pub contents: bool,
    /// The folder in which it is run.
    #[serde(with = "reduct_run::os_path")]
    pub folder: PathBuf,
}

impl Situation {
    /// Of a command that is run where the user is, and of which nothing varies.
    pub fn of_nothing() -> Situation {
        Situation { arguments: false, environment: false, files: false, contents: false, folder: ".".into() }
    }
}

/// How versions are compared.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Comparing {
    /// The command that builds a version, run before the test.
    #[serde(with = "reduct_run::os_path::several")]
    pub build: Vec<OsString>,
    /// How long a build may take.
    pub build_time: Option<Duration>,
    /// Files of the user's folder that each version needs beside its own.
    #[serde(with = "reduct_run::os_path::several")]
    pub with: Vec<PathBuf>,
    /// Whether merges are followed along their first parents only.
    pub first_parent: bool,
    /// Whether each test gets a folder of its own.
    pub fresh: bool,
    /// How many causes are looked for at most.
    pub causes: usize,
}

impl Default for Comparing {
    fn default() -> Comparing {
        let (build, with) = (vec![], vec![]);
        Comparing { build, build_time: None, with, first_parent: false, fresh: false, causes: 10 }
    }
}

/// How the candidate is handed to the test, on top of standing in its folder.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Handed {
    /// Its path is the last argument.
    pub as_argument: bool,
    /// It is the standard input.
    pub on_stdin: bool,
}

/// How a server is asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Persistence {
    /// It gets the contents of the candidate, which is a file.
    Contents,
    /// It is told where the candidate stands.
    Path,
}

/// What the failure is.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Failure {
    /// What the first run shows.
    #[default]
    Observed,
    /// Exit status 0, the convention of reducer scripts.
    ExitZero,
    /// What these conditions say.
    Conditions(Vec<Condition>),
    /// One that was seen before.
    Like(Signature),
}

/// How an input is reduced.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Searching {
    /// The kinds of parts; none for the standard plan.
    pub by: Vec<String>,
    /// The search.
    pub method: String,
    /// Where lists are cut.
    pub cut: String,
    /// Whether what is contained in a passed configuration is taken to pass.
    pub monotone: bool,
    /// Removing fewer units than this at once is not tried.
    pub least: usize,
    /// The language of all inputs, if it is not to be guessed; `none` to read none.
    #[serde(default)]
    pub language: Option<String>,
    /// Whether the result is brought into normal form.
    #[serde(default)]
    pub normalize: bool,
}

impl Searching {
    /// The standard plan.
    pub fn standard() -> Searching {
        Searching {
            by: vec![],
            method: "relevance".into(),
            cut: "book".into(),
            monotone: false,
            least: 1,
            language: None,
            normalize: false,
        }
    }

    /// What reads the inputs.
    ///
    /// # Errors
    /// If it names a language that there is not.
    pub fn grammars(&self) -> Result<Option<Arc<dyn Grammars>>, Refusal> {
        let unknown = |name: &str| Refusal::UnknownName { what: "language", name: name.into() };
        Ok(match self.language.as_deref() {
            Some("none") => None,
            Some(name) => Some(Arc::new(Languages::only(name).ok_or_else(|| unknown(name))?)),
            None => Some(Arc::new(Languages::all())),
        })
    }
}

/// What a test may use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Allowed {
    /// How long it may run; by default derived from the first runs.
    pub time: Option<Duration>,
    /// Bytes of memory.
    pub memory: Option<u64>,
    /// Processes.
    pub processes: Option<u64>,
    /// Bytes of a file it writes.
    pub file_size: Option<u64>,
}

/// As long as nothing is known of how long a test takes, it may take this.
const FIRST_TIME_LIMIT: Duration = Duration::from_secs(300);
/// A server may take this long to say that it is one, or as long as a test if that is longer.
const GREETING: Duration = Duration::from_secs(10);
/// A limit leaves so many times as much as what is measured against.
const ROOM: u32 = 2;
/// A test that needs more processes than this has lost control of them.
const PROCESSES: u64 = 4096;
/// What is kept of each output stream.
const OUTPUT: usize = 1 << 20;

impl Job {
    /// The plan of the reduction.
    ///
    /// # Errors
    /// If it names a kind, search or cut that there is not.
    pub fn plan(&self) -> Result<Plan, Refusal> {
        let unknown = |what, name: &str| Refusal::UnknownName { what, name: name.into() };
        let Searching { by, method, cut, monotone, least, language, normalize } = &self.search;
        let method = Method::named(method).ok_or_else(|| unknown("search", method))?;
        let kinds: Result<Vec<Kind>, Refusal> =
            by.iter().map(|name| Kind::named(name).ok_or_else(|| unknown("kind of parts", name))).collect();
        let kinds = kinds?;
        let published = || method.kinds().map(|names| names.iter().filter_map(|name| Kind::named(name)).collect());
        let kinds = if kinds.is_empty() { published().unwrap_or(Plan::standard().kinds) } else { kinds };
        let cut = Cut::named(cut).ok_or_else(|| unknown("split", cut))?;
        let normal = if *normalize { NORMAL.to_vec() } else { vec![] };
        // Published runs over lines or characters know no language.
        let grammars = self.search.grammars()?.filter(|_| language.is_some() || kinds.iter().any(uses_grammar));
        let (plan, grammars) = match &self.against {
            // Words are no texts of a language, and have nothing in them but tokens and characters.
            Against::Situation(situation) if !situation.files => {
                let kinds = ["tokens", "chars"].into_iter().filter_map(Kind::named).collect();
                (Plan::new(kinds, method).of_situation(situation.contents), None)
            }
            Against::Situation(situation) => (Plan::new(kinds, method).of_situation(situation.contents), grammars),
            _ => (Plan::new(kinds, method), grammars),
        };
        Ok(Plan { cut, monotone: *monotone, least: *least, grammars, normal, ..plan })
    }

    /// The name under which the subject stands in the test's folder, if it is one file or folder.
    ///
    /// # Errors
    /// If it has none.
    pub fn subject(&self) -> Result<Option<PathBuf>, Refusal> {
        match &self.inputs[..] {
            [one] => Ok(Some(name_of(&self.folder.join(one))?)),
            _ => Ok(None),
        }
    }

    /// The inputs, as they can be opened from anywhere.
    pub fn input_paths(&self) -> Vec<PathBuf> {
        self.inputs.iter().map(|input| self.folder.join(input)).collect()
    }

    /// How the test is started in a folder of its own: programs and files that the command names
    /// relative to the user's folder are named in full; the input itself becomes `{}`.
    ///
    /// # Errors
    /// If the subject has no name.
    pub fn invocation(&self) -> Result<Invocation, Refusal> {
        let subject = self.subject()?.unwrap_or_else(|| ".".into());
        let argv: Vec<OsString> = self.command.iter().enumerate().map(|(at, word)| self.word(at, word)).collect();
        let names_the_candidate = |word: &OsString| word.as_bytes().windows(2).any(|two| two == b"{}");
        if self.persistent.is_some() && argv.iter().any(names_the_candidate) {
            let what = "a server cannot be started with the path of a candidate: it is asked about many".into();
            let help = "leave the input out of the command; docs/PERSISTENT.md says how the server gets it".into();
            return Err(Refusal::Usage { what, help });
        }
        let Handed { as_argument, on_stdin } = self.handed;
        Ok(Invocation {
            argv,
            subject,
            path_argument: as_argument,
            stdin: on_stdin,
            build: None,
            inside: PathBuf::new(),
            server: self.serving(),
            without: vec![],
            env: vec![],
            after: self.afterwards(),
        })
    }

    fn serving(&self) -> Option<Serving> {
        let greeting = self.limits.time.map_or(GREETING, |time| time.max(GREETING));
        self.persistent.map(|how| Serving { paths: how == Persistence::Path, greeting })
    }

    /// What is done after each test.
    pub fn afterwards(&self) -> Afterwards {
        let needed = match &self.failure {
            // Functions move between versions.
            Failure::Observed => {
                !matches!(self.against, Against::Range(_) | Against::Folder(_) | Against::Patches { .. })
            }
            Failure::ExitZero => false,
            Failure::Like(signature) => !signature.frames.is_empty(),
            Failure::Conditions(all) => all.iter().any(Condition::needs_frames),
        };
        let reference = self.conditions().iter().find_map(Condition::reference).map(|line| self.line_in_full(line));
        // What fails now and then need not do so again under gdb.
        Afterwards { backtraces: self.backtrace && needed && !self.repeat, reference: reference.map(Into::into) }
    }

    /// A line for the shell, the program of which is named in full if it is one of the user's folder.
    fn line_in_full(&self, line: &str) -> String {
        let end = line.find(char::is_whitespace).unwrap_or(line.len());
        let program = Path::new(&line[..end]);
        let is_ours = line[..end].contains('/') && program.is_relative() && is_program(&self.folder.join(program));
        let full = is_ours.then(|| crate::preflight::quoted(&self.in_full(program)));
        full.map_or_else(|| line.to_owned(), |full| full + &line[end..])
    }

    /// What the failure is, as far as it was said.
    pub fn conditions(&self) -> &[Condition] {
        if let Failure::Conditions(all) = &self.failure { all } else { &[] }
    }

    /// The time limit that leaves room to see whether a test is too slow.
    pub fn least_time_limit(&self) -> Duration {
        let times = self.conditions().iter().filter_map(Condition::time);
        times.max().unwrap_or_default().saturating_mul(ROOM)
    }

    fn word(&self, at: usize, word: &OsStr) -> OsString {
        let path = Path::new(word);
        let full = self.folder.join(path);
        // However it is spelled.
        let is_input = || {
            full.canonicalize().is_ok_and(|named| {
                self.input_paths().iter().any(|input| input.canonicalize().is_ok_and(|input| input == named))
            })
        };
        if self.inputs.len() == 1 && at > 0 && is_input() {
            return "{}".into();
        }
        let is_candidate = self.inputs.iter().any(|input| input.file_name() == path.file_name());
        if !is_candidate && self.names_a_file(at) { self.in_full(path) } else { word.into() }
    }

    /// Whether a word of the command names a file of the user's folder, relative to it.
    pub fn names_a_file(&self, at: usize) -> bool {
        let Some(word) = self.command.get(at) else { return false };
        // A bare name is a program on the search path, or a candidate in the test's folder.
        let names_a_place = word.as_bytes().contains(&b'/') || at > 0;
        // Neither what a shell gets for its line, nor what is an output: those would be written to.
        let is_for_the_shell = self.command.get(1).is_some_and(|word| word == "-c");
        let is_output = at > 0 && self.command.get(at - 1).is_some_and(|word| word.as_bytes().starts_with(b"-o"));
        let path = Path::new(word);
        names_a_place && !is_for_the_shell && !is_output && path.is_relative() && self.folder.join(path).is_file()
    }

    /// A path of the user's folder, as it can be used from anywhere.
    pub fn in_full(&self, path: &Path) -> OsString {
        self.folder.join(path).components().collect::<PathBuf>().into_os_string()
    }

    /// The limits of a test, with this time limit if none was asked for.
    pub fn limits(&self, derived: Option<Duration>, input_size: usize) -> Limits {
        let Allowed { time, memory, processes, file_size } = self.limits;
        let measured = self.conditions().iter().filter_map(Condition::memory).max().unwrap_or_default();
        Limits {
            time: Some(time.or(derived).unwrap_or(FIRST_TIME_LIMIT.max(self.least_time_limit()))),
            build_time: None,
            memory: memory.or_else(|| Some(fair_memory().max(measured.saturating_mul(u64::from(ROOM))))),
            processes: processes.or(Some(PROCESSES)),
            // A test that writes more is filling the disk.
            file_size: file_size.or(Some((input_size as u64 * 16).max(1 << 30))),
            output: OUTPUT,
        }
    }

    /// How many tests run at a time.
    pub fn job_count(&self) -> usize {
        // A person is one slot.
        if self.ask.is_some() { 1 } else { self.jobs.unwrap_or_else(reduct_run::cores::usable) }
    }

    /// The time limit of tests that share the cores, from that of one that runs alone: what nobody asked for is
    /// longer by as many as share a core, so that outcomes are the same at any number of jobs.
    pub fn shared_time_limit(&self, alone: Duration) -> Duration {
        let on_a_core = self.job_count().div_ceil(reduct_run::cores::usable());
        self.limits.time.unwrap_or_else(|| alone.saturating_mul(on_a_core.try_into().unwrap_or(u32::MAX)))
    }
}

/// Whether a kind finds more, or anything at all, with a grammar.
fn uses_grammar(kind: &Kind) -> bool {
    kind.needs == Needs::Grammar || PASSES.contains(kind)
}

/// An equal share of four fifths of the memory that is free now, for each core: the same at any
/// number of jobs.
fn fair_memory() -> u64 {
    let cores = reduct_run::cores::usable() as u64;
    let info = std::fs::read_to_string("/proc/meminfo").unwrap_or_default();
    let available = info.lines().find_map(|line| {
        let kilobytes = line.strip_prefix("MemAvailable:")?.trim().strip_suffix("kB")?.trim();
        kilobytes.parse::<u64>().ok()
    });
    available.map_or(u64::MAX, |kilobytes| (kilobytes * 1024 / 5 * 4 / cores).max(256 << 20))
}

/// Whether a path is a file that can be started.
pub fn is_program(path: &Path) -> bool {
    path.metadata().is_ok_and(|meta| meta.is_file() && meta.permissions().mode() & 0o111 != 0)
}
