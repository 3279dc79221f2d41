//! Builders: what is looked for, with every option, and a result that is data.

pub(crate) mod refused;
mod result;
mod scratch;
mod test;

use crate::audience::Audience;
use crate::errors::Refusal;
use crate::goal::Goal;
use crate::job::{Failure, InputDelivery, Job, ReductionOptions, ResourceLimits, TestPlace, VersionOptions, Watching};
use crate::open::begin;
use crate::options::search_options;
use reduct_sandbox::{opened, supervisor};
use reduct_session::Stops;
use reduct_session::event::{Event, Observer};
use reduct_session::executor::Control;
pub use refused::BuilderError;
pub use result::JobResult;
use scratch::Scratch;
use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;
pub use test::Test;

/// Becomes a helper process if this program was started again as one, and does not return then. Programs that run jobs
/// call this first thing in `main`, before any thread is started: tests are watched over by a copy of the program.
///
/// Functions as tests ([`reduce_bytes`](crate::reduce_bytes)) need no helper.
///
/// ```no_run
/// fn main() -> Result<(), reduct_lib::Refusal> {
///     reduct_lib::run_if_asked();
///     let test = reduct_lib::Test::command(["./browser", "{}"]);
///     reduct_lib::reduce("page.html").test(test).run().map(|_| ())
/// }
/// ```
pub fn run_if_asked() {
    supervisor::run_if_asked();
    opened::run_if_asked();
    reduct_sandbox::refused::run_if_asked();
    reduct_sandbox::looked::run_if_asked();
    crate::parser::run_if_asked();
    crate::own::note_begin();
}

/// Has tests watched over by another program, which calls [`run_if_asked`] first thing in `main`, as the command
/// `reduct` does: for where `main` is not yours, as in tests. The first one that is named counts.
///
/// ```no_run
/// # fn main() -> Result<(), reduct_lib::Refusal> {
/// reduct_lib::use_supervisor("target/debug/my-reducer");
/// let test = reduct_lib::Test::command(["./browser", "{}"]);
/// let result = reduct_lib::reduce("page.html").test(test).run()?;
/// # Ok(())
/// # }
/// ```
pub fn use_supervisor(program: impl Into<PathBuf>) {
    supervisor::use_program(program.into());
}

/// Prepares to reduce a file or folder to the smallest that still fails. [`Builder::run`] does it.
///
/// ```standalone_crate
/// fn main() -> Result<(), Box<dyn std::error::Error>> {
///     reduct_lib::run_if_asked();
///     let page = std::env::temp_dir().join(format!("{}.html", std::process::id()));
///     std::fs::write(&page, "<p>\n<SELECT NAME=\"priority\" MULTIPLE>\n</p>\n")?;
///     let test = reduct_lib::Test::shell("grep -q '<SELECT.*>' {}").exit_zero();
///     let result = reduct_lib::reduce(&page).test(test).jobs(2).run()?;
///     assert_eq!(result.bytes(), b"<SELECT>");
///     Ok(std::fs::remove_file(page)?)
/// }
/// ```
pub fn reduce(input: impl Into<PathBuf>) -> Builder<'static> {
    Builder::new(vec![input.into()], Goal::Reduce)
}

/// Prepares to find the smallest difference of two inputs, of which one passes and the other fails.
///
/// ```standalone_crate
/// fn main() -> Result<(), Box<dyn std::error::Error>> {
///     reduct_lib::run_if_asked();
///     let [old, new] = ["old", "new"].map(|name| std::env::temp_dir().join(format!("{name}-{}", std::process::id())));
///     std::fs::write(&old, "width 3\nheight 5\ncolor red\n")?;
///     std::fs::write(&new, "width 3\nheight 0\ncolor blue\n")?;
///     let test = reduct_lib::Test::shell("! grep -q 'height 0' {}");
///     let result = reduct_lib::isolate(&old, &new).test(test).run()?;
///     let passing = result.passing.as_ref().map(|side| side.artifact().bytes().to_vec());
///     // They differ in one digit; the color is the same in both.
///     assert_eq!(passing.map(|bytes| bytes.len()), Some(result.bytes().len()));
///     [old, new].iter().try_for_each(std::fs::remove_file)?;
///     Ok(())
/// }
/// ```
pub fn isolate(passing: impl Into<PathBuf>, failing: impl Into<PathBuf>) -> Builder<'static> {
    Builder::new(vec![failing.into()], Goal::Isolate(passing.into()))
}

