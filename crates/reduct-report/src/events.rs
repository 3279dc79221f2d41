//! Events for scripts: one JSON object a line.
//!
//! The types, their keys and what they mean are a table, [`crate::schema`], from which docs/EVENTS.md and the JSON Schema
//! are made. Lines of type `phase`, `test` and `improved` are the same for any number of jobs. The start and the end of
//! single processes are left out.

use crate::schema::ObjectShape;
use crate::{claims, confidence, schema};
use reduct_core::Outcome;
use reduct_oracle::Exit;
use reduct_session::event::{Ended, Event, Observer, Why};
use serde::Serialize;
use serde_json::{Value, json};
use std::io::{self, ErrorKind, Write};
use std::time::Duration;

/// Writes the events of a session as JSON lines, each at once.
pub struct EventFile<W: Write> {
    output: W,
    /// What is still to be written: a full disk may have taken half a line, and when it has space again
    /// the other half must follow.
    pending: Vec<u8>,
    /// The line of the event that is going to be offered again, and is pending already.
    owed: Option<Vec<u8>>,
}

impl<W: Write> EventFile<W> {
    /// Writes to `output`.
    pub fn new(output: W) -> EventFile<W> {
        EventFile { output, pending: vec![], owed: None }
    }

    /// Writes to `output`, and before the first event of which version the lines are.
    pub fn announced(output: W) -> EventFile<W> {
        EventFile { pending: announcement().into_bytes(), ..EventFile::new(output) }
    }

    fn write(&mut self) -> io::Result<()> {
        while !self.pending.is_empty() {
            match self.output.write(&self.pending) {
                Ok(0) => return Err(ErrorKind::WriteZero.into()),
                Ok(written) => drop(self.pending.drain(..written)),
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error),
            }
        }
        self.output.flush()
    }
}

impl<W: Write> Observer for EventFile<W> {
    fn on(&mut self, event: &Event) -> io::Result<()> {
        let Some(record) = record(event) else { return Ok(()) };
        let mut line = serde_json::to_vec(&Line { v: schema::READ_BY, record })?;
        line.push(b'\n');
        if self.owed.as_ref() != Some(&line) {
            self.pending.extend_from_slice(&line);
        }
        match self.write() {
            Ok(()) => self.owed = None,
            // Trouble is told in passing, while another event waits to be offered again.
            Err(_) if matches!(event, Event::Trouble { .. }) => {}
            Err(error) => {
                self.owed = Some(line);
                return Err(error);
            }
        }
        Ok(())
    }
}

/// Returns the line with which a file of events begins. Readers of version 1 skip it, as they do not know its type.
pub fn announcement() -> String {
    let ObjectShape { name, .. } = schema::FORMAT;
    format!("{{\"v\":{},\"type\":\"{name}\",\"version\":{}}}\n", schema::READ_BY, schema::VERSION)
}

#[derive(Serialize)]
struct Line<'a> {
    v: u32,
    #[serde(flatten)]
    record: EventLine<'a>,
}

/// One line. The fields are in the order in which they are written.
#[derive(Serialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum EventLine<'a> {
    Preflight {
        what: &'a str,
        outcome: &'a str,
        exit: Value,
        ms: u64,
    },
    Began {
        bytes: usize,
        size: usize,
        unit: &'a str,
        failure: &'a str,
        jobs: usize,
        time_limit_ms: Option<u64>,
        known: usize,
    },
    Phase {
        kind: &'a str,
        level: usize,
        round: usize,
        parts: usize,
        proves: bool,
    },
    Test {
        n: u64,
        size: usize,
        outcome: &'a str,
        cached: bool,
    },
    Improved {
        after: u64,
        size: usize,
        bytes: usize,
        entries: usize,
    },
    Other {
        signature: &'a str,
        bytes: usize,
    },
    Trouble {
        what: &'a str,
        pause_ms: u64,
    },
    Skipped {
        after: u64,
        pass: Option<&'a str>,
    },
    Undone,
    Forgotten {
        why: &'a str,
    },
    Ended {
        why: &'a str,
        detail: Option<String>,
        size: usize,
        unit: &'a str,
        bytes: usize,
        asked: u64,
        repeated: u64,
        runs: u64,
        unresolved: u64,
        ms: u64,
        proved: String,
        claim: Value,
        confidence: Option<String>,
        confirmed: Option<bool>,
        again: Option<RunAgain>,
        notes: &'a [String],
    },
}

