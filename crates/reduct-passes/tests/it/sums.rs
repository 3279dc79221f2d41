//! Containers that nobody knows, with sums in them: whatever goes, the sums of what is left are right, as a reader of each container finds that knows nothing of
//! how they were mended.

use crate::support::{file, levels, rebuilt};
use proptest::prelude::*;
use reduct_core::{Config, Delta};
use reduct_input::{Circumstances, Sum};
use reduct_passes::{Pass, Stage};

/// CRC-32 bit by bit.
fn crc(bytes: &[u8], polynomial: u32) -> u32 {
    !bytes.iter().fold(!0u32, |state, byte| {
        (0..8).fold(
            state ^ u32::from(*byte),
            |state, _| if state & 1 == 1 { state >> 1 ^ polynomial } else { state >> 1 },
        )
    })
}

fn crc32(bytes: &[u8]) -> u32 {
    crc(bytes, 0xedb8_8320)
}

fn adler(bytes: &[u8]) -> u32 {
    let mut low = 1u64;
    let mut high = 0u64;
    for byte in bytes {
        low += u64::from(*byte);
        high += low;
    }
    (((high % 65_521) << 16) | (low % 65_521)) as u32
}

/// Numbers that seem to be drawn.
struct Drawn(u64);

impl Drawn {
    fn below(&mut self, end: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % end
    }

    fn bytes(&mut self, length: u64) -> Vec<u8> {
        (0..length).map(|_| self.below(256) as u8).collect()
    }
}

/// Names and payloads.
fn things(count: u64, seed: u64) -> Vec<(Vec<u8>, Vec<u8>)> {
    let mut drawn = Drawn(seed);
    let thing = |number| {
        let length = 20 + drawn.below(60);
        (format!("thing{number}").into_bytes(), drawn.bytes(length))
    };
    (0..count).map(thing).collect()
}

fn little(bytes: &[u8], at: usize) -> Option<usize> {
    Some(u32::from_le_bytes(*bytes.get(at..)?.first_chunk()?) as usize)
}

fn big(bytes: &[u8], at: usize) -> Option<usize> {
    Some(u32::from_be_bytes(*bytes.get(at..)?.first_chunk()?) as usize)
}

/// A header with a CRC over all that follows; rows with place and length; records with a counted name, a counted payload and counted numbers.
fn sum_of_rest(count: u64) -> Vec<u8> {
    let (mut table, mut data) = (vec![], vec![]);
    let start = 20 + 12 * count as usize;
    for (number, (name, payload)) in things(count, 1).into_iter().enumerate() {
        let references: Vec<u8> = (0..number as u32 % 4).flat_map(|which| (which * 7).to_le_bytes()).collect();
        let record = [
            &[name.len() as u8],
            &name[..],
            &(payload.len() as u32).to_le_bytes(),
            &payload,
            &(references.len() as u16 / 4).to_le_bytes(),
            &references,
        ]
        .concat();
        table.extend(
            [number, start + data.len(), record.len()].iter().flat_map(|number| (*number as u32).to_le_bytes()),
        );
        data.extend(record);
    }
    let rest = [table, data].concat();
    let head = [count as u32, 20, 20 + rest.len() as u32, crc32(&rest)];
    [b"REST".to_vec(), head.iter().flat_map(|number| number.to_le_bytes()).collect(), rest].concat()
}

/// Returns how many records there are, and whether each can be read. `None` if a sum is wrong.
fn read_sum_of_rest(bytes: &[u8]) -> Option<(usize, bool)> {
    let count = little(bytes, 4)?;
    let is_right = crc32(&bytes[20..]) as usize == little(bytes, 16)? && little(bytes, 12)? == bytes.len();
    let mut end = 20 + 12 * count;
    let mut record = |row: usize| {
        let (place, length) = (little(bytes, 24 + 12 * row)?, little(bytes, 28 + 12 * row)?);
        let name = place + 1 + usize::from(*bytes.get(place)?);
        let payload = name + 4 + little(bytes, name)?;
        let references = payload + 2 + 4 * usize::from(u16::from_le_bytes(*bytes.get(payload..)?.first_chunk()?));
        let fits = place == end && references == place + length;
        end = references;
        fits.then_some(())
    };
    let is_whole = (0..count).all(|row| record(row).is_some()) && end == bytes.len();
    is_right.then_some((count, is_whole))
}

