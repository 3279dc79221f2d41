//! What each pass of a run has done: how many tests it asked for, how many were accepted, what went, how long it took.

use crate::human::{count, duration, percent};
use reduct_session::event::{Event, Observer};
use std::io;
use std::time::Duration;

/// What is known of the passes of a session.
#[derive(Clone, Debug, Default)]
pub struct PassStats {
    rows: Vec<PassRow>,
    /// The position of the pass whose test was taken last.
    current: Option<usize>,
    /// The numbers of the last test and of the last step that were counted.
    tests: u64,
    steps: u64,
    /// Since when time is counted; `None` while nothing is done.
    since: Option<Duration>,
}

/// What is known of a pass.
#[derive(Clone, Debug)]
struct PassRow {
    name: &'static str,
    tests: u64,
    accepted: u64,
    bytes: usize,
    time: Duration,
    is_off: bool,
}

/// How what belongs to no pass is called: what is tried between two of them.
const NONE: &str = "other";

impl PassStats {
    /// Takes the next event, which happened at `now`.
    pub fn take(&mut self, event: &Event, now: Duration) {
        match event {
            Event::Began(_) => *self = PassStats { since: Some(now), ..PassStats::default() },
            // An event may be offered again if another observer could not take it.
            Event::Retired { n, pass, .. } if *n > self.tests => {
                let at = self.row(pass.unwrap_or(NONE));
                let time = self.passed(now);
                (self.tests, self.current) = (*n, Some(at));
                self.rows[at].tests += 1;
                self.rows[at].time += time;
            }
            Event::Improved { n, best, before, .. } if *n > self.steps => {
                self.steps = *n;
                if let Some(row) = self.current.and_then(|at| self.rows.get_mut(at)) {
                    row.accepted += 1;
                    row.bytes += before.len().saturating_sub(best.len());
                }
            }
            Event::Skipped { pass: Some(pass), .. } => {
                let at = self.row(pass);
                self.rows[at].is_off = true;
            }
            Event::Paused(true) => {
                let time = self.passed(now);
                if let Some(row) = self.current.and_then(|at| self.rows.get_mut(at)) {
                    row.time += time;
                }
                self.since = None;
            }
            Event::Paused(false) => self.since = Some(now),
            Event::Undone { .. } => *self = PassStats { since: self.since, ..PassStats::default() },
            _ => {}
        }
    }

    fn passed(&mut self, now: Duration) -> Duration {
        self.since.as_mut().map_or(Duration::ZERO, |since| now.saturating_sub(std::mem::replace(since, now)))
    }

    fn row(&mut self, name: &'static str) -> usize {
        self.rows.iter().position(|row| row.name == name).unwrap_or_else(|| {
            let (tests, accepted, bytes, time) = (0, 0, 0, Duration::ZERO);
            self.rows.push(PassRow { name, tests, accepted, bytes, time, is_off: false });
            self.rows.len() - 1
        })
    }

    /// Returns how many passes there are.
    pub fn len(&self) -> usize {
        self.rows.len()
    }

    /// Returns whether none has asked for a test yet.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// Returns what each has done: its name, tests, accepted ones, bytes, whether it is switched off.
    pub fn rows(&self) -> Vec<(&'static str, u64, u64, usize, bool)> {
        self.rows.iter().map(|row| (row.name, row.tests, row.accepted, row.bytes, row.is_off)).collect()
    }

    /// Returns the table, with its head, in so many columns and at most so many lines. What there is no line for is in the last
    /// one. With `times`, how long each took is in it, if there is room.
    pub fn table(&self, columns: usize, lines: usize, times: bool) -> Vec<String> {
        let form = Form::of(columns, times);
        let mut table = vec![form.line(["", "pass", "tests", "accepted", "bytes", "share", "time"].map(str::to_owned))];
        let total: usize = self.rows.iter().map(|row| row.bytes).sum();
        let room = lines.saturating_sub(1);
        let mut shown: Vec<usize> = (0..self.rows.len()).collect();
        if shown.len() > room {
            shown.sort_by_key(|at| std::cmp::Reverse((Some(*at) == self.current, self.rows[*at].tests)));
            shown.truncate(room.saturating_sub(1));
            shown.sort_unstable();
        }
        for at in &shown {
            table.push(form.line(self.rows[*at].cells(if Some(*at) == self.current { "▸" } else { "" }, total)));
        }
        let rest = self.rows.iter().enumerate().filter(|(at, _)| !shown.contains(at)).map(|(_, row)| row);
        if let (Some(sum), 2..) = (PassRow::sum(rest), lines) {
            table.push(form.line(sum.cells("…", total)));
        }
        table.truncate(lines);
        table
    }
}

impl PassRow {
    fn cells(&self, mark: &str, total: usize) -> [String; 7] {
        let name = match self.is_off {
            true => format!("{} (off)", self.name),
            false => self.name.to_owned(),
        };
        let share = percent(self.bytes, total.max(1));
        [mark.to_owned(), name, count(self.tests), count(self.accepted), count(self.bytes), share, duration(self.time)]
    }

    /// Returns several rows as one; `None` if there are none.
    fn sum<'a>(rows: impl Iterator<Item = &'a PassRow>) -> Option<PassRow> {
        rows.cloned().reduce(|sum, row| PassRow {
            name: "others",
            tests: sum.tests + row.tests,
            accepted: sum.accepted + row.accepted,
            bytes: sum.bytes + row.bytes,
            time: sum.time + row.time,
            is_off: false,
        })
    }
}

/// How wide the columns are: the mark, the name, and numbers, of which 0 is none.
struct Form([usize; 7]);

impl Form {
    /// Returns as many columns as there is room for, those that would be missed least left out first.
    fn of(columns: usize, times: bool) -> Form {
        let (mark, name) = (1, 17);
        for numbers in [[9, 10, 12, 9, 9], [9, 10, 12, 9, 0], [9, 10, 12, 0, 0], [9, 0, 12, 0, 0], [8, 0, 0, 0, 0]] {
            let [.., time] = numbers;
            let needed = mark + 1 + name + numbers.iter().sum::<usize>();
            if needed <= columns && (times || time == 0) {
                let [tests, accepted, bytes, share, time] = numbers;
                return Form([mark, name, tests, accepted, bytes, share, time]);
            }
        }
        Form([mark, columns.saturating_sub(10), 8, 0, 0, 0, 0])
    }

    fn line(&self, cells: [String; 7]) -> String {
        let Form([mark, name, numbers @ ..]) = self;
        let [sign, word, rest @ ..] = cells;
        let word = crate::excerpt::shorten(&word, *name);
        let mut line = format!("{sign:mark$} {word:name$}");
        for (cell, width) in rest.iter().zip(numbers).filter(|(_, width)| **width > 0) {
            line += &format!("{cell:>width$}");
        }
        line
    }
}

/// Collects what passes do, for the table at the end.
pub struct Statistics {
    clock: crate::Clock,
    stats: PassStats,
}

impl Statistics {
    /// Begins to collect.
    pub fn new(clock: crate::Clock) -> Statistics {
        Statistics { clock, stats: PassStats::default() }
    }

    /// Returns the table, in so many columns; nothing if no test was made.
    pub fn lines(&self, columns: usize) -> Vec<String> {
        if self.stats.is_empty() { vec![] } else { self.stats.table(columns, usize::MAX, true) }
    }
}

impl Observer for Statistics {
    fn on(&mut self, event: &Event) -> io::Result<()> {
        self.stats.take(event, (self.clock)());
        Ok(())
    }
}
