//! The names that git has for the contents of files: in most repositories by SHA-1, in those made with
//! `--object-format=sha256` by SHA-256. They name objects here, they protect nothing.

use std::fmt::Write;

/// How a repository names its objects.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Objects {
    /// By SHA-1, as also where there is no repository.
    #[default]
    Sha1,
    /// By SHA-256.
    Sha256,
}

impl Objects {
    /// Returns the name of a file of these contents.
    pub(super) fn name(self, contents: &[u8]) -> String {
        let mut text = format!("blob {}\0", contents.len()).into_bytes();
        text.extend_from_slice(contents);
        match self {
            Objects::Sha1 => digits(&sha1(&text)),
            Objects::Sha256 => digits(&sha256(&text)),
        }
    }

    /// Returns the name of what is not there.
    pub(super) fn nothing(self) -> String {
        match self {
            Objects::Sha1 => digits(&[0; 5]),
            Objects::Sha256 => digits(&[0; 8]),
        }
    }
}

fn digits(words: &[u32]) -> String {
    words.iter().fold(String::new(), |mut name, word| {
        let _ = write!(name, "{word:08x}");
        name
    })
}

/// Returns a text as both digests take it: whole blocks of 64 bytes, with its length at the end.
fn padded(text: &[u8]) -> Vec<u8> {
    let mut padded = text.to_vec();
    padded.push(0x80);
    padded.resize(padded.len().next_multiple_of(64), 0);
    // Eight bytes at the end are for the length.
    if text.len() % 64 >= 56 {
        padded.resize(padded.len() + 64, 0);
    }
    let end = padded.len() - 8;
    padded[end..].copy_from_slice(&(text.len() as u64 * 8).to_be_bytes());
    padded
}

/// Reads the words of a block, in front of those that are made of them.
fn read(block: &[u8], words: &mut [u32]) {
    for (word, four) in words.iter_mut().zip(block.chunks_exact(4)) {
        *word = u32::from_be_bytes([four[0], four[1], four[2], four[3]]);
    }
}

/// Returns the digest by SHA-1 (FIPS 180-4).
fn sha1(text: &[u8]) -> [u32; 5] {
    let mut state = [0x6745_2301, 0xefcd_ab89, 0x98ba_dcfe, 0x1032_5476, 0xc3d2_e1f0];
    padded(text).chunks_exact(64).for_each(|block| sha1_block(&mut state, block));
    state
}

