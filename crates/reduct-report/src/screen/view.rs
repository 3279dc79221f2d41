//! What the live view shows, line by line.

use super::{curve, panel};
use crate::excerpt::{clean, shorten, width};
use crate::human::{count, counted, duration, percent, rate, sizes};
use crate::keys::Panel;
use crate::state::SessionState;
use crate::words;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;
use std::time::Duration;

/// How many rows the view takes if the terminal has them.
pub const HEIGHT: u16 = 22;

/// So many rows the middle has before lines are added that are missed least.
const MIDDLE: usize = 10;
/// From this width on, the table of passes stands beside the curve.
const WIDE: u16 = 110;
/// How wide the table is then.
const TABLE: u16 = 62;
/// The least height of the curve, and of the table.
const LEAST: u16 = 4;

/// How long what a key has done is shown.
const NOTICE: Duration = Duration::from_secs(4);

/// A session as it is at `now`, to be drawn.
pub struct View<'a> {
    /// What is known of it.
    pub state: &'a SessionState,
    /// The time.
    pub now: Duration,
    /// Whether to name the keys.
    pub keys: bool,
    /// Whether what tests print is not to be shown.
    pub discreet: bool,
    /// What stands in the middle, line by line if it is not the progress.
    pub panel: (Panel, &'a [String]),
}

impl Widget for View<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let columns = usize::from(area.width);
        let mut above = vec![self.sizes(columns)];
        let mut below = vec![self.speed(columns), self.phase(columns)];
        let free = |above: &Vec<Line<'_>>, below: &Vec<Line<'_>>| {
            usize::from(area.height).saturating_sub(above.len() + below.len())
        };
        let is_open = self.panel.0 != Panel::Progress;
        // What there is no row for is left out, in the order of how much it would be missed.
        if free(&above, &below) > 0 && !is_open {
            below.extend(self.removed(columns));
        }
        if free(&above, &below) > 0 {
            below.extend(self.keys(columns));
        }
        if free(&above, &below) > 0 && !is_open {
            above.extend(self.failure(columns));
        }
        if free(&above, &below) >= MIDDLE && !is_open {
            below.splice(2..2, self.running(columns));
            let at = below.len() - usize::from(self.keys);
            below.splice(at..at, self.printed(columns));
        }
        let (rows, free) = (above.len() as u16, free(&above, &below) as u16);
        for (row, line) in (area.y..area.bottom()).zip(&above) {
            buffer.set_line(area.x, row, line, area.width);
        }
        self.middle(Rect { y: area.y + rows, height: free, ..area }, buffer);
        for (row, line) in (area.y + rows + free..area.bottom()).zip(&below) {
            buffer.set_line(area.x, row, line, area.width);
        }
    }
}

