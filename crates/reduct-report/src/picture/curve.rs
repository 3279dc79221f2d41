//! The size over the tests, on a logarithmic axis, with the phases as bands (book, figures 5.2 and 5.3).

use super::phases::merged;
use super::{Look, begin, escaped, told};
use crate::human::count;
use crate::story::StorySearch;
use std::fmt::Write;

const WIDTH: usize = 920;
const HEIGHT: usize = 300;
const LEFT: f64 = 76.0;
const RIGHT: f64 = 16.0;
const TOP: f64 = 30.0;
const BOTTOM: f64 = 40.0;
/// More points are not drawn of a line.
const MOST_POINTS: usize = 1500;

/// Returns the sizes of a search: after how many tests, and the size then, from the beginning to the last test.
pub fn sizes(search: &StorySearch) -> Vec<(u64, usize)> {
    let mut sizes = vec![(0, search.before.0)];
    sizes.extend(search.steps.iter().map(|step| (step.n, step.size)));
    let last = search.tests.last().map_or(0, |test| test.n);
    let now = sizes.last().map_or(0, |(_, size)| *size);
    sizes.push((last, now));
    sizes
}

/// Where things stand.
struct Frame {
    tests: f64,
    low: f64,
    high: f64,
}

impl Frame {
    fn of(sizes: &[(u64, usize)]) -> Frame {
        let all = || sizes.iter().map(|(_, size)| (*size).max(1) as f64);
        let (low, high) = (all().fold(f64::MAX, f64::min), all().fold(1.0, f64::max));
        let low = 10f64.powf(low.log10().floor());
        let tests = sizes.last().map_or(1, |(n, _)| *n).max(1) as f64;
        Frame { tests, low, high: high.max(low * 10.0) }
    }

    fn x(&self, n: u64) -> f64 {
        LEFT + (WIDTH as f64 - LEFT - RIGHT) * n as f64 / self.tests
    }

    fn y(&self, size: f64) -> f64 {
        let share = (size.max(1.0) / self.low).ln() / (self.high / self.low).ln();
        HEIGHT as f64 - BOTTOM - (HEIGHT as f64 - TOP - BOTTOM) * share
    }
}

/// Returns the picture.
pub fn svg(search: &StorySearch, look: Look) -> String {
    let sizes = sizes(search);
    let frame = Frame::of(&sizes);
    let mut svg = String::new();
    let unit = search.after.1;
    begin(&mut svg, (WIDTH, HEIGHT), ("Size over the tests", &told(search)), look);
    bands(&mut svg, search, &frame);
    axes(&mut svg, &frame, unit);
    let mut path = String::new();
    // Of very many steps every k-th, and the last: neighbours would lie on one another.
    let every = sizes.len().div_ceil(MOST_POINTS);
    for (at, (n, size)) in sizes.iter().enumerate() {
        if at % every != 0 && at + 1 < sizes.len() {
            continue;
        }
        let (x, y) = (frame.x(*n), frame.y(*size as f64));
        // Steps, not slopes: between two tests there is nothing.
        let _ = if at == 0 { write!(path, "M{x:.1} {y:.1}") } else { write!(path, "H{x:.1}V{y:.1}") };
    }
    let _ = write!(svg, "<path class=\"line\" d=\"{path}\"/>");
    if search.steps.len() <= 120 {
        for step in &search.steps {
            let (x, y) = (frame.x(step.n), frame.y(step.size as f64));
            let _ = write!(svg, "<circle class=\"fail\" cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"2.6\"/>");
        }
    }
    svg + "</svg>"
}

/// Draws the phases: every other one is shaded, and those that are wide enough have their name.
fn bands(svg: &mut String, search: &StorySearch, frame: &Frame) {
    let height = HEIGHT as f64 - BOTTOM - TOP;
    for (number, phase) in merged(search).iter().enumerate() {
        let (from, to) = (frame.x(phase.first - 1), frame.x(phase.last));
        let width = (to - from).max(0.5);
        let (class, title) = (if number % 2 == 0 { "band" } else { "band plain" }, escaped(&phase.told(number)));
        let _ = write!(
            svg,
            "<rect class=\"{class}\" x=\"{from:.1}\" y=\"{TOP}\" width=\"{width:.1}\" height=\"{height}\">\
             <title>{title}</title></rect>"
        );
        let name = phase.name();
        // A name of which little is seen says less than its number in the list of phases.
        let label = if width >= 7.0 * (name.chars().count() as f64 + 1.0) { name } else { (number + 1).to_string() };
        if width >= 7.0 * (label.len() as f64 + 0.5) {
            let _ = write!(svg, "<text x=\"{:.1}\" y=\"{}\">{}</text>", from + 3.0, TOP - 8.0, escaped(&label));
        }
    }
}

fn axes(svg: &mut String, frame: &Frame, unit: &str) {
    let (left, right, bottom) = (LEFT, WIDTH as f64 - RIGHT, HEIGHT as f64 - BOTTOM);
    let mut power = frame.low;
    while power <= frame.high * 1.0001 {
        let (y, label) = (frame.y(power), count(power as u64));
        let _ = write!(svg, "<path class=\"axis\" d=\"M{left} {y:.1}H{right}\"/>");
        let _ = write!(svg, "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{label}</text>", left - 8.0, y + 4.0);
        power *= 10.0;
    }
    let step = nice(frame.tests);
    let mut n = 0.0;
    while n <= frame.tests {
        let x = frame.x(n as u64);
        let _ = write!(svg, "<path class=\"axis\" d=\"M{x:.1} {bottom}v5\"/>");
        let _ =
            write!(svg, "<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>", bottom + 19.0, count(n as u64));
        n += step;
    }
    let (x, y) = (right, HEIGHT as f64 - 5.0);
    let _ = write!(svg, "<text x=\"{x}\" y=\"{y}\" text-anchor=\"end\">tests</text>");
    let _ = write!(svg, "<text x=\"4\" y=\"{y}\">{unit}</text>");
}

/// Returns a step that gives at most ten labels: 1, 2 or 5 of a power of ten.
fn nice(most: f64) -> f64 {
    let mut step = 1.0;
    loop {
        for of in [1.0, 2.0, 5.0] {
            if most / (step * of) <= 10.0 {
                return step * of;
            }
        }
        step *= 10.0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_round_and_few() {
        for (most, step) in [(1.0, 1.0), (10.0, 1.0), (48.0, 5.0), (82.0, 10.0), (500.0, 50.0), (100_000.0, 10_000.0)] {
            assert_eq!(nice(most), step, "{most}");
        }
    }
}
