//! What is seen of a run: a live view on a terminal, plain lines elsewhere, events in a file.

use super::diagnostics::warning;
use super::live_page::LivePage;
pub(super) use super::say::say;
use super::values::usage;
use reduct_lib::{Audience, Job, Refusal, RunReport};
use reduct_report::{
    Clock, Color, EventFile, Lines, Progress, Screen, Statistics, difference, excerpt, human, keys, summary,
};
use reduct_session::event::{Began, Event, Observer, Why};
use reduct_session::executor::{Control, Request};
use reduct_session::other_failures::Met;
use signal_hook::consts::{SIGHUP, SIGINT, SIGTERM};
use signal_hook::iterator::Signals;
use std::fs::File;
use std::io::{self, IsTerminal};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

/// The status of what was interrupted.
pub(super) const INTERRUPTED: u8 = 130;

/// How a run is shown.
#[derive(clap::Args, Clone, Debug)]
#[command(next_help_heading = super::headings::OUTPUT)]
pub(super) struct Looks {
    /// Write all events to this file, one JSON object a line (docs/EVENTS.md)
    #[arg(long, value_name = "FILE", hide_short_help = true)]
    events: Option<PathBuf>,

    /// Print plain lines, on a terminal too
    #[arg(long, hide_short_help = true)]
    plain: bool,

    /// Serve the page about the run while it goes on; `browser` opens it, too
    #[arg(long, value_name = "HOW", num_args = 0..=1, require_equals = true, default_missing_value = "page", value_parser = ["page", "browser"], hide_short_help = true)]
    view: Option<String>,

    /// Print at the end what each pass has done: tests, accepted ones, bytes, time
    #[arg(long, hide_short_help = true)]
    stats: bool,

    /// Print only the failure, warnings and the last lines
    #[arg(short, long, hide_short_help = true)]
    quiet: bool,

    /// Use colours: auto means on a terminal, unless NO_COLOR is set
    #[arg(long, hide_short_help = true, value_name = "WHEN", default_value = "auto", value_parser = clap::builder::PossibleValuesParser::new(Color::ALL.iter().map(|(name, _)| *name)))]
    color: String,

    /// Whether a person is asked, whose question nothing is drawn over.
    #[arg(skip)]
    asks: bool,

    /// Whether what tests print may hold values of variables.
    #[arg(skip)]
    discreet: bool,
}

impl Looks {
    /// Returns whether what changes may be shown in place.
    pub(super) fn is_live(&self) -> bool {
        !self.quiet && !self.plain && io::stderr().is_terminal()
    }

    /// Returns whether nothing is shown but the end.
    pub(super) fn is_quiet(&self) -> bool {
        self.quiet
    }

    /// Returns whether plain lines are asked for, on a terminal too.
    pub(super) fn is_plain(&self) -> bool {
        self.plain
    }

    /// Returns where events go.
    pub(super) fn events(&self) -> Option<&PathBuf> {
        self.events.as_ref()
    }

    /// Refuses what only a single search can be shown with.
    pub(super) fn without_passes(&self) -> Result<(), Refusal> {
        if self.stats || self.view.is_some() {
            let help = "leave them out; each run that is kept can be seen by reduct view and reduct report";
            return Err(usage("--stats and --view are about one search, and there is none here", help));
        }
        Ok(())
    }

    /// Returns the same for many runs, of which each is too small to be watched.
    pub(super) fn silent(&self) -> Looks {
        Looks { quiet: true, events: None, stats: false, view: None, ..self.clone() }
    }

    /// Returns the same, for a run in which a person is asked.
    pub(super) fn asking(&self, asks: bool) -> Looks {
        Looks { asks, ..self.clone() }
    }

    /// Returns the same, for a run of which messages may hold secrets.
    pub(super) fn discreet(&self, discreet: bool) -> Looks {
        Looks { discreet, ..self.clone() }
    }