impl View<'_> {
    /// Draws what stands between the lines above and those below.
    fn middle(&self, area: Rect, buffer: &mut Buffer) {
        let (panel, lines) = self.panel;
        if panel != Panel::Progress {
            // Of output the end matters, of all else the beginning.
            let hidden = lines.len().saturating_sub(area.height.into());
            let from = if panel == Panel::Output { hidden } else { 0 };
            for (row, line) in (area.y..area.bottom()).zip(&lines[from..]) {
                buffer.set_line(area.x, row, &panel_line(panel, line, area.width.into()), area.width);
            }
            return;
        }
        if area.height == 0 || self.state.began.is_none() {
            return;
        }
        let passes = &self.state.passes;
        if passes.is_empty() {
            return curve::draw(self.state, area, buffer);
        }
        let wanted = passes.len() as u16 + 1;
        let (curve, table) = if area.width >= WIDE && area.height >= LEAST {
            let beside = Rect { x: area.right() - TABLE, width: TABLE, ..area };
            (Rect { width: area.width - TABLE - 3, ..area }, beside)
        } else if area.height >= 2 * LEAST {
            let height = wanted.min(area.height - LEAST);
            let below = Rect { y: area.bottom() - height, height, ..area };
            (Rect { height: area.height - height, ..area }, below)
        } else {
            (area, Rect { height: 0, ..area })
        };
        curve::draw(self.state, curve, buffer);
        let lines = passes.table(table.width.into(), table.height.into(), false);
        for (at, (row, line)) in (table.y..table.bottom()).zip(lines).enumerate() {
            let style = if at == 0 { grey() } else { Style::new() };
            buffer.set_stringn(table.x, row, line, table.width.into(), style);
        }
    }

    /// Returns what is under way, the longest first.
    fn running(&self, columns: usize) -> Option<Line<'static>> {
        let state = self.state;
        let test = |(test, since): &(reduct_session::event::UnderWay, Duration)| {
            plain(format!("{} for {}", counted(test.bytes, "bytes"), duration(self.now.saturating_sub(*since))))
        };
        let mut parts = vec![plain("testing".to_owned())];
        parts.extend(state.running.iter().map(test));
        if parts.len() == 1 {
            parts.push(plain("nothing".to_owned()));
        }
        Some(fit(parts, columns))
    }

    /// Returns the end of what the last test printed, in a line.
    fn printed(&self, columns: usize) -> Option<Line<'static>> {
        let ended = self.state.last_test.clone()?;
        let line = panel::last_line(self.state).filter(|_| !self.discreet);
        let mut parts = vec![plain(format!("last test: {ended}"))];
        let free = columns.saturating_sub(width(&parts[0].content) + 3);
        if let Some(line) = line.filter(|_| free >= 8) {
            parts.push(Span::styled(shorten(&line, free), grey()));
        }
        Some(fit(parts, columns))
    }

    fn sizes(&self, columns: usize) -> Line<'static> {
        let state = self.state;
        if state.began.is_none() {
            let what = state.preflight.clone().unwrap_or_else(|| "running the whole input".to_owned());
            return Line::raw(shorten(&what, columns));
        }
        let now = counted(state.size, state.unit);
        let long = sizes((state.size_at_start(), state.start_unit()), (state.size, state.unit));
        let now = if width(&long) <= columns { long } else { now };
        let mut parts = vec![bold(now)];
        if state.unit == state.start_unit() {
            parts.push(plain(percent(state.size, state.size_at_start())));
        }
        if state.unit != "bytes" && !words::is_difference(state.unit) {
            parts.push(plain(counted(state.bytes, "bytes")));
        }
        fit(parts, columns)
    }

    fn failure(&self, columns: usize) -> Option<Line<'static>> {
        let (text, color) = match (&self.state.trouble, &self.state.began) {
            (Some(trouble), _) => (trouble.clone(), Color::Yellow),
            (None, Some(began)) => (clean(&began.failure), Color::DarkGray),
            (None, None) => return None,
        };
        Some(Line::styled(shorten(&text, columns), Style::new().fg(color)))
    }

    fn speed(&self, columns: usize) -> Line<'static> {
        let state = self.state;
        let speed = state.rate(self.now).map_or("- tests/s".to_owned(), |speed| format!("{} tests/s", rate(speed)));
        let mut parts = vec![];
        if state.is_paused {
            parts.push(Span::styled("PAUSED".to_owned(), Style::new().fg(Color::Yellow).add_modifier(Modifier::BOLD)));
        }
        parts.extend([bold(speed), plain(counted(state.tests, "tests"))]);
        let jobs = state.began.as_ref().map_or(1, |began| began.jobs);
        parts.push(plain(format!("{} of {} running", state.running.len().min(jobs), jobs)));
        if state.unresolved > 0 {
            let share = percent(state.unresolved as usize, state.tests as usize);
            parts.push(plain(format!("{share} unresolved")));
        }
        parts.push(plain(duration(self.now.saturating_sub(state.began_at))));
        parts.extend(state.others().map(plain));
        fit(parts, columns)
    }

    fn phase(&self, columns: usize) -> Line<'static> {
        if self.state.is_finishing {
            return Line::raw(shorten("running the result again", columns));
        }
        let Some(at) = &self.state.phase else { return Line::default() };
        let name = plain(words::phase(at));
        let Some((decided, of)) = self.state.decided else {
            return fit(vec![name, plain(counted(at.parts, "parts"))], columns);
        };
        let number = plain(format!("{} of {}", count(decided), counted(of, "parts")));
        let free = columns.saturating_sub(name.width() + number.width() + 6).min(30);
        if free < 6 {
            return fit(vec![name, number], columns);
        }
        let full = (free * decided.min(of)).checked_div(of).unwrap_or(free);
        let bar = format!("{}{}", "█".repeat(full), "░".repeat(free - full));
        fit(vec![name, Span::styled(bar, Style::new().fg(Color::Cyan)), number], columns)
    }

    fn removed(&self, columns: usize) -> Option<Line<'static>> {
        let state = self.state;
        state.began.as_ref()?;
        let idle = duration(self.now.saturating_sub(state.progress_at));
        let Some(removed) = state.removed() else {
            return Some(fit(vec![plain(format!("nothing removed for {idle}"))], columns));
        };
        let number = match (removed.bytes, removed.entries) {
            (0, entries) => counted(entries, "entries"),
            (bytes, _) => counted(bytes, "bytes"),
        };
        let head = format!("−{number}, {idle} ago");
        let free = columns.saturating_sub(width(&head) + 3);
        let mut parts = vec![plain(head)];
        if !removed.text.is_empty() && free >= 8 {
            parts.push(Span::styled(shorten(&removed.text, free), Style::new().fg(Color::DarkGray)));
        }
        Some(fit(parts, columns))
    }

    /// Returns the keys that there is room for, or what one has done.
    fn keys(&self, columns: usize) -> Option<Line<'static>> {
        let dim = Style::new().add_modifier(Modifier::DIM);
        if !self.keys {
            return None;
        }
        if let Some((notice, _)) = self.state.notice.as_ref().filter(|(_, since)| self.now < *since + NOTICE) {
            let bold = Style::new().fg(Color::Yellow).add_modifier(Modifier::BOLD);
            return Some(Line::styled(shorten(notice, columns), bold));
        }
        let pause = if self.state.is_paused { "p go on" } else { "p pause" };
        // In the order in which they stand, each with how much it would be missed.
        let all = [
            (0, "? help"),
            (2, pause),
            (3, "s skip phase"),
            (8, "x switch pass off"),
            (5, "d diff"),
            (6, "o output"),
            (7, "h history"),
            (1, "q stop"),
            (4, "Ctrl-C interrupt"),
        ];
        let text = (1..=all.len()).rev().map(|most| {
            let names = all.iter().filter(|(rank, _)| *rank < most).map(|(_, name)| *name);
            names.collect::<Vec<&str>>().join(" · ")
        });
        let fitting = text.into_iter().find(|text| width(text) <= columns).unwrap_or_default();
        Some(Line::styled(fitting, dim))
    }
}

