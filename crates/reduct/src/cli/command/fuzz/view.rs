//! What is shown while it fuzzes, and at the end.

use crate::cli::event_file;
use crate::cli::view::{Looks, say};
use reduct_lib::{Filed, FindingStatus, Fuzzed, Happening, Refusal};
use reduct_report::confinement::describe;
use reduct_report::events::announcement;
use reduct_report::schema::READ_BY;
use reduct_report::{excerpt, human};
use serde_json::json;
use std::fs::File;
use std::io::{Write, stderr};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::{Duration, Instant};

/// Shows what happens: in a line that changes, or in lines.
pub(super) struct View {
    live: bool,
    quiet: bool,
    events: Option<File>,
    began: Instant,
    shown: Option<Instant>,
    /// Lines of progress come ever more seldom.
    pause: Duration,
}

impl View {
    pub(super) fn new(looks: &Looks) -> Result<View, Refusal> {
        let begun = |path: &PathBuf| {
            let mut file = event_file::create(path)?;
            file.write_all(announcement().as_bytes()).map_err(Refusal::io("write", path)).map(|()| file)
        };
        let events = looks.events().map(begun).transpose()?;
        let (live, quiet) = (looks.is_live(), looks.is_quiet());
        Ok(View { live, quiet, events, began: Instant::now(), shown: None, pause: Duration::from_millis(700) })
    }

    pub(super) fn on(&mut self, what: &Happening<'_>) {
        self.note(what);
        if self.quiet {
            return;
        }
        match what {
            Happening::Confined(confinement, strength) => self.line(&describe(confinement, strength)),
            Happening::Began { at: 0, from } => self.line(&format!("fuzzing: {}", from.describe())),
            Happening::Began { at, from } => self.line(&format!("going on at trial {at}: {}", from.describe())),
            Happening::Progress { trials, rate, findings } => self.progress(*trials, *rate, *findings),
            Happening::Found(filed) => self.line(&format!(
                "found {}: {} ({}, trial {}, {})",
                filed.folder,
                excerpt::shorten(&filed.failure, 160),
                filed.generator,
                filed.trial,
                human::bytes(filed.bytes)
            )),
            Happening::Reduced(filed) => self.line(&format!("  {}", outcome(filed))),
            Happening::Same { folder, of, why } => {
                self.line(&format!("  {folder} is the same as {}, which counts it: {}", of.folder, why.describe()));
            }
            _ => {}
        }
    }

    fn line(&mut self, text: &str) {
        self.clear();
        say(text);
    }

    fn progress(&mut self, trials: u64, rate: f64, findings: usize) {
        let text = format!(
            "{}, {} a second, {} ({})",
            human::counted(trials, "trials"),
            human::count(rate as u64),
            human::counted(findings as u64, "findings"),
            human::duration(self.began.elapsed())
        );
        if self.live {
            // Nobody listens: then nobody misses it.
            let _ = write!(stderr(), "\r\x1b[K{text}");
            let _ = stderr().flush();
        } else if self.shown.unwrap_or(self.began).elapsed() >= self.pause {
            self.shown = Some(Instant::now());
            self.pause = (self.pause * 2).min(Duration::from_secs(60));
            say(&text);
        }
    }

    fn clear(&self) {
        if self.live {
            let _ = write!(stderr(), "\r\x1b[K");
        }
    }

    /// Writes what happens to the event file.
    fn note(&mut self, what: &Happening<'_>) {
        let Some(file) = &mut self.events else { return };
        let event = match what {
            Happening::Began { at, from } => {
                json!({ "v": READ_BY, "type": "fuzzing", "trial": at, "from": from.describe() })
            }
            Happening::Progress { trials, findings, .. } => {
                json!({ "v": READ_BY, "type": "progress", "trials": trials, "findings": findings })
            }
            Happening::Found(filed) => json!({ "v": READ_BY, "type": "found", "finding": filed }),
            Happening::Reduced(filed) => json!({ "v": READ_BY, "type": "reduced", "finding": filed }),
            Happening::Same { folder, of, why } => {
                json!({ "v": READ_BY, "type": "same", "folder": folder, "finding": of, "why": why.describe() })
            }
            // How tests are confined is for people: it is not what comes of the session.
            _ => return,
        };
        // A view that cannot be written never stops what is done.
        let _ = writeln!(file, "{event}");
    }
}

/// Returns what came of a reduction.
fn outcome(filed: &Filed) -> String {
    let sizes = || {
        let after = filed.reduced.map_or_else(|| "?".into(), human::bytes);
        format!("{} → {after} in {}", human::count(filed.bytes as u64), human::counted(filed.tests, "tests"))
    };
    match filed.standing {
        FindingStatus::Reduced => sizes(),
        FindingStatus::Bounded => format!("{}; then the time was over", sizes()),
        FindingStatus::New => "not reduced to the end".into(),
        FindingStatus::Empty => "it fails on an empty input".into(),
        FindingStatus::Flaky => "it did not occur again: kept, but not reduced".into(),
        // It says why itself, as any other may.
        _ => format!("not reduced: {}", filed.why.as_deref().unwrap_or_default()),
    }
}

/// Says what was found.
pub(super) fn conclude(here: &Path, done: Fuzzed, view: View) -> Result<ExitCode, Refusal> {
    view.clear();
    let Fuzzed { findings, trials, folder, interrupted, exhausted, .. } = done;
    let place = excerpt::path(folder.strip_prefix(here).unwrap_or(&folder));
    for filed in &findings {
        let Filed { folder, seen, .. } = filed;
        let failure = excerpt::shorten(&filed.failure, 100);
        let same: String = filed.same.iter().map(|same| format!("; the same as {}", same.folder)).collect();
        let seen = human::times(*seen);
        say(&format!("{place}/{folder}: {failure}; {}; seen {seen}{same}", outcome(filed)));
    }
    if interrupted || !exhausted {
        say(&format!("To go on: reduct resume {place}"));
    }
    let failures = human::counted(findings.len() as u64, "different failures");
    say(&format!("{failures} in {}; all is in {place}", human::counted(trials, "trials")));
    Ok(ExitCode::from(if interrupted { 130 } else { 0 }))
}
