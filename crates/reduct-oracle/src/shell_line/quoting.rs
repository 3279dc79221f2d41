//! Words as a shell takes them.

/// Returns a word as a shell takes it, whatever its bytes.
pub fn quoted(word: &[u8]) -> Vec<u8> {
    let plain = |byte: &u8| byte.is_ascii_alphanumeric() || b"/._-+=:,@%".contains(byte);
    if !word.is_empty() && word.iter().all(plain) {
        return word.to_vec();
    }
    [b"'", &within_single(word)[..], b"'"].concat()
}

/// Returns what a path looks like within single quotes.
pub(super) fn within_single(path: &[u8]) -> Vec<u8> {
    path.iter().flat_map(|byte| if *byte == b'\'' { b"'\\''".to_vec() } else { vec![*byte] }).collect()
}

/// Returns the same with a backslash before each of these.
pub(super) fn escaped(path: &[u8], special: &[u8]) -> Vec<u8> {
    let escape = |byte: &u8| if special.contains(byte) { vec![b'\\', *byte] } else { vec![*byte] };
    path.iter().flat_map(escape).collect()
}

/// Puts a path in for every `{}` as it is.
pub fn fill_in_word(word: &[u8], path: &[u8]) -> Vec<u8> {
    let (mut filled, mut rest) = (Vec::with_capacity(word.len()), word);
    while let Some(at) = rest.windows(2).position(|two| two == b"{}") {
        filled.extend_from_slice(&rest[..at]);
        filled.extend_from_slice(path);
        rest = &rest[at + 2..];
    }
    filled.extend_from_slice(rest);
    filled
}
