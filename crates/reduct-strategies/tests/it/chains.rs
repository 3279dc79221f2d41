//! Files that are a chain of records: whatever goes, the records that are left are whole.

use crate::support::{chunked, comes_apart, without};
use proptest::prelude::*;
use reduct_input::Circumstances;

/// Packets as pcap has them: 24 bytes, and before each packet when it was seen, in two numbers, how long it is here, and how long it was.
fn pcap(packets: &[Vec<u8>]) -> Vec<u8> {
    let mut text =
        [&0xa1b2_c3d4u32.to_le_bytes()[..], &[2, 0, 4, 0], &[0; 8], &0xffffu32.to_le_bytes(), &[1, 0, 0, 0]].concat();
    for (at, packet) in packets.iter().enumerate() {
        let (at, length) = (at as u32, packet.len() as u32);
        text.extend([1_600_000_000 + at, 900_000 - 7 * at, length, length].map(u32::to_le_bytes).concat());
        text.extend(packet);
    }
    text
}

/// The packets of a pcap. `None` if the last one ends elsewhere than the file, or one is told to have been longer.
fn read_pcap(text: &[u8]) -> Option<Vec<Vec<u8>>> {
    let (mut rest, mut packets) = (text.get(24..)?, vec![]);
    while !rest.is_empty() {
        let number = |at: usize| Some(u32::from_le_bytes(*rest.get(at..)?.first_chunk()?) as usize);
        let length = number(8).filter(|length| number(12) == Some(*length))?;
        packets.push(rest.get(16..16 + length)?.to_vec());
        rest = &rest[16 + length..];
    }
    Some(packets)
}

/// Blocks as pcapng has them: a kind, how long the block is, what is in it, and how long it is.
fn blocks(contents: &[Vec<u8>]) -> Vec<u8> {
    let block = |inside: &Vec<u8>| {
        let length = (12 + inside.len() as u32).to_le_bytes();
        [&6u32.to_le_bytes()[..], &length, inside, &length].concat()
    };
    contents.iter().flat_map(block).collect()
}

fn read_blocks(mut rest: &[u8]) -> Option<Vec<Vec<u8>>> {
    let mut contents = vec![];
    while !rest.is_empty() {
        let number = |at: usize| Some(u32::from_le_bytes(*rest.get(at..)?.first_chunk()?) as usize);
        let length = number(4).filter(|length| *length >= 12 && number(*length - 4) == Some(*length))?;
        contents.push(rest.get(8..length - 4)?.to_vec());
        rest = &rest[length..];
    }
    Some(contents)
}

fn packets() -> Vec<Vec<u8>> {
    (0..7u8).map(|at| vec![0x80 | (at * 17); 40 + usize::from(at) * 13 % 29]).collect()
}

#[test]
fn any_records_go() {
    for (write, read) in [(pcap as fn(&[Vec<u8>]) -> _, read_pcap as fn(&[u8]) -> _), (blocks, read_blocks)] {
        let text = write(&packets());
        let records = &chunked(&text)[0];
        assert_eq!(records.len(), 7);
        for chosen in 0..128usize {
            let left: Vec<_> = (0..7).filter(|at| (chosen >> at) & 1 == 1).map(|at| packets()[at].clone()).collect();
            assert_eq!(read(&without(records, |at| (chosen >> at) & 1 == 0)), Some(left));
        }
    }
}

/// Also what is in the last one that is left.
#[test]
fn what_is_in_records_goes() {
    for (write, read) in [(pcap as fn(&[Vec<u8>]) -> _, read_pcap as fn(&[u8]) -> _), (blocks, read_blocks)] {
        for count in [1, 2, 7] {
            let text = write(&packets()[..count]);
            let levels = chunked(&text);
            let inside = levels.last().unwrap();
            let left: Option<Vec<Vec<u8>>> = read(&without(inside, |at| at % 3 == 1));
            let lengths: Vec<usize> = left.unwrap().iter().map(Vec::len).collect();
            let all: usize = packets()[..count].iter().map(Vec::len).sum();
            assert_eq!((lengths.len(), lengths.iter().sum()), (count, all - (all + 1) / 3));
        }
    }
}

/// A number of records before them is lowered.
#[test]
fn a_number_of_records_is_mended() {
    let record = |at: u32| {
        let length = (30 + at).to_be_bytes();
        [&[7, 7][..], &length, &length, &vec![0xe0; 30 + at as usize]].concat()
    };
    let text = [b"\x01\x02\0\x14".to_vec(), (0..20).flat_map(record).collect()].concat();
    let left = without(&chunked(&text)[0], |at| at % 4 > 0);
    let expected = [b"\x01\x02\0\x05".to_vec(), [0, 4, 8, 12, 16].into_iter().flat_map(record).collect()].concat();
    assert!(left == expected, "{left:?}");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn any_bytes_in_a_chain(
        is_pcap in any::<bool>(), end in 0..100usize,
        changes in prop::collection::vec((0..400usize, prop_oneof![Just(0), Just(1), Just(255), any::<u8>()]), 0..6),
        choice in prop::collection::vec(any::<bool>(), 1..40),
    ) {
        let text = if is_pcap { pcap(&packets()) } else { blocks(&packets()) };
        comes_apart(text, &changes, end, &choice);
    }
}
