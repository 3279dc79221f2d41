//! Digests of contents: BLAKE3. A digest is written to journals, so that it must stay the same.

use blake3::Hasher;

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
        }
    }
}
