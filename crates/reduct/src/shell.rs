//! Words as a shell takes them.

use std::ffi::OsStr;
use std::os::unix::ffi::OsStrExt;

/// A word as a shell takes it, to be shown: what is not UTF-8 is replaced.
pub fn quoted(word: &OsStr) -> String {
    String::from_utf8_lossy(&quoted_bytes(word.as_bytes())).into_owned()
}

/// A word as a shell takes it, whatever its bytes.
pub fn quoted_bytes(word: &[u8]) -> Vec<u8> {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"/._-+=:,@%".contains(byte);
    if !word.is_empty() && word.iter().all(plain) {
        return word.to_vec();
    }
    let mut text = b"'".to_vec();
    for byte in word {
        if *byte == b'\'' { text.extend_from_slice(b"'\\''") } else { text.push(*byte) }
    }
    text.push(b'\'');
    text
}
