//! Archives without some of their files, or some of what is in these, are the archives of what is left, as plain code of the test writes them.

use crate::formats::crc;
use crate::support::{chunked, file, levels, rebuilt};
use reduct_core::{Config, Delta};
use reduct_input::{ArtifactBuilder, Circumstances, Parts};
use reduct_passes::Pass;

type File = (&'static str, Vec<u8>);

/// How programs write the numbers of a header: its size, and its sum.
#[derive(Clone, Copy)]
struct Numbers {
    size: fn(usize) -> [u8; 12],
    sum: fn(u32) -> [u8; 8],
}

/// As GNU tar writes them, Python and most others.
const USUAL: Numbers =
    Numbers { size: |size| padded(format!("{size:011o}")), sum: |sum| padded(format!("{sum:06o}\0 ")) };

/// As Rust's `tar` writes them; as old tar did; as some write them with as many digits as there is room; and as numbers of bytes.
const OTHERS: [Numbers; 4] = [
    Numbers { sum: |sum| padded(format!("{sum:07o}")), ..USUAL },
    Numbers { size: |size| padded(format!("{size:>11o} ")), sum: |sum| padded(format!("{sum:>6o}\0 ")) },
    Numbers { size: |size| padded(format!("{size:012o}")), sum: |sum| padded(format!("{sum:08o}")) },
    Numbers { size: |size| (1 << 95 | size as u128).to_be_bytes()[4..].try_into().unwrap(), ..USUAL },
];

fn padded<const WIDTH: usize>(digits: String) -> [u8; WIDTH] {
    let mut field = [0; WIDTH];
    field[..digits.len()].copy_from_slice(digits.as_bytes());
    field
}

/// Writes a header of tar, by its definition: the sum is made with its field of blanks.
fn tar_header(name: &str, size: usize, kind: u8, numbers: Numbers) -> Vec<u8> {
    let mut header = vec![0; 512];
    let mut put = |at: usize, text: &[u8]| header[at..at + text.len()].copy_from_slice(text);
    put(0, name.as_bytes());
    put(100, b"0000644\0");
    put(124, &(numbers.size)(size));
    put(148, &[b' '; 8]);
    put(156, &[kind]);
    put(257, b"ustar\x0000");
    let sum: u32 = header.iter().map(|byte| u32::from(*byte)).sum();
    header[148..156].copy_from_slice(&(numbers.sum)(sum));
    header
}

fn tar(files: &[File]) -> Vec<u8> {
    tar_with(USUAL, files)
}

fn tar_with(numbers: Numbers, files: &[File]) -> Vec<u8> {
    let mut text = vec![];
    let mut add = |name: &str, kind: u8, contents: &[u8]| {
        text.extend(tar_header(name, contents.len(), kind, numbers));
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
    let whole = files.iter().map(|(name, contents)| Zipped { name, extra: "ext", told: "told", contents });
    zip_behind(b"", &whole.collect::<Vec<_>>(), comment)
}

/// What an archive of zip has of a file.
#[derive(Clone)]
struct Zipped<'a> {
    name: &'a str,
    /// What is said of it in its header, and what in the directory.
    extra: &'a str,
    told: &'a str,
    contents: &'a [u8],
}

/// Writes the same behind something that offsets count, with what is said of files.
fn zip_behind(before: &[u8], files: &[Zipped], comment: &str) -> Vec<u8> {
    let (two, four) = (|number: usize| (number as u16).to_le_bytes(), |number: usize| (number as u32).to_le_bytes());
    let (mut text, mut directory) = (before.to_vec(), vec![]);
    for Zipped { name, extra, told, contents } in files {
        let start = text.len();
        let sizes = [crc(contents).to_le_bytes(), four(contents.len()), four(contents.len())].concat();
        let common = [&[20, 0, 0, 0, 0, 0, 1, 2, 3, 4], &sizes[..], &two(name.len())].concat();
        text.extend(
            [b"PK\x03\x04", &common[..], &two(extra.len()), name.as_bytes(), extra.as_bytes(), contents].concat(),
        );
        let own = [&b"PK\x01\x02\x14\0"[..], &common, &two(3), &two(told.len()), &[0; 8], &four(start)].concat();
        directory.extend([&own[..], name.as_bytes(), b"own", told.as_bytes()].concat());
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

/// Leaves out each part of a level of an archive alone, and compares with the archive of the files without the bytes that stand there.
fn goes_with_size_and_sum(parts: &Parts, all: &[File], written: &dyn Fn(&[File]) -> Vec<u8>) {
    for at in 0..parts.len() as u32 {
        let place = parts.addresses(Delta(at));
        // In which file that is, and where: its contents begin behind its header.
        let mut left = all.to_vec();
        let starts: Vec<usize> = (0..all.len())
            .map(|file| written(&all[..=file]).len() - 1024 - all[file].1.len().next_multiple_of(512))
            .collect();
        let file = starts.iter().rposition(|start| *start <= place.start as usize).unwrap();
        let start = place.start as usize - starts[file];
        let end = (start + place.len()).min(left[file].1.len());
        left[file].1.drain(start..end);
        assert!(without(parts, &[at as usize]) == written(&left), "{} at {start}", left[file].0);
    }
}

/// What is left of the last block of a file, and its whole blocks.
fn tails_and_blocks(all: &[File]) -> [usize; 2] {
    let sizes = || all.iter().map(|(_, contents)| contents.len());
    [sizes().filter(|size| size % 512 > 0).count(), sizes().map(|size| size / 512).sum()]
}

#[test]
fn blocks_of_a_file_in_tar_go_with_its_size_and_the_sum() {
    let all = files();
    let levels = chunked(&tar(&all));
    assert_eq!(levels.len(), 3, "files, what is left of a block, and blocks");
    assert_eq!([levels[1].len(), levels[2].len()], tails_and_blocks(&all));
    levels[1..].iter().for_each(|parts| goes_with_size_and_sum(parts, &all, &tar));
}

/// Numbers that are written anew have as many digits as before, so that sizes with zeros in front stay as they are written; blanks become zeros, which
/// the sizes and sums say as well.
#[test]
fn sizes_and_sums_of_tar_are_known_however_they_are_written() {
    let all = files();
    for numbers in OTHERS {
        let written = |files: &[File]| tar_with(numbers, files);
        let levels = chunked(&written(&all));
        assert_eq!(levels.iter().map(Parts::len).collect::<Vec<_>>()[1..], tails_and_blocks(&all));
        for (parts, at) in levels[1..].iter().flat_map(|parts| (0..parts.len()).map(move |at| (parts, at))) {
            let text = without(parts, &[at]);
            let files = read_tar(&text);
            assert_eq!(files.len(), all.len() + 1, "one has a long name");
            let all_bytes: usize =
                all.iter().map(|(name, contents)| contents.len() + if name.len() > 8 { name.len() } else { 0 }).sum();
            let gone = parts.addresses(Delta(at as u32)).len();
            let left: usize = files.iter().sum();
            assert!(left < all_bytes && left + gone >= all_bytes, "{left} of {all_bytes} without {gone}");
        }
    }
}

/// Returns the sizes of the files of an archive of tar, if all of it is as it should be: by a plain reading of the format.
fn read_tar(text: &[u8]) -> Vec<usize> {
    let octal = |field: &[u8]| {
        let digits = std::str::from_utf8(field).unwrap().trim_matches(['\0', ' ']);
        usize::from_str_radix(digits, 8).unwrap()
    };
    let (mut at, mut sizes) = (0, vec![]);
    while text[at] != 0 {
        let mut header = text[at..at + 512].to_vec();
        let sum = octal(&header[148..156]);
        header[148..156].fill(b' ');
        assert_eq!(sum, header.iter().map(|byte| usize::from(*byte)).sum::<usize>());
        let size = match header[124] {
            0x80 => usize::from_be_bytes(header[128..136].try_into().unwrap()),
            _ => octal(&header[124..136]),
        };
        sizes.push(size);
        at += 512 + size.next_multiple_of(512);
    }
    assert!(text[at..].len() == 1024 && text[at..].iter().all(|byte| *byte == 0));
    sizes
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

/// What is said of a file goes alone, from its header, and of two kinds from the directory.
#[test]
fn what_is_said_of_a_file_in_zip_goes_with_its_length() {
    let all = files();
    let levels = chunked(&zip(&all, "told"));
    assert_eq!(levels.len(), 3, "files, what is said of them, and bytes");
    let parts = &levels[1];
    assert_eq!(parts.len(), 3 * all.len());
    let whole = || all.iter().map(|(name, contents)| Zipped { name, extra: "ext", told: "told", contents });
    // Extras of headers stand before the directory, in which there are two for each file: an extra, which the writer above always has, and what is told.
    for at in 0..all.len() {
        let mut left: Vec<Zipped> = whole().collect();
        left[at].extra = "";
        assert_eq!(without(parts, &[at]), zip_behind(b"", &left, "told"));
        let mut left: Vec<Zipped> = whole().collect();
        left[at].told = "";
        assert_eq!(without(parts, &[all.len() + 2 * at + 1]), zip_behind(b"", &left, "told"));
    }
    let extras: Vec<usize> = (0..all.len()).map(|at| all.len() + 2 * at).collect();
    let text = without(parts, &extras);
    assert!(text.windows(3).all(|word| word != b"own"));
    assert_eq!(chunked(&text)[1].len(), 2 * all.len(), "it is an archive with what is left of that");
}

/// A program that unpacks it may stand before an archive, or another archive; offsets may count that or not.
#[test]
fn files_go_from_archives_that_stand_behind_something() {
    let first = zip(&files()[2..4], "of the first");
    let all: Vec<Zipped> =
        FILES.iter().map(|name| Zipped { name, extra: "", told: "", contents: name.as_bytes() }).collect();
    for counts in [true, false] {
        let written = |before: &[u8], files: &[Zipped]| match counts {
            true => zip_behind(before, files, ""),
            false => [before, &zip_behind(b"", files, "")].concat(),
        };
        let top = &chunked(&written(&first, &all))[0];
        assert_eq!(top.len(), 1 + all.len());
        assert_eq!(without(top, &[0]), written(b"", &all));
        for at in 0..all.len() {
            let left = [&all[..at], &all[at + 1..]].concat();
            assert_eq!(without(top, &[1 + at]), written(&first, &left));
            assert_eq!(without(top, &[0, 1 + at]), written(b"", &left));
        }
    }
}

const FILES: [&str; 3] = ["a/first", "b", "the/third/one"];

#[test]
fn a_comment_may_have_the_mark_of_the_record_that_it_is_in() {
    let comment = format!("PK\x05\x06{}", "\0".repeat(30));
    let top = &chunked(&zip(&files(), &comment))[0];
    assert_eq!(without(top, &[0]), zip(&files()[1..], &comment));
}

#[test]
fn bytes_of_a_file_in_zip_go_with_sizes_and_sums() {
    for written in [|files: &[File]| zip(files, ""), |files: &[File]| streamed_zip(files)] {
        let levels = chunked(&written(&files()));
        assert!(levels[0].len() == files().len() && levels.len() >= 2);
        let pieces = levels.last().unwrap();
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
            assert_eq!(without(pieces, &gone), written(&left));
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

/// An archive among other files: its positions count from where it begins, addresses from the first file.
#[test]
fn archives_stand_beside_other_files() {
    let artifact = |archive: &[u8]| {
        let mut builder = ArtifactBuilder::default();
        for (path, text) in [("a", &b"some text"[..]), ("b", archive), ("c", &tar(&files()))] {
            builder.file(path, 0o644, text).unwrap();
        }
        builder.finish()
    };
    let top = &levels(&Pass::named("chunks").unwrap(), &artifact(&zip(&files(), "")))[0];
    for at in 0..files().len() {
        let left = [&files()[..at], &files()[at + 1..]].concat();
        let kept = (0..top.len()).filter(|part| *part != at).map(|part| Delta(part as u32)).collect::<Config>();
        assert_eq!(rebuilt(top, &kept).bytes(), artifact(&zip(&left, "")).bytes());
    }
}

/// Returns the names and contents of an archive of zip that begins with its first file, if all of it is as it should be: by a plain reading of the format.
fn read_zip(text: &[u8]) -> Vec<(Vec<u8>, Vec<u8>)> {
    let two = |at: usize| usize::from(u16::from_le_bytes(text[at..at + 2].try_into().unwrap()));
    let four = |at: usize| u32::from_le_bytes(text[at..at + 4].try_into().unwrap());
    let end = text.windows(4).rposition(|mark| mark == b"PK\x05\x06").unwrap();
    assert_eq!([two(end + 4), two(end + 6), two(end + 8), end + 22 + two(end + 20)], [0, 0, two(end + 10), text.len()]);
    let mut at = four(end + 16) as usize;
    assert_eq!(at + four(end + 12) as usize, end);
    let mut files = vec![];
    for _ in 0..two(end + 10) {
        let start = four(at + 42) as usize;
        assert_eq!([&text[at..at + 4], &text[start..start + 4]], [b"PK\x01\x02", b"PK\x03\x04"]);
        assert_eq!([two(at + 8), two(at + 10)], [two(start + 6), two(start + 8)], "how it is stored");
        let name = text[at + 46..at + 46 + two(at + 28)].to_vec();
        assert_eq!(name, text[start + 30..start + 30 + two(start + 26)]);
        let data = start + 30 + name.len() + two(start + 28);
        let contents = text[data..data + four(at + 20) as usize].to_vec();
        let sizes = [crc(&contents), contents.len() as u32, contents.len() as u32];
        assert_eq!([16, 20, 24].map(|field| four(at + field)), sizes);
        match two(at + 8) {
            0 => assert_eq!([14, 18, 22].map(|field| four(start + field)), sizes),
            _ => assert_eq!([4, 8, 12].map(|field| four(data + contents.len() + field)), sizes),
        }
        files.push((name, contents));
        at += 46 + two(at + 28) + two(at + 30) + two(at + 32);
    }
    assert_eq!(at, end);
    files
}

/// What changes bytes in place leaves an archive one: it touches nothing that is mended if parts go, nor what a sum covers.
#[test]
fn archives_stay_well_formed_if_bytes_become_zeros() {
    let edited = |archive: &[u8]| {
        let passes = ["zeros", "runs"].map(|name| levels(&Pass::named(name).unwrap(), &file(archive)));
        let levels = passes.into_iter().flatten();
        levels
            .flat_map(|parts| (0..parts.len()).map(|at| without(&parts, &[at])).collect::<Vec<_>>())
            .collect::<Vec<_>>()
    };
    let small: Vec<File> = files().into_iter().filter(|(_, contents)| contents.len() < 200).collect();
    let archive = tar(&small);
    let others = edited(&archive);
    assert!(!others.is_empty(), "what is in a file is covered by no sum");
    others.iter().for_each(|text| assert_eq!(read_tar(text), read_tar(&archive)));
    for archive in [zip(&small, "told"), streamed_zip(&small)] {
        let others = edited(&archive);
        assert!(!others.is_empty(), "times may be any");
        others.iter().for_each(|text| assert_eq!(read_zip(text), read_zip(&archive)));
    }
}
