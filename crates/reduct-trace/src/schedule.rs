//! Schedules of threads: where another thread goes on than by default.

use serde::{Deserialize, Serialize};
use std::fmt;

/// What the first line of a schedule begins with.
const HEAD: &str = "# reduct schedule 1: ";

/// A point at which another thread goes on than by default.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Switch {
    /// The thread that runs, from 0: the main one.
    pub thread: u32,
    /// Which of its own points, from 1.
    pub point: u64,
    /// The thread that goes on.
    pub to: u32,
    /// Where the point is: a file and an offset in it.
    pub place: String,
}

impl Switch {
    /// Returns whether another one is the same switch, whatever is known of its place.
    pub fn is_at(&self, other: &Switch) -> bool {
        (self.thread, self.point, self.to) == (other.thread, other.point, other.to)
    }
}

impl fmt::Display for Switch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "T{}#{} -> T{} at {}", self.thread, self.point, self.to, self.place)
    }
}

/// How a run is scheduled, and what is written down of it.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Scheduling {
    /// By priorities that are drawn by chance, instead of the switches (Burckhardt et al., ASPLOS 2010).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub chance: Option<RandomPriorities>,
    /// The run ends with 125 after so many points.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub limit: Option<u64>,
    /// The numbers of points, threads and switches are written here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub counts: Option<String>,
    /// The switches are written here.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub record: Option<String>,
}

/// What is drawn by chance.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct RandomPriorities {
    /// What all follows from.
    pub seed: u64,
    /// A failure of this depth is found with a probability that is known. 0 draws the threads, not their priorities.
    pub depth: u32,
    /// Priorities change within so many points.
    pub steps: u64,
}

/// A schedule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Schedule {
    /// How it is run.
    pub scheduling: Scheduling,
    /// Where another thread goes on.
    pub switches: Vec<Switch>,
}

/// Why a text is no schedule.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line} is no line of a schedule: {text}")]
pub struct ScheduleError {
    /// The line, from 1.
    line: usize,
    text: String,
}

impl Schedule {
    /// Returns whether a text was written by [`Schedule::to_text`].
    pub fn is_one(text: &str) -> bool {
        text.starts_with(HEAD)
    }

    /// Returns the text of a schedule, a switch a line.
    pub fn to_text(&self) -> String {
        // Strings and numbers can be written.
        let head = serde_json::to_string(&self.scheduling).unwrap_or_default();
        let switches: String = self.switches.iter().map(|switch| format!("{switch}\n")).collect();
        format!("{HEAD}{head}\n{switches}")
    }

    /// Reads a schedule. Lines that begin with `#` are notes.
    ///
    /// # Errors
    /// If a line is neither a switch nor a note.
    pub fn parse(text: &str) -> Result<Schedule, ScheduleError> {
        let head = text.lines().next().and_then(|line| line.strip_prefix(HEAD));
        let scheduling = head.and_then(|head| serde_json::from_str(head).ok()).unwrap_or_default();
        let lines = text.lines().enumerate().filter(|(_, line)| !line.starts_with('#') && !line.trim().is_empty());
        let switch = |(at, line): (usize, &str)| {
            let error = || ScheduleError { line: at + 1, text: line.chars().take(100).collect() };
            read_switch(line).ok_or_else(error)
        };
        Ok(Schedule { scheduling, switches: lines.map(switch).collect::<Result<_, _>>()? })
    }
}

fn read_switch(line: &str) -> Option<Switch> {
    let (thread, rest) = line.strip_prefix('T')?.split_once('#')?;
    let (point, rest) = rest.split_once(" -> T")?;
    let (to, place) = rest.split_once(" at ").unwrap_or((rest, "?"));
    let place = place.to_owned();
    Some(Switch { thread: thread.parse().ok()?, point: point.parse().ok()?, to: to.parse().ok()?, place })
}

/// Reads the numbers of points, threads and switches that a scheduler has written, if it ran at all.
pub fn read_counts(bytes: &[u8]) -> Option<[u64; 3]> {
    let number = |at: usize| Some(u64::from_ne_bytes(bytes.get(at..at + 8)?.try_into().ok()?));
    Some([number(0)?, number(8)?, number(16)?])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_schedule_is_read_as_it_was_written() {
        let scheduling = Scheduling { limit: Some(500), ..Scheduling::default() };
        let switch = Switch { thread: 3, point: 62, to: 0, place: "/a b/bank+0x1207".into() };
        let schedule = Schedule { scheduling, switches: vec![switch] };
        assert_eq!(Schedule::parse(&schedule.to_text()), Ok(schedule));
        assert_eq!(Schedule::parse("# reduct schedule 1: {}\nT1#2\n").unwrap_err().line, 2);
    }
}
