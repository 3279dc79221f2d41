//! A chart as SVG: for each case, how small the best was after how many runs, one line a tool, both axes logarithmic.

use super::trial::Row;
use std::fmt::Write;

const WIDTH: f64 = 460.0;
const HEIGHT: f64 = 300.0;
/// Around the axes of a panel: left, right, top, bottom.
const MARGIN: (f64, f64, f64, f64) = (56.0, 12.0, 28.0, 36.0);
const PANELS_A_LINE: usize = 2;
/// Eight colours that people with any colour vision tell apart (Okabe and Ito).
const COLOURS: [&str; 8] = ["#000000", "#e69f00", "#56b4e9", "#009e73", "#0072b2", "#d55e00", "#cc79a7", "#999999"];

/// Draws the rows, one panel a case.
pub(crate) fn svg(rows: &[Row]) -> String {
    let mut cases: Vec<&str> = vec![];
    let mut tools: Vec<&str> = vec![];
    for row in rows {
        if !cases.contains(&row.case.as_str()) {
            cases.push(&row.case);
        }
        if !tools.contains(&row.tool.as_str()) {
            tools.push(&row.tool);
        }
    }
    let columns = cases.len().clamp(1, PANELS_A_LINE);
    let lines = cases.len().div_ceil(PANELS_A_LINE).max(1);
    let (width, height) = (columns as f64 * WIDTH, lines as f64 * HEIGHT + 30.0);
    let mut svg = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" height=\"{height}\" \
         font-family=\"sans-serif\" font-size=\"11\">\n<rect width=\"{width}\" height=\"{height}\" fill=\"white\"/>\n"
    );
    for (place, case) in cases.iter().enumerate() {
        let (x, y) = ((place % PANELS_A_LINE) as f64 * WIDTH, (place / PANELS_A_LINE) as f64 * HEIGHT);
        let rows: Vec<&Row> = rows.iter().filter(|row| row.case == *case).collect();
        let _ = writeln!(svg, "<g transform=\"translate({x},{y})\">");
        panel(&mut svg, case, &rows, &tools);
        svg.push_str("</g>\n");
    }
    for (place, tool) in tools.iter().enumerate() {
        let (x, y) = (MARGIN.0 + place as f64 * 100.0, height - 10.0);
        let colour = COLOURS[place % COLOURS.len()];
        let _ = writeln!(svg, "<text x=\"{x}\" y=\"{y}\" fill=\"{colour}\">— {}</text>", escaped(tool));
    }
    svg.push_str("</svg>\n");
    svg
}

/// Where numbers are on a panel: from 1 run and 1 byte up to powers of ten.
struct Axes {
    runs: f64,
    bytes: f64,
}

impl Axes {
    fn x(&self, runs: usize) -> f64 {
        let inner = WIDTH - MARGIN.0 - MARGIN.1;
        MARGIN.0 + inner * (runs.max(1) as f64).log10() / self.runs
    }

    fn y(&self, bytes: u64) -> f64 {
        let inner = HEIGHT - MARGIN.2 - MARGIN.3;
        HEIGHT - MARGIN.3 - inner * (bytes.max(1) as f64).log10() / self.bytes
    }
}