/// Prepares to find all minima of an input, `most` at most: every choice of its lines, or of other parts named with
/// [`Builder::by`], that fails and of which nothing can go. They are files in [`JobResult::files`].
///
/// ```standalone_crate
/// fn main() -> Result<(), Box<dyn std::error::Error>> {
///     reduct_lib::run_if_asked();
///     let list = std::env::temp_dir().join(format!("list-{}", std::process::id()));
///     std::fs::write(&list, "a\nb\nc\nd\n")?;
///     let test = reduct_lib::Test::shell("grep -q '[bd]' {}").exit_zero();
///     let result = reduct_lib::minima(&list, 10).test(test).run()?;
///     assert!(matches!(result.evidence.claim, reduct_lib::Claim::Minima { count: 2, .. }));
///     Ok(std::fs::remove_file(list)?)
/// }
/// ```
pub fn minima(input: impl Into<PathBuf>, most: usize) -> Builder<'static> {
    Builder::new(vec![input.into()], Goal::Minima(most))
}

/// Prepares to find the changes in a range of commits (`good..bad`) of a git repository because of which the test fails.
/// They are patches in [`JobResult::files`].
///
/// ```no_run
/// let test = reduct_lib::Test::command(["./check"]);
/// let result = reduct_lib::changes(".", "v1.4..HEAD").build(["make"]).test(test).run()?;
/// # Ok::<(), reduct_lib::Refusal>(())
/// ```
pub fn changes(repository: impl Into<PathBuf>, range: impl Into<String>) -> Builder<'static> {
    Builder::new(vec![repository.into()], Goal::BlameRange(range.into()))
}

/// Prepares to find the changes between two folders, the earlier of which passes, because of which the test fails. They
/// are patches in [`JobResult::files`].
///
/// ```standalone_crate
/// use std::fs::{create_dir_all, remove_dir_all, write};
///
/// fn main() -> Result<(), Box<dyn std::error::Error>> {
///     reduct_lib::run_if_asked();
///     let top = std::env::temp_dir().join(format!("versions-{}", std::process::id()));
///     for (version, width) in [("old", "3"), ("new", "4")] {
///         create_dir_all(top.join(version))?;
///         write(top.join(version).join("width"), width)?;
///     }
///     let test = reduct_lib::Test::shell("grep -q 3 width");
///     let result = reduct_lib::changes_since(top.join("old"), top.join("new")).test(test).run()?;
///     assert!(matches!(result.evidence.claim, reduct_lib::Claim::Causes { count: 1, .. }));
///     Ok(remove_dir_all(top)?)
/// }
/// ```
pub fn changes_since(earlier: impl Into<PathBuf>, later: impl Into<PathBuf>) -> Builder<'static> {
    Builder::new(vec![later.into()], Goal::BlameFolder(earlier.into()))
}

/// A job with its options: see [`reduce`] and its like. By default it leaves nothing on disk: what is found is in the
/// [`JobResult`].
pub struct Builder<'a> {
    job: Job,
    stops: Stops,
    force: bool,
    out: Option<PathBuf>,
    keeps: bool,
    observers: Vec<Box<dyn Observer + 'a>>,
    control: Box<dyn FnMut(Control) + 'a>,
}

