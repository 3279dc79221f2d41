//! The kind `chunks`: whatever goes, what is left is a file of its format. Files are written, and read
//! again, by plain code of the tests.

use crate::support::{fails_if, file, folder, has, levels, outline, rebuilt};
use proptest::prelude::*;
use reduct_core::{Config, Delta, Search, run};
use reduct_input::parts::Edits;
use reduct_input::{Artifact, Candidate, Circumstances, Parts, Spans, is_binary};
use reduct_passes::Pass;
use reduct_strategies::{Plan, Reduction};

fn chunked(text: &[u8]) -> Vec<Parts> {
    levels(&Pass::named("chunks").unwrap(), &file(text))
}

/// What is left without the parts of a level for which `gone` is true.
fn without(parts: &Parts, gone: impl Fn(usize) -> bool) -> Vec<u8> {
    let kept = (0..parts.len()).filter(|at| !gone(*at)).map(|at| Delta(at as u32));
    rebuilt(parts, &kept.collect()).bytes().to_vec()
}

/// CRC-32 by its definition: a polynomial division, bit by bit.
fn crc(bytes: &[u8]) -> u32 {
    let bits = bytes.iter().flat_map(|byte| (0..8).map(move |bit| u32::from(byte >> bit & 1)));
    !bits.fold(!0u32, |state, bit| (state >> 1) ^ if (state ^ bit) & 1 == 1 { 0xedb8_8320 } else { 0 })
}

const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

fn png(chunks: &[(&[u8; 4], Vec<u8>)]) -> Vec<u8> {
    let mut text = SIGNATURE.to_vec();
    for (kind, data) in chunks {
        text.extend((data.len() as u32).to_be_bytes());
        text.extend(*kind);
        text.extend(data);
        text.extend(crc(&[&kind[..], data].concat()).to_be_bytes());
    }
    text
}

/// The chunks of a PNG, all sums of which are right.
fn read_png(text: &[u8]) -> Option<Vec<(Vec<u8>, Vec<u8>)>> {
    let mut rest = text.strip_prefix(SIGNATURE)?;
    let mut chunks = vec![];
    while !rest.is_empty() {
        let (length, after) = rest.split_first_chunk::<4>()?;
        let body = after.get(..4 + u32::from_be_bytes(*length) as usize)?;
        let (sum, after) = after[body.len()..].split_first_chunk::<4>()?;
        (crc(body) == u32::from_be_bytes(*sum)).then_some(())?;
        chunks.push((body[..4].to_vec(), body[4..].to_vec()));
        rest = after;
    }
    Some(chunks)
}

fn riff_chunk(kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let mut chunk = [&kind[..], &(data.len() as u32).to_le_bytes(), data].concat();
    chunk.resize(chunk.len().next_multiple_of(2), 0);
    chunk
}

/// Whether chunks fill a text exactly, also those in lists.
fn is_riff(mut rest: &[u8]) -> bool {
    while !rest.is_empty() {
        let Some((header, after)) = rest.split_first_chunk::<8>() else { return false };
        let length = u32::from_le_bytes([header[4], header[5], header[6], header[7]]) as usize;
        let Some(data) = after.get(..length) else { return false };
        let is_list = matches!(&header[..4], b"RIFF" | b"LIST");
        if is_list && !(data.len() >= 4 && is_riff(&data[4..])) {
            return false;
        }
        let Some(next) = after.get(length.next_multiple_of(2)..) else { return false };
        rest = next;
    }
    true
}

fn bmff_box(kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
    [&(8 + data.len() as u32).to_be_bytes(), &kind[..], data].concat()
}

fn bmff(brand: &[u8], frames: &[u8]) -> Vec<u8> {
    let head = [bmff_box(b"ftyp", brand), bmff_box(b"free", b"nothing")].concat();
    let table = |first: u32| {
        let rows = [0u32, 1, first].map(u32::to_be_bytes).concat();
        let boxes = ["stbl", "minf", "mdia", "trak", "moov"];
        let wrap = |inner: Vec<u8>, kind: &str| bmff_box(kind.as_bytes().try_into().unwrap(), &inner);
        boxes.into_iter().fold(bmff_box(b"stco", &rows), wrap)
    };
    let first = head.len() + table(0).len() + 8;
    [head, table(first as u32), bmff_box(b"mdat", frames)].concat()
}

