//! Rows as a table in Markdown and as lines of JSON.

use super::progress;
use super::trial::Row;
use serde_json::json;
use std::time::Duration;

/// What the columns mean, below every table.
const LEGEND: &str = "\
*bytes*, *tokens*: of the result (of the input). *runs*: of the test, counted by the test itself; *again*: of a \
candidate run before; *tail*: after the run that found the smallest. *LB*: the fewest runs that can find that \
many of the input's tokens and prove that none can go; *ratio*: runs / LB, below 1 where structure is known or \
text is rewritten. *memory*: the most that the tool's own processes had together, ten looks a second (the \
largest single process, tests included). *written*: by the tool, tests apart but for killed ones (to a disk). \
*fails*: the result, run once more. *said*: reduct's own count, questions (repeats), runs.";

/// Returns the rows as a table.
pub(crate) fn markdown(rows: &[Row]) -> String {
    let mut text = String::from(
        "| case | tool | ended | bytes | tokens | runs | again | tail | LB | ratio | wall | memory | written | fails \
         | said |\n\
         |---|---|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|---|---|\n",
    );
    for row in rows {
        text.push_str(&line(row));
    }
    text.push_str(&format!("\n{LEGEND}\n\n{}", progress::markdown(rows)));
    let complaints: String = rows.iter().filter_map(complaint).map(|what| format!("* {what}\n")).collect();
    if complaints.is_empty() { text } else { format!("{text}\n{complaints}") }
}

fn line(row: &Row) -> String {
    let whose = if row.from == "tool" { String::new() } else { format!(", {}", row.from) };
    let or_dash = |text: Option<String>| text.unwrap_or_else(|| "–".into());
    let said = row.said.map(|said| format!("{} ({}), {}", said.asked, said.repeated, said.runs));
    format!(
        "| {} | {} ×{} | {}{whose} | {} ({}) | {} ({}) | {} | {} | {} | {} | {} | {:.1} s | {} ({}) | {} ({}) | {} | {} |\n",
        row.case,
        row.tool,
        row.jobs,
        row.status,
        row.bytes.1,
        row.bytes.0,
        row.tokens.1,
        row.tokens.0,
        row.runs,
        row.duplicates,
        row.tail,
        or_dash(row.bound.map(|bound| bound.to_string())),
        or_dash(ratio(row).map(|ratio| format!("{ratio:.2}"))),
        row.wall.as_secs_f64(),
        amount(row.memory.0),
        amount(row.memory.1),
        amount(row.written.0),
        amount(row.written.1),
        if row.fails { "yes" } else { "**no**" },
        or_dash(said),
    )
}

/// Returns how many times the fewest runs.
fn ratio(row: &Row) -> Option<f64> {
    // What was stopped proves nothing, so the bound says nothing of it.
    let bound = row.bound.filter(|bound| *bound > 0 && row.status == "done");
    bound.map(|bound| row.runs as f64 / bound as f64)
}

/// Returns what is wrong with a row and has to be said.
fn complaint(row: &Row) -> Option<String> {
    let (case, tool) = (&row.case, &row.tool);
    if !row.fails {
        return Some(format!("{case}, {tool}: the result is not a result: run once more, it does not fail."));
    }
    if !matches!(row.status.as_str(), "done" | "limit") {
        return Some(format!("{case}, {tool}: {}: {}", row.status, row.last_words));
    }
    // A run that is given up early may be killed before it is counted, but none is counted that was not run.
    let said = row.said.filter(|_| row.status == "done")?;
    let most = (said.runs + said.around) as usize;
    (row.runs > most)
        .then(|| format!("{case}, {tool}: {} runs were counted, but {most} are said to have been.", row.runs))
}

/// Returns a row as a line of JSON.
pub(crate) fn json(row: &Row) -> String {
    let said = row
        .said
        .map(|said| json!({"asked": said.asked, "repeated": said.repeated, "runs": said.runs, "around": said.around}));
    let seconds = |time: Duration| (time.as_secs_f64() * 1e3).round() / 1e3;
    let steps: Vec<_> = row.steps.iter().map(|step| json!([step.runs, step.bytes, seconds(step.after)])).collect();
    json!({
        "case": row.case, "tool": row.tool, "status": row.status, "from": row.from, "jobs": row.jobs,
        "bytes_in": row.bytes.0, "bytes_out": row.bytes.1, "tokens_in": row.tokens.0, "tokens_out": row.tokens.1,
        "runs": row.runs, "duplicates": row.duplicates, "tail": row.tail, "bound": row.bound, "ratio": ratio(row),
        "wall_s": seconds(row.wall),
        "memory_tool": row.memory.0, "memory_largest": row.memory.1,
        "written": row.written.0, "written_to_disk": row.written.1,
        "fails": row.fails, "said": said, "limit_s": row.limit.as_secs(), "steps": steps, "last_words": row.last_words,
    })
    .to_string()
}

fn amount(bytes: u64) -> String {
    match bytes {
        0..1000 => format!("{bytes} B"),
        1000..1_000_000 => format!("{:.0} kB", bytes as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", bytes as f64 / 1e6),
        _ => format!("{:.1} GB", bytes as f64 / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::{Row, json, markdown};
    use crate::cases::trial::Said;
    use std::time::Duration;

    fn row() -> Row {
        Row {
            case: "page".into(),
            tool: "reduct".into(),
            status: "done".into(),
            from: "tool",
            bytes: (41_958, 8),
            tokens: (9000, 3),
            runs: 60,
            bound: Some(40),
            jobs: 2,
            wall: Duration::from_millis(85),
            memory: (2_500_000, 800),
            fails: true,
            said: Some(Said { asked: 59, repeated: 3, runs: 56, around: 4 }),
            ..Row::default()
        }
    }

    #[test]
    fn every_line_of_the_table_has_as_many_columns() {
        let text = markdown(&[row(), Row { bound: None, said: None, from: "best seen", ..row() }]);
        let table: Vec<&str> = text.lines().take_while(|line| line.starts_with('|')).collect();
        assert_eq!(table.len(), 4);
        assert!(table.iter().all(|line| line.matches('|').count() == table[0].matches('|').count()), "{text}");
        assert!(table[2].contains("| 8 (41958) | 3 (9000) | 60 |") && table[2].contains("| 1.50 |"), "{text}");
        assert!(table[3].contains("done, best seen") && table[3].contains("| – | – |"), "{text}");
        assert!(!text.contains("\n* page"), "{text}");
    }

    #[test]
    fn what_is_wrong_is_said_below() {
        for (row, what) in [
            (Row { fails: false, ..row() }, "does not fail"),
            (Row { status: "exit 3".into(), last_words: "no such file".into(), ..row() }, "exit 3: no such file"),
            (Row { runs: 61, ..row() }, "61 runs were counted, but 60"),
        ] {
            let text = markdown(&[row]);
            assert!(
                text.lines().last().is_some_and(|line| line.starts_with("* page") && line.contains(what)),
                "{text}"
            );
        }
    }

    #[test]
    fn a_row_is_one_line_of_json() {
        let line = json(&row());
        assert!(!line.contains('\n'));
        let value: serde_json::Value = serde_json::from_str(&line).unwrap();
        assert_eq!((value["runs"].as_u64(), value["said"]["asked"].as_u64()), (Some(60), Some(59)));
    }
}