fn grey() -> Style {
    Style::new().fg(Color::DarkGray)
}

/// Returns a line of a panel; what a diff takes away and adds is coloured too.
fn panel_line(panel: Panel, line: &str, columns: usize) -> Line<'static> {
    let style = match line.as_bytes().first() {
        Some(b'-') if panel == Panel::Diff => Style::new().fg(Color::Red),
        Some(b'+') if panel == Panel::Diff => Style::new().fg(Color::Green),
        Some(b'@') if panel == Panel::Diff => Style::new().fg(Color::Cyan),
        _ => Style::new(),
    };
    Line::styled(shorten(line, columns), style)
}

fn plain(text: String) -> Span<'static> {
    Span::raw(text)
}

fn bold(text: String) -> Span<'static> {
    Span::styled(text, Style::new().add_modifier(Modifier::BOLD))
}

/// Returns as many of the parts as fit, from the left, at least the first.
fn fit(parts: Vec<Span<'static>>, columns: usize) -> Line<'static> {
    let mut line = Line::default();
    for part in parts {
        let gap = if line.spans.is_empty() { 0 } else { 3 };
        if line.spans.is_empty() {
            line.push_span(Span::styled(shorten(&part.content, columns), part.style));
        } else if line.width() + gap + part.width() <= columns {
            line.push_span(Span::raw("   "));
            line.push_span(part);
        } else {
            break;
        }
    }
    line
}
