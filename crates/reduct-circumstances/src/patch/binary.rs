//! Binary contents in a patch, as `git diff --binary` has them: both sides in full, so that it can be undone.
//!
//! Git takes a binary patch only with the names of both objects, by which it knows what it is applied to. Contents
//! are not compressed: what is read is right with any zlib, and a patch is rarely kept for long.

use std::fmt::Write;

/// The name of what is not there.
pub(super) const NOTHING: &str = "0000000000000000000000000000000000000000";

/// What follows the head of a binary file.
pub(super) fn binary(old: &[u8], new: &[u8]) -> String {
    format!("GIT binary patch\n{}\n{}\n", literal(new), literal(old))
}

/// The name that git has for a file of these contents.
pub(super) fn name(contents: &[u8]) -> String {
    let mut text = format!("blob {}\0", contents.len()).into_bytes();
    text.extend_from_slice(contents);
    sha1(&text).iter().fold(String::new(), |mut name, word| {
        let _ = write!(name, "{word:08x}");
        name
    })
}

/// Contents, in lines of at most 52 bytes, each with its length before it.
fn literal(contents: &[u8]) -> String {
    let mut text = format!("literal {}\n", contents.len());
    for line in stored(contents).chunks(52) {
        let length = line.len() as u8;
        text.push(char::from(if length <= 26 { b'A' + length - 1 } else { b'a' + length - 27 }));
        line.chunks(4).for_each(|four| in_base_85(four, &mut text));
        text.push('\n');
    }
    text
}

const DIGITS: &[u8; 85] = b"0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~";

/// Up to four bytes as five digits.
fn in_base_85(bytes: &[u8], text: &mut String) {
    let mut four = [0; 4];
    four[..bytes.len()].copy_from_slice(bytes);
    let mut number = u32::from_be_bytes(four);
    let mut digits = [0; 5];
    for digit in digits.iter_mut().rev() {
        *digit = DIGITS[(number % 85) as usize];
        number /= 85;
    }
    text.extend(digits.map(char::from));
}

/// A zlib stream of blocks that are stored as they are (RFC 1950, RFC 1951).
fn stored(contents: &[u8]) -> Vec<u8> {
    const MOST: usize = 0xffff;
    let mut stream = vec![0x78, 0x01];
    let blocks = contents.len().div_ceil(MOST).max(1);
    for at in 0..blocks {
        let block = &contents[at * MOST..contents.len().min((at + 1) * MOST)];
        let length = block.len() as u16;
        stream.push(u8::from(at + 1 == blocks));
        stream.extend_from_slice(&length.to_le_bytes());
        stream.extend_from_slice(&(!length).to_le_bytes());
        stream.extend_from_slice(block);
    }
    stream.extend_from_slice(&adler32(contents).to_be_bytes());
    stream
}

fn adler32(bytes: &[u8]) -> u32 {
    let (mut a, mut b) = (1u32, 0u32);
    for byte in bytes {
        a = (a + u32::from(*byte)) % 65521;
        b = (b + a) % 65521;
    }
    b << 16 | a
}

/// SHA-1 (FIPS 180-4). It names objects here, it protects nothing.
fn sha1(text: &[u8]) -> [u32; 5] {
    let mut padded = text.to_vec();
    padded.push(0x80);
    padded.resize(padded.len().next_multiple_of(64), 0);
    // Eight bytes at the end are for the length.
    if text.len() % 64 >= 56 {
        padded.resize(padded.len() + 64, 0);
    }
    let end = padded.len() - 8;
    padded[end..].copy_from_slice(&(text.len() as u64 * 8).to_be_bytes());
    let mut state = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0];
    padded.chunks_exact(64).for_each(|block| sha1_block(&mut state, block));
    state
}

fn sha1_block(state: &mut [u32; 5], block: &[u8]) {
    let mut words = [0u32; 80];
    for (word, four) in words.iter_mut().zip(block.chunks_exact(4)) {
        *word = u32::from_be_bytes([four[0], four[1], four[2], four[3]]);
    }
    for at in 16..80 {
        words[at] = (words[at - 3] ^ words[at - 8] ^ words[at - 14] ^ words[at - 16]).rotate_left(1);
    }
    let [mut a, mut b, mut c, mut d, mut e] = *state;
    for (at, word) in words.into_iter().enumerate() {
        let (mixed, constant) = match at / 20 {
            0 => (b & c | !b & d, 0x5a82_7999u32),
            1 => (b ^ c ^ d, 0x6ed9_eba1),
            2 => (b & c | b & d | c & d, 0x8f1b_bcdc),
            _ => (b ^ c ^ d, 0xca62_c1d6),
        };
        let next = a.rotate_left(5).wrapping_add(mixed).wrapping_add(e).wrapping_add(constant).wrapping_add(word);
        (a, b, c, d, e) = (next, a, b.rotate_left(30), c, d);
    }
    for (sum, part) in state.iter_mut().zip([a, b, c, d, e]) {
        *sum = sum.wrapping_add(part);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `git hash-object` says of them; lengths around the end of a block are where padding goes wrong.
    #[test]
    fn objects_have_the_names_that_git_has() {
        assert_eq!(name(b""), "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
        assert_eq!(name(b"hello\n"), "ce013625030ba8dba906f756967f9e9ca394464a");
        assert_eq!(format!("{:08x?}", sha1(b"abc")), "[a9993e36, 4706816a, ba3e2571, 7850c26c, 9cd0d89d]");
        let long = b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
        assert_eq!(format!("{:08x?}", sha1(long)), "[84983e44, 1c3bd26e, baae4aa1, f95129e5, e54670f1]");
    }

    #[test]
    fn streams_are_those_of_the_standard() {
        assert_eq!(stored(b""), [0x78, 1, 1, 0, 0, 0xff, 0xff, 0, 0, 0, 1]);
        assert_eq!(adler32(b"Wikipedia"), 0x11e6_0398);
        let long = stored(&[7; 70_000]);
        assert_eq!((long[2], long[3], long[4]), (0, 0xff, 0xff), "the first block is not the last");
        assert_eq!(long[7 + 65_535], 1, "the second one is");
    }
}