/// Most significant byte first: places count from where the data begin, and the sum of Adler is over everything, itself taken for zero.
fn places_from_data(count: u64) -> Vec<u8> {
    let (mut table, mut data) = (vec![], vec![]);
    for (number, (name, payload)) in things(count, 2).into_iter().enumerate() {
        let record =
            [&(name.len() as u16).to_be_bytes(), &name[..], &(payload.len() as u32).to_be_bytes(), &payload].concat();
        table.extend([number + 9, data.len(), record.len()].iter().flat_map(|number| (*number as u32).to_be_bytes()));
        data.extend(record);
    }
    let start = 28 + table.len();
    let with = |sum: u32| {
        let head = [count as u32, start as u32, (start + data.len()) as u32, sum, 0];
        [
            b"\x89FROM\r\n\n".to_vec(),
            head.iter().flat_map(|number| number.to_be_bytes()).collect(),
            table.clone(),
            data.clone(),
        ]
        .concat()
    };
    with(adler(&with(0)))
}

fn read_places_from_data(bytes: &[u8]) -> Option<(usize, bool)> {
    let (count, start) = (big(bytes, 8)?, big(bytes, 12)?);
    let without = [&bytes[..20], &[0; 4], &bytes[24..]].concat();
    let is_right = adler(&without) as usize == big(bytes, 20)? && big(bytes, 16)? == bytes.len();
    let mut end = 0;
    let mut record = |row: usize| {
        let (place, length) = (big(bytes, 32 + 12 * row)?, big(bytes, 36 + 12 * row)?);
        let at = start + place;
        let name = at + 2 + usize::from(u16::from_be_bytes(*bytes.get(at..)?.first_chunk()?));
        let fits = place == end && name + 4 + big(bytes, name)? == at + length;
        end = place + length;
        fits.then_some(())
    };
    let is_whole =
        start == 28 + 12 * count && (0..count).all(|row| record(row).is_some()) && start + end == bytes.len();
    is_right.then_some((count, is_whole))
}

/// In each row a number, a place and a length, and a sum over what is there; in the header a sum over the rows, with these sums, and one over the data.
fn sums_in_rows(count: u64) -> Vec<u8> {
    let (mut table, mut data) = (vec![], vec![]);
    let start = 32 + 16 * count as usize;
    for (number, (name, payload)) in things(count, 3).into_iter().enumerate() {
        let record = [&name[..], b"\0", &payload].concat();
        let row = [number, start + data.len(), record.len(), crc32(&record) as usize];
        table.extend(row.iter().flat_map(|number| (*number as u32).to_be_bytes()));
        data.extend(record);
    }
    let head = [count as u32, 32, start as u32, (start + data.len()) as u32, crc32(&table), crc32(&data), 0];
    [b"ROWS".to_vec(), head.iter().flat_map(|number| number.to_be_bytes()).collect(), table, data].concat()
}

fn read_sums_in_rows(bytes: &[u8]) -> Option<(usize, bool)> {
    let (count, start) = (big(bytes, 4)?, big(bytes, 12)?);
    let is_right = crc32(&bytes[32..start]) as usize == big(bytes, 20)?
        && crc32(&bytes[start..]) as usize == big(bytes, 24)?
        && big(bytes, 16)? == bytes.len();
    let mut end = start;
    let mut record = |row: usize| {
        let (place, length) = (big(bytes, 36 + 16 * row)?, big(bytes, 40 + 16 * row)?);
        let fits = place == end && crc32(bytes.get(place..place + length)?) as usize == big(bytes, 44 + 16 * row)?;
        end = place + length;
        fits.then_some(())
    };
    let is_whole = start == 32 + 16 * count && (0..count).all(|row| record(row).is_some()) && end == bytes.len();
    is_right.then_some((count, is_whole))
}

/// Rows have a number and then a place; each record ends with its own sum, and the file with that of all before.
fn sums_at_ends(count: u64) -> Vec<u8> {
    let (mut table, mut data) = (vec![], vec![]);
    let start = 16 + 8 * count as usize;
    for (number, (name, payload)) in things(count, 4).into_iter().enumerate() {
        table.extend([5 * number as u32, (start + data.len()) as u32].iter().flat_map(|number| number.to_le_bytes()));
        let record = [&[name.len() as u8], &name[..], &(payload.len() as u16).to_le_bytes(), &payload].concat();
        data.extend([&record[..], &crc32(&record).to_le_bytes()].concat());
    }
    let head = [count as u32, 16, (start + data.len()) as u32];
    [b"ENDS".to_vec(), head.iter().flat_map(|number| number.to_le_bytes()).collect(), table, data].concat()
}