impl<'a> Builder<'a> {
    fn new(inputs: Vec<PathBuf>, goal: Goal) -> Builder<'a> {
        let job = Job::new(inputs, vec![], PathBuf::new());
        let (stops, observers) = (Stops::default(), vec![]);
        let control = Box::new(|_| {});
        Builder { job: Job { goal, ..job }, stops, force: false, out: None, keeps: false, observers, control }
    }

    search_options!(job.search);

    /// Runs this test. Without one there is nothing to run.
    pub fn test(mut self, test: Test) -> Self {
        self.job = test.of(self.job);
        self
    }

    /// Reduces this file or folder too: then tests find all inputs in their folder, under their names.
    pub fn input(mut self, input: impl Into<PathBuf>) -> Self {
        self.job.inputs.push(input.into());
        self
    }

    /// Takes relative paths from this folder, instead of the current one.
    pub fn folder(mut self, folder: impl Into<PathBuf>) -> Self {
        self.job.folder = folder.into();
        self
    }

    /// Runs so many tests at a time: by default as many as there are cores. The result is the same.
    pub fn jobs(mut self, jobs: usize) -> Self {
        self.job.jobs = Some(jobs.max(1));
        self
    }

    /// Stops after so many tests, with the best so far: the same at any number of jobs.
    pub fn tests(mut self, tests: u64) -> Self {
        self.stops.tests = Some(tests);
        self
    }

    /// Stops after this time, with the best so far.
    pub fn time(mut self, time: Duration) -> Self {
        self.stops.time = Some(time);
        self
    }

    /// Stops when the last so many tests made the input smaller by less than so many percent.
    pub fn stall(mut self, tests: u64, percent: u64) -> Self {
        self.stops.stall = Some((tests, percent));
        self
    }

    /// Puts the result here as well, from the first success on. What stands there is not replaced, unless it is a result
    /// of an earlier run that was kept, or [`Builder::force`] says so.
    pub fn out(mut self, out: impl Into<PathBuf>) -> Self {
        (self.out, self.job.in_place) = (Some(out.into()), false);
        self
    }

    /// Replaces the input by the result, and keeps the original beside it, with `.orig` at the end of its name. For one
    /// input that is reduced.
    pub fn in_place(mut self) -> Self {
        (self.out, self.job.in_place) = (None, true);
        self
    }

    /// Replaces what stands at the place of the result.
    pub fn force(mut self, force: bool) -> Self {
        self.force = force;
        self
    }

    /// Keeps the journal of the run in `.reduct` below [`Builder::folder`], as the command does, so that it can be
    /// resumed, replayed and verified. By default it is removed at the end.
    pub fn keep_runs(mut self, keeps: bool) -> Self {
        (self.keeps, self.job.runs) = (keeps, None);
        self
    }

    /// Likewise, below this folder.
    pub fn runs_in(mut self, folder: impl Into<PathBuf>) -> Self {
        (self.keeps, self.job.runs) = (true, Some(folder.into()));
        self
    }

    /// Uses the outcomes of earlier runs of the same test that were kept.
    pub fn reuse(mut self, reuse: bool) -> Self {
        self.job.reuse = reuse;
        self
    }

    /// Runs a test again when the search repeats it, if not `remember`.
    pub fn remember(mut self, remember: bool) -> Self {
        self.job.cache = remember;
        self
    }

    /// Has folders for tests made here, instead of where it is best.
    pub fn scratch(mut self, folder: impl Into<PathBuf>) -> Self {
        self.job.scratch = Some(folder.into());
        self
    }

    /// Waits so long for trouble outside the tests to pass, such as a full disk: by default a minute.
    pub fn patience(mut self, patience: Duration) -> Self {
        self.job.patience = patience;
        self
    }

    /// Compares versions like this: of [`changes`] and [`changes_since`].
    pub fn comparing(mut self, comparing: VersionOptions) -> Self {
        self.job.comparing = comparing;
        self
    }

    /// Builds each version with this command before the test: of [`changes`] and [`changes_since`].
    pub fn build(mut self, command: impl IntoIterator<Item = impl Into<OsString>>) -> Self {
        self.job.comparing.build = command.into_iter().map(Into::into).collect();
        self
    }

    /// Calls this for each event, on the calling thread.
    pub fn on_event(self, on_event: impl FnMut(&Event) + 'a) -> Self {
        self.observe(Calling(on_event))
    }

    /// Shows each event to this observer, such as those of `reduct-report`.
    pub fn observe(mut self, observer: impl Observer + 'a) -> Self {
        self.observers.push(Box::new(observer));
        self
    }

    /// Calls this with a handle by which another thread can stop the search or skip a phase; once or more often, each
    /// time for a new place where tests run.
    pub fn control(mut self, control: impl FnMut(Control) + 'a) -> Self {
        self.control = Box::new(control);
        self
    }

    /// Returns the job as it is now, for options that have no method here; [`Builder::job`] takes it back.
    pub fn to_job(&self) -> Job {
        self.job.clone()
    }

    /// Does this job instead, with its own place for the result.
    pub fn job(mut self, job: Job) -> Self {
        self.out = Some(job.out.clone()).filter(|out| !out.as_os_str().is_empty());
        self.job = job;
        self
    }

    /// Does the job, to its end or to a limit.
    ///
    /// # Errors
    /// If the job cannot be understood, an input not read, or the failure does not occur; and if neither
    /// [`run_if_asked`] was called nor [`use_supervisor`]. Nothing is changed then.
    pub fn run(mut self) -> Result<JobResult, Refusal> {
        if self.job.command.is_empty() && self.job.ask.is_none() {
            return Err(BuilderError::NoTest.into());
        }
        if !supervisor::is_there() {
            return Err(Refusal::NoSupervisor);
        }
        let scratch = self.choose_places()?;
        let views: Vec<&mut dyn Observer> =
            self.observers.iter_mut().map(|observer| &mut **observer as &mut dyn Observer).collect();
        let audience = Audience { views, requests: self.control };
        let report = begin(&self.job, self.force, self.stops, audience)?;
        let is_kept = (self.job.in_place || self.out.is_some(), self.keeps);
        let result = JobResult::of(report, is_kept);
        drop(scratch);
        result
    }

    /// Chooses all places. Returns the folder in which what is not kept stands.
    fn choose_places(&mut self) -> Result<Scratch, Refusal> {
        let folder = std::path::absolute(&self.job.folder).map_err(Refusal::io("find", &self.job.folder))?;
        let scratch = Scratch::new()?;
        self.job.runs = match (self.keeps, self.job.runs.take()) {
            (true, runs) => runs.map(|runs| folder.join(runs)),
            (false, _) => Some(scratch.path().to_owned()),
        };
        self.job.out = match (&self.out, self.job.in_place) {
            (Some(out), _) => folder.join(out),
            (None, true) => folder.join(self.only_input()?),
            // Called like the input, so that what is one file is found under its name.
            (None, false) => scratch.path().join("out").join(self.name()),
        };
        self.job.folder = folder;
        if let Some(runs) = &self.job.runs {
            std::fs::create_dir_all(runs).map_err(Refusal::io("make", runs))?;
        }
        Ok(scratch)
    }

    /// Returns the input that is replaced.
    fn only_input(&self) -> Result<&Path, Refusal> {
        match &self.job.inputs[..] {
            [input] if self.job.goal.is_reduction() => Ok(input),
            _ => Err(BuilderError::NotReplaceable.into()),
        }
    }

    fn name(&self) -> OsString {
        let named = match &self.job.inputs[..] {
            [input] if self.job.goal.is_reduction() => input.file_name(),
            _ => None,
        };
        named.map_or_else(|| "result".into(), ToOwned::to_owned)
    }
}

/// An observer that is a function.
struct Calling<F>(F);

impl<F: FnMut(&Event)> Observer for Calling<F> {
    fn on(&mut self, event: &Event) -> io::Result<()> {
        (self.0)(event);
        Ok(())
    }
}

impl Job {
    /// Returns a job that reduces the inputs in the standard way, with all relative paths from the current folder.
    pub fn new(inputs: Vec<PathBuf>, command: Vec<OsString>, out: PathBuf) -> Job {
        Job {
            folder: ".".into(),
            inputs,
            command,
            handed: InputDelivery::default(),
            failure: Failure::Observed,
            search: ReductionOptions::standard(),
            limits: ResourceLimits::default(),
            confinement: None,
            watched: Watching::default(),
            out,
            in_place: false,
            cache: true,
            reuse: false,
            runs: None,
            jobs: None,
            scratch: None,
            patience: PATIENCE,
            repeat: false,
            persistent: None,
            ask: None,
            goal: Goal::Reduce,
            comparing: VersionOptions::default(),
            backtrace: true,
            place: TestPlace::Bare,
            opened: vec![],
            caveats: vec![],
        }
    }
}

/// As long as the command waits for trouble to pass.
const PATIENCE: Duration = Duration::from_secs(60);
