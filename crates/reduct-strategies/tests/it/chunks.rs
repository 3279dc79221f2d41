//! The kind `chunks`: whatever goes, what is left is a file of its format.

use crate::formats::{
    bmff, entries, is_riff, png, read_offsets, read_png, read_sections, riff_chunk, samples, tiff, with_offsets,
    with_sections,
};
use crate::support::{chunked, fails_if, file, folder, has, levels, outline, rebuilt, without};
use proptest::prelude::*;
use reduct_core::{Config, Delta, Outcome, Search, run};
use reduct_input::parts::Edits;
use reduct_input::{Artifact, Candidate, Circumstances, Parts, Spans, is_binary};
use reduct_passes::{Needs, Pass};
use reduct_strategies::{Plan, Reduction};
use std::collections::HashSet;

#[test]
fn every_format_is_known_and_with_all_parts_the_same() {
    for text in samples() {
        let levels = chunked(&text);
        assert!(!levels.is_empty(), "{text:?}");
        for parts in levels {
            assert_eq!(without(&parts, |_| false), text);
        }
        let twice = folder(&[("a", b"text"), ("b", &text), ("c", &text)]);
        for parts in self::levels(&Pass::named("chunks").unwrap(), &twice) {
            assert_eq!(rebuilt(&parts, &Config::full(parts.len())), twice);
        }
    }
}

#[test]
fn any_chunks_of_png() {
    let all: [(&[u8; 4], Vec<u8>); 4] =
        [(b"IHDR", vec![1; 13]), (b"tEXt", b"k\0v".to_vec()), (b"IDAT", vec![9; 20]), (b"IEND", vec![])];
    let top = &chunked(&png(&all))[0];
    assert_eq!(top.len(), 4);
    for chosen in 0..16usize {
        let left: Vec<_> = (0..4).filter(|at| chosen >> at & 1 == 1).map(|at| all[at].clone()).collect();
        assert_eq!(without(top, |at| chosen >> at & 1 == 0), png(&left));
    }
}

#[test]
fn a_wrong_sum_stays_as_it_is() {
    let mut text = png(&[(b"IDAT", vec![9; 20])]);
    *text.last_mut().unwrap() ^= 1;
    let data = chunked(&text).pop().unwrap();
    let sum = &text[text.len() - 4..];
    assert!(without(&data, |at| at == 0).ends_with(sum));
}

#[test]
fn entries_of_tiff_go_with_their_count() {
    let strip = b"pixels here";
    let all = entries(strip);
    let text = tiff(&all, strip);
    let levels = chunked(&text);
    let rows = &levels[1];
    assert_eq!(rows.len(), all.len());
    for chosen in 0..32usize {
        // The values of what goes stay where they are: only the row goes.
        let left = without(rows, |at| chosen >> at & 1 == 0);
        let count = chosen.count_ones() as usize;
        assert_eq!(left.len(), text.len() - 12 * (5 - count));
        assert_eq!(usize::from(left[8]), count);
        let kept = (0..5).filter(|at| chosen >> at & 1 == 1);
        for (row, was) in kept.enumerate() {
            let field = &left[10 + 12 * row + 8..10 + 12 * row + 12];
            let points = u32::from_le_bytes(field.try_into().unwrap()) as usize;
            match all[was].0 {
                270 => assert!(left[points..].starts_with(b"a description\0")),
                277 => assert!(left[points..].starts_with(&[8, 0, 8, 0, 8, 0])),
                273 => assert!(left[points..].starts_with(strip)),
                _ => {}
            }
        }
    }
    let strips = &levels[2];
    let left = without(strips, |_| true);
    assert!(!has(&left, strip) && left.len() == text.len() - strip.len());
    assert_eq!(left[10 + 4 * 12 + 8..10 + 4 * 12 + 12], [0; 4], "the length of the strip");
}

#[test]
fn offsets_of_bmff_follow_what_they_point_to() {
    let text = bmff(b"isom0000", b"frames");
    let top = &chunked(&text)[0];
    assert_eq!(top.len(), 4);
    let left = without(top, |at| at == 1);
    let stco = left.windows(4).position(|w| w == b"stco").unwrap();
    let points = u32::from_be_bytes(left[stco + 12..stco + 16].try_into().unwrap()) as usize;
    assert!(left[points..].starts_with(b"frames"));
    assert!(!has(&left, b"nothing"));
}