fn sha1_block(state: &mut [u32; 5], block: &[u8]) {
    let mut words = [0u32; 80];
    read(block, &mut words);
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

/// The first 32 bits of the fractions of the cube roots of the first 64 primes.
const ROOTS: [u32; 64] = [
    0x428a_2f98,
    0x7137_4491,
    0xb5c0_fbcf,
    0xe9b5_dba5,
    0x3956_c25b,
    0x59f1_11f1,
    0x923f_82a4,
    0xab1c_5ed5,
    0xd807_aa98,
    0x1283_5b01,
    0x2431_85be,
    0x550c_7dc3,
    0x72be_5d74,
    0x80de_b1fe,
    0x9bdc_06a7,
    0xc19b_f174,
    0xe49b_69c1,
    0xefbe_4786,
    0x0fc1_9dc6,
    0x240c_a1cc,
    0x2de9_2c6f,
    0x4a74_84aa,
    0x5cb0_a9dc,
    0x76f9_88da,
    0x983e_5152,
    0xa831_c66d,
    0xb003_27c8,
    0xbf59_7fc7,
    0xc6e0_0bf3,
    0xd5a7_9147,
    0x06ca_6351,
    0x1429_2967,
    0x27b7_0a85,
    0x2e1b_2138,
    0x4d2c_6dfc,
    0x5338_0d13,
    0x650a_7354,
    0x766a_0abb,
    0x81c2_c92e,
    0x9272_2c85,
    0xa2bf_e8a1,
    0xa81a_664b,
    0xc24b_8b70,
    0xc76c_51a3,
    0xd192_e819,
    0xd699_0624,
    0xf40e_3585,
    0x106a_a070,
    0x19a4_c116,
    0x1e37_6c08,
    0x2748_774c,
    0x34b0_bcb5,
    0x391c_0cb3,
    0x4ed8_aa4a,
    0x5b9c_ca4f,
    0x682e_6ff3,
    0x748f_82ee,
    0x78a5_636f,
    0x84c8_7814,
    0x8cc7_0208,
    0x90be_fffa,
    0xa450_6ceb,
    0xbef9_a3f7,
    0xc671_78f2,
];

/// Returns the digest by SHA-256 (FIPS 180-4).
fn sha256(text: &[u8]) -> [u32; 8] {
    // Of the square roots of the first eight primes.
    let mut state =
        [0x6a09_e667, 0xbb67_ae85, 0x3c6e_f372, 0xa54f_f53a, 0x510e_527f, 0x9b05_688c, 0x1f83_d9ab, 0x5be0_cd19];
    padded(text).chunks_exact(64).for_each(|block| sha256_block(&mut state, block));
    state
}

fn sha256_block(state: &mut [u32; 8], block: &[u8]) {
    let turned = |word: u32, by: [u32; 3]| by.map(|by| word.rotate_right(by)).iter().fold(0, |all, word| all ^ word);
    let mut words = [0u32; 64];
    read(block, &mut words);
    for at in 16..64 {
        let (early, late) = (words[at - 15], words[at - 2]);
        let early = early.rotate_right(7) ^ early.rotate_right(18) ^ early >> 3;
        let late = late.rotate_right(17) ^ late.rotate_right(19) ^ late >> 10;
        words[at] = words[at - 16].wrapping_add(early).wrapping_add(words[at - 7]).wrapping_add(late);
    }
    let [mut a, mut b, mut c, mut d, mut e, mut f, mut g, mut h] = *state;
    for (word, root) in words.into_iter().zip(ROOTS) {
        let chosen = e & f ^ !e & g;
        let most = a & b ^ a & c ^ b & c;
        let one = h.wrapping_add(turned(e, [6, 11, 25])).wrapping_add(chosen).wrapping_add(root).wrapping_add(word);
        let other = turned(a, [2, 13, 22]).wrapping_add(most);
        (a, b, c, d, e, f, g, h) = (one.wrapping_add(other), a, b, c, d.wrapping_add(one), e, f, g);
    }
    for (sum, part) in state.iter_mut().zip([a, b, c, d, e, f, g, h]) {
        *sum = sum.wrapping_add(part);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What `git hash-object` says of them; lengths around the end of a block are where padding goes wrong.
    #[test]
    fn objects_have_the_names_that_git_has() {
        assert_eq!(Objects::Sha1.name(b""), "e69de29bb2d1d6434b8b29ae775ad8c2e48c5391");
        assert_eq!(Objects::Sha1.name(b"hello\n"), "ce013625030ba8dba906f756967f9e9ca394464a");
        assert_eq!(format!("{:08x?}", sha1(b"abc")), "[a9993e36, 4706816a, ba3e2571, 7850c26c, 9cd0d89d]");
        let long = b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
        assert_eq!(format!("{:08x?}", sha1(long)), "[84983e44, 1c3bd26e, baae4aa1, f95129e5, e54670f1]");
    }

    /// What `git hash-object` says of them in a repository with SHA-256, and the examples of the standard.
    #[test]
    fn objects_have_the_names_that_git_has_with_sha_256() {
        assert_eq!(Objects::Sha256.name(b""), "473a0f4c3be8a93681a267e3b1e9a7dcda1185436fe141f7749120a303721813");
        assert_eq!(
            Objects::Sha256.name(b"hello\n"),
            "2cf8d83d9ee29543b34a87727421fdecb7e3f3a183d337639025de576db9ebb4"
        );
        let abc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";
        assert_eq!(digits(&sha256(b"abc")), abc);
        let long = b"abcdbcdecdefdefgefghfghighijhijkijkljklmklmnlmnomnopnopq";
        let of_long = "248d6a61d20638b8e5c026930c3e6039a33ce45964ff2167f6ecedd419db06c1";
        assert_eq!(digits(&sha256(long)), of_long);
        assert_eq!(Objects::Sha256.nothing().len(), 64);
    }
}
