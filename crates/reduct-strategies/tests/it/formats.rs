//! Files of binary formats, written and read by plain code of the tests.

/// CRC-32 by its definition: a polynomial division, bit by bit.
pub(crate) fn crc(bytes: &[u8]) -> u32 {
    let bits = bytes.iter().flat_map(|byte| (0..8).map(move |bit| u32::from(byte >> bit & 1)));
    !bits.fold(!0u32, |state, bit| (state >> 1) ^ if (state ^ bit) & 1 == 1 { 0xedb8_8320 } else { 0 })
}

pub(crate) const SIGNATURE: &[u8] = b"\x89PNG\r\n\x1a\n";

pub(crate) fn png(chunks: &[(&[u8; 4], Vec<u8>)]) -> Vec<u8> {
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
pub(crate) fn read_png(text: &[u8]) -> Option<Vec<(Vec<u8>, Vec<u8>)>> {
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

pub(crate) fn riff_chunk(kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
    let mut chunk = [&kind[..], &(data.len() as u32).to_le_bytes(), data].concat();
    chunk.resize(chunk.len().next_multiple_of(2), 0);
    chunk
}

/// Whether chunks fill a text exactly, also those in lists.
pub(crate) fn is_riff(mut rest: &[u8]) -> bool {
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

pub(crate) fn bmff_box(kind: &[u8; 4], data: &[u8]) -> Vec<u8> {
    [&(8 + data.len() as u32).to_be_bytes(), &kind[..], data].concat()
}

pub(crate) fn bmff(brand: &[u8], frames: &[u8]) -> Vec<u8> {
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
pub(crate) fn tiff(entries: &[(u16, u16, Vec<u8>)], strip: &[u8]) -> Vec<u8> {
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

pub(crate) fn entries(strip: &[u8]) -> Vec<(u16, u16, Vec<u8>)> {
    vec![
        (256, 3, vec![2, 0]),
        (270, 2, b"a description\0".to_vec()),
        (273, 4, vec![0; 4]),
        (277, 3, vec![8, 0, 8, 0, 8, 0]),
        (279, 4, (strip.len() as u32).to_le_bytes().to_vec()),
    ]
}

pub(crate) fn samples() -> Vec<Vec<u8>> {
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

/// A number of blobs, where each is, and the blobs, each with its length before it.
pub(crate) fn with_offsets(blobs: &[Vec<u8>]) -> Vec<u8> {
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

pub(crate) fn read_offsets(text: &[u8]) -> Option<Vec<Vec<u8>>> {
    let number = |at: usize| Some(u32::from_le_bytes(*text.get(at..)?.first_chunk()?) as usize);
    let blob = |at: usize| Some(text.get(at + 4..at + 4 + number(at)?)?.to_vec());
    (0..number(4)?).map(|row| blob(number(8 + 4 * row)?)).collect()
}

/// Sections of blobs: a table of sections, and in each a table whose offsets count from where the section begins.
pub(crate) fn with_sections(sections: &[Vec<Vec<u8>>]) -> Vec<u8> {
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

pub(crate) fn read_sections(text: &[u8]) -> Option<Vec<Vec<Vec<u8>>>> {
    let number = |at: usize| Some(u32::from_le_bytes(*text.get(at..)?.first_chunk()?) as usize);
    (0..number(4)?).map(|row| read_offsets(text.get(number(8 + 4 * row)?..)?)).collect()
}

/// Sections of a file of ELF: their kinds, sizes of records, and contents.
type Sections = Vec<(u32, u64, Vec<u8>)>;

/// A relocatable file of ELF for x86-64, by its specification: the head, the sections, and the table of them, whose first row is empty. The last
/// section has the names. Contents begin at multiples of eight.
pub(crate) fn elf(sections: &Sections) -> Vec<u8> {
    let mut text = vec![0; 64];
    let mut rows = vec![0; 64];
    for (kind, record, contents) in sections {
        text.resize(text.len().next_multiple_of(8), 0);
        let start = text.len() as u64;
        // Of kind 8 nothing is in the file, whatever its size is.
        let size = if *kind == 8 { 1 << 20 } else { contents.len() as u64 };
        rows.extend([1u32, *kind].map(u32::to_le_bytes).concat());
        rows.extend([2, 0, start, size].map(u64::to_le_bytes).concat());
        rows.extend([0u32; 2].map(u32::to_le_bytes).concat());
        rows.extend([8, *record].map(u64::to_le_bytes).concat());
        text.extend(contents);
    }
    let table = text.len().next_multiple_of(8);
    text.resize(table, 0);
    text.extend(rows);
    text[..16].copy_from_slice(b"\x7fELF\x02\x01\x01\0\0\0\0\0\0\0\0\0");
    text[16..24].copy_from_slice(&[1, 0, 62, 0, 1, 0, 0, 0]);
    text[40..48].copy_from_slice(&(table as u64).to_le_bytes());
    let ends = [64u16, 0, 0, 64, 1 + sections.len() as u16, sections.len() as u16];
    text[52..64].copy_from_slice(&ends.map(u16::to_le_bytes).concat());
    text
}

/// The sections of a file of ELF, but for the first one. `None` if any of them is not in the file.
pub(crate) fn read_elf(text: &[u8]) -> Option<Sections> {
    let short = |at: usize| Some(u16::from_le_bytes(*text.get(at..)?.first_chunk()?) as usize);
    let word = |at: usize| Some(u32::from_le_bytes(*text.get(at..)?.first_chunk()?));
    let long = |at: usize| Some(u64::from_le_bytes(*text.get(at..)?.first_chunk()?));
    let table = long(40)? as usize;
    let is_empty = text.get(table..table + 64)? == [0; 64];
    (text.starts_with(b"\x7fELF") && is_empty && short(58)? == 64).then_some(())?;
    (table + 64 * short(60)? <= text.len()).then_some(())?;
    let section = |row: usize| {
        let at = table + 64 * row;
        let (kind, start, size) = (word(at + 4)?, long(at + 24)? as usize, long(at + 32)? as usize);
        let contents = if kind == 8 { &[] } else { text.get(start..start + size)? };
        Some((kind, long(at + 56)?, contents.to_vec()))
    };
    (1..short(60)?).map(section).collect()
}

/// Tables as those of a font: a number of them, and for each a name, a sum, where it is and how long.
pub(crate) fn font(tables: &[(&[u8; 4], Vec<u8>)]) -> Vec<u8> {
    let number = |number: usize| (number as u32).to_be_bytes();
    let mut text = [&[0, 1, 0, 0, 0, tables.len() as u8][..], &[0, 0x80, 0, 3, 0, 0x10]].concat();
    let mut at = text.len() + 16 * tables.len();
    for (name, contents) in tables {
        text.extend([&name[..], b"sums", &number(at), &number(contents.len())].concat());
        at += contents.len().next_multiple_of(4);
    }
    for (_, contents) in tables {
        text.extend(contents);
        text.resize(text.len().next_multiple_of(4), 0);
    }
    text
}

/// The tables of a font, with their names.
pub(crate) fn read_font(text: &[u8]) -> Option<Vec<(Vec<u8>, Vec<u8>)>> {
    let number = |at: usize| Some(u32::from_be_bytes(*text.get(at..)?.first_chunk()?) as usize);
    let rows = 12..12 + 16 * usize::from(*text.get(5)?);
    let table = |at: usize| {
        let start = number(at + 8).filter(|start| rows.end <= *start)?;
        Some((text[at..at + 4].to_vec(), text.get(start..start + number(at + 12)?)?.to_vec()))
    };
    rows.clone().step_by(16).map(table).collect()
}