#[test]
fn unknown_things_with_lengths() {
    let tiled = samples().pop().unwrap();
    assert_eq!(without(&chunked(&tiled)[1], |at| at == 1), b"\0\0\0\x02ac\0\0\0\x02\xff\xfe\0\0\0\x01\x01");
    // A length of all that follows.
    let mut text = [&b"\x01\x02"[..], &200u16.to_be_bytes(), &[0xee; 200]].concat();
    let pieces = &chunked(&text)[0];
    let piece = pieces.addresses(Delta(0)).len();
    text[3] -= piece as u8;
    text.truncate(text.len() - piece);
    assert_eq!(without(pieces, |at| at == 0), text);
}

#[test]
fn binaries_are_reduced_by_their_chunks() {
    let chunks: [(&[u8; 4], Vec<u8>); 4] =
        [(b"IHDR", vec![1; 13]), (b"tEXt", b"k\0v".to_vec()), (b"IDAT", vec![9; 200]), (b"IEND", vec![])];
    let oracle = |candidate: &Candidate| {
        let chunks = read_png(candidate.artifact().bytes());
        fails_if(chunks.is_some_and(|all| all.iter().any(|(kind, data)| kind == b"IDAT" && data.len() >= 3)))
    };
    let mut tests = 0;
    let counted = |candidate: &Candidate| {
        tests += 1;
        oracle(candidate)
    };
    let end = run(Reduction::new(file(&png(&chunks)), Plan::standard()), counted);
    assert_eq!(read_png(end.best().artifact().bytes()), Some(vec![(b"IDAT".to_vec(), vec![9; 3])]));
    assert!(tests < 150, "{tests} tests");
}

/// Strings may be most of a file whose format is known. It is no text for that: each chunk is asked about before any byte in one, and no pass for texts is tried.
#[test]
fn what_is_of_a_known_format_is_no_text() {
    let words = |at| (b"tEXt", format!("key {at}\0{}", "a few words ".repeat(40)).into_bytes());
    let data = |at: u8| (b"IDAT", (0..18).map(|byte| 0x80 | (byte * 7 + at)).collect());
    let needed: Vec<(&[u8; 4], Vec<u8>)> =
        [(b"IHDR", vec![1; 13])].into_iter().chain((0..20).map(data)).chain([(b"IEND", vec![])]).collect();
    let [first, middle, last] = [&needed[..1], &needed[1..21], &needed[21..]];
    let (before, after): (Vec<_>, Vec<_>) = ((0..20).map(words).collect(), (20..40).map(words).collect());
    let text = png(&[first, &before, middle, &after, last].concat());
    assert!(!is_binary(&text));
    let mut reduction = Reduction::new(file(&text), Plan::standard());
    while let Some(candidate) = reduction.ask() {
        let phase = reduction.phase().unwrap();
        assert!(Pass::named(phase.kind).unwrap().needs != Needs::Text, "{}", phase.kind);
        if (phase.kind, phase.level) != ("chunks", 1) {
            break;
        }
        let chunks = read_png(candidate.artifact().bytes()).unwrap();
        let is_there = |(kind, data): &(&[u8; 4], Vec<u8>)| chunks.contains(&(kind.to_vec(), data.clone()));
        reduction.tell(fails_if(needed.iter().all(is_there)));
    }
    assert_eq!(reduction.best().artifact().bytes(), png(&needed));
}

#[test]
fn what_is_binary() {
    let utf_16: Vec<u8> = "words of two bytes".encode_utf16().flat_map(u16::to_le_bytes).collect();
    for binary in [&[0; 10][..], b"\x89PNG\r\n\x1a\n\0\0\0\x0dIHDR", &utf_16, &[0xff; 40]] {
        assert!(is_binary(binary), "{binary:?}");
    }
    for text in ["", "int main;\n", "größer 大きい", "int main(void) { return \0 0; } // and so on, and so on"] {
        assert!(!is_binary(text.as_bytes()), "{text}");
    }
    assert!(!is_binary(b"/* gr\xfc\xdfe, sch\xf6n */ int main(void);\n"));
}

#[test]
fn zeros_are_for_binaries() {
    let zeros = Pass::named("zeros").unwrap();
    let edits = |text: &[u8]| outline(&zeros, &file(text));
    assert!(edits(b"plain text").is_empty());
    assert!(edits(&[0; 100]).is_empty());
    let of = |spans: &Spans| match spans.get::<Edits>() {
        Some(Edits(edits)) => edits.iter().map(|edit| edit.splices()[0].at.clone()).collect::<Vec<_>>(),
        other => panic!("{other:?} are no edits"),
    };
    let found: Vec<_> = edits(b"\0\0\0\x01\xff\xfe\xfd\xfc").iter().map(of).collect();
    let found: Vec<&[_]> = found.iter().map(Vec::as_slice).collect();
    let whole = 3..8;
    assert_eq!(found, [std::slice::from_ref(&whole), &[3..4, 4..8], &[4..5, 5..6, 6..7, 7..8]]);
}