fn panel(svg: &mut String, case: &str, rows: &[&Row], tools: &[&str]) {
    let powers = |most: f64| most.max(10.0).log10().ceil();
    let axes = Axes {
        runs: powers(rows.iter().map(|row| row.runs).max().unwrap_or(0) as f64),
        bytes: powers(rows.iter().map(|row| row.bytes.0).max().unwrap_or(0) as f64),
    };
    let (left, right, top, bottom) = (MARGIN.0, WIDTH - MARGIN.1, MARGIN.2, HEIGHT - MARGIN.3);
    let _ = writeln!(svg, "<text x=\"{left}\" y=\"16\" font-weight=\"bold\">{}</text>", escaped(case));
    for power in 0..=axes.runs as u32 {
        let x = axes.x(10_usize.pow(power));
        let _ = writeln!(svg, "<path d=\"M{x:.1} {top}V{bottom}\" stroke=\"#ddd\"/>");
        let _ =
            writeln!(svg, "<text x=\"{x:.1}\" y=\"{}\" text-anchor=\"middle\">{}</text>", bottom + 14.0, label(power));
    }
    for power in 0..=axes.bytes as u32 {
        let y = axes.y(10_u64.pow(power));
        let _ = writeln!(svg, "<path d=\"M{left} {y:.1}H{right}\" stroke=\"#ddd\"/>");
        let _ = writeln!(
            svg,
            "<text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
            left - 4.0,
            y + 4.0,
            label(power)
        );
    }
    let middle = f64::midpoint(left, right);
    let _ = writeln!(svg, "<text x=\"{middle}\" y=\"{}\" text-anchor=\"middle\">runs</text>", bottom + 28.0);
    let _ = writeln!(svg, "<text x=\"4\" y=\"{}\">bytes</text>", top - 4.0);
    for row in rows {
        let place = tools.iter().position(|tool| *tool == row.tool).unwrap_or(0);
        let colour = COLOURS[place % COLOURS.len()];
        let Some(path) = path(&axes, row) else { continue };
        let _ = writeln!(svg, "<path d=\"{path}\" fill=\"none\" stroke=\"{colour}\" stroke-width=\"1.5\"/>");
    }
}

/// Returns the line of a row: stairs, on to the last run.
fn path(axes: &Axes, row: &Row) -> Option<String> {
    let (first, rest) = row.steps.split_first()?;
    let mut path = format!("M{:.1} {:.1}", axes.x(first.runs), axes.y(first.bytes));
    for step in rest {
        let _ = write!(path, "H{:.1}V{:.1}", axes.x(step.runs), axes.y(step.bytes));
    }
    let _ = write!(path, "H{:.1}", axes.x(row.runs));
    Some(path)
}

/// Returns a power of ten in short.
fn label(power: u32) -> String {
    let unit = ["", "k", "M", "G"][(power as usize / 3).min(3)];
    format!("{}{unit}", 10_u32.pow(power % 3))
}

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

#[cfg(test)]
mod tests {
    use super::{Row, svg};
    use crate::cases::oracle::Step;
    use std::time::Duration;

    /// Returns whether tags are closed in the order in which they were opened. Enough for what is written here.
    fn is_well_formed(text: &str) -> bool {
        let mut open = vec![];
        for tag in text.split('<').skip(1) {
            let Some((tag, after)) = tag.split_once('>') else { return false };
            let name = tag.split([' ', '/']).find(|word| !word.is_empty()).unwrap_or_default();
            if tag.starts_with('/') {
                if open.pop() != Some(name) {
                    return false;
                }
            } else if !tag.ends_with('/') {
                open.push(name);
            }
            if after.contains('&') && !after.contains(';') || tag.matches('"').count() % 2 != 0 {
                return false;
            }
        }
        open.is_empty()
    }

    #[test]
    fn there_is_a_panel_a_case_and_a_line_a_row() {
        let row = |case: &str, tool: &str| Row {
            case: case.into(),
            tool: tool.into(),
            bytes: (1000, 10),
            runs: 50,
            steps: [(1, 1000), (7, 100), (20, 10)]
                .map(|(runs, bytes)| Step { runs, bytes, after: Duration::ZERO })
                .to_vec(),
            ..Row::default()
        };
        let drawn = svg(&[row("a<b", "one"), row("a<b", "two & three"), row("c", "one")]);
        assert!(is_well_formed(&drawn), "{drawn}");
        assert_eq!(drawn.matches("<g ").count(), 2);
        assert_eq!(drawn.matches("stroke-width").count(), 3);
        // The whole input stands at the left; 1000 bytes are the top of the axis of bytes.
        assert_eq!(drawn.matches("d=\"M56.0 28.0H").count(), 3);
    }

    #[test]
    fn nothing_run_is_an_empty_chart() {
        assert!(is_well_formed(&svg(&[])));
        assert!(is_well_formed(&svg(&[Row { case: "c".into(), tool: "t".into(), ..Row::default() }])));
    }
}
