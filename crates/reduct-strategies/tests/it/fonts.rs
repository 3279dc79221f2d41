//! Fonts without some of their tables or glyphs are what a writer of fonts makes of what is left.

use crate::support::{chunked, comes_apart, without};
use proptest::prelude::*;
use reduct_input::Circumstances;

/// A glyph: its outline, its width, and a character that it is for.
#[derive(Clone)]
struct Glyph {
    outline: Vec<u8>,
    width: u16,
    character: Option<u32>,
}

/// A glyph made of others, by its definition: no contours, a box, then for each part flags, its number and where it is.
fn made_of(parts: &[u16]) -> Vec<u8> {
    let mut outline = [&[0xff, 0xff][..], &[0; 8]].concat();
    for (at, part) in parts.iter().enumerate() {
        // More parts follow all but the last one. Some have a scale, or words for where they are.
        let more = if at + 1 < parts.len() { 0x20 } else { 0 };
        let (flags, rest): (u16, &[u8]) = if at % 2 == 0 { (more | 1, &[0; 4]) } else { (more | 8, &[0; 4]) };
        outline.extend([flags.to_be_bytes(), part.to_be_bytes()].concat());
        outline.extend(rest);
    }
    outline.resize(outline.len().next_multiple_of(4), 0);
    outline
}

/// Returns the sum of a table, as the specification of fonts says: numbers of four bytes, zeros behind the last byte.
fn sum(table: &[u8]) -> u32 {
    let padded = [table, &vec![0; table.len().next_multiple_of(4) - table.len()]].concat();
    padded.chunks(4).fold(0, |sum, word| sum.wrapping_add(u32::from_be_bytes(word.try_into().unwrap())))
}

fn font(tables: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut text = [&[0, 1, 0, 0, 0, tables.len() as u8][..], &[0; 6]].concat();
    let mut data: Vec<u8> = vec![];
    for (name, table) in tables {
        let place = 12 + 16 * tables.len() + data.len();
        let numbers = [sum(table), place as u32, table.len() as u32];
        text.extend(name.as_bytes());
        text.extend(numbers.iter().flat_map(|number| number.to_be_bytes()));
        data.extend(table);
        data.resize(data.len().next_multiple_of(4), 0);
    }
    [text, data].concat()
}

fn tables(glyphs: &[Glyph]) -> Vec<(&'static str, Vec<u8>)> {
    let count = glyphs.len() as u16;
    let mut places = vec![0];
    glyphs.iter().for_each(|glyph| places.push(places[places.len() - 1] + glyph.outline.len() as u32));
    let groups: Vec<[u32; 3]> =
        (0..).zip(glyphs).filter_map(|(at, glyph)| glyph.character.map(|it| [it, it, at])).collect();
    let all = groups.len() as u32;
    let list =
        [&12u32.to_be_bytes()[2..], &[0; 2], &(16 + 12 * all).to_be_bytes(), &[0; 4], &all.to_be_bytes()].concat();
    let head = [&[0, 0, 0, 1, 0, 3, 0, 10][..], &12u32.to_be_bytes()].concat();
    let groups: Vec<u8> = groups.concat().iter().flat_map(|number| number.to_be_bytes()).collect();
    let outlines: Vec<Vec<u8>> = glyphs.iter().map(|glyph| glyph.outline.clone()).collect();
    vec![
        ("cmap", [head, list, groups].concat()),
        ("glyf", outlines.concat()),
        ("hhea", [&[0; 34][..], &count.to_be_bytes()].concat()),
        ("hmtx", glyphs.iter().flat_map(|glyph| [glyph.width.to_be_bytes(), [0, 7]].concat()).collect()),
        ("loca", places.iter().flat_map(|place| place.to_be_bytes()).collect()),
        ("maxp", [&[0, 0, 0x50, 0][..], &count.to_be_bytes()].concat()),
        ("name", b"a name of five".to_vec()),
    ]
}

fn simple(length: usize, width: u16, character: Option<u32>) -> Glyph {
    Glyph { outline: [&[0, 1][..], &vec![width as u8; length - 2]].concat(), width, character }
}