/// How often a result was run at the end.
#[derive(Serialize)]
struct RunAgain {
    runs: u32,
    failed: u32,
}

fn record(event: &Event) -> Option<EventLine<'_>> {
    Some(match event {
        Event::Preflight { what, outcome, exit, elapsed } => {
            EventLine::Preflight { what, outcome: outcome.name(), exit: exit_value(exit), ms: milliseconds(*elapsed) }
        }
        Event::Began(began) => EventLine::Began {
            bytes: began.whole.len(),
            size: began.size,
            unit: began.unit,
            failure: &began.failure,
            jobs: began.jobs,
            time_limit_ms: began.time_limit.map(milliseconds),
            known: began.known,
        },
        Event::Phase(at) => {
            EventLine::Phase { kind: at.kind, level: at.level, round: at.round, parts: at.parts, proves: at.proves }
        }
        Event::Retired { n, size, outcome, cached, .. } => {
            EventLine::Test { n: *n, size: *size, outcome: Outcome::name(*outcome), cached: *cached }
        }
        Event::Improved { n, best, size, .. } => {
            EventLine::Improved { after: *n, size: *size, bytes: best.len(), entries: best.entry_count() }
        }
        Event::Other { signature, candidate } => EventLine::Other { signature, bytes: candidate.len() },
        Event::Trouble { what, pause } => EventLine::Trouble { what, pause_ms: milliseconds(*pause) },
        Event::Undone { .. } => EventLine::Undone,
        Event::Forgotten { why } => EventLine::Forgotten { why },
        Event::Skipped { n, pass } => EventLine::Skipped { after: *n, pass: *pass },
        Event::Ended(ended) => ended_record(ended),
        // How the session goes about it, and what is not known here.
        _ => return None,
    })
}

fn ended_record(ended: &Ended) -> EventLine<'_> {
    EventLine::Ended {
        why: ended.why.name(),
        detail: detail(&ended.why),
        size: ended.size,
        unit: ended.unit,
        bytes: ended.best.len(),
        asked: ended.asked,
        repeated: ended.repeated,
        runs: ended.runs,
        unresolved: ended.unresolved,
        ms: milliseconds(ended.elapsed),
        proved: claims::describe(&ended.evidence),
        claim: claims::data(&ended.evidence),
        confidence: confidence::of(ended),
        confirmed: ended.confirmed,
        again: ended.again.map(|again| RunAgain { runs: again.runs, failed: again.failed }),
        notes: &ended.notes,
    }
}

/// Returns what belongs to the reason why a session ended, e.g. the limit that it reached.
fn detail(why: &Why) -> Option<String> {
    match why {
        Why::Granularity(least) => Some(least.to_string()),
        Why::Stall { tests, percent } => Some(format!("less than {percent} % in {tests} tests")),
        Why::Time(limit) => Some(format!("{} ms", milliseconds(*limit))),
        Why::Tests(tests) => Some(tests.to_string()),
        Why::Trouble(what) => Some(what.clone()),
        _ => None,
    }
}

fn exit_value(exit: &Exit) -> Value {
    match exit {
        Exit::Code(code) => json!({ "code": code }),
        Exit::Signal(signal) => json!({ "signal": signal }),
        Exit::Limit(limit) => json!({ "limit": crate::words::limit(*limit) }),
        Exit::NotStarted(why) => json!({ "not_started": why }),
        Exit::NotBuilt(why) => json!({ "not_built": why }),
    }
}

fn milliseconds(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}