/// A directory at 8, what its long values are after it, then the strip.
fn tiff(entries: &[(u16, u16, Vec<u8>)], strip: &[u8]) -> Vec<u8> {
    const WIDTHS: [usize; 5] = [0, 1, 1, 2, 4];
    let values = 8 + 2 + 12 * entries.len() + 4;
    let mut long = vec![];
    let lengths = entries.iter().map(|(.., value)| value.len()).filter(|length| *length > 4);
    let start = (values + lengths.sum::<usize>()) as u32;
    let mut text = [&b"II*\0"[..], &8u32.to_le_bytes(), &(entries.len() as u16).to_le_bytes()].concat();
    for (tag, kind, value) in entries {
        text.extend([tag.to_le_bytes(), kind.to_le_bytes()].concat());
        text.extend(((value.len() / WIDTHS[*kind as usize]) as u32).to_le_bytes());
        let value = if *tag == 273 { start.to_le_bytes().to_vec() } else { value.clone() };
        if value.len() > 4 {
            text.extend(((values + long.len()) as u32).to_le_bytes());
            long.extend(value);
        } else {
            text.extend([value.as_slice(), &[0; 4]].concat()[..4].to_vec());
        }
    }
    [text, vec![0; 4], long, strip.to_vec()].concat()
}

fn entries(strip: &[u8]) -> Vec<(u16, u16, Vec<u8>)> {
    vec![
        (256, 3, vec![2, 0]),
        (270, 2, b"a description\0".to_vec()),
        (273, 4, vec![0; 4]),
        (277, 3, vec![8, 0, 8, 0, 8, 0]),
        (279, 4, (strip.len() as u32).to_le_bytes().to_vec()),
    ]
}

fn samples() -> Vec<Vec<u8>> {
    let parts: Vec<(&[u8; 4], Vec<u8>)> =
        vec![(b"IHDR", vec![1; 13]), (b"tEXt", b"k\0v".to_vec()), (b"IDAT", vec![9; 20]), (b"IEND", vec![])];
    let list =
        riff_chunk(b"LIST", &[&b"hdrl"[..], &riff_chunk(b"avih", b"odd"), &riff_chunk(b"strh", b"even")].concat());
    let riff = riff_chunk(b"RIFF", &[&b"AVI "[..], &list, &riff_chunk(b"data", &[7; 33])].concat());
    let gif = [&b"GIF89a\x01\0\x01\0\0\0\0"[..], b"!\xfe\x05hello\x02hi\0", b",\0\0\0\0\x01\0\x01\0\0\x02\x02D\x01\0;"]
        .concat();
    let jpeg = b"\xff\xd8\xff\xe0\0\x06JFIF\xff\xda\0\x04ab01234\xff\0 5\xff\xd9".to_vec();
    let wasm = b"\0asm\x01\0\0\0\x01\x04abcd\0\x83\x80\0xyz".to_vec();
    let ogg = b"OggS\0\x02\0\0\0\0\0\0\0\0\x01\0\0\0\0\0\0\0\0\0\0\0\x01\x03abc".to_vec();
    let flac = b"fLaC\0\0\0\x04abcd\x81\0\0\x02xy frames".to_vec();
    let tiled = [&b"\0\0\0\x03abc"[..], b"\0\0\0\x02\xff\xfe", b"\0\0\0\x01\x01"].concat();
    let strip = [5; 11];
    vec![png(&parts), riff, bmff(b"isom", b"frames"), tiff(&entries(&strip), &strip), gif, jpeg, wasm, ogg, flac, tiled]
}

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
        let removed: usize = (0..parts.len())
            .filter(|at| choice[at % choice.len()])
            .map(|at| parts.addresses(Delta(at as u32)).len())
            .sum();
        assert_eq!(without(&parts, |at| choice[at % choice.len()]).len(), text.len() - removed);
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

