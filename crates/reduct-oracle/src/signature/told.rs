//! The names of failures: in the journal, in what is found besides, in scripts and on the screen a failure is known by them.

use super::{Reported, Signature, signal_name};
use crate::frames::Spot;
use crate::wrappers;
use crate::{Exit, Limit};
use std::fmt;

const ENDLESS: &str = "no end within the time limit";
const TOO_MUCH_MEMORY: &str = "more memory than allowed";
const TOO_MANY_PROCESSES: &str = "more processes than allowed";
const TOO_MUCH_SPACE: &str = "more disk space than allowed";
/// Followed by the name of the signal.
const OF_DEATH: &str = ", of a program that died by SIG";
const INSTEAD_OF: &str = "instead of";
const NO_DEATH: &str = ", and no program died";

impl fmt::Display for Signature {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", describe(&self.exit))?;
        match (&self.report, &self.text) {
            (Some(Reported { class, message, .. }), _) => {
                match message.as_deref().filter(|message| !message.is_empty()) {
                    Some(message) => write!(f, " saying “{class}: {message}”")?,
                    None => write!(f, " saying “{class}”")?,
                }
            }
            (None, Some(text)) => write!(f, " saying “{text}”")?,
            (None, None) => {}
        }
        if let Some(line) = &self.or {
            write!(f, " and “{line}”")?;
        }
        let is_said = self.text.as_deref().is_some_and(|text| wrappers::signal(text).is_some());
        if let Some(death) = self.hidden.filter(|_| !is_said) {
            let ends = if self.frames.is_empty() { "" } else { "," };
            write!(f, "{OF_DEATH}{}{ends}", signal_name(death.signal()))?;
        }
        let names: Vec<&str> = self.frames.iter().map(|spot| spot.name.as_str()).collect();
        if !names.is_empty() {
            write!(f, " in {}", names.join(" ← "))?;
        }
        match self.frames.first().and_then(Spot::place) {
            Some(place) => write!(f, " at {place}"),
            None => Ok(()),
        }
    }
}

impl Signature {
    /// Returns it in words, with what it differs in from the failure in question where these are the same.
    pub fn told_beside(&self, failure: &Signature) -> String {
        let said = self.to_string();
        if self.hidden.is_none() && failure.hidden.is_some() {
            return format!("{said}{NO_DEATH}");
        }
        if said != failure.to_string() {
            return said;
        }
        let differs = |(one, other): &(&Spot, &Spot)| one != other;
        let mut frames = self.frames.iter().zip(&failure.frames);
        let chain = |of: &Signature| of.report.as_ref().and_then(|said| said.chain.clone());
        match frames.find(differs).and_then(|(one, other)| Some((&one.name, one.place()?, other.place()?))) {
            Some((name, place, other)) => {
                // First, for the end of what is long is not shown.
                let end = describe(&self.exit);
                let rest = said.strip_prefix(&end[..]).unwrap_or_default();
                format!("{end}, in {name} at {place} {INSTEAD_OF} {other},{rest}")
            }
            None if chain(self) != chain(failure) => format!("{said} (of another cause)"),
            None => said,
        }
    }
}

/// Returns how a run ended, in words.
pub fn describe(exit: &Exit) -> String {
    match exit {
        Exit::Code(code) => format!("exit status {code}"),
        Exit::Signal(number) => format!("death by SIG{}", signal_name(*number)),
        Exit::Limit(Limit::Time) => ENDLESS.into(),
        Exit::Limit(Limit::Memory) => TOO_MUCH_MEMORY.into(),
        Exit::Limit(Limit::Processes) => TOO_MANY_PROCESSES.into(),
        Exit::Limit(Limit::Disk) => TOO_MUCH_SPACE.into(),
        Exit::NotStarted(why) => format!("no start ({why})"),
        Exit::NotBuilt(why) => format!("no build ({why})"),
    }
}
