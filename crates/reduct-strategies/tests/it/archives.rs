//! Archives without some of their files, or some of what is in these, are the archives of what is left, as plain code of the test writes them.

use crate::formats::crc;
use crate::support::{file, levels, rebuilt};
use reduct_core::{Config, Delta};
use reduct_input::{Circumstances, Parts};
use reduct_passes::Pass;

type File = (&'static str, Vec<u8>);

/// Writes a header of tar, by its definition: the sum is made with its field of blanks.
fn tar_header(name: &str, size: usize, kind: u8) -> Vec<u8> {
    let mut header = vec![0; 512];
    let mut put = |at: usize, text: &[u8]| header[at..at + text.len()].copy_from_slice(text);
    put(0, name.as_bytes());
    put(100, b"0000644\0");
    put(124, format!("{size:011o}\0").as_bytes());
    put(148, &[b' '; 8]);
    put(156, &[kind]);
    put(257, b"ustar\x0000");
    let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
    header[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    header
}

fn tar(files: &[File]) -> Vec<u8> {
    let mut text = vec![];
    let mut add = |name: &str, kind: u8, contents: &[u8]| {
        text.extend(tar_header(name, contents.len(), kind));
        text.extend(contents);
        text.resize(text.len().next_multiple_of(512), 0);
    };
    for (name, contents) in files {
        // A long name has a header of its own.
        if name.len() > 8 {
            add("././@LongLink", b'L', name.as_bytes());
        }
        add(&name[..name.len().min(8)], b'0', contents);
    }
    text.resize(text.len() + 1024, 0);
    text
}

/// Writes an archive of zip, whose files are stored as they are.
fn zip(files: &[File], comment: &str) -> Vec<u8> {
    let (two, four) = (|number: usize| (number as u16).to_le_bytes(), |number: usize| (number as u32).to_le_bytes());
    let (mut text, mut directory) = (vec![], vec![]);
    for (name, contents) in files {
        let start = text.len();
        let sizes = [crc(contents).to_le_bytes(), four(contents.len()), four(contents.len())].concat();
        let common = [&[20, 0, 0, 0, 0, 0, 1, 2, 3, 4], &sizes[..], &two(name.len()), &two(3)].concat();
        text.extend([b"PK\x03\x04", &common[..], name.as_bytes(), b"ext", contents].concat());
        directory.extend([b"PK\x01\x02\x14\0", &common[..], &two(4), &[0; 8], &four(start)].concat());
        directory.extend([name.as_bytes(), b"exttold"].concat());
    }
    let (count, start) = (two(files.len()), text.len());
    text.extend(&directory);
    text.extend([b"PK\x05\x06\0\0\0\0", &count[..], &count, &four(directory.len()), &four(start)].concat());
    text.extend([&two(comment.len())[..], comment.as_bytes()].concat());
    text
}

/// Writes the same archive as it is written to what cannot be gone back in: sizes and sums stand behind each file.
fn streamed_zip(files: &[File]) -> Vec<u8> {
    let (two, four) = (|number: usize| (number as u16).to_le_bytes(), |number: usize| (number as u32).to_le_bytes());
    let (mut text, mut directory) = (vec![], vec![]);
    for (name, contents) in files {
        let start = text.len();
        let sizes = [crc(contents).to_le_bytes(), four(contents.len()), four(contents.len())].concat();
        let common = |sizes: &[u8]| [&[20, 0, 8, 0, 0, 0, 1, 2, 3, 4], sizes, &two(name.len()), &two(0)].concat();
        text.extend([b"PK\x03\x04", &common(&[0; 12])[..], name.as_bytes(), contents, b"PK\x07\x08", &sizes].concat());
        directory.extend([b"PK\x01\x02\x14\0", &common(&sizes)[..], &two(0), &[0; 8], &four(start)].concat());
        directory.extend(name.as_bytes());
    }
    let (count, start) = (two(files.len()), text.len());
    text.extend(&directory);
    text.extend([b"PK\x05\x06\0\0\0\0", &count[..], &count, &four(directory.len()), &four(start), &[0, 0]].concat());
    text
}

fn files() -> Vec<File> {
    let lines =
        |count: usize| (0..count).flat_map(|at| format!("line {at} of some\n").into_bytes()).collect::<Vec<u8>>();
    vec![
        ("a.txt", lines(100)),
        ("empty", vec![]),
        ("a/folder/a-long-name", lines(3)),
        ("whole", vec![b'x'; 1024]),
        ("b.txt", lines(70)),
    ]
}

fn chunked(text: &[u8]) -> Vec<Parts> {
    levels(&Pass::named("chunks").unwrap(), &file(text))
}

fn without(parts: &Parts, gone: &[usize]) -> Vec<u8> {
    let kept = (0..parts.len()).filter(|at| !gone.contains(at)).map(|at| Delta(at as u32));
    rebuilt(parts, &kept.collect::<Config>()).bytes().to_vec()
}

/// Some of the files, as bits of a number say.
fn some(chosen: usize) -> (Vec<File>, Vec<usize>) {
    let (left, gone): (Vec<_>, Vec<_>) = files().into_iter().enumerate().partition(|(at, _)| chosen >> at & 1 == 1);
    (left.into_iter().map(|(_, file)| file).collect(), gone.into_iter().map(|(at, _)| at).collect())
}

#[test]
fn any_files_of_tar_go_with_their_headers() {
    let top = &chunked(&tar(&files()))[0];
    assert_eq!(top.len(), files().len() + 1, "the end is a part, too");
    for chosen in 0..1 << files().len() {
        let (left, gone) = some(chosen);
        assert_eq!(without(top, &gone), tar(&left), "{gone:?}");
    }
}

#[test]
fn blocks_of_a_file_in_tar_go_with_its_size_and_the_sum() {
    let all = files();
    let text = tar(&all);
    for parts in chunked(&text).iter().skip(1) {
        for at in 0..parts.len() as u32 {
            let place = parts.addresses(Delta(at));
            // In which file that is, and where: its contents begin behind its header.
            let mut left = all.clone();
            let starts: Vec<usize> = (0..all.len())
                .map(|file| tar(&all[..=file]).len() - 1024 - all[file].1.len().next_multiple_of(512))
                .collect();
            let file = starts.iter().rposition(|start| *start <= place.start as usize).unwrap();
            let start = place.start as usize - starts[file];
            let end = (start + place.len()).min(left[file].1.len());
            left[file].1.drain(start..end);
            assert_eq!(without(parts, &[at as usize]), tar(&left));
        }
    }
}

#[test]
fn any_files_of_zip_go_with_their_entries() {
    let top = &chunked(&zip(&files(), "told"))[0];
    assert_eq!(top.len(), files().len() + 1, "what is told of all is a part, too");
    for chosen in 0..1 << files().len() {
        let (left, mut gone) = some(chosen);
        assert_eq!(without(top, &gone), zip(&left, "told"), "{gone:?}");
        gone.push(files().len());
        assert_eq!(without(top, &gone), zip(&left, ""), "{gone:?}");
    }
}

#[test]
fn bytes_of_a_file_in_zip_go_with_sizes_and_sums() {
    for written in [|files: &[File]| zip(files, ""), |files: &[File]| streamed_zip(files)] {
        let pieces = chunked(&written(&files())).pop().unwrap();
        let lengths: usize = files().iter().map(|(_, contents)| contents.len()).sum();
        assert_eq!(pieces.len(), lengths);
        for every in [2, 3, 7, 500] {
            let gone: Vec<usize> = (0..pieces.len()).filter(|at| at % every == 1).collect();
            let (mut at, mut left) = (0, vec![]);
            for (name, contents) in files() {
                let own = contents.iter().enumerate().filter(|(own, _)| (at + own) % every != 1).map(|(_, byte)| *byte);
                left.push((name, own.collect()));
                at += contents.len();
            }
            assert_eq!(without(&pieces, &gone), written(&left));
        }
    }
}

#[test]
fn headers_of_tar_without_a_magic_word_are_known_by_their_sums() {
    let old = |files: &[File]| {
        let mut text = tar(files);
        let headers: Vec<usize> =
            (0..text.len()).step_by(512).filter(|at| &text[at + 257..at + 262] == b"ustar").collect();
        for at in headers {
            text[at + 257..at + 264].fill(0);
            text[at + 148..at + 156].fill(b' ');
            let sum: u32 = text[at..at + 512].iter().map(|byte| u32::from(*byte)).sum();
            text[at + 148..at + 156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
        }
        text
    };
    let top = &chunked(&old(&files()))[0];
    for chosen in 0..1 << files().len() {
        let (left, gone) = some(chosen);
        assert_eq!(without(top, &gone), old(&left), "{gone:?}");
    }
}

/// Whatever is wrong in an archive, nothing ends the reduction, and with all parts it is the same.
#[test]
fn broken_archives_are_taken_apart_as_far_as_they_go() {
    for text in [tar(&files()[..2]), zip(&files()[2..], "told"), streamed_zip(&files()[2..])] {
        for at in (0..text.len()).step_by(7) {
            for byte in [0, 0x37, 0xff] {
                let mut text = text.clone();
                text[at] = byte;
                for parts in chunked(&text) {
                    assert_eq!(without(&parts, &[]), text);
                    let all: Vec<usize> = (0..parts.len()).collect();
                    assert!(without(&parts, &all).len() <= text.len());
                }
            }
            chunked(&text[..at]);
        }
    }
}