    /// Returns whether what goes to a terminal, or not, is coloured if nothing is said of that.
    pub(super) fn is_colored_by_default(is_terminal: bool) -> bool {
        Color::Auto.decide(is_terminal, std::env::var_os("NO_COLOR").as_deref())
    }

    /// Returns whether what goes to a terminal, or not, is coloured.
    pub(super) fn is_colored(&self, is_terminal: bool) -> bool {
        let color = Color::named(&self.color).unwrap_or(Color::Auto);
        color.decide(is_terminal, std::env::var_os("NO_COLOR").as_deref())
    }
}

/// Shows a run while it is done, and says at the end what came of it.
pub(super) fn watch(
    looks: &Looks,
    run: impl FnOnce(Audience<'_>) -> Result<Option<(Job, RunReport)>, Refusal>,
) -> Result<ExitCode, Refusal> {
    watch_then(looks, run, |_| vec![])
}

/// Likewise, and does something more with what came of it, before the last lines, which this adds to.
pub(super) fn watch_then(
    looks: &Looks,
    run: impl FnOnce(Audience<'_>) -> Result<Option<(Job, RunReport)>, Refusal>,
    then: impl FnOnce(&RunReport) -> Vec<String>,
) -> Result<ExitCode, Refusal> {
    let Some((job, mut report)) = show(looks, run)? else {
        say("This run is done already: nothing is left to do.");
        return Ok(ExitCode::SUCCESS);
    };
    let more = then(&report);
    report.says.extend(more);
    conclude(&job, &report, looks.quiet);
    let status = match (&report.ended.why, report.ended.confirmed) {
        (Why::Interrupted, _) => INTERRUPTED,
        // What does not fail again is no result that anybody can rely on.
        (_, Some(false)) => 4,
        // Nor is what is larger than the search came to what was asked for.
        _ if report.ended.again.is_some_and(|again| again.went_back) => 4,
        (Why::Done, _) => 0,
        _ => 4,
    };
    Ok(ExitCode::from(status))
}

/// Shows what is done with a run.
pub(super) fn show<T>(looks: &Looks, run: impl FnOnce(Audience<'_>) -> Result<T, Refusal>) -> Result<T, Refusal> {
    let begin = Instant::now();
    let clock = move || -> Clock { Box::new(move || begin.elapsed()) };
    let mut file = event_file(looks)?;
    let is_live = looks.is_live() && !looks.asks;
    let signals = SignalsAndKeys::new()?;
    let screen = is_live.then(|| {
        let screen =
            Screen::new(io::stderr(), clock()).colored(looks.is_colored(true)).with_keys(io::stdin().is_terminal());
        Arc::new(Mutex::new(screen.discreet(looks.discreet)))
    });
    let mut page = looks.view.as_deref().map(LivePage::start).transpose()?;
    let mut statistics = looks.stats.then(|| Statistics::new(clock()));
    let keyed = screen.clone();
    let ticker = screen.clone().map(Ticker::start);
    let mut shared = screen.map(Shared);
    let mut end = (looks.asks && !looks.quiet).then(End::default);
    let mut lines =
        (!is_live && !looks.quiet && !looks.asks).then(|| Lines::new(io::stderr(), clock()).discreet(looks.discreet));
    let mut views: Vec<&mut dyn Observer> = vec![];
    views.extend(file.as_mut().map(|view| view as &mut dyn Observer));
    views.extend(shared.as_mut().map(|view| view as &mut dyn Observer));
    views.extend(lines.as_mut().map(|view| view as &mut dyn Observer));
    views.extend(end.as_mut().map(|view| view as &mut dyn Observer));
    views.extend(page.as_mut().map(|view| view as &mut dyn Observer));
    views.extend(statistics.as_mut().map(|view| view as &mut dyn Observer));
    let take = signals.clone();
    let guard = if is_live {
        keys::watch(move |pressed| {
            let request = keyed.as_ref().and_then(|screen| screen.lock().ok()?.press(pressed));
            if let Some(request) = request {
                take.ask(request);
            }
        })
    } else {
        None
    };
    let audience = Audience { views, requests: Box::new(move |control| signals.connect(control)) };
    let done = run(audience);
    drop(guard);
    drop(ticker);
    drop(shared);
    if let Some(statistics) = &statistics {
        let columns = if io::stderr().is_terminal() { reduct_report::screen::extent().0.into() } else { 100 };
        statistics.lines(columns).iter().for_each(|line| say(line));
    }
    done
}

/// Shows how many tests there were while something is done, a line now and then.
pub(super) fn count<T>(looks: &Looks, run: impl FnOnce(Audience<'_>) -> Result<T, Refusal>) -> Result<T, Refusal> {
    looks.without_passes()?;
    let begin = Instant::now();
    let clock: Clock = Box::new(move || begin.elapsed());
    let mut file = event_file(looks)?;
    let mut lines = (!looks.quiet).then(|| Progress::new(io::stderr(), clock));
    let signals = SignalsAndKeys::new()?;
    let mut views: Vec<&mut dyn Observer> = vec![];
    views.extend(file.as_mut().map(|view| view as &mut dyn Observer));
    views.extend(lines.as_mut().map(|view| view as &mut dyn Observer));
    run(Audience { views, requests: Box::new(move |control| signals.connect(control)) })
}

/// Returns the file that events are written to, if they are.
fn event_file(looks: &Looks) -> Result<Option<EventFile<File>>, Refusal> {
    let Some(path) = &looks.events else { return Ok(None) };
    Ok(Some(EventFile::announced(File::create(path).map_err(Refusal::io("write", path))?)))
}

/// Does something of which nothing is shown, but which signals end cleanly.
pub(super) fn hear<T>(run: impl FnOnce(Audience<'_>) -> Result<T, Refusal>) -> Result<T, Refusal> {
    let signals = SignalsAndKeys::new()?;
    run(Audience { views: vec![], requests: Box::new(move |control| signals.connect(control)) })
}

/// The last lines: where the result is, what else was found.
fn conclude(job: &Job, report: &RunReport, quiet: bool) {
    let RunReport { ended, failure, size_before, passing, out, written, found, run, says, .. } = report;
    if quiet {
        // With --quiet, nothing else names the input.
        say(&format!("Failure: {failure}"));
    }
    if ended.confirmed == Some(false) {
        let (help, what) = match ended.again {
            Some(again) if again.may_pass => (
                "the failure got rarer as the input got smaller: make the test show it more often, then begin again",
                "the result fails too seldom",
            ),
            Some(_) => (
                "the test shows something else each time: begin again with --repeat, or make it repeatable first",
                "the result did not fail each time when it was run again, nor did any larger one that was tried",
            ),
            None => (
                "the test shows something else each time: make it repeatable, then begin again",
                "the result did not fail when it was run once more",
            ),
        };
        say(&warning(what, help));
    }
    // What everybody else has read among the last lines.
    if quiet {
        ended.notes.iter().for_each(|note| say(note));
    }
    if let Some(found) = found {
        say(&format!("The file at {} was not written by a run; it is now {}", short(job, out), short(job, found)));
    }
    if let (Some(place), Some(passing)) = (passing, &ended.passing) {
        let removed = difference::removed(&ended.best, passing);
        let (text, bytes) = (excerpt::shorten(&removed.text, 80), human::bytes(removed.bytes));
        if text.is_empty() {
            say(&format!("The difference, without which the test passes: {}", short(job, place)));
            difference::excerpt(passing, &ended.best).iter().for_each(|line| say(&format!("  {line}")));
        } else {
            say(&format!("The difference is “{text}” ({bytes}); without it the test passes: {}", short(job, place)));
        }
    }
    says.iter().for_each(|line| say(line));
    // With --quiet, the user can look at `others/`.
    if !quiet {
        others(job, report).iter().for_each(|line| say(line));
    }
    original(job, report).iter().for_each(|line| say(line));
    if !matches!(ended.why, Why::Done | Why::Granularity(_)) {
        let why = report.starts_over.as_ref();
        let but = |why| format!(", but it starts over: not all could be watched that the test relies on ({why})");
        say(&format!("To go on: reduct resume {}{}", short(job, run), why.map(but).unwrap_or_default()));
    }
    // The very last line is for users who read only that one.
    let sizes = human::sizes(*size_before, (ended.size, ended.unit));
    let tests = human::counted(ended.asked, "tests");
    let place = short(job, out);
    let place = if *written { format!("the result is {place}") } else { format!("it could NOT be written to {place}") };
    say(&format!("{sizes} in {tests}; {place}"));
}

/// That the user's own files were changed, if so.
fn original(job: &Job, report: &RunReport) -> Vec<String> {
    let Some(changed) = reduct_lib::named(&report.changed) else { return vec![] };
    let changed = excerpt::clean(&changed);
    let mut lines = vec![format!("⚠ THE ORIGINAL WAS CHANGED while the tests ran: {changed}.")];
    let more = job.goal.other_sources().into_iter().map(|path| job.folder.join(path));
    let inputs: Vec<PathBuf> = job.input_paths().into_iter().chain(more).collect();
    let is_of_an_input = |path: &Path| inputs.iter().any(|input| path.starts_with(input));
    if report.changed.iter().any(|changed| is_of_an_input(&changed.path)) {
        let kept = if job.goal.varies_inputs() {
            format!(": {}", short(job, &report.run.join("input")))
        } else {
            String::new()
        };
        lines.push(format!("  The result was made from a copy of what it was at first{kept}"));
    }
    lines.push("  Let the test write to its own folder only, not to the original by its full path.".into());
    lines
}

/// Returns the other failures that were met, in one line.
fn others(job: &Job, report: &RunReport) -> Option<String> {
    let Met { kept, times, not_kept, place: list } = &report.others;
    let list = short(job, list);
    if kept.is_empty() {
        let times = human::times(*not_kept);
        return (*not_kept > 0).then(|| format!("Other failures were met {times}, by inputs too large to be kept"));
    }
    if job.varies_variables() {
        return Some(format!("Other failures were met, which may name values of variables: they are in {list}"));
    }
    // A death is more than a complaint about what was cut.
    let is_death = |(signature, ..): &&(String, PathBuf, usize)| signature.starts_with("death by");
    let (signature, place, bytes) = kept.iter().find(is_death).or(kept.first())?;
    let (signature, smallest) = (excerpt::shorten(signature, 160), human::bytes(*bytes));
    let place = short(job, place);
    if kept.len() == 1 && *not_kept == 0 {
        let times = if *times > 1 { format!(" {}", human::times(*times)) } else { String::new() };
        return Some(format!(
            "Another failure was met{times}: {signature}; its smallest input ({smallest}) is in {place}"
        ));
    }
    let kinds = human::counted(kept.len(), "kinds");
    let more = if *not_kept > 0 { ", and of others that are not kept" } else { "" };
    // What is kept is of all sessions, and how often something was met of this one.
    let is_of_more = *times < kept.len();
    let times = match *times {
        0 => format!("in earlier sessions, of {kinds}"),
        now if is_of_more => format!("{} in this session, and before: {kinds} in all", human::times(now)),
        now => format!("{}, of {kinds}", human::times(now)),
    };
    Some(format!("Other failures were met {times}{more}: {list}. One of them: {signature} ({smallest})"))
}

fn short(job: &Job, path: &Path) -> String {
    excerpt::path(path.strip_prefix(&job.folder).unwrap_or(path))
}

/// Signals and keys, for the session that is running.
#[derive(Clone, Default)]
struct SignalsAndKeys {
    current: Arc<Mutex<Option<Control>>>,
}

impl SignalsAndKeys {
    /// Listens from now on: the first Ctrl-C ends a session cleanly with the best so far, a second one at once.
    fn new() -> Result<SignalsAndKeys, Refusal> {
        let control = SignalsAndKeys::default();
        let Ok(mut signals) = Signals::new([SIGINT, SIGTERM, SIGHUP]) else { return Ok(control) };
        let taker = control.clone();
        let terminal = rustix::termios::tcgetattr(rustix::stdio::stdin()).ok();
        let thread = std::thread::Builder::new().name("signals".into()).spawn(move || {
            let mut asked = false;
            for _ in signals.forever() {
                // Before there is a session there is nothing to end cleanly. Tests and their folders
                // are seen to by their supervisors.
                if std::mem::replace(&mut asked, true) || !taker.ask(Request::Interrupt) {
                    if let Some(modes) = &terminal {
                        let now = rustix::termios::OptionalActions::Now;
                        let _ = rustix::termios::tcsetattr(rustix::stdio::stdin(), now, modes);
                    }
                    std::process::exit(130);
                }
            }
        });
        thread.map_err(no_thread)?;
        Ok(control)
    }

    fn connect(&self, control: Control) {
        if let Ok(mut slot) = self.current.lock() {
            *slot = Some(control);
        }
    }

    /// Asks this of the session; whether there is one.
    fn ask(&self, request: Request) -> bool {
        let Ok(slot) = self.current.lock() else { return false };
        slot.iter().for_each(|control| control.send(request));
        slot.is_some()
    }
}

/// Returns why nothing can be begun where not even a thread can be started.
fn no_thread(error: io::Error) -> Refusal {
    let what = format!("no thread can be started: {error}");
    usage(what, "let this user have more processes (`ulimit -u` says how many), or end some")
}

/// Says what came of a run, and nothing before: beside a question, that is all there is room for.
#[derive(Default)]
struct End(Option<Began>);

impl Observer for End {
    fn on(&mut self, event: &Event) -> io::Result<()> {
        match event {
            Event::Began(began) => self.0 = Some((**began).clone()),
            Event::Undone { .. } => say("The last answer is taken back."),
            Event::Trouble { what, .. } => say(&format!("Trouble: {what}")),
            Event::Ended(ended) => summary(self.0.as_ref(), ended, None).iter().for_each(|line| say(line)),
            _ => {}
        }
        Ok(())
    }
}

/// A screen that the session and the ticker share.
struct Shared(Arc<Mutex<Screen<io::Stderr>>>);

impl Observer for Shared {
    fn on(&mut self, event: &Event) -> io::Result<()> {
        self.0.lock().map_or(Ok(()), |mut screen| screen.on(event))
    }
}

/// Lets the screen know that time passes, also when nothing happens.
struct Ticker {
    stop: std::sync::mpsc::Sender<()>,
    thread: Option<std::thread::JoinHandle<()>>,
}

impl Ticker {
    const EVERY: Duration = Duration::from_millis(200);

    fn start(screen: Arc<Mutex<Screen<io::Stderr>>>) -> Ticker {
        let (stop, stopped) = std::sync::mpsc::channel();
        // Without it, what happens is shown all the same.
        let thread = std::thread::Builder::new().name("ticker".into()).spawn(move || {
            while let Err(std::sync::mpsc::RecvTimeoutError::Timeout) = stopped.recv_timeout(Ticker::EVERY) {
                let Ok(mut screen) = screen.lock() else { break };
                screen.tick();
            }
        });
        Ticker { stop, thread: thread.ok() }
    }
}

impl Drop for Ticker {
    fn drop(&mut self) {
        let _ = self.stop.send(());
        self.thread.take().map(std::thread::JoinHandle::join);
    }
}
