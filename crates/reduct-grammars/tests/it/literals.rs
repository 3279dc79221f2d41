//! Where long texts in quotes are cut, in the languages that have them.

use crate::support::grammars;
use reduct_input::parts::Items;
use reduct_input::{Artifact, Subject};
use reduct_passes::Pass;
use std::sync::Arc;

/// The parts that the pass finds in a text.
fn parts(name: &str, text: &str) -> Vec<String> {
    let artifact = Artifact::of_file(name, text.as_bytes()).unwrap();
    let subject = Subject::new(Arc::new(artifact), Some(grammars()));
    let pass = Pass::documented().find(|pass| pass.name == "literals").unwrap();
    let levels = (pass.propose)(&subject);
    let items = levels.iter().filter_map(|spans| spans.get::<Items>()).flat_map(|items| items.0.iter());
    items.map(|item| text[item.at.start as usize..item.at.end as usize].to_owned()).collect()
}

#[test]
fn lines_go_without_what_opens_and_closes_a_text_in_quotes() {
    let lines: Vec<String> = (0..9).map(|at| format!("row {at},x\n")).collect();
    let all = lines.concat();
    for (name, before, after) in [
        ("a.py", "a = \"\"\"", "\"\"\"\nb = 1\n"),
        ("b.py", "a = r'''", "'''\nb = 1\n"),
        ("a.js", "let a = `", "`;\n"),
        ("a.cpp", "auto a = R\"(", ")\";\n"),
        ("a.lua", "a = [[", "]]\n"),
        ("a.rs", "const A: &str = r#\"", "\"#;\n"),
        ("a.sh", "cat <<EOT\n", "EOT\n"),
        ("a.xml", "<a><![CDATA[", "]]></a>\n"),
    ] {
        assert_eq!(parts(name, &format!("{before}{all}{after}")), lines, "{name}");
    }
}

#[test]
fn a_list_in_one_line_is_cut_between_its_items() {
    let rows: Vec<String> = (0..9).map(|at| format!("{{\"id\": {at}, \"name\": \"a, b\"}}")).collect();
    for text in [format!("[{}]", rows.join(",")), format!("{{\"rows\":[{}]}}", rows.join(","))] {
        let found = parts("a.js", &format!("let a = '{text}';\n"));
        let found: Vec<&str> = found.iter().map(|part| part.trim_end_matches(',')).collect();
        assert_eq!(found, rows, "{text}");
    }
}

#[test]
fn what_tells_nothing_is_cut_into_pieces_that_make_up_all_of_it() {
    let text = "ab\\ncde0123456".repeat(40);
    let found = parts("a.js", &format!("let a = \"{text}\";\n"));
    assert_eq!(found.concat(), text);
    assert!(found.len() >= 8 && found.iter().all(|piece| !piece.starts_with('n')), "no escape is cut");
}