/// A number of blobs, where each is, and the blobs, each with its length before it.
fn with_offsets(blobs: &[Vec<u8>]) -> Vec<u8> {
    let number = |number: usize| (number as u32).to_le_bytes();
    let mut text = [b"OFFS", &number(blobs.len())[..]].concat();
    let mut at = text.len() + 4 * blobs.len();
    for blob in blobs {
        text.extend(number(at));
        at += 4 + blob.len();
    }
    blobs.iter().for_each(|blob| text.extend([&number(blob.len())[..], blob].concat()));
    text
}

fn read_offsets(text: &[u8]) -> Option<Vec<Vec<u8>>> {
    let number = |at: usize| Some(u32::from_le_bytes(*text.get(at..)?.first_chunk()?) as usize);
    let blob = |at: usize| Some(text.get(at + 4..at + 4 + number(at)?)?.to_vec());
    (0..number(4)?).map(|row| blob(number(8 + 4 * row)?)).collect()
}

#[test]
fn offsets_point_to_what_they_did_when_something_before_goes() {
    let blobs: Vec<Vec<u8>> = (0..40u32).map(|at| vec![at as u8 ^ 0x80; 20 + at as usize * 7 % 30]).collect();
    let text = with_offsets(&blobs);
    assert_eq!(read_offsets(&text).unwrap(), blobs);
    let levels = chunked(&text);
    // First the blobs, then the rows of the table.
    let last = |text: &[u8]| read_offsets(text).and_then(|blobs| blobs.last().cloned());
    for level in &levels[..2] {
        assert_eq!(level.len(), 40);
        let left = without(level, |at| at % 3 == 0 && at < 39);
        assert!(left.len() < text.len());
        assert_eq!(last(&left).as_ref(), blobs.last());
    }
    assert_eq!(read_offsets(&without(&levels[1], |at| at < 39)).unwrap().len(), 1);
}

/// Sections of blobs: a table of sections, and in each a table whose offsets count from where the section begins.
fn with_sections(sections: &[Vec<Vec<u8>>]) -> Vec<u8> {
    let number = |number: usize| (number as u32).to_le_bytes();
    let contents: Vec<Vec<u8>> = sections.iter().map(|blobs| with_offsets(blobs)).collect();
    let mut text = [b"SECT", &number(sections.len())[..]].concat();
    let mut at = text.len() + 4 * sections.len();
    for section in &contents {
        text.extend(number(at));
        at += section.len();
    }
    text.extend(contents.concat());
    text
}

fn read_sections(text: &[u8]) -> Option<Vec<Vec<Vec<u8>>>> {
    let number = |at: usize| Some(u32::from_le_bytes(*text.get(at..)?.first_chunk()?) as usize);
    (0..number(4)?).map(|row| read_offsets(text.get(number(8 + 4 * row)?..)?)).collect()
}

#[test]
fn tables_stand_in_what_tables_point_to() {
    let blob = |section: u32, at: u32| vec![(section * 7 + at) as u8 ^ 0x80; 20 + (section + at) as usize * 7 % 30];
    let sections: Vec<Vec<Vec<u8>>> = (0..8u32).map(|section| (0..10).map(|at| blob(section, at)).collect()).collect();
    let text = with_sections(&sections);
    assert_eq!(read_sections(&text).unwrap(), sections);
    let levels = chunked(&text);
    // The sections, their rows, then the blobs, and their rows.
    assert_eq!(levels[..4].iter().map(Parts::len).collect::<Vec<_>>(), [8, 8, 80, 80]);
    let left = read_sections(&without(&levels[3], |at| at % 10 != 4)).unwrap();
    let fifth: Vec<Vec<Vec<u8>>> = sections.iter().map(|blobs| vec![blobs[4].clone()]).collect();
    assert_eq!(left, fifth);
    // What stood between two places is gone: both rows point to the same one, and are a table still.
    let some_gone = without(&levels[2], |at| at % 10 == 3);
    let again = chunked(&some_gone);
    assert_eq!(again[3].len(), 80);
    let rows_gone = read_sections(&without(&again[3], |at| at % 10 == 3)).unwrap();
    let others = |blobs: &Vec<Vec<u8>>| [&blobs[..3], &blobs[4..]].concat();
    assert_eq!(rows_gone, sections.iter().map(others).collect::<Vec<_>>());
}
