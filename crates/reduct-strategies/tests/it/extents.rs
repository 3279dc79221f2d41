//! Files with a table of extents: whatever goes, each row names what it did, without what went of it.

use crate::formats::{elf, font, read_elf, read_font};
use crate::support::{chunked, without};
use proptest::prelude::*;
use reduct_input::Circumstances;

/// Bytes that are no zeros, and are other ones for each section.
fn bytes(section: usize, length: usize) -> Vec<u8> {
    (0..length).map(|at| (section * 31 + at * 7) as u8 | 0x81).collect()
}

/// Eight sections: the third is not in the file, and two have records.
fn sections() -> Vec<(u32, u64, Vec<u8>)> {
    let lengths = [(1, 0, 301), (1, 0, 96), (8, 0, 0), (4, 24, 240), (1, 0, 77), (2, 24, 120), (3, 0, 50), (3, 0, 64)];
    let section = |(at, (kind, record, length)): (usize, &(u32, u64, usize))| (*kind, *record, bytes(at, *length));
    lengths.iter().enumerate().map(section).collect()
}

#[test]
fn any_sections_of_elf_are_empty() {
    let all = sections();
    let text = elf(&all);
    assert_eq!(read_elf(&text).unwrap(), all);
    let data = &chunked(&text)[0];
    assert_eq!(data.len(), 7);
    let present: Vec<usize> = (0..8).filter(|at| all[*at].0 != 8).collect();
    for chosen in 0..128usize {
        let left = without(data, |at| chosen >> at & 1 == 1);
        let mut expected = all.clone();
        for at in (0..7).filter(|at| chosen >> at & 1 == 1) {
            expected[present[at]].2.clear();
        }
        assert_eq!(read_elf(&left).unwrap(), expected);
        // With what stands between sections, as their contents begin at multiples of eight.
        assert_eq!(left.len(), elf(&expected).len());
    }
}

#[test]
fn records_of_sections_go() {
    let all = sections();
    let text = elf(&all);
    let records = chunked(&text).into_iter().find(|level| level.len() == 15).expect("ten records and five");
    let left = read_elf(&without(&records, |at| at % 5 == 1)).unwrap();
    let mut expected = all;
    expected[3].2.drain(144..168);
    expected[3].2.drain(24..48);
    expected[5].2.drain(24..48);
    assert_eq!(left, expected);
}

#[test]
fn rows_go_with_what_they_name() {
    let text = elf(&sections());
    // Rows from the second on: what else names a row by its number is not known.
    let rows = chunked(&text).into_iter().find(|level| level.len() == 8).unwrap();
    let left = read_elf(&without(&rows, |at| at % 3 == 1)).unwrap();
    let expected: Vec<_> =
        sections().into_iter().enumerate().filter(|(at, _)| at % 3 != 1).map(|(_, section)| section).collect();
    assert_eq!(left, expected);
}

#[test]
fn tables_as_those_of_a_font_go_with_their_rows() {
    let names: [&[u8; 4]; 6] = [b"cmap", b"glyf", b"head", b"hmtx", b"loca", b"name"];
    let tables: Vec<_> = names.iter().enumerate().map(|(at, name)| (*name, bytes(at, 41 + 9 * at))).collect();
    // What begins otherwise is no font.
    let text = [b"\0\x07\0\x07", &font(&tables)[4..]].concat();
    let is_left = |left: &[u8], expected: &[(&[u8; 4], Vec<u8>)]| {
        let expected: Vec<_> = expected.iter().map(|(name, data)| (name.to_vec(), data.clone())).collect();
        assert_eq!(read_font(left).unwrap(), expected);
    };
    is_left(&text, &tables);
    let levels = chunked(&text);
    for chosen in 0..64usize {
        let is_gone = |at: usize| chosen >> at & 1 == 1;
        let mut empty = tables.clone();
        (0..6).filter(|at| is_gone(*at)).for_each(|at| empty[at].1.clear());
        is_left(&without(&levels[1], is_gone), &empty);
        let fewer: Vec<_> = (0..6).filter(|at| !is_gone(*at)).map(|at| tables[at].clone()).collect();
        is_left(&without(&levels[0], is_gone), &fewer);
    }
}

/// A program says where its segments are, too, and how long: they begin and end where sections do.
#[test]
fn segments_follow_their_sections() {
    let all: Vec<(u32, u64, Vec<u8>)> = (0..6).map(|at| (1, 0, bytes(at, 80))).collect();
    // Two segments of two and three sections, 56 bytes each, in what is the first section.
    let text = elf(&[vec![(1, 0, vec![0; 112])], all].concat());
    let starts = [64 + 112, 64 + 112 + 160];
    let segment = |start: u64, size: u64| {
        let words = [start, start + 0x40_0000, start + 0x40_0000, size, size, 0x1000].map(u64::to_le_bytes).concat();
        [&[1, 0, 0, 0, 5, 0, 0, 0][..], &words].concat()
    };
    // The row of what has the segments names nothing.
    let mut text = text;
    text[64..176].copy_from_slice(&[segment(starts[0], 160), segment(starts[1], 240)].concat());
    let table = text.len() - 8 * 64;
    text[table + 64 + 24..][..16].fill(0);
    let data = &chunked(&text)[0];
    assert_eq!(data.len(), 6);
    let left = without(data, |at| at == 1 || at == 4);
    let long = |at: usize| u64::from_le_bytes(*left[at..].first_chunk().unwrap());
    assert_eq!([long(72), long(96), long(72 + 56), long(96 + 56)], [starts[0], 80, starts[1] - 80, 160]);
    assert_eq!([long(80), long(80 + 56)], [starts[0] + 0x40_0000, starts[1] + 0x40_0000], "where they are in memory");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_bytes_in_a_file_with_extents(
        is_font in any::<bool>(), end in 0..2000usize,
        changes in prop::collection::vec((0..2000usize, prop_oneof![Just(0), Just(1), Just(255), any::<u8>()]), 0..8),
        choice in prop::collection::vec(any::<bool>(), 1..40),
    ) {
        let contents = |at: usize| bytes(at, 50 + at);
        let mut text = match is_font {
            true => font(&[(b"cmap", contents(1)), (b"glyf", contents(2)), (b"head", contents(3)), (b"name", contents(4))]),
            false => elf(&sections()),
        };
        for (at, byte) in changes {
            let length = text.len();
            text[at % length] = byte;
        }
        text.truncate(text.len().saturating_sub(end % 400).max(1));
        for parts in chunked(&text) {
            prop_assert_eq!(&without(&parts, |_| false), &text);
            prop_assert!(without(&parts, |at| choice[at % choice.len()]).len() <= text.len());
        }
    }
}
