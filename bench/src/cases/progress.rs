//! How fast the smallest candidate became small, as a table: what was left after so many runs and after so much time.

use super::oracle::Step;
use super::trial::Row;
use std::time::Duration;

const RUNS: [usize; 4] = [50, 100, 200, 500];
const SECONDS: [u64; 5] = [10, 30, 60, 120, 300];

/// What the columns mean, below the table.
const LEGEND: &str = "\
Bytes of the smallest candidate that had failed after so many runs, and after so many seconds; in brackets, the tool had ended \
before. *area*: how many runs of the first 500, and how many seconds until the limit, it stood at full size, as it were: the sum of \
the shares of the input that were left.";

/// Returns the rows as a table.
pub(crate) fn markdown(rows: &[Row]) -> String {
    let heads: Vec<String> = RUNS
        .iter()
        .map(|runs| format!("{runs} runs"))
        .chain(["area".into()])
        .chain(SECONDS.iter().map(|seconds| format!("{seconds} s")))
        .chain(["area".into()])
        .collect();
    let mut text = format!("| case | tool | {} |\n|---|---|{}\n", heads.join(" | "), "--:|".repeat(heads.len()));
    for row in rows {
        text.push_str(&format!("| {} | {} ×{} | {} |\n", row.case, row.tool, row.jobs, cells(row).join(" | ")));
    }
    format!("{text}\n{LEGEND}\n")
}

fn cells(row: &Row) -> Vec<String> {
    let cell = |bytes: u64, ended: bool| if ended { format!("({bytes})") } else { bytes.to_string() };
    let mut cells = vec![];
    for runs in RUNS {
        cells.push(cell(left(row, |step| step.runs <= runs), row.runs < runs));
    }
    let most = RUNS[RUNS.len() - 1] as f64;
    cells.push(format!("{:.0}", area(row, most, |step| step.runs as f64)));
    for seconds in SECONDS {
        let time = Duration::from_secs(seconds);
        cells.push(if time > row.limit {
            "–".into()
        } else {
            cell(left(row, |step| step.after <= time), row.wall < time)
        });
    }
    cells.push(format!("{:.1} s", area(row, row.limit.as_secs_f64(), |step| step.after.as_secs_f64())));
    cells
}

/// Returns the size after the last step that counts; that of the input before the first.
fn left(row: &Row, counts: impl Fn(&Step) -> bool) -> u64 {
    row.steps.iter().rfind(|step| counts(step)).map_or(row.bytes.0 as u64, |step| step.bytes)
}

/// Returns the sum, from 0 up to `most`, of the share of the input that was left; `at` is where a step was made.
fn area(row: &Row, most: f64, at: impl Fn(&Step) -> f64) -> f64 {
    let whole = row.bytes.0.max(1) as f64;
    let (mut sum, mut place, mut share) = (0.0, 0.0, 1.0);
    for step in &row.steps {
        let next = at(step).clamp(place, most);
        sum += share * (next - place);
        (place, share) = (next, step.bytes as f64 / whole);
    }
    sum + share * (most - place)
}

#[cfg(test)]
mod tests {
    use super::{Row, Step, cells, markdown};
    use std::time::Duration;

    fn row() -> Row {
        let step = |runs, bytes, seconds| Step { runs, bytes, after: Duration::from_secs(seconds) };
        Row {
            case: "page".into(),
            tool: "reduct".into(),
            bytes: (1000, 10),
            runs: 400,
            wall: Duration::from_secs(90),
            limit: Duration::from_secs(120),
            steps: vec![step(1, 1000, 1), step(100, 500, 20), step(300, 10, 60)],
            ..Row::default()
        }
    }

    #[test]
    fn what_is_left_is_the_size_after_the_last_step() {
        // 100 runs and 20 s whole, 200 runs and 40 s half, then 200 runs and 60 s a hundredth.
        let expected = ["1000", "500", "500", "(10)", "202", "1000", "500", "10", "(10)", "–", "40.6 s"];
        assert_eq!(cells(&row()), expected);
    }

    #[test]
    fn every_line_has_as_many_columns() {
        let text = markdown(&[row(), Row { steps: vec![], ..row() }]);
        let table: Vec<&str> = text.lines().take_while(|line| line.starts_with('|')).collect();
        assert_eq!(table.len(), 4);
        assert!(table.iter().all(|line| line.matches('|').count() == table[0].matches('|').count()), "{text}");
    }
}