fn read_sums_at_ends(bytes: &[u8]) -> Option<(usize, bool)> {
    let count = little(bytes, 4)?;
    let is_right = little(bytes, 12)? == bytes.len();
    let record = |row: usize| {
        let place = little(bytes, 20 + 8 * row)?;
        let end = if row + 1 < count { little(bytes, 28 + 8 * row)? } else { bytes.len() };
        let sum = end.checked_sub(4).filter(|sum| *sum >= place)?;
        let name = place + 1 + usize::from(*bytes.get(place)?);
        let payload = name + 2 + usize::from(u16::from_le_bytes(*bytes.get(name..)?.first_chunk()?));
        (payload == sum && crc32(&bytes[place..sum]) as usize == little(bytes, sum)?).then_some(())
    };
    if count == 0 {
        return is_right.then_some((0, bytes.len() == 16));
    }
    let is_whole = little(bytes, 20)? == 16 + 8 * count && (0..count).all(|row| record(row).is_some());
    is_right.then_some((count, is_whole))
}

/// Makes a container of so many things, and says how many a file has and whether each can be read; nothing if a sum of the whole is wrong.
type Container = (fn(u64) -> Vec<u8>, fn(&[u8]) -> Option<(usize, bool)>);

const CONTAINERS: [Container; 4] = [
    (sum_of_rest, read_sum_of_rest),
    (places_from_data, read_places_from_data),
    (sums_in_rows, read_sums_in_rows),
    (sums_at_ends, read_sums_at_ends),
];

fn chunks() -> Pass {
    Pass::of(Stage::Delete).find(|pass| pass.name == "chunks").unwrap()
}

/// Keeps the parts that a mask says, over and over.
fn kept(parts: usize, mask: &[bool]) -> Config {
    Config::from_deltas((0..parts as u32).zip(mask.iter().cycle()).filter(|(_, kept)| **kept).map(|(at, _)| Delta(at)))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(16))]

    #[test]
    fn sums_are_right_whatever_goes(which in 0..4usize, mask in prop::collection::vec(any::<bool>(), 1..50)) {
        let (make, read) = CONTAINERS[which];
        let whole = make(60);
        prop_assert_eq!(read(&whole), Some((60, true)));
        let levels = levels(&chunks(), &file(&whole));
        for (level, parts) in levels.iter().enumerate() {
            let config = kept(parts.len(), &mask);
            let left = rebuilt(parts, &config);
            let found = read(left.bytes());
            prop_assert!(found.is_some(), "a sum is wrong at level {level} of {which}");
            if level == 0 {
                prop_assert_eq!(found, Some((config.len(), true)), "whole rows go first, with what they name");
            }
        }
    }

    #[test]
    fn sums_of_two_stretches_join(first in prop::collection::vec(any::<u8>(), 0..70), second in prop::collection::vec(any::<u8>(), 0..70)) {
        let both = [&first[..], &second].concat();
        for sum in [Sum::Crc32, Sum::Crc32c, Sum::Adler, Sum::Bytes] {
            prop_assert_eq!(sum.joined(sum.of(&first), sum.of(&second), second.len()), Some(sum.of(&both)));
        }
        prop_assert_eq!(Sum::Crc32.of(&both), u64::from(crc32(&both)));
        prop_assert_eq!(Sum::Crc32c.of(&both), u64::from(crc(&both, 0x82f6_3b78)));
        prop_assert_eq!(Sum::Adler.of(&both), u64::from(adler(&both)));
    }
}

#[test]
fn what_is_in_records_goes_with_its_numbers_mended() {
    for (make, read) in [CONTAINERS[0], CONTAINERS[1], CONTAINERS[3]] {
        let levels = levels(&chunks(), &file(&make(60)));
        let left = rebuilt(&levels[1], &Config::from_deltas([]));
        assert_eq!(read(left.bytes()), Some((60, true)), "all records are empty");
        assert!(left.bytes().len() < 60 * 40, "{} bytes", left.bytes().len());
    }
}

#[test]
fn a_wrong_sum_stays() {
    let mut whole = sum_of_rest(60);
    whole[16] ^= 1;
    let wrong = whole[16..20].to_vec();
    for parts in levels(&chunks(), &file(&whole)) {
        let left = rebuilt(&parts, &kept(parts.len(), &[true, false]));
        assert_eq!(left.bytes()[16..20], wrong);
    }
}