fn glyphs() -> Vec<Glyph> {
    vec![
        simple(12, 500, None),
        simple(20, 501, Some(65)),
        simple(16, 502, Some(66)),
        Glyph { outline: made_of(&[1, 4]), width: 503, character: Some(67) },
        simple(32, 504, None),
    ]
}

#[test]
fn tables_go_with_their_rows() {
    let all = tables(&glyphs());
    let levels = chunked(&font(&all));
    let left: Vec<_> = all.iter().enumerate().filter(|(at, _)| at % 6 != 0).map(|(_, table)| table.clone()).collect();
    assert_eq!(without(&levels[0], |at| at % 6 == 0), font(&left));
    let emptied = all.iter().map(|(name, table)| (*name, if *name == "name" { vec![] } else { table.clone() }));
    // Zeros behind a table that is empty stay: it is the last one here, of 14 bytes.
    let expected = [font(&emptied.collect::<Vec<_>>()), vec![0; 2]].concat();
    assert_eq!(without(&levels[1], |at| at == 6), expected);
}

#[test]
fn glyphs_go_and_those_behind_have_other_numbers() {
    let all = glyphs();
    let levels = chunked(&font(&tables(&all)));
    let level = &levels[2];
    assert_eq!(level.len(), all.len());
    // Without one that only has a character: the part of the fourth one that was the fifth is now the fourth.
    let mut left = all.clone();
    left.remove(2);
    left[2].outline = made_of(&[1, 3]);
    assert_eq!(without(level, |at| at == 2), font(&tables(&left)));
    // Without what the fourth one is made of, it and the first.
    assert_eq!(without(level, |at| at != 1), font(&tables(&all[1..2])));
}

/// Of two lists of characters one of which begins in the groups of the other, only the first is read.
#[test]
fn lists_that_overlap_are_read_once() {
    let with_groups = |groups: usize| {
        let mut all = tables(&glyphs());
        let mut list = all[0].1[12..16 + 12 + 12 * groups].to_vec();
        list[4..8].copy_from_slice(&(16 + 12 * groups as u32).to_be_bytes());
        list[12..16].copy_from_slice(&(groups as u32).to_be_bytes());
        // The second one has a group, too.
        list[16..18].copy_from_slice(&12u16.to_be_bytes());
        list[28..32].copy_from_slice(&1u32.to_be_bytes());
        let head = [&[0, 0, 0, 2][..], &[0, 3, 0, 10, 0, 0, 0, 20], &[0, 3, 0, 10, 0, 0, 0, 36]].concat();
        all[0].1 = [head, list].concat();
        font(&all)
    };
    let levels = chunked(&with_groups(3));
    assert_eq!(levels[4].len(), 3);
    assert_eq!(without(&levels[4], |at| at == 2), with_groups(2));
}

#[test]
fn outlines_go_alone() {
    let mut all = glyphs();
    let levels = chunked(&font(&tables(&all)));
    all[1].outline = vec![];
    assert_eq!(without(&levels[3], |at| at == 1), font(&tables(&all)));
}

#[test]
fn entries_of_two_bytes_count_two_bytes() {
    let all = glyphs();
    let short = |glyphs: &[Glyph]| {
        let halves = |(name, table): (&'static str, Vec<u8>)| match name {
            "loca" => (
                name,
                table
                    .chunks(4)
                    .flat_map(|place| (u32::from_be_bytes(place.try_into().unwrap()) as u16 / 2).to_be_bytes())
                    .collect(),
            ),
            _ => (name, table),
        };
        font(&tables(glyphs).into_iter().map(halves).collect::<Vec<_>>())
    };
    let mut left = all.clone();
    left[2].outline = vec![];
    assert_eq!(without(&chunked(&short(&all))[3], |at| at == 2), short(&left));
}

proptest! {
    #[test]
    fn any_font_comes_apart(
        changes in prop::collection::vec((any::<usize>(), any::<u8>()), 0..6),
        missing in 0..40usize,
        choice in prop::collection::vec(any::<bool>(), 1..20),
    ) {
        comes_apart(font(&tables(&glyphs())), &changes, missing, &choice);
    }
}
