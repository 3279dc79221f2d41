//! What the live view shows, line by line.

use super::curve;
use crate::excerpt::{clean, shorten, width};
use crate::human::{counted, duration, percent, rate, sizes};
use crate::state::SessionState;
use crate::words;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Modifier, Style};
use ratatui::text::{Line, Span};
use ratatui::widgets::Widget;
use std::time::Duration;

/// How many rows the view takes if the terminal has them.
pub const HEIGHT: u16 = 10;

/// A session as it is at `now`, to be drawn.
pub struct View<'a> {
    /// What is known of it.
    pub state: &'a SessionState,
    /// The time.
    pub now: Duration,
    /// Whether to name the keys.
    pub keys: bool,
}

impl Widget for View<'_> {
    fn render(self, area: Rect, buffer: &mut Buffer) {
        let columns = usize::from(area.width);
        let mut above = vec![self.sizes(columns)];
        let mut below = vec![self.speed(columns), self.phase(columns)];
        let mut free = usize::from(area.height).saturating_sub(above.len() + below.len());
        // What there is no row for is left out, in the order of how much it would be missed.
        let optional = [(self.removed(columns), false), (self.keys(columns), false), (self.failure(columns), true)];
        for (line, on_top) in optional {
            if let (Some(line), 1..) = (line, free) {
                if on_top {
                    above.push(line)
                } else {
                    below.push(line)
                };
                free -= 1;
            }
        }
        let rows = above.len() as u16;
        for (row, line) in (area.y..area.bottom()).zip(&above) {
            buffer.set_line(area.x, row, line, area.width);
        }
        if free > 0 && self.state.began.is_some() {
            curve::draw(self.state, Rect { y: area.y + rows, height: free as u16, ..area }, buffer);
        }
        for (row, line) in (area.y + rows + free as u16..area.bottom()).zip(&below) {
            buffer.set_line(area.x, row, line, area.width);
        }
    }
}

impl View<'_> {
    fn sizes(&self, columns: usize) -> Line<'static> {
        let state = self.state;
        if state.began.is_none() {
            let what = state.preflight.clone().unwrap_or_else(|| "running the whole input".to_owned());
            return Line::raw(shorten(&what, columns));
        }
        let now = counted(state.size, state.unit);
        let long = sizes((state.start(), state.start_unit()), (state.size, state.unit));
        let now = if width(&long) <= columns { long } else { now };
        let mut parts = vec![bold(now)];
        if state.unit == state.start_unit() {
            parts.push(plain(percent(state.size, state.start())));
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
        let mut parts = vec![bold(speed), plain(counted(state.tests, "tests"))];
        let jobs = state.began.as_ref().map_or(1, |began| began.jobs);
        parts.push(plain(format!("{} of {} running", state.running.min(jobs), jobs)));
        if state.unresolved > 0 {
            let share = percent(state.unresolved as usize, state.tests as usize);
            parts.push(plain(format!("{share} unresolved")));
        }
        parts.push(plain(duration(self.now.saturating_sub(state.began_at))));
        parts.extend(state.others().map(plain));
        fit(parts, columns)
    }

    fn phase(&self, columns: usize) -> Line<'static> {
        let Some(at) = &self.state.phase else { return Line::default() };
        fit(vec![plain(words::phase(at)), plain(counted(at.parts, "parts"))], columns)
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

    fn keys(&self, columns: usize) -> Option<Line<'static>> {
        let text = "s skip phase · q stop with the best · Ctrl-C";
        self.keys.then(|| Line::styled(shorten(text, columns), Style::new().add_modifier(Modifier::DIM)))
    }
}

fn plain(text: String) -> Span<'static> {
    Span::raw(text)
}

fn bold(text: String) -> Span<'static> {
    Span::styled(text, Style::new().add_modifier(Modifier::BOLD))
}

/// As many of the parts as fit, from the left, at least the first.
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
