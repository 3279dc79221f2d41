//! What is seen of a run: a live view on a terminal, plain lines elsewhere, events in a file.

mod last_lines;
mod signals;
mod ticker;

use super::event_file;
use super::live_page::LivePage;
pub(super) use super::say::say;
use super::values::usage;
use reduct_lib::{Audience, InquiryReader, Job, Refusal, RunReport};
use reduct_report::{Clock, Color, EventFile, Lines, Progress, Screen, Statistics, keys, summary};
use reduct_session::event::{Began, Event, Observer, Why};
pub(super) use signals::Interruption;
use signals::SignalsAndKeys;
use std::fs::File;
use std::io::{self, IsTerminal};
use std::path::PathBuf;
use std::process::ExitCode;
use std::sync::{Arc, Mutex};
use std::time::Instant;
use ticker::{Shared, Ticker};

/// The exit status of a run that was interrupted.
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

    /// Print only the failure, warnings and where the result is
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

    /// Checks that the file of events may be written: for commands that run something before they begin a run.
    ///
    /// # Errors
    /// If it holds something else.
    pub(super) fn check_events(&self) -> Result<(), Refusal> {
        self.events.as_deref().map_or(Ok(()), event_file::check)
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

    /// Returns the same, for a run that has another page.
    pub(super) fn without_page(&self) -> Looks {
        Looks { view: None, ..self.clone() }
    }

    /// Returns whether the page about the run is opened, too.
    pub(super) fn opens_page(&self) -> bool {
        self.view.as_deref() == Some("browser")
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

/// Watches likewise, and does something more with what came of it, before the last lines, which this adds to.
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
    last_lines::conclude(&job, &report, looks.quiet);
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
    let mut page = looks.view.as_deref().map(|how| LivePage::start(how, |_| Ok(None))).transpose()?;
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
    let audience = Audience::of(views).with_requests(move |control| signals.connect(control));
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

/// Shows how many tests there were while something is done, a line now and then. The page reads its run by `inquiries`.
pub(super) fn count<T>(
    looks: &Looks,
    inquiries: InquiryReader,
    run: impl FnOnce(Audience<'_>) -> Result<T, Refusal>,
) -> Result<T, Refusal> {
    if looks.stats {
        return Err(usage("--stats is about the passes of a search, and there are none here", "leave it out"));
    }
    let begin = Instant::now();
    let clock: Clock = Box::new(move || begin.elapsed());
    let mut file = event_file(looks)?;
    let mut lines = (!looks.quiet).then(|| Progress::new(io::stderr(), clock));
    let signals = SignalsAndKeys::new()?;
    let mut page = looks.view.as_deref().map(|how| LivePage::start(how, inquiries)).transpose()?;
    let mut views: Vec<&mut dyn Observer> = vec![];
    views.extend(file.as_mut().map(|view| view as &mut dyn Observer));
    views.extend(lines.as_mut().map(|view| view as &mut dyn Observer));
    views.extend(page.as_mut().map(|view| view as &mut dyn Observer));
    run(Audience::of(views).with_requests(move |control| signals.connect(control)))
}

/// Returns the file that events are written to, if they are.
fn event_file(looks: &Looks) -> Result<Option<EventFile<File>>, Refusal> {
    let Some(path) = &looks.events else { return Ok(None) };
    Ok(Some(EventFile::announced(event_file::create(path)?)))
}

/// Does something of which nothing is shown, but which signals end cleanly.
pub(super) fn hear<T>(run: impl FnOnce(Audience<'_>) -> Result<T, Refusal>) -> Result<T, Refusal> {
    let signals = SignalsAndKeys::new()?;
    run(Audience::default().with_requests(move |control| signals.connect(control)))
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