/// All levels of anything with any parts gone can be made.
fn anything_goes(text: &[u8], choice: &[bool]) {
    for parts in chunked(text) {
        let mut end = 0;
        for part in (0..parts.len()).map(|at| parts.addresses(Delta(at as u32))) {
            assert!(end <= part.start && part.start < part.end && part.end as usize <= text.len());
            end = part.end;
        }
        assert_eq!(without(&parts, |_| false), text);
        // What goes with a part may stand elsewhere, and two may have something in common.
        let is_gone = |at: &usize| choice[at % choice.len()];
        let changes = (0..parts.len()).filter(is_gone).flat_map(|at| parts.changes(Delta(at as u32)));
        let gone: HashSet<u32> = changes.flat_map(|change| change.at).collect();
        assert_eq!(without(&parts, |at| is_gone(&at)).len(), text.len() - gone.len());
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn any_contents_of_png(data in prop::collection::vec(any::<u8>(), 0..60), choice in prop::collection::vec(any::<bool>(), 80)) {
        let text = png(&[(b"IHDR", data.clone()), (b"IDAT", data.repeat(2)), (b"IEND", vec![])]);
        for parts in chunked(&text) {
            prop_assert!(read_png(&without(&parts, |at| choice[at % choice.len()])).is_some());
        }
    }

    #[test]
    fn any_parts_of_riff(lengths in prop::collection::vec(0..20usize, 1..8), choice in prop::collection::vec(any::<bool>(), 80)) {
        let inner = lengths.iter().map(|length| riff_chunk(b"data", &vec![1; *length])).collect::<Vec<_>>().concat();
        let list = riff_chunk(b"LIST", &[&b"list"[..], &inner].concat());
        let text = riff_chunk(b"RIFF", &[&b"WAVE"[..], &list, &inner, &list].concat());
        prop_assert!(is_riff(&text));
        for parts in chunked(&text) {
            prop_assert!(is_riff(&without(&parts, |at| choice[at % choice.len()])));
        }
    }

    /// Fields may say anything of what they stand in, also where nothing follows them.
    #[test]
    fn any_sizes_in_any_bytes(
        (width, is_little) in (prop_oneof![Just(1usize), Just(2), Just(4), Just(8)], any::<bool>()),
        mut text in prop::collection::vec(prop_oneof![3 => Just(0u8), 1 => any::<u8>()], 1..90),
        fields in prop::collection::vec((any::<prop::sample::Index>(), any::<bool>()), 1..4),
        at_end in any::<bool>(),
    ) {
        if at_end {
            text.resize(text.len() + width, 0);
        }
        let places = fields.iter().map(|(at, is_whole)| (at.index(text.len()), *is_whole));
        let last = at_end.then(|| (text.len() - width, true));
        for (at, is_whole) in places.chain(last).filter(|(at, _)| at + width <= text.len()).collect::<Vec<_>>() {
            let says = if is_whole { text.len() } else { text.len() - at - width };
            let bytes = (says as u64).to_le_bytes();
            let big = (says as u64).to_be_bytes();
            text[at..at + width].copy_from_slice(if is_little { &bytes[..width] } else { &big[8 - width..] });
        }
        for parts in chunked(&text) {
            prop_assert_eq!(without(&parts, |_| false), text.clone());
            prop_assert!(parts.len() == 0 || without(&parts, |at| at == 0).len() < text.len());
        }
    }

    #[test]
    fn any_bytes_of_any_format(
        which in 0..10usize, end in 0..300usize,
        changes in prop::collection::vec((0..300usize, any::<u8>()), 0..6),
        choice in prop::collection::vec(any::<bool>(), 1..40),
    ) {
        let mut text = samples().swap_remove(which);
        for (at, byte) in changes {
            let length = text.len();
            text[at % length] = byte;
        }
        text.truncate(end.max(1));
        anything_goes(&text, &choice);
    }

    #[test]
    fn anything_after_the_first_bytes(
        which in 0..10usize, rest in prop::collection::vec(prop_oneof![Just(0), Just(1), Just(255), any::<u8>()], 0..200),
        choice in prop::collection::vec(any::<bool>(), 1..40),
    ) {
        let start = samples().swap_remove(which);
        anything_goes(&[&start[..8.min(start.len())], &rest].concat(), &choice);
    }
}

/// Nested, repeated and self-referring to the utmost, of a quarter of a megabyte.
#[test]
fn large_and_nasty() {
    const LARGE: usize = 1 << 18;
    let nested = |kind: &[u8], length: fn(u32) -> [u8; 4]| {
        let count = LARGE / 12;
        (0..count).flat_map(|n| [kind, &length((LARGE - 12 * n) as u32), b"list"].concat()).collect::<Vec<u8>>()
    };
    let mut boxes: Vec<u8> =
        (0..LARGE / 8).flat_map(|n| [&((LARGE - 8 * n) as u32).to_be_bytes(), &b"moov"[..]].concat()).collect();
    boxes.extend([0; 8]);
    let row = |n: u32| [&273u16.to_le_bytes()[..], &[4, 0], &1000u32.to_le_bytes(), &(10 + n).to_le_bytes()].concat();
    let rows: Vec<u8> = (0..65_535).flat_map(row).collect();
    let tiff = [&b"II*\0\x08\0\0\0\xff\xff"[..], &rows, &[8, 0, 0, 0]].concat();
    let itself = [&b"MM\0*\0\0\0\x08"[..], &vec![0; LARGE]].concat();
    for text in [
        nested(b"LIST", u32::to_le_bytes),
        nested(b"RIFF", u32::to_le_bytes),
        boxes,
        tiff,
        itself,
        vec![0xff; LARGE],
        vec![0; LARGE],
        vec![1; LARGE],
        1_000_000u32.to_le_bytes().repeat(LARGE / 4),
        (0..LARGE as u32 / 4).flat_map(|n| (1_000_000 + n).to_le_bytes()).collect(),
    ] {
        let artifact: Artifact = file(&text);
        for parts in levels(&Pass::named("chunks").unwrap(), &artifact) {
            let half = Config::full(parts.len() / 2);
            assert!(parts.candidate(&half).is_some());
        }
    }
}

#[test]
fn offsets_point_to_what_they_did_when_something_before_goes() {
    let blobs: Vec<Vec<u8>> = (0..40u32).map(|at| vec![at as u8 ^ 0x80; 20 + at as usize * 7 % 30]).collect();
    let text = with_offsets(&blobs);
    assert_eq!(read_offsets(&text).unwrap(), blobs);
    let levels = chunked(&text);
    // First the rows of the table with their blobs, then the blobs, then the rows.
    let last = |text: &[u8]| read_offsets(text).and_then(|blobs| blobs.last().cloned());
    for level in &levels[..3] {
        assert_eq!(level.len(), 40);
        let left = without(level, |at| at % 3 == 0 && at < 39);
        assert!(left.len() < text.len());
        assert_eq!(last(&left).as_ref(), blobs.last());
    }
    assert_eq!(read_offsets(&without(&levels[0], |at| at != 30)).unwrap(), blobs[30..31]);
    assert_eq!(read_offsets(&without(&levels[2], |at| at < 39)).unwrap().len(), 1);
}

/// The number says how long all is, or how much follows it.
#[test]
fn the_size_of_a_file_before_its_table_is_mended() {
    let blobs: Vec<Vec<u8>> = (0..40u32).map(|at| vec![at as u8 ^ 0x80; 20 + at as usize * 7 % 30]).collect();
    for counted_after in [0, 12] {
        let number = |text: &[u8], at: usize| u32::from_le_bytes(*text[at..].first_chunk().unwrap()) as usize;
        let mut text = with_offsets(&blobs);
        for row in 0..blobs.len() {
            let offset = number(&text, 8 + 4 * row) as u32 + 4;
            text[8 + 4 * row..][..4].copy_from_slice(&offset.to_le_bytes());
        }
        let size = (text.len() + 4 - counted_after) as u32;
        text.splice(8..8, size.to_le_bytes());
        assert_eq!(number(&text, 8), text.len() - counted_after);
        for level in &chunked(&text)[..3] {
            let left = without(level, |at| at % 3 == 0);
            assert!(left.len() < text.len());
            assert_eq!(number(&left, 8), left.len() - counted_after);
        }
    }
}

/// What seems to count the rest, too, may be something else.
#[test]
fn the_size_of_a_file_is_mended_alone_too() {
    let number = |text: &[u8], at: usize| u32::from_le_bytes(*text[at..].first_chunk().unwrap()) as usize;
    let text = [&b"\0\x01\x02\x03"[..], &60u32.to_le_bytes(), &48u32.to_le_bytes(), &[0xee; 48]].concat();
    let levels = chunked(&text);
    let [both, alone] = [0, levels.len() - 1].map(|level| without(&levels[level], |at| at % 3 == 2));
    assert_eq!((number(&both, 4), number(&both, 8)), (both.len(), both.len() - 12));
    // Its parts begin right after the field.
    assert_eq!(number(&alone, 4), alone.len());
    let tail = without(&levels[levels.len() - 1], |at| at >= 40);
    assert_eq!(tail.len(), 48);
    assert_eq!((number(&tail, 4), number(&tail, 8)), (48, 48));
}

#[test]
fn tables_stand_in_what_tables_point_to() {
    let blob = |section: u32, at: u32| vec![(section * 7 + at) as u8 ^ 0x80; 20 + (section + at) as usize * 7 % 30];
    let sections: Vec<Vec<Vec<u8>>> = (0..8u32).map(|section| (0..10).map(|at| blob(section, at)).collect()).collect();
    let text = with_sections(&sections);
    assert_eq!(read_sections(&text).unwrap(), sections);
    let levels = chunked(&text);
    // Rows with their sections, sections, rows of sections, and the same of blobs.
    assert_eq!(levels[..6].iter().map(Parts::len).collect::<Vec<_>>(), [8, 8, 8, 80, 80, 80]);
    let fifth: Vec<Vec<Vec<u8>>> = sections.iter().map(|blobs| vec![blobs[4].clone()]).collect();
    for level in [&levels[3], &levels[5]] {
        assert_eq!(read_sections(&without(level, |at| at % 10 != 4)).unwrap(), fifth);
    }
    // What stood between two places is gone: both rows point to the same one, and are a table still.
    let some_gone = without(&levels[4], |at| at % 10 == 3);
    let again = chunked(&some_gone);
    assert_eq!(again[5].len(), 80);
    let rows_gone = read_sections(&without(&again[5], |at| at % 10 == 3)).unwrap();
    let others = |blobs: &Vec<Vec<u8>>| [&blobs[..3], &blobs[4..]].concat();
    assert_eq!(rows_gone, sections.iter().map(others).collect::<Vec<_>>());
}

/// Where parts hang together, as by a sum over all bytes, the edits of a list are not asked about one by one until the proof.
#[test]
fn runs_that_are_needed_are_asked_about_in_groups() {
    let text: Vec<u8> = (0..=255u8).flat_map(|byte| [byte; 6]).collect();
    let mut reduction = Reduction::new(file(&text), Plan::standard());
    let mut of_runs = 0;
    while let Some(candidate) = reduction.ask() {
        let here = reduction.phase().unwrap();
        if here.proves {
            break;
        }
        of_runs += u32::from(here.kind == "runs");
        reduction.tell(fails_if(candidate.artifact().bytes() == text));
    }
    // Each of 256 runs can be shortened in two ways.
    assert!((1..256).contains(&of_runs), "{of_runs} questions");
}

/// Zeros make nothing smaller. Once some are written, chunks are asked about before more are: they may be able to go by now.
#[test]
fn what_can_go_has_its_turn_when_zeros_were_written() {
    let data = |at: u8| vec![at | 1; 4];
    let chunks: Vec<Vec<u8>> = (0..200).map(|at| riff_chunk(b"data", &data(at))).collect();
    let text = |flag: u8, chunks: &[Vec<u8>]| {
        riff_chunk(b"RIFF", &[b"FLAG".to_vec(), riff_chunk(b"flag", &[flag; 4]), chunks.concat()].concat())
    };
    let whole = text(7, &chunks);
    // As long as the flag is up, all chunks have to be there, whatever is in them.
    let oracle = |candidate: &Candidate| {
        let left = candidate.artifact().bytes().to_vec();
        let is_up = left.get(20..24) != Some(&[0; 4]);
        fails_if(is_riff(&left) && has(&left, b"flag") && (!is_up || left.len() == whole.len()))
    };
    let mut reduction = Reduction::new(file(&whole), Plan::standard());
    let (mut last, mut wrote, mut turns) = (None, false, 0);
    while let Some(candidate) = reduction.ask() {
        let here = reduction.phase().unwrap();
        if last.as_ref() != Some(&here) {
            assert!(here.proves || !(wrote && here.kind == "zeros"), "{last:?} is followed by {here:?}");
            turns += u32::from(here.kind == "chunks");
            wrote = false;
        }
        let outcome = oracle(&candidate);
        wrote |= here.kind == "zeros" && outcome == Outcome::Fail;
        last = Some(here);
        reduction.tell(outcome);
    }
    let left = reduction.best().artifact().bytes().to_vec();
    assert!(turns > 2 && left.len() == 24 && has(&left, b"flag"), "{left:?}");
}
