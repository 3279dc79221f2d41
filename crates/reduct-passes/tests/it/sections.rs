//! Sections of large files.

use crate::support::{addresses, file, folder, levels};
use reduct_input::Artifact;
use reduct_passes::{Pass, Stage};
use std::fmt::Write;

/// From more than this on files have sections.
const LARGE: usize = 8 << 20;

/// Returns such things, one after the other, until they are a large text.
fn many(thing: impl Fn(usize, &mut String)) -> String {
    let mut text = String::new();
    let mut number = 0;
    while text.len() <= LARGE {
        thing(number, &mut text);
        number += 1;
    }
    text
}

/// Returns the sections of an artifact.
fn sections(artifact: &Artifact) -> Vec<&[u8]> {
    let pass = Pass::of(Stage::Stretches).find(|pass| pass.name == "sections").unwrap();
    let found = levels(&pass, artifact);
    found.iter().flat_map(addresses).map(|at| artifact.slice(at)).collect()
}

/// Checks that there are some thousands of sections, which a text consists of but for its beginning and its end, and that each is as
/// it has to be.
fn check(text: &[u8], head: &str, tail: &str, is_whole: impl Fn(&[u8]) -> bool) {
    let artifact = file(text);
    let found = sections(&artifact);
    assert!((1 << 11..=1 << 12).contains(&found.len()), "{} sections", found.len());
    let all = [head.as_bytes(), &found.concat(), tail.as_bytes()].concat();
    assert!(all == text, "all of them with {head:?} and {tail:?} are the text");
    let damaged = found.iter().find(|section| !is_whole(section));
    assert!(damaged.is_none(), "{:?}", damaged.map(|section| String::from_utf8_lossy(section)));
}

#[test]
fn small_files_have_none() {
    let text = vec![b'a'; LARGE];
    assert!(sections(&file(&text)).is_empty());
    let larger = [&text[..], b"a"].concat();
    let both = folder(&[("large", &larger), ("small", &text)]);
    assert!(sections(&both).concat() == larger, "those of the large file");
}

#[test]
fn records_are_whole() {
    let records = many(|number, text| write!(text, "  {{\n    \"id\": {number}\n  }},\n").unwrap());
    let text = format!("[\n{records}]\n");
    check(text.as_bytes(), "[\n", "]\n", |section| section.starts_with(b"  {\n") && section.ends_with(b"  },\n"));
    let elements = many(|number, text| write!(text, " <row>\n  <id>{number}</id>\n </row>\n").unwrap());
    let text = format!("<table>\n{elements}</table>\n");
    check(text.as_bytes(), "<table>\n", "</table>\n", |section| {
        section.starts_with(b" <row>\n") && section.ends_with(b" </row>\n")
    });
}

#[test]
fn functions_are_whole() {
    let text = many(|number, text| write!(text, "int f{number}(void)\n{{\n    return 0;\n}}\n\n").unwrap());
    check(text.as_bytes(), "", "", |section| section.starts_with(b"int f") && section.ends_with(b"}\n\n"));
    let text = many(|number, text| write!(text, "def f{number}\n  x\nelse\n  y\nend\n").unwrap());
    check(text.as_bytes(), "", "", |section| section.starts_with(b"def f") && section.ends_with(b"end\n"));
}

#[test]
fn items_of_one_line_are_whole() {
    let records = many(|number, text| write!(text, "{{\"a,[\":[1,2],\"b\":{number}}},").unwrap());
    let text = format!("{{\"all\":[{}]}}", records.trim_end_matches(','));
    check(text.as_bytes(), "{\"all\":[", "]}", |section| {
        let section = section.strip_suffix(b",").unwrap_or(section);
        section.starts_with(b"{\"a,[\"") && section.ends_with(b"}")
    });
}

#[test]
fn what_has_neither_is_cut_between_characters() {
    let text = many(|_, text| text.push_str("aä€😀"));
    check(text.as_bytes(), "", "", |section| std::str::from_utf8(section).is_ok());
    let bytes: Vec<u8> = (0..=LARGE as u32).flat_map(u32::to_le_bytes).take(LARGE + 1).collect();
    check(&bytes, "", "", |_| true);
}

#[test]
fn what_is_of_a_known_format_has_none() {
    let data = vec![7; LARGE];
    let mut wave = b"RIFF".to_vec();
    wave.extend((data.len() as u32 + 12).to_le_bytes());
    wave.extend(b"WAVEdata");
    wave.extend((data.len() as u32).to_le_bytes());
    wave.extend(&data);
    assert!(sections(&file(&wave)).is_empty());
}
