//! Tables within pages that are written by hand. A table stands between the lines `<!-- NAME: from FILE by cargo xtask
//! docs -->` and `<!-- end of NAME -->`.

use super::records;
use reduct_report::schema::{self, CAVEATS, CLAIMS, EVENTS, FUZZING, KEYS, ObjectShape};
use reduct_strategies::{Method, MethodFacts};
use serde_json::Value;

/// The pages with tables.
pub(super) const PAGES: &[&str] = &["docs/ALGORITHMS.md", "docs/EVENTS.md", "docs/FUZZING.md", "docs/JOURNAL.md"];

/// The schema of answers.
pub(super) const ANSWERS: &str = "docs/schema/answer.schema.json";

const SCHEMA: &str = "crates/reduct-report/src/schema.rs";

const METHODS: &str = "crates/reduct-strategies/src/method.rs";

const RECORDS: &str = "crates/reduct-session/src/journal/record.rs";

const RELIED: &str = "crates/reduct-session/src/relied.rs";

/// A table: its name, the file that it is made from, and how.
type Table = (&'static str, &'static str, fn() -> String);

const TABLES: &[Table] = &[
    ("events", SCHEMA, || forms(("type", "keys", "when"), EVENTS)),
    ("keys of events", SCHEMA, keys),
    ("claims", SCHEMA, || forms(("`kind`", "with", "what was shown"), CLAIMS)),
    ("caveats", SCHEMA, || forms(("`kind`", "with", "what it means"), CAVEATS)),
    ("events of fuzzing", SCHEMA, || forms(("type", "keys", "when"), FUZZING)),
    ("methods", METHODS, methods),
    ("records", RECORDS, || records::of_enum(RECORDS, "JournalRecord")),
    ("objects in records", RECORDS, objects),
];

/// How a marker ends.
const BY: &str = " by cargo xtask docs -->";

/// Returns a page with the tables of today between its markers.
///
/// # Errors
/// If a marker leads to no table, has no end, or there is none in the page.
pub(super) fn filled_in(name: &str, page: &str) -> Result<String, String> {
    let (mut text, mut rest, mut count) = (String::new(), page, 0);
    while let Some((head, after)) = rest.split_once(BY) {
        let complaint = |what: &str| format!("{name}: {what}");
        let (before, marker) = head.rsplit_once("<!-- ").ok_or_else(|| complaint("a marker that does not begin"))?;
        let table = marker.split(": from ").next().unwrap_or_default();
        let found = TABLES.iter().find(|(name, ..)| *name == table);
        let (_, file, make) = found.ok_or_else(|| complaint(&format!("there is no table `{table}`")))?;
        let end = format!("<!-- end of {table} -->");
        let (_, after) = after.split_once(&end).ok_or_else(|| complaint(&format!("`{end}` is missing")))?;
        text += &format!("{before}<!-- {table}: from {file}{BY}\n{}{end}", make());
        (rest, count) = (after, count + 1);
    }
    if count == 0 { Err(format!("{name}: it has no table that is generated")) } else { Ok(text + rest) }
}

/// Returns the schema of events, with its path.
pub(super) fn events_schema() -> (String, String) {
    let text = serde_json::to_string_pretty(&schema::events()).unwrap_or_default() + "\n";
    ("docs/schema/events.schema.json".to_owned(), text)
}

/// Returns the schema of answers, with its path: it is written by hand but for the claim, which is that of events.
///
/// # Errors
/// If the text is not JSON.
pub(super) fn answers_schema(text: &str) -> Result<(String, String), String> {
    let path = ANSWERS.to_owned();
    let mut page: Value = serde_json::from_str(text).map_err(|error| format!("{path}: {error}"))?;
    page["$defs"]["claim"] = schema::claim();
    Ok((path, serde_json::to_string_pretty(&page).unwrap_or_default() + "\n"))
}

fn forms((name, keys, says): (&str, &str, &str), forms: &[ObjectShape]) -> String {
    let row = |form: &ObjectShape| {
        let keys: Vec<String> = form.keys.iter().map(|(name, _)| code(name)).collect();
        row(&[&code(form.name), &keys.join(", "), form.says])
    };
    row_and_rule(&[name, keys, says]) + &forms.iter().map(row).collect::<String>()
}

fn keys() -> String {
    let names = |names: &[&str]| names.iter().map(|name| code(name)).collect::<Vec<_>>().join(", ");
    row_and_rule(&["key", "value"]) + &KEYS.iter().map(|(all, says)| row(&[&names(all), says])).collect::<String>()
}

fn methods() -> String {
    let cells = |it: &MethodFacts| row(&[&code(it.name), it.says, it.source, it.result, it.questions, it.when]);
    let heads = ["`--search`", "how it searches", "source", "result", "questions at most", "when to use it"];
    row_and_rule(&heads) + &Method::ALL.iter().map(cells).collect::<String>()
}

fn objects() -> String {
    records::of_structs(&[
        ("began.files[]", RELIED, "Relied"),
        ("began.around", RELIED, "Around"),
        ("began.around.variables[]", RELIED, "Variable"),
        ("began.around.own[]", RELIED, "Own"),
        ("ended.seen", RECORDS, "SeenAtEnd"),
    ])
}

pub(super) fn code(word: &str) -> String {
    format!("`{word}`")
}

pub(super) fn row(cells: &[&str]) -> String {
    let cell = |cell: &&str| if cell.is_empty() { String::new() } else { format!(" {cell}") };
    format!("|{} |\n", cells.iter().map(cell).collect::<Vec<_>>().join(" |"))
}

pub(super) fn row_and_rule(cells: &[&str]) -> String {
    format!("{}|{}\n", row(cells), " --- |".repeat(cells.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_stands_between_markers_is_replaced_and_nothing_else() {
        let page = "a <!-- note -->\n<!-- claims: from x by cargo xtask docs -->\nold\n<!-- end of claims -->\nb\n";
        let filled = filled_in("page", page).unwrap();
        assert!(filled.starts_with("a <!-- note -->\n<!-- claims: from crates/"), "{filled}");
        assert!(filled.contains("\n| `explained` | |") && !filled.contains("old"), "{filled}");
        assert!(filled.ends_with("|\n<!-- end of claims -->\nb\n"), "{filled}");
        assert_eq!(filled_in("page", &filled).unwrap(), filled);
    }

    #[test]
    fn a_marker_that_leads_nowhere_is_told() {
        for (page, says) in [
            ("<!-- songs: from x by cargo xtask docs --><!-- end of songs -->", "no table `songs`"),
            ("<!-- claims: from x by cargo xtask docs -->", "`<!-- end of claims -->` is missing"),
            ("no table", "no table that is generated"),
        ] {
            assert!(filled_in("page", page).unwrap_err().contains(says), "{page}");
        }
    }
}
