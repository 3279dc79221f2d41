//! Digests of contents: BLAKE3, with the feature `fast-digest` by the crate of that name, else in plain Rust. Both give
//! the same digests: what one build has written to a journal, another one reads.

#[cfg(any(test, not(feature = "fast-digest")))]
mod plain;

#[cfg(feature = "fast-digest")]
use blake3::Hasher;
#[cfg(not(feature = "fast-digest"))]
use plain::Hasher;

/// Makes a digest of bytes that are given one piece after the other.
///
/// ```
/// use reduct_input::{Digester, digest_of};
///
/// let mut digester = Digester::default();
/// digester.update(b"a").update(b"bc");
/// assert_eq!(digester.finish(), digest_of(b"abc"));
/// ```
#[derive(Clone, Default)]
pub struct Digester(Hasher);

impl Digester {
    /// Adds bytes.
    pub fn update(&mut self, bytes: &[u8]) -> &mut Digester {
        self.0.update(bytes);
        self
    }

    /// Returns the digest of all bytes so far.
    pub fn finish(&self) -> [u8; 32] {
        *self.0.finalize().as_bytes()
    }
}

/// Returns the digest of these bytes.
pub fn digest_of(bytes: &[u8]) -> [u8; 32] {
    Digester::default().update(bytes).finish()
}

/// Returns bytes in hexadecimal.
pub fn hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The digests of nothing and of `abc` by the test vectors of BLAKE3, <https://github.com/BLAKE3-team/BLAKE3>.
    #[test]
    fn digests_are_those_of_blake3() {
        let known = [
            (&b""[..], "af1349b9f5f9a1a6a0404dea36dcc9499bcb25c9adc112b7cc9a93cae41f3262"),
            (b"abc", "6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85"),
        ];
        for (bytes, digest) in known {
            assert_eq!(hex(&digest_of(bytes)), digest);
            assert_eq!(hex(plain::Hasher::default().update(bytes).finalize().as_bytes()), digest);
        }
    }

    #[test]
    fn both_ways_give_the_same_whatever_the_length_and_the_pieces() {
        let bytes: Vec<u8> = (0..70_000u32).map(|n| (n % 251) as u8).collect();
        for length in [1, 63, 64, 65, 127, 1023, 1024, 1025, 2047, 2048, 2049, 3072, 4097, 8193, 31_744, 65_536, 70_000]
        {
            let expected = *blake3::hash(&bytes[..length]).as_bytes();
            assert_eq!(*plain::Hasher::default().update(&bytes[..length]).finalize().as_bytes(), expected, "{length}");
            let mut in_pieces = plain::Hasher::default();
            bytes[..length].chunks(333).for_each(|piece| {
                in_pieces.update(piece);
            });
            assert_eq!(*in_pieces.finalize().as_bytes(), expected, "{length} in pieces");
        }
    }
}
