//! Files that are records with their lengths in them: whatever goes, a plain reader finds those that are left.

use crate::support::{chunked, comes_apart, without};
use proptest::prelude::*;
use reduct_input::ByteOrder::{self, Big, Little};
use reduct_input::Circumstances;

/// How a file of records is written. It begins with four letters, the size of the file less `size_less`, and the number of records, if it has them.
#[derive(Clone, Copy, Debug)]
struct Layout {
    order: ByteOrder,
    /// How many bytes a length has.
    width: usize,
    /// How many bytes of a record stand before its length, and after that before its contents.
    around: (usize, usize),
    is_whole: bool,
    size_less: Option<usize>,
    is_counted: bool,
    /// Of which number a record is a multiple long.
    unit: usize,
}

impl Layout {
    fn number(&self, number: usize, width: usize) -> Vec<u8> {
        let number = number as u64;
        match self.order {
            Big => number.to_be_bytes()[8 - width..].to_vec(),
            _ => number.to_le_bytes()[..width].to_vec(),
        }
    }

    fn head(&self) -> usize {
        self.around.0 + self.width + self.around.1
    }

    fn write(&self, records: &[Vec<u8>]) -> Vec<u8> {
        let mut body = vec![];
        for (at, contents) in records.iter().enumerate() {
            let length = contents.len() + if self.is_whole { self.head() } else { 0 };
            body.extend(vec![at as u8 | 0x40; self.around.0]);
            body.extend(self.number(length, self.width));
            body.extend(vec![0xf7; self.around.1]);
            body.extend(contents);
            body.resize(body.len().next_multiple_of(self.unit), 0);
        }
        let mut text = b"RECS".to_vec();
        let count = if self.is_counted { self.number(records.len(), 4) } else { vec![] };
        if let Some(less) = self.size_less {
            text.extend(self.number(8 + count.len() + body.len() - less, 4));
        }
        [text, count, body].concat()
    }

    /// Returns the contents of all records. `None` if a number is not what it should be.
    fn read(&self, text: &[u8]) -> Option<Vec<Vec<u8>>> {
        let number = |at: usize, width: usize| Some(self.order.read(text.get(at..at + width)?)? as usize);
        let (mut at, mut records) = (4, vec![]);
        if let Some(less) = self.size_less {
            (number(at, 4)? == text.len() - less).then_some(())?;
            at += 4;
        }
        let count = if self.is_counted { Some(number(at, 4)?) } else { None };
        at += count.map_or(0, |_| 4);
        let start = at;
        while at < text.len() {
            let length = number(at + self.around.0, self.width)?;
            let length = if self.is_whole { length.checked_sub(self.head())? } else { length };
            at += self.head();
            records.push(text.get(at..at + length)?.to_vec());
            at = start + (at + length - start).next_multiple_of(self.unit);
        }
        (at == text.len() && count.is_none_or(|count| count == records.len())).then_some(records)
    }
}

/// Contents of some records, without order.
fn contents(count: usize, seed: u64) -> Vec<Vec<u8>> {
    let mut state = seed | 1;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (state >> 40) as usize
    };
    (0..count).map(|_| (0..40 + next() % 90).map(|_| next() as u8).collect()).collect()
}

const CHUNKS: Layout =
    Layout { order: Big, width: 4, around: (4, 0), is_whole: false, size_less: Some(8), is_counted: false, unit: 1 };

/// Layouts of formats that are in use.
const LAYOUTS: [Layout; 8] = [
    CHUNKS,
    Layout { order: Little, around: (2, 0), size_less: Some(0), is_counted: true, ..CHUNKS },
    Layout { size_less: None, ..CHUNKS },
    Layout { order: Little, around: (0, 4), is_whole: true, size_less: None, ..CHUNKS },
    Layout { width: 2, around: (2, 0), size_less: None, is_counted: true, ..CHUNKS },
    Layout { order: Little, width: 8, around: (4, 0), size_less: None, ..CHUNKS },
    Layout { order: Little, unit: 2, ..CHUNKS },
    Layout { unit: 4, ..CHUNKS },
];

#[test]
fn any_record_goes() {
    for layout in LAYOUTS {
        let all = contents(60, 7);
        let text = layout.write(&all);
        assert_eq!(layout.read(&text).unwrap(), all);
        let records = &chunked(&text)[0];
        assert_eq!(records.len(), 60, "{layout:?}");
        for gone in 0..60 {
            let left = layout.read(&without(records, |at| at == gone));
            assert_eq!(left.unwrap(), [&all[..gone], &all[gone + 1..]].concat(), "{layout:?}");
        }
        let one = layout.read(&without(records, |at| at != 33));
        assert_eq!(one.unwrap(), all[33..34], "{layout:?}");
    }
}

#[test]
fn what_is_in_records_with_a_head_goes() {
    for layout in LAYOUTS {
        let all = contents(30, 9);
        let levels = chunked(&layout.write(&all));
        let inside = levels.last().unwrap();
        assert!(levels.len() > 1, "{layout:?}");
        let left =
            layout.read(&without(inside, |at| at % 3 == 1)).unwrap_or_else(|| panic!("{layout:?} {}", inside.len()));
        let (before, after): (usize, usize) = (all.iter().map(Vec::len).sum(), left.iter().map(Vec::len).sum());
        assert_eq!(left.len(), 30, "{layout:?}");
        assert!(after < before * 7 / 10, "{before} {after} {layout:?}");
        if !layout.is_whole {
            assert_eq!(layout.read(&without(inside, |_| true)), Some(vec![vec![]; 30]), "{layout:?}");
        }
    }
}

/// A few are no chance if the size of the file stands before them.
#[test]
fn few_records_go() {
    for count in 3..6 {
        let all = contents(count, 3);
        let records = &chunked(&CHUNKS.write(&all))[0];
        assert_eq!(records.len(), count);
        assert_eq!(CHUNKS.read(&without(records, |at| at != 1)).unwrap(), all[1..2]);
    }
}

/// Bytes without order, and rows of small numbers, are no records.
#[test]
fn there_are_no_records_by_chance() {
    for seed in 0..12 {
        let text: Vec<u8> = contents(120, seed).concat();
        let numbers: Vec<u8> =
            contents(60, seed).concat().into_iter().flat_map(|byte| u32::from(byte % 64).to_le_bytes()).collect();
        for text in [text, numbers] {
            // Records and what is in them are two levels. Other guesses find one, or three and more.
            assert_ne!(chunked(&text).len(), 2, "{seed}");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn any_bytes_in_records(
        layout in 0..LAYOUTS.len(), end in 0..100usize, seed in any::<u64>(),
        changes in prop::collection::vec((0..900usize, prop_oneof![Just(0), Just(1), Just(255), any::<u8>()]), 0..6),
        choice in prop::collection::vec(any::<bool>(), 1..40),
    ) {
        let text = LAYOUTS[layout].write(&contents(10, seed));
        comes_apart(text, &changes, end, &choice);
    }
}
