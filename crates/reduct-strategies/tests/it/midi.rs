//! MIDI files without some of their tracks or events are read as what is left.

use crate::support::{chunked, comes_apart, without};
use proptest::prelude::*;
use reduct_input::Circumstances;

/// A number of sevens, the most significant first.
fn sevens(number: u32) -> Vec<u8> {
    let mut bytes = vec![(number & 0x7f) as u8];
    let mut rest = number >> 7;
    while rest > 0 {
        bytes.insert(0, (rest & 0x7f) as u8 | 0x80);
        rest >>= 7;
    }
    bytes
}

fn event(time: u32, bytes: &[u8]) -> Vec<u8> {
    [&sevens(time), bytes].concat()
}

fn track(events: &[Vec<u8>]) -> Vec<u8> {
    let data = events.concat();
    [b"MTrk", &(data.len() as u32).to_be_bytes()[..], &data].concat()
}

fn song(tracks: &[Vec<u8>]) -> Vec<u8> {
    let head = [&b"MThd\0\0\0\x06\0\x01"[..], &(tracks.len() as u16).to_be_bytes(), &[1, 0]].concat();
    [head, tracks.concat()].concat()
}

/// A name, two notes of which the second one has no kind of its own and a third that has none either, a program, and the end.
fn events() -> Vec<Vec<u8>> {
    vec![
        event(0, b"\xff\x03\x05piano"),
        event(200, &[0x90, 60, 100]),
        event(5, &[61, 101]),
        event(300, &[62, 102]),
        event(1, &[0xc0, 7]),
        event(0, b"\xff\x2f\0"),
    ]
}

#[test]
fn tracks_go_with_their_number() {
    let tracks = [track(&events()), track(&events()[4..]), track(&events()[..2])];
    let level = &chunked(&song(&tracks))[0];
    assert_eq!(level.len(), 3);
    assert_eq!(without(level, |at| at == 1), song(&[tracks[0].clone(), tracks[2].clone()]));
}

#[test]
fn events_go_with_those_of_the_same_kind() {
    let all = events();
    let level = &chunked(&song(&[track(&all)]))[1];
    // The notes are one part.
    assert_eq!(level.len(), 4);
    let left = [&all[..1], &all[4..]].concat();
    assert_eq!(without(level, |at| at == 1), song(&[track(&left)]));
}

#[test]
fn events_without_a_kind_go_alone() {
    let mut all = events();
    let levels = chunked(&song(&[track(&all)]));
    all.remove(2);
    assert_eq!(without(&levels[2], |at| at == 0), song(&[track(&all)]));
}

#[test]
fn the_next_event_takes_the_kind_of_the_first() {
    let all = events();
    let levels = chunked(&song(&[track(&all)]));
    // The second note, when the first one was.
    let mut left = all.clone();
    left[1] = event(200, &[0x90, 61, 101]);
    left.remove(2);
    assert_eq!(without(&levels[3], |at| at == 0), song(&[track(&left)]));
}

#[test]
fn times_get_shorter_and_texts_with_their_lengths() {
    let all = events();
    let levels = chunked(&song(&[track(&all)]));
    // 200 is 1 and 72, 300 is 2 and 44.
    let mut left = all.clone();
    (left[1][0], left[3][0]) = (72, 44);
    left[1].remove(1);
    left[3].remove(1);
    assert_eq!(without(&levels[4], |_| true), song(&[track(&left)]));
    let mut left = all;
    left[0] = event(0, b"\xff\x03\x03pno");
    assert_eq!(without(&levels[5], |at| at == 1 || at == 2), song(&[track(&left)]));
}

proptest! {
    #[test]
    fn any_song_comes_apart(
        changes in prop::collection::vec((any::<usize>(), any::<u8>()), 0..6),
        missing in 0..40usize,
        choice in prop::collection::vec(any::<bool>(), 1..20),
    ) {
        comes_apart(song(&[track(&events()), track(&events()[..2])]), &changes, missing, &choice);
    }
}
