//! The kinds against `cases/<kind>/<case>.txt`, written by hand from what their docs say.
//!
//! A case is a line about it, then a section for each level with the whole text: `‖` between the parts
//! of a flat kind, `⟦` and `⟧` around the parts of a level. `∎` ends the text; `␍`, `␉` and `␀` are the
//! characters they name, `⟨c3⟩` is a byte. Of `files`, paths instead, `‖` between parts.

use crate::support::{addresses, folder, levels, outline};
use reduct_input::parts::Entries;
use reduct_input::{Artifact, Circumstances};
use reduct_passes::{Pass, Stage};
use std::ops::Range;
use std::path::Path;

#[test]
fn every_case() {
    let cases = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cases");
    let mut seen = vec![];
    for folder in std::fs::read_dir(&cases).unwrap() {
        let folder = folder.unwrap().path();
        let name = folder.file_name().unwrap().to_str().unwrap();
        let kind =
            Pass::named(name).unwrap_or_else(|| panic!("no pass is called like the folder {}", folder.display()));
        seen.push(kind.name);
        for case in std::fs::read_dir(folder).unwrap() {
            let case = case.unwrap().path();
            let text = std::fs::read_to_string(&case).unwrap();
            check(kind, &format!("{}/{}", kind.name, case.file_stem().unwrap().display()), &text);
        }
    }
    // What needs a grammar has its cases where the grammars are; files with lengths and sums are built in
    // `chunks.rs`, since marks in a text would make them wrong.
    let wanted =
        Pass::of(Stage::Delete).map(|kind| kind.name).filter(|name| !matches!(*name, "nodes" | "lists" | "chunks"));
    let without: Vec<&str> = wanted.filter(|name| !seen.contains(name)).collect();
    assert!(without.is_empty(), "no cases in {}: {without:?}", cases.display());
}

fn check(kind: Pass, name: &str, case: &str) {
    let mut sections = case.split("=== ").skip(1).map(|section| section.split_once('\n').unwrap());
    if kind.name == "files" {
        return check_files(kind, name, sections);
    }
    let parsed: Vec<Level> = sections
        .by_ref()
        .map(|(title, section)| {
            let (text, parts) = parse(section.split_once('∎').unwrap_or_else(|| panic!("{name} has no ∎")).0);
            (title, text, parts)
        })
        .collect();
    let text = &parsed[0].1;
    let expected: Vec<&Vec<Range<u32>>> = parsed
        .iter()
        .filter(|(title, other, _)| {
            assert_eq!(other, text, "{name}: all levels are of one text");
            *title != "none"
        })
        .map(|(.., parts)| parts)
        .collect();
    let found: Vec<Vec<Range<u32>>> =
        levels(&kind, &Artifact::of_file(name, text).unwrap()).iter().map(addresses).collect();
    let show = |levels: &[Vec<Range<u32>>]| {
        let part =
            |part: &Range<u32>| String::from_utf8_lossy(&text[part.start as usize..part.end as usize]).into_owned();
        levels.iter().map(|level| level.iter().map(part).collect::<Vec<_>>()).collect::<Vec<_>>()
    };
    let expected: Vec<Vec<Range<u32>>> = expected.into_iter().cloned().collect();
    assert_eq!(show(&found), show(&expected), "{name}");
    assert_eq!(found, expected, "{name}");
}

/// What a section is called, its text, and the parts marked in it.
type Level<'a> = (&'a str, Vec<u8>, Vec<Range<u32>>);

/// The text without marks, and the parts they mark.
fn parse(marked: &str) -> (Vec<u8>, Vec<Range<u32>>) {
    let (mut text, mut parts, mut start) = (vec![], vec![], 0);
    let flat = !marked.contains('⟦');
    let mut rest = marked.chars();
    while let Some(c) = rest.next() {
        let here = text.len() as u32;
        match c {
            '‖' => {
                parts.push(start..here);
                start = here;
            }
            '⟦' => start = here,
            '⟧' => parts.push(start..here),
            '␍' => text.push(b'\r'),
            '␉' => text.push(b'\t'),
            '␀' => text.push(0),
            '⟨' => {
                let hex: String = rest.by_ref().take_while(|&c| c != '⟩').collect();
                text.push(u8::from_str_radix(&hex, 16).unwrap());
            }
            c => text.extend(c.to_string().bytes()),
        }
    }
    if flat {
        parts.push(start..text.len() as u32);
    }
    (text, parts)
}

fn check_files<'a>(kind: Pass, name: &str, mut sections: impl Iterator<Item = (&'a str, &'a str)>) {
    let entries: Vec<(&str, &[u8])> = sections.next().unwrap().1.lines().map(|path| (path, &b"x\n"[..])).collect();
    let at = |path: &str| entries.iter().position(|(known, _)| *known == path).unwrap() as u32;
    let expected: Vec<Vec<Range<u32>>> = sections
        .map(|(_, level)| {
            let part = |part: &str| {
                let paths: Vec<u32> = part.split_whitespace().map(at).collect();
                assert!(paths.windows(2).all(|w| w[0] + 1 == w[1]), "{name}: a part is one range of entries");
                paths[0]..paths[paths.len() - 1] + 1
            };
            level.trim_end().split('‖').map(part).collect()
        })
        .collect();
    let outline = outline(&kind, &folder(&entries));
    let found: Vec<Vec<Range<u32>>> = outline
        .iter()
        .map(|spans| match spans.get::<Entries>() {
            Some(Entries(entries)) => entries.to_vec(),
            None => panic!("{name}: {spans:?} are no entries"),
        })
        .collect();
    assert_eq!(found, expected, "{name}");
    assert!(levels(&kind, &folder(&entries)).iter().all(|parts| !parts.is_empty()));
}
