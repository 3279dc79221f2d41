//! Records and functions that refer to each other, forwards and backwards, each of which has to be there as long as something refers to it.

use super::Input;
use crate::curve::judge;
use reduct_core::Outcome;
use reduct_core::laws::Chance;
use std::fmt::Write;

/// Returns them all.
pub(super) fn all() -> Vec<Input> {
    vec![xml(), json(), go()]
}

/// Which of so many records are needed: each of those, some of which by its text and some by a reference to another record.
fn is_needed(at: usize, all: usize) -> bool {
    at % (all / 14) == all / 30 && at / (all / 14) < 14
}

/// Returns 120 kB of XML: 600 records, each with an `id` and up to four references to any others, valid by what would be its DTD. Of 14, the
/// text has to stay, and a reference of every second one of these.
fn xml() -> Input {
    const RECORDS: usize = 600;
    let mut chance = Chance(14);
    let (mut text, mut wanted) = (String::from("<?xml version=\"1.0\"?>\n<records>\n"), vec![]);
    for at in 0..RECORDS {
        let _ = writeln!(text, "  <record id=\"r{at}\">\n    <name>Record number {at}</name>\n    <links>");
        let is_needed = is_needed(at, RECORDS);
        for link in 0..1 + chance.below(4) {
            let to = chance.below(RECORDS);
            let _ = writeln!(text, "      <link ref=\"r{to}\"/>");
            if is_needed && link == 0 && wanted.len() % 3 == 0 {
                wanted.push(format!("ref=\"r{to}\""));
            }
        }
        let mark = if is_needed { format!("mark{at}") } else { format!("text {at}") };
        let _ = writeln!(text, "    </links>\n    <note lang=\"en\">Some {mark} of a record.</note>\n  </record>");
        if is_needed {
            wanted.push(mark);
        }
    }
    text.push_str("</records>\n");
    Input::of_file("refs-xml", "a.xml", text.into_bytes(), move |text| judge::linked_elements(text, &wanted))
}

/// Returns 80 kB of JSON: 500 records, each with an `id` and up to four references to any others in a list.
fn json() -> Input {
    const RECORDS: usize = 500;
    let mut chance = Chance(15);
    let (mut text, mut wanted) = (String::from("{\"records\": [\n"), vec![]);
    for at in 0..RECORDS {
        let is_needed = is_needed(at, RECORDS);
        let links: Vec<String> =
            (0..1 + chance.below(4)).map(|_| format!("{{\"ref\": \"r{}\"}}", chance.below(RECORDS))).collect();
        let mark = if is_needed { format!("mark{at}") } else { format!("text {at}") };
        let _ = writeln!(
            text,
            "  {{\"id\": \"r{at}\", \"name\": \"Record number {at}\", \"links\": [{}],\n   \"note\": {{\"lang\": \"en\", \"text\": \"Some {mark} of a record.\"}}}}{}",
            links.join(", "),
            if at + 1 < RECORDS { "," } else { "" }
        );
        if is_needed {
            wanted.push(mark);
            if wanted.len() % 3 == 1 {
                wanted.push(links[0].clone());
            }
        }
    }
    text.push_str("]}\n");
    Input::of_file("refs-json", "a.json", text.into_bytes(), move |text| judge::linked_objects(text, &wanted))
}

/// Returns 177 kB of Go: functions that call any others; in 10 of them a line has to stay.
fn go() -> Input {
    const FUNCTIONS: usize = 800;
    let mut chance = Chance(16);
    let (mut text, mut wanted) = (String::from("package main\n\n"), vec![]);
    for at in 0..FUNCTIONS {
        let _ = writeln!(text, "func f{at}(a int, b int) int {{\n\tc := a + b");
        for line in 0..1 + chance.below(4) {
            let to = chance.below(FUNCTIONS);
            let _ = writeln!(
                text,
                "\tif c > {line} {{\n\t\tc = c + f{to}(a, c)\n\t}}\n\tfor c > 9 {{\n\t\tc = c - {at}\n\t}}"
            );
        }
        if at % 80 == 40 {
            let _ = writeln!(text, "\tkeep{at}(f{}(1, 2))", chance.below(FUNCTIONS));
            wanted.push(format!("keep{at}("));
        }
        let _ = writeln!(text, "\treturn c\n}}\n");
    }
    text.push_str("func main() {\n\tf0(1, 2)\n}\n");
    Input::of_file("refs-go", "a.go", text.into_bytes(), move |text| {
        let called = judge::words(text, &wanted.iter().map(String::as_str).collect::<Vec<_>>());
        if called == Outcome::Fail { judge::calls_are_defined(text) } else { called }
    })
}
