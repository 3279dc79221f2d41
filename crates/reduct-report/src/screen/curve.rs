//! The size over the tests, on a logarithmic scale (figures 5.2 and 5.3 of the book).
//!
//! Logarithmic, because a reduction goes on by shares: from 40,000 to 4,000 is as much as from 40 to 4, and on a linear
//! scale everything but the first seconds would be a flat line.

use crate::human::count;
use crate::state::SessionState;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Color, Style};
use ratatui::symbols::Marker;
use ratatui::widgets::Widget;
use ratatui::widgets::canvas::{Canvas, Line};

/// Draws the curve of `state` over the whole `area`, with the sizes of its upper and lower border if there is space.
pub(crate) fn draw(state: &SessionState, area: Rect, buffer: &mut Buffer) {
    let (low, high) = bounds(state);
    let labels = [count(high), count(low)];
    let margin = labels.iter().map(String::len).max().unwrap_or(0) as u16 + 1;
    let margin = if area.width >= 40 && area.height >= 2 { margin } else { 0 };
    if margin > 0 {
        let grey = Style::new().fg(Color::DarkGray);
        buffer.set_string(area.x, area.y, &labels[0], grey);
        buffer.set_string(area.x, area.bottom() - 1, &labels[1], grey);
    }
    let area = Rect { x: area.x + margin, width: area.width - margin, ..area };
    // A braille character is two dots wide.
    let dots = u32::from(area.width) * 2;
    let sizes = samples(state, dots as usize);
    Canvas::default()
        .marker(Marker::Braille)
        .x_bounds([0.0, f64::from(dots - 1)])
        .y_bounds([logarithm(low), logarithm(high)])
        .paint(|context| {
            let mut last = None;
            for (x, size) in sizes.iter().enumerate() {
                let (x, y) = (x as f64, logarithm(*size));
                // Steps, not slopes: between two tests there is nothing.
                context.draw(&Line::new(x, last.unwrap_or(y), x, y, Color::Cyan));
                last = Some(y);
            }
        })
        .render(area, buffer);
}

/// Returns the sizes between which the curve is drawn: a power of ten below the best, and the size at the start.
fn bounds(state: &SessionState) -> (usize, usize) {
    let mut low = 1;
    while low * 10 <= state.size {
        low *= 10;
    }
    // Something must lie between the two, even if nothing was removed of a single byte.
    (low, state.size_at_start().max(low + 1))
}

/// Returns the size at so many moments, evenly spread over the tests so far.
fn samples(state: &SessionState, number: usize) -> Vec<usize> {
    let last = number.saturating_sub(1).max(1) as u64;
    (0..number as u64)
        .map(|at| state.size_after((u128::from(state.tests) * u128::from(at) / u128::from(last)) as u64))
        .collect()
}

fn logarithm(size: usize) -> f64 {
    (size.max(1) as f64).ln()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn samples_run_from_the_first_test_to_the_last() {
        let state =
            SessionState { steps: vec![(0, 100), (5, 50), (10, 20)], tests: 10, size: 20, ..SessionState::default() };
        assert_eq!(samples(&state, 3), [100, 50, 20]);
        assert_eq!(samples(&state, 11), [100, 100, 100, 100, 100, 50, 50, 50, 50, 50, 20]);
    }

    #[test]
    fn the_lower_border_is_a_power_of_ten() {
        let state = SessionState { size: 5_210, ..SessionState::default() };
        assert_eq!(bounds(&state).0, 1_000);
        assert_eq!(bounds(&SessionState { size: 0, ..SessionState::default() }), (1, 2));
    }
}
