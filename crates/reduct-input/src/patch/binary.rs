//! Binary contents in a patch, as `git diff --binary` has them: both sides in full, so that it can be undone.
//!
//! Git takes a binary patch only with the names of both objects, by which it knows what it is applied to. Contents
//! are not compressed: what is read is right with any zlib, and a patch is rarely kept for long.

/// Returns what follows the head of a binary file.
pub(super) fn binary(old: &[u8], new: &[u8]) -> String {
    format!("GIT binary patch\n{}\n{}\n", literal(new), literal(old))
}

/// Returns contents, in lines of at most 52 bytes, each with its length before it.
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

/// Writes up to four bytes as five digits.
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

/// Returns a zlib stream of blocks that are stored as they are (RFC 1950, RFC 1951).
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn streams_are_those_of_the_standard() {
        assert_eq!(stored(b""), [0x78, 1, 1, 0, 0, 0xff, 0xff, 0, 0, 0, 1]);
        assert_eq!(adler32(b"Wikipedia"), 0x11e6_0398);
        let long = stored(&[7; 70_000]);
        assert_eq!((long[2], long[3], long[4]), (0, 0xff, 0xff), "the first block is not the last");
        assert_eq!(long[7 + 65_535], 1, "the second one is");
    }
}
